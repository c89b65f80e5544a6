/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_ledger - what a ledger promises, one rule at a time. What it makes of
 * attempts that are not shown any more is in test_settle; the rules together
 * have their own program, test_charge.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "charge.h"
#include "ledger.h"
#include "ledger_case.h"
#include "suite.h"

/* ---- edges -------------------------------------------------------------- */

START_TEST(nothing)
{
	const sb_window_t *window;
	sb_charged_t charged;
	uint32_t id = 0;
	size_t cursor = 0;
	sb_err_t err;

	sb_ledger_destroy(NULL);
	ck_assert_int_eq(sb_ledger_last_pass(ledger), 0);
	ck_usage(0, 0);
	ck_usage(7, 0);
	ck_assert_double_eq(sb_ledger_committed(ledger, 7), 0);
	ck_assert_double_eq(sb_ledger_running(ledger, 7), 0);
	ck_assert_int_eq(sb_ledger_inherit(ledger, 7, 8), 0);
	sb_ledger_reset(ledger, 7);
	sb_ledger_forget(ledger, T);
	ck_assert(!sb_ledger_next_assoc(ledger, &id, &window));
	ck_assert(!sb_ledger_next_attempt(ledger, &cursor, &charged));
	ck_assert_int_eq(unsettled(), 0);
	ck_assert_int_eq(sb_ledger_end(ledger, &err), -1);
	ck_assert(strstr(err.text, "not begun"));
	ck_assert_int_eq(sb_ledger_end(ledger, NULL), -1);
	pass(T, NULL, 0);
	ck_assert_int_eq(sb_ledger_end(ledger, NULL), -1);
}
END_TEST

static const struct {
	const char *what;
	sb_attempt_t look;
	double usage, committed, running;	/* at T + 100 */
} looks[] = {
#define LOOK .job_id = 1, .assoc_id = 5
	{ "plain", { LOOK, T, 0, 0, 8, 1, 50 }, 800, 400, 8 },
	{ "half", { LOOK, T, 0, 0, 8, .5, 50 }, 400, 200, 4 },
	{ "free", { LOOK, T, 0, 0, 8, 0, 50 }, 0, 0, 0 },
	{ "suspended", { LOOK, T, 0, 0, 8, 1, 50, true }, 800, 400, 8 },
	{ "unprotected", { LOOK, T, 0, 0, 8, 1, 0 }, 800, 0, 8 },
	{ "left below 0", { LOOK, T, 0, 0, 8, 1, INT64_MIN }, 800, 0, 8 },
	{ "left too long", { LOOK, T, 0, 0, 8, 1, INT64_MAX }, 800,
	  8.0 * SB_TIMESPAN_MAX, 8 },
	{ "ended", { LOOK, T, T + 30, 0, 8, 1, 50 }, 240, 0, 0 },
	{ "ended at once", { LOOK, T, T, 0, 8, 1, 50 }, 0, 0, 0 },
	{ "ends before it starts", { LOOK, T, T - 9, 0, 8, 1, 50 }, 0, 0, 0 },
	{ "ends below 0", { LOOK, T, INT64_MIN, 0, 8, 1, 50 }, 0, 0, 0 },
	{ "end to come", { LOOK, T, T + 900, 0, 8, 1, 50 }, 800, 0, 0 },
	{ "never ends", { LOOK, T, INT64_MAX, 0, 8, 1, 50 }, 800, 0, 0 },
	{ "start to come", { LOOK, T + 900, 0, 0, 8, 1, 50 }, 0, 400, 8 },
	{ "never starts", { LOOK, INT64_MAX, 0, 0, 8, 1, 50 }, 0, 0, 0 },
	{ "did not start", { LOOK, 0, 0, 0, 8, 1, 50 }, 0, 0, 0 },
	{ "starts below 0", { LOOK, INT64_MIN, 0, 0, 8, 1, 50 }, 0, 0, 0 },
	{ "nobody", { .job_id = 1, .start = T, .rate = 8, .factor = 1,
		      .left = 50 }, 0, 0, 0 },
	{ "rate NAN", { LOOK, T, 0, 0, NAN, 1, 50 }, 0, 0, 0 },
	{ "rate infinite", { LOOK, T, 0, 0, INFINITY, 1, 50 }, 0, 0, 0 },
	{ "rate below 0", { LOOK, T, 0, 0, -8, 1, 50 }, 0, 0, 0 },
	{ "factor NAN", { LOOK, T, 0, 0, 8, NAN, 50 }, 0, 0, 0 },
	{ "factor below 0", { LOOK, T, 0, 0, 8, -1, 50 }, 0, 0, 0 },
	{ "too much", { LOOK, T, 0, 0, 1e300, 1e300, 50 }, SB_USAGE_MAX,
	  SB_USAGE_MAX, SB_USAGE_MAX },
	{ "0 times infinite", { LOOK, T, 0, 0, 0, INFINITY, 50 }, 0, 0, 0 },
	{ "resized long ago", { LOOK, T, 0, INT64_MIN, 8, 1, 50 }, 800, 400,
	  8 },
	{ "resized when it began", { LOOK, T, 0, T + 10, 8, 1, 50 }, 800, 400,
	  8 },
	{ "resized at last", { LOOK, T, 0, INT64_MAX, 8, 1, 50 }, 800, 400,
	  8 },
};

START_TEST(single_look)
{
	pass(T + 100, &looks[_i].look, 1);
	ck_assert_msg(usage(5) == looks[_i].usage, "%s: usage %g",
		      looks[_i].what, usage(5));
	ck_assert_msg(sb_ledger_committed(ledger, 5) == looks[_i].committed,
		      "%s: committed %g", looks[_i].what,
		      sb_ledger_committed(ledger, 5));
	ck_assert_msg(sb_ledger_running(ledger, 5) == looks[_i].running,
		      "%s: running %g", looks[_i].what,
		      sb_ledger_running(ledger, 5));
	ck_usage(0, 0);
	/* The same look again charges nothing more. */
	pass(T + 100, &looks[_i].look, 1);
	ck_usage(5, looks[_i].usage);
}
END_TEST

/* Every pair of looks, in passes at any time: never a crash, never damage. */
START_TEST(any_two_looks)
{
	static const int64_t times[] = { INT64_MIN, 0, T - 5, T + 200,
					 T + 400 * SB_DAY, INT64_MAX };
	const size_t count = sizeof(looks) / sizeof(looks[0]);

	for (size_t i = 0; i < count * count; i++) {
		sb_ledger_begin(ledger, times[i % 6]);
		sb_ledger_observe(ledger, &looks[i % count].look);
		sb_ledger_observe(ledger, &looks[i / count].look);
		if (i % 3)
			sb_ledger_end(ledger, NULL);
		ck_assert(sb_ledger_check(ledger));
		if (i % 2)
			sb_ledger_close(ledger, &looks[i % count].look);
		sb_ledger_settle(ledger, &looks[i / count].look, 0,
				 i % 5 ? 0 : INT64_MAX);
		if (i % 7 == 0)
			sb_ledger_forget(ledger, times[i % 5]);
		ck_assert(sb_ledger_check(ledger));
		ck_assert(sb_ledger_usage(ledger, 5, times[i % 6]) >= 0);
	}
}
END_TEST

/* ---- since -------------------------------------------------------------- */

START_TEST(since)
{
	sb_window_shape_t shape = sb_window_shape(SB_WINDOW_DEFAULT);
	sb_attempt_t looks[] = {
		job(1, T - 100, T - 50),	/* before: in the history */
		job(2, T - 100, T),
		job(3, T - 100, T + 10),	/* 10 s */
		job(4, T - 100, 0),		/* 60 s */
		job(5, T, 0),			/* 60 s */
		job(6, T + 50, 0),		/* 10 s */
	};

	sb_ledger_destroy(ledger);
	ledger = sb_ledger_create(&shape, T);
	ck_assert_int_eq(sb_ledger_last_pass(ledger), T);
	ck_assert_int_eq(sb_ledger_seed(ledger, 5, T - 3600, T, 1000), 0);
	pass(T + 60, looks, 6);
	ck_usage(5, 1000 + 8 * (10 + 60 + 60 + 10));
	/* Nothing from before is taken back either. */
	looks[3].end = T - 10;
	pass(T + 60, looks, 6);
	ck_usage(5, 1000 + 8 * (10 + 60 + 10));
}
END_TEST

/* ---- changes between looks ---------------------------------------------- */

START_TEST(resize)
{
	sb_attempt_t look = job(1, T, 0);

	pass(T + 100, &look, 1);
	look.rate = 4;
	look.resized = T + 130;
	pass(T + 200, &look, 1);
	ck_usage(5, 8 * 130 + 4 * 70);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 4);
	/* Told late: what was charged since is put right. */
	look.rate = 1;
	look.resized = T + 150;
	pass(T + 200, &look, 1);
	ck_usage(5, 8 * 130 + 4 * 20 + 1 * 50);
	/* A rate that changes by itself counts from the last charge on. */
	look.rate = 2;
	pass(T + 300, &look, 1);
	ck_usage(5, 8 * 130 + 4 * 20 + 1 * 50 + 2 * 100);
	/* Its owner may write what he likes into the comment. */
	look.factor = 0;
	pass(T + 400, &look, 1);
	ck_usage(5, 8 * 130 + 4 * 20 + 1 * 50 + 2 * 200);
	/* No resize that is still to come moves a charge into the future. */
	look.factor = 1;
	pass(T + 400, &look, 1);
	look.rate = 100;
	look.resized = T + 900;
	pass(T + 500, &look, 1);
	ck_usage(5, 8 * 130 + 4 * 20 + 1 * 50 + 2 * 300);
}
END_TEST

/* Looked at before his contract was signed, by a comment that said free, and
 * signed by one that did not: whoever is protected pays, from the start. */
START_TEST(signed_behind_a_look)
{
	sb_attempt_t look = job(1, T, 0);

	look.factor = 0;
	pass(T + 2, &look, 1);
	ck_assert_double_eq(usage(5), 0);
	look.factor = 1;
	look.in_full = true;
	pass(T + 3, &look, 1);
	ck_assert_double_eq(usage(5), 8 * 3);
	look.in_full = false;
	look.factor = 0;
	pass(T + 4, &look, 1);
	ck_assert_double_eq(usage(5), 8 * 4);
	look.in_full = true;
	look.resized = T + 5;
	look.rate = 4;
	pass(T + 7, &look, 1);
	ck_assert_double_eq(usage(5), 8 * 5 + 4 * 2);
}
END_TEST

START_TEST(end_before_resize)
{
	sb_attempt_t look = job(1, T, 0);

	pass(T + 100, &look, 1);
	look.rate = 4;
	look.resized = T + 150;
	pass(T + 200, &look, 1);
	look.end = T + 170;
	pass(T + 210, &look, 1);
	ck_usage(5, 8 * 150 + 4 * 20);
	look.end = T + 120;
	pass(T + 220, &look, 1);
	ck_usage(5, 8 * 120);
}
END_TEST

START_TEST(resize_and_end_between_passes)
{
	sb_attempt_t look = job(1, T, 0);

	pass(T + 100, &look, 1);
	look.rate = 2;
	look.resized = T + 120;
	look.end = T + 150;
	pass(T + 200, &look, 1);
	ck_usage(5, 8 * 120 + 2 * 30);
}
END_TEST

START_TEST(association_changes)
{
	sb_attempt_t look = job(1, T, 0);

	look.rate = 4;
	pass(T + 60, &look, 1);
	look.rate = 8;
	pass(T + 100, &look, 1);
	look.assoc_id = 6;
	pass(T + 200, &look, 1);
	ck_usage(5, 4 * 60 + 8 * 40);
	ck_usage(6, 800);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 0);
	ck_assert_double_eq(sb_ledger_running(ledger, 6), 8);
	/* Lost sight of. */
	look.assoc_id = 0;
	pass(T + 300, &look, 1);
	ck_usage(6, 1600);
	/* Only what 6 was charged is taken back from it. */
	ck_assert_int_eq(sb_ledger_seed(ledger, 6, T, T + 1, 1000), 0);
	look.end = T + 50;
	pass(T + 300, &look, 1);
	ck_usage(5, 4 * 60 + 8 * 40);
	ck_usage(6, 1000);
}
END_TEST

/* ---- ends --------------------------------------------------------------- */

START_TEST(close_is_exact)
{
	sb_attempt_t open[2] = { job(1, T, 0), job(2, T, 0) };
	sb_attempt_t closed = job(1, T, T + 140);

	pass(T + 100, open, 2);
	/* A pass that has collected, then the end, then the stale look. */
	sb_ledger_begin(ledger, T + 150);
	ck_assert_int_eq(sb_ledger_close(ledger, &closed), 0);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 8);
	ck_assert_int_eq(sb_ledger_observe(ledger, &open[0]), 0);
	ck_assert_int_eq(sb_ledger_observe(ledger, &open[1]), 0);
	ck_assert_int_eq(sb_ledger_end(ledger, NULL), 0);
	ck_usage(5, 8 * 140 + 8 * 150);
	/* Twice, and seen afterwards. */
	ck_assert_int_eq(sb_ledger_close(ledger, &closed), 0);
	open[0] = closed;
	pass(T + 200, open, 2);
	ck_usage(5, 8 * 140 + 8 * 200);
	/* Corrected, both ways. */
	open[0].end = T + 130;
	pass(T + 200, open, 2);
	ck_usage(5, 8 * 130 + 8 * 200);
	open[0].end = T + 160;
	pass(T + 200, open, 2);
	ck_usage(5, 8 * 160 + 8 * 200);
	/* Not an end. */
	ck_assert_int_eq(sb_ledger_close(ledger, &open[1]), 0);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 8);
}
END_TEST

START_TEST(close_of_unknown)
{
	sb_attempt_t closed = job(1, T + 10, T + 40);

	pass(T, NULL, 0);
	ck_assert_int_eq(sb_ledger_close(ledger, &closed), 0);
	ck_usage(5, 240);
	pass(T + 100, &closed, 1);
	ck_usage(5, 240);
	pass(T + 200, NULL, 0);
	ck_usage(5, 240);
	ck_assert_int_eq(unsettled(), 0);
}
END_TEST

START_TEST(end_to_come)
{
	sb_attempt_t look = job(1, T, T + 150);

	pass(T + 100, &look, 1);
	ck_usage(5, 800);
	/* Purged before its end came: it is known all the same. */
	pass(T + 120, NULL, 0);
	ck_usage(5, 960);
	pass(T + 300, NULL, 0);
	ck_usage(5, 1200);
	ck_assert_int_eq(unsettled(), 0);
}
END_TEST

/* The run of a requeued job ends, its next one begins, in the same second. */
START_TEST(requeue)
{
	sb_attempt_t looks[2] = { job(1, T, 0), job(1, T + 150, 0) };

	pass(T + 100, looks, 1);
	looks[0].end = T + 150;
	ck_assert_int_eq(sb_ledger_close(ledger, &looks[0]), 0);
	pass(T + 200, &looks[1], 1);
	ck_usage(5, 8 * 150 + 8 * 50);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 8);
	ck_assert_int_eq(unsettled(), 0);
}
END_TEST

/* ---- associations ------------------------------------------------------- */

START_TEST(inherit)
{
	sb_attempt_t looks[3] = { job(1, T, 0), job(2, T, T + 50),
				  job(3, T, 0) };

	looks[2].assoc_id = 6;
	pass(T + 100, looks, 3);
	ck_assert_int_eq(sb_ledger_inherit(ledger, 5, 5), 0);
	ck_usage(5, 1200);
	ck_assert_int_eq(sb_ledger_inherit(ledger, 5, 6), 0);
	ck_usage(5, 0);
	ck_usage(6, 2000);
	ck_assert_double_eq(sb_ledger_running(ledger, 6), 16);
	/* The host still shows the old one. Ends are corrected at the heir. */
	looks[1].end = T + 40;
	pass(T + 200, looks, 3);
	ck_usage(5, 0);
	ck_usage(6, 8 * (200 + 40 + 200));
	/* The heir goes as well, to one without anything. */
	ck_assert_int_eq(sb_ledger_inherit(ledger, 6, 9), 0);
	looks[0].assoc_id = 0;
	pass(T + 300, looks, 3);
	ck_usage(9, 8 * (300 + 40 + 300));
	/* The id lives again: what starts now is its own. */
	looks[1] = job(4, T + 300, 0);
	looks[0].assoc_id = 5;
	pass(T + 400, looks, 3);
	ck_usage(5, 800);
	ck_usage(9, 8 * (400 + 40 + 400));
	/* Nobody's. */
	ck_assert_int_eq(sb_ledger_inherit(ledger, 9, 0), 0);
	pass(T + 500, looks, 3);
	ck_usage(9, 0);
	ck_usage(5, 1600);
}
END_TEST

START_TEST(reset)
{
	sb_attempt_t looks[2] = { job(1, T, 0), job(2, T, 0) };

	pass(T + 100, looks, 2);
	pass(T + 200, looks, 1);
	sb_ledger_reset(ledger, 5);
	ck_usage(5, 0);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 8);
	pass(T + 300, looks, 1);
	ck_usage(5, 800);
	/* What is gone is not taken back, and not charged later. */
	looks[1].end = T + 150;
	ck_assert_int_eq(sb_ledger_settle(ledger, &looks[1], 0, 0), 0);
	ck_usage(5, 800);
	looks[0].end = T + 50;
	pass(T + 300, looks, 1);
	ck_usage(5, 0);
}
END_TEST

/* Ids come out in order, and those that hold nothing don't. */
START_TEST(walk)
{
	const sb_window_t *window;
	sb_attempt_t look = job(1, T, T + 1);
	uint32_t id, last, count;

	for (uint32_t i = 0; i < 3000; i++) {
		look.job_id = i;
		look.assoc_id = 1 + i * 2654435761U % 1000003;
		look.factor = i % 3 > 0;
		ck_assert_int_eq(sb_ledger_close(ledger, &look), 0);
	}
	for (int round = 0; round < 2; round++) {
		count = last = 0;
		for (id = 0; sb_ledger_next_assoc(ledger, &id, &window);) {
			ck_assert_uint_gt(id, last);
			ck_assert(!sb_window_empty(window,
						   sb_ledger_shape(ledger),
						   T + 1));
			last = id;
			/* Changing it in the middle is legal. */
			if (round && count % 2)
				sb_ledger_inherit(ledger, id, 0);
			count++;
		}
		ck_assert_uint_eq(count, 2000);
	}
	count = 0;
	for (id = 0; sb_ledger_next_assoc(ledger, &id, &window);)
		count++;
	ck_assert_uint_eq(count, 1000);
	/* A week later all is gone. */
	pass(T + 8 * SB_DAY, NULL, 0);
	id = 0;
	ck_assert(!sb_ledger_next_assoc(ledger, &id, &window));
	/* And costs nothing, once its attempts are forgotten. */
	sb_ledger_forget(ledger, T + 8 * SB_DAY);
	pass(T + 8 * SB_DAY, NULL, 0);
	ck_assert_uint_eq(ledger->payers.count, 0);
	ck_assert_uint_eq(ledger->attempts.count, 0);
}
END_TEST

/* What is done to one of the two does not reach the other. */
START_TEST(copy)
{
	sb_ledger_t *original = ledger, *twin;
	uint32_t count = 0;
	double before;
	sb_err_t err;

	twin = sb_ledger_copy(ledger);
	ck_assert_ptr_nonnull(twin);
	ck_assert(sb_ledger_check(twin));
	sb_ledger_destroy(twin);
	for (uint32_t a = 1; a <= 99; a++) {
		sb_attempt_t look = job(a, T, a % 5 ? 0 : T + 40);

		look.assoc_id = a % 7;
		ck_assert_int_eq(sb_ledger_seed(ledger, a, T - 900, T, a), 0);
		if (a == 1)
			sb_ledger_begin(ledger, T + 100);
		ck_assert_int_eq(sb_ledger_observe(ledger, &look), 0);
	}
	ck_assert_int_eq(sb_ledger_end(ledger, &err), 0);
	twin = sb_ledger_copy(ledger);
	ck_assert_ptr_nonnull(twin);
	ck_assert(sb_ledger_check(twin));
	for (uint32_t a = 0; a <= 99; a++) {
		ck_assert_double_eq(sb_ledger_usage(twin, a, T + 100),
				    usage(a));
		ck_assert_double_eq(sb_ledger_committed(twin, a),
				    sb_ledger_committed(ledger, a));
		count += sb_ledger_knows(twin, a, T);
	}
	ck_assert_uint_eq(count, 99);
	before = usage(3);
	sb_ledger_reset(ledger, 3);
	pass(T + 200, NULL, 0);
	ck_assert_double_eq(sb_ledger_usage(twin, 3, T + 100), before);
	ledger = twin;
	pass(T + 300, NULL, 0);
	ck_assert(sb_ledger_check(twin));
	ledger = original;
	ck_assert(sb_ledger_check(ledger));
	sb_ledger_destroy(twin);
}
END_TEST

START_TEST(seed)
{
	ck_assert_int_eq(sb_ledger_seed(ledger, 5, T, T + 60, 1000), 0);
	ck_assert_int_eq(sb_ledger_seed(ledger, 5, T, T + 60, NAN), 0);
	ck_assert_int_eq(sb_ledger_seed(ledger, 5, T, T + 60, INFINITY), 0);
	ck_assert_int_eq(sb_ledger_seed(ledger, 5, T, T + 60, -7), 0);
	ck_assert_int_eq(sb_ledger_seed(ledger, 5, T + 60, T, 7), 0);
	ck_assert_int_eq(sb_ledger_seed(ledger, 0, T, T + 60, 7), 0);
	ck_assert_double_eq(sb_ledger_usage(ledger, 5, T), 1000);
	ck_assert_double_eq(sb_ledger_usage(ledger, 5, T + 9 * SB_DAY), 0);
}
END_TEST

START_TEST(reshape)
{
	static const int64_t widths[] = { SB_DAY, SB_WINDOW_MIN, SB_WINDOW_MAX,
					  SB_WINDOW_DEFAULT };
	sb_attempt_t look = job(1, T, 0);
	int64_t now = T + 2 * SB_DAY;

	pass(now, &look, 1);
	ck_usage(5, 8 * 2 * SB_DAY);
	for (int i = 0; i < 4; i++) {
		sb_window_shape_t shape = sb_window_shape(widths[i]);
		double before, want;

		ck_assert_int_eq(sb_ledger_reshape(ledger, &shape), 0);
		ck_assert_int_eq(sb_ledger_shape(ledger)->width, widths[i]);
		ck_assert(sb_ledger_check(ledger));
		before = usage(5);
		if (i == 0)
			ck_assert(fabs(before - 8.0 * SB_DAY) <= 8 * 600);
		/* Charging goes on at once. */
		now += 10;
		pass(now, &look, 1);
		want = fmin(before + 80, 8.0 * widths[i]);
		ck_assert_msg(fabs(usage(5) - want) < 8, "%d: %g not %g", i,
			      usage(5), want);
	}
	/* A minute is all that was left. */
	ck_assert(usage(5) >= 8 * 60 && usage(5) <= 8 * (61 + 30));
}
END_TEST

/* ---- clocks ------------------------------------------------------------- */

START_TEST(clock_set_back)
{
	sb_attempt_t looks[2] = { job(1, T, 0), job(2, T + 130, T + 140) };

	pass(T + 200, looks, 1);
	pass(T + 120, looks, 1);
	ck_assert_double_eq(sb_ledger_usage(ledger, 5, T + 200), 1600);
	pass(T + 150, looks, 2);
	ck_assert_double_eq(sb_ledger_usage(ledger, 5, T + 200), 1680);
	pass(T + 250, looks, 2);
	ck_usage(5, 2000 + 80);
	/* Ended in the time that came twice. */
	looks[0].end = T + 180;
	pass(T + 260, looks, 2);
	ck_usage(5, 8 * 180 + 80);
}
END_TEST

/* Our predecessor's clock was a day ahead: new jobs are charged now, not
 * tomorrow, and nothing is that was before us. */
START_TEST(clock_was_ahead_at_restart)
{
	sb_window_shape_t shape = sb_window_shape(SB_WINDOW_DEFAULT);
	sb_attempt_t jobs[] = { job(1, T - 100, 0), job(2, T + 10, 0) };

	sb_ledger_destroy(ledger);
	ledger = sb_ledger_create(&shape, T + SB_DAY);
	pass(T, jobs, 1);
	ck_usage(5, 0);
	pass(T + 60, jobs, 2);
	ck_usage(5, 8 * (60 + 50));
}
END_TEST

START_TEST(clock_ran_away)
{
	sb_attempt_t looks[3] = { job(1, T, 0), job(2, T, T + 50),
				  job(3, T + 150, T + 160) };

	pass(T + 100, looks, 2);
	pass(T + 400 * SB_DAY, looks, 2);
	sb_ledger_forget(ledger, T + 399 * SB_DAY);
	/* Back again. History is gone with the ring; the rest goes on. */
	pass(T + 120, looks, 2);
	ck_usage(5, 0);
	pass(T + 200, looks, 3);
	ck_usage(5, 8 * 80 + 80);
	looks[0].end = T + 210;
	pass(T + 300, looks, 3);
	ck_usage(5, 8 * 90 + 80);
	/* Where it had been when the state was written. */
	sb_ledger_restore_pass(ledger, T + 400 * SB_DAY);
	looks[0] = job(4, T + 400, 0);
	pass(T + 400, looks, 1);
	pass(T + 410, looks, 1);
	ck_usage(5, 8 * 90 + 80 + 80);
}
END_TEST

/* ---- many --------------------------------------------------------------- */

/* Tables that grow and shrink, against one number. */
START_TEST(many)
{
	enum { JOBS = 20000 };
	sb_attempt_t look;
	double want = 0;
	int64_t now = T;

	for (int round = 0; round < 6; round++) {
		now += 100;
		sb_ledger_begin(ledger, now);
		for (uint32_t i = 0; i < JOBS; i++) {
			bool ends = i % 6 == (uint32_t) round;
			int64_t start = T + i % 90;

			if ((int) (i % 6) < round)
				continue;
			look = job(i, start, ends ? now - 7 : 0);
			look.assoc_id = 1 + i % 999;
			ck_assert_int_eq(sb_ledger_observe(ledger, &look), 0);
			if (ends)
				want += 8.0 * (now - 7 - start);
		}
		ck_assert_int_eq(sb_ledger_end(ledger, NULL), 0);
		sb_ledger_forget(ledger, now - 10 + round % 2 * 10);
		ck_assert(sb_ledger_check(ledger));
	}
	for (uint32_t a = 1; a <= 999; a++) {
		want -= usage(a);
		ck_assert_double_eq(sb_ledger_running(ledger, a), 0);
	}
	ck_assert_double_eq(want, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ledger");
	TCase *tcase = tcase_create("ledger");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, nothing);
	tcase_add_loop_test(tcase, single_look, 0,
			    sizeof(looks) / sizeof(looks[0]));
	tcase_add_test(tcase, any_two_looks);
	tcase_add_test(tcase, since);
	tcase_add_test(tcase, resize);
	tcase_add_test(tcase, signed_behind_a_look);
	tcase_add_test(tcase, end_before_resize);
	tcase_add_test(tcase, resize_and_end_between_passes);
	tcase_add_test(tcase, association_changes);
	tcase_add_test(tcase, close_is_exact);
	tcase_add_test(tcase, close_of_unknown);
	tcase_add_test(tcase, end_to_come);
	tcase_add_test(tcase, requeue);
	tcase_add_test(tcase, inherit);
	tcase_add_test(tcase, reset);
	tcase_add_test(tcase, walk);
	tcase_add_test(tcase, copy);
	tcase_add_test(tcase, seed);
	tcase_add_test(tcase, reshape);
	tcase_add_test(tcase, clock_set_back);
	tcase_add_test(tcase, clock_was_ahead_at_restart);
	tcase_add_test(tcase, clock_ran_away);
	tcase_add_test(tcase, many);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
