#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The end of protection wakes the scheduler: who waits for it starts at once,
# though nothing else happens on the cluster and the scheduler would not look
# at the queue by itself for an hour.  After a grace time, too.
#
# What is measured is the time from the end of protection (the job's start and
# its minimum, whole seconds) to the start of the waiting job, less what the
# evicted job took to go.  The aim is half a second; the figures are printed,
# but only delays that no busy machine explains fail.

# check: alone

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

never='batch_sched_delay=0,sched_interval=3600,bf_interval=3600'
often='batch_sched_delay=0' # and the defaults, 60 s and 30 s
grace=2
# Milliseconds; a tick of the default scheduler comes every 30 s, as does
# slurmctld's look at grace times.
late=5000

CLUSTER_NODES='n1:h100:20 n[2-5]:h100:4'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA="$(contract_conf burst=0)
SchedulerParameters=$never"
CLUSTER_PARTITIONS="
PartitionName=many Nodes=n1 Default=YES
PartitionName=slow Nodes=n2
PartitionName=grace3 Nodes=n3 GraceTime=$grace
PartitionName=grace4 Nodes=n4 GraceTime=$grace
PartitionName=grace5 Nodes=n5 GraceTime=$grace"

# victims MINIMUM COUNT GPUS [ARGUMENT...]: from MINIMUM seconds on, one second
# more for each; into $victims
victims()
{
	local least=$1 count=$2 gpus=$3 i

	shift 3
	victims=()
	for ((i = 0; i < count; i++)); do
		victims+=("$(cluster_submit paul poor --gres=gpu:"$gpus" \
			--comment=min-runtime=$((least + i))s "$@")")
	done
	contract_wait_signed "${victims[@]}" ||
		cluster_bail "jobs do not start"
}

# waiters COUNT GPUS [ARGUMENT...]: into $waiters
waiters()
{
	local count=$1 gpus=$2 i

	shift 2
	waiters=()
	for ((i = 0; i < count; i++)); do
		waiters+=("$(cluster_submit rita rich --gres=gpu:"$gpus" \
			--comment=min-runtime=1h "$@")")
	done
}

# shellcheck disable=SC2317
all_run()
{
	local job

	for job; do
		cluster_job_is "$job" RUNNING || return
	done
}

# delays WAITER...: a line for each job that had to go for one of them,
# milliseconds: from the end of its protection to the decision, what it then
# took to go, and until the other one started.
delays()
{
	local victim waiter ends evicted gone started

	cluster_log_new | sed -nE 's/.*minruntime: JobId=([0-9]+) is '\
'preempted by JobId=([0-9]+).*/\1 \2/p' |
	while read -r victim waiter; do
		[[ " $* " == *" $waiter "* ]] || continue
		ends=$(($(contract_token "$victim" start) +
			$(contract_seconds "$victim" granted)))
		evicted=$(contract_evicted "$victim")
		gone=$(contract_log_time "Requeuing JobId=$victim$")
		started=$(contract_log_time "Allocate JobId=$waiter ")
		printf '%d %d %d\n' $((evicted - ends * 1000)) \
			$((gone - evicted)) $((started - gone))
	done
}

# of DELAYS WHAT: "median M, maximum N" of the sum of its columns
of()
{
	awk -v columns="$2" '{
		n = split(columns, column, " ")
		sum = 0
		for (i = 1; i <= n; i++)
			sum += $column[i]
		print sum
	}' <<<"$1" | sort -n | awk '{ x[NR] = $1 }
	END { printf "median %d, maximum %d", x[int((NR + 1) / 2)], x[NR] }'
}

# report DELAYS NAME
report()
{
	tap_diag "$2, milliseconds: to the decision $(of "$1" 1);" \
		"until the job has gone $(of "$1" 2);" \
		"from then to the start $(of "$1" 3);" \
		"in all without its going $(of "$1" '1 3')"
}

# median_ok NAME DELAYS COLUMNS
median_ok()
{
	local text

	text=$(of "$2" "$3")
	[[ $text =~ ^median\ (-?[0-9]+), ]]
	tap_ok "$1 ($text ms)" test "${BASH_REMATCH[1]}" -lt $late
}

cluster_prepare
contract_tree
cluster_start
tap_ok "the past is there" contract_wait_past

# Twenty times, a second apart.  Nobody would look within an hour.
victims 8 20 1
waiters 20 1
tap_ok "twenty jobs start where nothing but the end of protection happens" \
	cluster_wait_until 90 all_run "${waiters[@]}"
measured=$(delays "${waiters[@]}")
tap_is "$(wc -l <<<"$measured")" 20 "each in the place of another"
report "$measured" "twenty"
median_ok "soon" "$measured" '1 3'
tap_is "$(awk '$1 < 0' <<<"$measured")" '' "none before the end of protection"
contract_clear
cluster_log_mark

# All else at once, with the intervals that Slurm has by default.
cluster_set_conf SchedulerParameters "$often"
cluster_reconfigure

# Four that end one after the other make room for one, and take their time.
victims 4 4 1 -p slow --wrap='trap "" TERM; exec sleep 600'
waiters 1 4 -p slow
for_four=("${waiters[@]}")

# Grace times, far enough from each other for one that ends at slurmctld's
# next look at them to stand out.
for i in 3 4 5; do
	victims $((7 * i - 14)) 1 4 -p grace$i
done
for_grace=()
for i in 3 4 5; do
	waiters 1 4 -p grace$i
	for_grace+=("${waiters[@]}")
done

victims 5 4 5
waiters 4 5

tap_ok "jobs start with the default intervals" \
	cluster_wait_until 60 all_run "${waiters[@]}"
measured=$(delays "${waiters[@]}")
report "$measured" "default intervals"
median_ok "as soon" "$measured" '1 3'

tap_ok "one that needs the place of four starts" \
	cluster_wait_until 60 all_run "${for_four[@]}"
measured=$(delays "${for_four[@]}" | sort -n | head -n 1)
report "$measured" "the last of four"
median_ok "soon behind the last" "$measured" 1

tap_ok "jobs start when a grace time has ended" \
	cluster_wait_until 90 all_run "${for_grace[@]}"
measured=$(delays "${for_grace[@]}" |
	awk -v grace=$grace '{ print $1, $2 - grace * 1000, $3 }')
report "$measured" "behind a grace time"
median_ok "soon" "$measured" '1 2 3'
tap_is "$(awk '$2 < 0' <<<"$measured")" '' "but not before"
tap_done
