#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A resized job that is cancelled while a step of it runs is charged for each
# size it had.  Slurm 26.05 gives the step the job's first record, and writes
# the last size over that record's; 16-restart.t meets the same when a node has
# lost a job.

set -u
CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES='n[1-2]:h100:8'
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/mixed.sh
. "$(dirname "$0")/mixed.sh"

# shellcheck disable=SC2317
has_step()
{
	[ "$(squeue -h -s -o %i | grep -c '^1\.0$')" = 1 ]
}

# shellcheck disable=SC2317
is_over()
{
	mixed_records | grep -q ' CANCELLED ' && [ -z "$(squeue -h)" ]
}

# Nothing is charged any more: on its way up a wrong sum may be the right one.
# shellcheck disable=SC2317
at_rest()
{
	local before

	before=$(mixed_charged)
	cluster_nap 3
	[ "$before" = "$(mixed_charged)" ]
}

sizes()
{
	mixed_records | awk '{ print $5, $9 }'
}

cluster_prepare
mixed_tree
cluster_start
MIXED_USED=([r2]=$(mixed_used r2))
CLUSTER_TAG=$CLUSTER_DIR sbatch --uid=r2 -A a2 -N 2 --gres=gpu:h100:3 \
	--no-requeue --job-name=resize --chdir=/ --output=/dev/null \
	--wrap='srun -N 1 -n 1 sleep 600' >/dev/null
cluster_wait_until 30 has_step
cluster_wait_until 30 mixed_resize 1 r2
cluster_nap 2
scancel 1
cluster_wait_until 60 is_over
cluster_wait_until 60 at_rest
tap_is "$(sizes)" "RESIZING 6
CANCELLED 3" "both sizes can be told from slurmdbd's records"
mixed_compare 30 "charged is each size for its seconds"
tap_done
