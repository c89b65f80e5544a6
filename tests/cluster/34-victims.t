#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Exactly the jobs that have to go do: the cheapest, no more than needed, and
# none for a job that needs none or cannot start anyway.  Unallocated work
# goes first, and has nobody go.
#
# Each case has a node and a partition of its own.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

passes=20
spare=drain_requeue=no,not_requeueable=spare

CLUSTER_NODES='n1:h100:8 n2:h100:10 n[3-4]:h100:4 n5:h100:8 n6:b200:2 '
CLUSTER_NODES+='n7:h100:2 n8:h100:4 n9:h100:3 n10:h100:2'
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA="$(contract_conf $spare)
SlurmctldDebug=debug
MessageTimeout=10
Licenses=compiler:1"
CLUSTER_PARTITIONS='
PartitionName=both Nodes=n[3-4] Default=YES
PartitionName=mixed Nodes=n1,n6
PartitionName=narrow Nodes=n[1-2] MaxNodes=1
PartitionName=grace Nodes=n10 GraceTime=14'
for i in 1 2 5 6 7 8 9; do
	CLUSTER_PARTITIONS+="
PartitionName=p$i Nodes=n$i"
done

# victim PARTITION GPUS [ARGUMENT...]: its minimum is over soon.
victim()
{
	local partition=$1 gpus=$2

	shift 2
	cluster_submit paul poor -p "$partition" --gres=gpu:"$gpus" \
		--comment=min-runtime=1s "$@"
}

# waiter PARTITION GPUS [ARGUMENT...]
waiter()
{
	local partition=$1 gpus=$2

	shift 2
	cluster_submit rita rich -p "$partition" --gres=gpu:"$gpus" \
		--comment=min-runtime=1h "$@"
}

# evicts NAME WAITER VICTIMS: these (a regular expression), and it runs.
evicts()
{
	cluster_wait_job_state "$2" RUNNING 40
	tap_like "$(cluster_job_state "$2"), $(contract_victims "$2")" \
		"^RUNNING, ($3)$" "$1"
}

# Both schedulers have looked so often since the mark.
# shellcheck disable=SC2317
looked()
{
	[ "$(cluster_log_new | grep -c 'sched: Running job scheduler')" \
		-ge "$1" ] &&
	[ "$(cluster_log_new | grep -c 'backfill: beginning')" -ge "$1" ]
}

running()
{
	squeue -h -t running -p "$1" -o %i | wc -l
}

cluster_prepare
contract_tree
cluster_tree <<END
account limited parent=root fairshare=90 grptres=gres/gpu=0
account none parent=root fairshare=0
account idle parent=root fairshare=10
user lena account=limited
user nina account=none
user fay account=idle
END
cluster_start
tap_ok "the past is there" contract_wait_past

free=$(cluster_submit fay idle -p p8 --gres=gpu:2 --comment=min-runtime=0 \
	--licenses=compiler)
array=$(victim p2 1 --array=0-99)
for i in 1 2 3 4 5 6 7 8; do
	eight+=("$(victim p1 1)")
done
# The cheapest three are on two nodes.
long=--comment=min-runtime=1h
two=("$(victim both 1 -w n3)" "$(victim both 1 -w n4)" "$(victim both 1 -w n3)"
	"$(victim both 2 -w n3 $long)" "$(victim both 3 -w n4 $long)")
big=$(victim p9 2)
small=$(victim p9 1)
costly=$(victim p5 2)
undeclared=$(victim p5 1 --comment=none)
cheap=$(victim p5 1)
filler=$(victim p5 4 --comment=min-runtime=0)
drained=$(victim p6 2)
final=$(victim p7 1 --no-requeue)
for job in "${eight[@]}" "${two[@]}" "$big" "$small" "$costly" "$undeclared" \
	"$cheap" "$filler" "$drained" "$final" "$free" "${array}_9"; do
	contract_wait_signed "$job" || cluster_bail "jobs do not start"
done
interactive=$(cluster_as paul salloc --no-shell --account=poor -p p7 \
	--gres=gpu:1 --comment=min-runtime=1s 2>&1 |
	sed -n 's/.*Granted job allocation \([0-9]*\)/\1/p')
contract_wait_signed "$interactive"
scontrol update NodeName=n6 State=DRAIN Reason=test
cluster_nap 2

# As many as it takes

job=$(waiter p1 1)
evicts "one of eight goes for one GPU" "$job" "$(IFS='|'; echo "${eight[*]}")"
job=$(waiter p2 1)
evicts "one task goes, not its array" "$job" "${array}_[0-9]"
task=$(contract_victims "$job")
job=$(waiter both 2)
evicts "two on one node, not the one on the other" "$job" \
	"${two[0]} ${two[2]}"
job=$(waiter p9 2)
evicts "the one that is enough, not the cheaper one as well" "$job" "$big"
job=$(waiter p8 2)
evicts "nobody where there is room, however unallocated" "$job" ''

# In the order of their cost; unallocated work first, though it has four GPUs
job=$(waiter p5 4)
evicts "unallocated work goes first" "$job" "$filler"
job=$(waiter p5 1)
evicts "then who has just reached his minimum" "$job" "$cheap"
job=$(waiter p5 1)
evicts "then who has run for a while without one" "$job" "$undeclared"
job=$(waiter p5 2)
evicts "then who loses most" "$job" "$costly"

cluster_log_mark

# While a job has its grace time, KillWait and MessageTimeout pass, in which
# the scheduler does not choose again; when it does, another job is cheaper.
leaving=$(victim grace 1 --comment=none)
cheaper=$(victim grace 1 --comment=min-runtime=8s)
contract_wait_signed "$leaving" "$cheaper"
graced=$(waiter grace 1)

# Nobody, for who cannot start

declare -A blocked=(
	[needs the place of a protected job as well]=$(waiter p1 8)
	[needs GPUs of another type]=$(waiter mixed b200:1)
	[needs a drained node]=$(waiter p6 1)
	[is held]=$(waiter p1 1 --hold)
	[waits for another job]=$(waiter p1 1 --dependency=afterok:"$free")
	[begins later]=$(waiter p1 1 --begin=now+1hour)
	[needs more nodes than it may have]=$(waiter narrow 1 -N 2)
	[needs a licence that is not there]=$(waiter p1 1 --licenses=compiler)
	[is over a limit]=$(cluster_submit lena limited -p p1 --gres=gpu:1)
	[has no budget]=$(cluster_submit nina none -p p8 --gres=gpu:1)
	[is unallocated]=$(waiter p1 1 --comment=min-runtime=0)
	[needs the place of jobs that are spared]=$(waiter p7 2)
)
tap_ok "the schedulers look $passes times" cluster_wait_until 120 looked $passes
for what in "${!blocked[@]}"; do
	job=${blocked[$what]}
	tap_is "$(cluster_job_state "$job"), $(contract_victims "$job")" \
		'PENDING, ' "nobody goes for a job that $what"
done
tap_is "$(running p1) $(running p2) $(running p6) $(running p7) \
$(running p8)" '8 10 1 2 2' "all others run"

evicts "one goes for one GPU, when it has a grace time, too" "$graced" \
	"$leaving|$cheaper"

# What cannot be requeued is cancelled, where that is the rule.
job=${blocked[needs the place of jobs that are spared]}
contract_set "${spare%spare}cancel"
evicts "jobs that cannot be requeued go, too" "$job" "$final $interactive"
tap_ok "for good" cluster_wait_job_state "$final" PREEMPTED
tap_ok "both" cluster_wait_job_state "$interactive" PREEMPTED

# Unallocated work, apart from what it was above

last=$(scontrol -o show job "${blocked[is unallocated]}" |
	grep -oE ' Priority=[0-9]+')
first=$(scontrol -o show job "$task" | grep -oE ' Priority=[0-9]+')
tap_ok "the best account's stands behind the worst's other work" \
	test "${last#*=}" -lt "${first#*=}"
scancel "$free"
cluster_wait_job_state "$free" CANCELLED
cluster_reconfigure
tap_ok "nothing is charged for it" \
	cluster_wait_until 10 cluster_share_is idle fay rawusage 0
# shellcheck disable=SC2317
recorded()
{
	sacct -nXPj "$free" -o elapsedraw,alloctres | grep -E \
		'^[1-9][0-9]+[|].*gres/gpu=2'
}
tap_ok "but it is accounted for" cluster_wait_until 10 recorded
tap_done
