/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* pthread_setname_np() */
#include <pthread.h>
#include <signal.h>

#include "compat.h"

#include "src/slurmctld/acct_policy.h"

extern void compat_thread_create(const char *name, pthread_t *thread,
				 void *(*run)(void *arg), void *arg)
{
	sigset_t all, before;
	int rc;

	/* slurm_thread_create() takes a thread out of a pool in newer
	 * releases; a plugin's must be gone when its code is. */
	sigfillset(&all);
	(void) pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(thread, NULL, run, arg);
	(void) pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		fatal("slurm-budget: cannot create thread %s: %s", name,
		      slurm_strerror(rc));
	(void) pthread_setname_np(*thread, name);
}

#if !SB_HAVE_RECOVER
/* No header has it: when slurmctld took control, 0 before. */
#pragma weak control_time
extern time_t control_time;
#endif

extern bool compat_inits_early(void)
{
#if SB_HAVE_RECOVER
	return false;
#else
	return !control_time;
#endif
}

extern bool compat_in_control(void)
{
	/* The thread that saves state lives exactly as long. */
	return slurmctld_config.thread_id_save &&
	       !slurmctld_config.shutdown_time;
}

static int64_t _read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * (int64_t) 1000000 + now.tv_nsec / 1000;
}

extern int64_t compat_monotonic(void)
{
	return _read_clock(CLOCK_MONOTONIC);
}

extern int64_t compat_cpu_time(void)
{
	return _read_clock(CLOCK_THREAD_CPUTIME_ID);
}

extern void compat_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	(void) pthread_condattr_init(&attr);
	(void) pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void) pthread_cond_init(cond, &attr);
	(void) pthread_condattr_destroy(&attr);
}

extern void compat_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock,
			     int64_t microseconds)
{
	struct timespec until;

	if (microseconds <= 0)
		return;
	clock_gettime(CLOCK_MONOTONIC, &until);
	microseconds += until.tv_nsec / 1000;
	until.tv_sec += microseconds / 1000000;
	until.tv_nsec = microseconds % 1000000 * 1000;
	(void) pthread_cond_timedwait(cond, lock, &until);
}

extern sb_list_t compat_qos_list(const job_record_t *job_ptr)
{
#ifdef HAVE_JOB_RECORD_T_QOS_LIST
	return job_ptr->qos_list;
#else
	(void) job_ptr;
	return NULL;
#endif
}

extern uint32_t *compat_priority_array(job_record_t *job_ptr, int *count)
{
	uint32_t *priorities;

#if defined(HAVE_JOB_RECORD_T_PART_PRIO)
	priorities = job_ptr->part_prio ?
		job_ptr->part_prio->priority_array : NULL;
#elif defined(HAVE_JOB_RECORD_T_PRIO_MULT)
	priorities = job_ptr->prio_mult ?
		job_ptr->prio_mult->priority_array : NULL;
#else
	priorities = job_ptr->priority_array;
#endif
	*count = 0;
	/* Left over from when the job had several. */
	if (!priorities ||
	    (!job_ptr->part_ptr_list && !compat_qos_list(job_ptr)))
		return NULL;
	*count = MAX(1, job_ptr->part_ptr_list ?
		     list_count(job_ptr->part_ptr_list) : 0);
	if (compat_qos_list(job_ptr))
		*count *= MAX(1, list_count(compat_qos_list(job_ptr)));
	/* Made for the lists as they were then. */
	*count = MIN(*count, xsize(priorities) / sizeof(*priorities));
	return priorities;
}

extern uint32_t compat_row_job(const priority_factors_object_t *row)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	return row->step_id.job_id;
#else
	return row->job_id;
#endif
}

extern priority_factors_t *compat_row_factors(priority_factors_object_t *row)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
	return row->prio_factors;
#else
	return row;
#endif
}

/* RET: place of the row's partition in the job's list, -1: none. */
static int _partition_index(const job_record_t *job_ptr,
			    const priority_factors_object_t *row)
{
	sb_list_itr_t *itr = list_iterator_create(job_ptr->part_ptr_list);
	part_record_t *part_ptr;
	int i = 0;

	while ((part_ptr = list_next(itr)) &&
	       xstrcmp(part_ptr->name, row->partition))
		i++;
	list_iterator_destroy(itr);
	return part_ptr ? i : -1;
}

/* RET: the row's QOS if the job asks for several; then OUT index: its place
 * in the list. */
static slurmdb_qos_rec_t *_row_qos(const job_record_t *job_ptr,
				   const priority_factors_object_t *row,
				   int *index)
{
	slurmdb_qos_rec_t *qos = NULL;

	*index = 0;
#ifdef HAVE_JOB_RECORD_T_QOS_LIST
	if (job_ptr->qos_list) {
		sb_list_itr_t *itr = list_iterator_create(job_ptr->qos_list);

		while ((qos = list_next(itr)) && xstrcmp(qos->name, row->qos))
			(*index)++;
		list_iterator_destroy(itr);
	}
#else
	(void) job_ptr;
	(void) row;
#endif
	return qos;
}

extern uint32_t compat_row_priority(job_record_t *job_ptr,
				    const priority_factors_object_t *row)
{
	int count, part_index = 0, qos_index, i;
	uint32_t *priorities = compat_priority_array(job_ptr, &count);
	sb_list_t qos_list = compat_qos_list(job_ptr);

	if (job_ptr->part_ptr_list)
		part_index = _partition_index(job_ptr, row);
	if (!priorities || (part_index < 0) ||
	    (!_row_qos(job_ptr, row, &qos_index) && qos_list))
		return 0;
	i = part_index * (qos_list ? list_count(qos_list) : 1) + qos_index;
	return (i < count) ? priorities[i] : 0;
}

extern void compat_row_fresh(job_record_t *job_ptr,
			     const priority_factors_object_t *row,
			     bool *partition, bool *qos)
{
	int index;
	const slurmdb_qos_rec_t *qos_ptr = _row_qos(job_ptr, row, &index);

	*partition = job_ptr->part_ptr_list != NULL;
	*qos = qos_ptr && qos_ptr->priority;
}

extern void compat_qos_run_secs(slurmdb_qos_rec_t *qos,
				const job_record_t *job_ptr,
				uint64_t **account, uint64_t **user)
{
	*account = *user = NULL;
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	if (!job_ptr->assoc_ptr)
		return;
	*account = acct_policy_get_acct_used_limits(
		&qos->usage->acct_limit_list,
		job_ptr->assoc_ptr->acct)->tres_run_secs;
	*user = acct_policy_get_user_used_limits(
		&qos->usage->user_limit_list, job_ptr->user_id)->tres_run_secs;
#else
	(void) qos;
	(void) job_ptr;
#endif
}

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
static void _each_used(sb_list_t list, void (*act)(uint64_t *run_secs))
{
	sb_list_itr_t *itr;
	slurmdb_used_limits_t *used;

	if (!list)
		return;
	itr = list_iterator_create(list);
	while ((used = list_next(itr))) {
		if (used->tres_run_secs)
			act(used->tres_run_secs);
	}
	list_iterator_destroy(itr);
}
#endif

extern void compat_qos_each_run_secs(slurmdb_qos_rec_t *qos,
				     void (*act)(uint64_t *run_secs))
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	_each_used(qos->usage->acct_limit_list, act);
	_each_used(qos->usage->user_limit_list, act);
#else
	(void) qos;
	(void) act;
#endif
}

extern void compat_assoc_cond_usage(slurmdb_assoc_cond_t *cond, time_t start,
				    time_t end)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	cond->flags |= ASSOC_COND_FLAG_WITH_USAGE |
		       ASSOC_COND_FLAG_WITH_DELETED |
		       ASSOC_COND_FLAG_WOPL | ASSOC_COND_FLAG_RAW_QOS;
#else
	cond->with_usage = 1;
	cond->with_deleted = 1;
	cond->with_raw_qos = 1;
	cond->without_parent_limits = 1;
#endif
	cond->usage_start = start;
	cond->usage_end = end;
}

extern int compat_find_tres(const char *name)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	int found = -1;

	assoc_mgr_lock(&locks);
	for (int i = 0; (found < 0) && (i < slurmctld_tres_cnt); i++) {
		if (!xstrcasecmp(assoc_mgr_tres_name_array[i], name))
			found = i;
	}
	assoc_mgr_unlock(&locks);
	return found;
}

extern int compat_requeue(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	return job_requeue_internal(0, job_ptr, false, 0);
#else
	return job_requeue(0, job_ptr->job_id, NULL, false, 0);
#endif
}

extern bool compat_strict_order(void)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
	if (xstrcasestr(slurm_conf.preempt_params, "strict_order"))
		return true;
#endif
	return xstrcasestr(slurm_conf.sched_params, "preempt_strict_order");
}

extern bool compat_youngest_first(void)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
	if (xstrcasestr(slurm_conf.preempt_params, "youngest_first"))
		return true;
#endif
	return xstrcasestr(slurm_conf.sched_params, "preempt_youngest_first");
}
