#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# configure.t - what configure says to a source that is not Slurm's, or not
# that of the slurmctld installed here (TAP).  CONFIGURE names the script.

set -u
export LC_ALL=C
unset SLURMCTLD MAKEFLAGS

count=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1

report()
{
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' $count "$2"
	else
		printf 'not ok %d - %s\n' $count "$2"
		tail -n 12 "$dir/out" | sed 's/^/# /'
	fi
}

# run ARGUMENT...: configure, with what the first run found out about the
# compiler; the output goes to $dir/out.
run()
{
	local rc=0

	rm -rf build
	mkdir build
	if [ -f cache ]; then
		grep -v SLURMCTLD cache >build/cache
	fi
	(cd build && "$CONFIGURE" --cache-file=cache "$@") >out 2>&1 || rc=$?
	[ -f cache ] || cp build/cache cache
	return $rc
}

# refused NAME TEXT... -- ARGUMENT...: it fails, and the texts are part of
# the reason
refused()
{
	local name=$1 rc=0 text texts=()

	shift
	while [ "$1" != -- ]; do
		texts+=("$1")
		shift
	done
	shift
	run "$@" || rc=$?
	[ $rc != 0 ] && [ ! -e build/config.status ]
	report $? "$name: refused"
	for text in "${texts[@]}"; do
		# It may be broken into lines.
		sed -n '/configure: error:/,$p' out | tr '\n' ' ' |
			grep -F -e "$text" >/dev/null
		report $? "$name: says \"${text#"$dir"}\""
	done
}

# source_of DIRECTORY VERSION: something that looks like Slurm's source from afar
source_of()
{
	mkdir -p "$1/src/slurmctld"
	printf '  Version:\t%s\n' "$2" >"$1/META"
	: >"$1/src/slurmctld/slurmctld.h"
}

# slurmctld TEXT: an installed one, by what it says of its version
slurmctld_says()
{
	printf '#!/bin/sh\necho "%s"\n' "$1" >slurmctld
	chmod +x slurmctld
}

how='scripts/get-slurm-source'

run
report $? "without a source: fine"
grep -qE 'plugins +NOT built' out
report $? "and the summary says that there will be no plugins"

refused "no directory named" "$how" -- --with-slurm-source
refused "an empty name" "$how" -- --with-slurm-source=
refused "no such directory" "$dir/nowhere is not Slurm's source" "$how" \
	-- --with-slurm-source="$dir/nowhere"
mkdir empty
refused "another directory" "$dir/empty is not Slurm's source" \
	"META or src/slurmctld/slurmctld.h is missing" "$how" \
	-- --with-slurm-source="$dir/empty"
source_of pre 22.05.0-0pre1
refused "no release" "tells no release: '22.05.0-0pre1'" \
	-- --with-slurm-source="$dir/pre"
source_of old 21.08.8
refused "too old" "Slurm 21.08.8 is too old: 22.05 or later is needed" \
	-- --with-slurm-source="$dir/old"
source_of 'bla nk' 22.05.8
refused "a blank in the path" "blanks or quotes in the path" \
	-- --with-slurm-source="$dir/bla nk"

source_of wrong 22.05.8
slurmctld_says 'slurm-wlm 22.05.9'
refused "another micro release" \
	"wrong is Slurm 22.05.8, but slurmctld -V says 22.05.9" "$how" \
	"for another machine all the same, add --enable-foreign-slurm" \
	-- --with-slurm-source="$dir/wrong" SLURMCTLD="$dir/slurmctld"
slurmctld_says 'slurm 24.11.5'
refused "another release" "but slurmctld -V says 24.11.5" \
	-- --with-slurm-source="$dir/wrong" SLURMCTLD="$dir/slurmctld"

# --enable-foreign-slurm passes, and the next thing that is wrong is the source.
refused "incomplete source" "the headers in $dir/wrong do not compile" \
	"Is the tree complete and unchanged?" \
	-- --with-slurm-source="$dir/wrong" SLURMCTLD="$dir/slurmctld" \
	--enable-foreign-slurm
refused "with sanitizers" "exclude each other" \
	-- --with-slurm-source="$dir/wrong" --enable-sanitizers
refused "no plugin directory" "--with-slurm-plugindir needs a directory" \
	-- --with-slurm-plugindir

printf '1..%d\n' $count
