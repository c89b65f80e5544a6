#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A TRES more than at the last start: up to 25.05 slurmctld makes its arrays
# longer, but not those in which an account keeps what deleted users have used.
# Who writes there as far as the others reach destroys what lies behind; the
# C library's checks see it when the account goes.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:h100:8
CLUSTER_CONF_EXTRA='PriorityDecayHalfLife=1:00
AccountingStorageEnforce=limits'
CLUSTER_UNCHECKED="a user and his account are deleted"

# There was a whole pass, with its decay.
# shellcheck disable=SC2317
passed_since()
{
	[ "$(stat -c %Y "$CLUSTER_STATE/priority_last_decay_ran")" -gt "$1" ]
}

# shellcheck disable=SC2317
longer()
{
	scontrol show assoc_mgr flags=assoc accounts=a1 | grep -q license/l1
}

debug=$(ldconfig -p | sed -n 's/.*libc_malloc_debug\.so.* => //p' | head -n 1)
[ -n "$debug" ] || tap_skip_all "the C library has no checks"

cluster_start
cluster_tree <<END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=20
user u1 account=a1
user u2 account=b2
END
cluster_wait_job_state "$(cluster_submit u1 a1 --gres=gpu:8 --wrap='sleep 2')" \
	COMPLETED
cluster_sacctmgr delete user u1
cluster_reconfigure

cluster_set_conf AccountingStorageTRES "license/l1,$(cluster_conf_tres)"
cluster_stop_ctld
LD_PRELOAD="$debug:${LD_PRELOAD:-}" MALLOC_CHECK_=3 cluster_start_ctld
cluster_wait_nodes
tap_ok "there is one more" longer
since=$EPOCHSECONDS
cluster_nap 1.1
cluster_reconfigure
cluster_wait_until 20 passed_since "$since"
cluster_sacctmgr delete account a1
cluster_wait_job_state "$(cluster_submit u2 b2 --wrap=true)" COMPLETED
tap_ok "slurmctld lives without the account" cluster_running slurmctld
tap_done
