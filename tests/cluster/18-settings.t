#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Settings.  Each bad list of the table below is refused by name: at a
# reconfigure it leaves the settings in force alone, and slurmctld does not
# start with it.  Of each word a good value is taken.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:none:0
CLUSTER_BILLING=CPU=1.0

# A list, a tab, and what slurmctld must say of it: word, value, what is
# allowed.  In the list \xNN is a byte and %N a run of N digits.
bad=$(grep -v '^#' <<'END'
# unknown words
windwo=5	unknown word "windwo", did you mean "window"?
preempt-by=qos	unknown word "preempt-by", did you mean "preempt_by"?
foo=5	unknown word "foo"; allowed: window charge_tres
foo	unknown word "foo"; allowed: window charge_tres
=5	unknown word ""; allowed: window charge_tres
order=budget;burst=3	order=budget;burst=3: allowed: budget, weighted
'burst=3'	unknown word "'burst", did you mean "burst"?
FairShareWeight=1	unknown word "FairShareWeight"; allowed: window
# empty
,	of the list is empty: a comma too many
order=budget,,burst=3	of the list is empty: a comma too many
order=budget,	of the list is empty: a comma too many
window	window=: no value; write window=VALUE
window=	window=: no value; write window=VALUE
window= ,burst=3	window=: no value; write window=VALUE
charge_tres=	charge_tres=: no value; write charge_tres=VALUE
commitment	commitment=: no value; write commitment=VALUE
min_runtime_max@gpu=	min_runtime_max@gpu=: no value
min_runtime_max@=5	min_runtime_max@=5: not a partition name; allowed:
# negative
window=-5	window=-5: "-5" is not a time
burst=-1	burst=-1: not a number; allowed: 0 (off), or 1 to 1000
gang_nodes=-4	gang_nodes=-4: allowed: a whole number, 1 to 65536
min_runtime_max=-1	min_runtime_max=-1: "-1" is not a time
unallocated_charge=-0.5	_charge=-0.5: not a number; allowed: 0 to 1
# out of range, overflow
window=0	window=0: too short; allowed: 1:00 to 366-00:00:00
window=59s	window=59s: too short; allowed: 1:00 to 366-00:00:00
window=367d	window=367d: too long; allowed: 1:00 to 366-00:00:00
window=18446744073709551617	allowed: 1:00 to 366-00:00:00
gang_nodes=0	gang_nodes=0: allowed: a whole number, 1 to 65536
gang_nodes=4294967297	gang_nodes=4294967297: allowed: a whole number, 1 to
gang_wait=99999999999999999999d	allowed: 0:00 to 366-00:00:00
burst=0.5	burst=0.5: out of range; allowed: 0 (off), or 1 to 1000
burst=1e308	burst=1e308: not a number; allowed: 0 (off), or 1 to 1000
preempt_margin=0.91	preempt_margin=0.91: out of range; allowed: 0 to 0.9
unallocated_charge=1.01	_charge=1.01: out of range; allowed: 0 to 1
protect_growth=0.99	protect_growth=0.99: out of range; allowed: 1 to 10
min_runtime_default=9h	=9:00:00: above min_runtime_max; allowed: 0:00 to 8:00:00
# wrong unit, form or choice
window=5x	"5x" is not a time (units are s, m, h and d); allowed: 1:00 to
window=7 days	"7 days" is not a time
window=1:60	"1:60" is not a time (minutes and seconds behind others go to
window=infinite	window=infinite: "infinite" is not a time
debug_runtime=1.5h	"1.5h" is not a time
burst=2x	burst=2x: not a number; allowed: 0 (off), or 1 to 1000
burst=nan	burst=nan: not a number; allowed: 0 (off), or 1 to 1000
order=weight	order=weight: allowed: budget, weighted
commitment=true	commitment=true: allowed: no, yes
undeclared=deny	undeclared=deny: allowed: charge, free, reject
preempt=off	preempt=off: allowed: on, shadow
preempt_by=qos|partition	=qos|partition: allowed: budget, qos, partition
not_requeueable=keep	not_requeueable=keep: allowed: cancel, spare
drain_requeue=1	drain_requeue=1: allowed: no, yes
charge_tres=gres/nosuch	charge_tres=gres/nosuch: no such TRES; allowed:
charge_tres=gpu*2	charge_tres=gpu*2: not a TRES name; allowed:
window@gpu=5	window@gpu=5: only min_runtime_max may name a partition
# twice
burst=3,Burst=3	burst=3: the word comes twice
min_runtime_max@gpu=5,min_runtime_max@gpu=6	@gpu=6: the partition comes twice
# over-long
%200=5	unknown word "01234567890123456789012345678..."; allowed: window
burst=%200	burst=012345678901234567890...: not a number; allowed: 0
min_runtime_max@%128=5	...=5: not a partition name; allowed: 1 to 127
burst=3,charge_tres=%17000	the list is longer than 16384 bytes
# not ASCII, not printable
f\xc3\xb6nster=5	unknown word "f\xc3\xb6nster"; allowed: window
window=\xd9\xa5	window=\xd9\xa5: "\xd9\xa5" is not a time
min_runtime_max@b\xc3\xbcro=5	@b\xc3\xbcro=5: not a partition name; allowed:
order=\x01budget	order=\x01budget: allowed: budget, weighted
burst=3,\x1b[2J=1	unknown word "\x1b[2J"; allowed: window
END
)

# For each word a good value, and how it shows
good='window=36:00:00	window=1-12:00:00
charge_tres=BILLING	charge_tres=BILLING
unallocated_charge=0.25	unallocated_charge=0.25
commitment=no	commitment=no
order=weighted	order=weighted
min_runtime_max=2d	min_runtime_max=2-00:00:00
min_runtime_max@gpu=90,min_runtime_max@Long.2=4h	@gpu=1:30:00,min_runtime_max@Long.2=4:00:00
min_runtime_default=15m	min_runtime_default=15:00
undeclared=free	undeclared=free
undeclared=reject	undeclared=reject
preempt=shadow	preempt=shadow
preempt_by=qos	preempt_by=qos
preempt_by=partition	preempt_by=partition
preempt_margin=0	preempt_margin=0,
burst=0	burst=0,
burst=1000	burst=1000,
gang_nodes=65536	gang_nodes=65536
gang_wait=0	gang_wait=0:00
debug_runtime=1:30	debug_runtime=1:30
protect_growth=1.5	protect_growth=1.5
not_requeueable=spare	not_requeueable=spare
drain_requeue=no	drain_requeue=no
Window=5D,BURST=3,Order=Budget,Preempt=SHADOW	window=5-00:00:00
 window = 6d , burst = 4	window=6-00:00:00'

defaults='window=7-00:00:00,charge_tres=billing,unallocated_charge=0,'
defaults+='commitment=yes,order=budget,min_runtime_max=8:00:00,'
defaults+='min_runtime_default=0:00,undeclared=charge,preempt=on,'
defaults+='preempt_by=budget,preempt_margin=0.1,burst=2,gang_nodes=4,'
defaults+='gang_wait=4:00:00,debug_runtime=15:00,protect_growth=1,'
defaults+='not_requeueable=cancel,drain_requeue=yes'

# bytes_of LIST: with \xNN and %N in it
bytes_of()
{
	local list=$1 count digits

	if [[ $list =~ %([0-9]+) ]]; then
		count=${BASH_REMATCH[1]}
		printf -v digits '%*s' $((count / 10 + 1)) ''
		digits=${digits// /0123456789}
		list=${list/"%$count"/"${digits:0:count}"}
	fi
	printf '%b' "$list"
}

# said TEXT: in an error of ours, since the mark
# shellcheck disable=SC2317
said()
{
	cluster_log_new | grep -aF 'error: priority/budget: PriorityParameters: ' |
		grep -aF -e "$1" >/dev/null
}

# shellcheck disable=SC2317
says_in_force()
{
	cluster_log_new | grep -aF 'priority/budget: settings in force: ' |
		grep -aF -e "$1" >/dev/null
}

# shellcheck disable=SC2317
refused_at_start()
{
	cluster_set_conf PriorityParameters "\"$1\""
	cluster_log_mark
	cluster_ctld_refuses || echo "it does not end with an error"
	said "$2" || cluster_log_new | grep -a -A3 priority/budget
}

# In front of the bad word stands a good one that would be missed: a window of
# a minute forgets, and what it has forgotten stays forgotten.
# shellcheck disable=SC2317
refused_at_reconfigure()
{
	local list=$1

	[[ ${list,,} == *window* ]] || list="window=1,$list"
	cluster_set_conf PriorityParameters "\"$list\""
	cluster_log_mark
	# Where a new process refuses, scontrol fails.
	cluster_reconfigure >/dev/null 2>&1
	cluster_poll 15 said "$2" || cluster_log_new | grep -a priority/budget
	[ "$same_process" = 0 ] || said '; the settings in force stay' ||
		echo "not said that the settings stay"
}

# each FUNCTION WHAT: one test per bad list; the function prints what is wrong
each()
{
	local list says

	while IFS=$'\t' read -r list says; do
		tap_is "$("$1" "$(bytes_of "$list")" "$says" 2>&1)" '' \
			"$2: ${list:0:50}"
	done <<<"$bad"
}

# shellcheck disable=SC2317
usage()
{
	cluster_share a '' rawusage
}

# usage_within FROM TO
# shellcheck disable=SC2317
usage_within()
{
	[ "$(usage)" -ge "$1" ] && [ "$(usage)" -le "$2" ]
}

# From 23.11 on a reconfigure starts a new process, which may refuse.
version=$(slurmctld -V)
same_process=1
! printf '%s\n' 23.11 "${version##* }" | sort -CV || same_process=0

tap_ok "the table has 40 bad lists or more" [ "$(wc -l <<<"$bad")" -ge 40 ]

cluster_prepare
cluster_tree <<END
account a parent=root fairshare=3
user u account=a
END
# Ten hours of use yesterday, or the day before, and ten later
cluster_past_usage a u billing 10 44 34
cluster_past_usage a u billing 10 20 10

cluster_set_conf PriorityParameters '"window=2d,min_runtime_max=6h"'
cluster_log_mark
cluster_start
tap_ok "with good ones it starts, and says which are in force" \
	says_in_force 'window=2-00:00:00,charge_tres=billing'
tap_ok "usage of two days counts" \
	cluster_wait_until 20 cluster_share_is a '' rawusage 72000

# ---- bad ones, at a reconfigure
pid=$(cluster_pid slurmctld)
each refused_at_reconfigure "settings stay"
if [ $same_process = 1 ]; then
	cluster_set_conf PriorityParameters 'window=1,charge_tres=cpu'
	cluster_log_mark
	cluster_reconfigure
	tap_ok "charge_tres wants a restart" cluster_wait_until 15 said \
		'charge_tres can only be changed with a restart of slurmctld'
	tap_is "$(cluster_pid slurmctld)" "$pid" "it is the same process"
fi

# Had a window been taken, it would be empty by now.  What a job has used shows
# that usage was summed up since.
job=$(cluster_submit u a --cpus-per-task=2 --wrap='sleep 2')
tap_ok "a job runs" cluster_wait_job_state "$job" COMPLETED
tap_ok "the window still has two days" \
	cluster_wait_until 20 usage_within 72001 72100

# Slurm itself refuses what is no KEY=VALUE; slurmctld is not even told.
for list in 'window=7 days' '' '"window=2d" burst=3'; do
	cp "$CLUSTER_CONF" "$CLUSTER_DIR/good.conf"
	printf 'PriorityParameters=%s\n' "$list" >>"$CLUSTER_CONF"
	tap_nok "scontrol refuses PriorityParameters=$list" cluster_reconfigure
	mv "$CLUSTER_DIR/good.conf" "$CLUSTER_CONF"
done

# ---- good ones
while IFS=$'\t' read -r list says; do
	cluster_log_mark
	case ${list,,} in
	*window*)	cluster_set_conf PriorityParameters "\"$list\"" ;;
	*)		cluster_set_conf PriorityParameters "\"window=2d,$list\"" ;;
	esac
	cluster_reconfigure
	tap_ok "taken: $list" cluster_wait_until 15 says_in_force "$says"
done <<<"$good"

cluster_set_conf PriorityParameters ''
cluster_log_mark
cluster_reconfigure
tap_ok "without PriorityParameters there are defaults" \
	cluster_wait_until 15 says_in_force "force: $defaults"

# The proof that the look at the window above can tell
cluster_set_conf PriorityParameters 'window=1d'
cluster_reconfigure
tap_ok "a shorter window is seen" \
	cluster_wait_until 20 usage_within 36001 36100

# ---- bad ones, at start, each of which must cost nothing.  Without slurmdbd,
# which would take 0.7 s of each.
cluster_stop_ctld
cluster_stop_dbd
each refused_at_start "no start"

cluster_set_conf PriorityParameters window=1d
for key in Type Enforce TRES; do
	cluster_set_conf AccountingStorage$key ''
done
cluster_log_mark
tap_ok "nor when slurm.conf has no slurmdbd" cluster_ctld_refuses
tap_ok "and it says what is missing" cluster_log_has \
	'error: priority/budget: .*AccountingStorageType=accounting_storage/slurmdbd'
cluster_set_conf AccountingStorageType accounting_storage/slurmdbd
cluster_set_conf AccountingStorageEnforce associations

cluster_start_dbd
cluster_start_ctld
tap_ok "mended, usage is as before" \
	cluster_wait_until 20 usage_within 36001 36100
tap_ok "and the job is known" cluster_wait_job_state "$job" COMPLETED
tap_done
