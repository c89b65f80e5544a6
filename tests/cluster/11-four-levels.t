#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Institutes, programs, projects, researchers: all under the better branch
# stand before all under the worse, ties are ties, whatever the order of
# creation; and the order follows what admins do to the tree.
#
# Each researcher has one waiting job.  What is expected comes from a small
# Fair Tree of our own, in awk, that knows budgets and usage only.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:h100:1

# Parents first.  used= is in GPU-hours and not for sacctmgr.
#   i3 has used nothing: a tie of all its researchers.
#   q121, q122 have used nothing: a tie, but only within p12.
#   q221, q222 are equal in budget and usage: their researchers are one list.
#   q113 stands for p11 itself, its researchers compete with p11's projects.
#   q123 has no budget.
#   Researchers that share their project's rank, or have no budget.
tree='
account i1 parent=root fairshare=60
account i2 parent=root fairshare=35
account i3 parent=root fairshare=5
account p11 parent=i1 fairshare=3
account p12 parent=i1 fairshare=2
account p21 parent=i2 fairshare=1
account p22 parent=i2 fairshare=1
account p31 parent=i3 fairshare=1
account p32 parent=i3 fairshare=9
account q111 parent=p11 fairshare=1
account q112 parent=p11 fairshare=2
account q113 parent=p11 fairshare=parent
account q121 parent=p12 fairshare=1
account q122 parent=p12 fairshare=3
account q123 parent=p12 fairshare=0
account q124 parent=p12 fairshare=4
account q211 parent=p21 fairshare=5
account q212 parent=p21 fairshare=3
account q221 parent=p22 fairshare=1
account q222 parent=p22 fairshare=1
account q311 parent=p31 fairshare=1
account q321 parent=p32 fairshare=1
account q322 parent=p32 fairshare=4
user r01 account=q111 fairshare=1 used=31
user r02 account=q111 fairshare=2 used=17
user r03 account=q111 fairshare=parent used=9
user r04 account=q111 fairshare=parent
user r05 account=q111 fairshare=0
user r06 account=q112 fairshare=1 used=3
user r07 account=q112 fairshare=1 used=83
user r08 account=q113 fairshare=1 used=19
user r09 account=q113 fairshare=2 used=11
user r10 account=q121 fairshare=1
user r11 account=q121 fairshare=7
user r12 account=q122 fairshare=1
user r13 account=q123 fairshare=1 used=2
user r14 account=q123 fairshare=parent
user r15 account=q124 fairshare=1 used=40
user r16 account=q211 fairshare=1 used=53
user r17 account=q211 fairshare=1 used=13
user r18 account=q212 fairshare=1 used=29
user r19 account=q212 fairshare=0 used=1
user r20 account=q221 fairshare=1 used=10
user r21 account=q221 fairshare=1 used=2
user r22 account=q222 fairshare=1 used=7
user r23 account=q222 fairshare=1 used=5
user r24 account=q311 fairshare=1
user r25 account=q311 fairshare=3
user r26 account=q321 fairshare=1
user r27 account=q322 fairshare=2'

# Same lines, the other way round within each level
backwards()
{
	local level

	for level in 'account i' 'account p' 'account q' 'user '; do
		grep "^$level" <<<"$tree" | tac
	done
}

# The path of ratios from the top down to each user of standard input, or with
# -v accounts=1 "ACCOUNT RATIO" of those who have one.
paths()
{
	awk "$@" '
	function fs_parent(n) {
		for (n = parent[n]; shares[n] == "parent"; n = parent[n])
			;
		return n
	}
	function funded(n) {
		for (; n != "root"; n = parent[n])
			if (shares[n] == "0")
				return 0
		return 1
	}
	function ratio(n, p) {
		if (!funded(n))
			return 1e9
		if (shares[n] == "parent")
			return -1
		p = fs_parent(n)
		if (!sum[p])
			return 0
		return usage[n] / sum[p] / (shares[n] / all[p])
	}
	function path(n, text, r) {
		for (text = ""; n != "root"; n = fs_parent(n)) {
			r = sprintf("%016.6f", ratio(n) + 1)
			# All without a budget are one tie.
			text = r >= "001000000000" ? r : r " " text
		}
		return text
	}
	NF {
		name[++count] = $2
		user[$2] = $1 == "user"
		for (i = 3; i <= NF; i++) {
			split($i, word, "=")
			if (word[1] == "fairshare")
				shares[$2] = word[2]
			else if (word[1] == "used")
				used[$2] = word[2]
			else
				parent[$2] = word[2]
		}
	}
	END {
		for (i = 1; i <= count; i++)
			for (n = name[i]; n != "root"; n = parent[n])
				usage[n] += used[name[i]]
		for (i = 1; i <= count; i++)
			if (shares[n = name[i]] != "parent") {
				sum[fs_parent(n)] += usage[n]
				all[fs_parent(n)] += shares[n]
			}
		for (i = 1; i <= count; i++) {
			n = name[i]
			if (user[n] && !accounts)
				print n, path(n)
			if (!user[n] && accounts && funded(n) &&
			    shares[n] != "parent")
				printf "%s %.3f\n", n, ratio(n)
		}
	}'
}

# "NAME KEY" -> "r01,r02 r03 ...": smallest key first, equal ones together
dense()
{
	sort -k 2 -k 1,1 | awk '
		{ key = $0; sub(/^[^ ]* /, "", key) }
		NR > 1 { printf "%s", key == last ? "," : " " }
		{ printf "%s", $1; last = key }
		END { print "" }'
}

expected()
{
	paths <<<"$tree" | dense
}

# From the priorities of the waiting jobs
order()
{
	sprio -h -o '%u %Y' |
		awk '{ printf "%s %010.0f\n", $1, 2^32 - $2 }' |
		sort -u | dense
}

# shellcheck disable=SC2317
in_order()
{
	[ "$(order)" = "$(expected)" ]
}

# order_is NAME
order_is()
{
	if cluster_poll 20 in_order; then
		tap_pass "$1"
	else
		tap_is "$(order)" "$(expected)" "$1"
	fi
}

# sshare's ratios, of all accounts that have one
ratios()
{
	sshare -nP -o account,user,rawshares,levelfs | awk -F '|' '
		{ sub(/^ */, "", $1) }
		$1 == "root" || $2 != "" || $3 == "parent" || $4 == 0 { next }
		{ printf "%s %.3f\n", $1, $4 == "inf" ? 0 : 1 / $4 }' | sort
}

# boot LINES: the tree, its past, one waiting job for each researcher
boot()
{
	local line used filler

	cluster_prepare
	cluster_tree < <(awk '{ sub(/ used=.*/, ""); print }' <<<"$1")
	cluster_tree <<<'modify user root set fairshare=parent'
	while read -r line; do
		[[ $line =~ ^user\ (.*)\ account=([^ ]*).*used=(.*) ]] || continue
		cluster_past_usage "${BASH_REMATCH[2]}" "${BASH_REMATCH[1]}" \
			billing "${BASH_REMATCH[3]}" 150 100
	done <<<"$1"
	cluster_start
	used=$(awk -F used= '{ n += $2 } END { print n * 3600 }' <<<"$1")
	cluster_wait_until 20 cluster_share_is root '' rawusage "$used"

	filler=$(cluster_submit root root --gres=gpu:1 --comment=min-runtime=0)
	cluster_wait_job_state "$filler" RUNNING ||
		cluster_bail "the cluster does not fill up"
	while read -r line; do
		[[ $line =~ ^user\ (.*)\ account=([^ ]*) ]] || continue
		cluster_submit "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" \
			--gres=gpu:1 >/dev/null
	done <<<"$1"
}

# edit SED-EXPRESSION SACCTMGR-ARGUMENTS...: what an admin does, here and there
edit()
{
	tree=$(sed -E "$1" <<<"$tree")
	shift
	cluster_sacctmgr "$@"
}

# delete_user USER ACCOUNT
# shellcheck disable=SC2317
delete_user()
{
	scancel -u "$1"
	cluster_wait_until 20 cluster_sacctmgr delete user "$1" account="$2"
}

tap_diag "expected: $(expected)"

# First a cluster whose accounts were created in the other order
boot "$(backwards)"
order_is "all under the better branch outranks all under the worse"
tap_is "$(ratios)" "$(paths -v accounts=1 <<<"$tree" | sort)" \
	"sshare has the ratios"
cluster_stop

boot "$tree"
order_is "the order of creation does not matter"

# What admins do.  Nothing tells a priority plugin, it has to see by itself.
edit 's/(account i1 .*fairshare=)60/\1600/' \
	modify account i1 set fairshare=600
cluster_reconfigure
order_is "a changed Fairshare counts after reconfigure"
tap_is "$(ratios)" "$(paths -v accounts=1 <<<"$tree" | sort)" \
	"and in the ratios"

edit 's/(user r07 .*fairshare=)1/\150/' \
	modify user r07 account=q112 set fairshare=50
tap_is "$(expected | grep -o 'r07 r06')" 'r07 r06' "colleagues change places"
last=$(cluster_submit r24 q311 --gres=gpu:1)
order_is "without reconfigure it counts with the next job"
scancel "$last"

before=$(cluster_share p21 '' rawusage)
edit 's/(account q211 parent=)p21/\1p22/' modify account q211 set parent=p22
cluster_reconfigure
order_is "an account that moves takes its researchers along"
tap_is "$before $(cluster_share p21 '' rawusage) \
$(cluster_share p22 '' rawusage) $(cluster_share q211 '' rawusage)" \
	"$((96 * 3600)) $((30 * 3600)) $((90 * 3600)) $((66 * 3600))" \
	"and its history"

# r16 leaves.  slurmdbd does not delete who has jobs, and it learns of an end
# a little later.
tap_ok "a researcher is deleted" delete_user r16 q211
tree=$(sed -E '/^user r16 /d;s/^(account q211 .*)/\1 used=53/' <<<"$tree")
cluster_reconfigure
order_is "the order of the others is right"
tap_is "$(cluster_share q211 r16 rawusage) \
$(cluster_share q211 '' rawusage) $(cluster_share q211 r17 effectvusage)" \
	" $((66 * 3600)) 1.000000" "the project keeps what it has used"

CLUSTER_UNCHECKED="RawUsage=0 forgives what there are records of"
edit 's/(user r02 .*) used=.*/\1/' \
	modify user r02 account=q111 set rawusage=0
cluster_reconfigure
order_is "RawUsage=0 forgives a user"
tap_is "$(cluster_share q111 r02 rawusage) \
$(cluster_share q111 '' rawusage)" "0 $((40 * 3600))" "sshare says so"
edit '/q22[12]/s/ used=.*//' modify account p22 set rawusage=0
tree=$(sed -E '/q211/s/ used=.*//' <<<"$tree")
cluster_reconfigure
order_is "and an account, with all below"
tap_is "$(cluster_share p22 '' rawusage) $(cluster_share q222 r22 rawusage) \
$(cluster_share i2 '' rawusage)" "0 0 $((30 * 3600))" "sshare says that, too"

cluster_user r28
edit "\$a user r28 account=q212 fairshare=9" \
	add user r28 account=q212 fairshare=9
cluster_submit r28 q212 --gres=gpu:1 >/dev/null
order_is "who is new has a place from the first job on"

# slurmctld's own state, and ours, agree after a restart
cluster_restart_ctld
order_is "a restart changes nothing"
tap_is "$(ratios)" "$(paths -v accounts=1 <<<"$tree" | sort)" \
	"nor do ratios"
tap_done
