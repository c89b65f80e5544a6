#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sbudget-sim reads what this release's sacct prints: arrays, components,
# requeued, cancelled and waiting jobs, steps, in every form of time; and the
# README's five lines work as they stand.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/sbudget.sh
. "$(dirname "$0")/sbudget.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)

# shellcheck disable=SC2034  # cluster.sh reads them
{
CLUSTER_NODES='n[1-2]:h100:8'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA='
AccountingStoreFlags=job_comment'
}

fields=JobIDRaw,JobID,Account,User,Submit,Eligible,Start,End,Elapsed
fields=$fields,Timelimit,State,AllocTRES,ReqTRES,NNodes,Comment

# sim [ARGUMENT...]: of sacct's output in $CLUSTER_DIR/sacct.txt
sim()
{
	sbudget-sim --sacct "$CLUSTER_DIR/sacct.txt" --nodes 2x8:h100 "$@"
}

# record [ARGUMENT...]: sacct's output, into that file
record()
{
	sacct -aDP -S now-1day "$@" -o "$fields" >"$CLUSTER_DIR/sacct.txt"
}

# Nothing of these jobs is still on its way to slurmdbd.
# shellcheck disable=SC2317
all_recorded()
{
	[ "$(cluster_sql "select count(*) from ${CLUSTER_NAME}_job_table
		where id_job in ($1) and time_end = 0")" = 0 ]
}

# all_there RUNNING WAITING: sacct shows them.
# shellcheck disable=SC2317
all_there()
{
	[ "$(sacct -nXP -j "$1,$2" -o State | paste -sd ,)" = RUNNING,PENDING ]
}

# requeued_recorded JOB: two records, the first with an end
# shellcheck disable=SC2317
requeued_recorded()
{
	[ "$(cluster_sql "select count(*), sum(time_end > 0) from
		${CLUSTER_NAME}_job_table where id_job = $1")" = $'2\t2' ]
}

sbudget_need
[ -x "${CLUSTER_PLUGINDIR%%:*}/bin/sbudget-sim" ] ||
	tap_skip_all "sbudget-sim is not built"
cluster_start
cluster_tree <<-END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=65
user anna account=a1
user ben account=b2
modify user root set fairshare=parent
END

# ---- a day of a site

done=$(cluster_submit anna a1 --gres=gpu:h100:2 --time=1:00:00 \
	--comment=min-runtime=30m --wrap='srun -n 1 true')
array=$(cluster_submit anna a1 --gres=gpu:1 --time=5 --array=1-3 --wrap='exit 0')
again=$(cluster_submit ben b2 --gres=gpu:4 --requeue --comment=min-runtime=0)
tap_ok "a job runs" cluster_wait_job_state "$again" RUNNING
# slurmdbd forgets a start that it is told together with the requeue.
cluster_wait_until 20 test "$(cluster_sql "select time_start > 0 from
	${CLUSTER_NAME}_job_table where id_job = $again")" = 1
het=$(cluster_as ben sbatch --parsable -A b2 -o /dev/null --gres=gpu:1 \
	--time=5 : --gres=gpu:h100:1 --wrap='exit 0')
tap_ok "and is requeued" scontrol requeue "$again"
cluster_wait_until 60 cluster_wait_job_state "$done" COMPLETED
cluster_wait_job_state "$again" PENDING
scontrol update jobid="$again" starttime=now
tap_ok "and runs again" cluster_wait_job_state "$again" RUNNING
scancel "$again"
runs=$(cluster_submit ben b2 --gres=gpu:h100:1)
cluster_wait_job_state "$runs" RUNNING
# Held jobs are never eligible, and sacct shows none of them.
never=$(cluster_submit anna a1 --gres=gpu:8 --nodes=2)
scancel "$never"
waits=$(cluster_submit anna a1 --gres=gpu:8 --nodes=2)
tap_ok "one waits" cluster_wait_until 60 all_there "$runs" "$waits"
tap_ok "all ends are recorded" cluster_wait_until 60 all_recorded \
	"$done, $array, $((array + 1)), $((array + 2)), $het, $((het + 1)), $never"
tap_ok "both attempts, too" cluster_wait_until 60 requeued_recorded "$again"

# ---- reading it

record
tap_ok "sacct's output is read" sim --json
sim --json >"$CLUSTER_DIR/steps.json"
# done, 3 of the array, requeued, 2 components, running
tap_is "$(json workload.jobs <"$CLUSTER_DIR/steps.json")" 8 "its jobs are there"
notes=$(sim | grep '^- ')
tap_is "$(grep -c "^- 1 job was still waiting" <<<"$notes")" 1 "the waiting one is told"
tap_is "$(grep -c "^- 1 job never started" <<<"$notes")" 1 "the cancelled one is told"
tap_is "$(grep -c "^- 1 job was still running" <<<"$notes")" 1 "the running one is told"
tap_is "$(grep -c "^- 1 attempt was added" <<<"$notes")" 1 "the requeue is told"
tap_unlike "$notes" 'no job declares' "declared minimums are known"
tap_is "$(sim --json | json runs.0.report.accounts)" 3 \
	"root and both accounts are there"
tap_ok "there are steps" grep -q '^[0-9]*\.batch|' "$CLUSTER_DIR/sacct.txt"
sed -i '/^[0-9]*\./d' "$CLUSTER_DIR/sacct.txt"
tap_is "$(sim --json | cksum)" "$(cksum <"$CLUSTER_DIR/steps.json")" \
	"and they make no difference"
record -X
tap_is "$(sim --json | json workload.jobs)" 8 "sacct -X: the same jobs"
for format in %s %Y-%m-%dT%H:%M:%S%z; do
	SLURM_TIME_FORMAT=$format record
	tap_is "$(sim --json | json workload.origin)" \
		"$(json workload.origin <"$CLUSTER_DIR/steps.json")" \
		"SLURM_TIME_FORMAT=$format: the same times"
done
for zone in America/New_York Asia/Kolkata; do
	TZ=$zone record
	tap_is "$(sim --tz $zone --json | json workload.origin)" \
		"$(json workload.origin <"$CLUSTER_DIR/steps.json")" \
		"$zone: the same times"
done

# ---- the README

awk '/^Try it on last/ { on = 1 }
	/^Install/ { on = 0 }
	on && /^    / { sub(/^    (\$ )?/, ""); print }' "$top/README" \
	>"$CLUSTER_DIR/readme.sh"
tap_ok "the README's lines work" \
	env -C "$CLUSTER_DIR" bash -e "$CLUSTER_DIR/readme.sh"
table=$(cd "$CLUSTER_DIR" && bash -e readme.sh)
tap_is "$(grep -cE '^ +budget +multifactor$' <<<"$table")" 1 \
	"a column for each policy"
tap_is "$(grep -cE '^Jobs completed +8 +8$' <<<"$table")" 1 "all jobs in each"
tap_done
