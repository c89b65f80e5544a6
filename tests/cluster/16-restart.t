#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same seconds as slurmdbd's also when slurmctld is killed and restarted in
# the middle of it all, without limits: nobody tells the plugin of any end.

set -u
CLUSTER_PRIORITY=priority/budget
CLUSTER_BILLING='GRES/gpu:h100=1.0,GRES/gpu:b200=2.0'
# A slurmctld that was killed has forgotten what its jobs did last, and has to
# notice that some do not run any more.
CLUSTER_CONF_EXTRA='MinJobAge=5
BatchStartTimeout=1
AccountingStorageEnforce=associations'
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/mixed.sh
. "$(dirname "$0")/mixed.sh"

EVENTS=(kill reconfigure kill dbd restart kill)
NEXT=
HAPPENED=
NUDGE=0

# slurmctld writes down what it knows every 5 s. A job that starts after that
# and is forgotten starts once more, and slurmdbd's record of the first run is
# written over; one whose resize is forgotten has records that contradict each
# other. No two counts of these can agree. So no job starts or is resized in
# the last seconds of a slurmctld, but whatever else can happen to it does.
kill_ctld()
{
	local end

	scontrol update PartitionName=gpu State=INACTIVE
	cluster_wait_saved
	MIXED_NO_RESIZE=1
	end=$((SECONDS + 3))
	while [ $SECONDS -lt $end ]; do
		mixed_round
		cluster_nap 0.2
	done
	MIXED_NO_RESIZE=
	cluster_kill_ctld
	cluster_start_ctld
	cluster_wait_nodes
	scontrol update PartitionName=gpu State=UP
	# What was done to jobs may be forgotten, too.
	MIXED_DONE=()
}

happen()
{
	case $1 in
	kill)	kill_ctld ;;
	restart)
		cluster_restart_ctld ;;
	reconfigure)
		cluster_reconfigure ;;
	dbd)	cluster_stop_dbd
		cluster_nap 2
		cluster_start_dbd ;;
	esac
	HAPPENED+="$1 "
}

mixed_event()
{
	local event=${EVENTS[0]-}

	if [ -z "$event" ]; then
		# slurmctld looks for missing jobs when a node registers.
		[ "$SECONDS" -ge "$NUDGE" ] || return
		cluster_nudge_nodes
		NUDGE=$((SECONDS + 5))
		return
	fi
	: "${NEXT:=$((SECONDS + 1 + RANDOM % 3))}"
	[ "$SECONDS" -ge "$NEXT" ] || return
	NEXT=
	EVENTS=("${EVENTS[@]:1}")
	happen "$event"
}

cluster_prepare
mixed_tree
cluster_start
mixed_submit 200
mixed_play
tap_is $? 0 "$MIXED_COUNT jobs are over"
tap_is "$HAPPENED" "kill reconfigure kill dbd restart kill " \
	"slurmctld was killed three times meanwhile"
mixed_compare 90 "charged are slurmdbd's seconds"
tap_done
