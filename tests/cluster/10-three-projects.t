#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Three projects with budgets of 35, 20 and 45 % have used 28, 25 and 47 % of
# a busy week.  On a full cluster their jobs stand, show and start in the
# order of usage to budget: a1 (0.800), c3 (1.044), b2 (1.250).

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

# Weights that are no round numbers, so that a column in the wrong place
# cannot add up by chance.
CLUSTER_PRIORITY=priority/budget
CLUSTER_CONF_EXTRA='
PriorityWeightAge=1013
PriorityWeightAssoc=307
PriorityWeightJobSize=503
PriorityWeightPartition=211
PriorityWeightQOS=709
PriorityWeightTRES=GRES/gpu=101'

# shares FIELD ACCOUNT[/USER]...
shares()
{
	local field=$1 row values=''

	shift
	for row; do
		values+=" $(cluster_share "${row%/*}" \
			"$(cut -s -d / -f 2 <<<"$row")" "$field")"
	done
	printf '%s\n' "${values# }"
}

# The ratio of usage to budget, as an admin reads it
ratio()
{
	cluster_share "$1" '' levelfs | awk '{ printf "%.3f\n", 1 / $1 }'
}

# sprio LINES of jobs: columns other than the priority must add up to it.
# sprio rounds each, so half a point per column may be missing.
# shellcheck disable=SC2317
adds_up()
{
	sprio -h -j "$1" -o '%Y %a %b %A %F %J %P %Q %N %T' |
		awk '{
			n = split($10, tres, /[,=]/)
			sum = $2 + $3 + $4 + $5 + $6 + $7 + $8 - $9
			for (i = 2; i <= n; i += 2)
				sum += tres[i]
			off = sum - $1
			print
			if (off < -5 || off > 5)
				exit 1
		}'
}

# A recomputation may come between the two.
# shellcheck disable=SC2317
same_priority()
{
	[ "$(sprio -h -j "$1" -o %Y)" = "$(cluster_job_field "$1" Priority)" ]
}

# first_of JOB...: wait until one of them runs, print it.
first_of()
{
	local jobs

	jobs=$(IFS=,; echo "$*")
	cluster_wait_until 20 any_runs "$jobs" >&2
	squeue -h -t running -j "$jobs" -o %i
}

# shellcheck disable=SC2317
any_runs()
{
	[ -n "$(squeue -h -t running -j "$1" -o %i)" ]
}

cluster_prepare
# Whoever administers the cluster is no project.
cluster_tree <<END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=20
account c3 parent=root fairshare=45
user anna account=a1
user ben account=b2
user carla account=c3
modify user root set fairshare=parent
END
# Over the last 150 hours, all of which the window of a week still holds;
# a thousand GPU-hours, so that the minutes of this test do not count.
cluster_past_usage a1 anna billing 280 150 0
cluster_past_usage b2 ben billing 250 150 0
cluster_past_usage c3 carla billing 470 150 0
cluster_start

tap_ok "the past is there" \
	cluster_wait_until 20 cluster_share_is root '' rawusage 3600000

# Full, by work that declares no minimum, is not charged, and so leaves all
# ratios alone.
fillers=()
for who in 'anna a1' 'ben b2' 'carla c3' 'anna a1' 'ben b2' 'carla c3'; do
	# shellcheck disable=SC2086
	fillers+=("$(cluster_submit $who --gres=gpu:8 --cpus-per-task=4 \
		--comment=min-runtime=0)")
done
for job in "${fillers[@]}"; do
	cluster_wait_job_state "$job" RUNNING ||
		cluster_bail "the cluster does not fill up"
done

# In the worst order, each asks for the next node that gets free.
b2=$(cluster_submit ben b2 --gres=gpu:8 --comment=min-runtime=10m)
c3=$(cluster_submit carla c3 --gres=gpu:8 --comment=min-runtime=10m \
	--nice=77)
a1=$(cluster_submit anna a1 --gres=gpu:8 --comment=min-runtime=10m)
free=$(cluster_submit anna a1 --gres=gpu:8 --comment=min-runtime=0)
for job in "$b2" "$c3" "$a1" "$free"; do
	tap_ok "job $job waits" cluster_wait_job_state "$job" PENDING
done
cluster_reconfigure

# What an admin sees
tap_is "$(ratio a1) $(ratio c3) $(ratio b2)" '0.800 1.044 1.250' \
	"sshare -l has the ratios"
tap_is "$(shares normshares a1 b2 c3)" '0.350000 0.200000 0.450000' \
	"NormShares"
tap_is "$(shares effectvusage a1 b2 c3)" '0.280000 0.250000 0.470000' \
	"EffectvUsage"
tap_is "$(shares rawusage a1 b2 c3)" '1008000 900000 1692000' \
	"RawUsage is the charged seconds in the window, free work is none"
tap_is "$(shares rawusage a1/anna b2/ben c3/carla)" '1008000 900000 1692000' \
	"and so it is for users"
tap_is "$(shares effectvusage a1/anna) $(shares levelfs a1/anna)" \
	'1.000000 1.000000' "who is alone in a project uses all of it"
tap_is "$(shares fairshare root/root a1/anna c3/carla b2/ben)" \
	'1.000000 0.750000 0.500000 0.250000' "FairShare is the rank"

# All: a list of jobs is an error to sprio of 24.11.5.
tap_is "$(sprio -h -l -S -y | awk '{ print $1 }' | paste -sd ' ')" \
	"$a1 $c3 $b2 $free" \
	"sprio -l has jobs in this order, and free work last"
for job in "$a1" "$b2" "$c3" "$free"; do
	tap_ok "sprio's columns of job $job add up" adds_up "$job"
	tap_ok "to the priority that slurmctld uses" \
		cluster_wait_until 5 same_priority "$job"
done
tap_is "$(sprio -h -j "$c3" -o %N)" 77 "Nice is what was asked for"

# Who may look
fields=account,user,rawshares,normshares,rawusage,effectvusage
fields=$fields,fairshare,levelfs
tap_is "$(sshare -alP 2>&1 >/dev/null)" '' "sshare says nothing on stderr"
tap_is "$(cluster_as ben sshare -alP 2>&1 >/dev/null)" '' \
	"nor does a user's"
tap_is "$(cluster_as ben sshare -aP -o $fields)" \
	"$(sshare -aP -o $fields)" "users see the same"
tap_is "$(cluster_as ben sprio -h -o %i | sort -n | paste -sd ' ')" \
	"$b2 $c3 $a1 $free" "and everybody's jobs"
cluster_set_conf PrivateData jobs,usage
cluster_reconfigure
tap_is "$(cluster_as ben sshare -naP -o account,user | tr -d ' ')" \
	'b2|ben' "PrivateData=usage leaves them their own"
tap_is "$(cluster_as ben sprio -h -o %i)" "$b2" "PrivateData=jobs too"
tap_is "$(sshare -naP -o account,user | wc -l)" 8 "root still sees all"

# And what happens
tap_ok "one node gets free" scancel "${fillers[0]}"
tap_is "$(first_of "$a1" "$b2" "$c3" "$free")" "$a1" "a1 (0.80) starts first"
tap_ok "another one" scancel "${fillers[1]}"
tap_is "$(first_of "$b2" "$c3" "$free")" "$c3" "then c3 (1.04)"
tap_ok "a third" scancel "${fillers[2]}"
tap_is "$(first_of "$b2" "$free")" "$b2" "then b2 (1.25)"
tap_ok "a fourth" scancel "${fillers[3]}"
tap_is "$(first_of "$free")" "$free" "and free work at last"
tap_done
