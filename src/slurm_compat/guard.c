/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guard.h"

/* A test build pretends that the headers were off by some bytes. */
#ifndef SB_GUARD_TEST_SHIFT
#define SB_GUARD_TEST_SHIFT 0
#endif

typedef enum { GUARD_UNKNOWN, GUARD_GOOD, GUARD_BAD } guard_state_t;

/* Written under the job lock; a late reader at worst checks once more. */
static guard_state_t job_state_seen = GUARD_UNKNOWN;
/* Written side by side by newer releases, always with the same. */
static guard_state_t desc_state_seen = GUARD_UNKNOWN;

static bool _size_is(const char *what, void *item, size_t compiled)
{
	size_t allocated = xsize(item);

	if (allocated == compiled)
		return true;
	error("slurm-budget: %s is %zu bytes in this slurmctld and %zu in the sources the plugin was built from; rebuild it with --with-slurm-source= naming the source of the running %s",
	      what, allocated, compiled, SLURM_VERSION_STRING);
	return false;
}

static bool _refers_wrongly(const char *what, job_record_t *job_ptr)
{
	error("slurm-budget: %s of the first job (address %p) is not where the plugin's sources have it; rebuild it with --with-slurm-source= naming the source of the running %s",
	      what, job_ptr, SLURM_VERSION_STRING);
	return false;
}

static bool _assoc_fits(void)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool good = true;

	assoc_mgr_lock(&locks);
	if (assoc_mgr_root_assoc) {
		good = _size_is("slurmdb_assoc_rec_t", assoc_mgr_root_assoc,
				sizeof(slurmdb_assoc_rec_t));
		good = good && _size_is("slurmdb_assoc_usage_t",
					assoc_mgr_root_assoc->usage,
					sizeof(slurmdb_assoc_usage_t));
	}
	assoc_mgr_unlock(&locks);
	return good;
}

static bool _part_fits(void)
{
	part_record_t *part_ptr = part_list ? list_peek(part_list) : NULL;

	if (!part_ptr)
		return true;
	if (!_size_is("part_record_t", part_ptr, sizeof(part_record_t)))
		return false;
	if (part_ptr->magic == PART_MAGIC)
		return true;
	error("slurm-budget: part_record_t has its magic elsewhere; rebuild the plugin from the source of the running slurmctld");
	return false;
}

extern int guard_check_host(void)
{
	if (!_assoc_fits() || !_part_fits())
		return SLURM_ERROR;
	return SLURM_SUCCESS;
}

static int _find_pointer(void *item, void *key)
{
	return item == key;
}

static bool _job_fits(job_record_t *job_ptr)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool good = true;

	if (!_size_is("job_record_t", job_ptr,
		      sizeof(job_record_t) + SB_GUARD_TEST_SHIFT))
		return false;
	if (job_ptr->magic != JOB_MAGIC)
		return _refers_wrongly("job_record_t.magic", job_ptr);
	if (find_job_record(job_ptr->job_id) != job_ptr)
		return _refers_wrongly("job_record_t.job_id", job_ptr);
	if (job_ptr->details) {
		if (!_size_is("struct job_details", job_ptr->details,
			      sizeof(*job_ptr->details)))
			return false;
		if (job_ptr->details->magic != DETAILS_MAGIC)
			return _refers_wrongly("job_details.magic", job_ptr);
	}
	if (job_ptr->part_ptr &&
	    !list_find_first_ro(part_list, _find_pointer, job_ptr->part_ptr))
		return _refers_wrongly("job_record_t.part_ptr", job_ptr);
	if (!job_ptr->assoc_ptr)
		return true;

	assoc_mgr_lock(&locks);
	good = list_find_first_ro(assoc_mgr_assoc_list, _find_pointer,
				  job_ptr->assoc_ptr);
	good = good && (job_ptr->assoc_ptr->id == job_ptr->assoc_id);
	assoc_mgr_unlock(&locks);
	return good ? true :
		_refers_wrongly("job_record_t.assoc_ptr", job_ptr);
}

extern bool guard_check_job(job_record_t *job_ptr)
{
	if (job_state_seen == GUARD_UNKNOWN)
		job_state_seen = _job_fits(job_ptr) ? GUARD_GOOD : GUARD_BAD;
	return job_state_seen == GUARD_GOOD;
}

extern bool guard_check_desc(job_desc_msg_t *job_desc)
{
	if (desc_state_seen == GUARD_UNKNOWN)
		desc_state_seen = _size_is("job_desc_msg_t", job_desc,
					   sizeof(job_desc_msg_t) +
					   SB_GUARD_TEST_SHIFT) ?
				  GUARD_GOOD : GUARD_BAD;
	return desc_state_seen == GUARD_GOOD;
}

extern void guard_reset(void)
{
	job_state_seen = GUARD_UNKNOWN;
	desc_state_seen = GUARD_UNKNOWN;
}
