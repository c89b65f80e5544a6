/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* dladdr(), pthread_timedjoin_np() */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#include "src/core/pace.h"
#include "src/slurm_compat/caps.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/guard.h"
#include "src/slurm_compat/preempt_compat.h"
#include "src/slurm_compat/settings.h"

#include "asked.h"
#include "classes.h"
#include "fallback.h"
#include "look.h"
#include "lockin.h"
#include "rules.h"
#include "shadow.h"
#include "watch.h"

/* Signatures per hold of the job write lock. */
#define SLICE 500
/* Pairs of jobs that are compared before the scheduler is woken unasked. */
#define PAIRS_MAX 20000
/* fini() waits this long for a thread that waits for a lock, milliseconds, in
 * steps of this many. */
#define LOCKED_MAX 500
#define JOIN_STEP 20

static pthread_t thread;
static bool running;
/* Counted up by every start and stop: a thread of an older number has been
 * told to end. */
static atomic_uint generation;
static _Thread_local unsigned my_generation;
static atomic_bool at_lock;	/* the thread waits for slurmctld's locks */
static pthread_mutex_t wait_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wait_cond = PTHREAD_COND_INITIALIZER;
static look_t look;		/* the thread's */

static bool _stopping(void)
{
	return my_generation != generation;
}

/*
 * slurmctld may call fini() with its locks held (another PreemptType at
 * reconfigure): a thread that gets one of them afterwards must not touch a
 * thing. Nor may it when slurmctld has lost control meanwhile.
 * RET: false: nothing is locked.
 */
static bool _lock(slurmctld_lock_t locks)
{
	at_lock = true;
	lock_slurmctld(locks);
	at_lock = false;
	if (!_stopping() && compat_in_control())
		return true;
	unlock_slurmctld(locks);
	return false;
}

/* RET: a waiting job may take the place of one whose protection has just
 * ended. Locks: job R, part R. */
static bool _may_be_used(void)
{
	if (look.ended.count * look.waiting.count > PAIRS_MAX)
		return true;
	for (size_t i = 0; i < look.ended.count; i++) {
		job_record_t *victim = find_job_record(look.ended.ids[i]);

		for (size_t j = 0; victim && (j < look.waiting.count); j++) {
			job_record_t *preemptor =
				find_job_record(look.waiting.ids[j]);

			if (preemptor &&
			    rules_would_allow(victim, preemptor, look.now))
				return true;
		}
	}
	return false;
}

/* slurmctld tells preempt plugins nothing of a new slurm.conf. */
static void _refresh_settings(void)
{
	slurmctld_lock_t look_locks = { .conf = READ_LOCK };
	slurmctld_lock_t change_locks = {
		.conf = READ_LOCK,
		.job = WRITE_LOCK,
	};
	bool stale;

	if (!_lock(look_locks))
		return;
	stale = settings_are_stale();
	unlock_slurmctld(look_locks);
	if (!stale || !_lock(change_locks))
		return;
	settings_refresh();
	asked_forget();
	classes_forget();
	unlock_slurmctld(change_locks);
}

/* RET: the scheduler has something to do. */
static bool _take_look(void)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK,
		.job = READ_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	bool wake = false;

	if (!_lock(locks))
		return false;
	if (job_list && list_count(job_list) && guard_check_jobs()) {
		look_begin(&look);
		while (look_take()) {
			unlock_slurmctld(locks);
			if (!_lock(locks))
				return false;
		}
		wake = !settings_get()->preempt_shadow && _may_be_used();
	} else
		look.next_end = 0;
	unlock_slurmctld(locks);
	return wake;
}

static void _sign_slice(size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++) {
		job_record_t *job_ptr =
			find_job_record(look.unsigned_jobs.ids[i]);
		pact_t *pact;

		if (!job_ptr || IS_JOB_COMPLETING(job_ptr) ||
		    (!IS_JOB_RUNNING(job_ptr) && !IS_JOB_SUSPENDED(job_ptr)))
			continue;
		pact = lockin_sign(job_ptr);
		if (pact)
			pact->seen = look.number;
	}
}

static void _sign_all(void)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK,
		.job = WRITE_LOCK,
		.part = READ_LOCK,
	};

	for (size_t i = 0; i < look.unsigned_jobs.count; i += SLICE) {
		if (!_lock(locks))
			return;
		_sign_slice(i, MIN(i + SLICE, look.unsigned_jobs.count));
		unlock_slurmctld(locks);
	}
}

/* It may have started anew since the look. Locks: job W, node W, part R,
 * fed R. */
static void _requeue(uint32_t job_id)
{
	job_record_t *job_ptr = find_job_record(job_id);
	int rc;

	if (!job_ptr || IS_JOB_COMPLETING(job_ptr) ||
	    (!IS_JOB_RUNNING(job_ptr) && !IS_JOB_SUSPENDED(job_ptr)) ||
	    !look_may_leave(job_ptr, time(NULL)))
		return;
	if (settings_get()->preempt_shadow) {
		log_flag(PRIO, "preempt/minruntime: shadow: %pJ would be requeued: its minimum has passed and a node of it drains",
			 job_ptr);
		return;
	}
	rc = compat_requeue(job_ptr);
	if (rc == SLURM_SUCCESS)
		info("preempt/minruntime: %pJ is requeued: its minimum has passed and a node of it drains",
		     job_ptr);
	else
		log_flag(PRIO, "preempt/minruntime: %pJ on a draining node cannot be requeued: %s",
			 job_ptr, slurm_strerror(rc));
}

/* Locks: job W, node W, part R, fed R. */
static void _end_grace(uint32_t job_id)
{
	job_record_t *job_ptr = find_job_record(job_id);

	if (!job_ptr || !job_ptr->preempt_time || !IS_JOB_RUNNING(job_ptr) ||
	    IS_JOB_COMPLETING(job_ptr))
		return;
	/* As slurmctld does when it looks at time limits. */
	(void) slurm_job_preempt(job_ptr, NULL, slurm_job_preempt_mode(job_ptr),
				 false);
}

/* Jobs that have to go though nobody asks for their place now. */
static void _stop_all(void)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK,
		.job = WRITE_LOCK,
		.node = WRITE_LOCK,
		.part = READ_LOCK,
		.fed = READ_LOCK,
	};

	if (!look.draining.count && !look.graced.count)
		return;
	if (!_lock(locks))
		return;
	for (size_t i = 0; i < look.graced.count; i++)
		_end_grace(look.graced.ids[i]);
	for (size_t i = 0; i < look.draining.count; i++)
		_requeue(look.draining.ids[i]);
	unlock_slurmctld(locks);
}

/* The clock of gang_wait runs for the best-ranked blocked job alone, while it
 * is large. Locks: job W. */
static void _run_gang_clock(const job_record_t *best)
{
	int64_t blocked;
	pact_t *pact;

	if (!look.before || !best->details)
		return;
	blocked = sb_policy_blocked_for(settings_get(),
					best->details->min_nodes,
					MAX(look.before,
					    best->details->submit_time + 1),
					look.now);
	pact = blocked ? pacts_add(best->job_id) : pacts_find(best->job_id);
	if (!pact)
		return;
	pact->seen = look.number;
	pact->blocked += blocked;
}

/* Everything else that changes something. */
static void _keep_books(void)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK,
		.job = WRITE_LOCK,
		.part = READ_LOCK,
	};
	job_record_t *best;

	if (!_lock(locks))
		return;
	fallback_refresh(look.now);
	asked_forget();
	/* Behind priority/budget it is said there. */
	if (xstrcmp(slurm_conf.priority_type, "priority/budget"))
		caps_check(settings_get(), "preempt/minruntime");
	best = look.best_blocked ? find_job_record(look.best_blocked) : NULL;
	if (best && IS_JOB_PENDING(best)) {
		_run_gang_clock(best);
		if (settings_get()->preempt_shadow)
			shadow_tell(best, look.now);
	}
	pacts_sweep(look.number);
	unlock_slurmctld(locks);
}

/* RET: something may have happened since the last look; a clock that was set
 * back says nothing. */
static bool _is_due(time_t now)
{
	return (compat_job_update() >= look.now) ||
	       (compat_node_update() >= look.now) ||
	       look.best_blocked || (now < look.now) ||
	       (look.next_end && (now >= look.next_end));
}

static void _work(void)
{
	time_t now = time(NULL);
	bool wake;

	/* A backup that has handed over still has its jobs, and they are
	 * another's; one that ends wants all locks, to save its state. */
	if (!compat_in_control()) {
		look.now = look.next_end = 0;
		return;
	}
	_refresh_settings();
	if (_stopping() || !_is_due(now))
		return;
	wake = _take_look();
	/* First things first: somebody's GPUs wait. */
	_stop_all();
	if (wake && !_stopping())
		schedule(false);
	_sign_all();
	_keep_books();
}

/* A job that starts is signed for within a pause; a protection's end, which is
 * known, is looked at when it comes, however long looks are. */
static void _wait(void)
{
	struct timespec now;
	int64_t pause;

	clock_gettime(CLOCK_REALTIME, &now);
	pause = sb_pace_until(look.cost, now.tv_sec * SB_PACE_TICK +
			      now.tv_nsec / 1000, look.next_end);
	slurm_mutex_lock(&wait_lock);
	if (!_stopping())
		compat_cond_wait(&wait_cond, &wait_lock, pause);
	slurm_mutex_unlock(&wait_lock);
}

static void *_run(void *arg)
{
	my_generation = (uintptr_t) arg;
	while (!_stopping()) {
		_wait();
		if (!_stopping())
			_work();
	}
	return NULL;
}

extern void watch_start(void)
{
	uintptr_t number = ++generation;

	running = true;
	compat_cond_init(&wait_cond);
	compat_thread_create("minruntime", &thread, _run, (void *) number);
}

/* RET: the thread has ended. */
static bool _join(int milliseconds)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += milliseconds * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	return !pthread_timedjoin_np(thread, NULL, &until);
}

/* Keep this plugin's code mapped after it is unloaded. */
static void _stay_mapped(void)
{
	Dl_info place;

	if (dladdr((void *) &watch_start, &place))
		(void) dlopen(place.dli_fname,
			      RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/*
 * Without a thread from now on. One that waits for locks which our caller
 * holds cannot be joined: it is left to end by itself (see _lock()), and the
 * plugin's code stays mapped for it.
 */
extern bool watch_stop(void)
{
	int locked = 0;

	if (!running)
		return true;
	running = false;
	slurm_mutex_lock(&wait_lock);
	generation++;
	slurm_cond_signal(&wait_cond);
	slurm_mutex_unlock(&wait_lock);
	while (!_join(JOIN_STEP)) {
		locked = at_lock ? locked + JOIN_STEP : 0;
		if (locked >= LOCKED_MAX) {
			pthread_detach(thread);
			_stay_mapped();
			return false;
		}
	}
	look_free(&look);
	return true;
}
