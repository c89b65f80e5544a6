#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Inside its minimum runtime nobody takes a job's place, whoever waits: by
# budget, by QOS and by partition, behind priority/budget and behind stock
# priority/multifactor.  Afterwards somebody does.
#
# The scheduler tries every second.  Each victim has a node and two
# partitions of its own, so that there is no doubt about who is after whom.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

CLUSTER_NODES='n[1-5]:h100:2'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA=$(contract_conf preempt_by=budget)
for i in 1 2 3 4 5; do
	CLUSTER_PARTITIONS+="
PartitionName=low$i Nodes=n$i PriorityTier=1
PartitionName=top$i Nodes=n$i PriorityTier=10"
done

poor='paul poor --gres=gpu:2'
rich='rita rich --gres=gpu:2'

# submit WORDS...: all of them words of cluster_submit
submit()
{
	# shellcheck disable=SC2048,SC2086
	cluster_submit $*
}

# stock RULE VICTIM WAITER BYSTANDER: words of sbatch.  The waiter may take
# the victim's place, but not at once; the bystander may not at all.
stock()
{
	local victim waiter spared bystander

	cluster_log_mark
	victim=$(submit "$2" --comment=min-runtime=5s)
	contract_wait_signed "$victim"
	waiter=$(submit "$3")
	# shellcheck disable=SC2086
	spared=$(submit ${2//1/5})
	# shellcheck disable=SC2086
	bystander=$(submit ${4//1/5})
	tap_ok "by $1: a job that may gets its place" \
		cluster_wait_job_state "$waiter" RUNNING 40
	contract_kept "by $1: a job keeps it until its minimum" \
		"$victim" 5 "$waiter"
	tap_ok "by $1: another job does not get any" \
		cluster_job_is "$bystander" PENDING
	tap_is "$(cluster_job_state "$spared")" RUNNING \
		"by $1: not even an unprotected one"
	contract_clear
}

by_qos()
{
	# The taker is far over its budget, and its partition is the lower.
	stock "qos$1" "$rich -p top1 --qos=low" "$poor -p low1 --qos=high" \
		"$rich -p top1 --qos=low"
}

by_partition()
{
	stock "partition$1" "$rich -p low1 --qos=high" \
		"$poor -p top1 --qos=low" "$rich -p low1 --qos=high"
}

cluster_prepare
contract_tree
cluster_tree <<END
add qos low priority=1
add qos high priority=1000 preempt=low
END
cluster_tree <<END
modify user rita set qos=low,high
modify user paul set qos=low,high
END
cluster_start
tap_ok "the past is there" contract_wait_past

# By budget.  The waiters have the better QOS and partition besides.

array=$(submit "$poor" -p low2 --qos=low --gres=gpu:1 --array=0-1%1 \
	--comment=min-runtime=15s)
plain=$(submit "$poor" -p low1 --qos=low --comment=min-runtime=15s)
het=$(submit "$poor" -p low3 --qos=low --comment=min-runtime=5s : \
	-p low4 --qos=low --gres=gpu:2 --comment=min-runtime=15s)
paused=$(submit "$poor" -p low5 --qos=low --comment=min-runtime=12s)
contract_wait_signed "$plain" "$paused" "${array}_0" "$het"
tap_ok "a job is suspended" scontrol suspend "$paused"
suspended=$EPOCHSECONDS
best="$rich --qos=high --comment=min-runtime=1h"
for_plain=$(submit "$best" -p top1)
for_het=$(submit "$best" -p top3)
for_paused=$(submit "$best" -p top5)
cluster_nap 3
tap_ok "the second task starts later than the first" \
	scontrol update JobId="$array" ArrayTaskThrottle=2
contract_wait_signed "${array}_1"
for_task0=$(submit "$best" -p top2 --gres=gpu:1)
for_task1=$(submit "$best" -p top2 --gres=gpu:1)
# The seconds in which it began and ended may have been run.
suspended=$((EPOCHSECONDS - suspended - 1))
tap_ok "and the job is resumed" scontrol resume "$paused"

tap_ok "each is evicted in the end" cluster_wait_until 60 contract_all_evicted \
	"$plain" "${array}_0" "${array}_1" "$het+0" "$het+1" "$paused"
contract_kept "a job keeps its place until its minimum" "$plain" 15 "$for_plain"
contract_kept "a task of an array has a clock of its own" \
	"${array}_0" 15 "$for_task0"
contract_kept "so has the next" "${array}_1" 15 "$for_task1"
tap_ok "which is not the same" test "$(contract_evicted "${array}_1")" -ge \
	$(($(contract_evicted "${array}_0") + 2000))
contract_kept "a heterogeneous job goes when all of it may" \
	"$het+0" 15 "$for_het"
contract_kept "all of it" "$het+1" 15 "$for_het"
contract_kept "suspended time does not count" "$paused" $((12 + suspended)) \
	"$for_paused"
contract_clear

contract_set preempt_by=qos
by_qos ''
contract_set preempt_by=partition
by_partition ''

cluster_set_conf PriorityType priority/multifactor
cluster_restart_ctld
by_partition ' with priority/multifactor'
contract_set preempt_by=qos
by_qos ' with priority/multifactor'
tap_done
