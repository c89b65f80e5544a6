#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Plugins that were built from another source than the running slurmctld's:
# with jobs in its state slurmctld does not start with them; without, it does,
# and at the first job they say so and leave everything alone.  And none of
# this happens on a healthy cluster with odd jobs.
#
# CLUSTER_VARIANTS: the directory tests/guard of the build, after `make
# variants` there.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

[ -d "${CLUSTER_VARIANTS:-}" ] || tap_skip_all "no CLUSTER_VARIANTS"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:none:0:4
CLUSTER_BILLING=
CLUSTER_PARTITIONS='PartitionName=gpu Nodes=ALL Default=YES State=UP
PartitionName=old Nodes=ALL State=UP'
CLUSTER_CONF_EXTRA='
PreemptType=preempt/minruntime
PreemptMode=REQUEUE
JobSubmitPlugins=minruntime
EnforcePartLimits=NO
MinJobAge=3600'
CLUSTER_UNCHECKED="slurmctld loses its jobs and gives their numbers again"

# use VARIANT: its plugins, from slurmctld's next start on
use()
{
	local from=$CLUSTER_VARIANTS/$1 file

	[ "$1" != real ] || from=$CLUSTER_DIR/real
	for file in "$from"/*.so; do
		cp "$file" "$CLUSTER_DIR/plugins/new"
		mv "$CLUSTER_DIR/plugins/new" \
			"$CLUSTER_DIR/plugins/${file##*/}"
	done
}

# shellcheck disable=SC2317
refuses()
{
	cluster_log_mark
	cluster_ctld_refuses
}

# The guard's word, and how often it was said
guard_says='slurm-budget: .*(bytes in this slurmctld|is not where the sources)'
guard_said()
{
	cluster_log_new | grep -cE "error: .*$guard_says.*rebuild it with"
}

# shellcheck disable=SC2317
guard_said_times()
{
	[ "$(guard_said)" = "$1" ]
}

# shellcheck disable=SC2317
has_used()
{
	[ "$(cluster_share "$1" '' rawusage)" -ge "$2" ]
}

# inert VARIANT ERRORS: slurmctld lives on, jobs run first come first served
inert()
{
	local variant=$1 says=$2 first over under

	rm -f "$CLUSTER_STATE"/job_state*
	use "$variant"
	cluster_log_mark
	tap_ok "$variant: without jobs slurmctld starts" cluster_try_ctld
	cluster_wait_nodes
	first=$(cluster_submit over a --exclusive --wrap='sleep 600')
	tap_ok "$variant: the first job runs" \
		cluster_wait_job_state "$first" RUNNING
	tap_ok "$variant: the plugins say what is wrong and what to do" \
		cluster_wait_until 60 guard_said_times "$2"
	over=$(cluster_submit over a --exclusive --wrap='sleep 600')
	under=$(cluster_submit under b --exclusive --wrap='sleep 600' \
		--comment='min-runtime=5 parsecs')
	tap_like "$under" '^[0-9]+$' "$variant: no declaration is refused"
	tap_ok "$variant: squeue, sprio, sshare answer" look_around
	if cluster_ctld_forks; then
		tap_nok "$variant: the new process of a reconfigure ends" \
			cluster_reconfigure
		# It has said why, and so has the old one, which begins anew.
		says=$((says + 2))
	else
		tap_ok "$variant: reconfigure" cluster_reconfigure
	fi
	scancel "$first"
	tap_ok "$variant: first come, first served" \
		cluster_wait_job_state "$over" RUNNING
	tap_is "$(cluster_job_state "$under")" PENDING "$variant: the next waits"
	tap_is "$(guard_said)" "$says" "$variant: nothing is said twice"
	scancel "$over" "$under"
	tap_ok "$variant: jobs end" cluster_wait_job_state "$over" CANCELLED
	cluster_stop_ctld
	tap_unlike "$(cluster_log_tail slurmctld 5)" 'does not end' \
		"$variant: and slurmctld"
}

# shellcheck disable=SC2317
look_around()
{
	squeue -l && sprio -l && sshare -al && scontrol show job &&
		scontrol ping | grep -q 'is UP'
}

cluster_prepare
cp -r "$CLUSTER_DIR/plugins" "$CLUSTER_DIR/real"
cluster_tree <<END
account a parent=root fairshare=1
account b parent=root fairshare=1
user over account=a
user under account=b
user gone account=b
modify user root set fairshare=parent
END
cluster_start

# ---- a job in the state, behind one that will be odd
odd=$(cluster_submit gone b -p old --wrap=true)
tap_ok "a job ends" cluster_wait_job_state "$odd" COMPLETED
keep=$(cluster_submit over a --wrap='sleep 900')
tap_ok "a job runs" cluster_wait_job_state "$keep" RUNNING
cluster_stop_ctld
sum=$(cat "$CLUSTER_STATE"/{job_state,priority_budget_state} | cksum)

use version
tap_ok "version: slurmctld does not start" refuses
tap_ok "version: it says why" cluster_log_has 'ncompatible Slurm plugin .*version'
use shift
tap_ok "shift: slurmctld does not start" refuses
tap_ok "shift: the plugin says what differs" cluster_log_has \
	'error: slurm-budget: job_record_t is [0-9]+ bytes in this slurmctld and [0-9]+ in'
tap_ok "shift: and what to do" cluster_log_has \
	"rebuild it with --with-slurm-source= naming the source of the running [0-9.]+$"
use place
tap_ok "place: slurmctld does not start" refuses
tap_ok "place: the plugin says what differs, and what to do" cluster_log_has \
	'error: slurm-budget: job_record_t.* is not where the sources have it.*rebuild'
# What lies in each struct 8 bytes further behind than the sources have it, and
# what is as large all the same
use real
for dir in "$CLUSTER_VARIANTS"/near/*; do
	use "near/${dir##*/}"
	struct=${dir##*/}
	struct=${struct%%-*}
	case $dir in
	*-same)	why="$struct"'_t\.[a-z_]+ is not where .*rebuild it' ;;
	*)	why="$struct"'_t is [0-9]+ bytes in this .*rebuild it' ;;
	esac
	# here, as tap_ok runs its command in a shell of its own
	cluster_log_mark
	tap_ok "${dir##*/}: slurmctld does not start" refuses
	tap_ok "${dir##*/}: and the plugin says why" cluster_log_has \
		"error: slurm-budget: $why"
done
tap_is "$(cat "$CLUSTER_STATE"/{job_state,priority_budget_state} | cksum)" \
	"$sum" "no state file has changed"

use real
cluster_log_mark
cluster_start_ctld
tap_is "$(cluster_job_state "$keep")" RUNNING "the real ones: all is there"

# ---- an odd job of a healthy cluster, in front of all others
cluster_sacctmgr delete user gone account=b
sed -i '/PartitionName=old/d' "$CLUSTER_CONF"
cluster_stop_ctld
cluster_log_mark
tap_ok "a job has lost user and partition: slurmctld starts" cluster_try_ctld ||
	cluster_bail "the guard refuses a healthy cluster"
cluster_wait_nodes
tap_like "$(scontrol show job "$odd")" 'UserId=gone' "and knows the job"
job=$(cluster_submit under b --wrap='sleep 2')
tap_ok "other jobs run" cluster_wait_job_state "$job" COMPLETED
tap_ok "and are charged" cluster_wait_until 20 has_used b 2
tap_is "$(guard_said)" 0 "no plugin complains"
scancel "$keep"
cluster_stop_ctld

# ---- no job in the state
inert shift 3
inert place 2

use real
cluster_log_mark
cluster_start_ctld
job=$(cluster_submit under b --wrap=true)
tap_ok "the real ones again" cluster_wait_job_state "$job" COMPLETED
tap_is "$(guard_said)" 0 "nobody complains"
tap_done
