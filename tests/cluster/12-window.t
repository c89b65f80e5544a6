#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The window slides: what is older than its width is gone, second by second,
# and another width keeps the history as far as it reaches.
#
# One job of 8 GPUs for twelve seconds; its usage is then known at any
# instant.  A window of a minute has buckets of a second, so there is no
# approximation to allow for.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:h100:8
CLUSTER_CONF_EXTRA=PriorityParameters=window=2:00

# usage_at TIME WIDTH: GPU-seconds of the job in the window that ends then
usage_at()
{
	local from=$(($1 - $2)) to=$1

	[ "$from" -gt "$start" ] || from=$start
	[ "$to" -lt "$end" ] || to=$end
	echo $((to > from ? 8 * (to - from) : 0))
}

# A pass computes with the time of its beginning, so the pass that the
# reconfigure causes shows no more than there was before it, and none shows
# less than there is behind it.
# shellcheck disable=SC2317
slid()
{
	sample=$(cluster_share a1 u1 rawusage)
	[ -n "$sample" ] && [ "$sample" -le "$1" ]
}

# sample WIDTH: into $sample; says whether it is what the window can hold
sample()
{
	local most least

	cluster_nap 0.3
	most=$(usage_at "$EPOCHSECONDS" "$1")
	cluster_reconfigure
	cluster_poll 10 slid "$most"
	[ -n "$sample" ] || cluster_bail "slurmctld does not answer"
	least=$(usage_at "$EPOCHSECONDS" "$1")
	samples+="$sample "
	[ "$sample" -le "$most" ] && [ "$sample" -ge "$least" ] && return
	bad+="$sample not in $least..$most; "
}

# set_window WIDTH
set_window()
{
	cluster_set_conf PriorityParameters "window=$1"
	cluster_reconfigure
}

wait_for_time()
{
	while [ "$EPOCHSECONDS" -lt "$1" ]; do
		cluster_nap 0.2
	done
}

cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=1
user u1 account=a1
END
cluster_start

job=$(cluster_submit u1 a1 --gres=gpu:8 --wrap='exec sleep 12')
tap_ok "a job runs" cluster_wait_job_state "$job" COMPLETED 40
start=$(date -d "$(cluster_job_field "$job" StartTime)" +%s)
end=$(date -d "$(cluster_job_field "$job" EndTime)" +%s)
whole=$((8 * (end - start)))
samples='' bad='' sample=

tap_ok "it is charged from start to end" \
	cluster_wait_until 10 cluster_share_is a1 u1 rawusage $whole

set_window 1:00
sample 60
tap_is "$sample" $whole "a window of half the width still holds all of it"

# While the edge of the window passes over the job
wait_for_time $((start + 60))
while [ "$EPOCHSECONDS" -lt $((start + 60 + (end - start) / 2)) ]; do
	sample 60
done
kept=$sample
asked=$EPOCHSECONDS
tap_ok "the edge is inside the job (of $whole: $samples)" \
	test "$kept" -gt 0 -a "$kept" -lt $whole

# Another width loses nothing that there is, and invents nothing.  Until it is
# in force, a second that has begun counted as one, the old edge goes on.
set_window 2:00
kept=$((kept - 8 * (EPOCHSECONDS - asked + 1)))
wait_for_time $((EPOCHSECONDS + 2))
cluster_reconfigure
wider=$(cluster_share a1 u1 rawusage)
tap_ok "a wider window keeps what there is ($kept, $wider)" \
	test "$wider" -ge "$kept" -a "$wider" -le $whole
set_window 1:00
sample 60
while [ "$EPOCHSECONDS" -lt $((end + 60)) ]; do
	sample 60
done
sample 60
tap_is "$sample" 0 "then all of it is gone ($samples)"
tap_is "$bad" '' "at any time the window held what it must"
tap_is "$(tr ' ' '\n' <<<"$samples" | sort -rnc 2>&1)" '' \
	"usage never grew"
tap_is "$(cluster_share root '' rawusage) $(cluster_share a1 u1 levelfs)" \
	'0 inf' "who has used nothing in the window starts afresh"
tap_done
