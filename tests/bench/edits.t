#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run seconds of all associations and QOS are those of a count from the start,
# whatever slurmctld did while a pass and its recount had let go of the job
# lock: jobs begin (in one half of the rounds all the time, so that a recount has
# to end by letting no job in) and their nodes boot, they end, are forgotten,
# begin once more, have limit, QOS, UsageFactor, partition's QOS or account
# edited, a limit also forth and back.  From 24.05 on those that a QOS has per
# account and user are compared too.  Then what slurmctld does without a word,
# each by itself; and what shows in no job is right an hour later.  In the build
# directory, inside slurmctld (bench.c).

set -u

# shellcheck source=tests/bench/inside.sh
. "$(dirname "$0")/inside.sh"

inside_slurmctld
inside_need jq
inside_measure edits jobs=20000 running=4000 assocs=400 \
	rounds=24 calls=1
release=$("$SLURMCTLD" -V)
used='. > 1000'
printf '24.05\n%s\n' "${release##* }" | sort -VC || used='. == 0'
printf '1..14\n'
check 'done' '. > 1000' "times slurmctld came in between"
check compared '. > 1000' "associations and QOS with running jobs, compared"
check used "$used" "sums of a QOS per account and user, compared"
check wrong '. == 0' "have other run seconds than a count from the start"
for act in untold cut cut_ended partition tried leaf stranger stranger_ended
do
	check $act '. == 0' "wrong sums behind what is unseen ($act)"
done
check spoilt '. == 1' "sum that somebody else made wrong, and no edit shows it"
check spoilt_later '. == 0' "wrong sums an hour later"
inside_end
