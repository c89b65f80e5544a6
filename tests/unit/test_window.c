/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_window - the sliding window against a brute-force integral.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "rng.h"
#include "suite.h"
#include "window.h"

#define DAYS7 (7 * (int64_t) SB_DAY)
#define EPOCH ((int64_t) 1790000000)

static double total(const sb_window_t *window, const sb_window_shape_t *shape)
{
	uint32_t cursor = 0;
	int64_t bucket;
	double charge, sum = 0;

	while (sb_window_next(window, shape, &cursor, &bucket, &charge))
		sum += charge;
	return sum;
}

static double content(const sb_window_t *window,
		      const sb_window_shape_t *shape, int64_t wanted)
{
	uint32_t cursor = 0;
	int64_t bucket;
	double charge;

	while (sb_window_next(window, shape, &cursor, &bucket, &charge))
		if (bucket == wanted)
			return charge;
	return 0;
}

/* ---- shapes ------------------------------------------------------------- */

START_TEST(shapes)
{
	static const struct {
		int64_t width, grain;
		uint32_t buckets;
	} t[] = {
		{ 60, 1, 61 },
		{ 61, 1, 62 },
		{ 168, 1, 169 },
		{ 169, 2, 86 },
		{ 3600, 22, 165 },
		{ DAYS7, 3600, 169 },
		{ DAYS7 + 1, 3601, 169 },
		{ SB_WINDOW_MAX, 188229, 169 },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		sb_window_shape_t shape = sb_window_shape(t[i].width);

		ck_assert_int_eq(shape.width, t[i].width);
		ck_assert_int_eq(shape.grain, t[i].grain);
		ck_assert_uint_eq(shape.buckets, t[i].buckets);
	}
	ck_assert_int_eq(sb_window_shape(INT64_MIN).width, SB_WINDOW_MIN);
	ck_assert_int_eq(sb_window_shape(59).width, SB_WINDOW_MIN);
	ck_assert_int_eq(sb_window_shape(INT64_MAX).width, SB_WINDOW_MAX);
}
END_TEST

/* Every width has room for the bucket that begins and the one that expires,
 * and stays small. */
START_TEST(every_shape_covers)
{
	for (int64_t width = SB_WINDOW_MIN; width <= SB_WINDOW_MAX;
	     width += width < 20000 ? 1 : 9973) {
		sb_window_shape_t shape = sb_window_shape(width);

		ck_assert_int_ge((shape.buckets - 1) * shape.grain, width);
		ck_assert_uint_le(shape.buckets, SB_WINDOW_BUCKETS + 1);
		ck_assert_uint_le(sb_window_bytes(&shape), 2048);
	}
}
END_TEST

/* ---- single charges ----------------------------------------------------- */

typedef struct {
	const char *what;
	int64_t from, to;
	double charge;		/* total for add, per second for add_rate */
	int64_t now;
	double sum, sum_rate;
} charge_t;

static const charge_t charges[] = {
	{ "inside", EPOCH, EPOCH + 10, 20, EPOCH + 10, 20, 200 },
	{ "nothing", EPOCH, EPOCH + 10, 0, EPOCH + 10, 0, 0 },
	{ "a point", EPOCH, EPOCH, 20, EPOCH, 20, 0 },
	{ "a point at the epoch", 0, 0, 20, 0, 20, 0 },
	{ "backwards", EPOCH + 10, EPOCH, 20, EPOCH + 10, 0, 0 },
	{ "NAN", EPOCH, EPOCH + 10, NAN, EPOCH + 10, 0, 0 },
	{ "infinite", EPOCH, EPOCH + 10, INFINITY, EPOCH + 10, 0, 0 },
	{ "less than nothing", EPOCH, EPOCH + 10, -5, EPOCH + 10, 0, 0 },
	{ "before the epoch", -50, -10, 20, 0, 0, 0 },
	{ "a point before the epoch", -1, -1, 20, 0, 0, 0 },
	{ "half before the epoch", -10, 10, 20, 10, 10, 200 },
	{ "to the end", SB_TIME_MAX - 10, INT64_MAX, 0, INT64_MAX, 0, 0 },
	{ "behind the end", INT64_MAX - 10, INT64_MAX, 5, INT64_MAX, 0, 0 },
	{ "point at the end", INT64_MAX, INT64_MAX, 5, INT64_MAX, 0, 0 },
	{ "all but expired", EPOCH, EPOCH + 10, 20, EPOCH + 69, 2, 20 },
	{ "expired", EPOCH, EPOCH + 10, 20, EPOCH + 70, 0, 0 },
	{ "long expired", EPOCH, EPOCH + 10, 20, INT64_MAX, 0, 0 },
	{ "the clock went back", EPOCH, EPOCH + 10, 20, EPOCH - 5000, 20,
	  200 },
	{ "before time", EPOCH, EPOCH + 10, 20, INT64_MIN, 20, 200 },
	{ "too much", EPOCH, EPOCH + 1, 1e300, EPOCH + 1, SB_USAGE_MAX,
	  SB_USAGE_MAX },
};

/* A window of 60 s: one bucket per second, no approximation. */
START_TEST(single_charges)
{
	sb_window_shape_t shape = sb_window_shape(60);

	for (size_t i = 0; i < sizeof(charges) / sizeof(charges[0]); i++) {
		const charge_t *t = &charges[i];
		sb_window_t *window = sb_window_create(&shape);
		double sum;

		sb_window_add(window, &shape, t->from, t->to, t->charge);
		ck_assert_msg(sb_window_check(window, &shape), "%s", t->what);
		sum = sb_window_sum(window, &shape, t->now);
		ck_assert_msg(fabs(sum - t->sum) <= t->sum * 1e-15,
			      "%s: %.17g", t->what, sum);
		sb_window_destroy(window);
	}
	sb_window_destroy(NULL);
}
END_TEST

START_TEST(single_rates)
{
	sb_window_shape_t shape = sb_window_shape(60);

	for (size_t i = 0; i < sizeof(charges) / sizeof(charges[0]); i++) {
		const charge_t *t = &charges[i];
		sb_window_t *window = sb_window_create(&shape);
		double sum;

		sb_window_add_rate(window, &shape, t->from, t->to, t->charge);
		ck_assert_msg(sb_window_check(window, &shape), "%s", t->what);
		sum = sb_window_sum(window, &shape, t->now);
		ck_assert_msg(sum == t->sum_rate, "%s: %.17g", t->what, sum);
		sb_window_destroy(window);
	}
}
END_TEST

START_TEST(longer_than_the_ring)
{
	sb_window_shape_t shape = sb_window_shape(60);
	sb_window_t *window = sb_window_create(&shape);

	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 610, 610);
	ck_assert_double_eq(sb_window_sum(window, &shape, EPOCH + 610),
			    610 * 60);
	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 610, 1e18);
	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 610, 4e18);
	ck_assert_double_eq(sb_window_sum(window, &shape, EPOCH + 610),
			    SB_USAGE_MAX);
	/* The ring goes to the end of time and holds its seconds. */
	sb_window_add_rate(window, &shape, INT64_MIN, INT64_MAX, 20);
	ck_assert_double_eq(total(window, &shape), 20 * 61);
	sb_window_add(window, &shape, INT64_MIN, INT64_MAX, 20);
	ck_assert(fabs(total(window, &shape) - 20 * 61) < 1e-9);
	ck_assert(sb_window_check(window, &shape));
	sb_window_destroy(window);
}
END_TEST

/* Far jumps cost a ring, not the time between. */
START_TEST(far_jumps)
{
	sb_window_shape_t shape = sb_window_shape(60);
	sb_window_t *window = sb_window_create(&shape);
	int64_t at = 1;

	for (int i = 0; i < 60; i++, at *= 2) {
		sb_window_add_rate(window, &shape, at, at + 1, 3);
		ck_assert(sb_window_check(window, &shape));
		ck_assert_double_eq(content(window, &shape, at), 3);
	}
	ck_assert_double_eq(total(window, &shape), 3);
	for (int i = 0; i < 100000; i++)
		sb_window_add_rate(window, &shape, 0, SB_TIME_MAX - i, 1);
	ck_assert(sb_window_check(window, &shape));
	ck_assert(sb_window_ahead(window, &shape, EPOCH));
	ck_assert(!sb_window_ahead(window, &shape, SB_TIME_MAX));
	sb_window_destroy(window);
}
END_TEST

START_TEST(ahead)
{
	sb_window_shape_t shape = sb_window_shape(60);
	sb_window_t *window = sb_window_create(&shape);

	ck_assert(!sb_window_ahead(window, &shape, 0));
	ck_assert(!sb_window_ahead(window, &shape, -1));
	sb_window_add_rate(window, &shape, 1000, 1001, 1);
	/* The ring is 940 .. 1000. */
	ck_assert(!sb_window_ahead(window, &shape, 940));
	ck_assert(sb_window_ahead(window, &shape, 939));
	sb_window_add_rate(window, &shape, 940, 941, 1);
	ck_assert_double_eq(total(window, &shape), 2);
	sb_window_add_rate(window, &shape, 939, 940, 1);
	ck_assert_double_eq(total(window, &shape), 2);
	sb_window_destroy(window);
}
END_TEST

START_TEST(take_back)
{
	sb_window_shape_t shape = sb_window_shape(DAYS7);
	sb_window_t *window = sb_window_create(&shape);

	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 100000, 7);
	sb_window_add_rate(window, &shape, EPOCH + 5000, EPOCH + 100000, -7);
	ck_assert_double_eq(total(window, &shape), 35000);
	/* Not below 0, and no other bucket pays. */
	sb_window_add_rate(window, &shape, EPOCH + 5000, EPOCH + 100000, -7);
	ck_assert(sb_window_check(window, &shape));
	ck_assert_double_le(total(window, &shape), 35000);
	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 5000, -7);
	ck_assert_double_eq(total(window, &shape), 0);
	/* Nor does it move the ring on. */
	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 1, 9);
	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 400 * SB_DAY, -1);
	ck_assert_double_eq(sb_window_sum(window, &shape, EPOCH), 0);
	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 1, 9);
	ck_assert_double_eq(sb_window_sum(window, &shape, EPOCH), 9);
	sb_window_destroy(window);
}
END_TEST

/* Whole rates over whole seconds: no rounding anywhere. */
START_TEST(rates_are_exact)
{
	sb_window_shape_t shape = sb_window_shape(DAYS7);
	sb_window_t *window = sb_window_create(&shape);
	double want = 0;

	rng_state = 11;
	for (int i = 0; i < 20000; i++) {
		int64_t from = EPOCH + rng(3 * SB_DAY);
		int64_t to = from + rng(3 * SB_DAY);
		double rate = 1 + rng(100000);

		sb_window_add_rate(window, &shape, from, to, rate);
		want += rate * (to - from);
		if (rng(3))
			continue;
		sb_window_add_rate(window, &shape, from, to, -rate);
		want -= rate * (to - from);
	}
	ck_assert_double_eq(sb_window_sum(window, &shape, EPOCH + 6 * SB_DAY),
			    want);
	sb_window_destroy(window);
}
END_TEST

START_TEST(add_conserves)
{
	static const int64_t widths[] = { 60, 3600, DAYS7, SB_WINDOW_MAX };

	rng_state = 12;
	for (int i = 0; i < 4000; i++) {
		sb_window_shape_t shape = sb_window_shape(widths[i % 4]);
		sb_window_t *window = sb_window_create(&shape);
		int64_t length = rng(shape.width);
		int64_t from = EPOCH + rng(SB_DAY);
		double charge = rng(1000000) / 7.0;

		sb_window_add(window, &shape, from, from + length, charge);
		ck_assert(fabs(total(window, &shape) - charge) <=
			  1e-12 * charge);
		sb_window_add(window, &shape, from, from + length, -charge);
		ck_assert(total(window, &shape) <= 1e-12 * charge);
		sb_window_destroy(window);
	}
}
END_TEST

/* slurmdbd's hours fall into one bucket each: seeds are not rounded. */
START_TEST(hours_are_exact)
{
	sb_window_shape_t shape = sb_window_shape(DAYS7);
	sb_window_t *window = sb_window_create(&shape);
	int64_t hour = EPOCH / SB_HOUR;

	for (int i = 0; i < 168; i++)
		sb_window_add(window, &shape, (hour - i) * SB_HOUR,
			      (hour - i + 1) * SB_HOUR, 1000003 + i);
	for (int i = 0; i < 168; i++)
		ck_assert_double_eq(content(window, &shape, hour - i),
				    1000003 + i);
	sb_window_destroy(window);
}
END_TEST

/* ---- against a brute-force integral ------------------------------------- */

#define PIECES 40

typedef struct {
	int64_t from[PIECES + 1];
	double rate[PIECES];
} history_t;

static history_t history_make(int64_t start, int64_t span)
{
	history_t h;

	h.from[0] = start;
	for (int i = 0; i < PIECES; i++) {
		h.from[i + 1] = h.from[i] + 1 + rng(2 * span / PIECES);
		h.rate[i] = rng(4) ? rng(1000) : 0;
	}
	return h;
}

static double history_integral(const history_t *h, int64_t from, int64_t to)
{
	double sum = 0;

	for (int i = 0; i < PIECES; i++) {
		int64_t a = h->from[i] > from ? h->from[i] : from;
		int64_t b = h->from[i + 1] < to ? h->from[i + 1] : to;

		if (a < b)
			sum += h->rate[i] * (b - a);
	}
	return sum;
}

/* Play the history as a ledger would: in steps, up to now. */
static sb_window_t *history_play(const history_t *h,
				 const sb_window_shape_t *shape, int64_t now)
{
	sb_window_t *window = sb_window_create(shape);

	for (int i = 0; i < PIECES; i++) {
		int64_t end = h->from[i + 1] < now ? h->from[i + 1] : now;
		int64_t at = h->from[i];

		while (at < end) {
			int64_t to = at + 1 + rng(shape->grain * 3);

			to = to < end ? to : end;
			sb_window_add_rate(window, shape, at, to, h->rate[i]);
			at = to;
		}
	}
	return window;
}

START_TEST(against_integral)
{
	static const int64_t widths[] = { 60, 61, 169, 1000, 86400, DAYS7,
					  90 * (int64_t) SB_DAY };

	rng_state = 100 + _i;
	for (int round = 0; round < 40; round++) {
		sb_window_shape_t shape = sb_window_shape(widths[_i]);
		history_t h = history_make(EPOCH + rng(shape.grain * 9),
					   3 * shape.width);
		int64_t now = h.from[0] + rng(3 * shape.width);
		int64_t edge = now - shape.width;
		sb_window_t *window = history_play(&h, &shape, now);
		double want = history_integral(&h, edge, now);
		double got = sb_window_sum(window, &shape, now);
		double oldest = content(window, &shape, edge / shape.grain);

		ck_assert(sb_window_check(window, &shape));
		ck_assert_msg(fabs(got - want) <= oldest + 1e-6,
			      "%g not %g, oldest %g", got, want, oldest);
		if (edge % shape.grain == 0 || shape.grain == 1)
			ck_assert_double_eq(got, want);
		/* Aligned: no error at all. */
		sb_window_destroy(window);
		now = (now / shape.grain + 1) * shape.grain +
			shape.width % shape.grain;
		window = history_play(&h, &shape, now);
		ck_assert_double_eq(sb_window_sum(window, &shape, now),
				    history_integral(&h, now - shape.width,
						     now));
		sb_window_destroy(window);
	}
}
END_TEST

/* A constant rate has no error at any instant, and time alone moves the sum by
 * no more than a second of the oldest bucket. */
START_TEST(smooth)
{
	sb_window_shape_t shape = sb_window_shape(3 * SB_HOUR);
	sb_window_t *window = sb_window_create(&shape);
	int64_t start = EPOCH - EPOCH % shape.grain;
	history_t h;
	double last;

	for (int64_t t = start; t < start + 5 * SB_HOUR; t++) {
		sb_window_add_rate(window, &shape, t, t + 1, 16);
		last = 16.0 * (t + 1 - start);
		ck_assert(fabs(sb_window_sum(window, &shape, t + 1) -
			       fmin(last, 16.0 * shape.width)) < 1e-6);
	}
	sb_window_destroy(window);

	rng_state = 13;
	h = history_make(EPOCH, 6 * SB_HOUR);
	window = history_play(&h, &shape, h.from[PIECES]);
	last = sb_window_sum(window, &shape, h.from[PIECES]);
	for (int64_t t = 1; t < 4 * SB_HOUR; t++) {
		int64_t now = h.from[PIECES] + t;
		double sum = sb_window_sum(window, &shape, now);
		double oldest = content(window, &shape,
					(now - 1 - shape.width) / shape.grain);

		ck_assert(sum <= last);
		ck_assert_msg(last - sum <= oldest / shape.grain + 1e-6,
			      "%g in a second", last - sum);
		last = sum;
	}
	ck_assert_double_eq(last, 0);
	sb_window_destroy(window);
}
END_TEST

/* A negative `now` and one behind everything change nothing for good. */
START_TEST(sum_changes_nothing)
{
	sb_window_shape_t shape = sb_window_shape(DAYS7);
	sb_window_t *window = sb_window_create(&shape);
	double sum;

	sb_window_add_rate(window, &shape, EPOCH, EPOCH + SB_DAY, 8);
	sum = sb_window_sum(window, &shape, EPOCH + SB_DAY);
	ck_assert_double_eq(sum, 8.0 * SB_DAY);
	sb_window_sum(window, &shape, INT64_MAX);
	sb_window_sum(window, &shape, INT64_MIN);
	ck_assert_double_eq(sb_window_sum(window, &shape, EPOCH), sum);
	ck_assert_double_eq(sb_window_sum(window, &shape, EPOCH + SB_DAY), sum);
	sb_window_destroy(window);
}
END_TEST

/* ---- merge, clear, empty ------------------------------------------------ */

START_TEST(merge)
{
	sb_window_shape_t shape = sb_window_shape(DAYS7);

	rng_state = 14;
	for (int i = 0; i < 200; i++) {
		sb_window_t *a = sb_window_create(&shape);
		sb_window_t *b = sb_window_create(&shape);
		history_t x = history_make(EPOCH, DAYS7);
		history_t y = history_make(EPOCH + rng(9 * SB_DAY), DAYS7);
		int64_t now = EPOCH + 20 * SB_DAY - rng(12 * SB_DAY);
		double sum;

		sb_window_destroy(a);
		sb_window_destroy(b);
		a = history_play(&x, &shape, now);
		b = history_play(&y, &shape, now);
		sum = sb_window_sum(a, &shape, now) +
			sb_window_sum(b, &shape, now);
		sb_window_merge(a, b, &shape);
		ck_assert(sb_window_check(a, &shape));
		ck_assert(fabs(sb_window_sum(a, &shape, now) - sum) <
			  1e-12 * sum + 1e-9);
		sb_window_destroy(a);
		sb_window_destroy(b);
	}
}
END_TEST

START_TEST(clear_and_empty)
{
	sb_window_shape_t shape = sb_window_shape(60);
	sb_window_t *window = sb_window_create(&shape);

	ck_assert(sb_window_empty(window, &shape, 0));
	sb_window_add_rate(window, &shape, EPOCH, EPOCH + 1, 1);
	ck_assert(!sb_window_empty(window, &shape, 0));
	ck_assert(!sb_window_empty(window, &shape, EPOCH));
	ck_assert(!sb_window_empty(window, &shape, EPOCH + 60));
	ck_assert(sb_window_empty(window, &shape, EPOCH + 61));
	ck_assert(sb_window_empty(window, &shape, INT64_MAX));
	sb_window_clear(window, &shape);
	ck_assert(sb_window_empty(window, &shape, EPOCH));
	ck_assert_double_eq(total(window, &shape), 0);
	sb_window_add_rate(window, &shape, 5, 6, 1);
	ck_assert_double_eq(total(window, &shape), 1);
	sb_window_destroy(window);
}
END_TEST

/* ---- another shape ------------------------------------------------------ */

START_TEST(reshape)
{
	static const int64_t widths[] = { 60, 169, 1000, 86400, DAYS7,
					  90 * (int64_t) SB_DAY,
					  SB_WINDOW_MAX };

	rng_state = 15;
	for (int i = 0; i < 49 * 8; i++) {
		sb_window_shape_t a = sb_window_shape(widths[i % 7]);
		sb_window_shape_t b = sb_window_shape(widths[i / 7 % 7]);
		int64_t narrow = a.width < b.width ? a.width : b.width;
		int64_t grain = a.grain > b.grain ? a.grain : b.grain;
		history_t h = history_make(EPOCH, 2 * a.width);
		int64_t now = EPOCH + a.width + rng(a.width);
		sb_window_t *from = history_play(&h, &a, now);
		sb_window_t *to = sb_window_reshape(from, &a, &b, now);
		double sum = sb_window_sum(to, &b, now);
		double want = history_integral(&h, now - narrow, now);
		/* Edges are known to a bucket. */
		double slack = history_integral(&h, now - narrow - 2 * grain,
						now - narrow + grain);

		ck_assert(sb_window_check(to, &b));
		if (b.width >= a.width)
			/* What counted, and nothing that had run out. */
			ck_assert(fabs(total(to, &b) -
				       sb_window_sum(from, &a, now)) <=
				  1e-9 * total(from, &a));
		/* A narrow window knows of a wide bucket only its mean. */
		if (b.grain >= a.grain || b.width >= 4 * a.grain)
			ck_assert_msg(fabs(sum - want) <=
				      slack + 1000.0 * grain,
				      "%d: %g not %g", i, sum, want);
		/* It goes on: the next charge is not dropped. */
		sb_window_add_rate(to, &b, now, now + 1, 1e6);
		ck_assert(fabs(sb_window_sum(to, &b, now) - sum - 1e6) <=
			  1e-9 * sum + a.grain * 1000.0 * (b.grain < a.grain));
		ck_assert(!sb_window_ahead(to, &b, now));
		ck_assert_double_ge(content(to, &b, now / b.grain), 1e6);
		sb_window_destroy(from);
		sb_window_destroy(to);
	}
}
END_TEST

/* The clock went back: what lies behind `now` is kept. */
START_TEST(reshape_behind_now)
{
	sb_window_shape_t a = sb_window_shape(DAYS7);
	sb_window_shape_t b = sb_window_shape(SB_DAY);
	sb_window_t *from = sb_window_create(&a);
	sb_window_t *to;

	sb_window_add_rate(from, &a, EPOCH, EPOCH + 20000, 5);
	to = sb_window_reshape(from, &a, &b, EPOCH + 1000);
	ck_assert(fabs(total(to, &b) - 100000) < 1e-6);
	sb_window_destroy(from);
	sb_window_destroy(to);
}
END_TEST

/* Constant rate: exact in every direction. */
START_TEST(reshape_constant)
{
	static const int64_t widths[] = { 600, 86400, DAYS7,
					  90 * (int64_t) SB_DAY };

	for (int i = 0; i < 16; i++) {
		sb_window_shape_t a = sb_window_shape(widths[i % 4]);
		sb_window_shape_t b = sb_window_shape(widths[i / 4]);
		double narrow = a.width < b.width ? a.width : b.width;
		int64_t now = EPOCH - EPOCH % a.grain + a.width % a.grain;
		sb_window_t *from = sb_window_create(&a);
		sb_window_t *to;

		sb_window_add_rate(from, &a, now - a.width, now, 8);
		to = sb_window_reshape(from, &a, &b, now);
		ck_assert_msg(fabs(sb_window_sum(to, &b, now) - 8 * narrow) <=
			      1e-9 * narrow, "%d: %.17g not %.17g", i,
			      sb_window_sum(to, &b, now), 8 * narrow);
		sb_window_destroy(from);
		sb_window_destroy(to);
	}
}
END_TEST

/* ---- walk and back ------------------------------------------------------ */

START_TEST(walk_and_restore)
{
	rng_state = 16;
	for (int i = 0; i < 300; i++) {
		sb_window_shape_t shape =
			sb_window_shape(60 + rng(i % 2 ? 400 : SB_DAY));
		history_t h = history_make(rng(2) ? 0 : EPOCH, 2 * shape.width);
		int64_t now = h.from[0] + rng(2 * shape.width);
		sb_window_t *a = history_play(&h, &shape, now);
		sb_window_t *b = sb_window_create(&shape);
		uint32_t cursor = 0;
		int64_t bucket, last = -1;
		double charge;

		while (sb_window_next(a, &shape, &cursor, &bucket, &charge)) {
			ck_assert_int_gt(bucket, last);
			ck_assert_double_gt(charge, 0);
			ck_assert(sb_window_restore(b, &shape, bucket,
						    charge));
			last = bucket;
		}
		ck_assert(!sb_window_next(a, &shape, &cursor, &bucket,
					  &charge));
		ck_assert(sb_window_check(b, &shape));
		for (int k = 0; k < 5; k++, now += rng(shape.width))
			ck_assert_double_eq(sb_window_sum(a, &shape, now),
					    sb_window_sum(b, &shape, now));
		sb_window_destroy(a);
		sb_window_destroy(b);
	}
}
END_TEST

START_TEST(restore_refuses)
{
	sb_window_shape_t shape = sb_window_shape(60);
	sb_window_t *w = sb_window_create(&shape);

	ck_assert(!sb_window_restore(w, &shape, -1, 1));
	ck_assert(!sb_window_restore(w, &shape, INT64_MIN, 1));
	ck_assert(!sb_window_restore(w, &shape, INT64_MAX, 1));
	ck_assert(!sb_window_restore(w, &shape, SB_TIME_MAX + 1, 1));
	ck_assert(!sb_window_restore(w, &shape, 5, 0));
	ck_assert(!sb_window_restore(w, &shape, 5, -1));
	ck_assert(!sb_window_restore(w, &shape, 5, NAN));
	ck_assert(!sb_window_restore(w, &shape, 5, INFINITY));
	ck_assert(!sb_window_restore(w, &shape, 5, 5e18));
	ck_assert(sb_window_restore(w, &shape, 0, 1));
	ck_assert(!sb_window_restore(w, &shape, 0, 1));
	ck_assert(sb_window_restore(w, &shape, 60, 1));
	ck_assert(!sb_window_restore(w, &shape, 60, 1));
	ck_assert(!sb_window_restore(w, &shape, 59, 1));
	/* It would push out the oldest. */
	ck_assert(!sb_window_restore(w, &shape, 61, 1));
	ck_assert(!sb_window_restore(w, &shape, 1000000, 1));
	ck_assert_double_eq(total(w, &shape), 2);
	ck_assert(sb_window_check(w, &shape));
	sb_window_destroy(w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("window");
	TCase *tcase = tcase_create("window");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, shapes);
	tcase_add_test(tcase, every_shape_covers);
	tcase_add_test(tcase, single_charges);
	tcase_add_test(tcase, single_rates);
	tcase_add_test(tcase, longer_than_the_ring);
	tcase_add_test(tcase, far_jumps);
	tcase_add_test(tcase, ahead);
	tcase_add_test(tcase, take_back);
	tcase_add_test(tcase, rates_are_exact);
	tcase_add_test(tcase, add_conserves);
	tcase_add_test(tcase, hours_are_exact);
	tcase_add_loop_test(tcase, against_integral, 0, 7);
	tcase_add_test(tcase, smooth);
	tcase_add_test(tcase, sum_changes_nothing);
	tcase_add_test(tcase, merge);
	tcase_add_test(tcase, clear_and_empty);
	tcase_add_test(tcase, reshape);
	tcase_add_test(tcase, reshape_behind_now);
	tcase_add_test(tcase, reshape_constant);
	tcase_add_test(tcase, walk_and_restore);
	tcase_add_test(tcase, restore_refuses);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
