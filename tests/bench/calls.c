/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/slurm_compat/compat.h"

#include "calls.h"

static long calls_count;
static const state_t *state;
/* What calls return, so that they are made. */
static volatile uint64_t sink;
static long wrong;

extern void calls_begin(long calls, const state_t *jobs)
{
	calls_count = calls;
	state = jobs;
}

extern double calls_yes(void)
{
	return (double) sink / calls_count;
}

static double _clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static size_t _next(size_t count)
{
	static uint64_t seed = 88172645463325252ULL;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 20) % count;
}

extern double calls_set(uint32_t (*set)(uint32_t, job_record_t *))
{
	long calls = MAX(1, calls_count / 20);
	double begin = _clock();

	for (long i = 0; i < calls; i++)
		sink += set(1, state->pending[_next(state->pending_count)]);
	return (_clock() - begin) / calls;
}

extern double calls_running(const preempt_ops_t *ops)
{
	job_record_t *preemptor = state->pending[_next(state->pending_count)];
	size_t at = 0;
	double begin;

	sink = 0;
	begin = _clock();
	for (long i = 0; i < calls_count; i++) {
		sink += ops->preemptable(state->running[at], preemptor);
		if (++at == state->running_count) {
			at = 0;
			preemptor = state->pending[_next(state->pending_count)];
		}
	}
	return (_clock() - begin) / calls_count;
}

typedef struct {
	const preempt_ops_t *ops;
	job_record_t *preemptor;
} walk_t;

static int _ask(void *item, void *arg)
{
	walk_t *walk = arg;

	sink += walk->ops->preemptable(item, walk->preemptor);
	return 0;
}

/* As slurmctld asks: every job of its list for one that waits. */
extern double calls_all(const preempt_ops_t *ops)
{
	walk_t walk = { .ops = ops };
	long walks = MAX(1, calls_count / list_count(job_list));
	double begin;

	sink = 0;
	begin = _clock();
	for (long i = 0; i < walks; i++) {
		walk.preemptor = state->pending[_next(state->pending_count)];
		(void) list_for_each(job_list, _ask, &walk);
	}
	return (_clock() - begin) / walks / list_count(job_list);
}

extern double calls_prio(const preempt_ops_t *ops)
{
	size_t at = 0;
	double begin;

	sink = 0;
	begin = _clock();
	for (long i = 0; i < calls_count; i++) {
		sink += release_get_prio(ops, state->running[at]);
		if (++at == state->running_count)
			at = 0;
	}
	return (_clock() - begin) / calls_count;
}

/* As slurmctld makes them for its sort. */
static job_queue_rec_t *_queue(void)
{
	static job_queue_rec_t *queue;

	if (queue)
		return queue;
	queue = xcalloc(state->pending_count, sizeof(*queue));
	for (size_t i = 0; i < state->pending_count; i++) {
		queue[i].job_ptr = state->pending[i];
		queue[i].job_id = state->pending[i]->job_id;
		queue[i].part_ptr = state->pending[i]->part_ptr;
		queue[i].priority = state->pending[i]->priority;
	}
	return queue;
}

extern double calls_check(const preempt_ops_t *ops)
{
	long calls = MAX(1, calls_count / 4);
	job_queue_rec_t *queue = _queue();
	double begin;

	sink = 0;
	begin = _clock();
	for (long i = 0; i < calls; i++) {
		size_t a = _next(state->pending_count);
		size_t b = _next(state->pending_count);

		sink += ops->check(&queue[a], &queue[b]);
	}
	return (_clock() - begin) / calls;
}

/* Each of these makes another job of a record, between two looks; none of them
 * may be taken. */
static void _start_anew(job_record_t *job_ptr)
{
	job_ptr->start_time = time(NULL) - 1;
	xfree(job_ptr->comment);
	job_ptr->comment = xstrdup("min-runtime=8h");
}

static void _use_again(job_record_t *job_ptr)
{
	job_ptr->job_id += 10000000;
	xfree(job_ptr->system_comment);
	xfree(job_ptr->comment);
	job_ptr->comment = xstrdup("min-runtime=8h");
	/* One that began in the same second, a moment ago. */
	job_ptr->tot_sus_time = 0;
	job_ptr->pre_sus_time = 0;
	job_ptr->suspend_time = time(NULL);
}

/* Requeued, and back again in the same second. */
static void _start_again(job_record_t *job_ptr)
{
	job_ptr->restart_cnt++;
	xfree(job_ptr->comment);
	job_ptr->comment = xstrdup("min-runtime=8h");
	job_ptr->pre_sus_time = 0;
	job_ptr->suspend_time = time(NULL);
}

static void _end(job_record_t *job_ptr)
{
	job_ptr->job_state = JOB_COMPLETE;
}

static void _suspend(job_record_t *job_ptr)
{
	job_ptr->suspend_time = time(NULL);
	job_ptr->pre_sus_time = 0;
}

static void _switch_off(job_record_t *job_ptr)
{
	job_ptr->part_ptr->preempt_mode = PREEMPT_MODE_OFF;
}

static const struct {
	void (*change)(job_record_t *job_ptr);
	bool declared;		/* only of jobs with a minimum */
} changes[] = {
	{ _start_anew, false }, { _start_again, false }, { _use_again, false },
	{ _end, false }, { _suspend, true }, { _switch_off, false },
};

#define CHANGES (sizeof(changes) / sizeof(changes[0]))

/* RET: somebody may take this job's place. */
static job_record_t *_find_taker(const preempt_ops_t *ops,
				 job_record_t *victim)
{
	for (int i = 0; i < 20; i++) {
		job_record_t *taker =
			state->pending[_next(state->pending_count)];

		if (ops->preemptable(victim, taker))
			return taker;
	}
	return NULL;
}

static bool _has_minimum(const job_record_t *job_ptr)
{
	return xstrstr(job_ptr->system_comment, "why=full") &&
	       xstrstr(job_ptr->system_comment, "protected-until");
}

extern double calls_stale(const preempt_ops_t *ops)
{
	long asked = 0;

	wrong = 0;
	for (size_t i = 0; i < state->running_count; i++) {
		job_record_t *victim = state->running[i], *taker;
		job_record_t before = *victim;
		uint16_t mode = victim->part_ptr->preempt_mode;

		if ((changes[i % CHANGES].declared && !_has_minimum(victim)) ||
		    !(taker = _find_taker(ops, victim)))
			continue;
		/* What is freed of a record is not used again. */
		victim->comment = xstrdup(before.comment);
		victim->system_comment = xstrdup(before.system_comment);
		changes[i % CHANGES].change(victim);
		wrong += ops->preemptable(victim, taker);
		xfree(victim->comment);
		xfree(victim->system_comment);
		*victim = before;
		victim->part_ptr->preempt_mode = mode;
		asked++;
	}
	return asked;
}

extern double calls_wrong(void)
{
	return wrong;
}

static bool _is_before(const preempt_ops_t *ops, job_queue_rec_t *a,
		       job_queue_rec_t *b)
{
	return ops->check(a, b) && !ops->check(b, a);
}

static bool _is_equal(const preempt_ops_t *ops, job_queue_rec_t *a,
		      job_queue_rec_t *b)
{
	return !ops->check(a, b) && !ops->check(b, a);
}

static void _declare(size_t i, const char *comment)
{
	xfree(state->pending[i]->comment);
	state->pending[i]->comment = xstrdup(comment);
}

/* Some are held meanwhile, so that no look sees them. */
static bool _look(const job_queue_rec_t *queue, bool (*look)(void))
{
	bool good;

	for (size_t i = 0; i < state->pending_count; i += 6)
		state->pending[i]->priority = 0;
	good = look();
	for (size_t i = 0; i < state->pending_count; i += 6)
		state->pending[i]->priority = queue[i].priority;
	return good;
}

extern double calls_order(const preempt_ops_t *ops, bool (*look)(void))
{
	job_queue_rec_t *queue = _queue();
	size_t count = state->pending_count & ~1UL;
	long asked = 0;

	wrong = 0;
	for (size_t i = 0; i < count; i++)
		_declare(i, "min-runtime=1");
	for (int turn = 0; (turn < 4) && _look(queue, look); turn++) {
		for (size_t i = 0; i < count; i += 2) {
			job_queue_rec_t *a = &queue[i], *b = &queue[i + 1];
			char *last = strchr(a->job_ptr->comment, '=') + 1;

			if (a->job_ptr->assoc_ptr->shares_raw !=
			    b->job_ptr->assoc_ptr->shares_raw)
				continue;
			asked++;
			wrong += !((*last == '0') ? _is_before(ops, b, a) :
				   _is_equal(ops, a, b));
			*last ^= '0' ^ '1';
		}
	}
	return asked;
}

static bool _fund(const job_record_t *job_ptr, uint32_t shares,
		  bool (*recompute)(void))
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	job_ptr->assoc_ptr->shares_raw = shares;
	assoc_mgr_unlock(&locks);
	return recompute();
}

extern double calls_funding(const preempt_ops_t *ops, bool (*recompute)(void))
{
	job_queue_rec_t *queue = _queue();
	long asked = 0;

	wrong = 0;
	for (size_t i = 0; (i + 1 < state->pending_count) && (asked < 20);
	     i += 2) {
		job_queue_rec_t *a = &queue[i], *b = &queue[i + 1];
		uint32_t shares = a->job_ptr->assoc_ptr->shares_raw;

		if ((a->job_ptr->assoc_ptr == b->job_ptr->assoc_ptr) ||
		    !_is_equal(ops, a, b))
			continue;
		if (!_fund(a->job_ptr, 0, recompute))
			break;
		wrong += !_is_before(ops, b, a);
		if (!_fund(a->job_ptr, shares, recompute))
			break;
		wrong += !_is_equal(ops, a, b);
		asked++;
	}
	return asked;
}
