#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurmctld writes down what it knows of jobs every 5 s; when it is killed it
# has forgotten the rest.  A job whose start it forgot is started again, and
# slurmdbd has one record of both runs.  Of a job that it forgot altogether
# slurmdbd has a record without an end.  Nothing is charged twice, and nothing
# for ever.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/faults.sh
. "$(dirname "$0")/faults.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:h100:8
CLUSTER_CONF_EXTRA='SlurmdTimeout=0
BatchStartTimeout=1'

# shellcheck disable=SC2317
charged()
{
	[ "$(cluster_share "$1" '' rawusage)" -ge "$2" ]
}

# all_know ACCOUNT JOB: that it runs, our state and slurmdbd too
# shellcheck disable=SC2317
all_know()
{
	cluster_wait_job_state "$2" RUNNING &&
		cluster_wait_until 20 charged "$1" 1 &&
		cluster_wait_until 20 faults_started "$2" &&
		cluster_wait_until 60 faults_kept "$2" "$EPOCHSECONDS"
}

# shellcheck disable=SC2317
ran_twice()
{
	# The node's words: slurmctld's log of 26.05 misses early starts.
	[ "$(grep -cE "Launching batch (job |JobId=)$1 " \
		"$(cluster_log n1)")" -ge 2 ] &&
		cluster_job_is "$1" RUNNING
}

# from_now_on: slurmctld writes down what jobs do no more.
from_now_on()
{
	cluster_wait_saved
	faults_set 0 full job_state
}

# shellcheck disable=SC2317
no_steps()
{
	local pid

	for pid in $(cluster_processes); do
		! grep -q '^slurmstepd' "/proc/$pid/cmdline" || return 1
	done 2>/dev/null
}

# forget ACCOUNT JOB: kill slurmctld when only its own state does not know that
# the job runs.
forget()
{
	tap_ok "all but slurmctld's state know that $1's job runs" all_know "$@"
	cluster_kill_ctld
	faults_set 0
	cluster_start_ctld
	# The nodes tell of a run that slurmctld knows nothing of, and end it.
	cluster_nudge_nodes
	cluster_wait_until 30 no_steps
	cluster_wait_nodes
	# The node takes a credential of the second in which it has ended that
	# run, or an older one, for revoked: the job's next start would fail.
	cluster_nap 1.1
}

# shellcheck disable=SC2317
not_running()
{
	[ -z "$(cluster_sql "select 1 from ${CLUSTER_NAME}_job_table
		where id_job=$1 and time_end = 0")" ]
}

cluster_prepare
faults_prepare
cluster_start
# When slurmctld knows of no job at all, it has slurmdbd end all that run.
cluster_submit u5 c3 --hold >/dev/null

job=$(cluster_submit u1 a1 --hold --gres=gpu:2)
from_now_on
scontrol release "$job"
forget a1 "$job"
scontrol release "$job"
tap_ok "a job whose start was forgotten is started again" \
	cluster_wait_until 60 ran_twice "$job"
cluster_nap 2
scancel "$job"
cluster_wait_until 30 not_running "$job"
cluster_poll 90 faults_exact
tap_like "$FAULTS_CHECKED" 'charged [1-9][0-9]*, recorded [0-9]*,' \
	"both runs are charged as slurmdbd has recorded them"
tap_diag "$FAULTS_CHECKED"

from_now_on
job=$(cluster_submit u2 b2 --gres=gpu:2)
forget b2 "$job"
tap_nok "a job that was forgotten altogether is gone" \
	scontrol show job "$job"
cluster_nap 3
used=$(cluster_share b2 '' rawusage)
cluster_nap 3
tap_is "$(cluster_share b2 '' rawusage)" "$used" "and is not charged any more"
faults_conserved --tries 3
tap_is $? 0 "budget-check does not know when it ended"
tap_like "$FAULTS_CHECKED" '1 records without an end' "and says so"
printf 'y\n' | sacctmgr show runawayjobs >/dev/null 2>&1
tap_ok "the record is mended" not_running "$job"
cluster_poll 150 faults_exact
tap_ok "and the charge follows" faults_exact
tap_diag "$FAULTS_CHECKED"

job=$(cluster_submit u3 c3 --hold --gres=gpu:2)
from_now_on
scontrol release "$job"
forget c3 "$job"
tap_ok "another one waits" cluster_wait_job_state "$job" PENDING
before=$(cluster_share c3 '' rawusage)
cluster_nap 10
scancel "$job"
cluster_wait_until 30 not_running "$job"
# slurmdbd is asked when it can know, and a minute later.
cluster_nap 65
after=$(cluster_share c3 '' rawusage)
recorded=$(cluster_sql "select sum(2 * (time_end - time_start))
	from ${CLUSTER_NAME}_job_table where id_job=$job and time_start > 0
	having sum(time_end - time_start) > 0")
if [ -n "$recorded" ]; then
	# What was on disk had the number of slurmdbd's record: then slurmctld
	# does not send it again, and the forgotten run has no other end than
	# the wait's, also for sreport.  From 24.11 on it always has: it gives
	# the number itself.
	tap_is "$after" "$recorded" "it is charged what slurmdbd has recorded"
else
	# It has lost its start, or has that of the cancellation for it.
	tap_ok "its wait is not charged ($before, $after)" \
		test "$after" -le $((before + 8))
	CLUSTER_UNCHECKED="slurmdbd has no start of a run that was forgotten"
fi
tap_done
