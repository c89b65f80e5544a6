#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Instructions of the hot paths, by callgrind, against those kept in `counts`:
# a gross regression fails, whatever the machine does meanwhile.  `counts.t
# --update` writes the file anew, on purpose.  In the build directory; not run
# where Slurm or the compiler is another than the file's.

set -u
here=$(dirname "$(readlink -f "$0")")
counts=$here/counts
# Per cent: dates and addresses move counts by one or two.
TOLERANCE=25
sizes='jobs=2000 running=400 assocs=200 rounds=1 calls=4000 only=ours
	what=full,quick,moved,look,set,preemptable_all,get_prio,queue_check'
functions='jobs_look sb_ledger_observe sb_tree_compute assocs_publish
	priorities_recompute priority_p_set look_take preempt_p_preemptable
	preempt_p_job_preempt_check preempt_p_get_data'

# shellcheck source=tests/bench/inside.sh
. "$(dirname "$0")/inside.sh"

what_built()
{
	printf '%s, gcc %s, %s\n' "$("$SLURMCTLD" -V 2>/dev/null)" \
		"$(gcc -dumpfullversion 2>/dev/null)" "$(uname -m)"
}

# Lines: FUNCTION INSTRUCTIONS
measure()
{
	local out=$scratch/out

	# shellcheck disable=SC2086  # one word per size
	inside valgrind -q --tool=callgrind --callgrind-out-file="$out.%p" \
		-- $sizes >"$scratch/log" 2>&1 || return 1
	for out in "$out".*; do
		callgrind_annotate --inclusive=yes --threshold=100 "$out" 2>/dev/null
	done | awk -v functions="$functions" '
		BEGIN { n = split(functions, names); for (i in names) want[names[i]] }
		/=>/ { next }
		match($0, /:[a-z_]+ \[/) {
			name = substr($0, RSTART + 1, RLENGTH - 3)
			count = $1
			gsub(/,/, "", count)
			if (name in want && count + 0 > found[name] + 0)
				found[name] = count
		}
		END { for (i = 1; i <= n; i++) print names[i], found[names[i]] + 0 }'
}

inside_slurmctld
[ "${1:-}" = --update ] || [ "$(head -n 1 "$counts")" = "# $(what_built)" ] ||
	skip_all "the kept counts are not of $(what_built)"
inside_need valgrind
if ! measure >"$scratch/now"; then
	printf '1..1\nnot ok 1 - it runs under callgrind\n'
	sed 's/^/# /' "$scratch/log"
	exit 1
fi
if [ "${1:-}" = --update ]; then
	{ echo "# $(what_built)"; cat "$scratch/now"; } >"$counts"
	exit
fi
awk -v tolerance=$TOLERANCE '
	FNR == 1 { file++ }
	/^#/ { next }
	file == 1 { kept[$1] = $2; next }
	{
		if (!kept[$1] || !$2)
			word = "not ok"
		else
			word = $2 > kept[$1] * (1 + tolerance / 100) ? \
				"not ok" : "ok"
		bad += word != "ok"
		printf "%s %d - %s: %d instructions, kept %d\n", word, ++n, \
			$1, $2, kept[$1]
	}
	END { printf "1..%d\n", n; exit bad > 0 }' "$counts" "$scratch/now"
