#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The README does what it says: a site with priority/multifactor follows the
# steps of "Install", its users those of "The contract", and then it goes
# back.  Lines of the README that begin with "    # " or "    $ " are run as
# they are, by root or a user; lines like "    Key=Value" go to slurm.conf.
#
# SLURM_SOURCE: Slurm's source; without it, it is fetched.

set -u
# cluster.sh takes all SLURM_* out of the environment.
slurm_source=${SLURM_SOURCE:-}
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
stock=$(cluster_stock_plugindir)

# The site before slurm-budget comes
CLUSTER_PLUGINDIR=
CLUSTER_NODES='n1:h100:8 n2:b200:8'
CLUSTER_CONF_EXTRA='
AccountingStorageEnforce=associations
PriorityWeightFairshare=1000'

# section TITLE: its lines.  They name Debian's directory of plugins.
section()
{
	awk -v title="$1" '
	/^---+$/ {
		if (on)
			exit
		on = previous == title
		held = 0
		next
	}
	held { if (on) print previous }
	{ previous = $0; held = 1 }' "$top/README" |
		sed "s,/usr/lib/x86_64-linux-gnu/slurm-wlm,$stock,"
}

# ---- what stands for the site's machines

# shellcheck disable=SC2317
systemctl()
{
	[ "$*" = "restart slurmctld" ] && cluster_restart_ctld
}

# shellcheck disable=SC2317
scp()
{
	local file

	mkdir -p "$CLUSTER_DIR/login1"
	for file in "${@:1:$#-1}"; do
		cp "$DESTDIR$file" "$CLUSTER_DIR/login1" || return
	done
}

# The source, without what a build has left in it
unpack()
{
	mkdir "$CLUSTER_DIR/source" "$CLUSTER_DIR/root"
	tar -C "$top" --exclude=./build --exclude=./.git \
		--exclude=./autom4te.cache -cf - . |
		tar -C "$CLUSTER_DIR/source" -xf -
	# The machine is taken as it is, Slurm's source where it is known.
	printf '#!/bin/sh\n' >"$CLUSTER_DIR/source/scripts/install-packages"
	[ -z "$slurm_source" ] ||
		printf "#!/bin/sh\necho '%s'\n" "$slurm_source" \
			>"$CLUSTER_DIR/source/scripts/get-slurm-source"
	# What is built here is the recipe, not a product.
	export DESTDIR=$CLUSTER_DIR/root CFLAGS=-O0 MAKEFLAGS=-j2
}

# What "make install" has put into PluginDir is there for slurmctld.
# shellcheck disable=SC2317
plug_in()
{
	mkdir "$CLUSTER_DIR/plugins"
	cp "$DESTDIR$stock"/*.so "$CLUSTER_DIR/plugins" || return
	cluster_set_conf PluginDir "$CLUSTER_DIR/plugins:$stock"
}

# ---- following the README

# shellcheck disable=SC2317
by_root()
{
	eval "$1"
}

# shellcheck disable=SC2317
by_user()
{
	cluster_as anna env -C "$CLUSTER_DIR/home" bash -c "$1"
}

# run WHO COMMAND: in this shell, as a line may use a variable of the last one
run()
{
	if "$1" "$2" </dev/null >"$CLUSTER_DIR/out" 2>&1; then
		tap_pass "$2"
	else
		tap_fail "$2" "$(tail -n 20 "$CLUSTER_DIR/out")"
	fi
}

# obey: the lines of standard input
obey()
{
	local line

	while IFS= read -r line; do
		line=${line//7123/${train:-}}
		case $line in
		'    # '*)	run by_root "${line#    # }" ;;
		'    $ '*)	run by_user "${line#    $ }"
				: "${train:=$(submitted)}" ;;
		'    '[A-Z]*=*)	line=${line#    }
				cluster_set_conf "${line%%=*}" "${line#*=}" ;;
		esac
	done
}

submitted()
{
	sed -n 's/^Submitted batch job \([0-9]*\)$/\1/p' "$CLUSTER_DIR/out"
}

# ---- looks

# shellcheck disable=SC2317
in_force()
{
	cluster_log_new |
		sed -n 's/.*priority\/budget: settings in force: //p' |
		tail -n 1
}

sorted()
{
	tr ',' '\n' | sort | paste -sd ' '
}

# "word=default" of each row of the table
table_of_settings()
{
	section Settings | awk '
	/^  [a-z_]+=/ {
		word = $1
		sub(/=.*/, "", word)
		value = $2
		if (NF == 1) {
			getline
			value = $1
		}
		if (word != "word")
			print word "=" value
	}' | paste -sd ,
}

# slurm.conf.example with all that is commented out, one setting a line
whole_example()
{
	sed -n 's/^#\([A-Z][A-Za-z]*=\)/\1/; s/^#\([a-z_]*=\)/\1/; /^#/!p' \
		"$top/slurm.conf.example" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta'
}

# SystemComment, but for what is different each time
token()
{
	paste -sd ' ' | tr -s ' ' |
		sed -n 's/.*SystemComment=\(budget[^]]*\]\).*/\1/p' |
		sed 's/start=[0-9]*/start=N/; s/until=[0-9T:-]*/until=T/'
}

# shellcheck disable=SC2317
token_is()
{
	[ "$(scontrol show job "$1" | token)" = "$2" ]
}

# shellcheck disable=SC2317
has_class()
{
	scontrol show job "$1" | grep -q "class=$2 "
}

# ---------------------------------------------------------------- the site

cluster_prepare
cluster_tree <<END
account a1 parent=root
account b2 parent=root
account c3 parent=root
user anna account=a1
user ben account=b2
END
cluster_past_usage a1 anna billing 30 90 60
cluster_start
before=$(cluster_submit ben b2 --gres=gpu:1 --wrap='sleep 900')
tap_ok "a job runs under multifactor" \
	cluster_wait_job_state "$before" RUNNING

# ---------------------------------------------------------------- Install

unpack
cd "$CLUSTER_DIR/source" || exit
cluster_log_mark
# Steps 1 and 2: up to here nothing is for slurmctld
obey < <(section Install | sed '/^3\./,$d')
tap_is "$(cd "$DESTDIR${dir:-}" && printf '%s ' *)" \
	"job_submit_minruntime.so libbudget_board.so preempt_minruntime.so \
priority_budget.so " \
	"these plugins are installed where Slurm has its own"
tap_is "$(cd "$CLUSTER_DIR/login1" && echo *)" \
	'libbudget_board.so priority_budget.so' "and these on login1"
tap_ok "and sbudget in PREFIX/bin" test -x "$DESTDIR/usr/local/bin/sbudget"
cd "$top" || exit
tap_ok "slurmctld gets them" plug_in
obey < <(section Install | sed -n '/^3\./,/^7\./p')

tap_ok "the log has the settings in force" cluster_log_has \
	'priority/budget: settings in force: window=7-00:00:00,.*preempt=shadow'
tap_ok "and where the past came from" cluster_wait_until 20 cluster_log_has \
	'window filled from slurmdbd: 30 TRES-hours since'
tap_ok "budgets are as told" cluster_wait_until 10 cluster_share_is a1 '' \
	normshares 0.350000
tap_is "$(cluster_share c3 '' normshares) $(cluster_share root root normshares)" \
	'0.450000 0.000000' "all of them"
sed "s,$CLUSTER_DIR/plugins,$CLUSTER_DIR/login1," "$CLUSTER_CONF" \
	>"$CLUSTER_DIR/etc/login1.conf"
tap_is "$(SLURM_CONF=$CLUSTER_DIR/etc/login1.conf sshare -naP -o account)" \
	"$(sshare -naP -o account)" "sshare works on login1"
tap_is "$(cluster_job_state "$before")" RUNNING "the job runs on"

cluster_log_mark
obey < <(section Install | sed -n '/^7\./,$p')
tap_ok "preemption is on" cluster_wait_until 15 cluster_log_has \
	'settings in force: .*preempt=on'

# ---------------------------------------------------------------- users

mkdir -m 777 "$CLUSTER_DIR/home"
for script in train sweep debug; do
	printf '#!/bin/sh\nsleep 900\n' >"$CLUSTER_DIR/home/$script.sh"
done
theirs="The contract, for users"
train=
obey < <(section "$theirs" | sed '/scontrol/d')
tap_ok "the training job is protected" cluster_wait_until 20 token_is "$train" \
	'budget[class=allocated min-runtime=4:00:00 granted=4:00:00 why=full start=N protected-until=T evictions=0]'
tap_ok "the sweep is filler" cluster_wait_until 20 has_class \
	"$(squeue -h -n sweep.sh -t running -o %A | head -n 1)" unallocated
obey < <(section "$theirs" | grep scontrol)
tap_ok "its token is that of the README" cluster_wait_until 20 \
	token_is "$train" "$(section "$theirs" | token)"

# ---------------------------------------------------------------- settings

cluster_set_conf PriorityParameters no_such_word=1
cluster_log_mark
cluster_reconfigure
tap_ok "slurmctld says which words there are" cluster_wait_until 15 \
	cluster_log_has 'unknown word "no_such_word"; allowed:'
tap_is "$(table_of_settings | tr ',' '\n' | sed 's/=.*//' | sort |
	paste -sd ' ')" "$(cluster_log_new | sed -n \
	's/.*PriorityParameters: unknown word.*allowed: \([a-z_ ]*\).*/\1/p' |
	head -n 1 | tr ' ' '\n' | sort | paste -sd ' ')" "the README has all of them"
tap_ok "the README's example is taken" cluster_set_conf PriorityParameters \
	"$(section Settings | sed -n 's/^    PriorityParameters=//p')"
cluster_reconfigure
tap_ok "as it is" cluster_wait_until 15 cluster_log_has \
	'in force: window=14-00:00:00,.*burst=3,.*min_runtime_max@debug=30:00'
cluster_set_conf PriorityParameters ''
cluster_log_mark
cluster_reconfigure
tap_ok "without settings" cluster_wait_until 15 cluster_log_has \
	'in force: window=7-00:00:00'
tap_is "$(table_of_settings | sorted)" "$(in_force | sorted)" \
	"defaults are those of the README"
tap_is "$(whole_example | sed -n 's/^PriorityParameters=//p' | sorted)" \
	"$(in_force | sorted)" "and of slurm.conf.example"

sed -i '/^PartitionName/d' "$CLUSTER_CONF"
while IFS= read -r line; do
	cluster_set_conf "${line%%=*}" "${line#*=}"
done < <(whole_example)
cluster_log_mark
cluster_stop_ctld
tap_ok "slurmctld starts with all of slurm.conf.example" cluster_try_ctld
tap_is "$(in_force | sorted)" "$(table_of_settings | sorted)" \
	"which changes nothing"

for text in 'bytes in this slurmctld and' 'would be preempted by' \
    'slurmdbd does not answer: usage before this start is not in the window'; do
	grep -qF "${text% by}" "$top/README" &&
		grep -rqF --include='*.c' "$text" "$top/src"
	tap_is $? 0 "the README and slurmctld say \"$text\""
done

# ---------------------------------------------------------------- back

cluster_wait_nodes
used=$(cluster_share a1 '' rawusage)
back="Going back to priority/multifactor"
for key in $(section "$back" | sed -n '/^without/,/;/p' |
    grep -oE '\<(Priority|Preempt|Job)[A-Za-z]+'); do
	cluster_set_conf "$key" ''
done
obey < <(section "$back")
tap_is "$(scontrol show config | sed -n 's/^PriorityType *= *//p')" \
	priority/multifactor "back to multifactor"
tap_like "$(scontrol show config | grep -E 'PreemptType|JobSubmitPl')" \
	'\(null\).*(preempt/none|\(null\))' "nothing of ours is left"
tap_ok "which begins with the usage in the window" [ \
	"$(cluster_share a1 '' rawusage)" -ge "$used" ]
tap_is "$(cluster_job_state "$before") $(cluster_job_state "$train")" \
	'RUNNING RUNNING' "jobs run on"
tap_done
