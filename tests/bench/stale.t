#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What preempt/minruntime keeps of a running job says nothing of another: jobs
# that could be preempted start anew with a minimum, be it in the second of
# their start, give their place in memory to another job, end, are suspended, or
# have preemption switched off, and are asked about before the next look.  In
# the build directory, inside slurmctld (bench.c).

set -u

skip_all()
{
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

[ -n "${SLURMCTLD:-}${SLURM_LIBDIR:-}" ] ||
	skip_all "no slurmctld of this release here"
command -v jq >/dev/null || skip_all "no jq"
make -s bench >/dev/null 2>&1 || skip_all "bench.so does not compile"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
loader=$(readelf -lW "$SLURMCTLD" |
	sed -n 's/.*interpreter: \(.*\)\]/\1/p')
"$loader" --preload ./bench.so "$SLURMCTLD" jobs=2000 running=400 assocs=200 \
	rounds=1 calls=4000 only=ours what=stale dir="$scratch" \
	plugins="$PWD/stage:$SLURM_LIBDIR" >"$scratch/out" 2>"$scratch/log"
printf '1..2\n'
rc=0
# check FIGURE JQ-CONDITION WHAT
check()
{
	local value

	value=$(jq ".stale.$1.ours.median" "$scratch/out" 2>/dev/null)
	if jq -e ".stale.$1.ours.median | $2" "$scratch/out" >/dev/null 2>&1
	then
		printf 'ok - %s: %s\n' "$3" "$value"
	else
		printf 'not ok - %s: %s\n' "$3" "$value"
		sed 's/^/# /' "$scratch/log"
		rc=1
	fi
}
check asked '. > 100' "jobs that could be preempted, until they changed"
check wrong '. == 0' "of them, could be preempted still"
exit $rc
