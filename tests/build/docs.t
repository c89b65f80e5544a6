#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs.t - manuals and guide against the sources (TAP): the settings and their
# defaults are those of the code, every log message that an administrator may
# meet is explained, and no page has a fault that man or mandoc see.
#
# TOP names the source, DEFAULTS the program that prints the defaults.

set -u
export LC_ALL=C.UTF-8
cd "$TOP" || exit 1
guide=doc/admin-guide.md
count=0

# report STATUS NAME [WHY]
report()
{
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' $count "$2"
	else
		printf 'not ok %d - %s\n' $count "$2"
		[ -z "${3:-}" ] || printf '# %s\n' "${3//$'\n'/$'\n'# }"
	fi
}

# is GOT EXPECTED NAME
is()
{
	local why

	why=$(diff <(printf '%s\n' "$1") <(printf '%s\n' "$2"))
	report $? "$3" "$why"
}

# ---------------------------------------------------------------- settings

# "word=default" of each entry of priority_budget(8)
manual_defaults()
{
	awk '
	/^\.SH/	{ on = /"SETTINGS"/; next }
	!on	{ next }
	/^\\fB[a-z_]+\\fR=/ {
		word = $0
		sub(/^\\fB/, "", word)
		sub(/\\fR=.*/, "", word)
	}
	/Default: / && word {
		value = $0
		sub(/.*Default: /, "", value)
		gsub(/\\/, "", value)
		print word "=" value
		word = ""
	}' man/priority_budget.8
}

is "$(manual_defaults)" "$("$DEFAULTS")" \
	"priority_budget(8) has the settings and defaults of the code"
for page in man/preempt_minruntime.8 man/job_submit_minruntime.8; do
	grep -oE '\\fB(min_runtime|undeclared|preempt_|gang_|debug_r|drain_)[a-z_]*' \
		$page | sed 's/^\\fB//' | sort -u |
		grep -vxFf <("$DEFAULTS" | sed 's/=.*//'; printf 'preempt_%s\n' minruntime strict_order youngest_first) \
		>/dev/null
	[ $? = 1 ]
	report $? "${page#man/} names no setting that is not there"
done

# ---------------------------------------------------------------- messages

# "..." for each conversion
vary()
{
	sed -E 's/%[-0-9.]*(pJ|(z|l|ll)?[a-zA-Z])/.../g'
}

# The texts of error(), info() and fatal(), and of what they are given as %s:
# file:text, with "..." for what varies, as the guide has them.
messages()
{
	local dir

	for dir in src/priority_budget src/preempt_minruntime \
	    src/job_submit_minruntime src/slurm_compat; do
		grep -HoE '\<(error|info|fatal|_refuse|_complain)\(([a-z]+, )?"([^"\\]|\\.)*"' \
			"$dir"/*.c
	done | sed -E 's/^([^:]*):[^"]*"(.*)"$/\1:\2/' | vary
}

# All texts in the sources, likewise
literals()
{
	grep -hoE '"([^"\\]|\\.)*"' src/{priority_budget,preempt_minruntime}/*.c \
		src/{job_submit_minruntime,slurm_compat}/*.c |
		sed -E 's/^"(.*)"$/\1/' | vary
}

# The texts of the tables, one a line
explained()
{
	sed -n '/^## Troubleshooting/,$s/^| `\([^`]*\)` |.*/\1/p' $guide
}

found=0 missing=
while IFS=: read -r file text; do
	found=$((found + 1))
	explained | grep -qxF -- "$text" ||
		missing="$missing$file: $text"$'\n'
done < <(messages)
[ -z "$missing" ]
report $? "each log message is explained" "$missing"
# A pattern that finds nothing would pass.
[ $found -ge 35 ]
report $? "there are some" "only $found were found in the sources"

stale=
while IFS= read -r text; do
	# Slurm's own, and what its commands print
	[[ $text != @(Incompatible|sbatch:|sshare:)* ]] || continue
	literals | grep -qxF -- "$text" ||
		stale="$stale$text"$'\n'
done < <(explained)
is "$stale" '' "and nothing is explained that is never said"

# ---------------------------------------------------------------- lint

for page in man/*.[158]; do
	if command -v man >/dev/null && man --version >/dev/null 2>&1; then
		why=$(MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
		[ -z "$why" ]
		report $? "${page#man/}: man has no complaint" "$why"
	fi
	if command -v mandoc >/dev/null; then
		# Where mandoc expects a date, Slurm's pages have a title.
		why=$(mandoc -T lint -W warning "$page" 2>&1 |
			grep -v 'cannot parse date')
		[ -z "$why" ]
		report $? "${page#man/}: nor has mandoc" "$why"
	fi
done

# ---------------------------------------------------------------- links

why=
for file in README doc/*.md; do
	while IFS= read -r link; do
		[ -e "${file%/*}/$link" ] || [ -e "$link" ] ||
			why="$why$file: $link"$'\n'
	done < <(sed -n 's/[^]]*\](\([^)#]*\)[^)]*)[^]]*/\1\n/gp' "$file" |
		grep -vE '^(https?:|$)')
done
is "$why" '' "links between documents lead somewhere"

printf '1..%d\n' $count
