/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdlib.h>

#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/dbd.h"

#include "budget.h"
#include "history.h"
#include "seed.h"
#include "settle.h"

/* Seconds between attempts while slurmdbd is down, and between questions that
 * it has no answer to yet. */
#define PAUSE_MIN 2
#define PAUSE_MAX 60
/* Seconds between looks for something to ask. */
#define IDLE 2
/* Ended attempts are remembered for this long, and those whose end is unknown,
 * seconds; longer while slurmdbd is down. */
#define MEMORY (2 * 3600)
#define MEMORY_ALONE (24 * 3600)

static pthread_t thread;
static bool running;
static pthread_mutex_t wait_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wait_cond = PTHREAD_COND_INITIALIZER;

/* RET: 0, or -1 when slurmdbd did not give what was asked for. */
static int _work(bool seeded, const questions_t *questions)
{
	void *conn = dbd_open(budget_stop_time());
	int rc;

	if (!conn)
		return -1;
	rc = seeded ? settle_ask(conn, questions) : seed_window(conn);
	dbd_close(conn);
	return rc;
}

static void _forget(int64_t memory)
{
	budget_t *budget = budget_lock();

	sb_ledger_forget(budget->ledger, time(NULL) - memory);
	budget_unlock();
}

/* When to ask, and what was asked last. */
typedef struct {
	int64_t next;
	int64_t pause;
	int64_t latest;
	size_t count;
	bool seeded;
	bool failing;
} plan_t;

static void _complain(plan_t *plan)
{
	if (!plan->failing && !plan->seeded)
		error("priority/budget: slurmdbd does not answer: usage before this start is not in the window yet; trying again until it does");
	plan->failing = true;
}

/* Something new is asked for at once, the same again after a pause. */
static bool _is_due(plan_t *plan, const questions_t *questions, time_t now)
{
	bool asks = !plan->seeded || questions->since;

	if (asks && !plan->failing &&
	    ((questions->latest > plan->latest) ||
	     (questions->count > plan->count)))
		plan->next = plan->pause = 0;
	plan->latest = questions->latest;
	plan->count = questions->count;
	return asks && ((now >= plan->next) ||
			(now < plan->next - PAUSE_MAX));
}

static void _tick(plan_t *plan)
{
	budget_t *budget = budget_lock();
	bool started = budget->gap_to || budget->seeded ||
		       budget->seed_until;
	questions_t questions;
	time_t now = time(NULL);

	/* The window was widened. */
	if (plan->seeded && !budget->seeded)
		plan->next = plan->pause = 0;
	plan->seeded = budget->seeded;
	budget_unlock();
	_forget(plan->failing ? MEMORY_ALONE : MEMORY);
	if (!started || settle_collect(&questions))
		return;
	if (_is_due(plan, &questions, now)) {
		if (_work(plan->seeded, &questions))
			_complain(plan);
		else {
			plan->failing = false;
			plan->seeded = true;
		}
		plan->pause = MIN(PAUSE_MAX, MAX(PAUSE_MIN, plan->pause * 2));
		plan->next = time(NULL) + plan->pause;
	}
	free(questions.rows);
}

static void _wait(int seconds)
{
	slurm_mutex_lock(&wait_lock);
	if (!budget_stopping())
		compat_cond_wait(&wait_cond, &wait_lock, seconds * 1000000LL);
	slurm_mutex_unlock(&wait_lock);
}

static void *_run(void *arg)
{
	plan_t plan = { 0 };

	(void) arg;
	while (!budget_stopping()) {
		_tick(&plan);
		_wait(IDLE);
	}
	return NULL;
}

extern void history_start(void)
{
	running = true;
	compat_cond_init(&wait_cond);
	compat_thread_create("budget_hist", &thread, _run, NULL);
}

extern void history_stop(void)
{
	if (!running)
		return;
	slurm_mutex_lock(&wait_lock);
	slurm_cond_signal(&wait_cond);
	slurm_mutex_unlock(&wait_lock);
	pthread_join(thread, NULL);
	running = false;
}
