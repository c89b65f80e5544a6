#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# PreemptMode has words that are no mode.  Alone they preempt nothing, and
# slurmctld does not start with them; beside one they are Slurm's own rules for
# preempt_by=qos and preempt_by=partition, and no hindrance to budgets.

# Most functions are called by name.
# shellcheck disable=SC2317

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

CLUSTER_NODES='n1:h100:1 n2:none:0'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA="$(contract_conf preempt_by=budget)"
CLUSTER_PARTITIONS='
PartitionName=low Nodes=ALL Default=YES PriorityTier=1
PartitionName=high Nodes=ALL PriorityTier=10'

# refused MODE: slurmctld does not start with it, and says why.
refused()
{
	cluster_set_conf PreemptMode "$1"
	cluster_log_mark
	tap_nok "PreemptMode=$1: slurmctld does not start" cluster_try_ctld
	tap_ok "and says that it preempts nothing" cluster_log_has \
		"preempt/minruntime: PreemptMode=$1 preempts nothing"
}

# ask VICTIM TAKER: words of sbatch of two jobs, the first past its minimum.
# rita's jobs rank before paul's, so it is the one of lower priority that asks.
victim=
waiter=
ask()
{
	local due

	# shellcheck disable=SC2086
	victim=$(cluster_submit rita rich --gres=gpu:1 \
		--comment=min-runtime=1s $1)
	contract_wait_signed "$victim" || cluster_bail "no job starts"
	due=$(($(contract_start "$victim") + 2))
	# shellcheck disable=SC2086
	waiter=$(cluster_submit paul poor --gres=gpu:1 \
		--comment=min-runtime=1m $2)
	cluster_wait_until 10 past $due
}

past()
{
	[ "$EPOCHSECONDS" -gt "$1" ]
}

# Whoever is looked at after it has started.
passed_over()
{
	local later

	later=$(cluster_submit paul poor -p low)
	cluster_wait_job_state "$later" RUNNING &&
		cluster_job_is "$waiter" PENDING &&
		cluster_job_is "$victim" RUNNING
}

# by_priority RULE VICTIM'S-PLACE PREEMPTOR'S-PLACE
by_priority()
{
	contract_set "preempt_by=$1"
	cluster_wait_nodes
	ask "$2" "$3"
	tap_ok "preempt_by=$1: who has lower priority takes nothing" passed_over
	scontrol update jobid="$waiter" priority=4294967293
	tap_ok "with a higher one it does" \
		cluster_wait_job_state "$waiter" RUNNING
	contract_clear
}

cluster_prepare
contract_tree
refused WITHIN
if ! cluster_slurm_since 25.05; then
	tap_skip "PreemptMode=PRIORITY" "Slurm before 25.05"
	cluster_set_conf PreemptMode REQUEUE
	cluster_start
	tap_done
fi
refused PRIORITY

cluster_set_conf PreemptMode PRIORITY,REQUEUE
cluster_start
cluster_sacctmgr add qos weak
cluster_sacctmgr add qos strong preempt=weak
for user in rita paul; do
	cluster_sacctmgr modify user $user set qos=normal,weak,strong \
		defaultqos=normal
done
contract_wait_past

victim=$(cluster_submit paul poor --gres=gpu:1 --comment=min-runtime=1s)
contract_wait_signed "$victim" || cluster_bail "no job starts"
waiter=$(cluster_submit rita rich --gres=gpu:1)
tap_ok "PRIORITY beside REQUEUE: budgets preempt" \
	cluster_wait_job_state "$waiter" RUNNING
tap_is "$(cluster_job_field "$victim" Restarts)" 1 "and requeue"
contract_clear

by_priority qos --qos=weak --qos=strong
by_priority partition '-p low' '-p high'
tap_done
