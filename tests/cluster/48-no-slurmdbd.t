#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurmdbd is away for an hour, by the clock of slurmctld: jobs are charged,
# protected, started and ended as ever, across a restart of slurmctld too, and
# when it is back both have counted the same seconds.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/faults.sh
. "$(dirname "$0")/faults.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES='n[1-2]:h100:8 n3:h100:4'
CLUSTER_CONF_EXTRA='PreemptType=preempt/minruntime
PreemptMode=REQUEUE
AccountingStoreFlags=job_comment
SlurmdTimeout=0
MessageTimeout=60'

# The clock of all that is started from here on goes with slurmctld's.
share_clock()
{
	export SB_FAULTS=$FAULTS_CTL
	export LD_PRELOAD=$LD_PRELOAD:$CLUSTER_DIR/etc/faults.so
}

# shellcheck disable=SC2317
used_at_least()
{
	[ "$(cluster_share "$1" '' rawusage)" -ge "$2" ]
}

short_job()
{
	local id

	id=$(cluster_submit u1 a1 --gres=gpu:1 -w n3 --time=1-0 \
		--wrap='sleep 2' 2>/dev/null)
	cluster_wait_job_state "$id" RUNNING 30 || FAULTS_BAD+="no start "
	SHORT=$id
}

# ten_minutes: a job runs across them; slurmctld answers; promises stand.
ten_minutes()
{
	OFFSET=$((OFFSET + 600))
	short_job
	faults_set $OFFSET
	faults_poke
	faults_ping
	cluster_wait_until 30 not_running "$SHORT" || FAULTS_BAD+="no end "
	cluster_poll 10 faults_promised ||
		FAULTS_BAD+="promise: $(faults_tokens) "
}

# shellcheck disable=SC2317
not_running()
{
	! squeue -h -t R,CG -o %A | grep -qx "$1"
}

OFFSET=0 FAULTS_BAD='' FAULTS_NOTE=''
cluster_prepare
faults_prepare
cluster_start
share_clock
faults_jobs

# It never comes back by itself.
cluster_end slurmdbd
tap_ok "slurmdbd is away" cluster_gone slurmdbd
ten_minutes
ten_minutes
ten_minutes
tap_is "$FAULTS_BAD" '' "half an hour: charged, protected, alive"
cluster_stop_ctld
cluster_start_ctld
cluster_wait_nodes
tap_ok "slurmctld starts without it" faults_ping
ten_minutes
ten_minutes
ten_minutes
tap_is "$FAULTS_BAD" '' "an hour: charged, protected, alive"
# 8 and 4 GPUs for an hour
tap_ok "the hour is charged" cluster_wait_until 20 used_at_least b2 43200

cluster_start_dbd
cluster_poll 60 faults_conserved
tap_is $? 0 "slurmdbd is back, and agrees"
tap_diag "$FAULTS_CHECKED"
tap_ok "what was promised stands" faults_promised
faults_finish
tap_done
