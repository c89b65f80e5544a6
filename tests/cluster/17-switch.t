#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A cluster with a week of history changes from multifactor: the window is
# filled from slurmdbd, once, whatever happens to slurmdbd, slurmctld or the
# state file meanwhile.

set -u
CLUSTER_NODES='n[1-2]:h100:8'
CLUSTER_PRIORITY=priority/multifactor
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

STATE=priority_budget_state
HOUR=3600

# -------------------------------------------------------------- expectations

# What cluster_past_usage was told, GPU hours.
declare -A PAST=([a1]=280 [b2]=250 [c3]=470)
declare -A SHARE=([a1]=35 [b2]=20 [c3]=45)

# "account RawUsage LevelFS" a line, of what slurmdbd has. Among the siblings is
# root's user with one share.
expected()
{
	{
		for account in a1 b2 c3; do
			printf '%s %d %d\n' "$account" "${SHARE[$account]}" \
				$((PAST[$account] * HOUR))
		done
		SLURM_TIME_FORMAT=%s sacct -nPXDa -S now-2hours \
			-o Account,Start,End,AllocTRES |
		awk -F '|' '$2 + 0 && $3 + 0 {
			sub(/.*billing=/, "", $4)
			sub(/,.*/, "", $4)
			print $1, 0, ($3 - $2) * $4
		}'
	} | awk '
		{ share[$1] += $2; usage[$1] += $3; sum += $3 }
		END {
			for (a in share)
				printf "%s %d %.3f\n", a, usage[a],
					share[a] / 101 / (usage[a] / sum)
		}' | sort
}

shown()
{
	sshare -nlP -o Account,User,RawUsage,LevelFS |
		awk -F '|' '!$2 && $1 != "root" {
			gsub(/ /, "", $1)
			printf "%s %d %.3f\n", $1, $3, $4
		}' | sort
}

# shellcheck disable=SC2317
right()
{
	[ "$(shown)" = "$(expected)" ]
}

# slurmctld asks slurmdbd for its associations once more when that is back, and
# adds usage up anew: for a second it shows nonsense, sooner or later.
# shellcheck disable=SC2317
right_for_good()
{
	right && cluster_nap 3 && right
}

# is_right NAME
is_right()
{
	cluster_poll 20 right
	tap_is "$(shown)" "$(expected)" "$1"
}

filled()
{
	cluster_wait_until 30 cluster_log_has 'window filled from slurmdbd'
}

# forgotten_job ID USER ACCOUNT: of this hour, that slurmctld never heard of.
forgotten_job()
{
	cluster_sql "
	set sql_mode = '';	# the rest is 0
	set @hour = unix_timestamp(date_format(now(), '%Y-%m-%d %H:00:00'));
	insert into ${CLUSTER_NAME}_job_table (id_job, account, id_assoc,
		id_qos, het_job_offset, state, time_submit, time_eligible,
		time_start, time_end, tres_alloc)
	select $1, acct, id_assoc, 1, 4294967294, 3, @hour, @hour, @hour,
		@hour + (unix_timestamp() - @hour) div 2, '1=1,5=4'
	from ${CLUSTER_NAME}_assoc_table where user='$2' and acct='$3';"
}

# -------------------------------------------------------------- the switch

cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=20
account c3 parent=root fairshare=45
user u1 account=a1
user gone account=a1
user u2 account=b2
user u3 account=c3
END
cluster_past_usage a1 u1 billing 200 160 0
cluster_past_usage a1 gone billing 80 100 50
cluster_past_usage b2 u2 billing 250 24 0
cluster_past_usage c3 u3 billing 470 165 3
forgotten_job 900001 u3 c3
forgotten_job 900002 gone a1
cluster_start
jobs=$(
	cluster_submit u1 a1 --gres=gpu:2 --wrap='sleep 2'
	cluster_submit u2 b2 --gres=gpu:3 --wrap='sleep 1'
)
long=$(cluster_submit u3 c3 --gres=gpu:4)
tap_ok "jobs run under multifactor" cluster_wait_job_state \
	"$(paste -sd , <<<"$jobs")" COMPLETED
tap_ok "one goes on" cluster_wait_job_state "$long" RUNNING
tap_ok "a user leaves" cluster_sacctmgr delete user gone account=a1

cluster_set_conf PriorityType priority/budget
cluster_log_mark
cluster_restart_ctld
tap_ok "the window is filled" filled
scancel "$long"
tap_ok "the long job ends" cluster_wait_job_state "$long" CANCELLED
is_right "usage is what slurmdbd has, the deleted user's with its account"

cluster_log_mark
cluster_restart_ctld
is_right "the same after a restart"
tap_nok "which filled nothing" cluster_log_has 'window filled'

# -------------------------------------------------------------- no slurmdbd

# As at a first start, without a state.
first_start()
{
	cluster_stop_ctld
	rm "$CLUSTER_STATE/$STATE"*
	cluster_log_mark
	cluster_start_ctld
}

# complaints COUNT
complaints()
{
	[ "$(cluster_log_new | grep -c 'slurmdbd does not answer')" = "$1" ]
}

cluster_stop_dbd
first_start
tap_ok "slurmctld starts without slurmdbd and says so" \
	cluster_wait_until 10 complaints 1
tap_ok "nodes come back" cluster_wait_nodes
job=$(cluster_submit u2 b2 --gres=gpu:1 --wrap='sleep 1')
tap_ok "jobs go on" cluster_wait_job_state "$job" COMPLETED
cluster_poll 3 complaints 2
tap_ok "it says so once" complaints 1
# What it has charged itself must not come a second time from slurmdbd.
cluster_log_mark
cluster_restart_ctld
tap_ok "and once after a restart" cluster_wait_until 10 complaints 1
cluster_start_dbd
tap_ok "the window is filled when slurmdbd is back" filled
cluster_poll 20 right_for_good
is_right "each second is counted once"

# -------------------------------------------------------------- kill -9

for moment in 'settings in force' 'window filled'; do
	first_start
	cluster_wait_until 10 cluster_log_has "$moment"
	cluster_kill_ctld
	cluster_start_ctld
	filled
	is_right "the same after kill -9 behind \"$moment\""
done

# -------------------------------------------------------------- state file

# flip FILE: one bit in the middle
flip()
{
	local at=$(($(stat -c %s "$1") / 2)) byte

	byte=$(od -An -tu1 -j $at -N 1 "$1")
	# shellcheck disable=SC2059
	printf "$(printf '\\%03o' $((byte ^ 16)))" |
		dd of="$1" bs=1 seek=$at conv=notrunc status=none
}

# Another cluster's: the same with another name in it. CRC-64/XZ at the end.
rename_cluster()
{
	perl -0777 -pi -e '
		s/budget/gadget/;
		my $crc = ~0;
		for my $byte (unpack("C*", substr($_, 0, -8))) {
			$crc ^= $byte;
			$crc = $crc & 1 ? ($crc >> 1) ^ 0xc96c5795d7870f42
				: $crc >> 1 for 1 .. 8;
		}
		$_ = substr($_, 0, -8) . pack("Q<", ~$crc);
	' "$1"
}

# damaged NAME: the state and its old copy are as the test has left them.
damaged()
{
	cluster_log_mark
	cluster_start_ctld
	is_right "$1: usage is right"
}

cd "$CLUSTER_STATE" || exit 1
cluster_stop_ctld
truncate -s 100 $STATE
cp $STATE spoilt
damaged "a state cut short"
tap_ok "it is named" cluster_log_has "$STATE is not usable: .*100"
tap_ok "and kept" cmp spoilt $STATE.bad
tap_ok "the old one is used" cluster_log_has "using $STATE.old"
tap_nok "nothing is filled" cluster_log_has 'window filled'

cluster_stop_ctld
flip $STATE
cp $STATE flipped
: >$STATE.old
damaged "a flipped bit, an empty file"
tap_ok "the one is named" cluster_log_has "$STATE is not usable: .*checksum"
tap_ok "the other too" cluster_log_has "$STATE.old is not usable: .*0 bytes"
tap_ok "the one is kept, beside what was kept before" \
	cmp flipped $STATE.bad.2
tap_ok "which stays" cmp spoilt $STATE.bad
tap_ok "the other is kept" test -e $STATE.old.bad
tap_ok "the window is filled" filled

cluster_stop_ctld
rename_cluster $STATE
rm $STATE.old
damaged "another cluster's state"
tap_ok "it is named" cluster_log_has "$STATE is of cluster gadget"
tap_ok "and kept" grep -q gadget $STATE.bad.3
tap_ok "the window is filled" filled
tap_done
