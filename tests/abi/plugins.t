#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# plugins.t - what the built plugins show to Slurm's loader (TAP).
#
# The environment names them: PLUGINS and SHARED that these share (paths of
# .so files), SLURM_SOURCE, LOAD_CLIENT; and if the Slurm they are for is installed here, SLURMCTLD
# and SLURM_LIBDIR (where libslurmfull.so is).

set -u
export LC_ALL=C

count=0

report()
{
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' $count "$2"
	else
		printf 'not ok %d - %s\n' $count "$2"
	fi
}

skip()
{
	count=$((count + 1))
	printf 'ok %d - %s # SKIP %s\n' $count "$1" "$2"
}

# Nothing on stdin: ok.  Else the lines are what is wrong.
report_empty()
{
	local lines

	lines=$(cat)
	[ -z "$lines" ]
	report $? "$1"
	[ -z "$lines" ] || printf '%s\n' "$lines" | sed 's/^/# /'
}

# The *_p_* functions Slurm's loader of this type asks for, from its source.
loader_symbols()
{
	local file

	for file in interfaces/$1.c common/slurm_$1.c slurmctld/$1.c; do
		[ -f "$SLURM_SOURCE/src/$file" ] || continue
		sed -n '/syms\[\] *= *{/,/};/s/.*"\(.*\)".*/\1/p' \
			"$SLURM_SOURCE/src/$file"
		return
	done
}

expected_symbols()
{
	loader_symbols "$1"
	printf '%s\n' plugin_name plugin_type plugin_version init fini
}

defined_in()
{
	nm -D --defined-only "$@" 2>/dev/null | awk 'NF > 1 { print $NF }' |
		sed 's/@.*//' | sort -u
}

# The libraries a file is linked with, the file and the loader included.
with_libraries()
{
	printf '%s\n' "$1"
	LD_LIBRARY_PATH="$SLURM_LIBDIR" ldd "$1" | awk '
		$3 ~ /^\// { print $3 }
		$1 ~ /^\// { print $1 }'
}

# Undefined, and not allowed to stay so.
undefined_in()
{
	nm -D --undefined-only "$1" | awk '$1 == "U" { print $2 }' |
		sed 's/@.*//' | sort -u
}

# Undefined and needed when the plugin is loaded, not only when called:
# every relocation but those of the lazy procedure linkage table.
undefined_at_load()
{
	readelf -rW "$1" | awk '$3 ~ /^R_/ && $3 !~ /JU?MP_SLOT/ && NF >= 5 {
		print $5 }' | sed 's/@.*//' | sort -u |
		comm -12 - <(undefined_in "$1")
}

# All symbols that a plugin can use inside this program.
provided_by()
{
	{
		with_libraries "$1"
		with_libraries "$2"
	} | sort -u | while read -r file; do
		defined_in "$file"
	done | sort -u
}

check_exports()
{
	local symbols

	symbols=$(loader_symbols "$2")
	[ -n "$symbols" ]
	report $? "$2: Slurm's source tells what the loader asks for"
	report_empty "$3 exports what the loader asks for and no more" < <(
		diff <(expected_symbols "$2" | sort) <(defined_in "$1") |
			sed -n 's/^< /missing: /p; s/^> /not hidden: /p')
}

check_link()
{
	report_empty "$2 binds lazily" < <(
		readelf -dW "$1" | grep -E 'BIND_NOW|FLAGS.*\<NOW\>')
	report_empty "$2 is linked with no library of Slurm's" < <(
		readelf -dW "$1" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -vE '^(libc|libm|libpthread|libjson-c|ld-linux.*)\.so' |
		grep -v '^libbudget_')
	report_empty "$2 needs no relocation of code" < <(
		readelf -dW "$1" | grep TEXTREL)
	report_empty "$2 needs no executable stack" < <(
		readelf -lW "$1" | grep -E 'GNU_STACK.* RWE')
}

# A misspelled or vanished function would show only when it is called.
check_controller()
{
	local what="$2 uses nothing that slurmctld has not"

	if [ -z "${SLURMCTLD:-}" ]; then
		skip "$what" "no slurmctld of this release here"
		return
	fi
	report_empty "$what" < <(comm -23 <(undefined_in "$1") \
		<(provided_by "$SLURMCTLD" "$1"))
}

check_client()
{
	local full=${SLURM_LIBDIR:-}/libslurmfull.so

	if [ ! -f "$full" ]; then
		skip "$2 loads in a client" "no libslurmfull of this release here"
		return
	fi
	report_empty "$2 needs nothing of slurmctld to be loaded" < <(
		comm -23 <(undefined_at_load "$1") <(provided_by "$full" "$1"))
	# shellcheck disable=SC2046  # one word per symbol
	report_empty "$2 loads in a client" < <(
		"$LOAD_CLIENT" "$full" "$1" $(expected_symbols "$3") 2>&1)
}

# The loader of the C library takes slurmctld's function before ours.
check_names()
{
	local what="no function of $2 is named like one of slurmctld's"

	if [ -z "${SLURMCTLD:-}" ]; then
		skip "$what" "no slurmctld of this release here"
		return
	fi
	report_empty "$what" < <(comm -12 <(defined_in "$1") \
		<(provided_by "$SLURMCTLD" "$SLURMCTLD"))
}

for library in ${SHARED:-}; do
	name=$(basename "$library")
	[ -f "$library" ]
	report $? "$name is built"
	[ -f "$library" ] || continue
	check_link "$library" "$name"
	check_names "$library" "$name"
done
for plugin in ${PLUGINS:-}; do
	name=$(basename "$plugin")
	type=${name%_*}
	[ -f "$plugin" ]
	report $? "$name is built"
	[ -f "$plugin" ] || continue
	check_exports "$plugin" "$type" "$name"
	check_link "$plugin" "$name"
	check_controller "$plugin" "$name"
	check_client "$plugin" "$name" "$type"
done

if [ $count = 0 ]; then
	echo '1..0 # SKIP no plugin is built'
else
	echo "1..$count"
fi
