# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# inside.sh - for tests whose work is done inside slurmctld (bench.c), in the build
# directory: sourced by them. SLURMCTLD and SLURM_LIBDIR are make's.

skip_all()
{
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

# inside_need COMMAND: it and bench.so are there; and so is $scratch, a directory.
inside_need()
{
	command -v "$1" >/dev/null || skip_all "no $1"
	make -s bench >/dev/null 2>&1 || skip_all "bench.so does not compile"
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
}

# A slurmctld is there to be inside of.
inside_slurmctld()
{
	if [ -z "${SLURMCTLD:-}" ] || [ -z "${SLURM_LIBDIR:-}" ]; then
		skip_all "no slurmctld of this release here"
	fi
}

# inside [PREFIX...] -- NAME=VALUE...: run it with these sizes.
inside()
{
	local prefix=()

	while [ "$1" != -- ]; do
		prefix+=("$1")
		shift
	done
	shift
	"${prefix[@]}" "$(readelf -lW "$SLURMCTLD" |
		sed -n 's/.*interpreter: \(.*\)\]/\1/p')" \
		--preload ./bench.so "$SLURMCTLD" "$@" dir="$scratch" \
		plugins="$PWD/stage:$SLURM_LIBDIR"
}

# inside_measure WHAT NAME=VALUE...: figures of one measurement, for check.
inside_measure()
{
	what=$1
	shift
	inside -- only=ours what="$what" "$@" >"$scratch/out" 2>"$scratch/log"
	rc=0
}

# check FIGURE JQ-CONDITION WHAT
check()
{
	local value

	value=$(jq ".$what.$1.ours.median" "$scratch/out" 2>/dev/null)
	if jq -e ".$what.$1.ours.median | $2" "$scratch/out" >/dev/null 2>&1
	then
		printf 'ok - %s: %s\n' "$3" "$value"
	else
		printf 'not ok - %s: %s\n' "$3" "$value"
		sed 's/^/# /' "$scratch/log"
		rc=1
	fi
}

# Last line of a test that has called check.
inside_end()
{
	exit "$rc"
}
