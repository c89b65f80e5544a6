# SPDX-License-Identifier: GPL-2.0-or-later
#
# helgrind.awk - what valgrind's helgrind says of our code and Slurm's.
# IN: its log without the "==PID== "; -v ours=REGEX: our code in a stack.
# OUT: reports with our code in them, but for those that are known:
#
#   both sides of a race are ours, or the memory is (the board): helgrind takes
#	C11's atomics for races; 44-threads.t looks at these
#   last_job_update, last_node_update: read without a lock, by Slurm's own
#	threads as well; who reads too early reads them at his next look
#   slurmctld_config: is slurmctld in control? asked again under its locks
#   slurm_persist_conn_open(): Slurm's reads of slurm_conf, as in its own agent
#   pact_t.seen: written under the job read lock by the only thread that reads
#	it; all others hold the write lock. Helgrind counts write locks only
#   assoc_mgr_lock(): takes its own locks in two orders
#   preempt_p_ and the lock of the job list: see 44-threads.t

# The access and what it conflicts with, or where the memory is from, are ours
function both_ours(    parts, i, n, hits)
{
	n = split(text, parts, /\n *\n|alloc'd/)
	for (i = 1; i <= n; i++)
		hits += parts[i] ~ ours
	return hits > 1
}

# All the locks of the report are taken by assoc_mgr_lock()
function between_assoc_mgr(    lines, i, n)
{
	n = split(text, lines, "\n")
	for (i = 2; i < n; i++)
		if (lines[i - 1] ~ /acquisition of lock|first observed/ &&
		    lines[i + 1] !~ /: assoc_mgr_lock /)
			return 0
	return 1
}

function known()
{
	if (text ~ /lock order/)
		return text ~ /preempt_p_/ || between_assoc_mgr()
	return both_ours() || text ~ /slurm_persist_conn_open/ ||
		text ~ /_look_at_(started|pending) / ||
		text ~ /symbol "(last_job_update|last_node_update|slurmctld_config)"/
}

function judge()
{
	if (text ~ ours && text !~ /^\n*Thread #[0-9]+ was created/ && !known())
		print text
	text = ""
}

/^---/ { judge(); next }
/^(Helgrind, |Process terminating)/ { next }
{ text = text $0 "\n" }
END { judge() }
