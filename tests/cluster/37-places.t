#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A job that may start in one of several partitions, or with one of several QOS
# (Slurm 24.11 and later), preempts in the one whose rule allows it: the end of
# protection wakes the scheduler whichever of them was tried last.  And it is
# charged as the QOS wants it that it started with.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

CLUSTER_NODES='n1:h100:1 n2:h100:1'
CLUSTER_PRIORITY=priority/budget
# Nobody else wakes the scheduler.
CLUSTER_CONF_EXTRA="$(contract_conf preempt_by=partition)
SchedulerParameters=batch_sched_delay=0,sched_interval=3600,bf_interval=3600
AccountingStorageEnforce=associations,qos"
CLUSTER_PARTITIONS='
PartitionName=low Nodes=n1 Default=YES PriorityTier=1
PartitionName=high Nodes=n1 PriorityTier=10
PartitionName=other Nodes=n2 PriorityTier=1'

cluster_prepare
contract_tree
cluster_start
cluster_sacctmgr add qos weak
cluster_sacctmgr add qos strong preempt=weak usagefactor=3
for user in rita paul; do
	cluster_sacctmgr modify user $user set qos=normal,weak,strong \
		defaultqos=normal
done

victim=$(cluster_submit paul poor --gres=gpu:1 --comment=min-runtime=6s)
contract_wait_signed "$victim" || cluster_bail "no job starts"
waiter=$(cluster_submit rita rich --gres=gpu:1 -p high,low)
tap_ok "a job of two partitions takes the place of one in the lower" \
	cluster_wait_until 25 cluster_job_is "$waiter" RUNNING
tap_is "$(cluster_job_field "$waiter" Partition)" high "in the higher one"
contract_clear

if [ "$(slurmctld -V | sed 's/[^0-9.]*//' | awk -F . \
		'{ print $1 * 100 + $2 }')" -lt 2411 ]; then
	tap_skip "a job of two QOS" "Slurm before 24.11"
	tap_done
fi
contract_set preempt_by=qos
tap_ok "preemption by QOS" cluster_wait_until 15 cluster_log_has \
	'settings in force: .*preempt_by=qos'
victim=$(cluster_submit paul poor --gres=gpu:1 -p other --qos=weak \
	--comment=min-runtime=6s)
contract_wait_signed "$victim" || cluster_bail "no job starts"
waiter=$(cluster_submit rita rich --gres=gpu:1 -p other --qos=strong,weak)
tap_ok "a job of two QOS takes the place of one with the weaker" \
	cluster_wait_until 25 cluster_job_is "$waiter" RUNNING
tap_is "$(cluster_job_field "$waiter" QOS)" strong "with the stronger"
tap_done
