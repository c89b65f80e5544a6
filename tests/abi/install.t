#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# install.t - make install replaces plugins by renaming (TAP): a slurmctld that
# has the old one mapped keeps it, one that starts meanwhile finds a whole one.
#
# BUILT: the top of the build.

set -u
export LC_ALL=C
unset DESTDIR
count=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
plugins='job_submit_minruntime libbudget_board preempt_minruntime priority_budget'

# report STATUS NAME
report()
{
	count=$((count + 1))
	[ "$1" = 0 ] || printf 'not '
	printf 'ok %d - %s\n' $count "$2"
}

install()
{
	make -C "$BUILT/src" install DESTDIR="$dir" slurmplugindir=/plugins \
		bindir=/bin >"$dir/out" 2>&1 || sed 's/^/# /' "$dir/out"
}

install
[ "$(cd "$dir/plugins" && echo *.so)" = "${plugins// /.so }.so" ]
report $? "all plugins are installed, and nothing else"

# What a running slurmctld has mapped: the file itself, whatever its name
for plugin in $plugins; do
	printf 'old\n' >"$dir/plugins/$plugin.so"
	ln "$dir/plugins/$plugin.so" "$dir/$plugin.mapped"
done
install
for plugin in $plugins; do
	[ "$(cat "$dir/$plugin.mapped")" = old ]
	report $? "$plugin.so: the file that was there has not changed"
	[ "$(head -c 4 "$dir/plugins/$plugin.so")" = $'\x7fELF' ]
	report $? "$plugin.so: there is a new one"
done
[ -z "$(find "$dir/plugins" ! -name '*.so' ! -type d)" ]
report $? "nothing is left over"

# What cannot be written whole must not be there at all: a disk that is full
mkdir "$dir/full"
trap 'umount "$dir/full" 2>/dev/null; rm -rf "$dir"' EXIT
if mount -t tmpfs -o size=64k tmpfs "$dir/full" 2>/dev/null; then
	printf 'old\n' >"$dir/full/preempt_minruntime.so"
	make -C "$BUILT/src/preempt_minruntime" install DESTDIR="$dir" \
		slurmplugindir=/full >/dev/null 2>&1
	[ $? != 0 ] && [ "$(cat "$dir/full/preempt_minruntime.so")" = old ]
	report $? "a disk that is full: it fails, and the old one stays"
else
	count=$((count + 1))
	printf 'ok %d - a disk that is full # SKIP no mount\n' $count
fi
printf '1..%d\n' $count
