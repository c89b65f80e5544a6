#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The harness itself, on Slurm's stock plugins: what all other tests here
# take for granted.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

dir_of_second()
{
	(
		CLUSTER_NODES='m1:h100:2'
		cluster_start
		printf '%s %s\n' "$CLUSTER_DIR" "$CLUSTER_PORT"
		sinfo -h -o %N
		printf 'accounts: %s\n' \
			"$(sacctmgr -nP show account format=account)"
		printf 'processes: %s\n' "$(cluster_processes | wc -l)"
		cluster_stop
	)
}

# What one cluster left behind: processes, directory, ports.
leftovers()
{
	CLUSTER_DIR=$1 CLUSTER_CONF=$1/etc/slurm.conf cluster_processes
	# The pattern comes by a file, lest grep finds itself.
	grep -lF -f <(printf '%s\n' "$1") /proc/[0-9]*/cmdline 2>/dev/null
	ls -d "$1" "/tmp/.slurm-budget-$2" 2>/dev/null
}

# shellcheck disable=SC2317
no_leftovers()
{
	[ -z "$(leftovers "$@")" ]
}

# shellcheck disable=SC2317
gone()
{
	! kill -0 "$1"
}

stat_before=$(stat -c '%Y %s' /etc/passwd /etc/group)

cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=35
account a11 parent=a1 fairshare=2
account b2 parent=root fairshare=20
user u1 account=a11
user u2 account=b2 fairshare=3
add qos high priority=10
modify user u2 set qos+=high
END
cluster_past_usage a11 u1 gres/gpu 28.5 72 12
cluster_past_usage a11 u1 gres/gpu 1.5 12 0
cluster_past_usage b2 u2 billing 10 24 0
cluster_start

tap_is "$(sinfo -h -N -o '%N %T %G' | tr '\n' ' ')" \
	"n1 idle gpu:h100:8 n2 idle gpu:h100:8 n3 idle gpu:h100:8 \
n4 idle gpu:h100:8 n5 idle gpu:b200:8 n6 idle gpu:b200:8 " \
	"four nodes of H100 and two of B200 are idle"
tap_is "$(sacctmgr -nP show assoc format=account,user,share,parentname,qos |
	sort | tr '\n' ' ')" \
	"a11|u1|1||normal a11||2|a1|normal a1||35|root|normal \
b2|u2|3||high,normal b2||20|root|normal root|root|1||normal root||1||normal " \
	"the tree is as told"

# In the last HOURS full hours
hours()
{
	sreport -nPt seconds -T "$1" cluster AccountUtilizationByUser \
		start="$(date -d "$2 hours ago" +%FT%H:00:00)" \
		end="$(date +%FT%H:00:00)" format=account,login,used |
		grep -v '|0$' | tr '\n' ' '
}
tap_is "$(hours gres/gpu 96)" \
	"root||108000 a1||108000 a11||108000 a11|u1|108000 " \
	"sreport has all of the past usage"
tap_is "$(hours gres/gpu 12)" \
	"root||5400 a1||5400 a11||5400 a11|u1|5400 " \
	"sreport has it hour by hour"
tap_is "$(hours billing 48)" \
	"root||36000 b2||36000 b2|u2|36000 " \
	"sreport has another TRES"

# Jobs of users whom the host does not know
short=$(cluster_submit u1 a11 --gres=gpu:h100:2 --wrap='sleep 1')
tap_ok "a job runs" \
	cluster_wait_job_state "$short" 'RUNNING|COMPLETED'
tap_is "$(cluster_job_field "$short" UserId)" "u1(60001)" \
	"it is its user's"
# TRES is AllocTRES in newer releases
tap_like "$(scontrol -o show job "$short")" \
	' (Alloc)?TRES=[^ ]*,billing=2,gres/gpu=2,gres/gpu:h100=2 ' \
	"its GPUs are counted"
tap_ok "it completes" cluster_wait_job_state "$short" COMPLETED
# shellcheck disable=SC2317
in_sacct()
{
	[ "$(sacct -nPXj "$1" -o user,account,state)" = "$2" ]
}
tap_ok "sacct has it" \
	cluster_wait_until 10 in_sacct "$short" 'u1|a11|COMPLETED'
tap_nok "an unknown account is refused" cluster_submit u2 a1
tap_like "$(cluster_as u1 scancel "$short" 2>&1; cluster_as u1 id -u)" \
	'60001$' "commands run as users"

tap_is "$(cluster_as u1 srun --account=a11 --gres=gpu:1 --chdir=/ id -un)" \
	u1 "interactive jobs run too"

# slurmctld dies and comes back, the job does not notice.
long=$(cluster_submit u2 b2 --gres=gpu:1)
tap_ok "a long job runs" cluster_wait_job_state "$long" RUNNING
started=$(cluster_job_field "$long" StartTime)
tap_ok "it is in slurmctld's state" cluster_wait_saved
cluster_kill_ctld
tap_nok "slurmctld is gone after kill -9" cluster_running slurmctld
cluster_start_ctld
tap_ok "nodes come back" cluster_wait_nodes
tap_is "$(cluster_job_state "$long") $(cluster_job_field "$long" StartTime)" \
	"RUNNING $started" "the job still runs"
cluster_log_mark
tap_nok "the log since the mark is new" cluster_log_has 'slurmctld version'
tap_ok "slurmctld restarts politely" cluster_restart_ctld
tap_ok "the log tells" cluster_log_has 'slurmctld version'

# Settings
cluster_set_conf PriorityWeightAge 1234
cluster_reconfigure
tap_like "$(scontrol show config)" 'PriorityWeightAge += 1234' \
	"a changed setting is in force"
cluster_set_conf PriorityType priority/nosuch
cluster_stop_ctld
tap_nok "slurmctld refuses nonsense" cluster_try_ctld
cluster_set_conf PriorityType priority/multifactor
cluster_start_ctld

# The daemons around it
cluster_kill_dbd
tap_nok "slurmdbd is gone after kill -9" cluster_running slurmdbd
cluster_stop_db
cluster_start_db
cluster_start_dbd
tap_ok "slurmdbd and its database come back" \
	cluster_wait_until 10 sacctmgr -n show cluster

# A second cluster, meanwhile
mapfile -t second < <(dir_of_second)
read -r dir port <<<"${second[0]}"
tap_is "${second[1]}" m1 "a second cluster has its own nodes"
tap_is "${second[2]}" 'accounts: root' "and its own accounts"
# slurmctld is two, for its scripts
tap_is "${second[3]}" 'processes: 6' "and no processes but its daemons"
tap_unlike "$CLUSTER_DIR $CLUSTER_PORT" "($dir|$port)" \
	"it shares neither directory nor ports"
tap_is "$(leftovers "$dir" "$port")" '' "it leaves nothing behind"
tap_is "$(cluster_job_state "$long")" RUNNING "the first one goes on"

# One that cannot start says why, soon, and is gone
# shellcheck disable=SC2016
bad=$(bash -c '
	. "$1"
	CLUSTER_NODES=m1:h100:2
	CLUSTER_PRIORITY=priority/nosuch
	cluster_prepare
	echo "dir $CLUSTER_DIR $CLUSTER_PORT"
	cluster_start
	echo "still here"' sh "$CLUSTER_LIB" 2>&1)
tap_like "$bad" 'priority/nosuch.*Bail out! slurmctld does not come up$' \
	"a cluster that cannot start bails out and shows the log"
read -r _ dir port < <(grep ^dir <<<"$bad")
tap_is "$(leftovers "$dir" "$port")" '' "and leaves nothing behind"

# Another, whose shell is killed without a chance to clean up
read -r pid dir port < <(bash -c '
	. "$1"
	CLUSTER_NODES=m1:h100:2
	cluster_start
	cluster_submit root root >/dev/null
	echo "$$ $CLUSTER_DIR $CLUSTER_PORT"
	kill -KILL $$' sh "$CLUSTER_LIB")
tap_ok "a cluster whose shell is killed goes away (${pid:+started})" \
	cluster_wait_until 10 no_leftovers "$dir" "$port"

# One to stay
read -r pid dir port < <(bash -c '
	. "$1"
	CLUSTER_NODES=m1:h100:2
	cluster_start
	cluster_keep
	echo "$$ $CLUSTER_DIR $CLUSTER_PORT"' sh "$CLUSTER_LIB")
tap_ok "the shell of a cluster to be kept is gone" \
	cluster_wait_until 5 gone "$pid"
# shellcheck source=/dev/null
tap_is "$(. "$dir/env"; sinfo -h -o '%N %T')" 'm1 idle' \
	"its cluster is used from another shell"
# shellcheck disable=SC2016
tap_ok "and stopped from another" bash -c '
	. "$1"; cluster_attach "$2"; cluster_stop' sh "$CLUSTER_LIB" "$dir"
# Who watched over the shell of old looks twice a second.
tap_ok "then nothing is left" cluster_wait_until 5 no_leftovers "$dir" "$port"

dir=$CLUSTER_DIR
port=$CLUSTER_PORT
cluster_stop
tap_is "$(leftovers "$dir" "$port")" '' "stop leaves nothing behind"
tap_is "$(stat -c '%Y %s' /etc/passwd /etc/group)" "$stat_before" \
	"the host's users are as before"
tap_done
