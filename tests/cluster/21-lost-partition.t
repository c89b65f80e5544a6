#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A job runs in a partition that is gone from slurm.conf when slurmctld starts
# anew. It has to end while slurmctld still reads its state, all locks held, and
# with limits enforced the plugin is told: up to 22.05 it is even loaded there.

set -u
CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:none:0:4
CLUSTER_BILLING=
CLUSTER_PARTITIONS='PartitionName=cpu Nodes=ALL Default=YES State=UP
PartitionName=old Nodes=ALL State=UP'
CLUSTER_CONF_EXTRA='AccountingStorageEnforce=limits
DebugFlags=NO_CONF_HASH'
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

lose_partition()
{
	grep -v '^PartitionName=old' "$CLUSTER_CONF" | cluster_write "$CLUSTER_CONF"
}

# shellcheck disable=SC2317
is_used()
{
	[ "$(cluster_share "$1" "$2" RawUsage)" -gt 0 ]
}

# shellcheck disable=SC2317
is_ranked()
{
	[[ $(cluster_share "$1" "$2" FairShare) =~ ^(0\.[0-9]*[1-9]|1\.0) ]]
}

cluster_start
cluster_tree <<-END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=20
user u1 account=a1
user u2 account=b2
END
lost=$(cluster_submit u1 a1 -p old)
cluster_wait_job_state "$lost" RUNNING
kept=$(cluster_submit u1 a1)
cluster_wait_job_state "$kept" RUNNING
cluster_nap 2

cluster_stop_ctld
lose_partition
tap_ok 'slurmctld starts without the partition of a running job' \
	cluster_try_ctld
cluster_wait_nodes
tap_ok 'the job has ended' cluster_wait_job_state "$lost" NODE_FAIL
tap_ok 'the other one goes on' cluster_job_is "$kept" RUNNING
tap_ok 'what they used is there' cluster_wait_until 15 is_used a1 u1
tap_ok 'there are ranks' cluster_wait_until 15 is_ranked b2 u2
scancel "$kept"
next=$(cluster_submit u2 b2)
tap_ok 'jobs start' cluster_wait_job_state "$next" RUNNING
cluster_check
tap_ok 'and slurmctld ends when it is told to' cluster_stop_ctld
tap_done
