# SPDX-License-Identifier: GPL-2.0-or-later
#
# budget-check: what its programs share.

# Seconds that [a, b) and [c, d) have in common
function overlap(a, b, c, d)
{
	a = a > c ? a : c
	b = b < d ? b : d
	return b > a ? b - a : 0
}

# How much of TRES `name` there is in a list, NAME=COUNT,...
function part(list, name,   n, i, p)
{
	n = split(list, p, ",")
	for (i = 1; i <= n; i++)
		if (index(p[i], name "=") == 1)
			return substr(p[i], length(name) + 2) + 0
	return 0
}

# Seconds of [DAYS-][[HOURS:]MINUTES:]SECONDS
function span(t,   n, i, p, days, seconds)
{
	sub(/\..*/, "", t)
	days = seconds = 0
	if (t ~ /-/) {
		days = t + 0
		sub(/.*-/, "", t)
	}
	n = split(t, p, ":")
	for (i = 1; i <= n; i++)
		seconds = seconds * 60 + p[i]
	return days * 86400 + seconds
}

# A line of sacctmgr show qos
function read_qos(   q)
{
	split($0, q, "|")
	usage_factor[q[1]] = q[2] == "" ? 1 : q[2]
}
