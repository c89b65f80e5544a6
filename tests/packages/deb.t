#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Debian packages, and doc/admin-guide.md: a stock cluster with running jobs
# gets them, follows the guide to the letter to budgets in force, upgrades them,
# and goes back by the guide; no job is lost.  Commands behind "# " are run
# as they are, blocks of Key=Value go to slurm.conf.
#
# It installs and removes packages and replaces /etc/slurm/slurm.conf, so it
# wants a chroot:
#
#	scripts/in-debian bookworm tests/packages/deb.t

set -u
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 1
# shellcheck source=tests/cluster/cluster.sh disable=SC1091
. tests/cluster/cluster.sh

[ -f /.slurm-budget-complete ] ||
	tap_skip_all "not in a chroot of scripts/in-debian"

guide=doc/admin-guide.md
# shellcheck disable=SC2034
CLUSTER_PLUGINDIR='' CLUSTER_NODES='n1:h100:8 n2:b200:8'
# shellcheck disable=SC2034
CLUSTER_CONF_EXTRA='
AccountingStorageEnforce=associations
PriorityWeightFairshare=1000'
both=(slurm-budget-controller slurm-budget-client)

# ---------------------------------------------------------------- the guide

# section TITLE: its lines
section()
{
	awk -v title="## $1" '
	/^## /	{ on = $0 == title; next }
	on' $guide
}

# What stands for systemd
# shellcheck disable=SC2317
systemctl()
{
	[ "$*" = "restart slurmctld" ] && cluster_restart_ctld
}

# by_root COMMAND: in this shell, as a line may use a variable of another
by_root()
{
	# once is enough
	if [ "$1" = scripts/build-deb ] &&
	   compgen -G 'build/deb/*.deb' >/dev/null; then
		return
	fi
	if eval "$1" </dev/null >"$CLUSTER_DIR/out" 2>&1; then
		tap_pass "$1"
	else
		tap_fail "$1" "$(tail -n 20 "$CLUSTER_DIR/out")"
	fi
}

# obey: the blocks of standard input
obey()
{
	local line block=

	while IFS= read -r line; do
		line=${line#"${line%%[![:blank:]]*}"}
		case $block:$line in
		*:'```'*)		block=${line#'```'} ;;
		console:'# '*)		by_root "${line#'# '}" ;;
		ini:[A-Z]*=*)		cluster_set_conf "${line%%=*}" \
						"${line#*=}" ;;
		esac
	done
}

# ---------------------------------------------------------------- packages

apt()
{
	DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" </dev/null
}

forget_packages()
{
	local package

	for package in "${both[@]}"; do
		dpkg-query -W "$package" >/dev/null 2>&1 || continue
		SLURM_CONF=/dev/null dpkg --purge --force-depends "$package"
	done >/dev/null 2>&1
}

# newer DIRECTORY DEB OLD NEW: the package with other versions in it
newer()
{
	local tree=$1/tree

	rm -rf "$tree"
	dpkg-deb -R "$2" "$tree" &&
		sed -i "s/${3//./\\.}/$4/g" "$tree/DEBIAN/control" &&
		dpkg-deb --root-owner-group -b "$tree" "$1" >/dev/null
}

# An archive with the next release of Slurm's packages, as apt sees them
make_archive()
{
	local archive=$1 deb
	local -a installed

	mkdir -p "$archive/stock" "$archive/new" "$archive/lists/partial"
	mapfile -t installed < <(dpkg-query -W \
		-f '${Package} ${source:Package} ${db:Status-Status}\n' |
		awk '$2 == "slurm-wlm" && $3 == "installed" { print $1 }')
	(cd "$archive/stock" && apt download "${installed[@]}") \
		>/dev/null 2>&1 || return
	for deb in "$archive"/stock/*.deb; do
		newer "$archive/new" "$deb" "$slurm" "$slurm.next" || return
	done
	printf 'deb [trusted=yes] file:%s ./\n' "$archive/new" >"$archive/list"
	list_archive
}

list_archive()
{
	(cd "$archive/new" && dpkg-scanpackages -m . >Packages) 2>/dev/null
	with_archive -o APT::Sandbox::User=root update >"$CLUSTER_DIR/out"
}

# with_archive ARGUMENT...: apt-get with that archive alone
with_archive()
{
	apt-get -q -y -o Dir::Etc::sourcelist="$archive/list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::lists="$archive/lists" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
		"$@" </dev/null 2>&1
}

# ---------------------------------------------------------------- looks

config()
{
	scontrol show config | sed -n "s/^$1 *= *//p"
}

# shellcheck disable=SC2317
all_run()
{
	local id

	for id in "${jobs[@]}"; do
		[ "$(cluster_job_state "$id")" = RUNNING ] || return
	done
}

# ---------------------------------------------------------------- the site

forget_packages
compgen -G 'build/deb/*.deb' >/dev/null || scripts/build-deb >/dev/null ||
	cluster_bail "scripts/build-deb fails"
deb=$(echo build/deb/slurm-budget-controller_*.deb)
slurm=$(dpkg-query -W -f '${Version}' slurmctld)
tap_like "$(dpkg-deb -f "$deb" Version)" "^[0-9.]+\\+slurm${slurm//+/\\+}\$" \
	"the version carries Slurm's"
tap_like "$(dpkg-deb -f "$deb" Depends)" "slurmctld \\(= ${slurm//+/\\+}\\)" \
	"which is the only one it wants"
# Not packed: the refusal to be removed names one of them, and they each other.
tap_is "$(comm -23 <(grep -oE 'doc/[a-z-]+\.md' README | sort -u) \
	<(dpkg-deb -c "$deb" |
	  sed -nE 's,.*/slurm-budget-controller/([a-z-]+\.md)$,doc/\1,p' |
	  sort -u))" '' "it has the pages that README names"

cluster_prepare
mkdir -p /etc/slurm
# slurmctld and the commands read the cluster's, which is what admins edit.
ln -sf "$CLUSTER_CONF" /etc/slurm/slurm.conf
cluster_tree <<END
account a1 parent=root
account b2 parent=root
account c3 parent=root
user anna account=a1
user ben account=b2
END
cluster_past_usage a1 anna billing 30 90 60
cluster_start
jobs=()
for who in 'anna a1' 'ben b2'; do
	# shellcheck disable=SC2086
	jobs+=("$(cluster_submit $who --gres=gpu:1 --wrap='sleep 900')")
done
tap_ok "jobs run under multifactor" cluster_wait_until 30 all_run

# ---------------------------------------------------------------- install

obey < <(section Install)
stock=$(cluster_stock_plugindir)
for file in priority_budget preempt_minruntime job_submit_minruntime \
    libbudget_board; do
	tap_ok "$file.so is where Slurm's plugins are" \
		test -f "$stock/$file.so"
done
tap_is "$(config PriorityType)" priority/multifactor \
	"nothing has taken effect yet"
tap_ok "and jobs run" all_run
for page in priority_budget preempt_minruntime job_submit_minruntime; do
	tap_ok "there is a manual of $page" \
		test -f "/usr/share/man/man8/$page.8.gz"
done

cluster_log_mark
obey < <(section 'Migrate from multifactor')
tap_is "$(config PriorityType) $(config PreemptType)" \
	'priority/budget preempt/minruntime' "budgets are in force"
tap_ok "in shadow mode" cluster_log_has 'settings in force: .*preempt=shadow'
tap_ok "the past is in the window" cluster_wait_until 30 cluster_log_has \
	'window filled from slurmdbd: 30 TRES-hours since'
tap_ok "budgets are as told" cluster_wait_until 10 cluster_share_is a1 '' \
	normshares 0.350000
tap_ok "jobs run on" all_run

cluster_log_mark
jobs+=("$(cluster_submit anna a1 --gres=gpu:1 --comment=min-runtime=1h \
	--wrap='sleep 900')")
# grep -c fails when it counts none
obey < <(section Roll-out | grep -v 'grep -c')
tap_ok "preemption is on" cluster_wait_until 15 cluster_log_has \
	'settings in force: .*preempt=on'
tap_ok "jobs run on" cluster_wait_until 30 all_run
tap_ok "and a contract is signed" cluster_wait_until 20 eval \
	"scontrol show job ${jobs[2]} | grep -q 'granted=1:00:00'"

# ---------------------------------------------------------------- upgrade

archive=$CLUSTER_DIR/archive
if make_archive "$archive"; then
	out=$(with_archive -s upgrade)
	tap_like "$out" 'kept back:.*slurmctld' "apt keeps the next Slurm back"
	tap_unlike "$out" $'\n''(Inst|Remv) slurm' "and touches nothing of it"
	for package in build/deb/slurm-budget-*.deb; do
		newer "$archive/new" "$package" "$slurm" "$slurm.next"
	done
	list_archive
	out=$(with_archive -s upgrade)
	tap_like "$out" $'\n''Inst slurmctld ' "with new packages it comes"
	tap_like "$out" $'\n''Inst slurm-budget-controller ' "together with them"
else
	tap_skip "apt keeps the next Slurm back" \
		"Slurm's packages are not to be had"
fi

mkdir "$CLUSTER_DIR/next"
for package in build/deb/slurm-budget-*.deb; do
	newer "$CLUSTER_DIR/next" "$package" "+slurm$slurm" ".1+slurm$slurm"
done
was=$(stat -c %i "$stock/priority_budget.so")
tap_ok "upgrade while slurmctld runs" apt install "$CLUSTER_DIR"/next/*.deb
tap_unlike "$(stat -c %i "$stock/priority_budget.so")" "^$was\$" \
	"files are replaced, not written in place"
tap_ok "slurmctld lives on" scontrol ping
tap_ok "with all jobs" all_run
# Of Slurm itself there is no newer one.
obey < <(section Upgrade | grep -vE 'apt-get install slurmctld|SLURM_PREFIX=')
tap_ok "and after a restart" all_run

# ---------------------------------------------------------------- back

tap_nok "in use, the package refuses to be removed" \
	apt remove slurm-budget-controller
tap_ok "its files are there" test -f "$stock/preempt_minruntime.so"
tap_nok "so does the other one" apt remove slurm-budget-client
tap_ok "slurmctld still answers" scontrol ping

obey < <(section Rollback)
tap_is "$(config PriorityType)" priority/multifactor "back to multifactor"
tap_like "$(config PreemptType) $(config JobSubmitPlugins)" \
	'^(preempt/none|\(null\)) \(null\)$' "nothing of ours is named"
tap_ok "nothing of ours is installed" test ! -e "$stock/priority_budget.so"
tap_ok "no job is lost" all_run
cluster_restart_ctld
tap_ok "slurmctld starts again" scontrol ping
tap_ok "with all jobs" all_run
tap_ok "sshare works" sshare -al
rm -f /etc/slurm/slurm.conf{,.before-budget}
tap_done
