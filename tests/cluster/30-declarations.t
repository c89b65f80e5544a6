#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What users read when they declare a minimum runtime, well or badly: from
# sbatch, salloc, srun and scontrol, word by word.

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/contract.sh
. "$(dirname "$0")/contract.sh"

CLUSTER_NODES='n[1-2]:h100:4'
CLUSTER_PRIORITY=priority/budget
CLUSTER_PARTITIONS='
PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE
PartitionName=short Nodes=ALL DefaultTime=02:00:00
PartitionName=long Nodes=ALL MaxTime=5-0
PartitionName=desk Nodes=ALL DefaultTime=04:00:00 PreemptMode=OFF'
caps='min_runtime_max=8:00:00,min_runtime_max@short=1h,min_runtime_max@long=2-0'
CLUSTER_CONF_EXTRA="
JobSubmitPlugins=minruntime
$(contract_conf $caps)"

# Slurm's own words for our answers
bad_value='Invalid time specified'
bad_limit='Requested time limit is invalid (missing or exceeds some limit)'
started='Job is no longer pending execution'

# ...and ours
note='note: this job cannot be requeued and may be cancelled'
any_time="$note at any time, as it has no minimum runtime"
write='write min-runtime=VALUE as a word of its own, for example min-runtime=4h'
bare='"min-runtime" has no value right behind it; write min-runtime=VALUE'
bare+=' without blanks, for example min-runtime=4h'
forms='(write it like 90, 1:30:00, 2-12:00, 90s, 15m, 4h or 2d)'

# says COMMAND...: what Anna reads on stderr, job ids as N.  In a directory
# that she may enter.
says()
{
	cd / && cluster_as anna "$@" 2>&1 >/dev/null </dev/null |
		sed -E 's/\b(job|allocation) [0-9]+/\1 N/g'
}

batch=(sbatch --hold --chdir=/ --output=/dev/null --wrap=true)
taken=0

# takes COMMENT [SBATCH ARGUMENT...]: without a word
takes()
{
	local comment=$1

	shift
	tap_is "$(says "${batch[@]}" --comment="$comment" "$@")" '' \
		"sbatch takes ${comment@Q} $*"
	taken=$((taken + 1))
}

# refuses WHY SLURM'S-WORDS COMMENT [SBATCH ARGUMENT...]
refuses()
{
	local why=$1 code=$2 comment=$3

	shift 3
	tap_is "$(says "${batch[@]}" --comment="$comment" "$@")" \
		"sbatch: error: $why
sbatch: error: Batch job submission failed: $code" \
		"sbatch refuses ${comment@Q} $*"
}

# unclear COMMENT [PART]: what is not the word, but was meant
unclear()
{
	refuses "\"${2-$1}\" is not understood; $write" "$bad_value" "$1"
}

# no_time COMMENT VALUE [WHY]
no_time()
{
	refuses "min-runtime=$2: \"$2\" is not a time ${3-$forms}" \
		"$bad_value" "$1"
}

# over VALUE LIMIT PARTITION COMMENT [SBATCH ARGUMENT...]
over()
{
	local what="min-runtime=$1 is over the limit of $2 on partition $3"

	shift 3
	refuses "$what" "$bad_limit" "$@"
}

cluster_prepare
cluster_tree <<END
account a1 parent=root fairshare=35
user anna account=a1
modify user root set fairshare=parent
END
cluster_start

# ---- Good ones

takes ''
takes 'hello, world'
takes 'min-runtime=0'
takes 'min-runtime=4h'
takes 'min-runtime=90s'
takes 'min-runtime=15M'
takes 'min-runtime=240'
takes 'min-runtime=15:00'
takes 'min-runtime=4:00:00'
takes 'min-runtime=0-4'
takes 'min-runtime=0-04:00:00'
takes 'min-runtime=8h'
takes 'min-runtime=28800s'
takes 'run 7, min-runtime=4h; second try'
takes $'min-runtime=4h\nsecond line'
takes '{"min-runtime": "4h", "run": 7}'
takes '{"min-runtime": 240}'
takes '{"run": 7}'
takes '{run 7}'
takes 'runtime=9h max-runtime=9h'
takes '/data/min-runtime=9h/run https://wiki/?min-runtime=9h'
takes 'see min-runtime.log'
takes 'min-runtime=1h' --partition=short
takes 'min-runtime=2d' --partition=long
takes 'min-runtime=2-0' --partition=long
takes 'min-runtime=8h' --partition=long,gpu
takes 'min-runtime=4h' --partition=desk
takes 'min-runtime=6h' --partition=desk --time=6:00:00
takes 'min-runtime=1h' --time=60
takes 'min-runtime=8h' --time=UNLIMITED
takes 'min-runtime=1h' --array=1-3

# ---- Not the word, or not with a value

refuses "$bare" "$bad_value" 'min-runtime'
refuses "$bare" "$bad_value" 'min-runtime='
refuses "$bare" "$bad_value" 'min-runtime =4h'
refuses "$bare" "$bad_value" 'min-runtime= 4h'
refuses "$bare" "$bad_value" 'min-runtime:4h'
unclear 'minruntime=4h'
unclear 'min_runtime=4h'
unclear 'Min-Runtime=4h'
unclear 'min-runtme=4h'
unclear 'min-runtimes=4h'
unclear 'min-run=4h'
unclear 'minimum-runtime=4h'
unclear '--min-runtime=4h'
unclear '"min-runtime=4h"'
unclear 'min-runtime4h'
unclear 'run 7, min_runtime=4h' 'min_runtime=4h'
unclear $'min\xe2\x80\x93runtime=4h' 'min\xe2\x80\x93runtime=4h'

# ---- Not a time

no_time 'min-runtime=4x' 4x '(units are s, m, h and d)'
no_time 'min-runtime=4hours' 4hours
no_time 'min-runtime=-1' -1
no_time 'min-runtime=1.5h' 1.5h
no_time 'min-runtime=UNLIMITED' UNLIMITED
no_time 'min-runtime=@4h' '@4h'
no_time 'min-runtime=1:60' 1:60 \
	'(minutes and seconds behind others go to 59)'
no_time 'min-runtime=1-24' 1-24 '(hours behind days go to 23)'
no_time 'min-runtime=1:2:3:4' 1:2:3:4 '(too many fields without days-)'
no_time 'min-runtime=99999999999999999999' 99999999999999999999 \
	'(at most 3660-00:00:00)'
no_time $'min-runtime=4h\e[31m' '4h\x1b[31m'
no_time '{"min-runtime": -5}' -5
refuses 'min-runtime comes twice; write it once' "$bad_value" \
	'min-runtime=4h min-runtime=2h'

# ---- Not JSON

refuses '"min-runtime" in the JSON comment must be a string, for example '\
'"4h", or a whole number of minutes' "$bad_value" '{"min-runtime": 1.5}'
refuses '"min_runtime" is not understood; write {"min-runtime": "VALUE"}, '\
'for example {"min-runtime": "4h"}' "$bad_value" '{"min_runtime": "4h"}'
refuses '"min-runtime" in a comment that begins with { but is not valid JSON '\
'(it ends too early); write {"min-runtime": "VALUE"}, or min-runtime=VALUE '\
'without {' "$bad_value" '{"min-runtime": "4h"'
refuses 'a key of the JSON comment comes twice; write each once' \
	"$bad_value" '{"min-runtime": "4h", "min-runtime": "2h"}'

# ---- Too long

over 9h 8:00:00 gpu 'min-runtime=9h'
over 8:00:01 8:00:00 gpu 'min-runtime=8:00:01'
over 481 8:00:00 gpu '{"min-runtime": 481}'
over 3d 2-00:00:00 long 'min-runtime=3d' --partition=long
over 61m 1:00:00 short 'min-runtime=61m' --partition=short
over 2h 1:00:00 short 'min-runtime=2h' --partition=gpu,short
over 2h 1:00:00 short 'min-runtime=2h' --partition=short,gpu
over 9h 8:00:00 gpu 'min-runtime=9h' --partition=long,gpu
over 9h 8:00:00 gpu 'min-runtime=9h' --array=1-3
over 9h 8:00:00 gpu 'min-runtime=9h' --no-requeue
refuses "min-runtime=4h is over the job's time limit of 1:00:00" \
	"$bad_limit" 'min-runtime=4h' --time=60
refuses "min-runtime=90s is over the job's time limit of 1:00" \
	"$bad_limit" 'min-runtime=90s' --time=1
desk='is over 4:00:00, the time limit of a job without --time on partition desk'
refuses "min-runtime=5h $desk" "$bad_limit" 'min-runtime=5h' --partition=desk
refuses "min-runtime=5h $desk" "$bad_limit" 'min-runtime=5h' \
	--partition=gpu,desk
refuses 'invalid partition specified: nosuch' \
	'Invalid partition name specified' 'min-runtime=4h' --partition=nosuch

tap_is "$(squeue -h -o %i | wc -l)" $taken "those taken are there, no others"

# ---- Other ways to submit

over_cap='min-runtime=9h is over the limit of 8:00:00 on partition gpu'
refused="sbatch: error: $over_cap
sbatch: error: Batch job submission failed: $bad_limit"
printf '#!/bin/sh\n#SBATCH --comment=min-runtime=9h\n' >"$CLUSTER_DIR/job.sh"
chmod 644 "$CLUSTER_DIR/job.sh"
tap_is "$(says sbatch "$CLUSTER_DIR/job.sh" --comment=min-runtime=1h)" \
	"$refused" "a comment in the script is read, its arguments are not"
tap_is "$(says sbatch --hold --comment=min-runtime=1h "$CLUSTER_DIR/job.sh")" \
	'' "one before the script goes first"
tap_is "$(says sbatch --test-only --wrap=true --comment=min-runtime=9h)" \
	"sbatch: error: $over_cap
allocation failure: $bad_limit" "sbatch --test-only is told, too"
tap_is "$(sbatch --wrap=true --comment=minruntime=4h 2>&1)" \
"sbatch: error: \"minruntime=4h\" is not understood; $write
sbatch: error: Batch job submission failed: $bad_value" \
	"so is root"
tap_is "$(cluster_submit anna a1 --comment=min-runtime=9h 2>&1)" "$refused" \
	"and who submits for another"

scontrol create reservation=night starttime=now+5hours duration=60 \
	users=anna nodes=n2 partition=short >/dev/null
over 2h 1:00:00 short 'min-runtime=2h' --reservation=night
scontrol delete reservation=night

hour="$note after its minimum runtime of 1:00:00"
tap_is "$(says salloc --comment=min-runtime=9h true)" \
"salloc: error: $over_cap
salloc: error: Job submit/allocate failed: $bad_limit" "salloc refuses"
tap_is "$(says salloc --comment=min-runtime=1h true | head -n 2)" \
"salloc: $hour
salloc: Granted job allocation N" "salloc notes that it may be cancelled"
tap_is "$(says srun --comment=minruntime=1h true)" \
"srun: error: \"minruntime=1h\" is not understood; $write
srun: error: Unable to allocate resources: $bad_value" "srun refuses"
tap_is "$(says srun --comment=min-runtime=1h true)" "srun: $hour" \
	"srun notes that it may be cancelled"
tap_is "$(says srun true)" "srun: $any_time" "at any time without a minimum"
tap_is "$(says srun --partition=desk true)" '' \
	"not where preemption is off"
tap_is "$(says "${batch[@]}" --no-requeue --comment=min-runtime=1h)" \
	"sbatch: $hour" "sbatch --no-requeue notes it"
tap_is "$(says "${batch[@]}" --no-requeue --comment=min-runtime=0)" \
	"sbatch: $any_time" "at any time when free"

# Each component of a het job is asked for itself.
tap_is "$(says "${batch[@]}" --comment=min-runtime=1h : \
	--comment=min-runtime=2h)" '' "a het job is taken"
tap_is "$(says "${batch[@]}" --comment=min-runtime=1h : --partition=short \
	--comment=min-runtime=2h)" \
"sbatch: error: 1: min-runtime=2h is over the limit of 1:00:00 on partition \
short
sbatch: error: Batch job submission failed: $bad_limit" \
	"a component of a het job is refused by its number"
tap_is "$(says "${batch[@]}" --comment=minruntime=1h : \
	--comment=min-runtime=2h)" \
"sbatch: error: 0: \"minruntime=1h\" is not understood; $write
sbatch: error: Batch job submission failed: $bad_value" "so is the first"
# The first component may have been there already for a moment.
tap_is "$(says srun --comment=min-runtime=1h true : --comment=min-runtime=9h \
	true | grep -v revoked)" \
"srun: error: 0: $hour
srun: error: 1: $over_cap
srun: error: Unable to allocate resources: $bad_limit" "srun refuses a het job"
tap_is "$(says salloc --comment=min-runtime=1h : --comment=min-runtime=0 true |
	grep note)" "salloc: 0: $hour
salloc: 1: $any_time" "salloc notes for each component"

# ---- Updates

# update_says ARGUMENT...: to stderr, by the owner
update_says()
{
	says scontrol update "$@"
}

# update_fails NAME WHY SLURM'S-WORDS JOB ARGUMENT...: up to 22.05 Slurm has
# no way to tell the user why; an admin sees it in the log.
update_fails()
{
	local name=$1 why=$2 code=$3 job=$4 got

	shift 4
	cluster_log_mark
	got=$(update_says job="$job" "$@")
	if [ "$modern" = 1 ]; then
		tap_is "$got" "scontrol: error: $why"$'\n'"$code for job N" \
			"$name"
	else
		tap_is "$got" "$code for job N" "$name"
		tap_ok "$name, and the log says why" cluster_log_has \
			"update of JobId=$job.* refused: ${why//[\"\\]/.}\$"
	fi
}

# While slurmdbd has yet to give a job its number, Slurm changes nothing of it.
settle()
{
	local job

	for job; do
		cluster_wait_until 30 scontrol update job="$job" name=settled ||
			cluster_bail "job $job cannot be updated"
	done
}

version=$(slurmctld -V | cut -d ' ' -f 2)
modern=0
[ "${version%%.*}" -lt 23 ] || modern=1

scancel --user=anna
waits=$(cluster_submit anna a1 --hold --comment=min-runtime=4h)
settle "$waits"
tap_is "$(update_says job="$waits" comment=min-runtime=8h)" '' \
	"a job that waits may raise its minimum"
update_fails "within the limit" \
	'min-runtime=9h is over the limit of 8:00:00 on partition gpu' \
	"$bad_limit" "$waits" comment=min-runtime=9h
update_fails "of the partition it moves to" \
	'min-runtime=8h is over the limit of 1:00:00 on partition short' \
	"$bad_limit" "$waits" partition=short
update_fails "of all of them" \
	'min-runtime=8h is over the limit of 1:00:00 on partition short' \
	"$bad_limit" "$waits" partition=long,short
update_fails "and within its time limit" \
	"min-runtime=8h is over the job's time limit of 1:00:00" \
	"$bad_limit" "$waits" timelimit=60
update_fails "in words that are understood" \
	"\"min_runtime=1h\" is not understood; $write" \
	"$bad_value" "$waits" comment=min_runtime=1h
tap_is "$(cluster_job_field "$waits" Comment) \
$(cluster_job_field "$waits" Partition)" 'min-runtime=8h gpu' \
	"nothing of this has changed the job"
tap_is "$(update_says job="$waits" partition=long comment=min-runtime=2d)" '' \
	"partition and minimum may change together"
tap_is "$(update_says job="$waits" comment=)" '' "the word may go"
tap_is "$(update_says job="$waits" timelimit=60 partition=short)" '' \
	"then nothing is in the way"

runs=$(cluster_submit anna a1 --comment=min-runtime=4h)
array=$(cluster_submit anna a1 --array=1-2 --comment=min-runtime=4h)
undeclared=$(cluster_submit anna a1)
contract_wait_signed "$runs" "${array}_1" "${array}_2" "$undeclared" ||
	cluster_bail "jobs do not start"
settle "$runs" "$array" "$undeclared"
up='would raise the minimum of a job that runs; allowed: '
update_fails "a job that runs may not raise its minimum" \
	"min-runtime=5h ${up}0 to 4:00:00" "$started" "$runs" \
	comment=min-runtime=5h
tap_is "$(update_says job="$runs" comment='min-runtime=4h second')" '' \
	"other words may change"
tap_is "$(update_says job="$runs" comment=min-runtime=2h)" '' \
	"it may lower its minimum"
update_fails "but not raise it again" "min-runtime=3h ${up}0 to 2:00:00" \
	"$started" "$runs" comment=min-runtime=3h
# shellcheck disable=SC2317
lowered()
{
	[ "$(contract_token "$1" granted)" = "$2" ]
}
tap_ok "the contract follows" cluster_wait_until 20 lowered "$runs" 2:00:00
update_fails "not then either" "min-runtime=4h ${up}0 to 2:00:00" \
	"$started" "$runs" comment=min-runtime=4h
tap_is "$(cluster_job_field "$runs" Comment)" min-runtime=2h \
	"the comment stays what it was"
update_fails "who declared nothing has nothing" "min-runtime=1s ${up}0" \
	"$started" "$undeclared" comment=min-runtime=1s
tap_is "$(update_says job="$undeclared" comment=hello)" '' \
	"but words of his own"
tap_is "$(scontrol update job="$runs" comment=min-runtime=5h 2>&1 |
	sed -E 's/\bjob [0-9]+/job N/')" "$(update_says job="$runs" \
	comment=min-runtime=5h)" "root is told the same"
tap_is "$(update_says job="${array}_1" comment=min-runtime=1h)" '' \
	"one task of an array lowers"
# 26.05 writes the task in brackets.
tap_like "$(update_says job="$array" comment=min-runtime=2h)" \
	"^${array}_(1|\[1\]): $started" \
	"which the others may still do, and it not"
tap_is "$(cluster_job_field "${array}_1" Comment) \
$(cluster_job_field "${array}_2" Comment)" 'min-runtime=1h min-runtime=2h' \
	"each for itself"
tap_is "$(update_says job="$runs" timelimit=60)" '' \
	"a job that runs may shorten its time limit"

# ---- Settings

cluster_log_mark
contract_set "$caps,undeclared=reject"
tap_is "$(says "${batch[@]}")" \
"sbatch: error: min-runtime is missing; write --comment=min-runtime=VALUE, \
allowed: 0 to 8:00:00 on partition gpu
sbatch: error: Batch job submission failed: $bad_limit" \
	"undeclared=reject refuses at once"
tap_is "$(says "${batch[@]}" --comment=hello --partition=gpu,short)" \
"sbatch: error: min-runtime is missing; write --comment=min-runtime=VALUE, \
allowed: 0 to 1:00:00 on partition short
sbatch: error: Batch job submission failed: $bad_limit" \
	"and says what the strictest partition allows"
takes 'min-runtime=0'
update_fails "the word may not go now" "min-runtime is missing; write \
--comment=min-runtime=VALUE, allowed: 0 to 8:00:00 on partition gpu" \
	"$bad_limit" "$runs" comment=hello
tap_is "$(update_says job="$undeclared" comment=goodbye)" '' \
	"who had none is left alone"

settings='job_submit/minruntime: PriorityParameters:'
if [ "$modern" = 0 ]; then
	cluster_log_mark
	contract_set 'min_runtime_max=1h,undeclared=perhaps'
	for _ in 1 2 3; do
		over 9h 8:00:00 gpu 'min-runtime=9h'
	done
	tap_is "$(cluster_log_new | grep -c "$settings")" 1 \
		"bad settings are said once"
	tap_ok "by word, value and what is allowed" cluster_log_has \
		"$settings undeclared=perhaps: allowed: charge, free, reject; "
else
	# The new process refuses, by its first plugin, and the old one goes on.
	cluster_log_mark
	contract_set 'min_runtime_max=1h,undeclared=perhaps' 2>/dev/null
	over 9h 8:00:00 gpu 'min-runtime=9h'
	tap_ok "bad settings are refused by word, value and what is allowed" \
		cluster_log_has \
		"${settings#*/} undeclared=perhaps: allowed: charge, free, reject"
fi
contract_set min_runtime_max=1h
over 9h 1:00:00 gpu 'min-runtime=9h'
tap_is "$(says "${batch[@]}")" '' "good ones are in force at once"
contract_set min_runtime_max=1h,not_requeueable=spare
tap_is "$(says "${batch[@]}" --no-requeue --comment=min-runtime=1h)" '' \
	"not_requeueable=spare leaves the note out"
contract_set min_runtime_max=1h,preempt=shadow
tap_is "$(says srun true | grep note)" '' "so does preempt=shadow"
cluster_set_conf JobRequeue 0
contract_set min_runtime_max=1h
tap_is "$(says "${batch[@]}" --comment=min-runtime=1h)" "sbatch: $hour" \
	"JobRequeue=0 counts as --no-requeue"
tap_is "$(says "${batch[@]}" --requeue --comment=min-runtime=1h)" '' \
	"and --requeue as what it is"
tap_unlike "$(cluster_log_new | grep -v PriorityParameters)" \
	job_submit/minruntime "no submission has left a line in the log"

# Without anything that preempts
cluster_set_conf PreemptType preempt/none
cluster_set_conf PreemptMode OFF
cluster_set_conf JobRequeue ''
cluster_restart_ctld
tap_is "$(says srun --comment=min-runtime=1h true | grep note)" '' \
	"where nothing preempts nothing is noted"
settle "$runs"
update_fails "the locked contract is remembered" \
	"min-runtime=5h ${up}0 to 2:00:00" "$started" "$runs" \
	comment=min-runtime=5h
cluster_set_conf PriorityType priority/multifactor
cluster_set_conf PriorityParameters min_runtime_max=nine
cluster_stop_ctld
cluster_log_mark
tap_nok "slurmctld does not start with bad settings" cluster_try_ctld
tap_ok "and says why" cluster_log_has \
	"$settings min_runtime_max=nine: .*; allowed: 0:00 to 366-00:00:00"
tap_done
