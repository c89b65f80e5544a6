#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Issue 2: a site that comes from priority/multifactor loses no factor and no
# flag.  The same jobs on the same cluster, first under multifactor:
# order=weighted gives the same sprio columns and priorities but for fair
# share, order=budget the same order inside each rank.

# Most functions are called by name.
# shellcheck disable=SC2317

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_NODES='n1:h100:8:32:100000 n[2-3]:b200:8:16:200000'
CLUSTER_PARTITIONS="
PartitionName=pa Nodes=n[1-2] Default=YES PriorityJobFactor=10
PartitionName=pb Nodes=n[2-3] PriorityJobFactor=4 PriorityTier=2
PartitionName=pc Nodes=ALL PriorityJobFactor=3"
# Ages are 0 or 1 but in the test of ages; fair share has one of its own too.
CLUSTER_CONF_EXTRA='PriorityWeightFairshare=0
PriorityMaxAge=0
PriorityWeightAge=1000
PriorityWeightAssoc=2000
PriorityWeightJobSize=3000
PriorityWeightPartition=4000
PriorityWeightQOS=5000
PriorityWeightTRES=CPU=600,Mem=700,GRES/gpu=800'

# ------------------------------------------------------------ what is seen

# snap NAME: columns (normalised ones show more digits), sums, and what
# slurmctld uses.  Of unallocated work only the last, it has a band of its own.
snap()
{
	local to=$CLUSTER_DIR/tmp/$1

	[ -z "$restless" ] || touch_jobs >/dev/null
	sprio -h -o '%i %r %a %b %j %p %q %.20S %.20N %.400T' |
		sed 's/  */ /g; s/ $//' | grep -v "^$free " |
		sort >"$to.columns"
	sprio -h -o '%i %r %.20Y %.20F %u' | sed 's|  *| |g' | sort >"$to.sums"
	squeue -h -t PD,R -o '%A %Q %u' | sort >"$to.queue"
}

# The stock plugin computes when a job is updated: no need to wait a minute.
touch_jobs()
{
	squeue -h -o %A | sort -un |
		sed 's/.*/update jobid=& admincomment=x/' | scontrol
}

# Every job that waits has begun to age.
aged()
{
	touch_jobs
	! sprio -h -o '%i %a' | grep -vE "^($direct|$running|$blocker) " |
		grep -v 1.0000000
}

# stock NAME: the snapshot of what multifactor says with these settings
stock()
{
	cluster_reconfigure
	cluster_wait_until 20 aged || cluster_bail "jobs do not age"
	snap "$1"
}

file()
{
	printf '%s/tmp/%s\n' "$CLUSTER_DIR" "$1"
}

same_columns()
{
	snap now
	diff "$(file "$1.columns")" "$(file now.columns)"
}

# same_priorities NAME: the fair share of the running plugin taken out
same_priorities()
{
	snap now
	# A sum below 1 is 1.
	awk -v free="$free" '
	$1 == free { next }
	NR == FNR { was[$1, $2] = $3 > 1 ? $3 - $4 : 1; n++; next }
	{
		n--
		is = $3 > 1 ? $3 - $4 : 1
		if (is != was[$1, $2]) {
			print $1, $2, was[$1, $2], "is now", is
			bad = 1
		}
	}
	END { exit bad || n }' "$(file "$1.sums")" "$(file now.sums)"
}

# same_points NAME: what is added to the base of the rank.  Where no point is
# lost to the end of a band, that is.
same_points()
{
	snap now
	awk -v skip="$free $direct $(absolute)" '
	BEGIN { split(skip, ids); for (i in ids) out[ids[i]] = 1 }
	$1 in out { next }
	NR == FNR { was[$1, $2] = $3; next }
	{
		n++
		if ($3 - $4 != was[$1, $2]) {
			print $1, $2, was[$1, $2], "is now", $3 - $4
			bad = 1
		}
	}
	END { exit bad || n < 10 }' "$(file "$1.sums")" "$(file now.sums)"
}

# same_queue NAME: priorities as slurmctld uses them.  Of a job in several
# partitions it shows that of the partition it tried last.
same_queue()
{
	snap now
	diff <(grep -vE "^($free|$several) " "$(file "$1.queue")") \
		<(grep -vE "^($free|$several) " "$(file now.queue)")
}

# Every sum of sprio is the priority that slurmctld uses.
sums_agree()
{
	snap now
	awk '
	NR == FNR { sum[$1] = sum[$1] " " $3 " "; next }
	$1 in sum && index(sum[$1], " " $2 " ") == 0 {
		print $1, "has", $2, "sprio says", sum[$1]
		bad = 1
	}
	END { exit bad }' "$(file now.sums)" "$(file now.queue)"
}

# same_order NAME [STEP]: inside each rank, over all jobs and their partitions.
# Multifactor's priorities end at 1 and 2^32 - 1, where it knows no order.
# With a STEP priorities are scaled down: what is closer may become equal, and
# nice and site, which are not, are left out.
same_order()
{
	snap now
	awk -v skip="$free $direct $([ -z "${2:-}" ] || absolute)" \
	    -v step="${2:-0}" '
	BEGIN { split(skip, ids); for (i in ids) out[ids[i]] = 1 }
	$1 in out { next }
	NR == FNR { was[$1, $2] = $3; next }
	{
		row[++n] = $1 " " $2
		now[n] = $3
		old[n] = was[$1, $2]
		user[n] = $5
	}
	function sign(x) { return x < 0 ? -1 : x > 0 }
	END {
		for (i = 2; i <= n; i++)
			for (j = 1; j < i; j++) {
				if (user[i] != user[j] ||
				    (old[i] == old[j] &&
				     (old[i] == 1 || old[i] == 4294967295)))
					continue
				if (now[i] == now[j] &&
				    old[i] - old[j] < step &&
				    old[j] - old[i] < step)
					continue
				pairs++
				is = sign(now[i] - now[j])
				if (sign(old[i] - old[j]) != is) {
					print row[i], "and", row[j], "were",
						old[i], old[j], "and are",
						now[i], now[j]
					bad = 1
				}
			}
		exit bad || pairs < 20
	}' "$(file "$1.sums")" "$(file now.sums)"
}

# all_at_base: without weights, nice and site a rank has one priority.
all_at_base()
{
	snap now
	awk -v skip="$free $direct $(absolute)" '
	BEGIN { split(skip, ids); for (i in ids) out[ids[i]] = 1 }
	!($1 in out) && $3 != $4 { print $1, $2, $3, "not", $4; bad = 1 }
	END { exit bad }' "$(file now.sums)"
}

# Jobs with absolute points
absolute()
{
	awk '$8 || $9 { print $1 }' "$(file now.columns)" | xargs
}

# No job is in the band of another rank; unallocated work is below all.
in_bands()
{
	snap now
	awk -v free="$free" -v direct="$direct" -v ranks="$ranks" '
	BEGIN { n = split(ranks, name); for (i in name) rank[name[i]] = i }
	$1 == direct { next }
	{
		r = $1 == free ? n + 1 : rank[$5]
		if (!(r in low) || $3 < low[r])
			low[r] = $3
		if (!(r in high) || $3 > high[r])
			high[r] = $3
	}
	END {
		for (r = 1; r <= n + 1; r++) {
			if (!(r in low))
				continue
			seen++
			if (last && high[r] >= low[last]) {
				print "rank", r, "up to", high[r], "rank",
					last, "from", low[last]
				bad = 1
			}
			last = r
		}
		exit bad || seen < 4
	}' "$(file now.sums)"
}

# Under order=weighted unallocated work is behind every positive sum.
free_is_last()
{
	snap now
	awk -v free="$free" '
	$1 == free { most = $3 }
	$1 != free && $3 > 1 && (!least || $3 < least) { least = $3 }
	END { exit !(most >= 1 && most < least) }' "$(file now.sums)"
}

# With ACCRUE_ALWAYS a reconfiguration makes ages 0 until the scheduler has
# looked at the jobs, after both plugins' recomputation.
restless=

set_flags()
{
	case $1 in
	ACCRUE*)	restless=1 ;;
	*)		restless= ;;
	esac
	cluster_set_conf PriorityFlags "${1%+small}"
	case $1 in
	*+small)	cluster_set_conf PriorityFavorSmall YES ;;
	*)		cluster_set_conf PriorityFavorSmall NO ;;
	esac
}

# Both plugins write this file when they have been through all jobs.
loop_ran()
{
	[ "$CLUSTER_STATE/priority_last_decay_ran" -nt "$(file mark)" ]
}

wait_loop()
{
	cluster_wait_until 20 loop_ran || cluster_bail "no priorities"
}

# budget recomputes all jobs at a reconfiguration.
recompute()
{
	touch "$(file mark)"
	cluster_reconfigure
	wait_loop
}

set_order()
{
	cluster_set_conf PriorityParameters "order=$1,$quiet"
	recompute
}

set_weights()
{
	local weight

	for weight; do
		cluster_set_conf "PriorityWeight${weight%%=*}" "${weight#*=}"
	done
}

# ages_follow SECONDS: ages differ by what jobs have waited more or less, up
# to SECONDS; multifactor looks at one job after another.
ages_follow()
{
	awk -v slack="$1" -v free="$free" -v direct="$direct" '
	NR == FNR { waits[$1] = $2; next }
	$1 == free || $1 == direct || !waits[$1] { next }
	{
		age = $2 / per + waits[$1]
		if (!n++)
			was = age
		if (age - was > slack || was - age > slack) {
			print $1, "is", age - was, "s younger than it should"
			bad = 1
		}
	}
	END { exit bad || n < 15 }' <(accrued) per="$points" \
		<(sprio -h -o '%i %.20A' | sort -u)
}

# JOB SECONDS: since when it ages
accrued()
{
	squeue -h -t PD -O 'JobID:|,AccrueTime:|' | grep -v N/A \
		>"$(file accrue)"
	paste -d ' ' <(cut -d '|' -f 1 "$(file accrue)") \
		<(cut -d '|' -f 2 "$(file accrue)" | date -f - +%s)
}

# ------------------------------------------------------------ the jobs

# Ranks that stay as they are when the running job runs on
quiet=burst=0,commitment=no
ranks='u9 u2 u1 u3'

cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=20
account z parent=root fairshare=45
user u1 account=a1
user u2 account=a1 priority=7
user u3 account=b2 priority=2
user u9 account=z
add qos high priority=10
add qos low priority=3
modify user u1,u2,u3 set qos+=high,low
END
cluster_past_usage a1 u1 billing 1000 24 12
cluster_past_usage a1 u2 billing 500 24 12
cluster_past_usage b2 u3 billing 5000 24 12
cluster_start

# One each, so that n1 can be freed
blocker=$(cluster_submit u9 z -w n1 --exclusive -t 1:00:00)
running=$(cluster_submit u9 z -p pb -N 2 --exclusive -t 1:00:00)
cluster_wait_job_state "$blocker" RUNNING || cluster_bail "nothing runs"
cluster_wait_job_state "$running" RUNNING || cluster_bail "nothing runs"

# Later ones are younger by a second or two.
cluster_submit u1 a1 -n 3 --gres=gpu:3 -t 10 >/dev/null
several=$(cluster_submit u1 a1 -p pa,pb,pc --qos=high -n 4 --mem=1000 -t 30)
several+="|$(cluster_submit u2 a1 -p pc,pb -a 1-4 --gres=gpu:2 -t 5)"
cluster_nap 1.1
several+="|$(cluster_submit u1 a1 -p pb,pa --qos=low --nice=300 -t 10)"
several+="|$(cluster_submit u1 a1 -p pa,pb --qos=low --nice=30000 -t 10)"
cluster_submit u1 a1 -N 2 --exclusive -t 1:00:00 >/dev/null
cluster_submit u1 a1 -n 16 -t 10 >/dev/null
cluster_submit u1 a1 -n 1 --qos=high --nice=2000000000 >/dev/null
cluster_submit u2 a1 -n 2 -p pb --nice=-2000000000 >/dev/null
first=$(cluster_submit u3 b2 -n 2 -p pb -t 10)
cluster_nap 1.1
cluster_submit u3 b2 -n 9 --qos=low -t 10 >/dev/null
cluster_submit u3 b2 -n 1 --nice=-50 -t 10 >/dev/null
cluster_submit u3 b2 -n 1 --dependency="afterany:$first" -t 10 >/dev/null
cluster_submit u3 b2 -n 1 --begin=now+1hour -t 10 >/dev/null
cluster_submit u3 b2 -n 1 --hold -t 10 >/dev/null
free=$(cluster_submit u2 a1 --comment=min-runtime=0 --qos=high -n 4)
direct=$(cluster_submit u3 b2 --priority=1234 -t 10)
favoured=$(cluster_submit u2 a1 --gres=gpu:1 -t 10)
scontrol update jobid="$favoured" sitefactor=700
cursed=$(cluster_submit u3 b2 --gres=gpu:1 -t 10)
scontrol update jobid="$cursed" sitefactor=-2000000000
released=$(cluster_submit u2 a1 --hold -n 5)
scontrol release "$released"
raised=$(cluster_submit u1 a1 -n 5)
scontrol update jobid="$raised" priority=77
scontrol release "$raised"
# Two components with a priority each
sbatch --parsable --uid=u2 -A a1 --chdir=/ -o /dev/null -n 2 : -n 4 -p pb \
	>/dev/null <<'END'
#!/bin/sh
sleep 600
END

# ------------------------------------------------------------ multifactor

flags=('' 'ACCRUE_ALWAYS,MAX_TRES' CALCULATE_RUNNING SMALL_RELATIVE_TO_TIME
	SMALL_RELATIVE_TO_TIME+small +small NO_NORMAL_ALL
	'NO_NORMAL_ASSOC,NO_NORMAL_TRES' NO_NORMAL_PART NO_NORMAL_QOS
	DEPTH_OBLIVIOUS NO_FAIR_TREE)
for flag in "${flags[@]}"; do
	set_flags "$flag"
	stock "flags-$flag"
done

# 20 points a second
points=20
cluster_set_conf PriorityMaxAge 1-0
set_weights Age=$((86400 * points))
cluster_reconfigure
touch_jobs >/dev/null
tap_ok "multifactor: ages are as slurmctld counts them" ages_follow 1
cluster_set_conf PriorityMaxAge 0
set_flags ''
set_weights Age=1000 Fairshare=100000
stock fair
set_weights Fairshare=0
huge=(Age=100000000 Assoc=200000000 JobSize=300000000 Partition=400000000
	QOS=500000000)
usual=(Age=1000 Assoc=2000 JobSize=3000 Partition=4000 QOS=5000
	'TRES=CPU=600,Mem=700,GRES/gpu=800')
# Columns with thirds, whose sum is a whole number or, in doubles, just not
set_weights JobSize=1000
stock thirds
set_weights "${huge[@]}"
stock huge
set_weights "${usual[@]}" QOS=100000000
set_flags NO_NORMAL_QOS
stock raw
set_flags ''
set_weights "${usual[@]}"

# Only the loop does INCR_ONLY, and it runs at start.
stock_loop()
{
	cluster_stop_ctld
	touch "$(file mark)"
	cluster_start_ctld
	wait_loop
	snap "$1"
}
stock base
set_flags INCR_ONLY
set_weights QOS=1000 Partition=9000
stock_loop incr-1
set_weights QOS=9000 Partition=100
stock_loop incr-2

# ------------------------------------------------------------ budget

cluster_stop_ctld
cluster_set_conf PriorityType priority/budget
cluster_set_conf PriorityParameters "order=weighted,$quiet"
touch "$(file mark)"
cluster_start_ctld
wait_loop

tap_soon "INCR_ONLY, weighted: nothing goes down at the switch" \
	same_queue incr-2
set_flags ''
set_weights QOS=5000 Partition=4000
recompute
tap_soon "without flags, weighted: the same priorities" same_queue base
set_flags INCR_ONLY
set_weights QOS=1000 Partition=9000
recompute
tap_soon "INCR_ONLY, weighted: the same go up" same_queue incr-1
set_weights QOS=9000 Partition=100
recompute
tap_soon "INCR_ONLY, weighted: and others later" same_queue incr-2
set_weights "${usual[@]}"

for flag in "${flags[@]}"; do
	set_flags "$flag"
	set_order weighted
	tap_soon "${flag:-no flags}, weighted: the same columns" \
		same_columns "flags-$flag"
	tap_soon "${flag:-no flags}, weighted: the same priorities" \
		same_priorities "flags-$flag"
	set_order budget
	tap_soon "${flag:-no flags}, budget: no job leaves its band" in_bands
	tap_soon "${flag:-no flags}, budget: the same order in each rank" \
		same_order "flags-$flag"
	tap_soon "${flag:-no flags}, budget: sprio adds up" sums_agree
	[ -z "$restless" ] || cluster_wait_until 20 aged
done

# Fair share is the one column that differs.
set_flags ''
set_weights Fairshare=100000
set_order weighted
tap_soon "weighted, with fair share: the other columns are the same" \
	same_columns fair
tap_soon "weighted, with fair share: so are the priorities without it" \
	same_priorities fair
tap_soon "weighted, with fair share: sprio adds up" sums_agree
tap_ok "weighted: unallocated work is last" free_is_last
set_weights Fairshare=0

# Point for point
set_weights JobSize=1000
set_order budget
tap_soon "budget, a sum near a whole number: the same points" \
	same_points thirds
tap_soon "budget, a sum near a whole number: sprio adds up" sums_agree

# Weights that have to be scaled down to fit into a band
set_weights "${huge[@]}"
set_order budget
tap_soon "budget, huge weights: no job leaves its band" in_bands
tap_soon "budget, huge weights: the same order in each rank" \
	same_order huge 5
tap_soon "budget, huge weights: sprio adds up" sums_agree
# A factor that is not normalised has no bound: the largest that is seen counts.
set_weights "${usual[@]}" QOS=100000000
set_flags NO_NORMAL_QOS
recompute
tap_soon "budget, a huge raw factor: the same order in each rank" \
	same_order raw 4
tap_soon "budget, a huge raw factor: no job leaves its band" in_bands
tap_soon "budget, a huge raw factor: sprio adds up" sums_agree
set_flags ''
set_weights Age=0 Assoc=0 JobSize=0 Partition=0 QOS=0 TRES=
recompute
tap_soon "budget, no weights: no job leaves its band" in_bands
tap_soon "budget, no weights: a rank is one priority" all_at_base
tap_soon "budget, no weights: sprio adds up" sums_agree
set_weights "${usual[@]}"

# Ages
cluster_set_conf PriorityMaxAge 1-0
set_weights Age=$((86400 * points))
recompute
tap_soon "budget: ages are as slurmctld counts them" ages_follow 0
set_order weighted
tap_soon "weighted: ages are as slurmctld counts them" ages_follow 0
tap_soon "weighted, with ages: sprio adds up" sums_agree
cluster_set_conf PriorityMaxAge 0
set_flags ''
set_weights Age=1000

set_order budget

# scontrol top gives one job the nice that it takes from others.
# sprio of 24.11.5 takes no list of jobs.
first_of()
{
	[ "$(sprio -h -S -y -o %i | xargs -n 1 | grep -xE "${1//,/|}" |
		head -n 1)" = "$2" ]
}
tap_ok "budget: one job is behind another" \
	first_of "$favoured,$released" "$favoured"
tap_ok "budget: an admin takes it to the top" scontrol top "$released"
recompute
tap_soon "budget: it stays there" first_of "$favoured,$released" "$released"
tap_soon "budget, after scontrol top: no job leaves its band" in_bands
tap_soon "budget, after scontrol top: sprio adds up" sums_agree

# What slurmctld uses for jobs in several partitions shows in what it does.
# All want n1 for themselves, and tell when they have it.
scancel -t PENDING
told=$(file told)
: >"$told"
chmod 666 "$told"
wants()
{
	local user=$1 account=$2

	shift 2
	cluster_submit "$user" "$account" -w n1 --exclusive -t 1 "$@" \
		--wrap="echo \$SLURM_JOB_ID >>$told"
}
# starts JOB...: in this order
starts()
{
	touch_jobs >/dev/null
	scancel "$blocker"
	cluster_wait_until 60 all_told $#
	printf 'started: %s\n wanted: %s\n' "$(xargs <"$told")" "$*"
	[ "$(xargs <"$told")" = "$*" ]
}
all_told()
{
	[ "$(wc -l <"$told")" -ge "$1" ]
}

# Behind a job that has n1
block()
{
	: >"$told"
	blocker=$(cluster_submit u9 z -w n1 --exclusive -t 1:00:00 \
		--priority=4000000000)
	cluster_wait_job_state "$blocker" RUNNING
}

worse=$(wants u3 b2 -p pa)
low=$(wants u1 a1 -p pc)
both=$(wants u1 a1 -p pc,pa)
nice=$(wants u1 a1 -p pa --nice=100)
better_both=$(wants u2 a1 -p pc,pa --nice=200)
better=$(wants u2 a1 -p pc)
none=$(wants u2 a1 -p pa --comment=min-runtime=0)
tap_ok "budget: jobs in several partitions start by the best of them" \
	starts "$better_both" "$better" "$both" "$nice" "$low" "$worse" "$none"
block
set_weights Age=0 Assoc=0 JobSize=0 Partition=0 QOS=0 TRES=
recompute
one=$(wants u1 a1 -p pa)
both=$(wants u1 a1 -p pc,pa)
tap_ok "budget, no weights: several partitions are no advantage" \
	starts "$one" "$both"

tap_done
