#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What preempt/minruntime keeps of a running job says nothing of another: jobs
# that could be preempted start anew with a minimum, be it in the second of
# their start, give their place in memory to another job, end, are suspended, or
# have preemption switched off, and are asked about before the next look.  And
# the queue is in the order of waiting jobs' comments at the last look, and of
# who has a budget now.  In the build directory, inside slurmctld (bench.c).

set -u

# shellcheck source=tests/bench/inside.sh
. "$(dirname "$0")/inside.sh"

inside_slurmctld
inside_need jq
inside_measure stale jobs=2000 running=400 assocs=200 \
	rounds=1 calls=4000
printf '1..6\n'
check asked '. > 100' "jobs that could be preempted, until they changed"
check wrong '. == 0' "of them, could be preempted still"
check sorted '. > 100' "pairs of waiting jobs, one of which is free work in turn"
check disorder '. == 0' "of them, not in the order of their comments"
check funded '. > 10' "pairs, one of which loses its budget and has it again"
check misfunded '. == 0' "times that they were not in the order of budgets"
inside_end
