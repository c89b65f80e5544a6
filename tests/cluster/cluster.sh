# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Some arguments are optional:
# shellcheck disable=SC2119,SC2120
#
# cluster.sh - a private Slurm cluster on one machine, for the numbered tests
# beside this file and for ./demo.  Source it, as root, from bash:
#
#	. "$(dirname "$0")/cluster.sh"
#	cluster_start
#	cluster_tree <<-END
#	account a1 parent=root fairshare=35
#	user u1 account=a1
#	END
#	id=$(cluster_submit u1 a1 --gres=gpu:1)
#	tap_ok "it runs" cluster_wait_job_state "$id" RUNNING
#	tap_done
#
# munged, mariadbd, slurmdbd, slurmctld and one slurmd per node run as root in
# one directory under $TMPDIR, on 127.0.0.1, on ports of their own.  They
# share nothing with a Slurm, munge or MariaDB of the host: other sockets,
# other keys, other ports, and SLURM_CONF is set for the commands of the test.
# Any number of clusters may run at a time.
#
# USERS.  Slurm wants its users to exist.  They do, in a passwd file of the
# cluster that libnss_wrapper, preloaded into daemons and commands, puts
# before the C library; /etc/passwd stays as it is.  cluster_tree adds the
# users it names, cluster_user adds others.
#
# ENDING.  Every process of the cluster carries CLUSTER_TAG=<directory> in its
# environment, so that stopping finds daemons, steps and jobs without ever
# ending anybody else's.  cluster_stop runs at exit and on signals; when the
# shell itself is killed, a watchdog process does it within a second or so.
#
# CHECKED.  A test of priority/budget ends with one more: scripts/budget-check
# finds that every second was charged once and every commitment counted.  Who
# breaks just that says why in CLUSTER_UNCHECKED.
#
# VARIABLES, set before cluster_start:
#
#	CLUSTER_NODES		words NAMES:TYPE:GPUS[:CPUS[:MEMORY]]
#	CLUSTER_BILLING		TRESBillingWeights of the default partition
#	CLUSTER_PARTITIONS	PartitionName lines instead of the default one
#	CLUSTER_PRIORITY	PriorityType
#	CLUSTER_PLUGINDIR	directories (with ':') whose plugins go before
#				Slurm's own; they are copied, and so are the
#				commands in bin below them, to be in PATH
#	CLUSTER_CONF_EXTRA	slurm.conf lines; replace a default of that key
#	CLUSTER_DBD_EXTRA	slurmdbd.conf lines, likewise
#	CLUSTER_DURABLE		1: the database survives a kill of the machine
#	CLUSTER_CTLD_PREFIX	words put before slurmctld, e.g. valgrind
#	CLUSTER_PATIENCE	factor on every bound, for slow machines
#	CLUSTER_BAIL		tap or plain: how to say there is no cluster
#	CLUSTER_UNCHECKED	why the end is not checked, at any time
#	CLUSTER_CACHE		where the empty database is kept for next time
#
# After cluster_prepare: CLUSTER_DIR, CLUSTER_CONF (slurm.conf), CLUSTER_LOGS
# (directory), CLUSTER_STATE (StateSaveLocation), CLUSTER_PORT (the first one).

: "${CLUSTER_NODES=n[1-4]:h100:8 n[5-6]:b200:8}"
: "${CLUSTER_BILLING=GRES/gpu=1.0}"
: "${CLUSTER_PARTITIONS=}"
: "${CLUSTER_PRIORITY=priority/multifactor}"
: "${CLUSTER_PLUGINDIR=}"
: "${CLUSTER_CONF_EXTRA=}"
: "${CLUSTER_DBD_EXTRA=}"
: "${CLUSTER_DURABLE=0}"
: "${CLUSTER_CTLD_PREFIX=}"
: "${CLUSTER_PATIENCE=1}"
: "${CLUSTER_BAIL=tap}"
: "${CLUSTER_UNCHECKED=}"
: "${CLUSTER_CACHE=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/slurm-budget}"

# Part of the cached database's name: raise it when its making changes.
CLUSTER_TEMPLATE=1

# Ports come in blocks, below those the kernel gives away by itself.
CLUSTER_PORT_FIRST=20000
CLUSTER_PORT_LAST=31999
CLUSTER_PORT_BLOCK=100

CLUSTER_NAME=budget

CLUSTER_LIB=$(readlink -f "${BASH_SOURCE[0]}")
CLUSTER_DIR=
CLUSTER_OWNER=
CLUSTER_WATCHDOG=
declare -gA CLUSTER_MARK=()

# The test's own output, also from inside $(...).  Never given to a daemon:
# whoever reads the output of a test would wait for the daemon.
exec {CLUSTER_OUT}>&1

# A pipe that nothing is written to: read -t on it sleeps without a process.
exec {CLUSTER_NAP}<> <(:)

# Whatever the caller's own cluster set must not reach ours.
unset "${!SLURM_@}" "${!SBATCH_@}" "${!SALLOC_@}" "${!SRUN_@}" \
	"${!SQUEUE_@}" "${!SINFO_@}" "${!SACCT_@}" "${!SPRIO_@}" "${!SSHARE_@}"
unset MYSQL_UNIX_PORT CLUSTER_TAG

# ---------------------------------------------------------------- TAP

TAP_COUNT=0
TAP_FAILED=0
TAP_SHOWN=0
TAP_PLANNED=

tap_diag()
{
	local line

	while IFS= read -r line; do
		printf '# %s\n' "${line#\# }"
	done <<<"$*"
}

# tap_plan COUNT: optional, tap_done counts otherwise.
tap_plan()
{
	TAP_PLANNED=$1
	printf '1..%s\n' "$1"
}

tap_pass()
{
	TAP_COUNT=$((TAP_COUNT + 1))
	printf 'ok %d - %s\n' "$TAP_COUNT" "$1"
}

# Logs are shown at the first failure only: what follows is often its echo.
tap_fail()
{
	TAP_COUNT=$((TAP_COUNT + 1))
	TAP_FAILED=$((TAP_FAILED + 1))
	printf 'not ok %d - %s\n' "$TAP_COUNT" "$1"
	shift
	[ $# -eq 0 ] || tap_diag "$@"
	if [ "$TAP_SHOWN" = 0 ] && [ -n "$CLUSTER_DIR" ]; then
		TAP_SHOWN=1
		tap_diag "$(cluster_logs)"
	fi
	return 1
}

# tap_ok NAME COMMAND...: the command succeeds.
tap_ok()
{
	local name=$1 out

	shift
	if out=$("$@" 2>&1); then
		tap_pass "$name"
	else
		tap_fail "$name" "failed: $*" "$out"
	fi
}

# tap_nok NAME COMMAND...: the command fails.
tap_nok()
{
	local name=$1 out

	shift
	if out=$("$@" 2>&1); then
		tap_fail "$name" "should have failed: $*" "$out"
	else
		tap_pass "$name"
	fi
}

# tap_is GOT EXPECTED NAME
tap_is()
{
	if [ "$1" = "$2" ]; then
		tap_pass "$3"
	else
		tap_fail "$3" "     got: $1" $'\n'"expected: $2"
	fi
}

# tap_like GOT REGEX NAME (an extended regular expression)
tap_like()
{
	if [[ $1 =~ $2 ]]; then
		tap_pass "$3"
	else
		tap_fail "$3" "     got: $1" $'\n'"expected: /$2/"
	fi
}

tap_unlike()
{
	if [[ $1 =~ $2 ]]; then
		tap_fail "$3" "     got: $1" $'\n'"unwanted: /$2/"
	else
		tap_pass "$3"
	fi
}

# tap_skip NAME WHY: one test that cannot be run here.
tap_skip()
{
	TAP_COUNT=$((TAP_COUNT + 1))
	printf 'ok %d - %s # SKIP %s\n' "$TAP_COUNT" "$1" "$2"
}

# tap_skip_all WHY: the whole script cannot be run here.
tap_skip_all()
{
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

# Last line of every test script.
tap_done()
{
	cluster_check
	[ -n "$TAP_PLANNED" ] || printf '1..%d\n' "$TAP_COUNT"
	if [ "$TAP_FAILED" -gt 0 ]; then
		tap_diag "$TAP_FAILED of $TAP_COUNT failed"
		exit 1
	fi
	exit 0
}

# ---------------------------------------------------------------- waiting

# cluster_bail MESSAGE [MORE...]: no cluster, no tests.  From inside $(...) as
# well: the owner is told.
cluster_bail()
{
	if [ "$CLUSTER_BAIL" = tap ]; then
		tap_diag "$@" >&"$CLUSTER_OUT"
		printf 'Bail out! %s\n' "$1" >&"$CLUSTER_OUT"
	else
		printf 'cluster: %s\n' "$*" >&2
	fi
	if [ -n "$CLUSTER_OWNER" ] && ! cluster_mine; then
		kill -TERM "$CLUSTER_OWNER"
	fi
	exit 1
}

cluster_nap()
{
	read -r -t "${1:-0.05}" -u "$CLUSTER_NAP"
	return 0
}

# cluster_poll SECONDS COMMAND...: until the command succeeds.  Silent.
cluster_poll()
{
	# microseconds
	local end=$(($1 * CLUSTER_PATIENCE * 1000000 + \
		${EPOCHREALTIME/[^0-9]/}))

	shift
	until "$@" >/dev/null 2>&1; do
		[ "${EPOCHREALTIME/[^0-9]/}" -lt $end ] || return 1
		cluster_nap
	done
}

# tap_soon NAME COMMAND...: within 20 s.  True once is enough, what comes behind
# it may be another state; the last try says what is wrong.
tap_soon()
{
	local name=$1

	shift
	if cluster_poll 20 "$@"; then
		tap_pass "$name"
	else
		tap_ok "$name" "$@"
	fi
}

# cluster_wait_until SECONDS COMMAND...: the same, and says what it missed.
cluster_wait_until()
{
	local seconds=$1

	shift
	cluster_poll "$seconds" "$@" && return 0
	tap_diag "not within $seconds s: $*"
	return 1
}

# ---------------------------------------------------------------- processes

# Is this process ours?  Process ids are used again, tags are not.  One that
# executes another program, as valgrind does, has no environment for a moment,
# nor has one that is dead and not waited for.
cluster_tagged()
{
	local environment=/proc/$1/environ

	for _ in 1 2 3 4 5; do
		grep -qzxF "CLUSTER_TAG=$CLUSTER_DIR" "$environment" \
			2>/dev/null && return 0
		! grep -qz . "$environment" 2>/dev/null && [ -e "$environment" ] ||
			return 1
		cluster_nap 0.02
	done
	return 1
}

# cluster_pid DAEMON: its process id, if it runs.  slurmds go by node name.
cluster_pid()
{
	local pid

	read -r pid 2>/dev/null <"$CLUSTER_DIR/run/$1" || return 1
	cluster_tagged "$pid" && printf '%s\n' "$pid"
}

cluster_running()
{
	cluster_pid "$1" >/dev/null
}

# cluster_spawn DAEMON COMMAND...: in a session of its own, so that Ctrl-C at
# the terminal reaches the test only; without the test's own descriptors.
cluster_spawn()
{
	local name=$1 pid

	shift
	setsid env CLUSTER_TAG="$CLUSTER_DIR" "$@" </dev/null \
		>>"$CLUSTER_LOGS/$name.out" 2>&1 \
		{CLUSTER_OUT}>&- {CLUSTER_NAP}>&- &
	pid=$!
	printf '%s\n' $pid >"$CLUSTER_DIR/run/$name"
	# or bash reports the daemon's end in the middle of the output
	disown $pid
	# Until env has run, the process does not count as one of ours.
	while kill -0 $pid 2>/dev/null && ! cluster_tagged $pid; do
		cluster_nap 0.002
	done
}

# cluster_signal SIGNAL DAEMON
cluster_signal()
{
	local pid

	pid=$(cluster_pid "$2") && kill "-$1" "$pid"
}

cluster_gone()
{
	! cluster_running "$1"
}

# cluster_end DAEMON: the polite way, with a bound.
cluster_end()
{
	cluster_signal TERM "$1" || return 0
	if ! cluster_poll 10 cluster_gone "$1"; then
		tap_diag "$1 does not end, killed"
		cluster_signal KILL "$1"
		cluster_poll 5 cluster_gone "$1"
	fi
}

# cluster_kill DAEMON: kill -9, and wait until it is gone.
cluster_kill()
{
	cluster_signal KILL "$1" || return 0
	cluster_poll 5 cluster_gone "$1"
}

# Every process of the cluster.  A job's processes do not inherit slurmd's
# environment, but Slurm tells them which cluster they belong to.  slurmstepd
# writes its name over its environment, but has its log open.
cluster_processes()
{
	local file

	{
		grep -lz '^slurmstepd: ' /proc/[0-9]*/cmdline |
		while IFS= read -r file; do
			! readlink "${file%/*}"/fd/* |
				grep -q "^$CLUSTER_DIR/" || echo "$file"
		done
		grep -lzxF "CLUSTER_TAG=$CLUSTER_DIR" /proc/[0-9]*/environ
		grep -lzxF "SLURM_CONF=$CLUSTER_CONF" /proc/[0-9]*/environ |
		while IFS= read -r file; do
			grep -lz '^SLURM_JOB_ID=' "$file"
		done
	} 2>/dev/null | sed 's,^/proc/,,;s,/.*,,' | sort -nu
}

cluster_sweep_once()
{
	local pids

	mapfile -t pids < <(cluster_processes)
	[ ${#pids[@]} -eq 0 ] && return 0
	kill -KILL "${pids[@]}" 2>/dev/null
	return 1
}

# Kill all that is left, again until there is nothing: a slurmstepd may be
# forking while we look.
cluster_sweep()
{
	cluster_poll 10 cluster_sweep_once
}

# The watchdog: this file run as a program.  Its owner may be killed without
# running a trap.  It has no tag, or it would sweep itself away first.
cluster_watchdog()
{
	local owner=$BASHPID

	setsid bash "$CLUSTER_LIB" --watch "$owner" \
		"$(cluster_born "$owner")" "$CLUSTER_DIR" \
		</dev/null >/dev/null 2>&1 {CLUSTER_OUT}>&- {CLUSTER_NAP}>&- &
	CLUSTER_WATCHDOG=$!
	disown $CLUSTER_WATCHDOG
}

cluster_watchdog_end()
{
	[ -n "$CLUSTER_WATCHDOG" ] || return 0
	# Is it still ours?
	tr '\0' '\n' 2>/dev/null <"/proc/$CLUSTER_WATCHDOG/cmdline" |
		grep -qxF -e "$CLUSTER_DIR" && kill -KILL "$CLUSTER_WATCHDOG"
}

cluster_watch()
{
	local owner=$1 born=$2

	CLUSTER_DIR=$3
	cluster_paths
	while [ -d "$CLUSTER_DIR" ] && [ ! -e "$CLUSTER_DIR/kept" ]; do
		if [ "$(cluster_born "$owner")" != "$born" ]; then
			cluster_remove
			break
		fi
		cluster_nap 0.5
	done
}

# When a process was started: with its id it is one process for sure.
cluster_born()
{
	sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
}

cluster_remove()
{
	local port

	cluster_sweep
	# A test may have mounted something.
	awk -v dir="$CLUSTER_DIR/" 'index($2, dir) == 1 { print $2 }' \
		/proc/mounts | xargs -r umount -l
	read -r port 2>/dev/null <"$CLUSTER_DIR/port" &&
		rmdir "/tmp/.slurm-budget-$port" 2>/dev/null
	rm -rf "$CLUSTER_DIR"
}

# ---------------------------------------------------------------- logs

# cluster_log DAEMON: its log file; what it prints goes to DAEMON.out.
cluster_log()
{
	printf '%s/%s.log\n' "$CLUSTER_LOGS" "$1"
}

# cluster_log_tail [DAEMON [LINES]]
cluster_log_tail()
{
	local name=${1:-slurmctld} lines=${2:-20} file

	for file in "$CLUSTER_LOGS/$name.log" "$CLUSTER_LOGS/$name.out"; do
		[ -s "$file" ] || continue
		printf '%s:\n' "${file##*/}"
		tail -n "$lines" "$file" | cut -c 1-300
		# Slurm's daemons print what they log
		break
	done
}

# What somebody who looks at a failed test wants to see.
cluster_logs()
{
	cluster_log_tail slurmctld 25
	cluster_log_tail slurmdbd 5
}

# cluster_log_mark [DAEMON]: cluster_log_has looks at what comes from here on.
cluster_log_mark()
{
	local name=${1:-slurmctld}

	# None before its first start
	CLUSTER_MARK[$name]=$(stat -c %s "$(cluster_log "$name")" 2>/dev/null)
}

# cluster_log_new [DAEMON]: the log since the mark, or all of it.
cluster_log_new()
{
	local name=${1:-slurmctld}

	tail -c "+$((${CLUSTER_MARK[$name]:-0} + 1))" "$(cluster_log "$name")"
}

# cluster_log_has REGEX [DAEMON]
cluster_log_has()
{
	cluster_log_new "${2:-slurmctld}" | grep -E -e "$1" >/dev/null
}

# ---------------------------------------------------------------- settings

# cluster_merge: prints the lines of standard input; of several lines with
# the same key the last counts, except where Slurm allows several.
cluster_merge()
{
	awk '
	/^[ \t]*(#|$)/ { next }
	{
		key = $0
		sub(/^[ \t]+/, "", key)
		sub(/[ \t]*=.*/, "", key)
		key = tolower(key)
		many = key ~ /^(nodeset|downnodes|include|slurmctldhost)/
		if (key == "nodename" || key == "partitionname")
			rest = rest $0 "\n"
		else if (many || !(key in at))
			line[at[key] = ++n] = $0
		else
			line[at[key]] = $0
	}
	END {
		for (i = 1; i <= n; i++)
			if (line[i] !~ /^[ \t]*[A-Za-z]+[ \t]*=[ \t]*$/)
				print line[i]
		printf "%s", rest
	}'
}

# cluster_write FILE: standard input, at once.
cluster_write()
{
	cat >"$1.new" && mv -f "$1.new" "$1"
}

# cluster_set_conf KEY VALUE: change slurm.conf; an empty value takes the key
# out.  Follow with cluster_reconfigure or cluster_restart_ctld.
cluster_set_conf()
{
	{ cat "$CLUSTER_CONF"; printf '%s=%s\n' "$1" "$2"; } |
		cluster_merge | cluster_write "$CLUSTER_CONF"
}

# The directory of Slurm's own plugins is where its own library is.
cluster_stock_plugindir()
{
	local library

	library=$(ldd "$(command -v slurmctld)" | awk '
		$1 ~ /^libslurmfull/ { print $3 }')
	[ -n "$library" ] && dirname "$library"
}

# A copy, because users load plugins too (sshare), and a build below /root is
# none of their business.
cluster_plugins()
{
	local dir

	[ -n "$CLUSTER_PLUGINDIR" ] || return 0
	mkdir "$CLUSTER_DIR/plugins"
	while IFS= read -r -d : dir; do
		# The first one with that name counts.
		cp -n "$dir"/*.so "$CLUSTER_DIR/plugins" ||
			cluster_bail "no plugins in $dir"
	done <<<"$CLUSTER_PLUGINDIR:"
	chmod 755 "$CLUSTER_DIR"/plugins/*
	cluster_commands
}

# Commands of ours stand in bin beside the plugins.
cluster_commands()
{
	local dir

	while IFS= read -r -d : dir; do
		[ ! -d "$dir/bin" ] || cp -rn "$dir/bin" "$CLUSTER_DIR" ||
			cluster_bail "cannot copy $dir/bin"
	done <<<"$CLUSTER_PLUGINDIR:"
}

# n[1-4] -> n1 n2 n3 n4
cluster_names()
{
	local i

	if [[ $1 =~ ^([^[]*)\[([0-9]+)-([0-9]+)\]$ ]]; then
		for ((i = BASH_REMATCH[2]; i <= BASH_REMATCH[3]; i++)); do
			printf '%s%d\n' "${BASH_REMATCH[1]}" "$i"
		done
	else
		printf '%s\n' "$1"
	fi
}

# One line per node: NAME TYPE GPUS CPUS MEMORY
cluster_node_list()
{
	local spec names type gpus cpus memory name

	for spec in $CLUSTER_NODES; do
		IFS=: read -r names type gpus cpus memory <<<"$spec"
		for name in $(cluster_names "$names"); do
			printf '%s %s %s %s %s\n' "$name" "$type" "$gpus" \
				"${cpus:-64}" "${memory:-1000000}"
		done
	done
}

cluster_conf_nodes()
{
	local name type gpus cpus memory port=$((CLUSTER_PORT + 10))

	while read -r name type gpus cpus memory; do
		printf 'NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 ' \
			"$name" "$(uname -n)"
		printf 'Port=%d CPUs=%d RealMemory=%d' $port "$cpus" "$memory"
		[ "$gpus" = 0 ] || printf ' Gres=gpu:%s:%d' "$type" "$gpus"
		printf '\n'
		port=$((port + 1))
	done < <(cluster_node_list)
}

cluster_conf_gres()
{
	local name type gpus rest

	while read -r name type gpus rest; do
		[ "$gpus" != 0 ] || continue
		printf 'NodeName=%s Name=gpu Type=%s File=%s/dev/gpu[0-%d]\n' \
			"$name" "$type" "$CLUSTER_DIR" $((gpus - 1))
	done < <(cluster_node_list)
}

# gres/gpu and each type there is
cluster_conf_tres()
{
	local types

	types=$(cluster_node_list | awk '$3 && !seen[$2]++ { print $2 }')
	[ -n "$types" ] || return
	printf 'gres/gpu'
	# shellcheck disable=SC2086
	printf ',gres/gpu:%s' $types
}

cluster_conf_slurm()
{
	local stock

	stock=$(cluster_stock_plugindir) ||
		cluster_bail "cannot find Slurm's plugin directory"
	cat <<-END
	ClusterName=$CLUSTER_NAME
	SlurmctldHost=$(uname -n)(127.0.0.1)
	SlurmctldPort=$CLUSTER_PORT
	SlurmdPort=$((CLUSTER_PORT + 9))
	CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
	SlurmUser=root
	SlurmdUser=root
	AuthType=auth/munge
	AuthInfo=socket=$CLUSTER_DIR/run/munge.socket
	PluginDir=${CLUSTER_PLUGINDIR:+$CLUSTER_DIR/plugins:}$stock
	StateSaveLocation=$CLUSTER_STATE
	SlurmdSpoolDir=$CLUSTER_DIR/spool/%n
	SlurmctldPidFile=$CLUSTER_DIR/run/slurmctld.pid
	SlurmdPidFile=$CLUSTER_DIR/run/%n.pid
	SlurmctldLogFile=$CLUSTER_LOGS/slurmctld.log
	SlurmdLogFile=$CLUSTER_LOGS/%n.log
	SlurmctldDebug=verbose
	SlurmdDebug=info
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	MpiDefault=none
	MailProg=/bin/true
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	GresTypes=gpu
	SlurmdParameters=config_overrides
	PropagateResourceLimits=NONE
	ReturnToService=2
	MessageTimeout=30
	KillWait=1
	MinJobAge=300
	MaxJobCount=100000
	SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
	PriorityType=$CLUSTER_PRIORITY
	PriorityWeightFairshare=100000
	PriorityCalcPeriod=00:01:00
	AccountingStorageType=accounting_storage/slurmdbd
	AccountingStorageHost=127.0.0.1
	AccountingStoragePort=$((CLUSTER_PORT + 1))
	AccountingStoragePass=$CLUSTER_DIR/run/munge.socket
	AccountingStorageEnforce=associations,limits,qos
	AccountingStorageTRES=$(cluster_conf_tres)
	AccountingStoreFlags=job_comment
	JobAcctGatherType=jobacct_gather/none
	END
	cluster_conf_nodes
	if [ -n "$CLUSTER_PARTITIONS" ]; then
		printf '%s\n' "$CLUSTER_PARTITIONS"
	else
		printf 'PartitionName=gpu Nodes=ALL Default=YES State=UP '
		printf 'MaxTime=INFINITE'
		[ -z "$CLUSTER_BILLING" ] ||
			printf ' TRESBillingWeights="%s"' "$CLUSTER_BILLING"
		printf '\n'
	fi
	printf '%s\n' "$CLUSTER_CONF_EXTRA"
}

cluster_conf_dbd()
{
	cat <<-END
	AuthType=auth/munge
	AuthInfo=socket=$CLUSTER_DIR/run/munge.socket
	DbdHost=localhost
	DbdAddr=127.0.0.1
	DbdPort=$((CLUSTER_PORT + 1))
	CommunicationParameters=NoInAddrAny
	SlurmUser=root
	DebugLevel=info
	LogFile=$CLUSTER_LOGS/slurmdbd.log
	PidFile=$CLUSTER_DIR/run/slurmdbd.pid
	StorageType=accounting_storage/mysql
	StorageHost=localhost
	StorageUser=root
	StorageLoc=slurm_acct_db
	$CLUSTER_DBD_EXTRA
	END
}

# No cgroups: a container may have none, and nobody here confines anything.
# 24.11 and later can be told so; before, that word is unknown, but the older
# of the two plugins touches nothing until it is asked to.
cluster_conf_cgroup()
{
	local version

	version=$(slurmctld -V)
	version=${version##* }
	if [ "${version%%.*}" -lt 24 ]; then
		printf 'CgroupPlugin=cgroup/v1\n'
	else
		printf 'CgroupPlugin=disabled\n'
	fi
}

cluster_conf_files()
{
	local i most

	cluster_conf_slurm | cluster_merge | cluster_write "$CLUSTER_CONF"
	cluster_conf_gres | cluster_write "$CLUSTER_DIR/etc/gres.conf"
	cluster_conf_cgroup | cluster_write "$CLUSTER_DIR/etc/cgroup.conf"
	cluster_conf_dbd | cluster_merge |
		cluster_write "$CLUSTER_DIR/etc/slurmdbd.conf"
	chmod 600 "$CLUSTER_DIR/etc/slurmdbd.conf"

	# slurmd wants devices; what they are does not matter unless jobs are
	# confined to theirs.  Links, because not every root may make devices.
	most=$(cluster_node_list | awk '$3 > n { n = $3 } END { print n + 0 }')
	for ((i = 0; i < most; i++)); do
		ln -s /dev/null "$CLUSTER_DIR/dev/gpu$i"
	done
}

# ---------------------------------------------------------------- users

# cluster_user NAME...: users that exist for this cluster only.
cluster_user()
{
	local name uid passwd=$CLUSTER_DIR/etc/passwd

	uid=$((60001 + $(grep -c ':60000:' "$passwd")))
	for name; do
		! grep -q "^$name:" "$passwd" || continue
		printf '%s:x:%d:60000::/:/bin/sh\n' "$name" $uid >>"$passwd"
		uid=$((uid + 1))
	done
}

cluster_users_init()
{
	getent passwd >"$CLUSTER_DIR/etc/passwd"
	getent group >"$CLUSTER_DIR/etc/group"
	printf 'cluster:x:60000:\n' >>"$CLUSTER_DIR/etc/group"
	# Slurm listens where the machine's own name leads to.
	printf '127.0.0.1 localhost %s\n' "$(uname -n)" \
		>"$CLUSTER_DIR/etc/hosts"
}

# cluster_as USER COMMAND...: the command as that user.
cluster_as()
{
	local uid

	uid=$(awk -F : -v u="$1" '$1 == u { print $3 }' \
		"$CLUSTER_DIR/etc/passwd")
	[ -n "$uid" ] || cluster_bail "no user $1 in this cluster"
	shift
	setpriv --reuid "$uid" --regid 60000 --clear-groups "$@"
}

# ---------------------------------------------------------------- boot

cluster_need()
{
	local missing='' command

	[ "$(id -u)" = 0 ] || cluster_bail "a cluster needs root"
	for command in munged mariadbd mariadb slurmdbd slurmctld slurmd \
	    sbatch sacctmgr scontrol setsid setpriv; do
		command -v "$command" >/dev/null || missing="$missing $command"
	done
	# The dynamic linker complains about what it cannot preload.
	[ -z "$(LD_PRELOAD=libnss_wrapper.so uname 2>&1 >/dev/null)" ] ||
		missing="$missing libnss_wrapper.so"
	[ -z "$missing" ] || cluster_bail "missing:$missing" \
		$'\n'"scripts/install-packages cluster installs it"
}

cluster_port_used()
{
	(: >"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Does no port that we would use answer?
cluster_ports_free()
{
	local port end=$(($1 + 10 + $(cluster_node_list | wc -l)))

	for ((port = $1; port < end; port++)); do
		! cluster_port_used "$port" || return 1
	done
}

# A block of ports that answer nobody, kept by a directory: making one is
# the only thing two shells can do at a time with one winner.  It is in /tmp
# whatever TMPDIR says, because ports belong to the machine.
cluster_reserve()
{
	local blocks port try lock i

	[ "$(cluster_node_list | wc -l)" -le $((CLUSTER_PORT_BLOCK - 10)) ] ||
		cluster_bail "more nodes than ports"
	blocks=$(((CLUSTER_PORT_LAST - CLUSTER_PORT_FIRST + 1) /
		CLUSTER_PORT_BLOCK))
	try=$((RANDOM % blocks))
	for ((i = 0; i < blocks; i++)); do
		port=$((CLUSTER_PORT_FIRST +
			(try + i) % blocks * CLUSTER_PORT_BLOCK))
		lock=/tmp/.slurm-budget-$port
		mkdir "$lock" 2>/dev/null || continue
		if cluster_ports_free $port; then
			CLUSTER_PORT=$port
			printf '%s\n' $port >"$CLUSTER_DIR/port"
			return
		fi
		rmdir "$lock"
	done
	cluster_bail "no free ports"
}

cluster_environment()
{
	cat <<-END
	export SLURM_CONF='$CLUSTER_CONF'
	export NSS_WRAPPER_PASSWD='$CLUSTER_DIR/etc/passwd'
	export NSS_WRAPPER_GROUP='$CLUSTER_DIR/etc/group'
	export NSS_WRAPPER_HOSTS='$CLUSTER_DIR/etc/hosts'
	export LD_PRELOAD="\${LD_PRELOAD:+\$LD_PRELOAD:}libnss_wrapper.so"
	export PATH="$CLUSTER_DIR/bin:\$PATH"
	END
}

cluster_munged()
{
	head -c 1024 /dev/urandom >"$CLUSTER_DIR/etc/munge.key"
	chmod 600 "$CLUSTER_DIR/etc/munge.key"
	cluster_spawn munged munged --foreground --force --num-threads=2 \
		--key-file="$CLUSTER_DIR/etc/munge.key" \
		--socket="$CLUSTER_DIR/run/munge.socket" \
		--pid-file="$CLUSTER_DIR/run/munged.pid" \
		--seed-file="$CLUSTER_DIR/run/munge.seed" \
		--log-file="$CLUSTER_LOGS/munged.log"
}

# Small and fast; nothing here has to outlive the machine, unless asked for.
# MariaDB 11.6.2 and later have a snapshot isolation that Slurm does not know: a
# second registration of a slurmctld fails, or waits 15 minutes for the first.
cluster_mariadbd()
{
	local safe=(--innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0)

	[ "$CLUSTER_DURABLE" != 1 ] ||
		safe=(--innodb-flush-log-at-trx-commit=1)
	cluster_spawn mariadbd mariadbd --no-defaults --user=root \
		--datadir="$CLUSTER_DIR/db" --tmpdir="$CLUSTER_DIR/tmp" \
		--socket="$CLUSTER_DIR/run/db.socket" \
		--pid-file="$CLUSTER_DIR/run/mariadbd.pid" \
		--log-error="$CLUSTER_LOGS/mariadbd.log" \
		--skip-networking --skip-grant-tables --skip-log-bin \
		--performance-schema=OFF --innodb-buffer-pool-size=64M \
		--innodb-log-file-size=8M --innodb-lock-wait-timeout=900 \
		--loose-innodb-snapshot-isolation=OFF \
		"${safe[@]}"
}

cluster_slurmdbd()
{
	cluster_spawn slurmdbd \
		MYSQL_UNIX_PORT="$CLUSTER_DIR/run/db.socket" slurmdbd -D
}

# cluster_up DAEMON SECONDS COMMAND...: until the command succeeds, the daemon
# has ended, or the time is over.
cluster_up()
{
	local name=$1 seconds=$2

	shift 2
	cluster_poll "$seconds" cluster_up_or_dead "$name" "$@"
	"$@" >/dev/null 2>&1
}

cluster_up_or_dead()
{
	local name=$1

	shift
	"$@" || ! cluster_running "$name"
}

# cluster_must_up DAEMON SECONDS COMMAND...: or no test at all
cluster_must_up()
{
	cluster_up "$@" || cluster_bail "$1 does not come up" \
		$'\n'"$(cluster_log_tail "$1" 30)"
}

cluster_munge_ready()
{
	munge -n -S "$CLUSTER_DIR/run/munge.socket"
}

cluster_db_ready()
{
	[ -S "$CLUSTER_DIR/run/db.socket" ] &&
		mariadb --no-defaults -S "$CLUSTER_DIR/run/db.socket" -e ''
}

cluster_dbd_ready()
{
	cluster_port_used $((CLUSTER_PORT + 1))
}

cluster_template()
{
	local version

	version=$({ mariadbd --version; slurmdbd -V; } 2>/dev/null |
		cksum | cut -d ' ' -f 1)
	printf '%s/database-%s-%s\n' "$CLUSTER_CACHE" $CLUSTER_TEMPLATE \
		"$version"
}

# Creating MariaDB's and slurmdbd's tables takes most of a first boot, so the
# result is kept, once a clean stop has written everything out.
cluster_template_make()
{
	local template=$1 log=$CLUSTER_LOGS/install-db.log fresh

	# A mariadbd that starts clears its TMPDIR of other servers' tables.
	TMPDIR=$CLUSTER_DIR/tmp mariadb-install-db --no-defaults \
		--user=root --auth-root-authentication-method=normal \
		--skip-test-db --skip-name-resolve --innodb-log-file-size=8M \
		--datadir="$CLUSTER_DIR/db" >"$log" 2>&1 ||
		cluster_bail "mariadb-install-db fails" \
			$'\n'"$(head -n 40 "$log")"
	cluster_start_db
	# slurmdbd would do that after a first connection that fails, but
	# MariaDB's client library 3.4.10 cannot use that handle again.
	mariadb --no-defaults -S "$CLUSTER_DIR/run/db.socket" \
		-e 'create database slurm_acct_db' ||
		cluster_bail "cannot create slurmdbd's database"
	cluster_start_dbd
	sacctmgr -iQ add cluster "$CLUSTER_NAME" >"$log" 2>&1 ||
		cluster_bail "sacctmgr fails" $'\n'"$(tail "$log")"
	cluster_end slurmdbd
	cluster_end mariadbd
	mkdir -p "$CLUSTER_CACHE" 2>/dev/null &&
		fresh=$(mktemp -d "$CLUSTER_CACHE/new.XXXXXX") || return 0
	if cp -a "$CLUSTER_DIR/db" "$fresh/db"; then
		# Somebody may have been faster
		mv -T "$fresh/db" "$template" 2>/dev/null
	fi
	rm -rf "$fresh"
}

cluster_db_init()
{
	local template

	template=$(cluster_template)
	if [ -d "$template" ]; then
		cp -a --reflink=auto "$template" "$CLUSTER_DIR/db" ||
			cluster_bail "cannot copy $template"
	else
		cluster_template_make "$template"
	fi
}

# What slurmdbd would only learn from slurmctld: the GPU's TRES, so that past
# usage can be told before slurmctld's first start; and that everything up to
# this hour is summed up, so that it keeps its hands off.
cluster_db_prime()
{
	local tres now

	tres=$(cluster_conf_tres)
	{
		for tres in ${tres//,/ }; do
			printf "insert into tres_table"
			printf " (creation_time, type, name) values"
			printf " (unix_timestamp(), 'gres', '%s')" \
				"${tres#gres/}"
			printf " on duplicate key update deleted=0;\n"
		done
		now="unix_timestamp(date_format(now(), '%Y-%m-%d %H:00:00'))"
		printf "delete from %s_last_ran_table;\n" $CLUSTER_NAME
		printf "insert into %s_last_ran_table values (%s, %s, %s);\n" \
			$CLUSTER_NAME "$now" \
			"unix_timestamp(date(now()))" \
			"unix_timestamp(date_format(now(), '%Y-%m-01'))"
	} | cluster_sql || cluster_bail "the database refuses its first rows"
}

# A subshell inherits the variables, but not the cluster: it may have one of
# its own, and it does not stop its parent's.
cluster_mine()
{
	[ "$CLUSTER_OWNER" = "$BASHPID" ]
}

# cluster_prepare: everything but slurmctld and the nodes.  For who wants the
# accounts and their past there before slurmctld starts.
cluster_prepare()
{
	! cluster_mine || cluster_bail "this shell has a cluster already"
	cluster_need
	CLUSTER_OWNER=$BASHPID
	CLUSTER_MARK=()
	CLUSTER_DIR=$(mktemp -d "${TMPDIR:-/tmp}/slurm-budget.XXXXXX") ||
		cluster_bail "no private directory"
	cluster_paths
	trap 'cluster_stop unchecked' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
	# A socket's path has room for 107 bytes.
	[ ${#CLUSTER_DIR} -le 80 ] || cluster_bail "TMPDIR is too long a path"
	# Users come here for passwd and the munge socket.
	chmod 755 "$CLUSTER_DIR"
	mkdir "$CLUSTER_DIR"/{etc,run,log,state,spool,dev,tmp}
	cluster_reserve
	cluster_watchdog
	cluster_users_init
	cluster_plugins
	cluster_conf_files
	: >"$CLUSTER_DIR/etc/past"

	cluster_munged
	CLUSTER_PRELOAD=${LD_PRELOAD-}
	cluster_environment >"$CLUSTER_DIR/env"
	# shellcheck source=/dev/null
	. "$CLUSTER_DIR/env"
	cluster_db_init
	cluster_start_db
	cluster_db_prime
	cluster_must_up munged 10 cluster_munge_ready
	cluster_start_dbd
}

cluster_paths()
{
	CLUSTER_CONF=$CLUSTER_DIR/etc/slurm.conf
	CLUSTER_LOGS=$CLUSTER_DIR/log
	CLUSTER_STATE=$CLUSTER_DIR/state
}

# cluster_start: returns when all nodes are there and idle.
cluster_start()
{
	cluster_mine || cluster_prepare
	cluster_start_ctld
	cluster_start_nodes
	cluster_wait_until 30 cluster_nodes_idle ||
		cluster_bail "nodes do not come up" \
		$'\n'"$(sinfo -h -N -o '%N %T %E' 2>&1)" \
		$'\n'"$(cluster_log_tail "$(cluster_node_list | head -n 1 |
			cut -d ' ' -f 1)")"
}

# cluster_check: the last test of a cluster, once.  It wants slurmctld: a test
# that stops it for good calls this before.
cluster_check()
{
	local name="every second was charged once, every commitment counted"

	cluster_mine && [ "$CLUSTER_BAIL" = tap ] &&
		[ ! -e "$CLUSTER_DIR/checked" ] &&
		[ -e "$CLUSTER_LOGS/slurmctld.log" ] &&
		grep -q '^PriorityType=priority/budget' "$CLUSTER_CONF" ||
		return 0
	: >"$CLUSTER_DIR/checked"
	if [ -n "$CLUSTER_UNCHECKED" ]; then
		tap_skip "$name" "$CLUSTER_UNCHECKED"
	elif ! cluster_ctld_ready; then
		tap_fail "$name" "slurmctld is gone: cluster_check before"
	else
		tap_ok "$name" "${CLUSTER_LIB%/*}/../../scripts/budget-check" \
			--quiet --tries 30 --records "$CLUSTER_DIR/etc/past"
	fi
}

# cluster_stop: nothing is left, neither process nor file.
cluster_stop()
{
	cluster_mine || return 0
	[ $# -gt 0 ] || cluster_check
	# slurmctld ends by itself, for the sake of whoever looks at how its
	# plugins end; it wants to tell slurmdbd, so that comes later.
	cluster_end slurmctld
	cluster_watchdog_end
	cluster_remove
	PATH=${PATH#"$CLUSTER_DIR/bin:"}
	CLUSTER_DIR=
	CLUSTER_OWNER=
	unset SLURM_CONF NSS_WRAPPER_PASSWD NSS_WRAPPER_GROUP NSS_WRAPPER_HOSTS
	if [ -n "$CLUSTER_PRELOAD" ]; then
		LD_PRELOAD=$CLUSTER_PRELOAD
	else
		unset LD_PRELOAD
	fi
	trap - EXIT INT TERM HUP
}

# cluster_keep: the cluster stays when this shell ends.  `. $CLUSTER_DIR/env`
# is what another shell needs to use it.
cluster_keep()
{
	: >"$CLUSTER_DIR/kept"
	trap - EXIT INT TERM HUP
	CLUSTER_OWNER=
}

# cluster_attach DIRECTORY: take over a cluster that was kept.
cluster_attach()
{
	[ -f "$1/env" ] || cluster_bail "no cluster in $1"
	CLUSTER_DIR=$(readlink -f "$1")
	cluster_paths
	read -r CLUSTER_PORT <"$CLUSTER_DIR/port"
	CLUSTER_PRELOAD=${LD_PRELOAD-}
	# shellcheck source=/dev/null
	. "$CLUSTER_DIR/env"
	CLUSTER_OWNER=$BASHPID
}

# ---------------------------------------------------------------- daemons

cluster_start_db()
{
	cluster_mariadbd
	cluster_must_up mariadbd 30 cluster_db_ready
}

cluster_stop_db()
{
	cluster_end mariadbd
}

cluster_start_dbd()
{
	cluster_slurmdbd
	cluster_must_up slurmdbd 30 cluster_dbd_ready
}

cluster_stop_dbd()
{
	cluster_end slurmdbd
}

cluster_kill_dbd()
{
	cluster_kill slurmdbd
}

cluster_ctld_ready()
{
	[[ $(scontrol ping) == *' is UP'* ]]
}

# cluster_slurm_since RELEASE: is it that one, e.g. 23.11, or a later?
cluster_slurm_since()
{
	local version

	version=$(slurmctld -V) &&
		printf '%s\n' "$1" "${version##* }" | sort -CV
}

# From 23.11 on `scontrol reconfigure` starts a new slurmctld, which knows what
# is on disk.
cluster_ctld_rereads()
{
	cluster_slurm_since 23.11
}

# It may refuse its settings.  The old one then goes on, but only if it is in
# the background.
cluster_ctld_forks()
{
	[ -z "$CLUSTER_CTLD_PREFIX" ] && cluster_ctld_rereads
}

# The process in the background is known, or there is none.
cluster_ctld_forked()
{
	local pid comm

	[ ! -s "$CLUSTER_DIR/run/slurmctld.pid" ] || return 0
	for pid in $(cluster_processes); do
		read -r comm 2>/dev/null <"/proc/$pid/comm" || continue
		[ "$comm" != slurmctld ] || return 1
	done
}

# From 25.05 on slurmctld does not start where a file of its state is missing
# and another slurmctld was before it, unless told that this may be.  Usage of
# associations is written each five minutes: there is none behind an early
# kill -9.
cluster_ctld_flags()
{
	[ ! -e "$CLUSTER_STATE/clustername" ] ||
		{ [ -e "$CLUSTER_STATE/assoc_usage" ] &&
			[ -e "$CLUSTER_STATE/job_state" ]; } ||
		! cluster_slurm_since 25.05 || echo -i
}

# cluster_try_ctld: start slurmctld; it may refuse, then this returns 1.
cluster_try_ctld()
{
	local flags

	flags=$(cluster_ctld_flags)
	# shellcheck disable=SC2086
	if cluster_ctld_forks; then
		rm -f "$CLUSTER_DIR/run/slurmctld"{,.pid}
		cluster_spawn slurmctld slurmctld $flags
		cluster_poll 30 cluster_ctld_forked
		# and whoever comes after it
		ln -sf slurmctld.pid "$CLUSTER_DIR/run/slurmctld"
	else
		cluster_spawn slurmctld $CLUSTER_CTLD_PREFIX slurmctld -D $flags
	fi
	cluster_up slurmctld 30 cluster_ctld_ready
}

# cluster_ctld_refuses: slurmctld ends by itself and with an error, in the
# foreground.  Without libnss_wrapper: threads that still look for a host while
# the process exits would crash in it, as its tables are gone by then.
cluster_ctld_refuses()
{
	local rc=0

	env LD_PRELOAD="$CLUSTER_PRELOAD" CLUSTER_TAG="$CLUSTER_DIR" \
		timeout -k 5 $((60 * CLUSTER_PATIENCE)) \
		slurmctld -D </dev/null >/dev/null 2>&1 || rc=$?
	# 124 and more: it ran until timeout ended it, or crashed
	[ "$rc" -gt 0 ] && [ "$rc" -lt 124 ] && return 0
	echo "it ended with $rc"
	return 1
}

cluster_start_ctld()
{
	cluster_try_ctld || cluster_bail "slurmctld does not come up" \
		$'\n'"$(cluster_log_tail slurmctld 30)"
}

cluster_stop_ctld()
{
	cluster_end slurmctld
}

# kill -9
cluster_kill_ctld()
{
	cluster_kill slurmctld
}

# cluster_wait_saved: all that slurmctld knows of jobs by now is on disk, so
# that they are there after kill -9.  It writes at most every 5 s.
cluster_wait_saved()
{
	cluster_wait_until 15 cluster_saved_since "$EPOCHSECONDS"
}

cluster_saved_since()
{
	local written

	[ "$EPOCHSECONDS" -lt $(($1 + 7)) ] || return 0
	written=$(stat -c %Y "$CLUSTER_STATE/job_state") &&
		[ "$written" -gt "$1" ]
}

# Jobs go on meanwhile.
cluster_restart_ctld()
{
	cluster_stop_ctld
	cluster_start_ctld
	cluster_wait_nodes
}

cluster_reconfigure()
{
	scontrol reconfigure
}

cluster_start_nodes()
{
	local name rest

	while read -r name rest; do
		mkdir -p "$CLUSTER_DIR/spool/$name"
		cluster_spawn "$name" slurmd -D -N "$name"
	done < <(cluster_node_list)
}

# All nodes have answered this slurmctld.  After a restart it knows their old
# state, but does not use them before they have.
cluster_nodes_there()
{
	local nodes absent='SlurmdStartTime=(None|Unknown)'

	absent+='|State=[^ ]*(DOWN|UNKNOWN|INVAL|NOT_RESP|\*)'
	nodes=$(scontrol -o show nodes) && ! grep -qE "$absent" <<<"$nodes"
}

cluster_nodes_idle()
{
	cluster_nodes_there &&
		! sinfo -h -N -o %T | grep -qvx idle
}

# cluster_wait_nodes [SECONDS]: until jobs can start on all nodes.
cluster_wait_nodes()
{
	cluster_nodes_there || cluster_nudge_nodes
	cluster_wait_until "${1:-30}" cluster_nodes_there
}

cluster_wait_nodes_idle()
{
	cluster_nodes_there || cluster_nudge_nodes
	cluster_wait_until "${1:-30}" cluster_nodes_idle
}

# A new slurmctld asks its nodes 4 s after its start; a slurmd that reads its
# configuration anew tells by itself.
cluster_nudge_nodes()
{
	local name rest

	while read -r name rest; do
		! cluster_running "$name" ||
			! cluster_poll 5 cluster_catches_hup "$name" ||
			cluster_signal HUP "$name"
	done < <(cluster_node_list)
}

# From 23.11 on a slurmd reads it by executing itself: until it catches SIGHUP
# again, that ends it.
cluster_catches_hup()
{
	local pid caught

	pid=$(cluster_pid "$1") &&
		caught=$(awk '$1 == "SigCgt:" { print $2 }' \
			"/proc/$pid/status") &&
		[ $((0x${caught: -1} & 1)) = 1 ]
}

# ---------------------------------------------------------------- accounting

# cluster_sql [STATEMENT]: or standard input; rows come tab-separated.
cluster_sql()
{
	mariadb --no-defaults -S "$CLUSTER_DIR/run/db.socket" -N -B \
		slurm_acct_db ${1:+-e "$1"}
}

# cluster_sacctmgr [ARGUMENT...]: fails, and says why, when sacctmgr does,
# whose exit status is not always a help.  Without arguments the commands
# come from standard input, one a line.
cluster_sacctmgr()
{
	local out input=/dev/stdin
	local bad='error|problem|unknown|invalid|bad format'

	[ $# -eq 0 ] || input=/dev/null
	# An empty line is a mistake to sacctmgr.
	out=$(grep . "$input" | sacctmgr -i "$@" 2>&1) &&
		! grep -qiE "$bad" <<<"$out" && return 0
	printf '%s\n' "$out" >&2
	return 1
}

# cluster_tree: accounts and users from standard input, one a line:
#
#	account NAME [parent=ACCOUNT] [fairshare=N] ...
#	user NAME account=ACCOUNT [fairshare=N] ...
#
# A line that begins with another word goes to sacctmgr as it is, e.g.
# "add qos high priority=10" or "modify account a1 set fairshare=5".
# Accounts and users that are there already are changed.
#
# Each question that sacctmgr asks slurmdbd takes 0.08 s (two small writes
# that wait for each other's acknowledgement), and "sacctmgr add" asks half a
# dozen.  "sacctmgr load" asks as often for a whole tree.
cluster_tree()
{
	local kind name rest load='' commands=''

	while read -r kind name rest; do
		case $kind in
		''|'#'*)
			;;
		account|user)
			cluster_tree_run "$commands" ''
			commands=
			load+="$kind $name $rest"$'\n'
			;;
		*)
			cluster_tree_run '' "$load"
			load=
			commands+="$kind $name $rest"$'\n'
			;;
		esac
	done
	cluster_tree_run "$commands" "$load"
}

# cluster_tree_run COMMANDS LOAD: either may be empty.
cluster_tree_run()
{
	local file=$CLUSTER_DIR/etc/tree users

	if [ -n "$1" ]; then
		cluster_sacctmgr <<<"$1" ||
			cluster_bail "sacctmgr refuses a command"
	fi
	if [ -n "$2" ]; then
		mapfile -t users < <(awk '$1 == "user" { print $2 }' <<<"$2")
		cluster_user "${users[@]}"
		cluster_tree_file <<<"$2" >"$file"
		cluster_sacctmgr load file="$file" ||
			cluster_bail "sacctmgr refuses a tree"
	fi
}

# From our lines to those of sacctmgr's dump files.
cluster_tree_file()
{
	awk -v cluster=$CLUSTER_NAME -v q="'" '
	BEGIN { print "Cluster - " q cluster q }
	NF {
		parent = "root"
		options = ""
		for (i = 3; i <= NF; i++) {
			key = tolower($i)
			sub(/=.*/, "", key)
			value = substr($i, length(key) + 2)
			if (key == "parent" || key == "account")
				parent = value
			else
				options = options ":" key "=" q value q
		}
		if (parent != last)
			print "Parent - " q (last = parent) q
		kind = $1 == "user" ? "User" : "Account"
		print kind " - " q $2 q options
	}'
}

# cluster_share ACCOUNT USER FIELD: from sshare.  Without a user ('') it is the
# account's own row.
cluster_share()
{
	sshare -naP -o "account,user,$3" |
		awk -F '|' -v account="$1" -v user="$2" '
			{ sub(/^ */, "", $1) }
			$1 == account && $2 == user { print $3; exit }'
}

# cluster_share_is ACCOUNT USER FIELD VALUE
cluster_share_is()
{
	[ "$(cluster_share "$1" "$2" "$3")" = "$4" ]
}

# cluster_past_usage ACCOUNT USER TRES HOURS FROM TO: usage that slurmdbd
# will report, as if HOURS hours of TRES (billing, gres/gpu, cpu, ...) had
# been allocated evenly between FROM and TO hours ago, counted from the last
# full hour.  To be told once for each TRES.
cluster_past_usage()
{
	local account=$1 user=$2 tres=$3 hours=$4 from=$5 to=$6
	local n=$((from - to)) type=${3%%/*} name='' p=$CLUSTER_NAME

	[ "$n" -gt 0 ] || cluster_bail "past usage from $from to $to hours ago"
	[ "$type" = "$tres" ] || name=${tres#*/}
	cluster_sql "
	set @id = (select id_assoc from ${p}_assoc_table where acct='$account'
		and user='$user' and deleted=0 and \`partition\`='');
	set @tres = (select id from tres_table
		where type='$type' and name='$name' and deleted=0);
	set @total = round($hours * 3600);
	set @hour = unix_timestamp(date_format(now(), '%Y-%m-%d %H:00:00'));
	create temporary table past as
		select @hour - ($to + seq) * 3600 as begin,
			@total * seq div $n - @total * (seq - 1) div $n as secs
		from seq_1_to_$n;
	insert into ${p}_assoc_usage_hour_table (creation_time, mod_time,
		id, id_tres, time_start, alloc_secs)
	select unix_timestamp(), unix_timestamp(), @id, @tres, begin, secs
	from past
	on duplicate key update alloc_secs = alloc_secs + values(alloc_secs);
	insert into ${p}_usage_hour_table (creation_time, mod_time,
		id_tres, time_start, count, alloc_secs)
	select unix_timestamp(), unix_timestamp(), @tres, begin, 1000, secs
	from past
	on duplicate key update alloc_secs = alloc_secs + values(alloc_secs);
	$(cluster_past_sum day '%Y-%m-%d')
	$(cluster_past_sum month '%Y-%m-01')
	" || cluster_bail "no past usage for $user in $account"
	cluster_past_record "$@"
}

# No job is behind it; budget-check wants a record.
cluster_past_record()
{
	local hour=$((EPOCHSECONDS - EPOCHSECONDS % 3600)) rate

	rate=$(awk -v hours="$4" -v n=$(($5 - $6)) \
		'BEGIN { printf "%.9f\n", int(hours * 3600 + 0.5) / n / 3600 }')
	printf '0|%d|%d|%d|COMPLETED|%s|%s|past|%s=%s||||\n' \
		$((hour - $5 * 3600)) $((hour - $5 * 3600)) \
		$((hour - $6 * 3600)) "$1" "$2" "$3" "$rate" |
		tr '|' '\037' >>"$CLUSTER_DIR/etc/past"
}

# The longer tables hold the sums of the hours, for periods that are over.
# sreport looks at a user only where the cluster as a whole has usage.
cluster_past_sum()
{
	local p=$CLUSTER_NAME start over

	start="unix_timestamp(date_format(from_unixtime(time_start), '$2'))"
	over="id_tres=@tres and
		time_start < unix_timestamp(date_format(now(), '$2'))"
	printf '%s' "
	insert into ${p}_assoc_usage_$1_table (creation_time, mod_time,
		id, id_tres, time_start, alloc_secs)
	select unix_timestamp(), unix_timestamp(), id, id_tres,
		$start as begin, sum(alloc_secs)
	from ${p}_assoc_usage_hour_table
	where id=@id and $over group by id, id_tres, begin
	on duplicate key update alloc_secs = values(alloc_secs);
	insert into ${p}_usage_$1_table (creation_time, mod_time,
		id_tres, time_start, count, alloc_secs)
	select unix_timestamp(), unix_timestamp(), id_tres,
		$start as begin, max(count), sum(alloc_secs)
	from ${p}_usage_hour_table
	where $over group by id_tres, begin
	on duplicate key update alloc_secs = values(alloc_secs);"
}

# ---------------------------------------------------------------- jobs

# cluster_submit USER ACCOUNT [SBATCH ARGUMENT...]: prints the job id.  The
# job sleeps, ten minutes or as its --wrap says.
cluster_submit()
{
	local user=$1 account=$2 wrap=--wrap='exec sleep 600' word

	shift 2
	for word; do
		[[ $word != --wrap* ]] || wrap=
	done
	CLUSTER_TAG=$CLUSTER_DIR sbatch --parsable --uid="$user" \
		--account="$account" --chdir=/ --output=/dev/null "$@" \
		${wrap:+"$wrap"}
}

# cluster_job_state JOB: one line for each task or component.
cluster_job_state()
{
	squeue -h -t all -j "$1" -o %T 2>/dev/null
}

# cluster_job_is JOB STATE[|STATE...]
cluster_job_is()
{
	local state

	state=$(cluster_job_state "$1") && [ -n "$state" ] &&
		! grep -qvxE -e "$2" <<<"$state"
}

# cluster_wait_job_state JOB STATE[|STATE...] [SECONDS]
cluster_wait_job_state()
{
	cluster_poll "${3:-20}" cluster_job_is "$1" "$2" && return 0
	tap_diag "job $1 not $2 but $(cluster_job_state "$1" | paste -sd ,)"
	tap_diag "$(scontrol -o show job "$1" 2>&1 | cut -c 1-400)"
	return 1
}

# cluster_job_field JOB FIELD: as scontrol show job has it.
cluster_job_field()
{
	scontrol -o show job "$1" | grep -oE "(^| )$2=[^ ]*" |
		head -n 1 | cut -d = -f 2-
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	case ${1-} in
	--watch)	shift; cluster_watch "$@" ;;
	*)		printf 'to be sourced, see its head\n' >&2; exit 2 ;;
	esac
fi
