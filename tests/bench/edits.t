#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run seconds of all associations and QOS are those of a count from the start,
# whatever slurmctld did while a pass and its recount had let go of the job lock:
# jobs begin (in one half of the rounds all the time, so that a recount has to end
# by letting nobody in), end, are forgotten, begin once more, have limit, QOS,
# UsageFactor, partition's QOS or account edited.  In the build directory, inside
# slurmctld (bench.c).

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
"$loader" --preload ./bench.so "$SLURMCTLD" jobs=20000 running=4000 assocs=400 \
	rounds=12 calls=1 only=ours what=edits dir="$scratch" \
	plugins="$PWD/stage:$SLURM_LIBDIR" >"$scratch/out" 2>"$scratch/log"
printf '1..3\n'
rc=0
# check FIGURE JQ-CONDITION WHAT
check()
{
	local value

	value=$(jq ".edits.$1.ours.median" "$scratch/out" 2>/dev/null)
	if jq -e ".edits.$1.ours.median | $2" "$scratch/out" >/dev/null 2>&1
	then
		printf 'ok - %s: %s\n' "$3" "$value"
	else
		printf 'not ok - %s: %s\n' "$3" "$value"
		sed 's/^/# /' "$scratch/log"
		rc=1
	fi
}
check 'done' '. > 1000' "times slurmctld came in between"
check compared '. > 1000' "associations and QOS with running jobs, compared"
check wrong '. == 0' "have other run seconds than a count from the start"
exit $rc
