/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger_case - a ledger, the jobs that it is shown and what it says of them,
 * as its tests write them.
 */
#ifndef TEST_LEDGER_CASE_H
#define TEST_LEDGER_CASE_H

#include <check.h>

#include "ledger.h"

#define T ((int64_t) 1790000000)	/* all stories begin here */

static sb_ledger_t *ledger;

static inline void setup(void)
{
	sb_window_shape_t shape = sb_window_shape(SB_WINDOW_DEFAULT);

	ledger = sb_ledger_create(&shape, 0);
}

static inline void teardown(void)
{
	ck_assert(sb_ledger_check(ledger));
	sb_ledger_destroy(ledger);
}

/* A job of 8 GPUs of association 5. */
static inline sb_attempt_t job(uint32_t job_id, int64_t start, int64_t end)
{
	return (sb_attempt_t) { .job_id = job_id, .assoc_id = 5,
				.start = start, .end = end, .rate = 8,
				.factor = 1, .left = 100 };
}

static inline void pass(int64_t now, const sb_attempt_t *attempts,
			size_t count)
{
	sb_ledger_begin(ledger, now);
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(sb_ledger_observe(ledger, &attempts[i]), 0);
	ck_assert_int_eq(sb_ledger_end(ledger, NULL), 0);
	ck_assert_int_eq(sb_ledger_last_pass(ledger), now);
	ck_assert(sb_ledger_check(ledger));
}

static inline double usage(uint32_t assoc_id)
{
	return sb_ledger_usage(ledger, assoc_id, sb_ledger_last_pass(ledger));
}

#define ck_usage(assoc, want) ck_assert_double_eq(usage(assoc), want)

static inline int unsettled(void)
{
	sb_attempt_t attempt;
	int64_t until, gone;
	size_t cursor = 0;
	int count = 0;

	while (sb_ledger_unsettled(ledger, &cursor, &attempt, &until, &gone))
		count++;
	return count;
}

#endif
