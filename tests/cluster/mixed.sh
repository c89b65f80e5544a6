# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# mixed.sh - a run of short jobs to which everything happens that can happen
# to a job, and what slurmdbd and sshare say of it.  Source it after
# cluster.sh:
#
#	mixed_tree
#	mixed_submit 200
#	mixed_play
#	mixed_compare 30 "the same"
#
# A job is named by what will happen to it.  What is submitted is random, but
# the same for the same MIXED_SEED; when it happens depends on the machine.
#
#	plain, long, array, het	run to their end
#	again			requeues itself as the first thing it does
#	requeue			is requeued by an operator
#	cancel, pending		is cancelled while it runs, before it runs
#	fail			exits with 3
#	suspend			is suspended and resumed
#	resize			gives one of its two nodes back
#	free			declares min-runtime=0: not charged
#	limit			is ended by its time limit, which slurmctld
#				notices only twice a minute

: "${MIXED_SEED=1}"

# What is drawn from: as many as there are of each.
MIXED_KINDS="plain plain plain plain plain plain plain plain array array array
array het het again again again again again again requeue requeue requeue
cancel cancel cancel pending pending fail fail fail suspend suspend free free
long"

# What was done to which job, and when it was first seen.
declare -A MIXED_DONE=()
# What they had used before, those whose jobs are resized.
declare -A MIXED_USED=()
# Not empty: no job is resized for now.
MIXED_NO_RESIZE=

# One user in two accounts; users whose jobs are resized have no other jobs.
mixed_tree()
{
	cluster_tree <<-END
	account a1 parent=root fairshare=35
	account a2 parent=a1 fairshare=2
	account b2 parent=root fairshare=20
	user u1 account=a1
	user u2 account=a1
	user u1 account=a2
	user u3 account=a2
	user u1 account=b2
	user u4 account=b2
	user r1 account=b2
	user r2 account=a2
	END
}

mixed_word()
{
	local words=("$@")

	MIXED_WORD=${words[RANDOM % $#]}
}

# shellcheck disable=SC2016
mixed_sbatch()
{
	local kind=$1 seconds=$2

	shift 2
	CLUSTER_TAG=$CLUSTER_DIR sbatch --parsable --job-name="$kind" \
		--chdir=/ --output=/dev/null "$@" --wrap="$(
		case $kind in
		again)	printf '[ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] ||'
			printf ' scontrol requeue "$SLURM_JOB_ID"\n' ;;
		esac
		printf 'sleep %s\n' "$seconds"
		[ "$kind" != fail ] || printf 'exit 3\n')" >/dev/null ||
		tap_diag "sbatch refuses a job of the mix: $kind $*"
}

# mixed_one [KIND]: one random submission.  MIXED_COUNT grows by its jobs.
mixed_one()
{
	local kind seconds gpus who more=()

	# shellcheck disable=SC2086
	mixed_word ${1:-$MIXED_KINDS}
	kind=$MIXED_WORD
	mixed_word u1:a1 u1:a1 u2:a1 u1:a2 u3:a2 u1:b2 u4:b2
	who=$MIXED_WORD
	mixed_word h100:1 h100:1 h100:1 h100:2 h100:3 h100:8 b200:1 b200:2
	gpus=$MIXED_WORD
	mixed_word 0.2 0.6 1.1 1.7 2.4
	seconds=$MIXED_WORD
	case $kind in
	array)	more=(--array=1-4); MIXED_COUNT=$((MIXED_COUNT + 3)) ;;
	het)	more=(: --gres=gpu:b200:1); MIXED_COUNT=$((MIXED_COUNT + 1)) ;;
	free)	more=(--comment=min-runtime=0) ;;
	limit)	seconds=100; gpus=h100:1 ;;
	requeue|cancel|suspend|long)
		seconds=6; gpus=h100:1 ;;
	esac
	# slurmdbd loses the start of a run that is requeued before slurmctld
	# knows the number of its record, which takes up to 5 s.
	[[ $kind != again && $kind != requeue && $kind != pending ]] ||
		more=(--hold)
	mixed_sbatch "$kind" "$seconds" --uid="${who%:*}" -A "${who#*:}" \
		--gres=gpu:"$gpus" "${more[@]}"
	MIXED_COUNT=$((MIXED_COUNT + 1))
}

# mixed_submit COUNT [KIND...]: that many jobs, or a few more, among them one of
# each of these kinds.
mixed_submit()
{
	local count=$1 kind

	shift
	RANDOM=$MIXED_SEED
	MIXED_SEED=$((MIXED_SEED + 1))
	MIXED_COUNT=2
	MIXED_USED=([r1]=$(mixed_used r1) [r2]=$(mixed_used r2))
	# A resized job that runs again is written over its own first run.
	mixed_sbatch resize 10 --uid=r1 -A b2 -N 2 --gres=gpu:h100:1 \
		--no-requeue
	mixed_sbatch resize 10 --uid=r2 -A a2 -N 2 --gres=gpu:h100:3 \
		--no-requeue
	for kind; do
		mixed_one "$kind"
	done
	while [ "$MIXED_COUNT" -lt "$count" ]; do
		mixed_one
	done
}

# mixed_once JOB WHAT COMMAND...: the command, unless it was done.
mixed_once()
{
	local key=$1:$2

	shift 2
	[ -z "${MIXED_DONE[$key]-}" ] || return 1
	"$@" >/dev/null 2>&1 && MIXED_DONE[$key]=$EPOCHREALTIME
}

mixed_used()
{
	sshare -nP -a -u "$1" -o User,RawUsage | grep "^$1|"
}

# A resize in the second of the start is one that nobody can have seen the
# time before of: the first charge is the sign that the job was seen.
mixed_resize()
{
	local job=$1 user=$2

	[ -z "$MIXED_NO_RESIZE" ] &&
		[ "$(mixed_used "$user")" != "${MIXED_USED[$user]}" ] ||
		return 1
	# scontrol leaves a script for the job where it runs.
	(cd "$CLUSTER_DIR/tmp" && scontrol update JobId="$job" NumNodes=1)
}

# mixed_aged JOB: it was first seen 6 s ago.
mixed_aged()
{
	local since=${MIXED_DONE[$1:seen]:=$SECONDS}

	[ $((SECONDS - since)) -ge 6 ]
}

# mixed_act JOB KIND STATE USER REASON
mixed_act()
{
	local job=$1

	case $2:$3 in
	requeue:RUNNING)
		mixed_once "$job" requeue scontrol requeue "$job" ;;
	cancel:RUNNING|pending:PENDING)
		mixed_once "$job" cancel scancel "$job" ;;
	suspend:RUNNING)
		mixed_once "$job" suspend scontrol suspend "$job" ;;
	suspend:SUSPENDED)
		scontrol resume "$job" ;;
	resize:RUNNING)
		mixed_once "$job" resize mixed_resize "$job" "$4" ;;
	limit:RUNNING)
		mixed_once "$job" limit scontrol update JobId="$job" \
			EndTime="$(date -d '2 seconds' +%FT%T)" ;;
	*:PENDING)
		# Requeued jobs wait two minutes for the sake of slurmd.
		[ "$5" != BeginTime ] ||
			scontrol update JobId="$job" StartTime=now
		# By the mix, or by a launch that slurmctld did not survive.
		[[ $5 != JobHeld* && $5 != launch* ]] ||
			! mixed_aged "$job" || scontrol release "$job" ;;
	esac >/dev/null 2>&1
}

# One round.  Fails when there is nothing left to wait for.
mixed_round()
{
	local jobs job kind state user reason

	jobs=$(squeue -h -r -o '%A %j %T %u %r') || return 0
	[ -n "$jobs" ] || return 1
	while read -r job kind state user reason; do
		mixed_act "$job" "$kind" "$state" "$user" "$reason"
	done <<<"$jobs"
	return 0
}

# A test may have something happen to the cluster meanwhile.
mixed_event()
{
	:
}

# mixed_play [SECONDS]: until all jobs are over.
mixed_play()
{
	local end=$((SECONDS + ${1:-300} * CLUSTER_PATIENCE))

	while mixed_round; do
		mixed_event
		cluster_nap 0.2
		[ $SECONDS -lt $end ] && continue
		tap_diag "jobs of the mix do not end:" "$(squeue)"
		return 1
	done
}

# Records of attempts, one a line: job submit start end state account user
# name billing twice written.  After a resize slurmdbd has a second record of
# the job, and 22.05 lets it begin where the first one does: it begins at the
# resize, and `twice` is the seconds that slurmdbd counts twice.  26.05 writes
# the last size over the first record's when the last step of a resized job
# ends behind the job, as it does when the node has lost it: `written` is what
# slurmdbd counts then, and billing what was allocated, on as many nodes as the
# record still has.
mixed_records()
{
	SLURM_TIME_FORMAT=%s sacct -nPXDa -S now-2hours -o JobIDRaw,Submit,\
Start,End,State,Account,User,JobName,AllocNodes,AllocTRES |
		sed 's/CANCELLED by [0-9]*/CANCELLED/;s/|/ /g' |
		sort -k 1,1n -k 2,2n |
		awk 'function part(name, n, i, p) {
			n = split($10, p, ",")
			for (i = 1; i <= n; i++)
				if (index(p[i], name "=") == 1)
					return substr(p[i], length(name) + 2) + 0
			return 0
		}
		{
			twice = 0
			if ($1 == job && state == "RESIZING") {
				twice = end - $3
				$3 = end
			}
			job = $1; end = $4; state = $5
			billing = written = part("billing")
			nodes = part("node")
			if (state == "RESIZING" && nodes)
				billing *= $9 / nodes
			print $1, $2, $3, $4, $5, $6, $7, $8, billing, twice,
				written
		}'
}

# mixed_logged FILE PATTERN: "job time" a line, of the lines of a log that tell
# of a start.
mixed_logged()
{
	awk -v pattern="$2" 'match($0, pattern "[^ ]*") {
		job = substr($0, RSTART, RLENGTH)
		sub(/.*[= ]/, "", job)
		# An array task or a component: its own number is behind.
		sub(/.*\(/, "", job)
		time = substr($0, 2, 19)
		gsub(/[-T:]/, " ", time)
		print job + 0, mktime(time)
	}' "$1"
}

# mixed_starts: "start job time before" a line, as slurmctld says in its log, or
# the node, which hears of it a little later: `before` is by how much at most.
mixed_starts()
{
	local name rest

	{
		mixed_logged "$(cluster_log slurmctld)" \
			'(Started|Allocate) JobId=' | sed 's/$/ 0/'
		while read -r name rest; do
			mixed_logged "$(cluster_log "$name")" \
				'Launching batch (job |JobId=)' | sed 's/$/ 5/'
		done < <(cluster_node_list)
	} | sort -k 2,2n | sed 's/^/start /'
}

# mixed_recorded CHARGED: what slurmdbd has, one "account user seconds" a line,
# unallocated time aside. slurmdbd loses the start of a run that is requeued
# just when slurmctld sends it, and counts none of it, while we may have seen
# it: any part of it is taken as right.  Slurm 26.05 does not even log a start
# in slurmctld's first seconds: then its node does, or it was after the
# submission.
mixed_recorded()
{
	{
		mixed_starts
		mixed_records
	} | awk -v charged="$1" '
		BEGIN {
			n = split(charged, line, "\n")
			for (i = 1; i <= n; i++) {
				split(line[i], word, " ")
				got[word[1] " " word[2]] = word[3]
			}
		}
		$1 == "start" {
			starts[$2] = starts[$2] " " $3
			before[$2 " " $3] = $4
			next
		}
		$8 == "free" { next }
		$3 + 0 { sum[$6 " " $7] += ($4 - $3) * $9; next }
		$4 + 0 {
			n = split(starts[$1], start, " ")
			for (i = 1; i <= n && start[i] < $2; i++)
				;
			if (i <= n && start[i] <= $4) {
				from = start[i] - before[$1 " " start[i]]
				from = from > $2 ? from : $2
				lost[$6 " " $7] += ($4 - from + 1) * $9
			} else if ($5 == "COMPLETED") {
				lost[$6 " " $7] += ($4 - $2 + 1) * $9
			}
		}
		END {
			for (who in sum) {
				more = got[who] - sum[who]
				if (more > 0 && more <= lost[who])
					sum[who] = got[who]
				if (sum[who])
					print who, sum[who]
			}
		}' | sort
}

# mixed_reported: what sreport has, the same way, after all records have been
# moved into hours that are over, and summed up.  No test can go on behind it.
mixed_reported()
{
	local p=$CLUSTER_NAME

	cluster_sql "
	set @shift = 3 * 3600;
	update ${p}_job_table set time_start = time_start - @shift,
		time_end = time_end - @shift, time_eligible = time_start
		where time_start > 0 and time_end > 0;
	update ${p}_event_table set time_start = time_start - 86400
		where time_start > 0;
	update ${p}_last_ran_table set
		hourly_rollup = hourly_rollup - 5 * 3600;"
	sacctmgr -i rollup >/dev/null 2>&1
	sreport -nPt seconds -T billing cluster AccountUtilizationByUser \
		start="$(date -d '5 hours ago' +%FT%H:00:00)" \
		end="$(date +%FT%H:00:00)" format=account,login,used |
		awk -F '|' '$2 { print $1, $2, $3 }' | sort
}

# mixed_to_report: what sreport should have: unallocated jobs too, the time
# before a resize twice, and the size that was written over another.
mixed_to_report()
{
	mixed_records | awk '
		$3 + 0 { sum[$6 " " $7] += ($4 - $3 + $10) * $11 }
		END { for (who in sum) if (sum[who]) print who, sum[who] }' |
		sort
}

mixed_charged()
{
	sshare -nP -a -o Account,User,RawUsage |
		awk -F '|' '$2 && $3 { sub(/^ */, "", $1); print $1, $2, $3 }' |
		sort
}

# All ends have reached slurmdbd, and both agree.
mixed_equal()
{
	local charged recorded

	! mixed_records | awk '$3 + 0 && !($4 + 0)' | grep -q . &&
		charged=$(mixed_charged) &&
		recorded=$(mixed_recorded "$charged") && [ -n "$recorded" ] &&
		[ "$charged" = "$recorded" ]
}

# mixed_compare SECONDS NAME: the test, within this time.
mixed_compare()
{
	local charged recorded

	cluster_poll "$1" mixed_equal
	charged=$(mixed_charged)
	recorded=$(mixed_recorded "$charged")
	tap_is "$charged" "$recorded" "$2" || mixed_explain <<-END
	$(comm -3 <(printf '%s' "$charged") <(printf '%s' "$recorded"))
	END
}

# The records of associations that standard input names.
mixed_explain()
{
	local account user rest

	while read -r account user rest; do
		tap_diag "$(mixed_records | awk -v account="$account" \
			-v user="$user" '$6 == account && $7 == user')"
	done
}
