#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A node that drains gets empty by itself: jobs that declared a minimum leave
# when it has passed.  And shadow mode, which only tells.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

CLUSTER_NODES='n[1-2]:h100:4'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA=$(contract_conf burst=0)

state_of()
{
	cluster_job_state "$1"
}

past_minimum()
{
	[ "$(date +%s)" -ge $(($(contract_start "$1") + $2)) ]
}

requeued_at()
{
	contract_log_time "minruntime: JobId=$1 is requeued: "
}

cluster_prepare
contract_tree
cluster_start
contract_wait_past

# ------------------------------------------------------------ drain

cluster_log_mark
short=$(cluster_submit paul poor -w n1 --gres=gpu:1 --comment=min-runtime=1s)
long=$(cluster_submit paul poor -w n1 --gres=gpu:1 --comment=min-runtime=12s)
free=$(cluster_submit paul poor -w n1 --gres=gpu:1 --comment=min-runtime=0)
plain=$(cluster_submit paul poor -w n1 --gres=gpu:1)
elsewhere=$(cluster_submit paul poor -w n2 --gres=gpu:1 \
	--comment=min-runtime=1s)
contract_wait_signed "$short" "$long" "$free" "$plain" "$elsewhere"
cluster_wait_until 20 past_minimum "$short" 2
tap_is "$(state_of "$short")" RUNNING "without a drain nobody is sent away"
drained=$(date +%s%3N)
scontrol update NodeName=n1 State=DRAIN Reason=repair
tap_ok "a job past its minimum goes back to the queue" \
	cluster_wait_job_state "$short" PENDING 20
took=$(($(requeued_at "$short") - drained))
tap_ok "within 5 s (it took $took ms)" test $took -le 5000
tap_ok "so does free work" cluster_wait_job_state "$free" PENDING 20
tap_is "$(state_of "$long")" RUNNING "one inside its minimum stays"
tap_ok "and leaves when it has passed" \
	cluster_wait_job_state "$long" PENDING 40
ran=$(($(requeued_at "$long") - $(contract_token "$long" start) * 1000))
tap_ok "not before (12 s; it ran $ran ms)" test $ran -ge 12000
tap_is "$(state_of "$plain")" RUNNING \
	"a job that declared nothing never said it can be resumed"
tap_is "$(state_of "$elsewhere")" RUNNING "other nodes are left alone"
scancel "$plain"
tap_ok "then the node is empty" \
	cluster_wait_until 30 sh -c 'sinfo -h -n n1 -o %t | grep -qx drain'
scontrol update NodeName=n1 State=RESUME
whole=$(cluster_submit paul poor --wrap='exec sleep 600' -w n1 --gres=gpu:1 \
	--comment=min-runtime=1s : -A poor -D / -w n2 --gres=gpu:1 \
	--comment=min-runtime=8s)
contract_wait_signed "$whole" "$whole+1"
scontrol update NodeName=n1 State=DRAIN Reason=repair
cluster_wait_until 20 past_minimum "$whole" 4
tap_is "$(state_of "$whole" | uniq)" RUNNING \
	"a heterogeneous job stays while one component is inside its minimum"
tap_ok "and leaves as a whole" \
	cluster_wait_job_state "$whole" PENDING 20
scancel "$whole"
contract_set burst=0,drain_requeue=no
scontrol update NodeName=n2 State=DRAIN Reason=repair
mark=$(date +%s)
cluster_wait_until 20 sh -c "[ \$(date +%s) -ge $((mark + 4)) ]"
tap_is "$(state_of "$elsewhere")" RUNNING "drain_requeue=no"
scontrol update NodeName=n1,n2 State=RESUME
scancel "$short" "$long" "$free" "$elsewhere"
cluster_wait_until 30 sh -c '[ -z "$(squeue -h)" ]'

# ------------------------------------------------------------ shadow

contract_set burst=0,preempt=shadow
cluster_log_mark
victims=()
for _ in 1 2; do
	victims+=("$(cluster_submit paul poor -N1 --gres=gpu:4 \
		--comment=min-runtime=2s)")
done
contract_wait_signed "${victims[@]}"
waiter=$(cluster_submit rita rich -N1 --gres=gpu:4 --comment=min-runtime=1h)
told='minruntime: shadow: JobId=[0-9]+ would be preempted by JobId='$waiter
tap_ok "shadow mode says who would be preempted" \
	cluster_wait_until 30 contract_log_time "$told: over-budget"
mark=$(date +%s)
cluster_wait_until 20 sh -c "[ \$(date +%s) -ge $((mark + 4)) ]"
tap_is "$(cluster_log_new | grep -cE "$told")" 1 "once, and as few as needed"
tap_is "$(state_of "${victims[0]}") $(state_of "${victims[1]}")" \
	"RUNNING RUNNING" "and preempts nobody"
tap_is "$(state_of "$waiter")" PENDING "the other one waits"
contract_set burst=0
tap_ok "preempt=on does what was told" \
	cluster_wait_job_state "$waiter" RUNNING 90
tap_done
