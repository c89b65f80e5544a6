#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Thousands of short jobs, for an hour or SOAK_SECONDS: slurmctld's memory,
# files and threads stay what they were, and at the end every second was
# charged once.  ./check --soak
#
# Memory is told where jobs come and go as before: the greatest of each tenth of
# the time.  The first three tenths warm up (the window's rings, slurmctld's
# caches, malloc's arenas); from there on it may rise by 2 %, or by 1 MiB.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/../cluster/cluster.sh"

CLUSTER_PRIORITY=${SOAK_PRIORITY:-priority/budget}
CLUSTER_NODES='n[1-4]:h100:8'
CLUSTER_CONF_EXTRA='AccountingStoreFlags=job_comment
SchedulerParameters=batch_sched_delay=1,sched_min_interval=1000000,bf_interval=10
MinJobAge=10'
[ "$CLUSTER_PRIORITY" != priority/budget ] ||
	CLUSTER_CONF_EXTRA+='
PreemptType=preempt/minruntime
PreemptMode=REQUEUE
JobSubmitPlugins=minruntime'

SECONDS_LONG=${SOAK_SECONDS:-3600}
CHECK=$(dirname "$0")/../../scripts/budget-check
ACCOUNTS='a1 a2 b1 b2'

submitted=0

# submit USER ACCOUNT TASKS SBATCH-ARGUMENT...
submit()
{
	local user=$1 account=$2 tasks=$3

	shift 3
	cluster_submit "$user" "$account" --array="1-$tasks" "$@" >/dev/null &&
		submitted=$((submitted + tasks))
}

# What waits stays few: so does what a job in the list takes.
load()
{
	local account

	[ "$(squeue -h -r -t PENDING | wc -l)" -lt 40 ] || return 0
	for account in $ACCOUNTS; do
		submit "u$account" "$account" 4 --gres=gpu:1 --wrap='sleep 1'
	done
	submit ua1 a1 3 --gres=gpu:2 --comment=min-runtime=1s --wrap='sleep 2'
	submit ub1 b1 3 --gres=gpu:1 --comment=min-runtime=0 --wrap='sleep 1'
	# Longer than others let it be: preempted, and again
	submit ub2 b2 1 --gres=gpu:8 --comment=min-runtime=0 --wrap='sleep 20'
}

# sample FILE: one line, seconds and what slurmctld holds: KiB, files, threads
sample()
{
	local pid=$1

	printf '%d %d %d %d\n' "$SECONDS" \
		"$(awk '/^RssAnon/ { print $2 }' "/proc/$pid/status")" \
		"$(find "/proc/$pid/fd" -mindepth 1 | wc -l)" \
		"$(awk '/^Threads/ { print $2 }' "/proc/$pid/status")"
}

soak()
{
	local pid end=$((SECONDS + SECONDS_LONG)) next=$SECONDS

	pid=$(cluster_pid slurmctld)
	while [ "$SECONDS" -lt "$end" ]; do
		load
		cluster_nap 1
		[ "$SECONDS" -ge "$next" ] || continue
		sample "$pid"
		next=$((SECONDS + 5))
	done >"$CLUSTER_DIR/samples"
	[ "$(cluster_pid slurmctld)" = "$pid" ]
}

# tenths: the greatest KiB, files and threads of each tenth of the time
tenths()
{
	awk -v long="$SECONDS_LONG" '
	NR == 1 { begin = $1 }
	{
		tenth = int(($1 - begin) * 10 / long)
		for (i = 2; i <= 4; i++)
			if ($i > most[tenth, i])
				most[tenth, i] = $i
	}
	END {
		for (tenth = 0; tenth < 10; tenth++)
			print tenth + 1, most[tenth, 2], most[tenth, 3],
				most[tenth, 4]
	}' "$CLUSTER_DIR/samples"
}

# flat COLUMN SLACK: the last three tenths are not above the three before the
# last four by more than 2 % and the slack
flat()
{
	tenths | awk -v col="$1" -v slack="$2" '
	NR > 3 && NR <= 6 && $col > before { before = $col }
	NR > 7 && $col > after { after = $col }
	END {
		exit !(before && after &&
		       after <= before * 1.02 + slack)
	}'
}

# shellcheck disable=SC2317
over()
{
	[ -z "$(squeue -h)" ]
}

# shellcheck disable=SC2317
balanced()
{
	checked=$("$CHECK" 2>&1) && [[ $checked != *' to '* ]]
}

cluster_prepare
cluster_tree <<END
account a parent=root fairshare=60
account b parent=root fairshare=40
account a1 parent=a fairshare=3
account a2 parent=a fairshare=1
account b1 parent=b fairshare=1
account b2 parent=b fairshare=1
user ua1 account=a1
user ua2 account=a2
user ub1 account=b1
user ub2 account=b2
END
cluster_start
soak
tap_is $? 0 "slurmctld lives through $SECONDS_LONG s"
tap_diag "tenth, most KiB, files and threads of slurmctld in it"
tap_diag "$(tenths)"
scancel -t PENDING --quiet -p gpu
tap_ok "all jobs end" cluster_wait_until 120 over
ran=$(cluster_sql "select count(*) from ${CLUSTER_NAME}_job_table
	where time_start > 0")
tap_diag "$submitted jobs submitted, $ran runs recorded"
tap_ok "jobs came and went all the time" [ "$ran" -gt $((SECONDS_LONG / 2)) ]
tap_ok "its memory is flat" flat 2 1024
tap_ok "so are its open files" flat 3 16
tap_ok "and its threads" flat 4 8
if [ "$CLUSTER_PRIORITY" = priority/budget ]; then
	cluster_poll 90 balanced
	tap_like "$checked" '^charged [0-9]*, recorded [0-9]*, una' \
		"every second was charged once"
	tap_diag "$checked"
fi
tap_done
