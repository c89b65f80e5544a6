#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sbudget show, jobs, why and metrics: their numbers are those of sshare and
# squeue, and what they foretell is what slurmctld then does.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"
# shellcheck source=tests/cluster/sbudget.sh
. "$(dirname "$0")/sbudget.sh"

# shellcheck disable=SC2034  # cluster.sh reads them
{
CLUSTER_NODES='n[1-4]:h100:8'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA=$(contract_conf '')
}

# shows ACCOUNT COLUMN
shows()
{
	sbudget show -hP -A "$1" -o "$2"
}

# What sbudget shows of an account against what sshare does
# shellcheck disable=SC2317
same_as_sshare()
{
	local raw level norm

	raw=$(cluster_share "$1" '' rawusage)
	level=$(cluster_share "$1" '' levelfs)
	norm=$(cluster_share "$1" '' normshares)
	# Hours with one decimal; 32 GPUs, 168 hours
	[ "$(shows "$1" used,ratio,budget,owed)" = "$(awk -v r="$raw" \
		-v l="$level" -v n="$norm" 'BEGIN {
		printf "%.1f|%.3f|%.2f|%.1f\n", r / 3600, 1 / l, n * 100,
			n * 32 * 168 }')" ]
}

# GPUs of an account's jobs in a state, from squeue
gpus_in()
{
	squeue -h -r -A "$1" -t "$2" -O tres-alloc:100 |
		grep -oE 'gres/gpu=[0-9]+' |
		awk -F = '{ n += $2 } END { print n + 0 }'
}

# is_at JOB PLACE
# shellcheck disable=SC2317
is_at()
{
	[ "$(sbudget why --json "$1" | json why.place)" = "$2" ]
}

# have_started COUNT: of carla's and ben's jobs
# shellcheck disable=SC2317
have_started()
{
	[ "$(squeue -h -t R -j "$carla,$ben" -o %i | wc -l)" -ge "$1" ]
}

sbudget_need
cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=20
account c3 parent=root fairshare=45
user anna account=a1
user ben account=b2
user carla account=c3
modify user root set fairshare=parent
END
cluster_past_usage a1 anna billing 280 150 0
cluster_past_usage b2 ben billing 250 150 0
cluster_past_usage c3 carla billing 470 150 0
cluster_start
cluster_wait_until 20 cluster_share_is root '' rawusage 3600000 ||
	cluster_bail "the past is not there"

# ------------------------------------------------------------ show

for account in a1 b2 c3; do
	tap_ok "show has $account as sshare does" same_as_sshare $account
done
tap_is "$(sbudget -hP -o account | paste -sd ' ')" 'root a1 c3 b2' \
	"siblings stand in the order of service"
tap_is "$(sbudget show -hP -o account,rank a1)" 'a1|2' "one account alone"
tap_is "$(sbudget -hPa -o account,user,ratio -u ben)" 'b2|ben|1.000' \
	"users too"
tap_is "$(cluster_as ben sbudget -P)" "$(sbudget -P)" "a user sees the same"
tap_is "$(sbudget --json | json accounts.1.ratio)" 0.8 "JSON has numbers"
tap_is "$(sbudget --json | json accounts.1.used)" 280 "in hours"
tap_is "$(sbudget -P | awk -F '|' 'NF != n && NR > 1 { print } { n = NF }')" \
	'' "-P: as many fields in each row"
tap_is "$(sbudget 2>&1 >/dev/null)" '' "nothing to complain about"

# ------------------------------------------------------------ jobs and why

# ben fills the cluster: 4 nodes, with minimums of 8 to 20 s.  Whose ends
# first, anna will get.
victims=()
for minimum in 20s 8s 16s; do
	victims+=("$(cluster_submit ben b2 -N1 --gres=gpu:8 \
		--comment=min-runtime=$minimum)")
done
victims+=("$(cluster_submit ben b2 -N1 --gres=gpu:8 \
	--comment=min-runtime=1h)")
contract_wait_signed "${victims[@]}"
tap_is "$(shows b2 running)" "$(gpus_in b2 running)" "running GPUs"
tap_is "$(sbudget jobs -hP -o class,minimum "${victims[3]}")" \
	'allocated|1:00:00' "jobs has the contract"
tap_is "$(sbudget jobs -hP -o protected_until "${victims[3]}")" \
	"$(contract_token "${victims[3]}" protected-until)" \
	"protected as SystemComment says"
tap_like "$(sbudget why "${victims[3]}")" 'is protected until' \
	"why tells the same"
tap_is "$(sbudget why --json "${victims[3]}" | json why.yields_to)" null \
	"nobody waits for it"

cluster_log_mark
anna=$(cluster_submit anna a1 -N1 --gres=gpu:8 --comment=min-runtime=1h)
told=$(sbudget why --json "$anna")
text=$(sbudget why "$anna")
victim=$(json why.may_take.0.victim <<<"$told")
if [ "$(json why.state <<<"$told")" = PENDING ]; then
	tap_is "$victim" "${victims[1]}" "the shortest protection goes first"
	tap_is "$(json why.may_take.0.when <<<"$told")" \
		"$(($(contract_start "${victims[1]}") + 8))" "when it ends"
	tap_like "$text" "first protection ends at .*job ${victims[1]}" \
		"as the text says"
	tap_is "$(json why.may_take.0.rule <<<"$told")" over-budget "the rule"
	tap_is "$(json why.place <<<"$told")" 1 "it is the next"
	tap_is "$(sbudget jobs -hP -o other_job "${victims[3]}")" "$anna" \
		"jobs tells who will take a place"
	ratios=$(json why.may_take.0.taker_ratio <<<"$told")
	ratios+=" $(json why.may_take.0.victim_ratio <<<"$told")"
else
	tap_skip "the prediction" "this machine is too slow"
	ratios=
fi
cluster_wait_job_state "$anna" RUNNING 60
tap_ok "slurmctld took the job that was foretold" \
	contract_evicted "${victims[1]}"
told=$(sbudget why --json "${victims[1]}")
tap_is "$(json why.last_eviction.taker <<<"$told")" "$anna" \
	"the victim knows by whom"
tap_is "$(json why.last_eviction.rule <<<"$told")" over-budget "why"
log=$(cluster_log_new | grep -m 1 'is preempted by' |
	grep -oE '[a-z0-9]+:[0-9.]+ takes from [a-z0-9]+:[0-9.]+')
tap_like "$(sbudget why "${victims[1]}")" \
	"$(sed 's/:/ /g; s/takes from/took from/' <<<"$log")" \
	"and both ratios, as in the log"
# Usage goes on meanwhile.
if [ -n "$ratios" ]; then
	tap_ok "which were foretold" awk -v a="$ratios" -v b="$(
		json why.last_eviction.taker_ratio <<<"$told") $(
		json why.last_eviction.victim_ratio <<<"$told")" 'BEGIN {
		split(a, x, " "); split(b, y, " ")
		exit !((x[1] - y[1])^2 < 1e-4 && (x[2] - y[2])^2 < 1e-4) }'
fi
tap_is "$(sbudget why --json "$anna" | json why.yields_to)" null \
	"a1 is within its budget, its job yields to nobody"

# carla is over her budget a little: b2 is no prey for her, nor a1.
carla=$(cluster_submit carla c3 -N1 --gres=gpu:8 --comment=min-runtime=1h)
cluster_wait_job_state "$carla" PENDING
told=$(sbudget why --json "$carla")
tap_is "$(json why.may_take <<<"$told")" 0 "c3 may take nothing"
tap_is "$(json why.do_not_yield.preemptor-not-under-budget <<<"$told")" 3 \
	"because it is not under its budget"
tap_is "$(json why.do_not_yield.not-over-budget <<<"$told")" 1 \
	"and a1 not over its own"
ben=$(cluster_submit ben b2 -N1 --gres=gpu:8 --comment=min-runtime=1h)
free=$(cluster_submit anna a1 -N1 --gres=gpu:8 --comment=min-runtime=0)
cluster_wait_job_state "$free" PENDING
tap_is "$(shows b2 pending)" 16 "pending GPUs"
# In this order, but for the evicted one, which has to wait two minutes.
cluster_wait_until 20 is_at "$ben" 2
tap_is "$(sbudget jobs -hP -o jobid,place "$carla" "$ben" "$free" |
	paste -sd ' ')" "$carla|1 $ben|2 $free|3" "the order of the queue"
tap_like "$(sbudget why "$ben")" 'c3 1\.0[0-9]+ before b2 1\.[0-9]+' \
	"who is ahead, and why"
tap_like "$(sbudget why "$free")" 'allocated work goes before unallocated' \
	"why free work waits"
tap_like "$(cluster_as ben sbudget why "$carla")" "Job $carla of carla" \
	"for users too"

# What was foretold comes true as room comes.
started=()
for job in "$anna" "${victims[3]}"; do
	scancel "$job"
	cluster_wait_until 30 have_started $((${#started[@]} + 1))
	mapfile -t started < <(squeue -h -t R -j "$carla,$ben" -S S -o %i)
done
tap_is "${started[*]}" "$carla $ben" "carla starts, and then ben"

# ------------------------------------------------------------ privacy, errors

cluster_set_conf PrivateData jobs,usage
cluster_reconfigure
tap_is "$(cluster_as ben sbudget show -hP -o account,user 2>/dev/null)" \
	'b2|ben' "PrivateData=usage leaves him his own"
tap_like "$(cluster_as ben sbudget 2>&1 >/dev/null)" 'PrivateData=usage' \
	"and says so"
tap_is "$(cluster_as ben sbudget jobs -hP -o user 2>/dev/null | sort -u)" \
	ben "PrivateData=jobs too"
exits 1 "another's job is none of his" cluster_as ben sbudget why "$carla"
tap_is "$(sbudget show -hP -o account | wc -l)" 4 "root still sees all"

exits 2 "no such command" sbudget nosuch
exits 2 "no such option" sbudget --nosuch
exits 2 "no such column" sbudget -o account,nosuch
exits 2 "a width of gigabytes" sbudget -o user%-1000000000
exits 2 "a width that wraps around" sbudget -o account%99999999999999999999
exits 2 "a width that is none" sbudget -o account%8x
tap_is "$(sbudget show -h -o account%3,rank%1 a1)" ' a1 2' "a width"
exits 2 "why wants a job" sbudget why
exits 1 "no such account" sbudget show nosuch
exits 1 "no such account among others" sbudget -A a1,nosuch
exits 1 "nor in a plan" sbudget plan export -A nosuch
exits 1 "no such job" sbudget why 999999
tap_ok "--help" sbudget --help
tap_like "$(SLURM_CONF=/nowhere sbudget jobs -o help)" 'protected_until' \
	"columns are listed without a cluster"
tap_like "$(sbudget -V)" '^sbudget [0-9]' "-V"

# ------------------------------------------------------------ metrics

metrics=$(sbudget metrics)
tap_is "$(tail -n 1 <<<"$metrics")" '# EOF' "metrics end"
tap_is "$(grep -vE '^# (TYPE|HELP|EOF)|^slurm_budget_[a-z_]+\{([a-z]+="[^"]*",?)+\} [-+0-9.e]+$' \
	<<<"$metrics")" '' "every line is OpenMetrics"
tap_is "$(grep -oE '^slurm_budget_account_running\{[^}]*account="b2"\} .*' \
	<<<"$metrics" | cut -d ' ' -f 2)" "$(gpus_in b2 running)" \
	"with the numbers of squeue"
tap_ok "a file at once" sbudget metrics --output="$CLUSTER_DIR/budget.prom"
tap_is "$(find "$CLUSTER_DIR" -maxdepth 1 -name 'budget.prom*' | wc -l)" 1 \
	"and nothing beside it"

cluster_check
# As long as Slurm's own commands wait
cluster_set_conf MessageTimeout 3
cluster_stop_ctld
message=$(sbudget 2>&1)
tap_is $? 1 "slurmctld is down"
tap_like "$message" 'error: cannot get .* from slurmctld' "a clear message"
tap_done
