#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What jobs are charged is what slurmdbd counts, to the second, whatever
# happens to them, and whether slurmctld tells the plugin of their ends
# (limits are enforced) or not.

set -u
CLUSTER_PRIORITY=priority/budget
CLUSTER_BILLING='GRES/gpu:h100=1.0,GRES/gpu:b200=2.0'
# Jobs are forgotten soon after their end
CLUSTER_CONF_EXTRA='MinJobAge=5'
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/mixed.sh
. "$(dirname "$0")/mixed.sh"

# run NAME [KIND...]
run()
{
	local name=$1

	shift
	mixed_submit 200 "$@"
	tap_ok "$name: $MIXED_COUNT jobs are over" mixed_play
	mixed_compare 30 "$name: charged are slurmdbd's seconds"
}

# states: how often each occurs in the records
states()
{
	mixed_records | awk '
		{ count[$5]++ }
		END { for (s in count) print s, count[s] }' | sort
}

cluster_prepare
mixed_tree
cluster_start

run "limits enforced" limit
cluster_set_conf AccountingStorageEnforce associations
cluster_restart_ctld
# Only luck lets a look see a run that requeues itself at once.
# shellcheck disable=SC2046
run "limits not enforced" $(printf 'again %.0s' {1..30})

# The test is about all of these.
tap_is "$(states | cut -d ' ' -f 1 | paste -sd ' ')" \
	"CANCELLED COMPLETED FAILED REQUEUED RESIZING TIMEOUT" \
	"all kinds of ends have occurred"
tap_diag "$(states | paste -sd ,)"

expected=$(mixed_to_report)
tap_is "$(wc -l <<<"$expected")" 8 "all associations have records"
tap_is "$(mixed_reported)" "$expected" "sreport has the same seconds"
tap_done
