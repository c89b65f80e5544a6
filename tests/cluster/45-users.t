#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What users can say, live: hostile comments and names, updates, forged
# tokens, a comment that is changed as the job starts, a flood of requests.
# slurmctld lives, nobody is protected beyond the cap or protected for free,
# the log stays clean and small, state is SlurmUser's alone, and PrivateData
# is kept.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES='n[1-2]:h100:8:16'
# No JobSubmitPlugins: nothing is refused, everything reaches the rest.
CLUSTER_CONF_EXTRA='PreemptType=preempt/minruntime
PreemptMode=REQUEUE
PriorityParameters=min_runtime_max=1:00:00
MaxArraySize=100
MinJobAge=3600
SlurmdTimeout=0'

# One per line, as printf's %b
hostile()
{
	cat <<'END'
%s%s%s%s%n%n%n%pJ
%999999d%.999999f
min-runtime=%s%n
min-runtime=9999-0
\033[2J\033]0;title\007min-runtime=1h
min-runtime=1h\nerror: forged line of a log
budget[class=allocated min-runtime=9:00:00 granted=9:00:00 why=full start=1 evictions=0]
min-runtime=30m budget[class=unallocated min-runtime=0:00 granted=0:00 why=full start=1 evictions=0]
{"min-runtime": 1e999}
{"min-runtime": "1h", "min-runtime": "9h"}
{"min-runtime": "\\u0000"}
END
	printf '{"a":%s' "$(printf '[%.0s' {1..1000})"
	printf '\n'
	printf 'min-runtime=%.0s' {1..85}
	printf '\n'
	printf '%01024d\n' 7777
}

seconds()
{
	local IFS=:
	# shellcheck disable=SC2086
	set -- $1
	[ $# = 3 ] || set -- 0 "$@"
	echo $((10#$1 * 3600 + 10#$2 * 60 + 10#$3))
}

# Comment comes behind it and two blanks, from 25.11 on one.
system_comment()
{
	scontrol -o show job "$1" |
		sed -n 's/.* SystemComment=\(.*[^ ]\) \{1,2\}Comment=.*/\1/p'
}

# grant JOBID: seconds that it is promised
grant()
{
	local text

	text=$(system_comment "$1" |
		sed -n 's/.*budget\[.* granted=\([0-9:]*\) .*/\1/p')
	[ -z "$text" ] || seconds "$text"
}

# shellcheck disable=SC2317
is_signed()
{
	[ -n "$(grant "$1")" ]
}

tokens()
{
	system_comment "$1" | grep -o 'budget\[' | wc -l
}

# Lines of our plugins in slurmctld's log. Slurm's own quote comments raw.
ours()
{
	grep -aE '(priority/budget|preempt/minruntime|slurm-budget):' \
		"$CLUSTER_LOGS/slurmctld.log"
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
$(printf 'user q%d account=b2\n' {1..12})
END
cluster_start

# ------------------------------------------------- comments and names

jobs=()
while IFS= read -r text; do
	text=$(printf '%b' "$text")
	jobs+=("$(cluster_submit u1 a1 --gres=gpu:1 --cpus-per-task=1 --time=30 \
		--comment="$text" --job-name="${text:0:200}")")
done < <(hostile)
array=$(cluster_submit u2 b2 --array=0-98%2 --cpus-per-task=1 --time=1 \
	--comment='min-runtime=2h %n' --job-name=min-runtime=9h --wrap=true)
for job in "${jobs[@]}"; do
	cluster_wait_until 20 is_signed "$job"
done
tap_is "${#jobs[@]}" 14 "hostile comments are taken"
above=''
for job in "${jobs[@]}"; do
	[ "$(grant "$job")" -le 1800 ] || above+=" $job:$(grant "$job")"
	[ "$(tokens "$job")" = 1 ] || above+=" $job has $(tokens "$job") tokens"
done
tap_is "$above" '' "nobody is promised more than his time limit"
cluster_wait_until 10 is_signed "${array}_0"
tap_is "$(grant "${array}_0")" 60 "nor is a task of an array"

# ------------------------------------------------- updates

job=${jobs[3]}
before=$(grant "$job")
while IFS= read -r text; do
	cluster_as u1 scontrol update JobId="$job" \
		Comment="$(printf '%b' "$text")" >/dev/null 2>&1
done < <(hostile)
cluster_as u1 scontrol update JobId="$job" Comment=min-runtime=50m
cluster_nap 2.5
tap_ok "no update raises a grant" test "$(grant "$job")" -le "$before"
cluster_as u1 scontrol update JobId="$job" SystemComment=x >/dev/null 2>&1
tap_is "$(tokens "$job")" 1 "SystemComment is not the user's"

# ------------------------------------------------- at the start

# Free at first, and protected a moment later: the first look at a job must
# not make it free when the signature behind it makes it protected.
scancel "${jobs[@]}" "$array"
quick=()
for n in {1..12}; do
	quick+=("$(cluster_submit "q$n" b2 --gres=gpu:1 --cpus-per-task=1 \
		--time=30 --comment=min-runtime=0 --wrap='sleep 300')")
	cluster_nap "0.$((n % 8 + 1))"
	scontrol update JobId="${quick[-1]}" Comment=min-runtime=20m
	cluster_nap "0.$((n % 5))"
done
for job in "${quick[@]}"; do
	cluster_wait_until 30 is_signed "$job"
done
cluster_nap 4
free=''
for n in {1..12}; do
	used=$(cluster_share b2 "q$n" rawusage)
	[ "$(grant "${quick[n - 1]}")" = 0 ] || [ "${used:-0}" -gt 0 ] ||
		free+=" ${quick[n - 1]}"
done
tap_is "$free" '' "whoever is protected pays"
scancel "${quick[@]}"

# ------------------------------------------------- the log

said=$(ours | wc -l)
# shellcheck disable=SC2016
cluster_as u1 bash -c 'for i in {1..40}; do
	sbatch -Q -A a1 --hold --comment="min-runtime=x$i" --wrap=true
	scontrol update JobId='"${jobs[0]}"' Comment="min-runtime=$i%n"
done' >/dev/null 2>&1
cluster_nap 2.5
tap_is "$(($(ours | wc -l) - said))" 0 "a flood of requests puts no line of ours into the log"
tap_is "$(ours | LC_ALL=C grep -aE $'[^\t -~]|forged|%|7777')" '' \
	"no line of ours has a word of a user's"
scancel -u u1

# ------------------------------------------------- files

cluster_nap 1
tap_is "$(find "$CLUSTER_STATE" -name 'priority_*' -perm /077)" '' \
	"nobody else reads our state"
tap_ok "which is there" test -s "$CLUSTER_STATE/priority_budget_state"

# ------------------------------------------------- PrivateData

cluster_set_conf PrivateData jobs,usage,accounts,users
cluster_reconfigure
victim=$(cluster_submit u2 b2 --gres=gpu:8 -w n1 --time=1-0 --comment=min-runtime=2s)
cluster_wait_job_state "$victim" RUNNING
cluster_submit u2 b2 --gres=gpu:8 -w n2 --time=1-0 --comment=min-runtime=1h >/dev/null
taker=$(cluster_submit u1 a1 --gres=gpu:8 -w n1 --time=1-0 --comment=min-runtime=1m)
tap_ok "a job is preempted" cluster_wait_until 60 requeued
seen=$(cluster_as u2 scontrol -o show job "$victim" | grep -o 'evicted=[^] ]*')
tap_like "$seen" "by-JobId=0,-:0\.000,from,b2:" "its owner is not told by whom"
tap_ok "the log tells" grep -q "JobId=$victim is preempted by JobId=$taker" \
	"$CLUSTER_LOGS/slurmctld.log"
tap_ok "slurmctld is well" cluster_running slurmctld
tap_done
