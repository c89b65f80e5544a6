#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Somebody sets the clock of the controller, forward and back: protection and
# ratios follow as before, at once, and every second is charged once.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/faults.sh
. "$(dirname "$0")/faults.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES='n[1-2]:h100:8'
CLUSTER_CONF_EXTRA='PreemptType=preempt/minruntime
PreemptMode=REQUEUE
AccountingStoreFlags=job_comment
SlurmdTimeout=0'

# Slurm's own scheduler does not start a job until its clock has caught up, so
# the signs of life are others.
MINUTES=120
SHARES=20

# shellcheck disable=SC2317
granted()
{
	[[ $(scontrol -o show job "$job") == *"granted=$1 "* ]]
}

# No waiting job asks about it: the plugin's own thread sees the edit.
# shellcheck disable=SC2317
signs()
{
	local grant

	grant=$((MINUTES / 60)):$(printf %02d $((MINUTES % 60))):00
	scontrol update JobId="$job" Comment="min-runtime=$MINUTES"
	cluster_wait_until 10 granted "$grant"
}

# shellcheck disable=SC2317
ratio_moved()
{
	[ "$(cluster_share b2 '' levelfs)" != "$1" ]
}

# A pass sees that the budget is another.
# shellcheck disable=SC2317
computes()
{
	local before

	before=$(cluster_share b2 '' levelfs)
	cluster_sacctmgr modify account b2 set fairshare="$SHARES"
	scontrol update JobId="$job" Nice=0
	cluster_wait_until 10 ratio_moved "$before"
}

# step OFFSET NAME
step()
{
	# The threads wait when it happens.
	cluster_nap 2
	faults_set "$1"
	MINUTES=$((MINUTES - 1))
	SHARES=$((SHARES + 10))
	tap_ok "$2: protection is kept up to date" signs
	tap_ok "$2: ratios are computed" computes
	tap_ok "$2: slurmctld answers" faults_ping
}

cluster_prepare
faults_prepare
cluster_start
job=$(cluster_submit u2 b2 --gres=gpu:4 --time=1-0 --comment=min-runtime=2h)
cluster_wait_job_state "$job" RUNNING

step 3600 "an hour ahead"
step 0 "back again"
step -90 "behind"
step 0 "right again"

scancel "$job"
FAULTS_RIVAL=$job
faults_finish
cluster_check
# Slurm's own threads still wait for a time that was.
cluster_kill_ctld
tap_done
