/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/core/cells.h"
#include "src/slurm_compat/compat.h"

#include "sums.h"

static long used, wrong;

/* RET: seconds x UsageFactor that the job has left. */
static uint64_t _left(const job_record_t *job_ptr, time_t now)
{
	uint64_t limit = (uint64_t) job_ptr->time_limit * 60, over = 0;
	double factor = job_ptr->qos_ptr->usage_factor;

	if ((now > job_ptr->start_time) && !IS_JOB_POWER_UP_NODE(job_ptr))
		over = MIN(limit, (uint64_t) (now - job_ptr->start_time));
	return (uint64_t) (limit * factor) - (uint64_t) (over * factor);
}

static void _add(uint64_t *sums, const job_record_t *job_ptr, time_t now)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		if (i != TRES_ARRAY_ENERGY)
			sums[i] += _left(job_ptr, now) *
				job_ptr->tres_alloc_cnt[i];
	}
}

/* What newer releases count per account and user in each QOS; by its place. */
static sb_cells_t used_sums;

static void _add_used_sums(uint64_t *run_secs, const job_record_t *job_ptr,
			   time_t now)
{
	uint64_t *sums = sb_cells_add(&used_sums, (uintptr_t) run_secs);

	if (sums)
		_add(sums, job_ptr, now);
}

static void _add_used(slurmdb_qos_rec_t *qos, const job_record_t *job_ptr,
		      time_t now)
{
	uint64_t *account, *user;

	compat_qos_run_secs(qos, job_ptr, &account, &user);
	_add_used_sums(account, job_ptr, now);
	_add_used_sums(user, job_ptr, now);
}

static void _add_qos(uint64_t *sums, slurmdb_qos_rec_t *qos,
		     const job_record_t *job_ptr, time_t now)
{
	_add(sums, job_ptr, now);
	_add_used(qos, job_ptr, now);
}

static void _check_used(uint64_t *run_secs)
{
	size_t size = slurmctld_tres_cnt * sizeof(*run_secs);
	uint64_t *sums = sb_cells_add(&used_sums, (uintptr_t) run_secs);

	used++;
	wrong += !sums || memcmp(sums, run_secs, size);
}

/* RET: has running jobs. */
static bool _check(const uint64_t *sums, const uint64_t *run_secs)
{
	size_t size = slurmctld_tres_cnt * sizeof(*sums);

	wrong += memcmp(sums, run_secs, size) != 0;
	return sums[TRES_ARRAY_BILLING] != 0;
}

static long _check_all(const uint64_t *assocs, const uint64_t *qos_sums)
{
	sb_list_itr_t *itr = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;
	long busy = 0;

	while ((assoc = list_next(itr))) {
		busy += _check(&assocs[assoc->id * slurmctld_tres_cnt],
			       assoc->usage->grp_used_tres_run_secs);
		/* No job runs in an account. */
		if (assoc->leaf_usage && (assoc->leaf_usage != assoc->usage))
			(void) _check(assocs, assoc->leaf_usage->
						grp_used_tres_run_secs);
	}
	list_iterator_destroy(itr);
	itr = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(itr))) {
		busy += _check(&qos_sums[qos->id * slurmctld_tres_cnt],
			       qos->usage->grp_used_tres_run_secs);
		compat_qos_each_run_secs(qos, _check_used);
	}
	list_iterator_destroy(itr);
	return busy;
}

static uint32_t _last_id(void)
{
	sb_list_itr_t *itr = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *assoc;
	uint32_t last = 0;

	while ((assoc = list_next(itr)))
		last = MAX(last, assoc->id);
	list_iterator_destroy(itr);
	return last;
}

extern long sums_compare(job_record_t *const *jobs, size_t count, long qos_count,
			 time_t now)
{
	size_t width = slurmctld_tres_cnt;
	uint64_t *assocs = xcalloc((_last_id() + 1) * width, sizeof(*assocs));
	uint64_t *qos_sums = xcalloc((qos_count + 1) * width,
				     sizeof(*qos_sums));
	long busy;

	wrong = 0;
	used_sums.width = width;
	for (size_t i = 0; i < count; i++) {
		const job_record_t *job_ptr = jobs[i];
		slurmdb_qos_rec_t *qos = job_ptr->qos_ptr;
		slurmdb_qos_rec_t *part_qos = job_ptr->part_ptr->qos_ptr;

		_add_qos(&qos_sums[qos->id * width], qos, job_ptr, now);
		if (part_qos && (part_qos != qos))
			_add_qos(&qos_sums[part_qos->id * width], part_qos,
				 job_ptr, now);
		for (slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr; assoc;
		     assoc = assoc->usage->parent_assoc_ptr)
			_add(&assocs[assoc->id * width], job_ptr, now);
	}
	busy = _check_all(assocs, qos_sums);
	sb_cells_free(&used_sums);
	xfree(assocs);
	xfree(qos_sums);
	return busy;
}

extern long sums_used(void)
{
	return used;
}

extern long sums_wrong(void)
{
	return wrong;
}
