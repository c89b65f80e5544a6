# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# contract.sh - what the tests of preempt/minruntime share: a cluster where it
# preempts, and what the log and a job's SystemComment say of it.  Source it
# after cluster.sh.

# contract_conf [PARAMETERS]: slurm.conf lines of a cluster that preempts.
contract_conf()
{
	printf 'PriorityParameters=%s\n' "${1-}"
	printf 'PreemptType=preempt/minruntime\nPreemptMode=REQUEUE\n'
}

# Two accounts.  "rich" is owed nine tenths of the cluster and has used a
# tenth of the past, "poor" the other way round: one is far under its budget,
# the other far over.
contract_tree()
{
	cluster_tree <<-END
	account rich parent=root fairshare=90
	account poor parent=root fairshare=10
	user rita account=rich
	user paul account=poor
	modify user root set fairshare=parent
	END
	cluster_past_usage rich rita billing 100 150 0
	cluster_past_usage poor paul billing 900 150 0
}

# Until the ratios are there
contract_wait_past()
{
	cluster_wait_until 20 cluster_share_is root '' rawusage 3600000
}

# contract_set PARAMETERS: other PriorityParameters
contract_set()
{
	cluster_set_conf PriorityParameters "$1"
	cluster_reconfigure
}

# contract_token JOB [FIELD]: the budget[...] of its SystemComment
contract_token()
{
	local token

	token=$(scontrol -o show job "$1" |
		grep -m 1 -oE 'budget\[class=[^]]*\]') || return
	if [ $# -gt 1 ]; then
		token=${token#budget[}
		tr ' ' '\n' <<<"${token%]}" | sed -n "s/^$2=//p"
	else
		printf '%s\n' "$token"
	fi
}

# contract_seconds JOB FIELD: of a time in it, h:mm:ss or m:ss
contract_seconds()
{
	contract_token "$@" | awk -F : '{
		for (i = 1; i <= NF; i++)
			seconds = seconds * 60 + $i
		print seconds
	}'
}

# contract_start JOB: of this attempt, seconds since the epoch
contract_start()
{
	local start

	start=$(cluster_job_field "$1" StartTime) && date -d "$start" +%s
}

contract_signed()
{
	[ "$(contract_token "$1" start)" = "$(contract_start "$1")" ]
}

# contract_wait_signed JOB...: until they run and are signed for
contract_wait_signed()
{
	local job

	for job; do
		cluster_wait_job_state "$job" RUNNING &&
			cluster_wait_until 20 contract_signed "$job" || return
	done
}

# contract_log_time REGEX: of the first such line since the mark, milliseconds
# since the epoch
contract_log_time()
{
	local line

	line=$(cluster_log_new | grep -m 1 -E -e "$1") || return
	line=${line#[}
	date -d "${line%%]*}" +%s%3N
}

# contract_evicted JOB: when.  An array task or a component is named as in the
# log, 12_3 or 12+0.
contract_evicted()
{
	contract_log_time \
		"minruntime: JobId=${1//+/[+]}(\([0-9]+\))? is preempted by"
}

# contract_all_evicted JOB...
contract_all_evicted()
{
	local job

	for job; do
		contract_evicted "$job" >/dev/null || return
	done
}

# Cancel all jobs, wait until nothing is left of them.
contract_clear()
{
	local jobs

	# Arrays and heterogeneous jobs as a whole
	mapfile -t jobs < <(squeue -h -o %i | sed 's/[_+].*//' | sort -u)
	[ ${#jobs[@]} -eq 0 ] || scancel "${jobs[@]}"
	cluster_wait_nodes_idle
}

# contract_kept NAME VICTIM SECONDS WAITER: a test that it was evicted, but not
# before it had SECONDS.  A waiter that came too late was no danger, and then
# this says nothing.
contract_kept()
{
	local name=$1 victim=$2 least=$3 waiter=$4 start evicted since

	evicted=$(contract_evicted "$victim") ||
		{ tap_fail "$name" "$victim was not evicted"; return; }
	start=$(contract_token "${victim%+*}" start)
	since=$(date -d "$(cluster_job_field "$waiter" SubmitTime)" +%s)
	if [ "$since" -ge $((start + least)) ]; then
		tap_skip "$name" "this machine submits jobs too slowly"
		return
	fi
	evicted=$((evicted - start * 1000))
	tap_ok "$name ($least s, evicted after $evicted ms)" \
		test $evicted -ge $((least * 1000))
}

# contract_victims WAITER: who was evicted for it since the mark, as in the log
# without the job ids of tasks, sorted
contract_victims()
{
	cluster_log_new | sed -nE 's/.*minruntime: JobId=([0-9_+]+)'\
'(\([0-9]+\))? is preempted by JobId='"$1"'[^0-9].*/\1/p' | sort -V |
		paste -sd ' '
}
