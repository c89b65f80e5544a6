/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_report_random - a second computation, which walks every run for every
 * hour, over random histories. */
#include <stdio.h>

#include "report_case.h"
#include "rng.h"

#define ACCOUNTS 12
#define RUNS 80
#define EVENTS 6

typedef struct {
	int64_t until;
	report_account_t accounts[ACCOUNTS];
	char names[ACCOUNTS][16];
	report_run_t runs[RUNS];
	struct {
		int64_t from, until;
		uint32_t total, down, planned;
	} events[EVENTS];
	int count;
} history_t;

static void make_history(history_t *h)
{
	h->until = BEGIN + 1 + (int64_t) rng(40 * HOUR);
	h->count = 1 + (int) rng(RUNS);
	for (int i = 0; i < ACCOUNTS; i++) {
		snprintf(h->names[i], sizeof(h->names[i]), "a%d", i);
		h->accounts[i] = (report_account_t) {
			h->names[i], i && rng(3) ? (int32_t) rng(i) : -1,
			rng(4) ? (double) rng(1000) / 2000 : 0, false
		};
	}
	for (int i = 0; i < EVENTS; i++) {
		h->events[i].from = BEGIN - HOUR + (int64_t) rng(30 * HOUR);
		h->events[i].until = h->events[i].from +
				     (int64_t) rng(20 * HOUR);
		h->events[i].total = i < 2 ? (uint32_t) rng(100) : 0;
		h->events[i].down = i ? (uint32_t) rng(20) : 0;
		h->events[i].planned = i ? (uint32_t) rng(20) : 0;
	}
	for (int i = 0; i < h->count; i++) {
		report_run_t *run = &h->runs[i];

		*run = plain;
		run->job = (uint64_t) i + 1;
		run->account = (int32_t) rng(ACCOUNTS);
		run->gpus = 1 + (uint32_t) rng(40);
		run->nodes = 1 + (uint32_t) rng(6);
		run->eligible = BEGIN - 5 * HOUR + (int64_t) rng(50 * HOUR);
		run->start = rng(6) ? run->eligible +
				      (int64_t) rng(4 * HOUR) - 60 : 0;
		run->end = rng(5) ? (run->start ? run->start : run->eligible) +
				    (int64_t) rng(9 * HOUR) : 0;
		run->class = rng(REPORT_CLASSES);
		run->minimum = run->class == REPORT_ALLOCATED ?
			(int64_t) (1 + rng(3 * HOUR)) : REPORT_UNKNOWN;
		run->limit = rng(4) ? REPORT_UNKNOWN : (int64_t) rng(1800);
		run->outcome = rng(REPORT_ENDS);
		run->restart = !rng(5);
		run->interactive = !rng(5);
		run->lost = rng(3) ? REPORT_UNKNOWN : (double) rng(90000);
		run->usage = rng(3) ? (double) rng(100) / 100 : REPORT_UNKNOWN;
	}
}

static report_t *feed(const history_t *h)
{
	sb_err_t err;
	report_t *report = report_create(BEGIN, h->until, h->accounts,
					 ACCOUNTS, NULL, &err);

	ck_assert_ptr_nonnull(report);
	for (int i = 0; i < EVENTS; i++)
		ck_assert_int_eq(report_capacity(report, h->events[i].from,
						 h->events[i].until,
						 h->events[i].total,
						 h->events[i].down,
						 h->events[i].planned, &err),
				 0);
	for (int i = 0; i < h->count; i++)
		if (report_add(report, &h->runs[i], &err))
			ck_abort_msg("%s", err.text);
	ck_assert_int_eq(report_finish(report, &err), 0);
	return report;
}

static double overlap(int64_t a, int64_t b, int64_t from, int64_t until)
{
	int64_t first = a > from ? a : from, last = b < until ? b : until;

	return last > first ? (double) (last - first) : 0;
}

static bool below(const history_t *h, int32_t account, int32_t above)
{
	while (account >= 0 && account != above)
		account = h->accounts[account].parent;
	return account == above;
}

static bool is_team(const history_t *h, int32_t account)
{
	for (int i = 0; i < ACCOUNTS; i++)
		if (h->accounts[i].parent == account)
			return false;
	return h->accounts[account].allocation > 0;
}

static double running(const report_run_t *run, int64_t from, int64_t until)
{
	return run->start ? run->gpus *
		overlap(run->start, run->end ? run->end : INT64_MAX, from,
			until) : 0;
}

static double waiting(const report_run_t *run, int64_t from, int64_t until)
{
	int64_t end = run->start ? run->start : run->end ? run->end :
							   INT64_MAX;

	return run->gpus * overlap(run->eligible, end, from, until);
}

static double slow_available(const history_t *h, int64_t from, int64_t until)
{
	double up = 0;

	for (int i = 0; i < EVENTS; i++)
		up += overlap(h->events[i].from, h->events[i].until, from,
			      until) *
		      ((double) h->events[i].total - h->events[i].down -
		       h->events[i].planned);
	return up > 0 ? up : 0;
}

/* What an account was owed and delivered, GPU-hours. */
static void slow_account(const history_t *h, int32_t account, double *owed,
			 double *delivered)
{
	*owed = *delivered = 0;
	for (int64_t t = BEGIN; t < h->until; t += HOUR) {
		int64_t end = t + HOUR < h->until ? t + HOUR : h->until;
		double asked = 0, got = 0;

		for (int i = 0; i < h->count; i++) {
			const report_run_t *run = &h->runs[i];

			if (run->class == REPORT_FREE ||
			    !below(h, run->account, account))
				continue;
			got += running(run, t, end);
			asked += waiting(run, t, end);
		}
		*owed += fmin(h->accounts[account].allocation *
			      slow_available(h, t, end), asked + got) / HOUR;
		*delivered += got / HOUR;
	}
}

static double slow_lost(const history_t *h, report_end_t outcome)
{
	double lost = 0;

	for (int i = 0; i < h->count; i++) {
		const report_run_t *run = &h->runs[i];
		int64_t ran = run->end - run->start;
		double one = run->lost;

		if (run->outcome != outcome || !run->start || !run->end ||
		    run->end <= BEGIN || run->end > h->until)
			continue;
		if (one < 0)
			one = (double) run->gpus *
			      (double) (run->minimum > 0 ?
					ran % run->minimum : ran);
		lost += fmin(one, running(run, BEGIN, h->until));
	}
	return lost / HOUR;
}

static void compare_totals(const history_t *h, const report_t *report)
{
	const report_totals_t *t = report_totals(report);
	double available = 0, allocated = 0, owed = 0, delivered = 0;
	size_t good = 0;

	for (int64_t at = BEGIN; at < h->until; at += HOUR) {
		int64_t end = at + HOUR < h->until ? at + HOUR : h->until;

		available += slow_available(h, at, end) / HOUR;
	}
	for (int i = 0; i < h->count; i++)
		allocated += running(&h->runs[i], BEGIN, h->until) / HOUR;
	is_close(t->available, available, "available");
	is_close(t->allocated, allocated, "allocated");
	is_close(t->lost_preempted, slow_lost(h, REPORT_PREEMPTED), "lost");
	is_close(t->lost_failed, slow_lost(h, REPORT_NODE_FAIL), "failed");
	for (int i = 0; i < ACCOUNTS; i++) {
		double o, d;

		slow_account(h, i, &o, &d);
		if (!is_team(h, i) || !(o > 0))
			continue;
		owed += o;
		delivered += fmin(o, d);
		good += d >= 0.95 * o;
	}
	ck_assert_uint_eq(t->teams_95, good);
	is_close(t->owed, owed, "owed");
	is_close(t->delivered, delivered, "delivered");
	is_close(t->delivered_owed, owed > 0 ? delivered / owed : NAN,
		 "delivered / owed");
}

static const char *kind_of(const report_run_t *run)
{
	return run->restart ? "requeued" :
		run->class == REPORT_FREE ? "free" :
		run->interactive ? "interactive" :
		run->nodes >= 4 ? "large" :
		(run->minimum > 0 && run->minimum <= 900) ||
		(run->limit > 0 && run->limit <= 900) ? "debug" : "other";
}

/* RET: how long a run of this kind waited, -1: it does not count. */
static double slow_wait(const history_t *h, const report_run_t *run,
			const char *kind)
{
	bool open = run->start ? run->start >= h->until :
				 !run->end || run->end >= h->until;

	if (strcmp(kind_of(run), kind))
		return -1;
	if (open)
		return run->eligible < h->until ?
			(double) (h->until - run->eligible) : -1;
	if (!run->start || run->start < BEGIN)
		return -1;
	return run->start > run->eligible ?
		(double) (run->start - run->eligible) : 0;
}

/* The shortest of all that so many do not exceed, by trying each. */
static double slow_quantile(const double *waits, int count, int percent)
{
	double best = NAN;

	for (int i = 0; i < count; i++) {
		int within = 0;

		for (int j = 0; j < count; j++)
			within += waits[j] <= waits[i];
		if (100 * within >= percent * count &&
		    !(waits[i] >= best))
			best = waits[i];
	}
	return best;
}

static void compare_waits(const history_t *h, const report_t *report)
{
	static const char *const kinds[] = { "debug", "large", "interactive",
					     "other", "free", "requeued" };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		double waits[RUNS], got;
		int count = 0, gave_up = 0;

		for (int i = 0; i < h->count; i++) {
			const report_run_t *run = &h->runs[i];
			double wait = slow_wait(h, run, kinds[k]);

			if (wait >= 0)
				waits[count++] = wait;
			gave_up += !run->start && run->end >= BEGIN &&
				   run->end < h->until &&
				   !strcmp(kind_of(run), kinds[k]);
		}
		got = figure(report, REPORT_SHEET_WAITS, kinds[k], "gave_up");
		is_close(isnan(got) ? 0 : got, gave_up, "gave up");
		if (!count)
			continue;
		is_close(figure(report, REPORT_SHEET_WAITS, kinds[k], "jobs"),
			 count, kinds[k]);
		is_close(figure(report, REPORT_SHEET_WAITS, kinds[k], "p50"),
			 slow_quantile(waits, count, 50), "p50");
		is_close(figure(report, REPORT_SHEET_WAITS, kinds[k], "p90"),
			 slow_quantile(waits, count, 90), "p90");
		is_close(figure(report, REPORT_SHEET_WAITS, kinds[k], "p99"),
			 slow_quantile(waits, count, 99), "p99");
		is_close(figure(report, REPORT_SHEET_WAITS, kinds[k], "max"),
			 slow_quantile(waits, count, 100), "max");
	}
}

/* Sums per account hold what is below it. */
static void compare_sums(const history_t *h, const report_t *report)
{
	for (int a = 0; a < ACCOUNTS; a++) {
		double unpaid = 0, preempted = 0, runs = 0, got;

		for (int i = 0; i < h->count; i++) {
			const report_run_t *run = &h->runs[i];
			double time = running(run, BEGIN, h->until);

			if (!below(h, run->account, a))
				continue;
			runs += time > 0;
			unpaid += run->class == REPORT_FREE ? time / HOUR : 0;
			preempted += time > 0 && run->end > BEGIN &&
				     run->end <= h->until &&
				     run->outcome == REPORT_PREEMPTED;
		}
		got = figure(report, REPORT_SHEET_TEAMS, h->names[a],
			     "unallocated_hours");
		is_close(isnan(got) ? 0 : got, unpaid, "free hours");
		got = figure(report, REPORT_SHEET_TEAMS, h->names[a], "runs");
		is_close(isnan(got) ? 0 : got, runs, "runs");
		got = figure(report, REPORT_SHEET_PREEMPTIONS, h->names[a],
			     "preempted");
		is_close(isnan(got) ? 0 : got, preempted, "preempted");
	}
}

static void compare_hours(const history_t *h, const report_t *report)
{
	const report_sheet_t *sheet = report_sheet(report, REPORT_SHEET_HOURS);
	size_t row = 0;

	for (int64_t t = BEGIN; t < h->until; t += HOUR, row++) {
		int64_t end = t + HOUR < h->until ? t + HOUR : h->until;
		double length = (double) (end - t), charged = 0, asked = 0;

		for (int i = 0; i < h->count; i++) {
			if (h->runs[i].class == REPORT_FREE)
				continue;
			charged += running(&h->runs[i], t, end) / length;
			asked += waiting(&h->runs[i], t, end) / length;
		}
		is_close(report_sheet_value(sheet, row, 0), (double) t, "t");
		is_close(report_sheet_value(sheet, row, 2),
			 slow_available(h, t, end) / length, "up");
		is_close(report_sheet_value(sheet, row, 3), charged, "used");
		is_close(report_sheet_value(sheet, row, 5), asked, "asked");
	}
	ck_assert_uint_eq(report_sheet_rows(sheet), row);
}

START_TEST(random_histories)
{
	history_t h;

	for (int round = 0; round < 400; round++) {
		report_t *report;

		rng_state = (uint64_t) round;
		make_history(&h);
		report = feed(&h);
		compare_totals(&h, report);
		compare_waits(&h, report);
		compare_sums(&h, report);
		compare_hours(&h, report);
		for (int i = 0; i < ACCOUNTS; i++) {
			double owed, delivered, got;

			slow_account(&h, i, &owed, &delivered);
			got = figure(report, REPORT_SHEET_TEAMS, h.names[i],
				     "owed_hours");
			is_close(isnan(got) ? 0 : got, owed, h.names[i]);
			got = figure(report, REPORT_SHEET_TEAMS, h.names[i],
				     "delivered_hours");
			is_close(isnan(got) ? 0 : got, delivered, h.names[i]);
		}
		report_destroy(report);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report_random");
	TCase *tcase = tcase_create("report_random");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, random_histories);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
