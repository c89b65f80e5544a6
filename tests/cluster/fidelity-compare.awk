# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two accounts of the same jobs, each as sbudget-sim --attempts prints it: how
# far apart are they?
#
#	awk -f fidelity-compare.awk LIVE SIMULATED
#
# Prints NAME=VALUE. Starts and waits are those of first attempts; makespan is
# from the first submission to the last end.

BEGIN { FS = "," }

FNR == 1 {
	side++
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}

{
	job = $column["job_id"]
	start = $column["start_s"]
	jobs[job] = 1
	if ($column["outcome"] == "preempted") {
		preempted[side, job] = 1
		evictions[side]++
	}
	if (start == "")
		next
	if (!((side, job) in first) || start + 0 < first[side, job]) {
		first[side, job] = start + 0
		wait[side, job] = start - $column["eligible_s"]
	}
	if ($column["end_s"] + 0 > last[side])
		last[side] = $column["end_s"] + 0
}

function abs(x)
{
	return x < 0 ? -x : x
}

# Of all pairs that start at different times on both sides: in the same order,
# less in the other, as a part of them.
function kendall(  i, j, x, y, same, other)
{
	for (i = 1; i <= both; i++)
		for (j = 1; j < i; j++) {
			x = first[1, name[i]] - first[1, name[j]]
			y = first[2, name[i]] - first[2, name[j]]
			same += x * y > 0
			other += x * y < 0
		}
	return same + other ? (same - other) / (same + other) : 1
}

END {
	for (job in jobs) {
		if ((1, job) in preempted || (2, job) in preempted) {
			either++
			differ += !((1, job) in preempted) ||
				!((2, job) in preempted)
		}
		if (!((1, job) in first) || !((2, job) in first)) {
			alone++
			continue
		}
		name[++both] = job
		error = abs(first[1, job] - first[2, job])
		sum += error
		if (error > worst)
			worst = error
		waited[1] += wait[1, job]
		waited[2] += wait[2, job]
	}
	if (!both || !last[1]) {
		print "nothing to compare" >"/dev/stderr"
		exit 1
	}
	printf "jobs=%d\n", both
	printf "started_on_one_side=%d\n", alone
	printf "makespan_live=%d\nmakespan_sim=%d\n", last[1], last[2]
	printf "start_error_mean=%.2f\n", sum / both
	printf "start_error_worst=%d\n", worst
	printf "start_error_percent=%.2f\n", 100 * sum / both / last[1]
	printf "kendall=%.3f\n", kendall()
	printf "wait_live=%.2f\nwait_sim=%.2f\n", waited[1] / both,
		waited[2] / both
	printf "preemptions_live=%d\npreemptions_sim=%d\n", evictions[1],
		evictions[2]
	printf "preempted_either=%d\npreempted_differ=%d\n", either, differ
	printf "preempted_percent=%.1f\n", either ? 100 * differ / either : 0
}
