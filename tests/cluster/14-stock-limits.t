#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Issue 2: limits keep Slurm's rule, whatever fair share does.  GrpTRESMins,
# GrpTRESRunMins, GrpWall and QOS usage (NoDecay, UsageFactor) stop and
# release the same jobs as with multifactor, with the same counters.
#
# Two sets of the same cases.  One starts under multifactor and goes on under
# budget, the other the other way round; so each plugin does everything, and
# goes on with what the other has counted.

# Most functions are called by name.
# shellcheck disable=SC2317

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

# With 60 CPUs a second is a CPU minute.  Nobody computes but when told to.
CLUSTER_NODES=n1:h100:32:2000
CLUSTER_PARTITIONS='
PartitionName=gpu Nodes=ALL Default=YES TRESBillingWeights=CPU=2
PartitionName=ma Nodes=ALL QOS=mpq TRESBillingWeights=CPU=2
PartitionName=ba Nodes=ALL QOS=bpq TRESBillingWeights=CPU=2'
CLUSTER_CONF_EXTRA='PriorityDecayHalfLife=0
PriorityUsageResetPeriod=NONE
PriorityCalcPeriod=00:30:00'

# Cases: name; who has the limit (Account, User, Qos, the Partition's QOS);
# the limit; a first job that uses it up; why a second one waits, and does it
# still when usage has decayed a little.  A first job runs 8 s, or for ever.
# QOS x15 counts 15 times, so that 8 s are 2 minutes.
cases='
am A grptresmins=cpu=8 -n60+8s AssocGrpCPUMinutesLimit released
um U grptresmins=gres/gpu=4 -G2+-qx15+8s AssocGrpGRESMinutes released
aw A grpwall=2 -qx15+8s AssocGrpWallLimit released
uw U grpwall=2 -qx15+8s AssocGrpWallLimit released
qm Q grptresmins=cpu=120,x15 -n60+8s QOSGrpCPUMinutesLimit released
qn Q grptresmins=cpu=120,x15,nodecay -n60+8s QOSGrpCPUMinutesLimit waits
qw Q grpwall=2,x15,nodecay -n1+8s QOSGrpWallLimit waits
pq P grptresmins=cpu=120 -n60+-qx15+8s QOSGrpCPUMinutesLimit released
ar A grptresrunmins=cpu=600 -n60 AssocGrpCPURunMinutesLimit waits
ur U grptresrunmins=gres/gpu=20 -G2 AssocGrpGRESRunMinutes waits
qr Q grptresrunmins=cpu=620,x0.5 -n60 QOSGrpCPURunMinutesLimit waits
aj A maxtresmins=cpu=500 -n1 AssocMaxCpuMinutesPerJobLimit waits
qj Q maxtresmins=cpu=500 -n1 QOSMaxCpuMinutesPerJobLimit waits
qu Q grpjobs=9,x15,nodecay -n60 None waits
fr A grptresmins=cpu=8 -n60+-qfree+8s None released
'
factors='normal=1 x15=15 free=0 qm=15 qn=15 qw=15 qu=15 qr=0.5'

# ------------------------------------------------------------ the cases

# tree KIND SET...: QOS or associations, one kind in one go, as each change
# takes its time.
tree()
{
	local kind=$1 set name owner limit rest account user qos

	shift
	for set; do
		while read -r name owner limit rest; do
			[ -n "$name" ] || continue
			name=$set$name account='' user='' qos=normal,x15,free
			case $owner in
			A)	account=$limit ;;
			U)	user=$limit ;;
			Q)	qos+=,$name ;;
			esac
			case $kind$owner in
			qos[QP])
				limit=${limit//,x/,usagefactor=}
				limit=${limit/nodecay/flags=nodecay}
				printf 'add qos %s %s\n' "$name" "${limit//,/ }"
				;;
			assoc?)
				printf 'account %s parent=root %s\n' "$name" \
					"$account"
				printf 'user %s account=%s qos=%s %s\n' \
					"$name" "$name" "$qos" "$user"
				;;
			esac
		done <<<"$cases"
	done
}

# submit SET first|second
submit()
{
	local name owner limit first rest options word wrap

	while read -r name owner limit first rest; do
		[ -n "$name" ] || continue
		wrap='exec sleep 600'
		options=()
		for word in ${first//+/ }; do
			case $word in
			8s)	wrap='sleep 8' ;;
			*)	options+=("$word") ;;
			esac
		done
		if [ "$2" = second ]; then
			wrap='exec sleep 600'
			case $name in
			?j)	options=(-n60) ;;
			esac
		fi
		case $owner in
		Q)	options+=(-q "$1$name") ;;
		P)	options+=(-p "$1a") ;;
		esac
		cluster_submit "$1$name" "$1$name" -J "$1$name-$2" -t 10 \
			"${options[@]}" --wrap="$wrap" >/dev/null ||
			cluster_bail "cannot submit $1$name"
	done <<<"$cases"
}

# What a set's jobs are: running, ended, or why they wait
reasons()
{
	squeue -h -t all -S j -o '%j %T %r' | grep "^$1.*-second " |
		sed 's/ PENDING / /; s/ RUNNING None/ None/'
}

# wanted SET COLUMN: of the table of cases, by name
wanted()
{
	awk -v set="$1" -v column="$2" '
	NF { print set $1 "-second", $column }' <<<"$cases" | sort
}

waits_as_told()
{
	diff <(wanted "$1" 5) <(reasons "$1")
}

# After a little decay: released jobs run, the others wait as before.
released_as_told()
{
	diff <(awk -v set="$1" '
	NF {
		why = $6 == "released" ? "None" : $6 == "waits" ? $5 : $6
		print set $1 "-second", why
	}' <<<"$cases" | sort) <(reasons "$1")
}

# ------------------------------------------------------------ counters

# When the plugin computed last
last_ran()
{
	od -An -t d8 -N 8 --endian=big \
		"$CLUSTER_STATE/priority_last_decay_ran" | xargs
}

# JOBS of a set: NAME QOS PARTITION STATE START END CPUS GPUS
jobs()
{
	local fields='Name:|,QOS:|,Partition:|,State:|,StartTime:|,EndTime:|'

	SLURM_TIME_FORMAT=%s squeue -h -t all -O "$fields,tres-alloc:|" |
		grep "^$1" | grep -v '|PENDING|' |
		sed 's/cpu=\([0-9]*\).*gpu=\([0-9]*\).*/\1|\2/; t
			s/cpu=\([0-9]*\).*/\1|0/'
}

# expected SET FROM TO DECAY reset|keep: the minutes (cpu, gpu, wall, run
# minutes of cpu and gpu) of each association and QOS at TO, and the usage of
# a QOS, when all that was there at FROM decays by DECAY a second.  Slurm's
# rule once more, from start and end of all jobs.
expected()
{
	jobs "$1" | awk -F '|' -v set="$1" -v from="$2" -v to="$3" \
	    -v decay="$4" -v reset="$5" -v factors="$factors" '
	BEGIN {
		n = split(factors, pair, /[ =]/)
		for (i = 1; i < n; i += 2) {
			factor[pair[i]] = factor[set pair[i]] = pair[i + 1]
		}
	}
	# times: seconds of use, as they count now
	function add(who, times, rest) {
		seen[who] = 1
		cpu[who] += times * $7
		gpu[who] += times * $8
		wall[who] += times
		if (who ~ /^Q/)
			raw[who] += times * 2 * $7
		runcpu[who] += rest * $7
		rungpu[who] += rest * $8
	}
	{
		f = $2 in factor ? factor[$2] : 1
		new = rest = 0
		if ($4 == "RUNNING") {
			since = $5 > from ? $5 : from
			old = since - $5
			new = to > since ? to - since : 0
			over = to > $5 ? to - $5 : 0
			# Slurm counts whole seconds.
			rest = int(600 * f) - int(over * f)
		} else
			old = $6 - $5
		plain = f * (reset == "reset" ? new : old + new)
		times = f * (reset == "reset" ? 0 : old * decay ^ (to - from))
		times += f * new * decay ^ new
		name = substr($1, 1, 3)
		add("A " name, times, rest)
		add("U " name, times, rest)
		if ($2 ~ "^" set)
			add("Q " $2, $2 ~ /q[nuw]$/ ? plain : times, rest)
		if ($3 ~ "^" set)
			add("Q " set "pq", times, rest)
	}
	END {
		for (who in seen)
			printf "%s %d %d %.2f %d %d %.2f\n", who,
				cpu[who] / 60, gpu[who] / 60, wall[who] / 60,
				runcpu[who] / 60, rungpu[who] / 60, raw[who]
	}' | sort
}

# The same as slurmctld shows it
counters()
{
	scontrol -o show assoc_mgr flags=assoc,qos | awk -v set="$1" '
	function used(key, tres,    text) {
		text = $0
		if (!sub(".* " key "=", "", text))
			return 0
		sub(/ .*/, "", text)
		if (tres != "" && !sub(".*" tres "=", "", text))
			return 0
		sub(/^[^(]*\(/, "", text)
		sub(/\).*/, "", text)
		return text
	}
	{
		who = ""
		raw = 0
	}
	match($0, /Account=[^ ]*/) && index($0, "UserName=") {
		who = substr($0, RSTART + 8, RLENGTH - 8)
		who = (index($0, "UserName= ") ? "A " : "U ") who
	}
	/^QOS=/ {
		who = $1
		sub(/^QOS=/, "Q ", who)
		sub(/\(.*/, "", who)
		raw = $0
		sub(/.*UsageRaw=/, "", raw)
		sub(/ .*/, "", raw)
	}
	substr(who, 3) ~ "^" set "..$" {
		print who, used("GrpTRESMins", "cpu"),
			used("GrpTRESMins", "gres/gpu"), used("GrpWall"),
			used("GrpTRESRunMins", "cpu"),
			used("GrpTRESRunMins", "gres/gpu"), raw
	}' | sort
}

# counts_as_told SET FROM DECAY reset|keep: slurmctld's counters are what is
# expected; a decay leaves room for rounding.  With a UsageFactor below 1
# multifactor loses the fraction of a second at each pass.
counts_as_told()
{
	local slack=0 lost=0

	[ "$3" = 1 ] || slack=1
	[ "$plugin" = budget ] || lost=1
	awk -v slack="$slack" -v lost="$lost" '
	NR == FNR { for (i = 3; i <= 8; i++) want[$1, $2, i] = $i; n++; next }
	{
		for (i = 3; i <= 8; i++) {
			off = $i - want[$1, $2, i]
			# Wall time comes in hundredths of a minute: two are
			# less than this.
			room = i == 5 ? 0.00041 : i == 8 ? 0.01 : slack
			if (i == 6 || i == 7)
				room = lost
			if (off * off <= room)
				continue
			print $1, $2, "column", i, "is", $i, "not",
				want[$1, $2, i]
			bad = 1
		}
	}
	END { exit bad || n < 30 }' \
		<(expected "$1" "$2" "$(last_ran)" "$3" "$4") <(counters "$1")
}

# ------------------------------------------------------------ the plugins

later_than()
{
	[ "$EPOCHSECONDS" -gt "$1" ]
}

ran_after()
{
	[ "$(last_ran)" -gt "$1" ]
}

# compute: one full pass, with the settings as they are
compute()
{
	local before

	before=$(last_ran)
	# The file tells seconds.
	cluster_wait_until 5 later_than "$before"
	if [ "$plugin" = budget ]; then
		cluster_reconfigure
	else
		cluster_restart_ctld
	fi
	cluster_wait_until 20 ran_after "$before" ||
		cluster_bail "no computation"
}

use()
{
	plugin=$1
	cluster_set_conf PriorityType "priority/$1"
	cluster_restart_ctld
}

first_done()
{
	[ "$(squeue -h -t CD -o %j | grep -c "^$1.*-first")" = \
		"$(grep -c +8s <<<"$cases")" ]
}

start_set()
{
	from=$(last_ran)
	submit "$1" first
	cluster_wait_until 60 first_done "$1" || cluster_bail "no jobs run"
	submit "$1" second
	tap_soon "$plugin: second jobs wait for the right reasons" \
		waits_as_told "$1"
	tap_soon "$plugin: counters are exact" \
		counts_as_told "$1" "$from" 1 keep
}

go_on_with_set()
{
	tap_soon "$plugin: jobs still wait as with the other plugin" \
		waits_as_told "$1"
	tap_soon "$plugin: counters go on" \
		counts_as_told "$1" "$from" 1 keep

	# From a pass on, so that no other comes before the next one of ours.
	compute
	cluster_wait_until 60 decayed_enough "$1"
	from=$(last_ran)
	cluster_set_conf PriorityDecayHalfLife 00:01:00
	compute
	tap_soon "$plugin: counters decay" \
		counts_as_told "$1" "$from" \
		"$(awk 'BEGIN { printf "%.9f", 1 - 0.693 / 60 }')" keep
	tap_soon "$plugin: decay releases jobs, but those of NoDecay" \
		released_as_told "$1"

	from=$(last_ran)
	cluster_set_conf PriorityDecayHalfLife 0
	cluster_set_conf PriorityUsageResetPeriod NOW
	compute
	tap_soon "$plugin: a reset takes all counters back" \
		counts_as_told "$1" "$from" 1 reset
	cluster_set_conf PriorityUsageResetPeriod NONE
	tap_soon "$plugin: and releases the rest" \
		only_run_minutes_wait "$1"

	# The end of a job gives its run minutes back.
	scancel -n "$1ar-first"
	scancel -n "$1ur-first"
	scancel -n "$1qr-first"
	tap_soon "$plugin: the end of jobs releases run minutes" \
		only_per_job_limits_wait "$1"
	squeue -h -o '%A %j' | awk -v set="$1" '$2 ~ "^" set { print $1 }' |
		xargs -r scancel
	# And multifactor keeps what it has lost.
	[ "$plugin" != budget ] ||
		tap_soon "$plugin: then no run minutes are left" no_run_minutes
}

# Jobs that should have run 8 s may have run longer.
decayed_enough()
{
	local longest

	longest=$(jobs "$1" | awk -F '|' '
	$4 == "COMPLETED" && $6 - $5 > max { max = $6 - $5 }
	END { print max }')
	awk -v had="$longest" -v since="$((EPOCHSECONDS - $(last_ran)))" '
	BEGIN { exit !(had * (1 - 0.693 / 60) ^ since < 7.9) }'
}

only_run_minutes_wait()
{
	diff <(wanted "$1" 5 | grep -E "^$1([auq]r|.j)") \
		<(reasons "$1" | grep -v ' None')
}

only_per_job_limits_wait()
{
	diff <(wanted "$1" 5 | grep -E "^$1.j") \
		<(reasons "$1" | grep -vE ' None|CANCELLED')
}

no_run_minutes()
{
	! scontrol -o show assoc_mgr flags=assoc,qos |
		grep -o 'GrpTRESRunMins=[^ ]*' | grep -E '\([1-9]'
}

plugin=multifactor
cluster_prepare
{
	printf 'add qos x15 usagefactor=15\nadd qos free usagefactor=0\n'
	tree qos m b
	tree assoc m b
} | cluster_tree
cluster_start
start_set m
use budget
go_on_with_set m
start_set b
use multifactor
go_on_with_set b

tap_nok "nothing was taken off that was not there" \
	cluster_log_has 'tres_run_secs underflow'
tap_done
