#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The two exceptions to "only who is over his budget yields": a large job that
# has been blocked for gang_wait, and a debug job on its own account's job; and
# burst, which keeps an idle account from taking a busy cluster.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

CLUSTER_NODES='n[1-4]:h100:2'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA=$(contract_conf \
	burst=0,gang_nodes=4,gang_wait=10s,debug_runtime=2s)

running()
{
	local job

	for job; do
		[ "$(cluster_job_state "$job")" = RUNNING ] || return
	done
}

none_evicted()
{
	local job

	for job; do
		! contract_evicted "$job" >/dev/null || return
	done
}

any_evicted()
{
	local job

	for job; do
		contract_evicted "$job" >/dev/null && echo "$job" && return
	done
	return 1
}

queue_empty()
{
	[ -z "$(squeue -h)" ]
}

# Passes of the main scheduler since the start
passes()
{
	sdiag | awk '/Total cycles/ { print $3; exit }'
}

passed()
{
	[ "$(passes)" -ge "$1" ]
}

wait_passes()
{
	cluster_wait_until 60 passed $(($(passes) + $1))
}

running_is()
{
	[ "$(squeue -h -t R | wc -l)" = "$1" ]
}

# share_known ACCOUNT USER: has it been ranked?
share_known()
{
	sshare -hPn -A "$1" -u "$2" -o user,fairshare |
		grep -qE "^ *$2\|[0-9.]*[1-9]"
}

# Do the waiting jobs of "back" stand where burst puts them?
ranked()
{
	local back behind

	back=$(squeue -h -A back -t PD -O prioritylong | sort -n | tail -n 1)
	behind=$(squeue -h -A behind -t PD -O prioritylong | sort -n | tail -n 1)
	[ -n "$back" ] && [ -n "$behind" ] || return 0
	if [ "$(gpus_of back)" -ge 3 ]; then
		[ "$back" -lt "$behind" ]
	else
		[ "$back" -gt "$behind" ]
	fi
}

verdict_of()
{
	contract_token "$1" evicted | cut -d, -f2
}

# gpus_of ACCOUNT: running
gpus_of()
{
	squeue -h -A "$1" -t R -O tres-alloc:200 |
		grep -oE 'gres/gpu=[0-9]+' | awk -F= '{ n += $2 } END { print n + 0 }'
}

cluster_prepare
# Nearly even: "behind" is under its budget, but not by the margin, and nobody
# is over by much.  The ratios are 0.96, 1.04 and 1.00.
cluster_tree <<-END
account behind parent=root fairshare=100
account ahead parent=root fairshare=100
account idle parent=root fairshare=100
user bea account=behind
user ada account=ahead
user ida account=idle
modify user root set fairshare=parent
END
cluster_past_usage behind bea billing 9600 150 0
cluster_past_usage ahead ada billing 10400 150 0
cluster_past_usage idle ida billing 10000 150 0
cluster_start
cluster_wait_until 20 cluster_share_is root '' rawusage 108000000
cluster_log_mark

# ------------------------------------------------------------ large jobs

small=()
for _ in 1 2 3 4; do
	small+=("$(cluster_submit ada ahead -N1 --gres=gpu:2 \
		--comment=min-runtime=1s)")
done
contract_wait_signed "${small[@]}"
large=$(cluster_submit bea behind -N4 --gres=gpu:2 --comment=min-runtime=1h)
submitted=$(date +%s%3N)
cluster_wait_until 60 contract_all_evicted "${small[@]}"
tap_ok "a large job takes what it needs" \
	cluster_wait_job_state "$large" RUNNING 60
waited=$(($(contract_evicted "${small[0]}") - submitted))
tap_ok "not before gang_wait (10 s; it was $waited ms)" test $waited -ge 9900
tap_is "$(verdict_of "${small[0]}")" large-job-waited "by the rule of large jobs"
scancel "$large"
scancel "${small[@]}"
cluster_wait_until 30 queue_empty

cluster_log_mark
small=()
for _ in 1 2 3 4; do
	small+=("$(cluster_submit ada ahead -N1 --gres=gpu:2 \
		--comment=min-runtime=3s)")
done
contract_wait_signed "${small[@]}"
three=$(cluster_submit bea behind -N3 --gres=gpu:2 --comment=min-runtime=1h)
# More than gang_wait, and twenty passes of the scheduler
wait_passes 20
tap_ok "a job of fewer nodes does not" none_evicted "${small[@]}"
tap_ok "nor does anybody else lose by it" running "${small[@]}"
scancel "$three"

# ------------------------------------------------------------ debug

cluster_log_mark
debug=$(cluster_submit ada ahead -N1 --gres=gpu:1 --comment=min-runtime=2s)
tap_ok "a debug job starts at once on its own account's job" \
	cluster_wait_job_state "$debug" RUNNING 30
cluster_wait_until 20 any_evicted "${small[@]}"
victim=$(any_evicted "${small[@]}")
tap_is "$(verdict_of "$victim")" debug-of-same-account "by the rule of debug"
long=$(cluster_submit ada ahead -N1 --gres=gpu:2 --comment=min-runtime=3s)
wait_passes 10
tap_is "$(cluster_job_state "$long")" PENDING \
	"a longer minimum is not debug"
scancel "$long"
cluster_log_mark
other=$(cluster_submit ida idle -N1 --gres=gpu:2 --comment=min-runtime=2s)
wait_passes 10
tap_is "$(cluster_job_state "$other")" PENDING \
	"a debug job takes nothing of another account"
tap_ok "nobody was evicted for it" none_evicted "$debug" "${small[@]}"
scancel "$other" "$debug" "${small[@]}" 2>/dev/null
cluster_wait_until 30 queue_empty

# ------------------------------------------------------------ burst

# Back from a long idle time: it has used nothing of its fifth of the cluster.
# Twice a fifth of 8 GPUs is 3.2: the third GPU makes its ratio 0.94.  The
# other one's ratio is 0.80, and 5 GPUs leave it there.
contract_set burst=2
cluster_tree <<-END
account behind parent=root fairshare=200
account back parent=root fairshare=100
user bob account=back
END
cluster_reconfigure
cluster_wait_until 20 share_known back bob
back=()
for _ in 1 2 3 4 5 6 7 8; do
	back+=("$(cluster_submit bob back -N1 --gres=gpu:1 \
		--comment=min-runtime=1h --hold)")
done
busy=()
for _ in 1 2 3 4 5 6 7 8; do
	busy+=("$(cluster_submit bea behind -N1 --gres=gpu:1 \
		--comment=min-runtime=1h --hold)")
done
# Everybody waits; then room comes one GPU at a time.
filler=()
for _ in 1 2 3 4 5 6 7 8; do
	filler+=("$(cluster_submit ida idle -N1 --gres=gpu:1 \
		--comment=min-runtime=1h)")
done
contract_wait_signed "${filler[@]}"
scontrol release "${back[@]}" "${busy[@]}"
for job in "${filler[@]}"; do
	before=$(squeue -h -t R | wc -l)
	scancel "$job"
	cluster_wait_until 30 running_is "$before"
	# Ranks follow within seconds.
	cluster_wait_until 10 ranked
done
tap_is "$(gpus_of back)" 3 "it stops outranking the others at burst x its share"
tap_is "$(gpus_of behind)" 5 "who then get the rest"
scancel "${busy[@]}" 2>/dev/null
tap_ok "idle GPUs still go to it" \
	cluster_wait_until 60 running "${back[@]}"
tap_done
