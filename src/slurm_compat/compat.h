/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat - the only place that includes Slurm's internal headers and knows
 * Slurm's versions. Plugins include this and nothing else of Slurm.
 *
 * slurmctld's data is declared weak: sshare loads priority plugins too, and
 * there is no job_list there. in_slurmctld() tells the two apart.
 */
#ifndef SB_SLURM_COMPAT_H
#define SB_SLURM_COMPAT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "sb_config.h"	/* what configure found in the headers */

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurmdb.h"
#include "slurm/slurm_version.h"

#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/pack.h"
#include "src/common/parse_time.h"
#include "src/common/read_config.h"
#include "src/common/slurmdb_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/accounting_storage.h"
#include "src/interfaces/priority.h"
#include "src/interfaces/site_factor.h"
#else
#include "src/common/site_factor.h"
#include "src/common/slurm_accounting_storage.h"
#include "src/common/slurm_priority.h"
#endif
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/state_save.h"
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#include "src/common/state_save.h"
#endif

/*
 * Weak, so that the plugin loads where they do not exist. Their addresses are
 * NULL there: ask in_slurmctld() first.
 */
#pragma weak acct_db_conn
#pragma weak accounting_enforce
#pragma weak assoc_mgr_assoc_list
#pragma weak assoc_mgr_qos_list
#pragma weak assoc_mgr_root_assoc
#pragma weak assoc_mgr_tres_array
#pragma weak assoc_mgr_tres_name_array
#pragma weak g_tres_count
#pragma weak job_list
#pragma weak last_job_update
#pragma weak last_node_update
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak slurm_conf
#pragma weak slurmctld_config
#pragma weak slurmctld_tres_cnt

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
typedef list_t *sb_list_t;
#else
typedef List sb_list_t;
#endif
typedef struct listIterator sb_list_itr_t;

/* RET: this process is slurmctld (not sshare or another client). */
static inline bool in_slurmctld(void)
{
	return &job_list != NULL;
}

/* What the loader compares with slurmctld's own. */
#define SB_PLUGIN_VERSION SLURM_VERSION_NUMBER

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
#define SB_FINI_TYPE int
#define SB_FINI_RETURN return SLURM_SUCCESS
#else
#define SB_FINI_TYPE void
#define SB_FINI_RETURN return
#endif

/*
 * With priority_p_recover() init() is called before there are jobs, and with
 * slurmctld's locks held; recover comes when the jobs are there, without a
 * lock. Without, init() is where recover would be.
 */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define SB_HAVE_RECOVER 1
#else
#define SB_HAVE_RECOVER 0
#endif

/*
 * Without priority_p_recover() a job that has to end while slurmctld reads its
 * state (its partition is gone, say) loads the priority plugin in the middle of
 * that. RET: init() was called with all of slurmctld's locks held.
 */
extern bool compat_inits_early(void);

/* RET: this slurmctld is in control: it has read its state, has not handed over
 * to another one, and does not end. Locks: none needed. */
extern bool compat_in_control(void);

/* When slurmctld's jobs and nodes were changed last. Locks: none needed: who
 * reads too early reads it at his next look. */
static inline time_t compat_job_update(void)
{
	return __atomic_load_n(&last_job_update, __ATOMIC_RELAXED);
}

static inline time_t compat_node_update(void)
{
	return __atomic_load_n(&last_node_update, __ATOMIC_RELAXED);
}

/* A job was changed: clients are to see it. Locks: job W. */
static inline void compat_job_updated(time_t now)
{
	__atomic_store_n(&last_job_update, now, __ATOMIC_RELAXED);
}

/* Called after init() with slurmctld's locks held. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
#define SB_HAVE_THREAD_START 1
#else
#define SB_HAVE_THREAD_START 0
#endif

/* sshare asks for a factor under NO_FAIR_TREE. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
#define SB_HAVE_CALC_FS_FACTOR 1
#else
#define SB_HAVE_CALC_FS_FACTOR 0
#endif

/* priority_p_get_priority_factors_list(): what is asked for, and does the
 * caller hold slurmctld's locks (job, node, part R)? */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#define SB_FACTORS_PARAMS uid_t uid
#define SB_FACTORS_ARGS uid
#else
#define SB_FACTORS_PARAMS priority_factors_request_msg_t *req_msg, uid_t uid
#define SB_FACTORS_ARGS req_msg, uid
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define SB_FACTORS_CALLER_LOCKS 1
#else
#define SB_FACTORS_CALLER_LOCKS 0
/* A job's columns; here a row of the list holds them itself. */
typedef priority_factors_object_t priority_factors_t;
#endif

/* Start site_factor behind the stock plugin, as its init() would. */
static inline int compat_site_factor_init(void)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
	return site_factor_g_init();
#else
	return site_factor_plugin_init();
#endif
}

/* A thread of this name (15 characters) that gets no signals, to be ended with
 * pthread_join(). As everywhere in slurmctld, failure is fatal. */
extern void compat_thread_create(const char *name, pthread_t *thread,
				 void *(*run)(void *arg), void *arg);

/* Microseconds of a clock that nobody sets. */
extern int64_t compat_monotonic(void);
/* Microseconds of CPU of this thread: what it waits for is others' time. */
extern int64_t compat_cpu_time(void);
/* For compat_cond_wait(); before anybody waits. */
extern void compat_cond_init(pthread_cond_t *cond);
/* Wait, so many microseconds at most, however the clock is set meanwhile. */
extern void compat_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock,
			     int64_t microseconds);

/* Priorities of a job in several partitions, or of several QOS: one for each
 * partition, and in it for each QOS. RET: NULL: a job of one place, or none
 * yet. */
extern uint32_t *compat_priority_array(job_record_t *job_ptr, int *count);

/* RET: the QOS that a waiting job may start with, if they are several; NULL: it
 * has one at most. slurmctld puts the one that it tries into qos_ptr, and there
 * it stays for the run: whoever charges need not ask. Locks: job R. */
extern sb_list_t compat_qos_list(const job_record_t *job_ptr);

/* Rows of the list that sprio shows: one for each of those priorities. */
extern uint32_t compat_row_job(const priority_factors_object_t *row);
/* RET: its columns, NULL: the priority is an operator's. */
extern priority_factors_t *compat_row_factors(priority_factors_object_t *row);
/* RET: slurmctld's priority for the row's partition and QOS, 0: unknown.
 * Locks: job R, part R, assoc_mgr's qos R if the caller holds it. */
extern uint32_t compat_row_priority(job_record_t *job_ptr,
				    const priority_factors_object_t *row);
/* Columns that the stock list computes for the row; the others are the job's.
 * Locks: as above. */
extern void compat_row_fresh(job_record_t *job_ptr,
			     const priority_factors_object_t *row,
			     bool *partition, bool *qos);

/*
 * Run seconds per TRES that a QOS counts for this job's account and user; NULL
 * where Slurm leaves them to its own limits code.
 * Locks: job R, assoc R, qos W.
 */
extern void compat_qos_run_secs(slurmdb_qos_rec_t *qos,
				const job_record_t *job_ptr,
				uint64_t **account, uint64_t **user);

/* All of these, one after the other. Locks: qos W. */
extern void compat_qos_each_run_secs(slurmdb_qos_rec_t *qos,
				     void (*act)(uint64_t *run_secs));

/* Index of a TRES by name ("billing", "gres/gpu"), -1: not tracked.
 * Locks: no assoc lock (takes tres R). */
extern int compat_find_tres(const char *name);

/* Requeue a job, as slurmctld itself. Locks: job W, node W, fed R.
 * RET: SLURM_SUCCESS or an ESLURM_* code. */
extern int compat_requeue(job_record_t *job_ptr);

/*
 * Are victims taken in the order of the plugin? Else slurmctld puts those first
 * that free most of the wanted nodes; or the youngest, without asking for an
 * order at all. Locks: conf R.
 */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define SB_STRICT_ORDER "PreemptParameters=strict_order"
#define SB_YOUNGEST_FIRST "PreemptParameters=youngest_first"
#else
#define SB_STRICT_ORDER "SchedulerParameters=preempt_strict_order"
#define SB_YOUNGEST_FIRST "SchedulerParameters=preempt_youngest_first"
#endif
extern bool compat_strict_order(void);
extern bool compat_youngest_first(void);

/*
 * Words that PreemptMode has beside a mode; a mode is what is left without
 * them. PRIORITY, from 25.05 on: the preemptor's priority has to be higher.
 */
#ifdef PREEMPT_MODE_PRIORITY
#define SB_MODE_PRIORITY PREEMPT_MODE_PRIORITY
#else
#define SB_MODE_PRIORITY 0
#endif
#define SB_MODE_FLAGS \
	(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN | SB_MODE_PRIORITY)

/* RET: preempts nothing. IN mode: NO_VAL16 is no mode, and not off. */
static inline bool compat_mode_off(uint16_t mode)
{
	return (mode & ~SB_MODE_FLAGS) == PREEMPT_MODE_OFF;
}

/* Ask for associations with hourly usage in [start, end). */
extern void compat_assoc_cond_usage(slurmdb_assoc_cond_t *cond, time_t start,
				    time_t end);

/* RET: the comment of a job record of slurmdbd, NULL unless
 * AccountingStoreFlags has job_comment. */
static inline const char *compat_job_rec_comment(const slurmdb_job_rec_t *rec)
{
	return rec->derived_es;
}

/* RET: PriorityParameters of slurm.conf, may be NULL. */
static inline const char *compat_priority_params(void)
{
	return slurm_conf.priority_params;
}

#endif
