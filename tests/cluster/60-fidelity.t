#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check: alone
#
# The same jobs through slurmctld and through sbudget-sim: who starts when, and
# who is preempted. doc/simulator.md has the figures of a long run:
#
#	FIDELITY_JOBS=300 tests/cluster/60-fidelity.t
#
# FIDELITY_GAP: seconds from one submission to the next, at most: the load.
# FIDELITY_SCALE: all times are so much longer. FIDELITY_SEED: another workload.
# FIDELITY_CPUS: nodes have so many CPUs, and as many thousand MB; jobs have their
# own need of them, and some no GPU. FIDELITY_KEEP: a directory for what was compared.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"
# shellcheck source=tests/cluster/sbudget.sh
. "$(dirname "$0")/sbudget.sh"

: "${FIDELITY_JOBS=80}"
: "${FIDELITY_SCALE=1}"
: "${FIDELITY_GAP=1}"
: "${FIDELITY_SEED=1}"
: "${FIDELITY_CPUS=}"
: "${FIDELITY_KEEP=}"
here=$(dirname "$0")

# Slurm's and our times are some ten times shorter than by default, too.
params=window=1h,min_runtime_max=10m,gang_nodes=3
params+=,gang_wait=$((20 * FIDELITY_SCALE))s
params+=,debug_runtime=$((5 * FIDELITY_SCALE))s
sched=batch_sched_delay=0,sched_interval=6,bf_interval=3,bf_resolution=1
# A requeued job may begin when its credentials have expired.
expire=10

# slurmctld weighs nodes by their free CPUs, the simulator by their free GPUs
# where it knows of no CPUs: a CPU goes with each GPU.
nodes=6x8
# shellcheck disable=SC2034  # cluster.sh reads them
{
CLUSTER_NODES='n[1-6]:h100:8:8'
if [ -n "$FIDELITY_CPUS" ]; then
	CLUSTER_NODES="n[1-6]:h100:8:$FIDELITY_CPUS:${FIDELITY_CPUS}000"
	nodes=6x8:CPUs=$FIDELITY_CPUS:RealMemory=${FIDELITY_CPUS}000
fi
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA="
JobSubmitPlugins=minruntime
SchedulerParameters=$sched
KillWait=10
$(contract_conf $params)"
}

submitted=0

# submit_all: each in its second. slurmctld looks every second, at a moment of
# its own: what it started and lasts whole seconds would always end right after.
submit_all()
{
	local id at runtime gpus nodes limit minimum account user cpus mem
	local needs

	while IFS=, read -r id at runtime gpus nodes limit minimum _ account \
	    user cpus mem; do
		needs=(--nodes="$nodes")
		[ "$gpus" = 0 ] || needs+=(--gres=gpu:$((gpus / nodes)))
		if [ -n "$cpus" ]; then
			needs+=(--ntasks-per-node=$((cpus / nodes)))
			needs+=(--mem=$((mem / nodes)))
		else
			needs+=(--ntasks="$gpus")
		fi
		cluster_poll 3600 eval "[ \$EPOCHSECONDS -ge $((origin + at)) ]"
		cluster_submit "$user" "$account" --job-name="$id" \
			"${needs[@]}" \
			--time=$((limit / 60)) --requeue \
			--comment="min-runtime=${minimum}s" \
			--wrap="exec sleep $((runtime - 1)).5" >/dev/null || return 1
		submitted=$((submitted + 1))
	done < <(tail -n +2 "$work/asked.csv")
}

# shellcheck disable=SC2317
all_over()
{
	[ -z "$(squeue -h -o %i)" ]
}

# shellcheck disable=SC2317
all_recorded()
{
	[ "$(cluster_sql "select count(*) from ${CLUSTER_NAME}_job_table
		where time_end = 0")" = 0 ]
}

# live: what slurmdbd and the log tell, as sbudget-sim would tell it
live()
{
	sed -nE 's/.*: JobId=([0-9]+) is preempted by .*/\1/p' \
		"$(cluster_log slurmctld)" >"$work/preempted"
	SLURM_TIME_FORMAT=%s sacct -aDXnP -S now-1day \
		-o JobIDRaw,JobName,Eligible,Start,End,State |
	awk -F '|' -v OFS=, -v origin="$origin" '
	BEGIN { print "job_id", "eligible_s", "start_s", "end_s", "outcome" }
	part == "log" { preempted[$1]++; next }
	{
		out = $6 ~ /^COMPLETED/ ? "completed" : tolower($6)
		if ($6 !~ /^COMPLETED/ && preempted[$1]-- > 0)
			out = "preempted"
		if ($4 !~ /^[0-9]+$/)
			print $2, "", "", "", out
		else
			print $2, $3 - origin, $4 - origin, $5 - origin, out
	}' part=log "$work/preempted" part=sacct - >"$work/live.csv"
}

# as_ran: the same jobs, submitted and as long as they were in fact
as_ran()
{
	SLURM_TIME_FORMAT=%s sacct -aDXnP -S now-1day \
		-o JobName,Submit,ElapsedRaw,State |
	awk -F '[,|]' -v OFS=, -v origin="$origin" '
	NR == FNR {
		if (!($1 in submit))
			submit[$1] = $2 - origin
		if ($4 ~ /^COMPLETED/)
			elapsed[$1] = $3
		next
	}
	FNR > 1 {
		if ($1 in submit)
			$2 = submit[$1]
		if ($1 in elapsed)
			$3 = elapsed[$1]
	}
	{ print $0 }' - "$work/asked.csv" >"$work/ran.csv"
}

# simulate JOBS
# shellcheck disable=SC2317
simulate()
{
	sbudget-sim --trace "$work/$1.csv" --nodes "$nodes" --model none \
		--tz UTC0 \
		--plan "$work/plan.json" --set "$params" \
		--sched "$sched,requeue_delay=$((expire + 1)),kill_time=1s,calc_period=1m" \
		--until end --attempts >"$work/$1.sim"
}

# compare NAME A B: shows how far apart they are
compare()
{
	awk -f "$here/fidelity-compare.awk" "$work/$2" "$work/$3" \
		>"$work/$1.figures" || return 1
	tap_diag "$1: $(paste -sd ' ' "$work/$1.figures")"
}

# within NAME FIGURE LOW HIGH
# shellcheck disable=SC2317
within()
{
	awk -F = -v figure="$2" -v low="$3" -v high="$4" '
		$1 == figure { ok = $2 >= low && $2 <= high }
		END { exit !ok }' "$work/$1.figures"
}

sbudget_need
[ -x "${CLUSTER_PLUGINDIR%%:*}/bin/sbudget-sim" ] ||
	tap_skip_all "sbudget-sim is not built"
cluster_prepare
work=$CLUSTER_DIR
cluster_set_conf AuthInfo \
	"socket=$CLUSTER_DIR/run/munge.socket,cred_expire=$expire"
[ -z "$FIDELITY_CPUS" ] ||
	cluster_set_conf SelectTypeParameters CR_Core_Memory
cluster_start
cluster_tree <<-END
account a1 parent=root fairshare=50
account b2 parent=root fairshare=30
account c3 parent=root fairshare=20
user anna account=a1
user adam account=a1
user bert account=b2
user bob account=b2
user cleo account=c3
user carl account=c3
modify user root set fairshare=parent
END
tap_ok "the budgets are a plan" sbudget plan export "$work/plan.json"
awk -v jobs="$FIDELITY_JOBS" -v seed="$FIDELITY_SEED" \
	-v scale="$FIDELITY_SCALE" -v gap="$FIDELITY_GAP" \
	-v cpus="$FIDELITY_CPUS" \
	-f "$here/fidelity-jobs.awk" >"$work/asked.csv"

origin=$((EPOCHSECONDS + 2))
submit_all
tap_is $submitted "$FIDELITY_JOBS" "all jobs are submitted"
tap_ok "all end" cluster_wait_until \
	$((300 + 4 * FIDELITY_JOBS * FIDELITY_SCALE)) all_over
tap_ok "all is recorded" cluster_wait_until 60 all_recorded
live
as_ran
# What does a second decide? Every other job a second later.
awk -F , -v OFS=, 'NR > 1 && NR % 2 { $2++ } { print }' "$work/ran.csv" \
	>"$work/late.csv"
for source in asked ran late; do
	tap_ok "simulated as $source" simulate $source
done
compare asked live.csv asked.sim
compare ran live.csv ran.sim
compare late ran.sim late.sim
compare itself live.csv live.csv
[ -z "$FIDELITY_KEEP" ] || cp "$work"/*.csv "$work"/*.sim "$work"/*.figures \
	"$work/plan.json" "$(cluster_log slurmctld)" "$FIDELITY_KEEP"
tap_ok "nothing differs from itself" within itself start_error_percent 0 0
tap_ok "nor in its order" within itself kendall 1 1
tap_ok "every job starts on both sides" within ran started_on_one_side 0 0
# The figures above are those to look at. These bounds are for busy machines:
# by submission, without preemption, it is 7, 0.84 and 100.
# With CPUs the simulator is as far from itself when jobs come a second later.
most=8 least=0.87
[ -z "$FIDELITY_CPUS" ] || most=12 least=0.8
tap_ok "starts differ by little of the makespan" \
	within ran start_error_percent 0 $most
tap_ok "their order is nearly the same" within ran kendall $least 1
tap_ok "and most of those preempted are" within ran preempted_percent 0 75
tap_done
