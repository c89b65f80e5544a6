/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * release - what differs between releases of Slurm for this bench alone: the
 * functions of slurmctld that make its state, and what is asked of its plugins.
 * All that the plugins know as well is in src/slurm_compat.
 */
#ifndef SB_BENCH_RELEASE_H
#define SB_BENCH_RELEASE_H

#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/preempt_compat.h"
#include "src/slurmctld/acct_policy.h"

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#include "src/common/sluid.h"
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#include "src/common/persist_conn.h"
typedef persist_conn_t release_conn_t;
#else
#include "src/common/slurm_persist_conn.h"
typedef slurm_persist_conn_t release_conn_t;
#endif

/* What the tables need. Up to 22.05 plugins load themselves; up to 24.11 those
 * of select could be those of another cluster; from 24.11 on each job has an
 * identifier that holds its cluster. RET: true, or false after a message. */
static inline bool release_load(void)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	sluid_init(1, 0);
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
	return !select_g_init() && !gres_init();
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
	return !select_g_init(false) && !gres_init();
#else
	return true;
#endif
}

/* The n-th of the tree. From 25.05 on it is without numbers. */
static inline void release_place(slurmdb_assoc_rec_t *assoc, uint32_t n)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	assoc->lft = n * 2;
	assoc->rgt = n * 2 + 1;
#else
	(void) assoc;
	(void) n;
#endif
}

/* From 23.11 on the caller may hold the association lock; here he does not. */
static inline void release_job_begin(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	acct_policy_job_begin(job_ptr, false);
#else
	acct_policy_job_begin(job_ptr);
#endif
}

static inline void release_job_fini(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	acct_policy_job_fini(job_ptr, false);
#else
	acct_policy_job_fini(job_ptr);
#endif
}

/* From 24.05 on that without "ctld" is a library's, for clients too. */
static inline part_record_t *release_create_part(const char *name)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	return create_ctld_part_record(name);
#else
	return create_part_record(name);
#endif
}

/* From 24.11 on a job may be kept out of slurmctld's list. */
static inline job_record_t *release_split(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	return job_array_split(job_ptr, true);
#else
	return job_array_split(job_ptr);
#endif
}

/* How a priority plugin begins behind its init(): from 23.02 on jobs are there
 * only at recover, and from 23.11 on slurmctld says when threads may be. */
typedef struct {
#if SB_HAVE_THREAD_START
	void (*thread_start)(void);
#endif
#if SB_HAVE_RECOVER
	uint32_t (*recover)(uint32_t);
#endif
} release_start_t;

#if SB_HAVE_THREAD_START
#define RELEASE_START_NAMES "priority_p_thread_start", "priority_p_recover"
#elif SB_HAVE_RECOVER
#define RELEASE_START_NAMES "priority_p_recover"
#else
#define RELEASE_START_NAMES
#endif

static inline void release_start(const release_start_t *ops)
{
#if SB_HAVE_THREAD_START
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK,
		.part = WRITE_LOCK, .fed = READ_LOCK,
	};

	lock_slurmctld(locks);
	ops->thread_start();
	unlock_slurmctld(locks);
#endif
#if SB_HAVE_RECOVER
	(void) ops->recover(0);
#endif
	(void) ops;
}

/* A preempt plugin's functions, the last of them by RELEASE_PREEMPT_PRIO. One
 * for all of a job's data up to 24.11, one for each from 25.05 on. */
typedef struct {
	bool (*check)(job_queue_rec_t *, job_queue_rec_t *);
	bool (*preemptable)(job_record_t *, job_record_t *);
#if SB_PREEMPT_GET_DATA
	int (*get_data)(job_record_t *, slurm_preempt_data_type_t, void *);
#else
	uint32_t (*get_prio)(job_record_t *);
#endif
} preempt_ops_t;

#define RELEASE_PREEMPT_PRIO \
	(SB_PREEMPT_GET_DATA ? "preempt_p_get_data" : "preempt_p_get_prio")

static inline uint32_t release_get_prio(const preempt_ops_t *ops,
					job_record_t *job_ptr)
{
#if SB_PREEMPT_GET_DATA
	uint32_t prio = 0;

	(void) ops->get_data(job_ptr, PREEMPT_DATA_PRIO, &prio);
	return prio;
#else
	return ops->get_prio(job_ptr);
#endif
}

#endif
