#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# scripts/budget-check, as an admin would run it on a cluster of his own: it
# agrees with a healthy one, running or at rest, and notices a second too many,
# a record too few and a sum that is none.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES='n1:h100:8 n2:b200:8'
CLUSTER_BILLING='GRES/gpu:h100=1.0,GRES/gpu:b200=2.0'
CLUSTER_CONF_EXTRA='AccountingStoreFlags=job_comment'

CHECK=$(dirname "$0")/../../scripts/budget-check

check()
{
	CHECKED=$("$CHECK" --tries 1 "$@" 2>&1)
}

# All ends have reached slurmdbd, and the last pass is behind them.
settled()
{
	check --each && [[ $CHECKED != *' to '* ]]
}

# shellcheck disable=SC2317
over()
{
	[ -z "$(squeue -h)" ]
}

# shellcheck disable=SC2317
running()
{
	check && [[ $CHECKED =~ recorded\ [0-9]+\ to\ [1-9] ]]
}

submit()
{
	local user=$1 account=$2

	shift 2
	cluster_submit "$user" "$account" "$@" >/dev/null
}

change_start()
{
	cluster_sql "update ${CLUSTER_NAME}_job_table set time_start=time_start+$2
		where id_job=$1"
}

# lie EDIT: a sshare whose row of account a1 is another.
lie()
{
	mkdir -p "$CLUSTER_DIR/bin"
	cat >"$CLUSTER_DIR/bin/sshare" <<-END
	#!/bin/sh
	$sshare "\$@" | awk -F '|' -v OFS='|' '
		\$1 ~ /^ *a1\$/ && \$2 == "" { $1 } { print }'
	END
	chmod 755 "$CLUSTER_DIR/bin/sshare"
}

cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=35
account a2 parent=a1 fairshare=2
account b2 parent=root fairshare=20
user u1 account=a1
user u2 account=a2
user u3 account=b2
add qos dear usagefactor=3
modify user u3 set qos+=dear
END
cluster_start

submit u1 a1 --gres=gpu:h100:1 --array=1-3 --wrap='sleep 1'
submit u2 a2 --gres=gpu:b200:2 --wrap='sleep 2'
submit u3 b2 --gres=gpu:h100:1 --qos=dear --wrap='sleep 1'
submit u3 b2 --gres=gpu:b200:1 --comment='x min-runtime=0;y' --wrap='sleep 2'
submit u2 a2 --gres=gpu:h100:1 --comment='{"min-runtime": "0:00"}' \
	--wrap='sleep 2'
job=$(cluster_submit u1 a1 --gres=gpu:h100:1 --comment=min-runtime=1m)
cluster_wait_job_state "$job" RUNNING
# slurmdbd hears of a start a moment later.
cluster_poll 20 running
tap_like "$CHECKED" 'recorded [0-9]+ to [1-9]' "it holds while jobs run"
cluster_nap 3
scancel "$job"
cluster_wait_until 40 over
cluster_poll 20 settled
tap_like "$CHECKED" 'charged [1-9][0-9]*, recorded [1-9][0-9]*, unalloc' \
	"at rest it holds to the second, association by association"
tap_like "$CHECKED" 'unallocated ([6-9]|1[0-9]) ' "unallocated time is told"

change_start "$job" -2
check
tap_is $? 1 "a second too many is noticed"
check --each
tap_like "$CHECKED" 'a1 u1: charged' "and whose it is"
change_start "$job" 4
check
tap_is $? 1 "a second too few is noticed"
change_start "$job" -2
check
tap_is $? 0 "and nothing else was"

CLUSTER_UNCHECKED="this sshare lies"
sshare=$(command -v sshare)
# shellcheck disable=SC2016
lie '$3 += 2'
PATH=$CLUSTER_DIR/bin:$PATH
check
tap_is $? 1 "an account with more than is below it is noticed"
tap_like "$CHECKED" 'account a1 has' "by name"
# shellcheck disable=SC2016
lie '$5 += 0.1'
check
tap_is $? 1 "a commitment that is none is noticed"
tap_like "$CHECKED" 'a1: its part of usage and committed is' "and whose"
tap_done
