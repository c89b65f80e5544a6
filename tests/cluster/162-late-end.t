#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A job ends, slurmdbd is told, and slurmctld is killed before it has written
# that down: it shows the job as running again until its node says otherwise,
# and tells slurmdbd a second, later end.  Until slurmdbd has that, what it
# says of the run is old: the charge does not go back to the first end.

set -u
CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES=n1:h100:8
# Without limits nobody tells the plugin of an end.
CLUSTER_CONF_EXTRA='SlurmdTimeout=0
BatchStartTimeout=1
AccountingStorageEnforce=associations'
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/faults.sh
. "$(dirname "$0")/faults.sh"

# Seconds of the run that slurmdbd has, start and end
recorded()
{
	cluster_sql "select time_end - time_start
		from ${CLUSTER_NAME}_job_table
		where id_job=$job and time_start > 0 and time_end > 0
		order by job_db_inx limit 1"
}

# shellcheck disable=SC2317
is_recorded()
{
	[ -n "$(recorded)" ]
}

# The second of the first one
ended()
{
	cluster_sql "select min(time_end) from ${CLUSTER_NAME}_job_table
		where id_job=$job and time_end > 0"
}

charged()
{
	cluster_share a1 '' rawusage
}

# shellcheck disable=SC2317
is_charged()
{
	[ "$(charged)" -ge "$1" ]
}

# Nobody but us reads records of jobs.
questions()
{
	grep -c "from .${CLUSTER_NAME}_job_table. as t1" \
		"$CLUSTER_LOGS/queries.log"
}

# The first one may have been on its way, and the second one is answered when
# there is a third.
# shellcheck disable=SC2317
asked_since()
{
	[ "$(questions)" -ge $(($1 + 3)) ]
}

# slurmctld looks for missing jobs when a node registers, and not at those that
# were active in the last 11 s.
# shellcheck disable=SC2317
is_missed()
{
	cluster_job_is "$job" PENDING && return
	cluster_nudge_nodes
	cluster_nap 2
	false
}

# hold_record: slurmdbd's record of the job can be read, but not be changed,
# until let_record_go.  Who wants to waits: 15 minutes in our database.  A
# slurmdbd that has waited in vain, 50 s by default, ends itself.
hold_record()
{
	coproc HOLD { mariadb --no-defaults -S "$CLUSTER_DIR/run/db.socket" \
		-N -B --unbuffered slurm_acct_db; }
	printf '%s\n' "start transaction;" "select 'held' from
		${CLUSTER_NAME}_job_table where id_job=$job for update;" \
		>&"${HOLD[1]}"
	read -r -t 10 -u "${HOLD[0]}"
}

# shellcheck disable=SC2317
is_held()
{
	cluster_sql "select 1 from ${CLUSTER_NAME}_job_table
		where id_job=$job for update nowait" 2>&1 |
		grep 'Lock wait timeout exceeded'
}

let_record_go()
{
	printf 'rollback;\n' >&"${HOLD[1]}"
	eval "exec ${HOLD[1]}>&-"
}

# shellcheck disable=SC2317
charged_is_recorded()
{
	[ "$(charged)" = $((2 * $(recorded))) ]
}

cluster_prepare
faults_prepare
cluster_start
cluster_sql "set global general_log_file='$CLUSTER_LOGS/queries.log';
	set global general_log=1"

other=$(cluster_submit u3 c3 --hold)
job=$(cluster_submit u1 a1 --gres=gpu:2 \
	--wrap="until [ -e $CLUSTER_DIR/etc/over ]; do sleep 0.1; done")
cluster_wait_job_state "$job" RUNNING
tap_ok "slurmdbd knows of the start" cluster_wait_until 20 faults_started "$job"
# A start by backfill is not written down before something else is.
scontrol update JobId="$job" Comment=seen
cluster_wait_saved
faults_set 0 full job_state
: >"$CLUSTER_DIR/etc/over"
tap_ok "slurmdbd knows of the end" cluster_wait_until 20 is_recorded
first=$(recorded)
tap_ok "and so does our state" \
	cluster_wait_until 60 faults_kept "$other" "$(ended)"
cluster_kill_ctld
faults_set 0
hold_record
tap_ok "slurmdbd cannot learn of another" is_held
cluster_start_ctld
tap_ok "a job that has ended is shown again" \
	cluster_wait_job_state "$job" RUNNING
tap_ok "and charged" cluster_wait_until 20 is_charged $((2 * (first + 5)))
tap_ok "until its node has no such job" cluster_wait_until 60 is_missed
tap_ok "our state has that" cluster_wait_until 30 faults_kept "$other" \
	"$EPOCHSECONDS"
tap_ok "slurmdbd is asked" cluster_wait_until 40 asked_since "$(questions)"
tap_ok "its answer is in the ranks" \
	cluster_wait_until 30 faults_kept "$other" "$EPOCHSECONDS"
used=$(charged)
tap_ok "slurmdbd could not learn of another" is_held
tap_ok "slurmdbd's first end is old ($used, $((2 * first)))" \
	test "$used" -ge $((2 * (first + 5)))
let_record_go
scancel "$job"
cluster_poll 90 charged_is_recorded
tap_is "$(charged)" $((2 * $(recorded))) "the second one is charged"
tap_ok "and is later" test "$(recorded)" -gt $((first + 4))
tap_done
