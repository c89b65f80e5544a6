#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The reservation that doc/admin-guide.md advises for the largest jobs: its
# commands, as they stand there but for names, numbers and times, start a job
# of the whole cluster, though its team is over its budget and nobody may be
# preempted for it; and who is protected keeps his minimum.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

CLUSTER_NODES='n[1-2]:h100:4'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA="$(contract_conf burst=0)
SchedulerParameters=bf_interval=2,sched_interval=5"
guide=$(dirname "$0")/../../doc/admin-guide.md
# Longest run of the one that is protected when the reservation begins.
minimum=45
ahead=15

# Commands of the section, one block after the other
commands()
{
	awk -v wanted="$1" '
	/^## / { here = /half the cluster/ }
	here && /^```console/ { block++; on = 1; next }
	/^```/ { on = 0 }
	here && on && block == wanted { sub(/^# /, ""); print }' "$guide"
}

# The same for this cluster: a script
adapted()
{
	commands "$1" | sed -e "s/now+8hours/now+${ahead}seconds/" \
		-e 's/NodeCnt=64/NodeCnt=2/' -e 's/team01/poor/g' \
		-e "s/4711/$big/g" -e 's/sleep 60/sleep 1/'
}

resv_is()
{
	scontrol -o show reservation big | grep -q " $1"
}

has_ended()
{
	[ "$(cluster_job_state "$1")" != RUNNING ]
}

cluster_prepare
contract_tree
cluster_start
contract_wait_past

tap_is "$(commands 1 | grep -c .) $(commands 2 | grep -c .)" '4 10' \
	"the guide has the commands"
past=$(cluster_submit rita rich -w n2 -t 60 --gres=gpu:1 \
	--comment=min-runtime=1s)
filler=$(cluster_submit rita rich -w n2 -t 60 --gres=gpu:1 \
	--comment=min-runtime=0)
protected=$(cluster_submit rita rich -w n1 -t 60 --gres=gpu:4 \
	--comment=min-runtime=${minimum}s)
contract_wait_signed "$past" "$filler" "$protected"
big=$(cluster_submit paul poor -N 2 -t 10 --gres=gpu:4 \
	--comment=min-runtime=10m)
adapted 1 >"$CLUSTER_DIR/make.sh"
tap_ok "the commands that make it" bash -e "$CLUSTER_DIR/make.sh"
tap_ok "all nodes, over running jobs" resv_is 'Nodes=n\[1-2\] '
late=$(cluster_submit rita rich -w n2 -t 60 --gres=gpu:1 \
	--comment=min-runtime=1s)
tap_ok "it begins" cluster_wait_until 60 resv_is 'State=ACTIVE'
tap_is "$(cluster_job_state "$late") $(cluster_job_state "$past")" \
	"PENDING RUNNING" "nobody starts there who would reach into it"
tap_is "$(cluster_job_state "$big")" PENDING "nobody is preempted for it"
adapted 2 >"$CLUSTER_DIR/clear.sh"
bash "$CLUSTER_DIR/clear.sh" >"$CLUSTER_DIR/clear.out" 2>&1 &
loop=$!
tap_ok "who is past his minimum goes back to the queue" \
	cluster_wait_job_state "$past" PENDING 20
tap_ok "so does filler" cluster_wait_job_state "$filler" PENDING 20
tap_is "$(cluster_job_state "$protected")" RUNNING "the protected one stays"
began=$(contract_start "$protected")
tap_ok "and leaves later" cluster_wait_until 90 has_ended "$protected"
ran=$(($(date +%s) - began))
tap_ok "not before its minimum ($minimum s; it ran $ran s)" \
	test $ran -ge $minimum
tap_ok "the job of the whole cluster runs" \
	cluster_wait_job_state "$big" RUNNING 60
wait $loop
tap_is "$?" 0 "the loop ends with that" ||
	sed 's/^/# /' "$CLUSTER_DIR/clear.out"
tap_ok "and the reservation will go with the job" resv_is 'Flags=.*PURGE_COMP'
tap_done
