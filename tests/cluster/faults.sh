# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The functions of a fault are called by name.
# shellcheck disable=SC2317
#
# faults.sh - what can go wrong around a running cluster.  Source it after
# cluster.sh; each fault_* makes one mess and leaves the cluster running.
#
#	faults_prepare		settings; before cluster_start
#	faults_prepare_more	for what needs mounts and a second host name
#	faults_jobs		the jobs that must not notice
#	faults_run SECONDS	faults in random order, see FAULTS_SEED
#
# Slurm itself forgets what happened in its last five seconds when it is
# killed, and starts a job a second time whose start it forgot: slurmdbd then
# has one record of two runs, and no count can agree.  So nothing starts in
# the last moments before a kill -9.  From 23.11 on `scontrol reconfigure` is a
# new slurmctld, too: it forgets what the old one could not write.

: "${FAULTS_SEED=$((SRANDOM % 100000))}"
: "${FAULTS_ONLY=}"

FAULTS_TOP=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
FAULTS_DONE=0
FAULTS_TRES=0
FAULTS_KINDS=()
STATE_NAME=priority_budget_state

faults_prepare()
{
	FAULTS_CTL=$CLUSTER_DIR/etc/faults
	gcc -O1 -shared -fPIC -o "$CLUSTER_DIR/etc/faults.so" \
		"$FAULTS_TOP/tests/cluster/faults.c" ||
		cluster_bail "faults.c does not compile"
	faults_set 0
	CLUSTER_CTLD_PREFIX="env SB_FAULTS=$FAULTS_CTL"
	CLUSTER_CTLD_PREFIX+=" SB_FAULTS_DIR=$CLUSTER_STATE"
	CLUSTER_CTLD_PREFIX+=" LD_PRELOAD=$LD_PRELOAD:"
	CLUSTER_CTLD_PREFIX+="$CLUSTER_DIR/etc/faults.so"
	cluster_tree <<-END
	account a1 parent=root fairshare=35
	account b2 parent=root fairshare=20
	account c3 parent=root fairshare=45
	account d4 parent=c3 fairshare=1
	user u1 account=a1
	user u2 account=b2
	user u3 account=c3
	user u4 account=d4
	user u5 account=c3
	END
}

# What this machine does not let us do is no fault of the campaign.
faults_prepare_more()
{
	if ! mount -t tmpfs -o size=8m,mode=755 faults "$CLUSTER_STATE" \
	    2>/dev/null; then
		tap_diag "no mounts here: no full and no read-only disk"
		unset -f fault_disk_full fault_disk_readonly
	fi
	if ! unshare --uts true 2>/dev/null; then
		tap_diag "no second host name here: no backup controller"
		unset -f fault_backup
		return
	fi
	sed '/^SlurmctldHost=/a SlurmctldHost=backup(127.0.0.2)' \
		"$CLUSTER_CONF" | cluster_write "$CLUSTER_CONF"
	printf '127.0.0.2 backup\n' >>"$CLUSTER_DIR/etc/hosts"
}

# faults_set OFFSET [FAULT [NAME]]: see faults.c.  In place, it is mapped.
faults_set()
{
	printf '%-20s%-20s%-24s' "$1" "${2-}" "${3-}" |
		dd of="$FAULTS_CTL" conv=notrunc status=none
}

# ---------------------------------------------------------------- jobs

# Two protected jobs that leave no room for a third that wants a whole node and
# is owed more: whoever loses protection is gone.
faults_jobs()
{
	local id

	FAULTS_JOBS=()
	id=$(cluster_submit u2 b2 --gres=gpu:8 -w n1 --time=1-0 \
		--comment=min-runtime=3h --wrap='exec sleep 86400')
	FAULTS_JOBS+=("$id")
	id=$(cluster_submit u2 b2 --gres=gpu:4 -w n2 --time=1-0 \
		--comment=min-runtime=2h --wrap='exec sleep 86400')
	FAULTS_JOBS+=("$id")
	for id in "${FAULTS_JOBS[@]}"; do
		cluster_wait_job_state "$id" RUNNING 30 &&
			cluster_wait_until 20 faults_signed "$id" ||
			cluster_bail "job $id is not protected"
	done
	FAULTS_RIVAL=$(cluster_submit u1 a1 --gres=gpu:8 --time=2-0)
	FAULTS_TOKENS=$(faults_tokens)
}

faults_signed()
{
	[[ $(scontrol -o show job "$1") == *'SystemComment=budget['* ]]
}

# What was promised, and to which run
faults_tokens()
{
	local id

	for id in "${FAULTS_JOBS[@]}"; do
		scontrol -o show job "$id" | grep -oE \
			'JobState=[^ ]*|Restarts=[^ ]*|budget\[[^]]*\]' |
			paste -sd ' '
	done
}

# Short work beside it all
faults_churn()
{
	local i who account

	for ((i = 0; i < ${1:-2}; i++)); do
		case $((RANDOM % 4)) in
		0)	who=u1 account=a1 ;;
		1)	who=u3 account=c3 ;;
		2)	who=u4 account=d4 ;;
		3)	who=u2 account=b2 ;;
		esac
		cluster_submit $who $account --gres=gpu:1 --time=2 \
			--exclude=n1 --no-requeue \
			--wrap="sleep $((RANDOM % 3)).$((RANDOM % 10))" \
			>/dev/null
	done 2>/dev/null
}

# Have a pass, which writes our state.  A reconfigure would open the partition.
faults_poke()
{
	scontrol update JobId="${FAULTS_JOBS[0]}" Comment=min-runtime=3h \
		>/dev/null 2>&1
}

# Nothing starts, and all that did is on disk.
faults_quiet()
{
	scontrol update PartitionName=gpu State=INACTIVE
	cluster_wait_saved
}

faults_idle()
{
	! squeue -h -t R,CG -o %A | grep -vxF "${FAULTS_JOBS[0]}
${FAULTS_JOBS[1]}"
}

faults_told()
{
	sdiag | grep -q '^DBD Agent queue size: 0$'
}

# There is nothing to lose: nothing but our jobs runs or waits, and that is on
# disk and in slurmdbd.  A reconfigure opens the partition, so that nobody
# waits.
faults_still()
{
	scontrol update PartitionName=gpu State=INACTIVE
	squeue -h -t PD -o %A | grep -vxF "$FAULTS_RIVAL" | xargs -r scancel
	cluster_wait_until 20 faults_idle
	cluster_wait_until 20 faults_told
	cluster_wait_saved
}

faults_resume()
{
	cluster_start_ctld
	cluster_wait_nodes
	scontrol update PartitionName=gpu State=UP
}

faults_gone()
{
	cluster_gone slurmctld
}

# ---------------------------------------------------------------- faults

fault_kill_ctld()
{
	faults_quiet
	cluster_kill_ctld
	faults_resume
}

# Killed while it writes our state, at one of its steps
fault_die_in_write()
{
	local steps=(write fsync link rename renamed) step

	step=${steps[RANDOM % ${#steps[@]}]}
	FAULTS_NOTE=$step
	faults_quiet
	faults_set 0 "die-$step" $STATE_NAME
	faults_poke
	cluster_wait_until 20 faults_gone
	faults_set 0
	faults_resume
}

# The disk is full, or no disk any more, and slurmctld goes on.
fault_disk()
{
	local words=(full readonly)

	FAULTS_NOTE=${words[RANDOM % 2]}
	! cluster_ctld_rereads || faults_still
	cluster_log_mark
	faults_set 0 "$FAULTS_NOTE" ''
	cluster_ctld_rereads || faults_churn 2
	scontrol reconfigure
	cluster_wait_until 10 cluster_log_has 'cannot write .*priority_'
	faults_ping
	cluster_nap 1
	faults_set 0
	scontrol update PartitionName=gpu State=UP
}

# The same, and then killed
fault_disk_kill()
{
	faults_quiet
	faults_set 0 full $STATE_NAME
	faults_poke
	cluster_nap 2
	cluster_kill_ctld
	faults_set 0
	faults_resume
}

# A disk that is full, for everybody: nothing that slurmctld writes gets there.
fault_disk_full()
{
	cluster_log_mark
	dd if=/dev/zero of="$CLUSTER_STATE/filler" bs=64k status=none 2>&1 |
		grep -q 'No space left' || tap_diag "the disk does not fill up"
	faults_disk_is_bad
	rm -f "$CLUSTER_STATE/filler"
	faults_disk_is_well
}

# A disk that has gone read-only, as file systems do that met an error
fault_disk_readonly()
{
	cluster_log_mark
	cluster_wait_until 10 mount -o remount,ro "$CLUSTER_STATE"
	faults_disk_is_bad
	mount -o remount,rw "$CLUSTER_STATE"
	faults_disk_is_well
}

# No reconfigure: slurmctld ends itself when it cannot write there.
faults_disk_is_bad()
{
	faults_poke
	cluster_wait_until 10 cluster_log_has 'cannot write .*priority_'
	faults_ping
	cluster_nap 1
}

faults_disk_is_well()
{
	local begin=$EPOCHSECONDS

	faults_poke
	cluster_wait_until 20 faults_written "$begin" ||
		FAULTS_BAD+="state is not written any more "
}

# faults_written SINCE: our state was.
faults_written()
{
	[ "$(stat -c %Y "$CLUSTER_STATE/$STATE_NAME")" -ge "$1" ]
}

# faults_kept JOB SECOND: our state was written behind that second.  Where the
# disk is slow that takes another pass, which the job's comment makes.
faults_kept()
{
	scontrol update JobId="$1" Comment=seen
	cluster_nap 1
	faults_written $(($2 + 1))
}

# faults_started JOB: slurmdbd has its start from slurmctld.  When that of its
# batch step comes first, it makes a record without an allocation, of which
# neither sacct nor we are told.
faults_started()
{
	[ -n "$(cluster_sql "select 1 from ${CLUSTER_NAME}_job_table
		where id_job=$1 and time_start > 0 and tres_alloc <> ''")" ]
}

# faults_spoil FILE: bytes of no good state
faults_spoil()
{
	local ways=(truncate flip empty future other random) size byte

	size=$(stat -c %s "$1")
	FAULTS_NOTE=${ways[RANDOM % ${#ways[@]}]}
	case $FAULTS_NOTE in
	truncate)
		truncate -s $((RANDOM % size)) "$1" ;;
	flip)	byte=$(od -An -tu1 -j $((size / 2)) -N 1 "$1")
		printf '%b' "\\x$(printf %x $((byte ^ 16)))" |
			dd of="$1" bs=1 seek=$((size / 2)) conv=notrunc \
			status=none ;;
	empty)	: >"$1" ;;
	future)	printf '\x63' | dd of="$1" bs=1 seek=8 conv=notrunc \
			status=none ;;
	other)	cp "$FAULTS_TOP/tests/unit/data/state-v1.bin" "$1" ;;
	random)	head -c "$size" /dev/urandom >"$1" ;;
	esac
}

fault_state()
{
	cluster_stop_ctld
	faults_spoil "$CLUSTER_STATE/$STATE_NAME"
	cluster_log_mark
	faults_resume
	cluster_log_has 'priority_budget_state is (not usable|of cluster)' ||
		tap_diag "nobody complained of a state that was: $FAULTS_NOTE"
}

fault_state_both()
{
	cluster_stop_ctld
	faults_spoil "$CLUSTER_STATE/$STATE_NAME"
	cp "$CLUSTER_STATE/$STATE_NAME" "$CLUSTER_STATE/$STATE_NAME.old"
	faults_resume
}

fault_kill_dbd()
{
	cluster_kill_dbd
	faults_churn 2
	cluster_nap 1.5
	faults_ping
	cluster_start_dbd
}

# It is there and says nothing.  A slurmctld that starts waits for its answers,
# and so does a reconfigure where that is a start.
fault_hang_dbd()
{
	cluster_signal STOP slurmdbd
	faults_churn 2
	cluster_ctld_rereads || scontrol reconfigure
	cluster_nap 2
	faults_ping
	cluster_signal CONT slurmdbd
}

# slurmctld starts without slurmdbd.  What it had to tell when it was killed is
# lost with it, so there is nothing.  It refuses to start when it has never
# written down what slurmdbd told it, which it does at a reconfigure.
fault_ctld_alone()
{
	scontrol reconfigure
	faults_quiet
	cluster_wait_until 20 faults_idle
	cluster_nap 1
	cluster_end slurmdbd
	cluster_kill_ctld
	faults_resume
	faults_ping
	cluster_start_dbd
}

fault_kill_db()
{
	cluster_kill mariadbd
	faults_churn 1
	cluster_nap 1
	faults_ping
	cluster_start_db
	# It does not survive every time.
	cluster_running slurmdbd || cluster_start_dbd
}

# The controller hands over to its backup, which has the same address but
# another name, and takes over again.
fault_backup()
{
	local conf=$CLUSTER_CONF.backup

	sed -e "s#^\(SlurmctldLogFile\)=.*#\1=$CLUSTER_LOGS/backup.log#" \
		-e "s#^\(SlurmctldPidFile\)=.*#\1=$CLUSTER_DIR/backup.pid#" \
		"$CLUSTER_CONF" | cluster_write "$conf"
	# shellcheck disable=SC2016
	cluster_spawn backup unshare --uts sh -c \
		'hostname backup && exec slurmctld -D -f "$0"' "$conf"
	cluster_wait_until 30 faults_is_up backup
	faults_quiet
	cluster_stop_ctld
	cluster_wait_until 30 scontrol takeover 1
	cluster_wait_until 30 squeue
	cluster_poll 10 faults_promised ||
		FAULTS_BAD+="the backup's promise: $(faults_tokens) "
	cluster_nap 2
	# shellcheck disable=SC2086
	cluster_spawn slurmctld $CLUSTER_CTLD_PREFIX slurmctld -D
	cluster_wait_until 60 faults_is_up primary
	cluster_end backup
	cluster_wait_nodes
	scontrol update PartitionName=gpu State=UP
}

# faults_is_up primary|backup
faults_is_up()
{
	scontrol ping | grep -qE "^Slurmctld\($1\) at [a-z0-9-]+ is UP"
}

# The one in the foreground that makes way for a new slurmctld is not there any
# more when that refuses its settings (18-settings.t has the background).
fault_reconfigure()
{
	local i

	for ((i = 0; i < 6; i++)); do
		faults_churn 1
		case $i in
		2)	cluster_ctld_rereads ||
				cluster_set_conf PriorityParameters nonsense=1 ;;
		3)	cluster_set_conf PriorityParameters window=6-0 ;;
		4)	cluster_set_conf PriorityParameters '' ;;
		esac
		scontrol reconfigure
	done
}

fault_tree()
{
	local id

	# What he has used stays with his account.
	id=$(cluster_submit u5 c3 --gres=gpu:2 --exclude=n1 --time=2 \
		--no-requeue --wrap='sleep 2' 2>/dev/null)
	cluster_wait_job_state "$id" COMPLETED 30
	# slurmdbd does not delete who has jobs, and it learns of an end a
	# little later.
	cluster_wait_until 30 cluster_sacctmgr delete user u5
	cluster_sacctmgr <<-END
	modify account d4 set parent=$( ((RANDOM % 2)) && echo a1 || echo b2)
	add account e5 parent=a1 fairshare=7
	modify account b2 set fairshare=$((1 + RANDOM % 50))
	END
	faults_churn 2
	cluster_nap 1
	cluster_sacctmgr <<-END
	add user u5 account=c3
	delete account e5
	modify account d4 set parent=c3
	modify account b2 set fairshare=20
	END
}

fault_qos()
{
	cluster_sacctmgr <<-END
	add qos brief priority=$((RANDOM % 100))
	modify user u3 set qos+=brief
	END
	cluster_submit u3 c3 --gres=gpu:1 --exclude=n1 --qos=brief --time=2 \
		--wrap='sleep 2' >/dev/null
	cluster_nap 1
	cluster_sacctmgr <<-END
	modify qos brief set priority=5 grpjobs=3
	modify user u3 set qos-=brief
	END
	# Under the job that runs in it
	! ((RANDOM % 2)) || cluster_sacctmgr delete qos brief
	scontrol reconfigure
}

# One more TRES: slurmctld's arrays get longer, and what is charged may stand
# elsewhere.  It learns of it at its start only.
fault_tres()
{
	FAULTS_TRES=$((FAULTS_TRES + 1))
	cluster_set_conf AccountingStorageTRES \
		"license/l$FAULTS_TRES,$(cluster_conf_tres)"
	cluster_restart_ctld
	faults_churn 2
}

# A node that is well already cannot be resumed: one that was down is when its
# slurmd registers.
faults_node_well()
{
	sinfo -h -n n3 -o %T | sort -u |
		grep -qxE 'idle|mixed|allocated|completing' ||
		{ scontrol update NodeName=n3 State=RESUME; return 1; }
}

# n3 has nothing but short work.
fault_node()
{
	local ways=(drain down fail)

	FAULTS_NOTE=${ways[RANDOM % 3]}
	faults_churn 4
	cluster_nap 0.5
	case $FAULTS_NOTE in
	drain)	scontrol update NodeName=n3 State=DRAIN Reason=fault ;;
	down)	scontrol update NodeName=n3 State=DOWN Reason=fault ;;
	fail)	cluster_kill n3
		scontrol update NodeName=n3 State=FAIL Reason=fault
		cluster_spawn n3 slurmd -D -N n3 ;;
	esac
	cluster_nap 1
	cluster_wait_until 20 faults_node_well
}

fault_partition()
{
	scontrol create PartitionName=more Nodes=n3 State=UP \
		TRESBillingWeights=GRES/gpu=1 >/dev/null
	cluster_submit u3 c3 --gres=gpu:1 -p more --time=2 --no-requeue \
		--wrap='sleep 20' >/dev/null 2>&1
	cluster_nap 1
	scancel -p more
	cluster_nap 1
	scontrol delete PartitionName=more
}

fault_preempt_type()
{
	cluster_set_conf PreemptType preempt/none
	cluster_set_conf PreemptMode OFF
	scontrol reconfigure
	faults_churn 1
	cluster_nap 1
	cluster_set_conf PreemptType preempt/minruntime
	cluster_set_conf PreemptMode REQUEUE
	scontrol reconfigure
}

# There and back: what ran meanwhile is in slurmdbd.
fault_priority_type()
{
	cluster_set_conf PriorityType priority/multifactor
	cluster_set_conf PriorityParameters ''
	cluster_restart_ctld
	faults_churn 3
	cluster_nap 1.5
	cluster_set_conf PriorityType priority/budget
	cluster_restart_ctld
}

# Somebody's NTP.  Not far back: Slurm's own threads stand still for as long
# (42-clock.t has ours).  A slurmctld that is started meanwhile begins jobs at
# that time, and slurmdbd has records that end before they begin.
fault_clock()
{
	local steps=(-3600 -40 12 7) step

	step=${steps[RANDOM % ${#steps[@]}]}
	FAULTS_NOTE=$step
	! cluster_ctld_rereads || faults_still
	faults_set "$step"
	scontrol reconfigure
	cluster_nap 2
	faults_ping
	faults_set 0
	cluster_nap 1
}

# ---------------------------------------------------------------- campaign

# slurmctld answers within a second; the machine may have hiccups, so one of
# three answers is enough.
faults_ping()
{
	local i begin

	for i in 1 2 3; do
		begin=${EPOCHREALTIME/[^0-9]/}
		[[ $(timeout 20 scontrol ping) == *' is UP'* ]] &&
			timeout 20 squeue -h >/dev/null &&
			[ $((${EPOCHREALTIME/[^0-9]/} - begin)) -lt 1000000 ] &&
			return 0
	done
	tap_diag "slurmctld does not answer within a second ($FAULTS_NOTE)"
	FAULTS_BAD+="slow "
	return 1
}

faults_conserved()
{
	FAULTS_CHECKED=$("$FAULTS_TOP/scripts/budget-check" "$@" 2>&1)
}

faults_promised()
{
	[ "$(faults_tokens)" = "$FAULTS_TOKENS" ]
}

# faults_one KIND: and the cluster is as healthy as before
faults_one()
{
	local begin=$SECONDS

	FAULTS_BAD='' FAULTS_NOTE=''
	faults_churn 2
	"fault_$1"
	FAULTS_DONE=$((FAULTS_DONE + 1))
	cluster_running slurmctld ||
		cluster_bail "slurmctld is gone: $1 $FAULTS_NOTE" \
			"$(cluster_logs)"
	faults_ping
	cluster_poll 10 faults_promised ||
		FAULTS_BAD+="promise: $(faults_tokens) "
	# Records come late when slurmdbd was away.
	cluster_poll 40 faults_conserved || FAULTS_BAD+="$FAULTS_CHECKED "
	cluster_job_is "$FAULTS_RIVAL" PENDING || FAULTS_BAD+="rival runs "
	tap_is "$FAULTS_BAD" '' \
		"$1${FAULTS_NOTE:+ ($FAULTS_NOTE)}, $((SECONDS - begin)) s"
}

# Each kind once before one comes again.
faults_draw()
{
	local i

	if [ ${#FAULTS_KINDS[@]} = 0 ]; then
		mapfile -t FAULTS_KINDS < <(compgen -A function fault_ |
			sed 's/^fault_//' | grep -E "${FAULTS_ONLY:-.}")
	fi
	i=$((RANDOM % ${#FAULTS_KINDS[@]}))
	FAULTS_KIND=${FAULTS_KINDS[i]}
	unset "FAULTS_KINDS[i]"
	FAULTS_KINDS=("${FAULTS_KINDS[@]}")
}

# faults_run SECONDS
faults_run()
{
	local end=$((SECONDS + $1))

	RANDOM=$FAULTS_SEED
	tap_diag "again with FAULTS_SEED=$FAULTS_SEED"
	while [ "$SECONDS" -lt $end ]; do
		faults_draw
		faults_one "$FAULTS_KIND"
	done
}

faults_over()
{
	[ -z "$(squeue -h)" ]
}

# A record without a start, of a run that began as slurmctld was killed, stays
# that way: from 24.11 on the next one takes it for known to slurmdbd.
faults_exact()
{
	faults_conserved && [[ $FAULTS_CHECKED != *' to '* ||
		$FAULTS_CHECKED == *'have lost their start'* ]]
}

# Everything ends, and every second was charged once.
faults_finish()
{
	scancel --state=PENDING --quiet "$FAULTS_RIVAL"
	scancel -p gpu --quiet
	cluster_nudge_nodes
	tap_ok "all jobs end" cluster_wait_until 60 faults_over
	cluster_poll 90 faults_exact
	tap_ok "$FAULTS_DONE faults: every second was charged once" \
		faults_exact
	tap_diag "$FAULTS_CHECKED"
}
