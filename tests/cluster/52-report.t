#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sbudget report: its figures are those of sacct and sreport over the same
# jobs, for users as for admins, as far as PrivateData lets them; it comes in
# every form that is promised, and says what it cannot know.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"
# shellcheck source=tests/cluster/sbudget.sh
. "$(dirname "$0")/sbudget.sh"

# shellcheck disable=SC2034  # cluster.sh reads them
{
CLUSTER_NODES='n[1-2]:h100:8'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA=$(contract_conf '')'
AccountingStoreFlags=job_comment
MessageTimeout=10
ReturnToService=0'
}

# report [OPTION...]: of the hours that everything happens in
report()
{
	sbudget report --from "$from" --to "$to" "$@"
}

# seconds PATH: GPU-hours in the JSON on standard input, as GPU-seconds
seconds()
{
	json "$1" | awk '{ printf "%.0f\n", $1 * 3600 }'
}

# accounts: "account GPU-seconds" of each that ran something
accounts()
{
	report -P --sheet accounts "$@" | awk -F '|' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ s = ($at["Delivered GPU-h"] + $at["Unallocated GPU-h"]) * 3600
		  if (s > 0.5 && $1 != "root") printf "%s %.0f\n", $1, s }' |
		sort
}

# recorded [OPTION...]: the same from sacct's records
recorded()
{
	SLURM_TIME_FORMAT=%s sacct -nPXDa -S "$from" -E "$to" \
		-o Account,Start,End,AllocTRES "$@" |
		sed 's/|[^|]*gres\/gpu=\([0-9]*\)[^|]*/|\1/' | awk -F '|' '
		$2 + 0 && $3 + 0 { sum[$1] += ($3 - $2) * $4 }
		END { for (a in sum) if (sum[a]) print a, sum[a] }' | sort
}

# reported: and from sreport
reported()
{
	sreport -nPt seconds -T gres/gpu cluster AccountUtilizationByUser \
		start="$from" end="$to" format=account,login,used |
		awk -F '|' '$2 { sum[$1] += $3 }
		END { for (a in sum) print a, sum[a] }' | sort
}

# utilization FIELD: of the cluster, from sreport
utilization()
{
	sreport -nPt seconds -T gres/gpu cluster Utilization start="$from" \
		end="$to" format="$1"
}

# All that has happened, three hours ago: in hours that are over.
move_back()
{
	local p=$CLUSTER_NAME

	cluster_sql "
	set @shift = 3 * 3600;
	update ${p}_job_table set time_submit = time_submit - @shift,
		time_eligible = if(time_eligible, time_eligible - @shift, 0),
		time_start = if(time_start, time_start - @shift, 0),
		time_end = time_end - @shift where time_end > 0;
	update ${p}_event_table set time_start = time_start - @shift,
		time_end = time_end - @shift where node_name != '' and
		time_end > 0;
	update ${p}_event_table set time_start = time_start - 86400 where
		node_name = '';"
	from=$(date -d '5 hours ago' +%FT%H:00:00)
	to=$(date +%FT%H:00:00)
	cluster_wait_until 30 rolled_up || cluster_bail "no hourly sums"
}

# The sums of these hours are made, again if slurmdbd was just about to.
# shellcheck disable=SC2317
rolled_up()
{
	cluster_sql "update ${CLUSTER_NAME}_last_ran_table set hourly_rollup =
		unix_timestamp('${from/T/ }')"
	sacctmgr -i rollup
	[ -n "$(reported)" ] && [ -n "$(utilization reported)" ]
}

# shellcheck disable=SC2317
node_is()
{
	[[ $(scontrol -o show node "$1") =~ State=($2)[\ *+] ]]
}

# all_recorded COUNT: so many records, and nothing of them is still on its way.
# One that was held has never been eligible.
# shellcheck disable=SC2317
all_recorded()
{
	[ -z "$(squeue -h)" ] && [ "$(cluster_sql "select count(*),
		sum(time_end = 0 or (time_eligible = 0 and state != 4))
		from ${CLUSTER_NAME}_job_table")" = "$1"$'\t'0 ]
}

# slurmdbd has the start, and slurmctld knows that it has: else a requeue
# would lose it.
# shellcheck disable=SC2317
start_recorded()
{
	[ "$(cluster_sql "select count(*) from ${CLUSTER_NAME}_job_table
		where id_job = $1 and time_start > 0 and time_start + 6 <
		unix_timestamp()")" = 1 ]
}

# shellcheck disable=SC2317
down_recorded()
{
	[ "$(sacctmgr -nP show event nodes=n2 start=now-1hour \
		format=timeend | grep -vc Unknown)" -ge 1 ]
}

# shellcheck disable=SC2317
preemptor_started()
{
	[ "$(sbudget report --json --from "$(date -d '1 hour ago' +%FT%T)" \
		--to "$(date -d '1 minute' +%FT%T)" |
		json report.totals.preemptors_started)" = 1 ]
}

run()
{
	cluster_submit "$@" -N1 --wrap="exec sleep ${seconds:-1}" >/dev/null
}

sbudget_need
cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=60
account b2 parent=root fairshare=20
account c3 parent=root fairshare=20
account c3x parent=c3 fairshare=1
user anna account=a1
user ben account=b2
user carla account=c3x
modify user root set fairshare=parent
END
cluster_past_usage a1 anna billing 280 150 0
cluster_past_usage b2 ben billing 250 150 0
cluster_past_usage c3x carla billing 470 150 0
cluster_start
cluster_wait_until 20 cluster_share_is root '' rawusage 3600000 ||
	cluster_bail "the past is not there"

# ------------------------------------------------------------ the jobs

# ben fills both nodes, anna takes one: ben is over his budget, she is not.
ben=$(cluster_submit ben b2 -N1 --gres=gpu:8 --comment=min-runtime=2s)
other=$(cluster_submit ben b2 -N1 --gres=gpu:8 --comment=min-runtime=1h)
contract_wait_signed "$ben" "$other"
cluster_wait_until 30 start_recorded "$ben"
anna=$(cluster_submit anna a1 -N1 --gres=gpu:8 --comment=min-runtime=1h)
cluster_wait_job_state "$anna" RUNNING 60
tap_ok "one is preempted" contract_evicted "$ben"
tap_ok "slurmctld knows for whom, and that it started" \
	cluster_wait_until 20 preemptor_started
scancel "$anna" "$other" "$ben"
run carla c3x --gres=gpu:2 --comment=min-runtime=8h
run carla c3x --gres=gpu:3
run carla c3x --gres=gpu:1 --comment=min-runtime=0
run anna a1 --gres=gpu:1 --comment=min-runtime=10m --array=1-3
cluster_as anna srun -Q -A a1 --gres=gpu:1 -D / sleep 1 2>/dev/null
cancelled=$(cluster_submit anna a1 --gres=gpu:1 --hold)
scancel "$cancelled"
cluster_wait_until 60 all_recorded 12 || cluster_bail "jobs do not end"
scontrol update node=n2 state=down reason=test
cluster_wait_until 10 node_is n2 DOWN
cluster_nap 2
scontrol update node=n2 state=resume
cluster_wait_until 20 down_recorded || cluster_bail "n2 does not come back"
move_back

# ------------------------------------------------------------ the figures

whole=$(report --json)
tap_is "$(accounts)" "$(recorded | sed -n 'p;s/^c3x /c3 /p' | sort)" \
	"each account has sacct's GPU-seconds"
tap_is "$(accounts | grep -v '^c3 ')" "$(reported)" "and sreport's"
tap_is "$(seconds report.totals.allocated_hours <<<"$whole")" \
	"$(utilization allocated)" "so has the cluster"
tap_is "$(seconds report.totals.total_hours <<<"$whole")" \
	"$(utilization reported)" "of as many"
down=$(seconds report.totals.down_hours <<<"$whole")
tap_ok "some were down" [ "$down" -ge 16 ]
tap_is "$down" "$(utilization down)" "as long"
tap_is "$(seconds report.totals.unallocated_hours <<<"$whole")" \
	"$(SLURM_TIME_FORMAT=%s sacct -nPXDa -S "$from" -E "$to" \
		-o Start,End,Comment |
		awk -F '|' '$3 == "min-runtime=0" { print $2 - $1 }')" \
	"unallocated time is told by comments"
tap_is "$(json report.totals.preemptions <<<"$whole")" \
	"$(sacct -nPXDa -S "$from" -E "$to" -o State | grep -c PREEMPTED)" \
	"preemptions"
tap_is "$(json report.totals.refused <<<"$whole")" 0 "no record is refused"
waits=$(report -hP --sheet waits)
tap_is "$(awk -F '|' '{ print $1, $2 }' <<<"$waits" | paste -sd ,)" \
	"debug 4,other 4,interactive 1,free 1,requeued 0,all but requeued 10" \
	"who waited, by kind"
tap_is "$(report -hP --sheet inflation | grep -c '^c3x|1|1|')" 1 \
	"a job that declares all that is allowed"
tap_is "$(report --json -A b2 | json report.accounts | paste -sd ,)" 1 \
	"-A: one account alone"
tap_is "$(accounts -A c3)" "$(recorded -A c3x | sed -n 'p;s/c3x/c3/p' | sort)" \
	"with those below it"
tap_is "$(accounts -u carla)" "$(accounts -A c3)" "-u: one user alone"

# ben's longer job had its eight GPUs half busy, as its batch step tells.
tap_is "$(json report.totals.utilisation <<<"$whole")" null \
	"no utilisation is recorded"
tap_like "$(report --sheet notes)" 'No run has a recorded GPU utilisation' \
	"and it is said"
# Newer releases have that TRES wherever they have gres/gpu.
cluster_sql "insert ignore into tres_table (creation_time, type, name) values
		(unix_timestamp(), 'gres', 'gpuutil');
	update ${CLUSTER_NAME}_step_table as s join ${CLUSTER_NAME}_job_table
		as j on s.job_db_inx = j.job_db_inx
	set s.time_start = j.time_start, s.time_end = j.time_end,
		tres_usage_in_tot = concat((select id from tres_table where
			name = 'gpuutil'), '=400')
	where j.id_job = $other and id_step = -5"
tap_is "$(report --json | json report.totals.utilisation)" 0.5 \
	"where it is recorded, it is told"
tap_is "$(report --json --no-usage 2>/dev/null |
	json report.totals.utilisation)" null "unless nobody wants it"

# ------------------------------------------------------------ its forms

tap_is "$(report --csv | head -n 1)" \
	"account,team,budget_share,budget_hours,demand_hours,owed_hours,delivered_hours,delivered_owed,unallocated_hours,unallocated_share,undeclared_hours,class_unknown_hours,runs" \
	"CSV has a head"
tap_is "$(report --csv | wc -l)" 6 "and a line for each account"
tap_is "$(report --csv --sheet waits | head -n 1 | cut -d , -f 1-3)" \
	"class,jobs,p50" "or another table"
tap_like "$(report)" 'Cluster budget from .* to .*team.*Waits by' "text"
tap_is "$(report -l --json | json report.hours)" 5 "hour by hour"
page=$CLUSTER_DIR/page.html
if report --html "$page" 2>"$CLUSTER_DIR/said"; then
	tap_is "$(grep -c '<canvas' "$page" | sed 's/^[1-9].*/some/')" some \
		"a page with charts"
	tap_is "$(grep -oE '(src|href)="(https?:)?//[^"]*' "$page")" '' \
		"that needs no network"
	tap_is "$(tail -n 1 "$page")" '</html>' "to its end"
	tap_is "$(find "$CLUSTER_DIR" -maxdepth 1 -name 'page*' | wc -l)" 1 \
		"and nothing beside it"
	mkfifo "$CLUSTER_DIR/pipe"
	report --html "$CLUSTER_DIR/pipe" &
	tap_is "$(tail -n 1 <"$CLUSTER_DIR/pipe")" '</html>' \
		"a pipe is written to"
	wait $!
	tap_ok "and stays one" [ -p "$CLUSTER_DIR/pipe" ]
else
	tap_like "$(cat "$CLUSTER_DIR/said")" 'no chart library' \
		"no page, and why"
fi
exits 1 "a page that cannot be written" report --html /nowhere/page.html

# ------------------------------------------------------------ who, and where

tap_is "$(cluster_as ben sbudget report -P --from "$from" --to "$to")" \
	"$(report -P)" "a user sees the same"
cat >"$CLUSTER_DIR/plan.json" <<END
{ "version": 1, "accounts": [ { "account": "a1", "shares": 60 } ] }
END
chmod 644 "$CLUSTER_DIR/plan.json"
for command in show jobs "why $anna" metrics "report --from $from" \
    "plan check $CLUSTER_DIR/plan.json" "plan diff $CLUSTER_DIR/plan.json" \
    "plan export"; do
	# shellcheck disable=SC2086
	tap_ok "ben: $command" cluster_as ben sbudget $command
	# shellcheck disable=SC2086
	tap_ok "root, -M: $command" sbudget -M "$CLUSTER_NAME" $command
done
tap_is "$(sbudget -M "$CLUSTER_NAME" report -P --from "$from" --to "$to")" \
	"$(report -P)" "-M: the same cluster"
exits 1 "-M: a cluster that slurmdbd does not know" sbudget -M moon report

exits 2 "no date" sbudget report --from yesterday
exits 2 "no period" sbudget report --from 2026-01-02 --to 2026-01-01
exits 2 "too long a period" sbudget report --from 2020-01-01
exits 2 "two forms" sbudget report --json --csv
exits 2 "no such table" sbudget report --sheet nosuch
exits 2 "two tables in one CSV" sbudget report --csv --sheet waits,hours
tap_like "$(sbudget report --html=- 2>&1 >/dev/full)" 'No space left' \
	"a full disk is named"
exits 2 "an empty list of tables" sbudget report --sheet=
exits 2 "a file without a name" sbudget report --html=
exits 1 "no such account" sbudget report -A c3,nosuch
exits 2 "no argument" sbudget report november
exits 2 "no columns" sbudget report -o account

# The README's own words
(
	cd "$CLUSTER_DIR/tmp" || exit
	sed -n '/^Plans and reports/,/^Going back/s/^    # //p' \
		"$(dirname "$CLUSTER_LIB")/../../README" >readme.sh
	[ -s readme.sh ] && bash -e readme.sh >readme.out 2>&1
)
tap_is $? 0 "what README shows works" || tap_diag "$(cat "$CLUSTER_DIR/tmp/readme.out")"

# ------------------------------------------------------------ long, draining

# A job that reaches over days comes once.
cluster_sql "update ${CLUSTER_NAME}_job_table set
	time_submit = time_submit - 180000,
	time_eligible = time_eligible - 180000,
	time_start = time_start - 180000 where id_job = $other"
from=$(date -d '4 days ago' +%FT%H:00:00)
tap_is "$(accounts -A b2)" "$(recorded -A b2)" "a run of days counts once"

cluster_wait_until 20 node_is n1 IDLE
drained=$(cluster_submit anna a1 -N1 -w n1 --gres=gpu:6 \
	--comment=min-runtime=1h)
cluster_wait_job_state "$drained" RUNNING
scontrol update node=n1 state=drain reason=test
cluster_nap 4
scancel "$drained"
cluster_wait_until 60 all_recorded 13
# A report's last second is not over yet, and what ends in it may be missing.
cluster_nap 1.1
from=$(date -d '1 hour ago' +%FT%T)
to=$(date -d '1 minute' +%FT%T)
tap_like "$(report -hP --sheet draining)" '^(root|a1)\|1\|0\.0' \
	"a job on a node that drains"
scontrol update node=n1 state=resume

# ------------------------------------------------------------ what is not known

from=$(date -d '5 hours ago' +%FT%H:00:00)
tap_unlike "$(report --sheet notes)" 'Declarations are not recorded' \
	"comments are kept"
cluster_set_conf AccountingStoreFlags ''
cluster_reconfigure
tap_like "$(report --sheet notes)" 'Declarations are not recorded' \
	"and if they are not, it is said"
tap_is "$(report --json | seconds report.totals.unallocated_hours)" 0 \
	"nothing is guessed"

printf 'PrivateData=jobs,usage,events\n' >>"$CLUSTER_DIR/etc/slurmdbd.conf"
CLUSTER_UNCHECKED="slurmdbd is down"
cluster_stop_dbd
cluster_start_dbd
tap_is "$(cluster_as ben sbudget report -hP --sheet accounts \
	--from "$from" 2>/dev/null | awk -F '|' '$NF { print $1 }' | sort |
	paste -sd ,)" 'b2,root' "PrivateData=jobs leaves ben his own"
tap_like "$(cluster_as ben sbudget report 2>&1 >/dev/null)" \
	'PrivateData=events: the capacity is not known' "and no capacity"
tap_is "$(accounts | wc -l)" 4 "root still sees all"

cluster_set_conf MessageTimeout 3
CLUSTER_UNCHECKED="slurmdbd is down"
cluster_stop_dbd
out=$(sbudget report --html "$CLUSTER_DIR/none.html" 2>&1)
tap_is $? 1 "slurmdbd is down"
tap_like "$out" 'error: .*slurmdbd' "a clear message"
tap_nok "no page" [ -e "$CLUSTER_DIR/none.html" ]
tap_done
