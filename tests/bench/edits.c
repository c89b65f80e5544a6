/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "src/slurm_compat/compat.h"
#include "tests/unit/rng.h"

#include "edits.h"
#include "holds.h"
#include "release.h"
#include "sums.h"

static const options_t *options;
static void (*plugin_job_end)(job_record_t *);
static job_record_t **waiting, **running;
static size_t waiting_count, running_count;
static bool begin_always;
static edits_t edit_too;
static long done;
static time_t stopped_at;	/* the clock, 0: it runs */
/* A job with a longer limit than it had, 0: none. */
static uint32_t grown_id, grown_from, grown_to;

extern time_t time(time_t *at)
{
	struct timespec now = { .tv_sec = stopped_at };

	if (!stopped_at)
		(void) clock_gettime(CLOCK_REALTIME, &now);
	if (at)
		*at = now.tv_sec;
	return now.tv_sec;
}

/* slurmctld would have loaded its plugin a second time. */
extern void priority_g_job_end(job_record_t *job_ptr)
{
	if (plugin_job_end)
		plugin_job_end(job_ptr);
}

/* RET: one of them, which is no longer there; NULL: there is none. */
static job_record_t *_take(job_record_t **jobs, size_t *count, size_t i)
{
	job_record_t *job_ptr;

	if (i >= *count)
		return NULL;
	job_ptr = jobs[i];
	jobs[i] = jobs[--*count];
	return job_ptr;
}

static size_t _any_place(size_t count)
{
	return count ? rng(count) : 0;
}

/* RET: a running job's place; in one half of the rounds often that of one whose
 * limit has grown, in the other it stays. */
static size_t _running_place(void)
{
	size_t i = running_count;

	if (grown_id && begin_always && rng(2))
		for (i = 0; i < running_count; i++)
			if (running[i]->job_id == grown_id)
				break;
	return (i < running_count) ? i : _any_place(running_count);
}

static job_record_t *_start(size_t place)
{
	job_record_t *job_ptr = _take(waiting, &waiting_count, place);

	if (!job_ptr)
		return NULL;
	job_ptr->end_time_exp = 0;
	state_start(job_ptr, options, time(NULL));
	running[running_count++] = job_ptr;
	return job_ptr;
}

static void _begin(void)
{
	job_record_t *job_ptr = _start(_any_place(waiting_count));

	if (job_ptr && !rng(4))
		job_ptr->job_state |= JOB_POWER_UP_NODE | JOB_CONFIGURING;
}

/* A part of a heterogeneous job is submitted to 26.05: begun in sums of its
 * own, and ended. */
static void _try(void)
{
	size_t i = _any_place(waiting_count);
	job_record_t *job_ptr = waiting_count ? waiting[i] : NULL;

	if (!job_ptr || job_ptr->start_time || job_ptr->tres_alloc_cnt)
		return;
	job_ptr->tres_alloc_cnt = job_ptr->tres_req_cnt;
	job_ptr->end_time_exp = 0;
	plugin_job_end(job_ptr);
	job_ptr->tres_alloc_cnt = NULL;
}

static int _is_it(void *item, void *key)
{
	return item == key;
}

extern void edits_end(job_record_t *job_ptr)
{
	job_ptr->job_state = JOB_COMPLETE;
	job_ptr->end_time = time(NULL);
	release_job_fini(job_ptr);
}

/* Some wait again, and may begin in the same second; some are forgotten. */
static void _end(void)
{
	job_record_t *job_ptr = _take(running, &running_count,
				      _running_place());

	if (!job_ptr)
		return;
	edits_end(job_ptr);
	if (rng(2)) {
		(void) list_remove_first(job_list, _is_it, job_ptr);
		return;
	}
	job_ptr->job_state = JOB_PENDING;
	waiting[waiting_count++] = job_ptr;
}

extern void edits_leave(const job_record_t *job_ptr)
{
	size_t i = 0;

	while ((i < running_count) && (running[i] != job_ptr))
		i++;
	(void) _take(running, &running_count, i);
}

static job_record_t *_any(void)
{
	return running_count ? running[rng(running_count)] : NULL;
}

static void _set_limit(job_record_t *job_ptr, uint32_t limit)
{
	acct_policy_alter_job(job_ptr, limit);
	job_ptr->time_limit = limit;
}

static void _edit_limit(void)
{
	job_record_t *job_ptr = _any();
	/* As slurmctld does, which knows of no time below 1; often less than
	 * what has run. */
	uint32_t limit = 1 + rng(3000);

	if (job_ptr)
		_set_limit(job_ptr, limit);
}

/* Run seconds are left to it. */
static bool _has_left(const job_record_t *job_ptr)
{
	return IS_JOB_RUNNING(job_ptr) && job_ptr->qos_ptr->usage_factor &&
	       (time(NULL) < job_ptr->start_time + job_ptr->time_limit * 60);
}

/* slurmctld adds what the limit grows by, and we count the same. */
static bool _may_grow(const job_record_t *job_ptr)
{
	return _has_left(job_ptr) && (job_ptr->qos_ptr->usage_factor == 1);
}

static job_record_t *_any_that(bool (*fits)(const job_record_t *job_ptr))
{
	for (int tries = 50; tries; tries--) {
		job_record_t *job_ptr = _any();

		if (job_ptr && fits(job_ptr))
			return job_ptr;
	}
	return NULL;
}

/* A limit grows, and next time it is what it was. */
static void _edit_and_back(void)
{
	job_record_t *job_ptr = grown_id ? find_job_record(grown_id) : NULL;

	grown_id = 0;
	if (job_ptr && _may_grow(job_ptr) &&
	    (job_ptr->time_limit == grown_to)) {
		_set_limit(job_ptr, grown_from);
		return;
	}
	job_ptr = _any_that(_may_grow);
	if (!job_ptr)
		return;
	grown_id = job_ptr->job_id;
	grown_from = job_ptr->time_limit;
	grown_to = grown_from + 1 + rng(100);
	_set_limit(job_ptr, grown_to);
}

static bool _boots(const job_record_t *job_ptr)
{
	return IS_JOB_POWER_UP_NODE(job_ptr);
}

/* Nodes have booted: what job_config_fini() does. */
static void _boot(void)
{
	job_record_t *job_ptr = _any_that(_boots);

	if (!job_ptr)
		return;
	job_ptr->job_state &= ~(JOB_POWER_UP_NODE | JOB_CONFIGURING);
	job_ptr->start_time = time(NULL);
}

static void _edit_factor(void)
{
	job_record_t *job_ptr = _any();

	if (job_ptr)
		job_ptr->qos_ptr->usage_factor =
			rng(2) ? 1 : rng(8) / 4.0;
}

static void _edit_qos(void)
{
	job_record_t *job_ptr = _any(), *other = _any();

	if (!job_ptr)
		return;
	job_ptr->qos_ptr = other->qos_ptr;
	job_ptr->qos_id = other->qos_id;
}

static void _edit_partition(void)
{
	job_record_t *job_ptr = _any(), *other = _any();

	if (job_ptr)
		job_ptr->part_ptr->qos_ptr = rng(2) ? other->qos_ptr : NULL;
}

static void _suspend(void)
{
	job_record_t *job_ptr = _any();

	if (job_ptr)
		job_ptr->job_state = IS_JOB_SUSPENDED(job_ptr) ?
			JOB_RUNNING : JOB_SUSPENDED;
}

extern job_record_t *edits_any(void)
{
	return _any_that(_has_left);
}

extern job_record_t *edits_start(void)
{
	size_t i = 0;

	while ((i < waiting_count) && !waiting[i]->qos_ptr->usage_factor)
		i++;
	return _start(i);
}

extern slurmdb_qos_rec_t *edits_other_qos(const job_record_t *job_ptr)
{
	for (size_t i = 0; i < running_count; i++)
		if (running[i]->qos_ptr != job_ptr->qos_ptr)
			return running[i]->qos_ptr;
	return NULL;
}

/* A user goes to the account of another. */
static void _move(void)
{
	job_record_t *job_ptr = _any(), *other = _any();

	if (job_ptr)
		job_ptr->assoc_ptr->usage->parent_assoc_ptr =
			other->assoc_ptr->usage->parent_assoc_ptr;
}

extern void edits_edit(void)
{
	static void (*const edits[])(void) = {
		_edit_limit, _edit_limit, _edit_and_back, _edit_and_back,
		_edit_factor, _edit_qos, _edit_partition, _suspend, _move,
	};
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK };
	void (*edit)(void) = edits[rng(sizeof(edits) / sizeof(edits[0]))];

	/* These take them themselves. */
	if ((edit == _edit_limit) || (edit == _edit_and_back)) {
		edit();
		return;
	}
	assoc_mgr_lock(&locks);
	edit();
	assoc_mgr_unlock(&locks);
}

static void _between(void)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };

	if (!begin_always && rng(3))
		return;
	lock_slurmctld(locks);
	for (size_t i = 1 + rng(3); i; i--, done++) {
		if (begin_always || rng(2))
			_begin();
		if (rng(2))
			_end();
		_boot();
		if (!rng(4))
			_try();
		if (edit_too == EDITS_ANY)
			edits_edit();
		else if (edit_too == EDITS_EXACT)
			_edit_and_back();
	}
	unlock_slurmctld(locks);
}

extern void edits_on(bool begins, edits_t edits)
{
	begin_always = begins;
	edit_too = edits;
	holds_between(_between);
}

extern void edits_off(void)
{
	holds_between(NULL);
}

static void _one_begins(void)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };

	lock_slurmctld(locks);
	_begin();
	unlock_slurmctld(locks);
}

extern void edits_begin_only(void)
{
	holds_between(_one_begins);
}

extern time_t edits_stop_clock(time_t ahead)
{
	return stopped_at = time(NULL) + ahead;
}

extern void edits_start_clock(void)
{
	stopped_at = 0;
}

extern void edits_spoil(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	assoc_mgr_root_assoc->usage->grp_used_tres_run_secs[0]++;
	assoc_mgr_unlock(&locks);
}

extern long edits_done(void)
{
	return done;
}

extern void edits_begin(const options_t *sizes, const state_t *jobs,
			void (*job_end)(job_record_t *))
{
	size_t all = jobs->pending_count + jobs->running_count;

	if (running)
		return;
	rng_state = 1;
	options = sizes;
	plugin_job_end = job_end;
	waiting = xcalloc(all + 1, sizeof(*waiting));
	running = xcalloc(all + 1, sizeof(*running));
	waiting_count = jobs->pending_count;
	running_count = jobs->running_count;
	memcpy(waiting, jobs->pending, waiting_count * sizeof(*waiting));
	memcpy(running, jobs->running, running_count * sizeof(*running));
}

extern long edits_compare(time_t now)
{
	return sums_compare(running, running_count, options->qos, now);
}
