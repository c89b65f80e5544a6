#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The real slurmctld with our plugins under valgrind, through a life of jobs:
# no error and no leak with our code in it.  Slurm's own are Slurm's.
#
# MEMORY_TOOL=helgrind looks at threads instead: at what we share with Slurm's
# own code.  What our code shares with itself is 44-threads.t's: helgrind takes
# C11's atomics for races.  By hand, as it takes a while.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES='n[1-2]:h100:8'
CLUSTER_PATIENCE=5
CLUSTER_CONF_EXTRA='PreemptType=preempt/minruntime
PreemptMode=REQUEUE
JobSubmitPlugins=minruntime
MinJobAge=5
SlurmdTimeout=0'

TOOL=${MEMORY_TOOL:-memcheck}
OURS='priority_budget|preempt_minruntime|job_submit_minruntime|budget_board'
# A frame has the library, or with debug information the source.
OURS+='|/src/(core|board|slurm_compat|priority_budget|preempt_minruntime)/'

command -v valgrind >/dev/null || tap_skip_all "no valgrind"
! CLUSTER_CTLD_PREFIX='' cluster_ctld_forks ||
	tap_skip_all "this slurmctld starts /proc/self/exe, which is valgrind"

# What valgrind's logs say of our code
# shellcheck disable=SC2016
ours()
{
	if [ "$TOOL" = memcheck ]; then
		set -- -v RS= '
			/^Memcheck,|^HEAP SUMMARY|^LEAK SUMMARY/ { next }
			$0 ~ ours { print; print "" }'
	else
		set -- -f "$(dirname "$CLUSTER_LIB")/helgrind.awk"
	fi
	sed 's/^==[0-9]*== \{0,1\}//' "$CLUSTER_LOGS"/valgrind.* |
		awk -v ours="$OURS" "$@"
}

# shellcheck disable=SC2317
over()
{
	[ -z "$(squeue -h)" ]
}

# shellcheck disable=SC2317
requeued()
{
	[ "$(cluster_job_field "$victim" Restarts)" = 1 ]
}

cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=20
user u1 account=a1
user u2 account=b2
user u3 account=b2
END
options="--tool=$TOOL --keep-debuginfo=yes --num-callers=24 --fullpath-after="
options+=" --log-file=$CLUSTER_LOGS/valgrind.%p"
[ "$TOOL" != memcheck ] ||
	options+=' --leak-check=full --show-leak-kinds=definite'
CLUSTER_CTLD_PREFIX="valgrind $options"
cluster_start

victim=$(cluster_submit u2 b2 --gres=gpu:8 -w n1 --time=1-0 \
	--comment=min-runtime=5s)
cluster_wait_job_state "$victim" RUNNING
stays=$(cluster_submit u3 b2 --gres=gpu:8 -w n2 --time=1-0 \
	--comment=min-runtime=2h)
cluster_wait_job_state "$stays" RUNNING
taker=$(cluster_submit u1 a1 --gres=gpu:8 --time=1-0 --comment=min-runtime=1m)
tap_ok "a job is preempted" cluster_wait_until 40 requeued
cluster_wait_job_state "$taker" RUNNING
cluster_submit u1 a1 --gres=gpu:1 --comment=min-runtime=x >/dev/null 2>&1
cluster_submit u1 a1 --gres=gpu:1 --comment='{"min-runtime": 0}' --array=1-3 \
	--wrap=true >/dev/null
for setting in window=6-0 nonsense order=weighted undeclared=free ''; do
	cluster_set_conf PriorityParameters "$setting"
	cluster_reconfigure
	{ sshare -a; sprio -l; squeue; } >/dev/null
	cluster_nap 1.2
done
cluster_tree <<END
modify account b2 set fairshare=40
add account c3 parent=a1
add user u1 account=c3
delete user u1 account=c3
modify user u1 where account=a1 set rawusage=0
END
scontrol update JobId="$stays" Comment=min-runtime=1h
scontrol suspend "$taker"
cluster_nap 2
scontrol resume "$taker"
cluster_stop_dbd
cluster_restart_ctld
cluster_start_dbd
cluster_nap 3
scancel --quiet "$victim" "$stays" "$taker"
scancel --quiet -u u1
cluster_wait_until 40 over
cluster_nap 2
cluster_check
cluster_signal TERM slurmctld
tap_ok "slurmctld ends" cluster_wait_until 40 cluster_gone slurmctld

tap_ok "both runs are in valgrind's logs" test \
	"$(grep -l 'ERROR SUMMARY' "$CLUSTER_LOGS"/valgrind.* | wc -l)" -ge 2
found=$(ours)
tap_is "$(head -n 60 <<<"$found")" '' "$TOOL finds nothing in our code"
[ -z "${MEMORY_LOG:-}" ] || cp "$CLUSTER_LOGS"/valgrind.* "$MEMORY_LOG"
tap_done
