#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whatever fails around it, slurmctld lives and answers, nothing is charged
# twice or not at all, and nobody's protection is lost.  A short part of the
# campaign, another one each time; ./check --faults=SECONDS is a longer one.

# check: alone

set -u
# shellcheck source=tests/cluster/cluster.sh
. "$(dirname "$0")/cluster.sh"
# shellcheck source=tests/cluster/faults.sh
. "$(dirname "$0")/faults.sh"

CLUSTER_PRIORITY=priority/budget
CLUSTER_NODES='n[1-2]:h100:8 n3:h100:4'
CLUSTER_DURABLE=1
CLUSTER_CONF_EXTRA='PreemptType=preempt/minruntime
PreemptMode=REQUEUE
JobSubmitPlugins=minruntime
AccountingStoreFlags=job_comment
SlurmctldTimeout=10
SlurmdTimeout=0
MinJobAge=5
BatchStartTimeout=1'

cluster_prepare
faults_prepare
faults_prepare_more
# A backup of newer releases that hands back waits for its own answer to do so,
# and gives up after half a minute (CONTROL_TIMEOUT - 1).  22-backup.t bears it.
[ "${FAULTS_SECONDS:-25}" -ge 60 ] || ! cluster_ctld_rereads ||
	unset -f fault_backup
cluster_start
faults_jobs
faults_run "${FAULTS_SECONDS:-25}"
faults_finish
tap_done
