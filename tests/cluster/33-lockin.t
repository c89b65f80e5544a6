#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a job is granted at its start is what it has, whatever happens to its
# comment, the settings and slurmctld, until it starts again.  Its
# SystemComment says so, and who evicted it and why.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

caps=min_runtime_max=1h,min_runtime_max@short=20

CLUSTER_NODES='n1:h100:20 n[2-4]:h100:4'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA="$(contract_conf $caps)
BurstBufferType=burst_buffer/lua"
CLUSTER_PARTITIONS='
PartitionName=gpu Nodes=n1 Default=YES
PartitionName=short Nodes=n1
PartitionName=p2 Nodes=n2
PartitionName=p3 Nodes=n3
PartitionName=p4 Nodes=n4'

# A burst buffer fails once: then it writes in SystemComment.
burst_buffer()
{
	printf 'Directive=BB_LUA\n' >"$CLUSTER_DIR/etc/burst_buffer.conf"
	cat >"$CLUSTER_DIR/etc/burst_buffer.lua" <<-END
	local function ok()
		return slurm.SUCCESS, ""
	end
	for _, name in ipairs({ "job_process", "setup", "real_size",
			"data_in", "test_data_in", "paths", "post_run",
			"data_out", "test_data_out", "job_teardown",
			"get_status" }) do
		_G["slurm_bb_" .. name] = ok
	end
	function slurm_bb_pools()
		return slurm.SUCCESS, '{ "pools": [ { "id": "p", ' ..
			'"quantity": 1, "granularity": 1 } ] }'
	end
	function slurm_bb_pre_run()
		local tried = "$CLUSTER_DIR/tmp/tried"
		if io.open(tried) then
			return ok()
		end
		io.open(tried, "w"):close()
		return slurm.ERROR, "budget[et cetera] 100%"
	end
	END
}

# The time as tokens have it
at()
{
	date -d "@$1" +%FT%T
}

# granted JOB: what its owner reads, without times of day
granted()
{
	contract_token "$1" |
		sed -E 's/ start=[0-9]+( protected-until=[^] ]+)?//'
}

# granted_all JOB...: seconds
granted_all()
{
	local job out=''

	for job; do
		out+="$(contract_seconds "$job" granted) "
	done
	printf '%s\n' "${out% }"
}

# shellcheck disable=SC2317
granted_is()
{
	[ "$(granted_all "$1")" = "$2" ]
}

tokens()
{
	local job

	for job; do
		contract_token "$job"
	done
}

# edit COMMENT JOB...: by its owner
edit()
{
	local comment=$1 job

	shift
	for job; do
		cluster_as paul scontrol update JobId="$job" \
			Comment="$comment" || return
	done
}

# start_again JOB: a requeued job would start in two minutes.  A node refuses
# one that it killed in the same second.
start_again()
{
	cluster_nap 2
	scontrol update JobId="$1" StartTime=now
	contract_wait_signed "$1"
}

# shellcheck disable=SC2317
is_noted()
{
	[[ $(scontrol -o show job "$1") == *SystemComment=*'et cetera'* ]]
}

# beside JOB: what a burst buffer wrote, before the signature or after it, and
# one signature
# shellcheck disable=SC2317
beside()
{
	local text

	text=$(scontrol -o show job "$1")
	[[ $text == *SystemComment=*'run: budget[et cetera] 100%'* ]] &&
		[ "$(grep -o 'budget\[class=' <<<"$text" | wc -l)" = 1 ]
}

# What a signature says, and why it is less than the declaration
signatures()
{
	local begins

	begins=$(contract_start "${job[10m]}")
	tap_is "$(cluster_as paul scontrol -o show job "${job[10m]}" |
		grep -o 'SystemComment=.*[]]')" \
		"SystemComment=budget[class=allocated min-runtime=10:00 \
granted=10:00 why=full start=$begins \
protected-until=$(at $((begins + 600))) evictions=0]" \
		"a user reads what the job was granted, and until when"
	tap_is "$(granted "${job[2h]}")" "budget[class=allocated \
min-runtime=2:00:00 granted=1:00:00 why=capped evictions=0]" \
		"a declaration over the cap is capped"
	tap_is "$(granted "${job[short]}")" "budget[class=allocated \
min-runtime=30:00 granted=20:00 why=capped evictions=0]" \
		"by that of its partition"
	tap_is "$(granted "${job[time]}")" "budget[class=allocated \
min-runtime=10:00 granted=5:00 why=time-limit evictions=0]" \
		"one over the time limit is cut to that"
	tap_is "$(granted "${job[unfunded]}")" "budget[class=allocated \
min-runtime=10:00 granted=0:00 why=unfunded evictions=0]" \
		"an account without budget gets no protection"
	tap_is "$(granted "${job[none]}")" "budget[class=undeclared \
min-runtime=none granted=0:00 why=full evictions=0]" \
		"nothing declared, nothing granted"
	tap_is "$(granted "${job[oops]}")" "budget[class=undeclared \
min-runtime=none granted=0:00 why=malformed evictions=0]" \
		"nor for what nobody can read"
	tap_is "$(granted "${job[0]}")" "budget[class=unallocated \
min-runtime=0:00 granted=0:00 why=full evictions=0]" \
		"0 is unallocated work"
	tap_unlike "$(contract_token "${job[0]}")" protected-until \
		"which is protected until no time"
	tap_is "$(granted "${job[25]}")" "budget[class=allocated \
min-runtime=25:00 granted=25:00 why=full evictions=0]" \
		"a bare number is minutes"
}

cluster_prepare
burst_buffer
contract_tree
cluster_tree <<END
account none parent=root fairshare=0
user nina account=none
END
cluster_start
tap_ok "the past is there" contract_wait_past

noted=$(cluster_submit paul poor --gres=gpu:1 --comment=min-runtime=10m \
	--wrap=$'#BB_LUA x\nexec sleep 600')
declare -A job=()
for word in 10m 2h oops 0 25; do
	job[$word]=$(cluster_submit paul poor --gres=gpu:1 \
		--comment="min-runtime=$word")
done
job[short]=$(cluster_submit paul poor --gres=gpu:1 -p short \
	--comment=min-runtime=30m)
job[time]=$(cluster_submit paul poor --gres=gpu:1 --time=5 \
	--comment=min-runtime=10m)
job[none]=$(cluster_submit paul poor --gres=gpu:1 --comment='my run')
job[unfunded]=$(cluster_submit nina none --gres=gpu:1 \
	--comment=min-runtime=10m)
again=$(cluster_submit paul poor -p p4 --gres=gpu:4 \
	--comment='run 7; min-runtime=10m')
lowered=$(cluster_submit paul poor -p p3 --gres=gpu:4 \
	--comment=min-runtime=30m)
# What is locked in has to outlast three starts of slurmctld.
kept=$(cluster_submit paul poor -p p2 --gres=gpu:4 --comment=min-runtime=70s)
contract_wait_signed "$kept" "$lowered" "$again" "${job[@]}"
signatures

# Others write there, too.
tap_ok "a burst buffer writes in SystemComment" \
	cluster_wait_until 20 is_noted "$noted"
scontrol release "$noted"
start_again "$noted"
tap_ok "its text is kept" beside "$noted"

# Edits
begins=$(contract_start "$lowered")
tap_ok "the owner lowers a minimum" edit min-runtime=5m "$lowered" "$noted"
tap_ok "it is lower at once" cluster_wait_until 10 granted_is "$lowered" 300
tap_is "$(contract_token "$lowered")" "budget[class=allocated \
min-runtime=30:00 granted=5:00 why=lowered start=$begins \
protected-until=$(at $((begins + 300))) evictions=0]" \
	"the token says why and until when"
tap_ok "another's as well" cluster_wait_until 10 granted_is "$noted" 300
tap_ok "still beside the text of others" beside "$noted"
for comment in min-runtime=20m '' min-runtime=x min-runtime=1h; do
	edit "$comment" "$lowered" "${job[10m]}" "${job[none]}" "$kept"
	# Within two seconds the watcher has seen it.
	cluster_nap 2
	tap_is "$(granted_all "$lowered" "${job[10m]}" "${job[none]}" \
		"$kept")" "300 600 0 70" "the comment '$comment' changes nothing"
done

# Other settings, other slurmctlds.  One of these jobs waits for its end.
before=$(tokens "$kept" "$lowered" "$noted" "${job[@]}")
waiter=$(cluster_submit rita rich -p p2 --gres=gpu:4 --comment=min-runtime=1s)
contract_set min_runtime_max=2s
tap_ok "jobs are in slurmctld's state" cluster_wait_saved
cluster_kill_ctld
cluster_start_ctld
cluster_wait_nodes
cluster_restart_ctld
contract_set $caps
tap_is "$(tokens "$kept" "$lowered" "$noted" "${job[@]}")" "$before" \
	"reconfigure, kill -9 and restart leave what was granted as it was"

# Requeued by the owner
tap_ok "a job's owner raises its minimum" edit 'run 8; min-runtime=20m' \
	"$again"
cluster_nap 2
tap_is "$(granted_all "$again")" 600 "not for this run"
tap_ok "and requeues it" cluster_as paul scontrol requeue "$again"
tap_ok "it goes" cluster_wait_job_state "$again" PENDING
start_again "$again"
tap_is "$(granted "$again")" "budget[class=allocated min-runtime=20:00 \
granted=20:00 why=full evictions=0]" "it signs anew at its next start"
cluster_nap 2
edit min-runtime=1s "$again"
tap_ok "lowered to less than it ran" \
	cluster_wait_until 10 granted_is "$again" 1
tap_is "$(contract_token "$again" protected-until)" \
	"$(at $(($(contract_start "$again") + 1)))" \
	"it says when its protection ended"

# Lowered to nothing, for whoever waits
taker=$(cluster_submit rita rich -p p3 --gres=gpu:4 --comment=min-runtime=1h)
cluster_nap 2
tap_is "$(cluster_job_state "$taker")" PENDING \
	"a job waits for the place of a protected one"
tap_ok "until the owner lowers that to 0" edit 'min-runtime=0; bye' "$lowered"
tap_ok "then it starts" cluster_wait_job_state "$taker" RUNNING
tap_like "$(granted "$lowered")" "^budget\[class=allocated min-runtime=30:00 \
granted=0:00 why=lowered evictions=1 " "a job stays what it was charged as"

# The end of the one that was waited for
tap_ok "a job is evicted" cluster_wait_job_state "$waiter" RUNNING 90
contract_kept "when it has had what was locked in" "$kept" 70 "$waiter"
begins=$(contract_token "$kept" start)
line="JobId=$kept is preempted by JobId=$waiter: over-budget; \
rich:0\.[0-9]+ takes from poor:[89]\.[0-9]+; it ran [0-9:]+, its minimum \
was 1:10$"
tap_ok "the log says who, why and when" cluster_log_has "minruntime: $line"
tap_like "$(contract_token "$kept")" "^budget\[class=allocated \
min-runtime=1:10 granted=1:10 why=full start=$begins \
protected-until=$(at $((begins + 70))) evictions=1 \
evicted=20[0-9T:-]+,over-budget,by-JobId=$waiter,rich:0\.[0-9]+,from,\
poor:[89]\.[0-9]+\]$" "the job's owner reads it after the requeue"
scancel "$waiter"
start_again "$kept"
tap_like "$(granted "$kept")" "^budget\[class=allocated \
min-runtime=1:00:00 granted=1:00:00 why=full evictions=1 evicted=20.*,over" \
	"and still when it runs again, by what its comment says then"
tap_done
