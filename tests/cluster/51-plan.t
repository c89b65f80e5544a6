#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sbudget plan: a plan is checked, shown, and set as a whole or not at all; a
# bad one says where it is bad and changes nothing.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/sbudget.sh
. "$(dirname "$0")/sbudget.sh"

# shellcheck disable=SC2034  # cluster.sh reads them
{
CLUSTER_NODES='n[1-2]:h100:8'
CLUSTER_PRIORITY=priority/budget
}

budgets()
{
	sacctmgr -nP list assoc format=account,user,share
}

# share ACCOUNT: as slurmdbd has it
share()
{
	sacctmgr -nP list assoc account="$1" user= format=share
}

# shellcheck disable=SC2317
ctld_has()
{
	[ "$(cluster_share "$1" '' rawshares)" = "$2" ]
}

# plan NAME: standard input becomes a file
plan()
{
	cat >"$CLUSTER_DIR/$1.json"
}

# refused NAME REGEX [COMMAND]: the plan of this name is refused with one line
# that fits, and nothing is changed
refused()
{
	local before out rc

	before=$(budgets)
	out=$(sbudget plan "${3:-apply}" --yes "$CLUSTER_DIR/$1.json" 2>&1)
	rc=$?
	if [ $rc = 1 ] && [ "$(wc -l <<<"$out")" = 1 ] &&
	   [[ $out =~ $2 ]] && [ "$before" = "$(budgets)" ]; then
		tap_pass "refused: $1"
	else
		tap_fail "refused: $1" "status $rc, said: $out" \
			$'\n'"expected: /$2/"
	fi
}

sbudget_need
cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=35
account b2 parent=root fairshare=20
account c3 parent=root fairshare=45
account c3x parent=c3 fairshare=3
account c3y parent=c3 fairshare=1
user anna account=a1
user ben account=b2
user carla account=c3x
user cleo account=c3y
user cora account=c3
modify user root set fairshare=parent
add coordinator account=c3 names=cora
END
cluster_past_usage a1 anna billing 280 150 0
cluster_past_usage b2 ben billing 250 150 0
cluster_past_usage c3x carla billing 470 150 0
cluster_start
cluster_wait_until 20 cluster_share_is root '' rawusage 3600000 ||
	cluster_bail "the past is not there"

# ------------------------------------------------------------ export, diff

tap_ok "the present as a plan" sbudget plan export "$CLUSTER_DIR/now.json"
tap_like "$(sbudget plan check "$CLUSTER_DIR/now.json")" \
	'valid, 5 accounts, 0 to change' "which changes nothing"
tap_is "$(cluster_as ben sbudget plan export)" \
	"$(cat "$CLUSTER_DIR/now.json")" "users can export, too"

plan good <<END
{
  // budgets of this quarter
  "version": 1, "cluster": "budget",
  "accounts": [
    { "account": "a1", "parent": "root", "shares": 20, "owner": "alice" },
    { "account": "b2", "shares": 45, "note": "until the paper is out" },
    { "account": "c3", "total": 10, "periods": [
        { "from": "2020-01-01", "until": "2300-01-01", "shares": 35 },
        { "from": "2300-01-01", "gpu_hours": 5000,
          "until": "2300-02-01", "note": "far ahead" } ] },
    { "account": "c3x", "parent": "c3", "shares": 7 },
    { "account": "c3y", "parent": "c3", "shares": 3 }
  ]
}
END
good=$CLUSTER_DIR/good.json
tap_ok "a good plan" sbudget plan check "$good"
tap_ok "without a cluster" env SLURM_CONF=/nowhere \
	sbudget plan check --offline "$good"
diff=$(sbudget plan diff -hP -o account,old_shares,new_shares,old_budget,new_budget,old_ratio,new_ratio,old_rank,new_rank "$good" | sort)
tap_is "$(grep -E '^(a1|b2|c3)\|' <<<"$diff" | paste -sd ' ')" \
	"a1|35|20|35.00|20.00|0.800|1.400|2|5 b2|20|45|20.00|45.00|1.250|0.556|5|2 c3|45|35|45.00|35.00|1.044|1.343|3|3" \
	"diff: shares, ratios and ranks before and after"
tap_is "$(budgets | grep -c '^a1||35$')" 1 "diff changes nothing"
tree=$(sbudget plan diff --json "$good" | json plan.tree)

# ------------------------------------------------------------ apply

exits 1 "nobody says yes" sbudget plan apply "$good"
exits 1 "another tree is expected" \
	sbudget plan apply --yes --expect=0123456789abcdef "$good"
out=$(cluster_as ben sbudget plan apply --yes "$good" 2>&1)
tap_is $? 1 "an ordinary user may not"
tap_like "$out" 'slurmdbd refuses: Access/permission denied' "and is told"
# She coordinates c3: she could set c3x and c3y, but not the rest.
before=$(budgets)
exits 1 "a coordinator may not set all" \
	cluster_as cora sbudget plan apply --yes "$good"
tap_is "$(budgets)" "$before" "so nothing of it is set"
tap_ok "apply" sbudget plan apply --yes --expect="$tree" "$good"
tap_is "$(budgets | grep -vE '^root' | paste -sd ' ')" \
	"a1||20 a1|anna|1 b2||45 b2|ben|1 c3||35 c3|cora|1 c3x||7 c3x|carla|1 c3y||3 c3y|cleo|1" \
	"what the plan names, and nothing else"
tap_ok "slurmctld has heard of it" cluster_wait_until 20 ctld_has b2 45
tap_like "$(sbudget plan apply --yes "$good")" 'nothing to change' \
	"once is enough"
tap_is "$(sbudget show -hP -A b2 -o ratio)" \
	"$(awk -v l="$(cluster_share b2 '' levelfs)" \
		'BEGIN { printf "%.3f\n", 1 / l }')" "show agrees"

# Changed in the database behind slurmctld's back, as by a sacctmgr whose
# change is still on its way
cluster_sql "update budget_assoc_table set shares=9 where acct='b2' and
	user=''"
before=$(budgets)
out=$(sbudget plan apply --yes "$CLUSTER_DIR/now.json" 2>&1 >/dev/null)
tap_is $? 1 "the tree has changed meanwhile"
tap_like "$out" 'the tree has changed meanwhile' "and so it is said"
tap_is "$(budgets)" "$before" "nothing is set"
cluster_sql "update budget_assoc_table set shares=45 where acct='b2' and
	user=''"

# With users, parent, and hours: 300 and 100 hours in 100 hours, 3 and 1 GPUs
plan hours <<END
{ "version": 1, "accounts": [
  { "account": "c3x", "gpu_hours": 300,
    "from": "2020-01-01T00:00:00", "until": "2020-01-05T04:00:00" },
  { "account": "c3y", "gpu_hours": 100,
    "from": "2020-01-01T00:00:00", "until": "2020-01-05T04:00:00" },
  { "account": "c3", "user": "cora", "shares": "parent" },
  { "account": "a1", "user": "anna", "shares": 12 } ] }
END
tap_like "$(sbudget plan apply --yes --at=2021-01-01 \
	"$CLUSTER_DIR/hours.json")" '2 without a budget then are left alone' \
	"out of their period"
tap_is "$(budgets | grep -E 'anna|cora|c3[xy]\|\|' | paste -sd ' ')" \
	"a1|anna|12 c3|cora|parent c3x||7 c3y||3" "users are set all the same"
tap_ok "in it" sbudget plan apply --yes --at=2020-01-02 \
	"$CLUSTER_DIR/hours.json"
tap_is "$(share c3x) $(share c3y)" '3000 1000' "hours become shares"

# Many at a time: all different, accounts as well as users
{
	printf '{ "version": 1, "accounts": [\n'
	n=11
	for account in a1 b2 c3 c3x; do
		printf '{ "account": "%s", "shares": %d },\n' $account $n
		n=$((n + 1))
	done
	printf '{ "account": "c3y", "shares": 15 } ] }\n'
} | plan many
tap_ok "many" sbudget plan apply --yes "$CLUSTER_DIR/many.json"
tap_is "$(for a in a1 b2 c3 c3x c3y; do share $a; done | paste -sd ' ')" \
	'11 12 13 14 15' "each its own"
cluster_wait_until 20 ctld_has c3y 15

# ------------------------------------------------------------ broken plans

# bad NAME REGEX: a plan of which line 3 is standard input
bad()
{
	{
		printf '{ "version": 1, "accounts": [\n'
		printf '  { "account": "b2", "shares": 5 },\n'
		cat
		printf '] }\n'
	} | plan "$1"
	refused "$1" "$2"
}

bad cycle 'line [34]: \$\.accounts\[[12]\]\.parent: .*below itself' <<'END'
  { "account": "c3", "parent": "c3x", "shares": 1 },
  { "account": "c3x", "parent": "c3", "shares": 1 }
END
bad unknown 'line 3: \$\.accounts\[1\]\.account: no such account' <<'END'
  { "account": "nosuch", "shares": 1 }
END
bad unknown-user 'line 3: \$\.accounts\[1\]\.user: no such user' <<'END'
  { "account": "a1", "user": "ben", "shares": 1 }
END
bad other-parent 'line 3: \$\.accounts\[1\]\.parent: is "c3" in Slurm' <<'END'
  { "account": "c3x", "parent": "b2", "shares": 1 }
END
bad duplicate 'line 3: \$\.accounts\[1\]\.account: comes twice' <<'END'
  { "account": "b2", "shares": 6 }
END
bad duplicate-key 'line 3: \$\.accounts\[1\]\.shares: .*comes twice' <<'END'
  { "account": "a1", "shares": 6, "shares": 7 }
END
bad negative 'line 4: \$\.accounts\[1\]\.shares: must be a whole number' <<'END'
  { "account": "a1",
    "shares": -6 }
END
bad total 'line 3: \$\.accounts\[1\]\.total: .* 9 shares together, not 10' \
	<<'END'
  { "account": "c3", "shares": 1, "total": 10 },
  { "account": "c3x", "parent": "c3", "shares": 4 },
  { "account": "c3y", "parent": "c3", "shares": 5 }
END
bad overlap 'line 5: \$\.accounts\[1\]\.periods\[1\]: overlaps' <<'END'
  { "account": "a1", "periods": [
      { "from": "2026-01-01", "until": "2026-06-01", "shares": 1 },
      { "from": "2026-05-01", "until": "2026-07-01", "shares": 2 } ] }
END
# Newer releases of json-c refuse the number themselves.
bad huge 'line 3: (\$\.accounts\[1\]\.shares: .* to 1000000000|not JSON)' \
	<<'END'
  { "account": "a1", "shares": 99999999999999999999 }
END
bad not-json 'line 3: not JSON' <<'END'
  { "account": "a1" "shares": 3 }
END
bad wrong-type 'line 3: \$\.accounts\[1\]\.shares: must be a whole' <<'END'
  { "account": "a1", "shares": [ 3 ] }
END
bad misspelt 'line 3: \$\.accounts\[1\]\.share: .*"shares" was meant' <<'END'
  { "account": "a1", "share": 3 }
END
bad mixed 'line 4: \$\.accounts\[2\].*: has gpu_hours' <<'END'
  { "account": "c3", "shares": 3 },
  { "account": "c3x", "parent": "c3", "gpu_hours": 3 },
  { "account": "c3y", "parent": "c3", "shares": 3 }
END
bad beside-hours 'line 3: \$\.accounts\[1\]\.gpu_hours: "c3y" beside it' <<'END'
  { "account": "c3x", "gpu_hours": 3 }
END
bad another-cluster 'line 3: .*' <<'END'
  { "account": "a1", "shares": 3 }, "end"
END
{
	printf '{ "version": 1, "note": "'
	head -c 10000000 /dev/zero | tr '\0' x
	printf '", "accounts": [ { "account": "a1", "shares": 3 } ] }\n'
} | plan ten-megabytes
refused ten-megabytes 'longer than 8 MiB'
plan elsewhere <<<'{ "version": 1, "cluster": "moon", "accounts": [
	{ "account": "a1", "shares": 3 } ] }'
refused elsewhere 'for "moon", this is "budget"'
refused nowhere 'nowhere.json: No such file'
exits 2 "no such command" sbudget plan nosuch
exits 2 "no file" sbudget plan diff
exits 2 "no date" sbudget plan diff --at=tomorrow "$good"

# ------------------------------------------------------------ slurmdbd

cluster_set_conf MessageTimeout 3
cluster_stop_dbd
out=$(sbudget plan apply --yes "$good" 2>&1 >/dev/null)
tap_is $? 1 "slurmdbd is down"
tap_like "$out" 'sbudget: error: .*slurmdbd' "a clear message"
tap_like "$out" 'nothing was changed' "nothing was changed"
tap_like "$(sbudget 2>&1 >/dev/null)" 'no unallocated hours: slurmdbd' \
	"show goes without"
cluster_start_dbd
tap_is "$(share a1)" 11 "as before"
tap_done
