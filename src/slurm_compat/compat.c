/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat.h"

extern uint32_t *compat_priority_array(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#if defined(HAVE_JOB_RECORD_T_PART_PRIO)
	return job_ptr->part_prio ? job_ptr->part_prio->priority_array : NULL;
#else
	return job_ptr->prio_mult ? job_ptr->prio_mult->priority_array : NULL;
#endif
#else
	return job_ptr->priority_array;
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
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
	return job_requeue_internal(0, job_ptr, false, 0);
#else
	return job_requeue(0, job_ptr->job_id, NULL, false, 0);
#endif
}
