#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A window that was narrowed and widened again has its history back: what its
# ring has forgotten, slurmdbd still knows.

# Functions are called by name.
# shellcheck disable=SC2317

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget

# usage_is SECONDS: but for the hour in which the narrow window ended, and a
# bucket of it
usage_is()
{
	local usage

	usage=$(cluster_share root '' rawusage)
	[ "$usage" -le "$1" ] && [ "$usage" -ge $(($1 - 2 * 3600)) ]
}

usage_below()
{
	[ "$(cluster_share root '' rawusage)" -le "$1" ]
}

asked()
{
	cluster_sql "show full processlist" | grep -q 'Waiting for table'
}

set_window()
{
	cluster_set_conf PriorityParameters "window=$1"
	cluster_reconfigure
}

# steps WIDTH...: all but the first one come while slurmdbd looks for what that
# wants.  Newer releases have another slurmctld at each.
steps()
{
	local width locked

	cluster_sql "lock tables ${CLUSTER_NAME}_assoc_usage_hour_table write;
		select sleep(8)" >/dev/null &
	locked=$!
	set_window "$1"
	cluster_poll 10 asked
	shift
	for width; do
		set_window "$width"
	done
	wait $locked
}

cluster_prepare
cluster_tree <<-END
account one parent=root fairshare=1
user una account=one
modify user root set fairshare=parent
END
# One GPU for six days: 518400 GPU-seconds
cluster_past_usage one una billing 144 144 0
cluster_start
tap_ok "a week's history is there" cluster_poll 30 usage_is 518400
CLUSTER_UNCHECKED="an hour and a bucket are lost when a window is narrowed"
set_window 1-0
tap_ok "a window of a day holds a day" cluster_poll 30 usage_below 90000
set_window 7-0
tap_ok "a week again: slurmdbd tells the rest" \
	cluster_poll 30 usage_is 518400
cluster_restart_ctld
tap_ok "once: a restart does not add it again" \
	cluster_poll 30 usage_is 518400
set_window 1-0
cluster_poll 30 usage_below 90000
cluster_stop_ctld
cluster_set_conf PriorityParameters window=7-0
cluster_start_ctld
tap_ok "nor does it matter that slurmctld was down meanwhile" \
	cluster_poll 30 usage_is 518400
set_window 1-0
cluster_poll 30 usage_below 90000
steps 3-0 7-0
tap_ok "nor that it grows while slurmdbd is asked" \
	cluster_poll 30 usage_is 518400
set_window 3-0
cluster_poll 30 usage_is 259200
steps 7-0 1-0 7-0
tap_ok "nor that it shrinks and grows meanwhile" \
	cluster_poll 30 usage_is 518400
tap_done
