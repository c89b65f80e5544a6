/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdatomic.h>

#include "src/board/board.h"
#include "src/core/pace.h"
#include "src/slurm_compat/caps.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/host.h"

#include "assocs.h"
#include "budget.h"
#include "jobs.h"
#include "limits.h"
#include "loop.h"
#include "priorities.h"
#include "stock.h"
#include "unseen.h"

/* Attempts, and associations with all their attempts, per hold of our lock: at
 * a job's end slurmctld waits for it with its own held. */
#define SLICE 1000
#define ASSOC_SLICE 64
/* How often publishing may find that an admin has edited the tree meanwhile. */
#define PUBLISH_TRIES 3

static pthread_t thread;
static bool running;
static pthread_mutex_t wait_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wait_cond = PTHREAD_COND_INITIALIZER;
static atomic_bool kicked;
static atomic_bool poked;
static atomic_bool broken;

/* The loop's thread only. */
static look_t look;
static assoc_tree_t *tree;
static time_t last_full;
static time_t last_tick;	/* when all that had changed was looked at */
static int64_t look_cost;	/* microseconds */
static bool complained;

/* Say it once until the next good pass. */
static void _complain(const char *what)
{
	if (!complained)
		error("priority/budget: %s; ranks stay as they are", what);
	complained = true;
}

static void _look(bool full)
{
	int64_t begin = compat_cpu_time();

	jobs_look(&look, full);
	look_cost = compat_cpu_time() - begin;
}

/* What the look may have missed since the one at `before`. Locks: ours. */
static void _note_unseen(budget_t *budget, int64_t before)
{
	uint32_t min_job_age = host_get().min_job_age;

	for (size_t i = 0; i < look.requeued_count; i++)
		unseen_note_job(budget, look.requeued[i], before, look.now);
	if (look.requeued_count)
		unseen_keep(budget);
	/* Ticks came so late that slurmctld may have forgotten a job
	 * meanwhile. */
	if (last_tick && min_job_age && !jobs_ends_are_told() &&
	    (look.now - last_tick >= min_job_age))
		unseen_note_all(budget, before, look.now);
	if (!budget->gap_to && budget->gap_from)
		budget->gap_to = look.now;
}

/* What the look has seen goes into the ledger. */
static int _charge(void)
{
	budget_t *budget = budget_lock();
	int64_t before = sb_ledger_last_pass(budget->ledger);
	sb_err_t err = { "" };
	int rc = 0;

	sb_ledger_begin(budget->ledger, look.now);
	for (size_t i = 0; i < look.attempt_count; i++) {
		if (i % SLICE == SLICE - 1) {
			budget_unlock();
			budget = budget_lock();
		}
		rc |= sb_ledger_observe(budget->ledger, &look.attempts[i]);
	}
	rc |= sb_ledger_end(budget->ledger, &err);
	_note_unseen(budget, before);
	budget_unlock();
	return rc;
}

/* Read the tree again when it has changed, and tell the ledger. */
static int _refresh_tree(void)
{
	assoc_tree_t *fresh = assoc_tree_read();
	budget_t *budget;
	int rc;

	if (!fresh)
		return -1;
	budget = budget_lock();
	rc = assocs_reconcile(fresh, tree, budget->ledger);
	budget_unlock();
	assoc_tree_destroy(tree);
	tree = fresh;
	return rc;
}

static int _compute(sb_params_t *params)
{
	budget_t *budget = budget_lock();
	int charge_pos = budget->charge_pos;
	bool seeding = budget->seeding;
	sb_err_t err;

	/* Half of the associations have their history, or get it while we
	 * read: ranks would be wrong for the moment until the rest is there and
	 * kicks us. */
	if (seeding) {
		budget_unlock();
		return -1;
	}
	*params = *budget->params;
	params->caps = NULL;
	params->cap_count = 0;
	for (size_t i = 0; i < tree->count; i += ASSOC_SLICE) {
		assocs_read_usage(tree, i, MIN(tree->count, i + ASSOC_SLICE),
				  budget->ledger, params, look.now);
		budget_unlock();
		budget = budget_lock();
	}
	seeding = budget->seeding;
	budget_unlock();
	if (seeding)
		return -1;
	if (!assocs_compute(tree, params, assocs_capacity(charge_pos), &err))
		return 0;
	_complain(err.text);
	return -1;
}

/* Ratios and ranks of a tree that is slurmctld's at the end of the call. */
static int _rank(bool full, sb_params_t *params)
{
	bool stale = full || !tree;

	for (int i = 0; i < PUBLISH_TRIES; i++) {
		if (stale && _refresh_tree()) {
			_complain("no memory for the association tree");
			return -1;
		}
		if (_compute(params))
			return -1;
		if (assocs_publish(tree))
			return 0;
		stale = true;
	}
	/* The tree changes faster than we read it: next tick. */
	return -1;
}

static double _max_factors(void)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	double max_factors;

	lock_slurmctld(locks);
	max_factors = priorities_max_factors();
	unlock_slurmctld(locks);
	return max_factors;
}

/* OUT moved: jobs stand elsewhere than before; rescaled: all of them. */
static void _publish(const sb_params_t *params, bool *moved, bool *rescaled)
{
	sb_board_t *fresh = sb_board_create(tree->ids, tree->nodes, tree->count,
				      tree->ranks, _max_factors(), params);
	const sb_board_t *old = sb_board_enter();

	*moved = fresh && !sb_board_same_order(old, fresh);
	*rescaled = fresh && old && (old->order.scale != fresh->order.scale);
	sb_board_leave();
	if (!fresh) {
		_complain("no memory for the ranks");
		return;
	}
	sb_board_publish(fresh);
}

static void _pass(bool full, bool recompute)
{
	sb_params_t params;
	bool moved, rescaled;

	_look(full);
	if (look.broken) {
		broken = true;
		return;
	}
	if (look.incomplete || _charge())
		_complain("no memory to charge all jobs");
	if (_rank(full, &params))
		return;
	_publish(&params, &moved, &rescaled);
	complained = false;
	if (recompute && (full || moved))
		priorities_recompute(look.ids, look.id_count,
				     full || rescaled);
}

static bool _full_due(time_t now)
{
	return atomic_exchange(&kicked, false) ||
	       (tree && !assocs_stand(tree)) ||
	       (now >= last_full + (time_t) host_get().calc_period) ||
	       (now < last_full);
}

static void _check_caps(void)
{
	slurmctld_lock_t locks = { .part = READ_LOCK };

	lock_slurmctld(locks);
	caps_check(budget_lock()->params, "priority/budget");
	budget_unlock();
	unlock_slurmctld(locks);
}

static void _tick(void)
{
	time_t now = time(NULL);
	bool full = _full_due(now);

	/* Both clocks count seconds: what was changed in the second of the
	 * last look may have been changed after it. A clock that was set back
	 * says nothing. */
	if (!atomic_exchange(&poked, false) && !full &&
	    (compat_job_update() < look.now) && (now >= look.now)) {
		last_tick = now;
		return;
	}
	_pass(full, true);
	last_tick = now;
	if (full) {
		_check_caps();
		last_full = now;
		limits_save();
	}
	budget_save(false);
}

static void _wait(void)
{
	slurm_mutex_lock(&wait_lock);
	if (!budget_stopping() && !kicked)
		compat_cond_wait(&wait_cond, &wait_lock, sb_pace(look_cost));
	slurm_mutex_unlock(&wait_lock);
}

extern bool loop_begin(void)
{
	broken = !jobs_check();
	if (broken)
		return false;
	limits_recount();
	_pass(true, false);
	/* Jobs get their priorities from the thread, at once. */
	kicked = true;
	return true;
}

static void _begin_late(void)
{
	while (!budget_stopping() && !compat_in_control())
		_wait();
	/* slurmctld knows no failure here. */
	if (!budget_stopping() && !loop_begin())
		fatal("priority/budget: not the slurmctld it was built for");
}

static void *_run(void *arg)
{
	if (!arg)
		_begin_late();
	while (!budget_stopping() && !broken) {
		_wait();
		if (!budget_stopping())
			_tick();
	}
	return NULL;
}

extern void loop_start(bool begun)
{
	running = true;
	compat_cond_init(&wait_cond);
	compat_thread_create("budget", &thread, _run, begun ? &running : NULL);
}

extern void loop_kick(void)
{
	slurm_mutex_lock(&wait_lock);
	kicked = true;
	slurm_cond_signal(&wait_cond);
	slurm_mutex_unlock(&wait_lock);
}

extern void loop_poke(void)
{
	poked = true;
}

extern void loop_stop(void)
{
	if (!running)
		return;
	slurm_mutex_lock(&wait_lock);
	slurm_cond_signal(&wait_cond);
	slurm_mutex_unlock(&wait_lock);
	pthread_join(thread, NULL);
	running = false;
	if (!broken) {
		_look(false);
		(void) _charge();
		/* The next process cannot tell who was deleted or reset
		 * between our last pass and its first. */
		(void) _refresh_tree();
		budget_save(true);
		limits_save();
	}
	sb_board_publish(NULL);
	assoc_tree_destroy(tree);
	tree = NULL;
	jobs_free(&look);
	last_full = last_tick = 0;
	look_cost = 0;
	caps_forget();
	kicked = poked = broken = complained = false;
}

extern bool loop_broken(void)
{
	return broken;
}
