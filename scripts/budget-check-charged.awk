# SPDX-License-Identifier: GPL-2.0-or-later
#
# budget-check: do charges follow the records?  Input: QOS (fd 3), associations
# (4), accounts that lost some (5), jobs that are known (6), records.

# Is a job with this name and comment unallocated?
function is_free(name, comment,   zero, c)
{
	if (index(free, "," name ","))
		return 1
	zero = "0+(:0+)*[smhd]?"
	c = tolower(comment)
	if (c ~ /^[ \t]*\{/) {
		if (c ~ "\"min-runtime\"[ \t]*:[ \t]*\"?" zero \
		    "\"?[ \t]*[,}]")
			return 1
		if (c ~ /"min-runtime"/)
			return 0
	} else {
		if (c ~ "(^|[ \t,;])min-runtime=" zero "([ \t,;]|$)")
			return 1
		if (c ~ /(^|[ \t,;])min-runtime=/)
			return 0
	}
	return undeclared == "free"
}

BEGIN {
	grain = int((width + 167) / 168)
	low_from = now - width + grain + slack
	high_from = now - width - grain - slack
	low_to = now - slack
}
FILENAME == "/dev/fd/3" {
	read_qos()
	next
}
FILENAME == "/dev/fd/4" {
	split($0, s, "|")
	depth = match(s[1], /[^ ]/) - 1
	account = substr(s[1], depth + 1)
	if (s[2] != "") {
		charged[account " " s[2]] += s[3]
		sum += s[3]
		below[parent[depth - 1]] += s[3]
	} else {
		parent[depth] = account
		usage[account] = s[3]
		if (depth)
			below[parent[depth - 1]] += s[3]
		else
			root = account
	}
	next
}
FILENAME == "/dev/fd/5" { gone[$1] = 1; next }
FILENAME == "/dev/fd/6" { known[$1] = 1; next }
{
	job = $1; start = $3; end = $4; state = $5
	# slurmdbd 22.05 gives a resized run the begin of the
	# whole run again.
	begin = start
	if (job == last_job && last_state ~ /RESIZING/)
		begin = last_end
	last_job = job; last_end = end; last_state = state
	if (!(start + 0) && !(end + 0))
		next
	running = !(end + 0)
	stop = running ? now : end
	lost = running && !(job in known)
	runaway += lost
	rate = part($9, tres)
	if ($10 in usage_factor)
		rate *= usage_factor[$10]
	if (!rate)
		next
	# Slurm 26.05 writes the last size over the first one.
	most = rate
	nodes = part($9, "node")
	if (state ~ /RESIZING/ && nodes && $12 > nodes) {
		most *= $12 / nodes
		resized++
	}
	# slurmdbd loses the start of a run that is requeued at once, and has
	# no second of it.  It may have begun at any time.
	startless = !(start + 0)
	if (startless) {
		begin = $2
		unstarted++
	}
	count++
	less = tres == "cpu" ? span($11) : 0
	high = most * (overlap(begin, stop, high_from, now) - less)
	low = rate * (overlap(begin, stop, low_from, now) - less)
	# What still runs was charged up to the last pass, and what
	# has just ended may wait for the next.
	if (running || stop > now - 3)
		low -= rate * overlap(begin, stop, low_to, now)
	# Nobody knows when it ended, or began.
	if (lost || startless)
		low = 0
	if (is_free($8, $13)) {
		unallocated += rate * overlap(begin, stop,
			now - width, now)
		high *= factor; low *= factor
	}
	who = $6 " " $7
	highs[who] += high; lows[who] += low
	high_sum += high; low_sum += low
}
END {
	# A user who was deleted and made again starts with nothing, and his
	# account has what he had used.
	for (who in highs) {
		split(who, p, " ")
		if (highs[who] > charged[who] + 0)
			left[p[1]] += highs[who] - charged[who]
	}
	for (account in usage) {
		rest = usage[account] - below[account]
		# Rounded, each of them
		if (rest < -1 || (rest > 1 + left[account] &&
		    !(account in gone)))
			printf "bad account %s has %.0f, what is " \
				"below it %.0f\n", account,
				usage[account], below[account]
	}
	total = usage[root]
	ok = total <= high_sum + 1 && total >= low_sum - 1
	recorded = sprintf("%.0f", low_sum)
	if (low_sum != high_sum)
		recorded = recorded sprintf(" to %.0f", high_sum)
	printf "%s charged %.0f, recorded %s, unallocated %.0f " \
		"(%s-seconds, %d records)\n", (ok ? "ok" : "bad"),
		total, recorded, unallocated, tres, count
	if (!ok && !comments && total < low_sum)
		printf "ok %.0f less than recorded: unallocated, " \
			"if comments were stored\n", low_sum - total
	if (runaway)
		printf "ok %d records without an end are of jobs that " \
			"are over: see sacctmgr show runawayjobs\n",
			runaway
	if (unstarted)
		printf "ok %d records have lost their start, and may be " \
			"charged\n", unstarted
	if (resized)
		printf "ok %d records of resized jobs have a later size, and " \
			"may be charged for all nodes they had\n", resized
	if (!each)
		exit
	for (who in charged)
		highs[who] += 0
	for (who in highs)
		if (charged[who] > highs[who] + 1 ||
		    charged[who] < lows[who] - 1)
			printf "bad %s: charged %.0f, recorded " \
				"%.0f to %.0f\n", who, charged[who],
				lows[who], highs[who]
}
