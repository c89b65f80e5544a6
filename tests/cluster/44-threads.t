#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The real slurmctld with our plugins under ThreadSanitizer, while clients ask,
# submit, change and reconfigure side by side: no race and no order of locks
# that could deadlock with our code in it.
#
# Only our plugins have ThreadSanitizer in them; its library, preloaded, sees
# Slurm's locks, threads and frees.  What Slurm's own code reads and writes it
# does not see: for that there is MEMORY_TOOL=helgrind in 43-memory.t.
#
# CLUSTER_VARIANTS: the directory tests/guard of the build, after `make
# threads` there.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

[ -e "${CLUSTER_VARIANTS:-}/threads/priority_budget.so" ] ||
	tap_skip_all "no threads in CLUSTER_VARIANTS"
LIBTSAN=$(ldd "$CLUSTER_VARIANTS/threads/priority_budget.so" |
	awk '/libtsan/ { print $3 }')
[ -n "$LIBTSAN" ] || tap_skip_all "no libtsan"
! cluster_ctld_forks ||
	tap_skip_all "this slurmctld starts itself anew without what is preloaded"

CLUSTER_PLUGINDIR=$CLUSTER_VARIANTS/threads
CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES='n[1-2]:h100:8'
CLUSTER_PATIENCE=5
CLUSTER_CONF_EXTRA='PreemptType=preempt/minruntime
PreemptMode=REQUEUE
JobSubmitPlugins=minruntime
AccountingStorageEnforce=associations,limits
MinJobAge=5
SlurmdTimeout=0'

# Reports with our code in them, our frames with function and line.
#
# One order of locks is left out.  Slurm walks the job list when it asks which
# jobs may be preempted, and there the layout guard, at first, and the search
# for the GPUs' number, once, take assoc_mgr's locks; elsewhere the list is
# walked inside these.  The walk that asks holds the job write lock, and no
# other goes without the job read lock: they never meet.
reports()
{
	awk -v ours='(priority_budget|preempt_minruntime|job_submit_minruntime|libbudget_board)\\.so\\+0x' '
		/^=+$/ {
			if (text ~ ours &&
			    !(text ~ /lock-order/ && text ~ /preempt_p_/ &&
			      text ~ /assoc_mgr_lock/))
				printf "%s", text
			text = ""
			next
		}
		match($0, ours "[0-9a-f]+") {
			split(substr($0, RSTART, RLENGTH), at, "+")
			command = "addr2line -f -s -e " plugins "/" at[1] " " at[2]
			command | getline name
			command | getline line
			close(command)
			sub(/<null> <null>/, name " " line)
		}
		{ text = text $0 "\n" }' plugins="$CLUSTER_VARIANTS/threads" \
		"$CLUSTER_LOGS"/tsan.*
}

# client COMMAND...: again and again, as long as $CLUSTER_DIR/clients is there
client()
{
	while [ -e "$CLUSTER_DIR/clients" ]; do
		"$@"
		cluster_nap 0.05
	done >/dev/null 2>&1 &
	clients+=($!)
}

# shellcheck disable=SC2317
ask()
{
	squeue -O JobID,PreemptTime,Priority
	sprio -l
	sshare -a -l
	scontrol show job
}

# shellcheck disable=SC2317
submit()
{
	local id

	id=$(cluster_submit u1 a1 --gres=gpu:1 --time=5 \
		--comment=min-runtime=$((RANDOM % 3)) --wrap='sleep 1')
	cluster_submit u2 b2 --gres=gpu:2 --array=1-2 --wrap='sleep 1'
	scontrol update JobId="$id" Comment=min-runtime=2m
	scontrol update JobId="$id" Nice=$((RANDOM % 9))
}

# shellcheck disable=SC2317
edit()
{
	cluster_sacctmgr modify account b2 set fairshare=$((20 + RANDOM % 9))
	cluster_sacctmgr add account c3 parent=a1
	cluster_sacctmgr add user u1 account=c3
	cluster_sacctmgr delete user u1 account=c3
	cluster_sacctmgr modify user u1 where account=a1 set rawusage=0
	cluster_set_conf PriorityParameters "window=$((5 + RANDOM % 3))-0"
	cluster_reconfigure
	scontrol suspend "$stays"
	scontrol resume "$stays"
	cluster_set_conf PriorityParameters nonsense
	cluster_reconfigure
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
CLUSTER_CTLD_PREFIX="env LD_PRELOAD=$LIBTSAN:$LD_PRELOAD
	NSS_WRAPPER_DISABLE_DEEPBIND=1
	TSAN_OPTIONS=log_path=$CLUSTER_LOGS/tsan:exitcode=0:history_size=4"
cluster_start
echo >"$CLUSTER_LOGS/tsan.0"

stays=$(cluster_submit u3 b2 --gres=gpu:8 -w n2 --time=1-0 \
	--comment=min-runtime=2h)
cluster_wait_job_state "$stays" RUNNING
victim=$(cluster_submit u2 b2 --gres=gpu:8 -w n1 --time=1-0 \
	--comment=min-runtime=5s)
cluster_wait_job_state "$victim" RUNNING
clients=()
touch "$CLUSTER_DIR/clients"
client ask
client ask
client submit
client edit
cluster_submit u1 a1 --gres=gpu:8 --time=0:20 --comment=min-runtime=10s \
	>/dev/null
tap_ok "a job is preempted" cluster_wait_until 40 requeued
cluster_nap 10
rm "$CLUSTER_DIR/clients"
wait "${clients[@]}"
cluster_set_conf PriorityParameters ''
cluster_stop_dbd
cluster_restart_ctld
cluster_start_dbd
cluster_nap 3
cluster_check
cluster_signal TERM slurmctld
tap_ok "slurmctld ends" cluster_wait_until 40 cluster_gone slurmctld

found=$(reports)
tap_is "$(head -n 80 <<<"$found")" '' "nothing is found in our code"
[ -z "${MEMORY_LOG:-}" ] || cp "$CLUSTER_LOGS"/tsan.* "$MEMORY_LOG"
tap_done
