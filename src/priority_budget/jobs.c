/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <unistd.h>

#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/contracts.h"
#include "src/slurm_compat/guard.h"

#include "budget.h"
#include "jobs.h"
#include "limits.h"
#include "span.h"

/* Microseconds until jobs that looked odd are looked at again. */
#define DOUBT_PAUSE 100000
/* Jobs per hold of slurmctld's locks. */
#define SLICE 2000
/* Walks of a recount that let others in: where jobs begin and are edited all
 * the time none of them may have found them all as they are. */
#define RECOUNT_WALKS 4
/* And of those behind them, which let no job in: the second finds all. */
#define RECOUNT_TRIES 4

static const slurmctld_lock_t look_locks = {
	.conf = READ_LOCK,
	.job = READ_LOCK,
	.part = READ_LOCK,
};

typedef struct {
	look_t *look;
	sb_list_itr_t *jobs;	/* where the walk stands; slurmctld moves it
				 * when it forgets that job meanwhile */
	job_record_t *slice[SLICE];
	const budget_t *budget;
	bool with_limits;
	time_t before;		/* time of the last look, 0: none */
	bool recount;		/* of run seconds is due */
} walk_t;

/* Did it end? A requeued job is pending and completing until its epilog is
 * done, and keeps start and end for that long. */
static bool _has_ended(const job_record_t *job_ptr)
{
	return IS_JOB_FINISHED(job_ptr) || IS_JOB_COMPLETING(job_ptr);
}

/* A pending job's start_time is backfill's guess; one whose nodes still boot
 * has not started for accounting either. */
static bool _has_started(const job_record_t *job_ptr)
{
	if (!job_ptr->start_time || IS_JOB_REVOKED(job_ptr) ||
	    IS_JOB_POWER_UP_NODE(job_ptr))
		return false;
	return _has_ended(job_ptr) || !IS_JOB_PENDING(job_ptr);
}

/* Charged TRES per second, as slurmdbd's rollup counts it, by UsageFactor. */
static double _rate(const job_record_t *job_ptr, int charge_pos)
{
	double rate;

	if (!job_ptr->tres_alloc_cnt ||
	    (job_ptr->tres_alloc_cnt[charge_pos] == NO_CONSUME_VAL64))
		return 0;
	/* A suspended job gives back its CPUs and nothing else. */
	if ((charge_pos == TRES_ARRAY_CPU) && IS_JOB_SUSPENDED(job_ptr))
		return 0;
	rate = job_ptr->tres_alloc_cnt[charge_pos];
	if (job_ptr->qos_ptr && (job_ptr->qos_ptr->usage_factor >= 0))
		rate *= job_ptr->qos_ptr->usage_factor;
	return rate;
}

/* The attempt a job shows. RET: false when it holds and held no allocation
 * that is charged. Locks: job R, part R, ours, qos R. */
static bool _attempt(const job_record_t *job_ptr, const budget_t *budget,
		     time_t now, sb_attempt_t *attempt)
{
	sb_contract_t contract;
	bool is_signed;

	/* Its association was deleted: slurmdbd's record knows whom it belonged
	 * to. */
	if (!_has_started(job_ptr) || !job_ptr->assoc_id)
		return false;
	is_signed = contracts_read(job_ptr, budget->params, &contract);
	*attempt = (sb_attempt_t) {
		.job_id = job_ptr->job_id,
		.assoc_id = job_ptr->assoc_id,
		.start = job_ptr->start_time,
		.end = _has_ended(job_ptr) ? job_ptr->end_time : 0,
		/* A suspended job's CPUs are not charged: its rate changes. */
		.resized = MAX(job_ptr->resize_time, job_ptr->suspend_time),
		.rate = _rate(job_ptr, budget->charge_pos),
		.factor = sb_contract_charge(&contract, budget->params),
		.suspended = IS_JOB_SUSPENDED(job_ptr),
		.in_full = is_signed &&
			(contract.class != SB_CLASS_UNALLOCATED),
	};
	if (!attempt->end && (contract.class != SB_CLASS_UNALLOCATED))
		attempt->left = sb_contract_left(&contract,
						 contracts_ran(job_ptr, now));
	return true;
}

/* RET: room for one more item, or NULL. */
static void *_room(void **items, size_t *count, size_t *size, size_t width)
{
	if (*count == *size) {
		size_t more = *size ? *size * 2 : 1024;
		void *moved = realloc(*items, more * width);

		if (!moved)
			return NULL;
		*items = moved;
		*size = more;
	}
	return (char *) *items + (*count)++ * width;
}

static void _note_attempt(look_t *look, const sb_attempt_t *attempt)
{
	sb_attempt_t *place = _room((void **) &look->attempts,
				    &look->attempt_count, &look->attempt_size,
				    sizeof(*place));

	if (place)
		*place = *attempt;
	else
		look->incomplete = true;
}

static void _note_id(look_t *look, uint32_t job_id)
{
	uint32_t *place = _room((void **) &look->ids, &look->id_count,
				&look->id_size, sizeof(*place));

	if (place)
		*place = job_id;
}

static bool _has_priority(const job_record_t *job_ptr)
{
	return job_ptr->priority &&
	       (IS_JOB_PENDING(job_ptr) ||
		(slurm_conf.priority_flags & PRIORITY_FLAGS_CALCULATE_RUNNING));
}

extern bool jobs_ends_are_told(void)
{
	return span_counts();
}

static bool _was_requeued(const job_record_t *job_ptr, time_t since)
{
	return since && job_ptr->restart_cnt && job_ptr->details &&
	       (job_ptr->details->submit_time >= since) &&
	       !jobs_ends_are_told();
}

static void _note_requeued(look_t *look, uint32_t job_id)
{
	uint32_t *place = _room((void **) &look->requeued,
				&look->requeued_count, &look->requeued_size,
				sizeof(*place));

	if (place)
		*place = job_id;
	else
		look->incomplete = true;
}

static void _look_at(job_record_t *job_ptr, walk_t *walk)
{
	look_t *look = walk->look;
	sb_attempt_t attempt;

	if (_attempt(job_ptr, walk->budget, look->now, &attempt))
		_note_attempt(look, &attempt);
	if (walk->with_limits)
		limits_charge(job_ptr, look->now);
	if (_was_requeued(job_ptr, walk->before))
		_note_requeued(look, job_ptr->job_id);
	if (_has_priority(job_ptr))
		_note_id(look, job_ptr->job_id);
}

/*
 * Who walks the list with its lock held may want assoc_mgr's locks for each
 * job: so we step through it before we take ours. RET: jobs of the slice.
 * Locks: job R.
 */
static int _take_slice(walk_t *walk)
{
	int count = 0;

	while ((count < SLICE) &&
	       (walk->slice[count] = list_next(walk->jobs)))
		count++;
	return count;
}

/* RET: there are more jobs. Locks: job R, part R. */
static bool _look_at_slice(walk_t *walk)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	int count = _take_slice(walk);

	if (walk->with_limits) {
		locks.assoc = WRITE_LOCK;
		locks.qos = WRITE_LOCK;
		locks.tres = READ_LOCK;
	}
	walk->budget = budget_lock();
	assoc_mgr_lock(&locks);
	for (int i = 0; i < count; i++)
		_look_at(walk->slice[i], walk);
	if (walk->with_limits && (count < SLICE))
		walk->recount = limits_advance(walk->look->now);
	assoc_mgr_unlock(&locks);
	budget_unlock();
	return count == SLICE;
}

/* Locks: job R, part R, as at the return. */
static void _let_others_in(void)
{
	unlock_slurmctld(look_locks);
	lock_slurmctld(look_locks);
}

/* IN first: of this walk. RET: there are more jobs. Locks: job R, part R. */
static bool _recount_slice(walk_t *walk, bool first)
{
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	int count = _take_slice(walk);

	assoc_mgr_lock(&locks);
	if (first)
		limits_recount_begin();
	for (int i = 0; i < count; i++)
		limits_recount_job(walk->slice[i]);
	if (count < SLICE)
		walk->recount = !limits_recount_end();
	assoc_mgr_unlock(&locks);
	return count == SLICE;
}

/* Locks: job R, part R, as at the return. */
static void _recount(walk_t *walk)
{
	for (int walks = 1; walk->recount && !budget_stopping(); walks++) {
		bool first = true;

		if (walks > RECOUNT_WALKS + RECOUNT_TRIES) {
			limits_recount_drop();
			return;
		}
		list_iterator_reset(walk->jobs);
		_let_others_in();
		while (!budget_stopping() && _recount_slice(walk, first)) {
			first = false;
			if (walks <= RECOUNT_WALKS)
				_let_others_in();
		}
	}
}

/* Others are let in between slices. Locks: job R, part R, as at the return. */
static void _look_at_all(look_t *look, bool with_limits)
{
	walk_t walk = {
		.look = look,
		.jobs = list_iterator_create(job_list),
		.with_limits = with_limits,
		.before = look->now,
	};

	look->now = time(NULL);
	while (_look_at_slice(&walk))
		_let_others_in();
	_recount(&walk);
	list_iterator_destroy(walk.jobs);
}

/* RET: true with the locks held: jobs may be touched. */
static bool _lock_if_fit(void)
{
	lock_slurmctld(look_locks);
	while (!guard_check_jobs()) {
		unlock_slurmctld(look_locks);
		if (guard_refused())
			return false;
		(void) usleep(DOUBT_PAUSE);
		lock_slurmctld(look_locks);
	}
	return true;
}

extern bool jobs_check(void)
{
	if (!_lock_if_fit())
		return false;
	unlock_slurmctld(look_locks);
	return true;
}

extern void jobs_look(look_t *look, bool with_limits)
{
	look->attempt_count = look->id_count = look->requeued_count = 0;
	look->incomplete = false;
	look->broken = !_lock_if_fit();
	if (look->broken)
		return;
	if (with_limits) {
		unlock_slurmctld(look_locks);
		limits_begin(time(NULL));
		lock_slurmctld(look_locks);
	}
	_look_at_all(look, with_limits);
	unlock_slurmctld(look_locks);
}

extern void jobs_close(job_record_t *job_ptr, time_t now)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	budget_t *budget = budget_lock();
	sb_attempt_t attempt;
	bool charged;

	assoc_mgr_lock(&locks);
	charged = _attempt(job_ptr, budget, now, &attempt);
	assoc_mgr_unlock(&locks);
	/*
	 * A resize comes here too: it is no end. Nor is an end at the start:
	 * backfill has a heterogeneous job begin and end to test its limits,
	 * and may start it in the same second. Without memory the next look
	 * sees the end.
	 */
	if (charged && (attempt.end > attempt.start))
		(void) sb_ledger_close(budget->ledger, &attempt);
	budget_unlock();
}

extern void jobs_free(look_t *look)
{
	free(look->attempts);
	free(look->ids);
	free(look->requeued);
	memset(look, 0, sizeof(*look));
}
