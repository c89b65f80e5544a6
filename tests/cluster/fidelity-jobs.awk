# SPDX-License-Identifier: GPL-2.0-or-later
#
# A made-up day of a cluster, scaled down to a minute or so, as the CSV that
# sbudget-sim --trace reads.
#
#	awk -v jobs=80 -v seed=1 -v scale=1 -v gap=1 -f fidelity-jobs.awk
#
# Debug jobs, training of one node or less, gangs of whole nodes, and filler
# that declares 0. All start again from nothing when they are evicted. SCALE:
# all times are so much longer. GAP: from one submission to the next, at most.
# CPUS: of a node; then jobs need some of them and memory, and some no GPU.

# Park and Miller's generator: exact in doubles.
function dice(n)
{
	seed = seed * 16807 % 2147483647
	return int(seed / 2147483647 * n)
}

function between(low, high)
{
	return low + dice(high - low + 1)
}

function seconds(low, high)
{
	return between(low * scale, high * scale)
}

function training()
{
	nodes = 1
	gpus = 2 ^ between(1, 3)
	runtime = seconds(6, 18)
	minimum = seconds(4, 8)
}

function gang()
{
	nodes = between(2, 4)
	gpus = 8 * nodes
	runtime = seconds(6, 12)
	minimum = seconds(5, 8)
}

function debug()
{
	nodes = 1
	gpus = 1
	runtime = seconds(2, 5)
	minimum = 5 * scale
}

function filler()
{
	nodes = 1
	gpus = 2 ^ between(0, 2)
	runtime = seconds(10, 25)
	minimum = 0
}

# Whole minutes, as in Slurm, and never so few that it matters.
function limit()
{
	return 60 * (int((runtime + 10) / 60) + between(1, 3))
}

# On each node; a node of CPUS has as many thousand MB.
function host(    each)
{
	each = gpus / nodes
	if (class >= 73 && !dice(3)) {
		gpus = 0
		cores = between(cpus / 8, cpus)
	} else {
		cores = each * between(1, cpus / 8)
	}
	if (!cores)
		cores = 1
	memory = between(100, 125 * cpus) * (each ? each : 1)
	return "," nodes * cores "," nodes * memory
}

BEGIN {
	seed = seed % 2147483646 + 1
	dice(1)
	users = split("a1 anna a1 adam b2 bert b2 bob c3 cleo c3 carl", user, " ")
	print "job_id,submit_s,runtime_s,gpus,nodes,timelimit_s," \
		"min_runtime_s,checkpoint_s,account,user" \
		(cpus ? ",cpus,mem_mb" : "")
	for (job = 1; job <= jobs; job++) {
		class = dice(100)
		if (class < 30)
			debug()
		else if (class < 65)
			training()
		else if (class < 73)
			gang()
		else
			filler()
		who = 2 * dice(users / 2) + 1
		more = cpus ? host() : ""
		printf "%d,%d,%d,%d,%d,%d,%d,0,%s,%s%s\n", job, submit,
			runtime, gpus, nodes, limit(), minimum,
			user[who], user[who + 1], more
		submit += seconds(0, gap)
	}
}
