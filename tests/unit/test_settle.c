/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_settle - what a ledger makes of attempts that the host does not show any
 * more: records settle them, are doubted or are news; what is closed is kept
 * and forgotten, and may come back after a crash. All else that a ledger
 * promises is in test_ledger.
 */
#include <check.h>
#include <stdlib.h>

#include "growth.h"
#include "ledger.h"
#include "ledger_case.h"
#include "suite.h"

START_TEST(vanish_and_settle)
{
	sb_attempt_t look = job(1, T, 0), record, attempt;
	int64_t until = 0, gone = 0;
	size_t cursor = 0;

	pass(T + 100, &look, 1);
	pass(T + 200, NULL, 0);
	ck_usage(5, 800);
	ck_assert_double_eq(sb_ledger_committed(ledger, 5), 0);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 0);
	ck_assert(sb_ledger_unsettled(ledger, &cursor, &attempt, &until,
				      &gone));
	ck_assert_uint_eq(attempt.job_id, 1);
	ck_assert_int_eq(attempt.start, T);
	ck_assert_int_eq(until, T + 100);
	ck_assert_int_eq(gone, T + 200);
	ck_assert(!sb_ledger_unsettled(ledger, &cursor, &attempt, &until,
				       &gone));
	/* When it was gone first, however often it is missed. */
	pass(T + 300, NULL, 0);
	cursor = 0;
	ck_assert(sb_ledger_unsettled(ledger, &cursor, &attempt, &until,
				      &gone));
	ck_assert_int_eq(gone, T + 200);

	/* No end, no such attempt: nothing happens. */
	ck_assert_int_eq(sb_ledger_settle(ledger, &look, 0, 0), 0);
	record = job(1, T + 1, T + 90);
	ck_assert_int_eq(sb_ledger_settle(ledger, &record, 0, 0), 0);
	ck_assert_int_eq(unsettled(), 1);
	/* Its rate is what the host showed. */
	record = job(1, T, T + 130);
	record.rate = 5;
	ck_assert_int_eq(sb_ledger_settle(ledger, &record, 0, 0), 0);
	ck_usage(5, 8 * 130);
	ck_assert_int_eq(unsettled(), 0);
	record.end = T + 140;
	ck_assert_int_eq(sb_ledger_settle(ledger, &record, 0, INT64_MAX), 0);
	ck_usage(5, 8 * 130);
}
END_TEST

START_TEST(settle_takes_back)
{
	sb_attempt_t looks[2] = { job(1, T, 0), job(2, T, 0) };

	pass(T + 100, looks, 2);
	pass(T + 200, NULL, 0);
	looks[0].end = T + 60;
	ck_assert_int_eq(sb_ledger_settle(ledger, &looks[0], 0, 0), 0);
	ck_usage(5, 8 * 160);
	/* Resized after the last look: the record knows. */
	looks[1].end = T + 150;
	looks[1].resized = T + 120;
	looks[1].rate = 3;
	ck_assert_int_eq(sb_ledger_settle(ledger, &looks[1], 0, 0), 0);
	ck_usage(5, 8 * 60 + 8 * 120 + 3 * 30);
}
END_TEST

/* A killed host forgot a run and started the job again: the database has one
 * record, from the first start to the second end. */
START_TEST(settle_ends_before_the_next)
{
	sb_attempt_t first = job(1, T, 0), again = job(1, T + 150, 0);

	pass(T + 100, &first, 1);
	pass(T + 200, &again, 1);
	again.end = T + 300;
	pass(T + 400, &again, 1);
	ck_usage(5, 8 * 100 + 8 * 150);
	first.end = T + 300;
	ck_assert_int_eq(sb_ledger_settle(ledger, &first, 0, INT64_MAX), 0);
	ck_usage(5, 8 * 150 + 8 * 150);
	ck_assert_int_eq(unsettled(), 0);
}
END_TEST

/* A killed host forgot an end that the database has, and showed the run again:
 * its next end may come to the database after our question. */
START_TEST(doubt)
{
	static const struct {
		int64_t start, end;	/* of the record */
		bool doubted;
	} rows[] = {
		{ T, T + 40, true }, { T, T + 99, true }, { T, T + 1, true },
		{ T, T + 100, false }, { T, T + 101, false },
		{ T, 0, false }, { T + 1, T + 40, false },
	};
	sb_attempt_t look = job(1, T, 0);

	pass(T + 100, &look, 1);
	look.end = T + 40;
	/* Shown: what the database says is not asked for. */
	ck_assert(!sb_ledger_doubts(ledger, &look));
	pass(T + 110, NULL, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		look = job(1, rows[i].start, rows[i].end);
		ck_assert_msg(sb_ledger_doubts(ledger, &look) ==
			      rows[i].doubted, "row %zu", i);
	}
	look = job(1, T, T + 108);
	ck_assert_int_eq(sb_ledger_settle(ledger, &look, 0, 0), 0);
	ck_usage(5, 8 * 108);
	look.end = T + 40;
	ck_assert(!sb_ledger_doubts(ledger, &look));
}
END_TEST

START_TEST(doubt_ends)
{
	sb_attempt_t look = job(1, T, 0), record = job(1, T, T + 40);

	pass(T + 100, &look, 1);
	/* The database was away: not the absence counts but its answers. */
	pass(T + 500, NULL, 0);
	ck_assert(sb_ledger_doubts(ledger, &record));
	pass(T + 499 + SB_PATIENCE, NULL, 0);
	ck_assert(sb_ledger_doubts(ledger, &record));
	/* It returns, and vanishes anew. */
	pass(T + 600, &look, 1);
	ck_assert(!sb_ledger_doubts(ledger, &record));
	pass(T + 610, NULL, 0);
	ck_assert(sb_ledger_doubts(ledger, &record));
	/* The clock is set back. */
	pass(T + 110, NULL, 0);
	ck_assert(sb_ledger_doubts(ledger, &record));
	pass(T + 110 + SB_PATIENCE, NULL, 0);
	ck_assert(!sb_ledger_doubts(ledger, &record));
	ck_assert_int_eq(sb_ledger_settle(ledger, &record, 0, 0), 0);
	ck_assert_int_eq(unsettled(), 0);
	pass(T + 700, NULL, 0);
	ck_usage(5, 8 * 40);
}
END_TEST

/* The host is dead, its record had no end for a minute, and is mended. */
START_TEST(doubt_of_a_mended_record)
{
	sb_attempt_t look = job(1, T, 0), record = look;

	pass(T + 100, &look, 1);
	pass(T + 110, NULL, 0);
	ck_assert(!sb_ledger_doubts(ledger, &record));
	pass(T + 110 + SB_PATIENCE, NULL, 0);
	record.end = T;
	ck_assert(!sb_ledger_doubts(ledger, &record));
	ck_assert_int_eq(sb_ledger_settle(ledger, &record, 0, 0), 0);
	ck_usage(5, 0);
}
END_TEST

START_TEST(vanish_and_return)
{
	sb_attempt_t look = job(1, T, 0);

	pass(T + 100, &look, 1);
	pass(T + 200, NULL, 0);
	ck_assert_int_eq(unsettled(), 1);
	pass(T + 300, &look, 1);
	ck_assert_int_eq(unsettled(), 0);
	ck_usage(5, 2400);
	/* Open and shown: the database has nothing to say. */
	look.end = T + 10;
	ck_assert_int_eq(sb_ledger_settle(ledger, &look, 0, INT64_MAX), 0);
	ck_usage(5, 2400);
}
END_TEST

START_TEST(gap)
{
	sb_attempt_t records[] = {
		job(1, T - 100, T),		/* before */
		job(2, T - 100, T + 10),	/* 10 s of it */
		job(3, T + 10, T + 60),		/* 50 s */
		job(4, T + 10, T + 100),	/* 90 s */
		job(5, T + 10, T + 101),	/* behind */
		job(6, T + 10, 0),
		job(7, 0, T + 60),
	};

	pass(T + 100, NULL, 0);
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < 7; i++)
			ck_assert_int_eq(sb_ledger_settle(ledger, &records[i],
							  T, T + 100), 0);
	ck_usage(5, 8 * (10 + 50 + 90));
	/* The host shows it, late. */
	pass(T + 200, &records[2], 1);
	ck_usage(5, 8 * (10 + 50 + 90));
}
END_TEST

START_TEST(forget)
{
	sb_attempt_t looks[] = { job(1, T, T + 10), job(2, T, T + 90),
				 job(3, T, 0), job(4, T, 0) };
	sb_charged_t charged;
	size_t cursor = 0;

	pass(T + 100, looks, 4);
	pass(T + 200, looks, 3);
	ck_usage(5, 8 * (10 + 90 + 200 + 100));
	sb_ledger_forget(ledger, T + 90);
	/* 1 is not known any more, and yet not charged again. */
	pass(T + 200, looks, 3);
	ck_usage(5, 8 * (10 + 90 + 200 + 100));
	ck_assert_int_eq(unsettled(), 1);
	sb_ledger_forget(ledger, T + 101);
	ck_assert_int_eq(unsettled(), 0);
	pass(T + 300, looks, 3);
	ck_usage(5, 8 * (10 + 90 + 300 + 100));
	/* Never what ended after the last pass, or is open. */
	looks[2].end = T + 310;
	ck_assert_int_eq(sb_ledger_close(ledger, &looks[2]), 0);
	sb_ledger_forget(ledger, INT64_MAX);
	ck_assert(sb_ledger_next_attempt(ledger, &cursor, &charged));
	ck_assert_uint_eq(charged.attempt.job_id, 3);
	ck_assert(!sb_ledger_next_attempt(ledger, &cursor, &charged));
	pass(T + 400, looks, 3);
	ck_usage(5, 8 * (10 + 90 + 310 + 100));
	/* Nor does it make blind for what comes. */
	looks[0] = job(9, T + 395, T + 399);
	looks[1] = job(9, T + 401, T + 402);
	pass(T + 500, looks, 2);
	ck_usage(5, 8 * (10 + 90 + 310 + 100 + 4 + 1));
}
END_TEST

/* RET: attempts that a state would keep. */
static int kept(void)
{
	sb_charged_t charged;
	size_t cursor = 0;
	int count = 0;

	while (sb_ledger_next_attempt(ledger, &cursor, &charged))
		count++;
	return count;
}

/* What a restart makes of the ledger. */
static void reload(void)
{
	const sb_window_shape_t *shape = sb_ledger_shape(ledger);
	sb_ledger_t *again = sb_ledger_create(shape, 0);
	const sb_window_t *window;
	sb_charged_t charged;
	size_t cursor = 0;
	uint32_t id = 0;

	sb_ledger_restore_pass(again, sb_ledger_last_pass(ledger));
	while (sb_ledger_next_assoc(ledger, &id, &window)) {
		uint32_t at = 0;
		int64_t bucket;
		double charge;

		while (sb_window_next(window, shape, &at, &bucket, &charge))
			ck_assert_int_eq(sb_ledger_restore_bucket(
				again, id, bucket, charge, NULL), 0);
	}
	while (sb_ledger_next_attempt(ledger, &cursor, &charged))
		ck_assert_int_eq(sb_ledger_restore_attempt(again, &charged,
							   NULL), 0);
	ck_assert_int_eq(sb_ledger_restore_end(again, NULL), 0);
	sb_ledger_destroy(ledger);
	ledger = again;
}

START_TEST(keep)
{
	sb_attempt_t looks[] = { job(1, T, T + 10), job(2, T, T + 60),
				 job(3, T, T + 20) };

	pass(T + 5000, looks, 3);
	ck_assert_int_eq(kept(), 0);
	sb_ledger_keep(ledger, T + 20);
	ck_assert_int_eq(kept(), 1);
	sb_ledger_forget(ledger, T + 5000);
	ck_assert(!sb_ledger_knows(ledger, 1, T));
	ck_assert(sb_ledger_knows(ledger, 2, T));
	ck_assert(!sb_ledger_knows(ledger, 2, T + 1));
	ck_assert(!sb_ledger_knows(ledger, 3, T));
	/* So its record is no news, across a restart, however often the
	 * database is asked for all since T + 20. */
	for (int round = 0; round < 3; round++) {
		ck_assert_int_eq(sb_ledger_settle(ledger, &looks[1], T + 20,
						  T + 100), 0);
		ck_usage(5, 8 * 90);
		reload();
		sb_ledger_keep(ledger, T + 20);
	}
	sb_ledger_keep(ledger, 0);
	ck_assert_int_eq(kept(), 0);
	sb_ledger_forget(ledger, T + 5000);
	ck_assert(!sb_ledger_knows(ledger, 2, T));
}
END_TEST

/* The first of two controllers asked for nothing before it died: what ended
 * before its own first pass is news to the second one all the same. */
START_TEST(gap_across_restart)
{
	sb_attempt_t record = job(1, T + 10, T + 60);

	sb_ledger_keep(ledger, T);
	pass(T + 100, NULL, 0);
	reload();
	sb_ledger_keep(ledger, T);
	pass(T + 300, NULL, 0);
	ck_assert_int_eq(sb_ledger_settle(ledger, &record, T, T + 300), 0);
	ck_usage(5, 8 * 50);
}
END_TEST

/* The look before the end may come after it; the one behind that may not. */
START_TEST(goes_on)
{
	sb_attempt_t look = job(1, T, 0);
	int64_t until, gone;
	size_t cursor = 0;

	pass(T + 100, &look, 1);
	look.end = T + 110;
	ck_assert_int_eq(sb_ledger_close(ledger, &look), 0);
	look.end = 0;
	pass(T + 111, &look, 1);
	ck_usage(5, 8 * 110);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 0);
	pass(T + 130, &look, 1);
	ck_usage(5, 8 * 130);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 8);
	/* Its end is asked for like any other's. */
	pass(T + 140, NULL, 0);
	ck_assert(sb_ledger_unsettled(ledger, &cursor, &look, &until, &gone));
	ck_assert_int_eq(until, T + 130);
	look.end = T + 135;
	ck_assert_int_eq(sb_ledger_settle(ledger, &look, 0, 0), 0);
	ck_usage(5, 8 * 135);
}
END_TEST

/* A controller that comes back with jobs of some seconds ago shows one that
 * has ended as running, and ends it again when it notices. */
START_TEST(hindsight)
{
	sb_attempt_t look = job(1, T, T + 400);

	pass(T + 410, &look, 1);
	ck_assert_int_eq(kept(), 1);
	reload();
	look.end = 0;
	pass(T + 420, &look, 1);
	ck_usage(5, 8 * 420);
	look.end = T + 430;
	pass(T + 440, &look, 1);
	ck_usage(5, 8 * 430);
	pass(look.end + SB_HINDSIGHT - 1, NULL, 0);
	ck_assert_int_eq(kept(), 1);
	pass(look.end + SB_HINDSIGHT, NULL, 0);
	ck_assert_int_eq(kept(), 0);
}
END_TEST

/* Each settled attempt looked at all others for the next of its job. */
static void settle_jobs(uint32_t count)
{
	sb_attempt_t look;

	teardown();
	setup();
	sb_ledger_begin(ledger, T + 100);
	for (uint32_t i = 1; i <= count; i++) {
		look = job(i, T, 0);
		ck_assert_int_eq(sb_ledger_observe(ledger, &look), 0);
	}
	ck_assert_int_eq(sb_ledger_end(ledger, NULL), 0);
	pass(T + 200, NULL, 0);
	for (uint32_t i = 1; i <= count; i++) {
		look = job(i, T, T + 150);
		ck_assert_int_eq(sb_ledger_settle(ledger, &look, 0, 0), 0);
	}
	ck_assert_int_eq(unsettled(), 0);
	ck_usage(5, 8.0 * 150 * count);
}

START_TEST(many_settled)
{
	ck_linear(settle_jobs);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("settle");
	TCase *tcase = tcase_create("settle");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, vanish_and_settle);
	tcase_add_test(tcase, settle_takes_back);
	tcase_add_test(tcase, settle_ends_before_the_next);
	tcase_add_test(tcase, doubt);
	tcase_add_test(tcase, doubt_ends);
	tcase_add_test(tcase, doubt_of_a_mended_record);
	tcase_add_test(tcase, vanish_and_return);
	tcase_add_test(tcase, gap);
	tcase_add_test(tcase, forget);
	tcase_add_test(tcase, keep);
	tcase_add_test(tcase, gap_across_restart);
	tcase_add_test(tcase, goes_on);
	tcase_add_test(tcase, hindsight);
	tcase_add_test(tcase, many_settled);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
