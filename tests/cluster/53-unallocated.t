#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The unallocated hours that sbudget shows are slurmdbd's hours less those
# charged.  slurmdbd counts whole hours, and the window begins within one: what
# was used in that hour before the window began is no unallocated work.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/sbudget.sh
. "$(dirname "$0")/sbudget.sh"

# shellcheck disable=SC2034  # cluster.sh reads them
{
CLUSTER_NODES='n1:h100:8'
CLUSTER_PRIORITY=priority/budget
}

cluster_prepare
sbudget_need
cluster_tree <<-END
account a1 parent=root fairshare=1
user anna account=a1
modify user root set fairshare=parent
END
# 1,000 an hour: each second of the first hour is 0.3 of them.
cluster_past_usage a1 anna billing 168000 168 0
cluster_start

# shellcheck disable=SC2317
# is_charged: almost all of the week is in the window
is_charged()
{
	sbudget show -hP -o used a1 2>/dev/null | awk '{ exit !($1 > 166000) }'
}

cluster_wait_until 20 is_charged || cluster_bail "the past is not there"
unallocated=$(sbudget show -hP -o unallocated a1 2>/dev/null)
tap_ok "no hour that was charged is unallocated: $unallocated" \
	awk -v hours="$unallocated" 'BEGIN { exit !(hours != "" && hours < 5) }'
tap_unlike "$(sbudget 2>&1 >/dev/null)" 'no unallocated hours' \
	"and slurmdbd was asked"

cluster_check
tap_done
