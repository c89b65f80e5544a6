# SPDX-License-Identifier: GPL-2.0-or-later
#
# budget-check: does sshare's EffectvUsage, a share among siblings, follow from
# their usage and from what running jobs are still protected for?  Input: QOS
# (fd 3), associations (4), running jobs.
#
# Who stands for another (Fairshare=parent) competes elsewhere, and so do the
# children of such an account: where one is, its siblings are not looked at.

function field(from, size,   text)
{
	text = substr($0, from, size)
	gsub(/^ +| +$/, "", text)
	return text
}

# What this job was granted, from its SystemComment; -1: it is not signed for
# this run.
function granted(start, text)
{
	if (!match(text, /(^| )budget\[class=[^]]*\]/))
		return -1
	text = substr(text, RSTART, RLENGTH - 1) " "
	if (!index(text, " start=" start " "))
		return -1
	sub(/.* granted=/, "", text)
	sub(/ .*/, "", text)
	return span(text)
}

function positive(x)
{
	return x > 0 ? x : 0
}

FILENAME == "/dev/fd/3" {
	read_qos()
	next
}
FILENAME == "/dev/fd/4" {
	split($0, s, "|")
	n++
	depth = match(s[1], /[^ ]/) - 1
	name[n] = substr(s[1], depth + 1) (s[2] == "" ? "" : " " s[2])
	usage[n] = s[3]
	share[n] = s[5]
	apart[n] = s[4] == "parent"
	account[n] = s[2] == ""
	up[n] = depth ? at[depth - 1] : 0
	at[depth] = n
	# One user in several partitions
	if (name[n] in row)
		blind[up[n]] = 1
	row[name[n]] = n
	next
}
$1 ~ /^[0-9]+$/ {
	count++
	ran = span(field(209, 20))
	rate = part(field(229, 512), tres)
	q = field(145, 64)
	if (q in usage_factor)
		rate *= usage_factor[q]
	if (tres == "cpu" && field(13, 4) == "S")
		rate = 0
	grant = granted(field(741, 20), field(761, 1024))
	unsigned += grant < 0
	low = high = 0
	if (most) {
		# A pass may not have seen it yet, or not for a while.
		low = ran > fresh ? positive(grant - ran) : 0
		high = positive((grant < 0 ? most : grant) - ran + slack)
	}
	who = field(17, 64) " " field(81, 64)
	if (!(who in row))
		who = field(17, 64)
	if (who in row) {
		lows[row[who]] += rate * low
		highs[row[who]] += rate * high
	}
}
END {
	# Parents stand before their children.
	for (i = n; i > 0; i--) {
		p = up[i]
		lows[p] += lows[i]
		highs[p] += highs[i]
		if (apart[i] && account[i])
			blind[p] = blind[i] = 1
		if (apart[i])
			continue
		low_sum[p] += usage[i] + lows[i]
		high_sum[p] += usage[i] + highs[i]
	}
	for (i = 1; i <= n; i++) {
		p = up[i]
		if (!p || apart[i] || p in blind)
			continue
		low = usage[i] + lows[i]
		rest = high_sum[p] - usage[i] - highs[i]
		low = low + rest > 0 ? low / (low + rest) : 0
		high = usage[i] + highs[i]
		rest = low_sum[p] - usage[i] - lows[i]
		high = high + rest > 0 ? high / (high + rest) : 0
		# Six digits are shown, and each sum is a whole number.
		off = 1e-6 + 1 / (1 + low_sum[p])
		if (share[i] >= low - off && share[i] <= high + off)
			continue
		printf "bad %s: its part of usage and committed is %.6f, " \
			"by usage and running jobs %.6f to %.6f\n", name[i],
			share[i], low, high
	}
	text = sprintf("%.0f", lows[1])
	if (lows[1] != highs[1])
		text = text sprintf(" to %.0f", highs[1])
	printf "ok committed %s (%s-seconds, %d running jobs, %d of them " \
		"not signed)\n", text, tres, count, unsigned
}
