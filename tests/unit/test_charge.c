/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_charge - a ledger against a model that counts every second of every
 * attempt of a cluster that does all a cluster can do between two looks: jobs
 * start, end, are resized, requeued and purged, associations go, slurmctld is
 * killed, its clock is set back.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "ledger.h"
#include "rng.h"
#include "state.h"
#include "suite.h"

#define JOBS 24
#define RUNS 96			/* attempts of all of them */
#define ASSOCS 6
#define EPOCH 1790000000
#define SPAN 1500		/* seconds simulated */
#define NEVER INT64_MAX
#define SEEDS 3			/* worlds of each mode */

enum {
	RESTART = 1,		/* kill -9 and start from the last state */
	CLOCK = 2,		/* the clock is set back now and then */
	NARROW = 4,		/* a window shorter than the run */
	INHERIT = 8,		/* associations are deleted */
	RESET = 16,		/* an admin clears usage */
	HOOK = 32,		/* the host tells of most ends at once */
	FORGET = 64,		/* what is settled is soon forgotten */
	MODES = 128
};

typedef struct {
	uint32_t job_id, payer, shown;	/* shown: association at the host */
	int64_t start, end, purge;	/* NEVER: not yet */
	int64_t resized;
	double rate, rate_before;	/* before resized; one resize */
	double factor;
	int64_t floor;			/* nothing before it counts (reset) */
	int64_t left;
	int64_t seen, saved;		/* last look, and that in a state */
	bool suspended, ended;
} run_t;

typedef struct {
	int mode;
	int64_t now, high;		/* clock, and its highest reading */
	run_t runs[RUNS];
	int count;
	uint32_t heir[ASSOCS + 1];	/* 0: alive */
	sb_ledger_t *ledger;
	uint8_t *state;
	size_t state_size;
	int64_t state_pass;
	bool restarting;		/* the gap is not settled yet */
	int checks;
} world_t;

/* ---- the model ---------------------------------------------------------- */

/* What the window should hold of an attempt, second by second. */
static double run_usage(const world_t *w, const run_t *r, int64_t width)
{
	int64_t end = r->end < w->now ? r->end : w->now;
	double sum = 0;

	for (int64_t t = r->start; t < end; t++) {
		if (t < r->floor || t < w->now - width)
			continue;
		sum += (t < r->resized ? r->rate_before : r->rate) * r->factor;
	}
	return sum;
}

/* Does the ledger have to know all that the model knows? */
static bool world_settled(const world_t *w)
{
	sb_attempt_t attempt;
	int64_t until, gone;
	size_t cursor = 0;

	return !sb_ledger_unsettled(w->ledger, &cursor, &attempt, &until,
				    &gone) &&
		w->now >= w->high;
}

static void world_compare(world_t *w)
{
	int64_t width = sb_ledger_shape(w->ledger)->width;

	ck_assert(sb_ledger_check(w->ledger));
	if (!world_settled(w))
		return;
	w->checks++;
	for (uint32_t a = 1; a <= ASSOCS; a++) {
		double usage = 0, committed = 0, running = 0;

		for (int i = 0; i < w->count; i++) {
			const run_t *r = &w->runs[i];

			if (r->payer != a)
				continue;
			usage += run_usage(w, r, width);
			if (r->ended)
				continue;
			running += r->rate * r->factor;
			committed += r->rate * r->factor * r->left;
		}
		ck_assert_double_eq(sb_ledger_usage(w->ledger, a, w->now),
				    usage);
		ck_assert_double_eq(sb_ledger_running(w->ledger, a), running);
		ck_assert_double_eq(sb_ledger_committed(w->ledger, a),
				    committed);
	}
}

/* ---- the host ----------------------------------------------------------- */

static uint32_t assoc_alive(const world_t *w)
{
	uint32_t a;

	do
		a = 1 + rng(ASSOCS);
	while (w->heir[a]);
	return a;
}

static sb_attempt_t run_show(const run_t *r)
{
	return (sb_attempt_t) {
		.job_id = r->job_id, .assoc_id = r->shown, .start = r->start,
		.end = r->ended ? r->end : 0, .resized = r->resized,
		.rate = r->rate, .factor = r->factor, .left = r->left,
		.suspended = r->suspended };
}

static void run_start(world_t *w, uint32_t job_id)
{
	run_t *r = &w->runs[w->count];

	for (int i = 0; i < w->count; i++)
		if (w->runs[i].job_id == job_id &&
		    (w->runs[i].start == w->now || !w->runs[i].ended))
			return;
	if (w->count == RUNS)
		return;
	w->count++;
	*r = (run_t) { .job_id = job_id, .start = w->now, .end = NEVER,
		       .purge = NEVER, .rate = 1 + rng(64), .left = rng(900),
		       .factor = (double[]) { 0, 0.5, 1, 1 }[rng(4)],
		       .payer = assoc_alive(w) };
	r->shown = r->payer;
}

static void run_end(world_t *w, run_t *r, bool hook)
{
	sb_attempt_t show;

	/* Node failures are stamped with the last sign of life. */
	r->end = w->now - (rng(4) ? 0 : rng(30));
	if (r->end < r->start)
		r->end = r->start;
	if (r->resized && r->end < r->resized)
		r->end = r->resized;
	if (r->end < r->floor)
		r->end = r->floor;
	r->purge = w->now + (rng(3) ? 200 : rng(30));
	r->ended = true;
	show = run_show(r);
	if (hook) {
		ck_assert_int_eq(sb_ledger_close(w->ledger, &show), 0);
		r->seen = w->now;
	}
}

/* Only one change between two looks can be told. */
static void run_resize(world_t *w, run_t *r)
{
	int64_t known = w->mode & RESTART ? r->saved : r->seen;

	if (r->resized || !known || known > w->now)
		return;
	r->resized = w->now;
	r->rate_before = r->rate;
	r->rate = 1 + rng(64);
}

static void run_event(world_t *w, run_t *r)
{
	switch (rng(6)) {
	case 0:
	case 1:
		run_end(w, r, (w->mode & HOOK) && rng(4));
		/* Requeued: it may start again at once. */
		if (!rng(3))
			run_start(w, r->job_id);
		break;
	case 2:
		run_resize(w, r);
		break;
	case 3:
		r->suspended = !r->suspended;
		break;
	default:
		r->left = rng(900);
	}
}

static bool run_shown(const world_t *w, const run_t *r)
{
	/* Never purged unseen: that is what the gap is for. */
	return r->purge > w->now || !r->seen;
}

/* ---- the plugin --------------------------------------------------------- */

static void settle_all(world_t *w, int64_t gap_from, int64_t gap_to)
{
	for (int i = 0; i < w->count; i++) {
		run_t *r = &w->runs[i];
		sb_attempt_t show = run_show(r);

		if (!r->ended)
			continue;
		show.rate = r->resized ? r->rate : show.rate;
		ck_assert_int_eq(sb_ledger_settle(w->ledger, &show, gap_from,
						  gap_to), 0);
	}
}

static void save(world_t *w)
{
	sb_state_info_t info = { .cluster = "c", .charge_tres = "billing" };

	free(w->state);
	ck_assert_int_eq(sb_state_encode(w->ledger, &info, &w->state,
					 &w->state_size, NULL), 0);
	w->state_pass = sb_ledger_last_pass(w->ledger);
	for (int i = 0; i < w->count; i++)
		w->runs[i].saved = w->runs[i].seen;
}

static void pass(world_t *w)
{
	sb_attempt_t shows[RUNS];
	int count = 0;

	sb_ledger_begin(w->ledger, w->now);
	for (int i = 0; i < w->count; i++) {
		if (!run_shown(w, &w->runs[i]))
			continue;
		shows[count++] = run_show(&w->runs[i]);
		w->runs[i].seen = w->now;
	}
	/* The world does not wait for us to go through the list. */
	if ((w->mode & HOOK) && w->count && !rng(3)) {
		run_t *r = &w->runs[rng(w->count)];

		if (!r->ended)
			run_end(w, r, true);
	}
	while (count-- > 0)
		ck_assert_int_eq(sb_ledger_observe(w->ledger, &shows[count]),
				 0);
	ck_assert_int_eq(sb_ledger_end(w->ledger, NULL), 0);
	ck_assert_int_eq(sb_ledger_last_pass(w->ledger), w->now);
	/* No gap: only what it has seen and lost. */
	if (rng(2))
		settle_all(w, 0, 0);
	if ((w->mode & FORGET) && !w->restarting) {
		settle_all(w, 0, 0);
		sb_ledger_forget(w->ledger, w->now - rng(400));
	}
}

static void inherit(world_t *w, uint32_t a, uint32_t heir)
{
	w->heir[a] = heir;
	for (int i = 0; i < w->count; i++)
		if (w->runs[i].payer == a)
			w->runs[i].payer = heir;
	ck_assert_int_eq(sb_ledger_inherit(w->ledger, a, heir), 0);
}

static void reset(world_t *w, uint32_t a)
{
	for (int i = 0; i < w->count; i++)
		if (w->runs[i].payer == a)
			w->runs[i].floor = w->now;
	sb_ledger_reset(w->ledger, a);
}

/* Back to what the disk has; the database tells what happened since. */
static void restart(world_t *w)
{
	sb_state_info_t info;
	sb_err_t err = { "" };
	int64_t gap_from = w->state_pass;

	sb_ledger_destroy(w->ledger);
	w->ledger = sb_state_decode(w->state, w->state_size, &info, &err);
	ck_assert_msg(w->ledger, "%s", err.text);
	ck_assert(sb_ledger_check(w->ledger));
	/* The plugin finds that associations are gone, as it did before; a
	 * new slurmctld shows what jobs belong to now. */
	for (int i = 0; i < w->count; i++)
		w->runs[i].shown = w->runs[i].payer;
	for (int round = 0; round < ASSOCS; round++)
		for (uint32_t a = 1; a <= ASSOCS; a++)
			if (w->heir[a])
				sb_ledger_inherit(w->ledger, a, w->heir[a]);
	w->restarting = true;
	if (rng(2))
		settle_all(w, gap_from, w->now);
	pass(w);
	settle_all(w, gap_from, w->now);
	w->restarting = false;
	world_compare(w);
	save(w);
}

static void world_step(world_t *w)
{
	w->now += rng(12);
	if (w->now > w->high)
		w->high = w->now;
	if (rng(3))
		run_start(w, 1 + rng(JOBS));
	for (int i = 0; i < w->count; i++)
		if (!w->runs[i].ended && !rng(12))
			run_event(w, &w->runs[i]);
	if (rng(4))
		return;
	pass(w);
	world_compare(w);
	if ((w->mode & INHERIT) && !rng(25)) {
		uint32_t a = assoc_alive(w), heir = assoc_alive(w);

		if (a != heir)
			inherit(w, a, heir);
		world_compare(w);
	}
	if ((w->mode & RESET) && !rng(25)) {
		reset(w, assoc_alive(w));
		world_compare(w);
	}
	if (!w->state || !rng(5))
		save(w);
	if ((w->mode & CLOCK) && !rng(20))
		w->now -= rng(60);
}

static int world_run(int mode)
{
	sb_window_shape_t shape = sb_window_shape(mode & NARROW ? 168 :
						  SB_WINDOW_DEFAULT);
	world_t *w = calloc(1, sizeof(*w));
	int checks;

	w->mode = mode;
	w->now = EPOCH;
	w->ledger = sb_ledger_create(&shape, 0);
	while (w->now < EPOCH + SPAN) {
		world_step(w);
		if ((mode & RESTART) && w->state && !rng(30))
			restart(w);
	}
	w->now = w->now > w->high ? w->now : w->high;
	for (int i = 0; i < w->count; i++)
		if (!w->runs[i].ended)
			run_end(w, &w->runs[i], false);
	pass(w);
	settle_all(w, 0, 0);
	ck_assert(world_settled(w));
	world_compare(w);
	checks = w->checks;
	sb_ledger_destroy(w->ledger);
	free(w->state);
	free(w);
	return checks;
}

START_TEST(second_by_second)
{
	int checks = 0;

	/* A clock that goes back makes a state's last pass lie in the future,
	 * and a narrow ring forget what it had: exact in total, not at each
	 * moment, which has tests of its own. */
	if ((_i & CLOCK) && (_i & (RESTART | NARROW | RESET)))
		return;
	/* A reset is not repeated after a restart. */
	if ((_i & RESTART) && (_i & RESET))
		return;
	for (int seed = 0; seed < SEEDS; seed++) {
		rng_state = 1000 * _i + seed;
		checks += world_run(_i);
	}
	/* The comparison itself must not be idle. */
	ck_assert_int_gt(checks, SEEDS * 5);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("charge");
	TCase *tcase = tcase_create("charge");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, second_by_second, 0, MODES);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
