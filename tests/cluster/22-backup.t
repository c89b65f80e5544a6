#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A backup controller takes over, hands back, and takes over again.  In between
# it still has its jobs and its preempt plugin: what happens to jobs then is
# the primary's business alone.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

unshare --uts true 2>/dev/null ||
	tap_skip_all "a second host name needs unshare --uts"

CLUSTER_NODES=n1:none:0:4
CLUSTER_PRIORITY=priority/budget
CLUSTER_BILLING=
CLUSTER_CONF_EXTRA="$(contract_conf burst=0)
SlurmctldTimeout=10
DebugFlags=NO_CONF_HASH
CommunicationParameters=NoCtldInAddrAny"
MINIMUM=25
# The backup of newer releases takes half a minute to step back.
! cluster_ctld_forks || MINIMUM=60

# The same machine, another name and address
start_backup()
{
	local conf=$CLUSTER_CONF.backup

	sed -e "s#^SlurmctldLogFile=.*#SlurmctldLogFile=$CLUSTER_LOGS/backup.log#" \
		-e "s#^SlurmctldPidFile=.*#SlurmctldPidFile=$CLUSTER_DIR/backup.pid#" \
		"$CLUSTER_CONF" | cluster_write "$conf"
	# shellcheck disable=SC2016
	cluster_spawn backup unshare --uts sh -c \
		'hostname backup && exec slurmctld -D -f "$0"' "$conf"
}

# is_up primary|backup
# shellcheck disable=SC2317
is_up()
{
	scontrol ping | grep -qE "^Slurmctld\($1\) at [a-z0-9-]+ is UP"
}

# shellcheck disable=SC2317
answers()
{
	squeue >/dev/null 2>&1
}

# shellcheck disable=SC2317
take_over()
{
	cluster_stop_ctld
	cluster_wait_until 20 scontrol takeover 1 &&
		cluster_wait_until 20 answers
}

# shellcheck disable=SC2317
hand_back()
{
	cluster_spawn slurmctld slurmctld -D
	cluster_wait_until 30 is_up primary && cluster_wait_until 20 answers
}

# shellcheck disable=SC2317
past_minimum()
{
	[ "$(date +%s)" -ge $(($(contract_start "$job") + MINIMUM + 3)) ]
}

cluster_prepare
name=$(hostname -s)
sed '/^SlurmctldHost=/a SlurmctldHost=backup(127.0.0.2)' "$CLUSTER_CONF" |
	cluster_write "$CLUSTER_CONF"
printf '127.0.0.1 localhost %s\n127.0.0.2 backup\n' "$name" |
	cluster_write "$CLUSTER_DIR/hosts"
export NSS_WRAPPER_HOSTS=$CLUSTER_DIR/hosts
contract_tree
cluster_start
start_backup
cluster_wait_until 20 is_up backup
job=$(cluster_submit paul poor --comment=min-runtime=${MINIMUM}s)
contract_wait_signed "$job"
cluster_wait_saved
token=$(contract_token "$job")

tap_ok "the backup takes over" take_over
tap_is "$(contract_token "$job")" "$token" "and keeps what was promised"
scontrol update NodeName=n1 State=DRAIN Reason=repair
tap_ok "it hands back" hand_back
# It may have read the state of before the drain.
scontrol update NodeName=n1 State=RESUME 2>/dev/null || true
cluster_wait_until 90 past_minimum
tap_ok "a job of its draining node outlives its minimum" \
	cluster_job_is "$job" RUNNING
tap_ok "and so does the backup" is_up backup
tap_is "$(grep -c 'is requeued' "$CLUSTER_LOGS/backup.log")" 0 \
	"which does nothing while it waits"
tap_ok "it takes over again" take_over
tap_ok "with the job" cluster_job_is "$job" RUNNING
tap_done
