/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdatomic.h>

#include "guard.h"
#include "layout.h"
#include "near_miss.h"

/* Test builds pretend that slurmctld's structs are so many bytes longer than
 * ours, or that fields of a job lie so much further behind. */
#ifndef SB_GUARD_TEST_SHIFT
#define SB_GUARD_TEST_SHIFT 0
#endif
#ifndef SB_GUARD_TEST_PLACE
#define SB_GUARD_TEST_PLACE 0
#endif

/* What cross references of jobs can prove. They lie all over job_record_t,
 * with the fields that we use between them. A healthy job may lack any. */
#define PROOF_ASSOC 0x1
#define PROOF_DETAILS 0x2
#define PROOF_PART 0x4
#define PROOF_QOS 0x8
#define PROOF_USER 0x10
#define PROOF_ALL 0x1f

/*
 * Jobs in a row that look wrong before the layout is wrong. A wrong layout
 * shows in each job; a healthy one may be wrong for a moment: slurmctld takes
 * an association off its list before it tells the jobs.
 */
#define DOUBTS_MAX 10
/* Good jobs after which it does not matter what none of them could prove. */
#define GOOD_MAX 1000

static atomic_uint proofs;
static atomic_uint doubts;
static atomic_uint good_jobs;
static atomic_bool host_good;
static atomic_bool desc_good;
static atomic_bool refused;

static assoc_mgr_lock_t guard_locks = { .assoc = READ_LOCK, .qos = READ_LOCK };

/* Locks: conf R, guard_locks. */
static bool _host_fits(void)
{
	bool all;

	if (host_good || refused)
		return !refused;
	refused = !layout_fits(&all);
	host_good = all && !refused;
	return !refused;
}

extern bool guard_check_host(void)
{
	bool fits;

	if (host_good || refused)
		return !refused;
	assoc_mgr_lock(&guard_locks);
	fits = _host_fits();
	assoc_mgr_unlock(&guard_locks);
	return fits;
}

static int _find_pointer(void *item, void *key)
{
	return item == key;
}

static bool _is_in(sb_list_t list, void *pointer)
{
	return list && list_find_first_ro(list, _find_pointer, pointer);
}

/*
 * Follow no pointer that has not been found in a list.
 * OUT proven: what this job proves. RET: NULL, or what is wrong.
 * Locks: job R, assoc R, qos R.
 */
static const char *_follow(job_record_t *job_ptr, unsigned *proven)
{
	const job_record_t *at = (const job_record_t *)
		((const char *) job_ptr + SB_GUARD_TEST_PLACE);
	const slurmdb_assoc_rec_t *assoc = at->assoc_ptr;

	if (find_job_record(at->job_id) != job_ptr)
		return "job_record_t.job_id";
	if (at->part_ptr && !_is_in(part_list, at->part_ptr))
		return "job_record_t.part_ptr";
	if (at->qos_ptr && !_is_in(assoc_mgr_qos_list, at->qos_ptr))
		return "job_record_t.qos_ptr";
	*proven |= (at->part_ptr ? PROOF_PART : 0) |
		   (at->qos_ptr ? PROOF_QOS : 0);
	if (!assoc)
		return NULL;
	if (!_is_in(assoc_mgr_assoc_list, at->assoc_ptr) ||
	    (assoc->id != at->assoc_id))
		return "job_record_t.assoc_ptr";
	*proven |= PROOF_ASSOC;
	if (assoc->uid == NO_VAL)
		return NULL;
	*proven |= PROOF_USER;
	return (assoc->uid == at->user_id) ? NULL : "job_record_t.user_id";
}

/* Behind _follow(): job_id and assoc_ptr, on both sides of it, are right. */
static bool _details_fit(const job_record_t *job_ptr, unsigned *proven)
{
	if (job_ptr->prio_factors &&
	    !layout_size_is("prio_factors",
			    layout_block(job_ptr->prio_factors),
			    sizeof(*job_ptr->prio_factors)))
		return false;
	if (!job_ptr->details)
		return true;
	*proven |= PROOF_DETAILS;
	return layout_size_is("job_details", layout_block(job_ptr->details),
			      sizeof(*job_ptr->details)) &&
	       ((job_ptr->details->magic == DETAILS_MAGIC) ||
		layout_misplaced("job_details.magic"));
}

static bool _shell_fits(job_record_t *job_ptr)
{
	return layout_size_is("job_record_t",
			      xsize(job_ptr) + SB_GUARD_TEST_SHIFT,
			      NEAR_MISS_SIZE(job_record_t)) &&
	       ((job_ptr->magic == JOB_MAGIC) ||
		layout_misplaced("job_record_t.magic"));
}

/* OUT proven: what the job proves. RET: NULL, or what makes us doubt.
 * Sets refused when there is no doubt at all. Locks: job R, guard_locks. */
static const char *_examine(job_record_t *job_ptr, unsigned *proven)
{
	const char *wrong;

	if (!_shell_fits(job_ptr)) {
		refused = true;
		return NULL;
	}
	wrong = _follow(job_ptr, proven);
	if (!wrong && !_details_fit(job_ptr, proven))
		refused = true;
	return wrong;
}

static void _doubt(const char *wrong)
{
	if (++doubts == DOUBTS_MAX) {
		refused = true;
		(void) layout_misplaced(wrong);
	}
}

static void _note_good(unsigned proven)
{
	doubts = 0;
	proofs |= (good_jobs++ < GOOD_MAX) ? proven : PROOF_ALL;
}

/* OUT wrong: what makes us doubt. RET: the job may be touched.
 * Locks: conf R, job R, guard_locks. */
static bool _is_good(job_record_t *job_ptr, const char **wrong)
{
	unsigned proven = 0;

	*wrong = NULL;
	if (_host_fits())
		*wrong = _examine(job_ptr, &proven);
	if (refused || *wrong)
		return false;
	_note_good(proven);
	return true;
}

extern bool guard_check_job(job_record_t *job_ptr)
{
	const char *wrong;
	bool good;

	if (proofs == PROOF_ALL)
		return true;
	assoc_mgr_lock(&guard_locks);
	good = _is_good(job_ptr, &wrong);
	assoc_mgr_unlock(&guard_locks);
	if (good)
		return true;
	if (wrong)
		_doubt(wrong);
	return false;
}

extern bool guard_check_stale(job_record_t *job_ptr)
{
	const job_record_t *at = (const job_record_t *)
		((const char *) job_ptr + SB_GUARD_TEST_PLACE);

	return (xsize(job_ptr) + SB_GUARD_TEST_SHIFT ==
		NEAR_MISS_SIZE(job_record_t)) &&
	       (job_ptr->magic == JOB_MAGIC) &&
	       (find_job_record(at->job_id) == job_ptr) &&
	       (!at->part_ptr || _is_in(part_list, at->part_ptr));
}

static int _ends_search(void *item, void *arg)
{
	return _is_good(item, arg) || refused;
}

extern bool guard_check_jobs(void)
{
	const char *wrong = NULL;
	bool ended;

	if ((proofs == PROOF_ALL) || !job_list || !list_count(job_list))
		return true;
	/* Around the walk, not in it: passes walk the list with these locks
	 * held, and the list has a lock of its own. */
	assoc_mgr_lock(&guard_locks);
	ended = list_find_first_ro(job_list, _ends_search, &wrong);
	assoc_mgr_unlock(&guard_locks);
	if (ended)
		return !refused;
	_doubt(wrong);
	return false;
}

extern bool guard_passed(void)
{
	return good_jobs && !refused;
}

extern bool guard_refused(void)
{
	return refused;
}

extern bool guard_check_desc(job_desc_msg_t *job_desc)
{
	if (desc_good || !guard_check_host())
		return !refused;
	desc_good = layout_size_is("job_desc_msg_t",
				   xsize(job_desc) + SB_GUARD_TEST_SHIFT,
				   sizeof(*job_desc));
	refused = !desc_good;
	return desc_good;
}

extern void guard_reset(void)
{
	proofs = doubts = good_jobs = 0;
	host_good = desc_good = refused = false;
}
