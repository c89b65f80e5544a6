#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# UsageFactor of a QOS changes while a job runs in it: it counts from the last
# charge on, and what was charged before stays.  Of slurmdbd's records the
# present factor alone can be asked, so that this is computed by hand.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:h100:8
GPUS=4

used()
{
	cluster_share a1 '' rawusage
}

# used_more_than USAGE, after a pass: an edit of a job has one at once.
# shellcheck disable=SC2317
used_more_than()
{
	scontrol update JobId="$other" Nice=0
	[ "$(used)" -gt "$1" ]
}

charge()
{
	cluster_wait_until 20 used_more_than "$(used)"
}

# Give a pass that changes nothing its time.
idle()
{
	scontrol update JobId="$other" Nice=0
	cluster_nap 3
}

# set_factor FACTOR: it counts from an instant in [BEFORE, AFTER] on.
set_factor()
{
	BEFORE=$EPOCHSECONDS
	charge
	cluster_sacctmgr modify qos shared set usagefactor="$1"
	if [ "$1" = 0 ]; then idle; else charge; fi
	AFTER=$EPOCHSECONDS
}

# used_within LOW HIGH NAME: in GPU seconds
used_within()
{
	local now

	now=$(used)
	tap_ok "$3 ($1 <= $now <= $2)" test "$now" -ge "$1" -a "$now" -le "$2"
}

# shellcheck disable=SC2317
ended()
{
	END=$(cluster_sql "select time_end from ${CLUSTER_NAME}_job_table
		where id_job=$job and time_end > 0")
	[ -n "$END" ]
}

cluster_prepare
cluster_start
cluster_tree <<-END
account a1 parent=root fairshare=50
account b2 parent=root fairshare=50
user u1 account=a1
user u2 account=b2
END
cluster_sacctmgr <<-END
add qos shared usagefactor=1
modify user u1 set qos+=shared
END
other=$(cluster_submit u2 b2 --hold)
job=$(cluster_submit u1 a1 --gres=gpu:$GPUS --qos=shared)
cluster_wait_job_state "$job" RUNNING
start=$(date -d "$(cluster_job_field "$job" StartTime)" +%s)
cluster_wait_until 20 used_more_than $((8 * GPUS))

set_factor 5
from=$BEFORE to=$AFTER
tap_ok "a higher factor is charged" \
	cluster_wait_until 20 used_more_than $(($(used) + 50 * GPUS))

set_factor 0
still=$(used)
idle
tap_is "$(used)" "$still" "a factor of 0 charges nothing more"
used_within $(((5 * BEFORE - 4 * to - start) * GPUS)) \
	$(((5 * AFTER - 4 * from - start) * GPUS)) \
	"each second has the factor of its time"

cluster_kill_ctld
cluster_start_ctld
cluster_wait_nodes
last=$EPOCHSECONDS
idle
tap_is "$(used)" "$still" "nor does a slurmctld that was killed"

cluster_sacctmgr modify qos shared set usagefactor=1
cluster_wait_until 20 used_more_than "$still"
AFTER=$EPOCHSECONDS
scancel "$job"
cluster_wait_until 30 ended
idle
sum=$(used)
# The last pass before the change was in idle(), at 0.
used_within $((still + (END - AFTER) * GPUS)) \
	$((still + (END - last + 1) * GPUS)) "and again 1"
cluster_sacctmgr modify qos shared set usagefactor=9
idle
tap_is "$(used)" "$sum" "a job that is over keeps what it was charged"

CLUSTER_UNCHECKED="budget-check knows the present UsageFactor only"
tap_done
