#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is no error, and surprises: it is said in the log, at start or
# reconfigure, once.  And times in the log can be read.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:none:0:4
CLUSTER_BILLING=
CLUSTER_CONF_EXTRA='
PriorityParameters=min_runtime_max@gpu=2h,min_runtime_max@gqu=1h
PreemptType=preempt/minruntime
PreemptMode=REQUEUE
JobSubmitPlugins=minruntime'
CLUSTER_PARTITIONS='PartitionName=gpu Nodes=ALL Default=YES State=UP'

# said TEXT: how often
said()
{
	cluster_log_new | grep -cE "$1"
}

cluster_prepare
cluster_log_mark
cluster_start
tap_ok "a cap on a partition that is not there" cluster_wait_until 20 \
	cluster_log_has 'priority/budget: min_runtime_max@gqu: there is no such partition'
tap_ok "when the window is filled it says since when" cluster_wait_until 20 \
	cluster_log_has 'TRES-hours since 20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}$'
tap_ok "how victims are chosen" cluster_log_has \
	'preempt/minruntime: without .*strict_order slurmctld prefers victims'
cluster_reconfigure
tap_ok "a job runs" cluster_wait_job_state \
	"$(cluster_submit root root --wrap=true)" COMPLETED
tap_is "$(said 'min_runtime_max@gqu: there')" "$(cluster_ctld_forks && echo 2 ||
	echo 1)" "each process says it once"

cluster_log_mark
cluster_set_conf PriorityParameters \
	min_runtime_max@a=1h,min_runtime_max@gpu=1h,min_runtime_max@b=1h
cluster_reconfigure
tap_ok "others are missing after a reconfigure" cluster_wait_until 20 \
	cluster_log_has 'min_runtime_max@a,b: there is no such partition'

cluster_set_conf PriorityType priority/multifactor
case $(slurmctld -V) in
*22.05*)	cluster_set_conf SchedulerParameters preempt_strict_order ;;
*)		cluster_set_conf PreemptParameters strict_order ;;
esac
cluster_log_mark
cluster_restart_ctld
tap_ok "behind multifactor preempt/minruntime says it" cluster_wait_until 20 \
	cluster_log_has 'preempt/minruntime: min_runtime_max@a,b: there is no'
tap_is "$(said 'prefers victims')" 0 "and no advice where none is needed"
case $(slurmctld -V) in
*22.05*)	cluster_set_conf SchedulerParameters preempt_youngest_first ;;
*)		cluster_set_conf PreemptParameters youngest_first ;;
esac
cluster_log_mark
cluster_restart_ctld
tap_ok "the youngest first" cluster_log_has \
	'youngest_first makes slurmctld take the youngest jobs'
tap_done
