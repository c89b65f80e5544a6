/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_report - figures against the example of doc/report.md, and against a
 * second computation that walks every run for every hour.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

#define HOUR 3600
#define BEGIN INT64_C(1790812800)

static uint64_t rng_state;

static uint64_t rng(uint64_t below)
{
	uint64_t z = (rng_state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31)) % below;
}

static const report_run_t plain = {
	.job = 1, .eligible = BEGIN, .start = BEGIN, .end = BEGIN + HOUR,
	.gpus = 8, .nodes = 1, .minimum = REPORT_UNKNOWN,
	.limit = REPORT_UNKNOWN, .outcome = REPORT_COMPLETED,
	.usage = REPORT_UNKNOWN, .lost = REPORT_UNKNOWN,
};

/* The value of a column in the row that a text begins. */
static double figure(const report_t *report, report_sheet_id_t id,
		     const char *row, const char *column)
{
	const report_sheet_t *sheet = report_sheet(report, id);

	for (size_t r = 0; r < report_sheet_rows(sheet); r++) {
		if (strcmp(report_sheet_text(sheet, r, 0), row))
			continue;
		for (size_t c = 0; c < report_sheet_columns(sheet); c++)
			if (!strcmp(report_sheet_column(sheet, c)->name,
				    column))
				return report_sheet_value(sheet, r, c);
	}
	return NAN;
}

static void is_close(double got, double wanted, const char *what)
{
	double scale = fabs(wanted) > 1 ? fabs(wanted) : 1;

	if (isnan(got) && isnan(wanted))
		return;
	if (!(fabs(got - wanted) <= 1e-6 * scale))
		ck_abort_msg("%s: %.9g, not %.9g", what, got, wanted);
}

/* ---- bounds ------------------------------------------------------------- */

START_TEST(create_refuses)
{
	const struct {
		int64_t from, until;
		report_account_t accounts[2];
		const char *why;
	} t[] = {
		{ 5, 5, { { 0 } }, "empty" },
		{ 5, 4, { { 0 } }, "empty" },
		{ -1, 4, { { 0 } }, "empty or out" },
		{ 0, REPORT_TIME_MAX + 1, { { 0 } }, "out of range" },
		{ INT64_MIN, INT64_MAX, { { 0 } }, "out of range" },
		{ 0, (REPORT_HOURS_MAX + 1) * INT64_C(3600), { { 0 } },
		  "longer than" },
		{ 0, 9, { { NULL, -1, 0, false } }, "name" },
		{ 0, 9, { { "", -1, 0, false } }, "name" },
		{ 0, 9, { { "a", 0, 0, false } }, "parent" },
		{ 0, 9, { { "a", -2, 0, false } }, "parent" },
		{ 0, 9, { { "a", 1, 0, false }, { "b", -1, 0, false } },
		  "parent" },
		{ 0, 9, { { "a", -1, -0.1, false } }, "allocation" },
		{ 0, 9, { { "a", -1, 1.1, false } }, "allocation" },
		{ 0, 9, { { "a", -1, NAN, false } }, "allocation" },
		{ 0, 9, { { "a", -1, 0, true }, { "b", 0, 0, true } },
		  "inside of another team" },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		sb_err_t err = { "" };
		size_t count = i < 6 ? 0 : t[i].accounts[1].name ? 2 : 1;

		ck_assert_ptr_null(report_create(t[i].from, t[i].until,
						 t[i].accounts, count, NULL,
						 &err));
		if (!strstr(err.text, t[i].why))
			ck_abort_msg("case %zu: %s", i, err.text);
	}
	report_destroy(NULL);
}
END_TEST

START_TEST(add_refuses)
{
	const report_account_t account = { "a", -1, 1, true };
	report_run_t t[12];
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + HOUR, &account, 1,
					 NULL, &err);
	size_t count = sizeof(t) / sizeof(t[0]);

	for (size_t i = 0; i < count; i++)
		t[i] = plain;
	t[0].account = 1;
	t[1].account = -2;
	t[2].end = t[2].start - 1;
	t[3].start = -1;
	t[4].end = REPORT_TIME_MAX + 1;
	t[5].eligible = INT64_MIN;
	t[6].eligible = t[6].start + 2 * 86400;
	t[7].gpus = REPORT_GPUS_MAX + 1;
	t[8].nodes = UINT32_MAX;
	t[9].class = REPORT_CLASSES;
	t[10].outcome = REPORT_ENDS;
	t[11].start = 0;
	t[11].end = t[11].eligible - 2 * 86400;
	for (size_t i = 0; i < count; i++) {
		err.text[0] = '\0';
		ck_assert_int_eq(report_add(report, &t[i], &err), -1);
		ck_assert_str_ne(err.text, "");
	}
	ck_assert_int_eq(report_capacity(report, 5, 4, 0, 0, 0, NULL), -1);
	ck_assert_int_eq(report_capacity(report, -1, 4, 0, 0, 0, NULL), -1);
	ck_assert_int_eq(report_capacity(report, 0, 4, UINT32_MAX, 0, 0, NULL),
			 -1);
	ck_assert_int_eq(report_preemption(report, 1, 0, REPORT_YES, NULL),
			 -1);
	ck_assert_int_eq(report_bar(report, 0, 1, 0, 1, NULL), -1);
	ck_assert_int_eq(report_bar(report, 0, 0, 2, 1, NULL), -1);
	ck_assert_int_eq(report_account(report, NULL, NULL), -1);
	ck_assert_int_eq(report_account(report, "", NULL), -1);
	ck_assert_ptr_null(report_totals(report));
	ck_assert_ptr_null(report_sheet(report, REPORT_SHEET_TEAMS));
	ck_assert_ptr_null(report_json(report, true, &err));

	ck_assert_int_eq(report_finish(report, &err), 0);
	ck_assert_uint_eq(report_totals(report)->refused, count);
	ck_assert_uint_eq(report_totals(report)->runs, 0);
	ck_assert_int_eq(report_finish(report, &err), -1);
	ck_assert_int_eq(report_add(report, &plain, &err), -1);
	ck_assert_int_eq(report_capacity(report, 0, 4, 0, 0, 0, NULL), -1);
	ck_assert_ptr_null(report_sheet(report, REPORT_SHEETS));
	report_destroy(report);
}
END_TEST

START_TEST(accounts_by_name)
{
	const report_account_t account = { "a", -1, 1, true };
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + HOUR, &account, 1,
					 NULL, &err);
	report_run_t run = plain;

	ck_assert_int_eq(report_account(report, "a", &err), 0);
	ck_assert_int_eq(report_account(report, "gone", &err), 1);
	ck_assert_int_eq(report_account(report, "gone", &err), 1);
	run.account = 1;
	ck_assert_int_eq(report_add(report, &run, &err), 0);
	run.account = REPORT_NO_ACCOUNT;
	ck_assert_int_eq(report_add(report, &run, &err), 0);
	ck_assert_int_eq(report_add(report, &run, &err), 0);
	ck_assert_int_eq(report_finish(report, &err), 0);
	is_close(figure(report, REPORT_SHEET_TEAMS, "gone",
			"delivered_hours"), 8, "gone");
	is_close(figure(report, REPORT_SHEET_TEAMS, "(unknown)",
			"delivered_hours"), 16, "unknown");
	is_close(report_totals(report)->allocated, 24, "allocated");
	ck_assert_uint_eq(report_totals(report)->teams, 0);
	report_destroy(report);
}
END_TEST

/* Whatever borders a run has on hours and the period, its time is there. */
START_TEST(borders)
{
	static const int64_t at[] = { -HOUR, -1, 0, 1, HOUR - 1, HOUR,
				      HOUR + 1, 2 * HOUR, 2 * HOUR + 1799,
				      2 * HOUR + 1800, 3 * HOUR };
	const size_t count = sizeof(at) / sizeof(at[0]);
	const int64_t length = 2 * HOUR + 1800;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = i; j < count; j++) {
			const report_account_t account = { "a", -1, 1, true };
			report_run_t run = plain;
			report_t *report;
			sb_err_t err;
			int64_t a = at[i] < 0 ? 0 : at[i];
			int64_t b = at[j] > length ? length : at[j];

			report = report_create(BEGIN, BEGIN + length, &account,
					       1, NULL, &err);
			run.start = run.eligible = BEGIN + at[i];
			run.end = BEGIN + at[j];
			ck_assert_int_eq(report_add(report, &run, &err), 0);
			ck_assert_int_eq(report_finish(report, &err), 0);
			is_close(report_totals(report)->allocated * HOUR,
				 b > a ? 8.0 * (double) (b - a) : 0, "time");
			report_destroy(report);
		}
	}
}
END_TEST

/* ---- the example of the manual ------------------------------------------ */

/* Split a row of a table in place. RET: number of cells. */
static size_t split(char *line, char **cells, size_t room)
{
	size_t count = 0;
	char *save = NULL;

	for (char *cell = strtok_r(line, "|\n", &save); cell && count < room;
	     cell = strtok_r(NULL, "|\n", &save)) {
		cell += strspn(cell, " ");
		for (size_t n = strlen(cell); n && cell[n - 1] == ' '; n--)
			cell[n - 1] = '\0';
		cells[count++] = cell;
	}
	return count;
}

static int64_t hours(const char *text)
{
	return !strcmp(text, "-") ? 0 :
		BEGIN + (int64_t) (strtod(text, NULL) * HOUR);
}

static void add_example(report_t *report, char **cell, uint64_t last)
{
	report_run_t run = plain;
	sb_err_t err;

	run.job = strtoull(cell[0], NULL, 10);
	run.account = report_account(report, cell[1], &err);
	run.gpus = (uint32_t) atoi(cell[2]);
	run.class = !strcmp(cell[3], "free") ? REPORT_FREE : REPORT_ALLOCATED;
	run.minimum = (int64_t) (strtod(cell[4], NULL) * HOUR);
	run.eligible = hours(cell[5]);
	run.start = hours(cell[6]);
	run.end = hours(cell[7]);
	run.outcome = !strcmp(cell[8], "preempted") ? REPORT_PREEMPTED :
		      !strcmp(cell[8], "open") ? REPORT_OPEN :
						 REPORT_COMPLETED;
	run.restart = run.job == last;
	ck_assert_int_eq(report_add(report, &run, &err), 0);
}

/* A figure by its name in the manual. */
static double named(const report_t *report, const char *name)
{
	const report_totals_t *t = report_totals(report);
	const struct {
		const char *name;
		double value;
	} all[] = {
		{ "available", t->available },
		{ "availability", t->availability },
		{ "allocated", t->allocated },
		{ "occupancy", t->occupancy },
		{ "lost", t->lost_preempted },
		{ "impact", t->impact },
		{ "unallocated", t->unallocated },
		{ "delivered/owed", t->delivered_owed },
		{ "teams at 95 %", (double) t->teams_95 },
		{ "p50 other", figure(report, REPORT_SHEET_WAITS, "other",
				      "p50") },
		{ "p90 other", figure(report, REPORT_SHEET_WAITS, "other",
				      "p90") },
		{ "longest requeued", figure(report, REPORT_SHEET_WAITS,
					     "requeued", "max") },
		{ "owed a", figure(report, REPORT_SHEET_TEAMS, "a",
				   "owed_hours") },
		{ "owed b", figure(report, REPORT_SHEET_TEAMS, "b",
				   "owed_hours") },
		{ "delivered a", figure(report, REPORT_SHEET_TEAMS, "a",
					"delivered_hours") },
		{ "delivered b", figure(report, REPORT_SHEET_TEAMS, "b",
					"delivered_hours") },
		{ "delivered/owed a", figure(report, REPORT_SHEET_TEAMS, "a",
					     "delivered_owed") },
		{ "delivered/owed b", figure(report, REPORT_SHEET_TEAMS, "b",
					     "delivered_owed") },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].name, name))
			return all[i].value;
	ck_abort_msg("the manual has a figure '%s'", name);
	return NAN;
}

START_TEST(manual)
{
	const report_account_t accounts[] = { { "a", -1, 0.75, true },
					      { "b", -1, 0.25, true } };
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + 4 * HOUR, accounts, 2,
					 NULL, &err);
	FILE *file = fopen(DOCDIR "/report.md", "r");
	char line[512], *cell[16];
	size_t runs = 0, figures = 0;
	uint64_t last = 0;
	bool here = false;

	ck_assert_ptr_nonnull(file);
	report_capacity(report, BEGIN, BEGIN + 4 * HOUR, 8, 0, 0, &err);
	report_capacity(report, BEGIN + 3 * HOUR, BEGIN + 4 * HOUR, 0, 2, 0,
			&err);
	while (fgets(line, sizeof(line), file)) {
		size_t count;

		here = here || !strncmp(line, "## An example", 13);
		if (!here || line[0] != '|' || line[1] == '-')
			continue;
		count = split(line, cell, 16);
		if (count == 9 && strcmp(cell[0], "job")) {
			add_example(report, cell, last);
			last = strtoull(cell[0], NULL, 10);
			runs++;
		} else if (count == 2 && !strcmp(cell[0], "figure")) {
			ck_assert_int_eq(report_finish(report, &err), 0);
		} else if (count == 2) {
			is_close(named(report, cell[0]),
				 strtod(cell[1], NULL), cell[0]);
			figures++;
		}
	}
	ck_assert_uint_eq(runs, 5);
	ck_assert_uint_eq(figures, 18);
	fclose(file);
	report_destroy(report);
}
END_TEST

/* ---- a second computation ----------------------------------------------- */

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

/* ---- forms -------------------------------------------------------------- */

typedef struct {
	char *text;
	size_t used, room;
	int calls_left;		/* then the writer says no; < 0: never */
} sink_t;

static int into_sink(void *arg, const char *text, size_t len)
{
	sink_t *sink = arg;

	if (sink->calls_left >= 0 && !sink->calls_left--)
		return -1;
	if (sink->used + len + 1 > sink->room) {
		sink->room = 2 * (sink->used + len + 1);
		sink->text = realloc(sink->text, sink->room);
		ck_assert_ptr_nonnull(sink->text);
	}
	memcpy(sink->text + sink->used, text, len);
	sink->used += len;
	sink->text[sink->used] = '\0';
	return 0;
}

static const char *const bad_names[] = {
	"</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>",
	"\"quoted\", 'and'", "=HYPERLINK(\"x\")", "\xff\xfe\x80", "\x1b[31m",
	"<!--", "two\nlines", "caf\xc3\xa9", "\xed\xa0\x80", "\xc0\xaf",
};
#define BAD (sizeof(bad_names) / sizeof(bad_names[0]))

/* A report with every bad name as account and as user that squats. */
static report_t *bad_report(void)
{
	report_account_t accounts[BAD];
	report_t *report;
	sb_err_t err;

	for (size_t i = 0; i < BAD; i++)
		accounts[i] = (report_account_t) { bad_names[i], -1, 0.05,
						   true };
	report = report_create(BEGIN, BEGIN + 9 * HOUR, accounts, BAD, NULL,
			       &err);
	ck_assert_ptr_nonnull(report);
	report_capacity(report, BEGIN, BEGIN + 9 * HOUR, 100, 0, 0, &err);
	for (size_t i = 0; i < BAD; i++) {
		report_run_t run = plain;

		run.account = (int32_t) i;
		run.user = bad_names[i];
		run.end = BEGIN + 5 * HOUR;
		run.usage = 0;
		ck_assert_int_eq(report_add(report, &run, &err), 0);
	}
	ck_assert_int_eq(report_finish(report, &err), 0);
	return report;
}

static size_t times(const char *text, const char *what)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		count++;
	return count;
}

START_TEST(html_of_bad_names)
{
	const char chart[] = "var Chart;";
	report_page_t page = { .title = bad_names[0], .subtitle = bad_names[1],
			       .made = bad_names[2], .zone = bad_names[0],
			       .chart = chart, .chart_size = strlen(chart) };
	report_t *report = bad_report();
	sink_t sink = { .calls_left = -1 };
	sb_err_t err;

	ck_assert_int_eq(report_html(report, &page, into_sink, &sink, &err),
			 0);
	/* Data, library, ours: no name ended one or began another. */
	ck_assert_uint_eq(times(sink.text, "<script"), 3);
	ck_assert_uint_eq(times(sink.text, "</script"), 3);
	ck_assert_uint_eq(times(sink.text, "<img"), 0);
	ck_assert_uint_eq(times(sink.text, "<!--"), 0);
	ck_assert_uint_eq(times(sink.text, "\x1b"), 0);
	ck_assert_uint_eq(times(sink.text, "\xff"), 0);
	ck_assert_uint_eq(times(sink.text, "\xed\xa0"), 0);
	ck_assert_uint_eq(times(sink.text, "\xc0"), 0);
	ck_assert_uint_ge(times(sink.text, "caf\xc3\xa9"), 2);
	free(sink.text);

	page.chart = "x</SCRIPT>";
	page.chart_size = 10;
	sink = (sink_t) { .calls_left = -1 };
	ck_assert_int_eq(report_html(report, &page, into_sink, &sink, &err),
			 -1);
	free(sink.text);
	page.chart = NULL;
	ck_assert_int_eq(report_html(report, &page, into_sink, &sink, &err),
			 -1);
	ck_assert_str_eq(err.text, REPORT_CHART_MISSING);
	report_destroy(report);
}
END_TEST

/* A full disk, at any piece. */
START_TEST(writers_that_fail)
{
	const char chart[] = "var Chart;";
	report_page_t page = { .chart = chart, .chart_size = strlen(chart) };
	report_t *report = bad_report();
	sb_err_t err;
	int result = -1;

	for (int calls = 0; result; calls += calls < 50 ? 1 : 97) {
		sink_t sink = { .calls_left = calls };

		result = report_html(report, &page, into_sink, &sink, &err);
		free(sink.text);
		ck_assert_int_lt(calls, 100000);
	}
	result = -1;
	for (int calls = 0; result; calls++) {
		sink_t sink = { .calls_left = calls };

		result = report_csv(report_sheet(report, REPORT_SHEET_TEAMS),
				    into_sink, &sink, &err);
		free(sink.text);
		ck_assert_int_lt(calls, 100000);
	}
	report_destroy(report);
}
END_TEST

START_TEST(csv_quotes)
{
	report_t *report = bad_report();
	sink_t sink = { .calls_left = -1 };
	sb_err_t err;

	ck_assert_int_eq(report_csv(report_sheet(report,
						 REPORT_SHEET_SQUATTING),
				    into_sink, &sink, &err), 0);
	ck_assert_int_eq(strncmp(sink.text, "account,user,idle_runs,", 23), 0);
	ck_assert_ptr_nonnull(strstr(sink.text, "\n\"\"\"quoted\"\", 'and'\","
				     "\"\"\"quoted\"\", 'and'\",1,"));
	ck_assert_ptr_nonnull(strstr(sink.text, "\"'=HYPERLINK(\"\"x\"\")\""));
	ck_assert_ptr_nonnull(strstr(sink.text, "\"two\nlines\""));
	free(sink.text);
	report_destroy(report);
}
END_TEST

START_TEST(json_of_bad_names)
{
	report_t *report = bad_report();
	sb_err_t err;
	json_object *json = report_json(report, true, &err), *back, *part;
	const char *text;

	ck_assert_ptr_nonnull(json);
	text = json_object_to_json_string(json);
	ck_assert_uint_eq(times(text, "\xff"), 0);
	back = json_tokener_parse(text);
	ck_assert_ptr_nonnull(back);
	ck_assert(json_object_object_get_ex(back, "accounts", &part));
	ck_assert_uint_eq(json_object_array_length(part), BAD);
	ck_assert(json_object_object_get_ex(back, "hours", &part));
	ck_assert_uint_eq(json_object_array_length(part), 9);
	ck_assert(json_object_object_get_ex(back, "totals", &part));
	ck_assert(json_object_object_get_ex(part, "utilisation", &part));
	is_close(json_object_get_double(part), 0, "utilisation");
	json_object_put(back);
	json_object_put(json);
	report_destroy(report);
}
END_TEST

/* ---- habits ------------------------------------------------------------- */

START_TEST(habits)
{
	const report_account_t account = { "a", -1, 1, true };
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + 24 * HOUR, &account, 1,
					 NULL, &err);
	report_run_t run = plain;

	report_capacity(report, BEGIN, BEGIN + 24 * HOUR, 8, 0, 0, &err);
	run.user = "sits";
	run.class = REPORT_ALLOCATED;
	run.minimum = 8 * HOUR;
	run.end = BEGIN + 4 * HOUR;
	run.usage = 0.05;
	run.drained = 1800;
	for (int i = 0; i < 3; i++)
		report_add(report, &run, &err);
	run.user = "works";
	run.usage = 0.06;
	run.minimum = 8 * HOUR - 1;
	run.drained = 0;
	report_add(report, &run, &err);
	run.user = "short";
	run.usage = 0;
	run.end--;
	report_add(report, &run, &err);
	run.user = "unseen";
	run.usage = REPORT_UNKNOWN;
	run.interactive = true;
	run.end++;
	run.restart = true;
	report_add(report, &run, &err);
	ck_assert_int_eq(report_finish(report, &err), 0);

	const report_sheet_t *sheet = report_sheet(report,
						   REPORT_SHEET_SQUATTING);

	ck_assert_uint_eq(report_sheet_rows(sheet), 2);
	ck_assert_str_eq(report_sheet_text(sheet, 0, 1), "sits");
	ck_assert_str_eq(report_sheet_text(sheet, 0, 5), "yes");
	is_close(report_sheet_value(sheet, 0, 3), 96, "idle hours");
	ck_assert_str_eq(report_sheet_text(sheet, 1, 1), "unseen");
	ck_assert_str_eq(report_sheet_text(sheet, 1, 5), "no");
	is_close(figure(report, REPORT_SHEET_INFLATION, "a", "at_cap_share"),
		 0.6, "at cap");
	is_close(figure(report, REPORT_SHEET_DRAINING, "a", "hours"), 12,
		 "drained");
	ck_assert_ptr_null(report_sheet_text(sheet, 2, 0));
	ck_assert(isnan(report_sheet_value(sheet, 0, 99)));
	ck_assert_ptr_null(report_sheet_column(sheet, 99));
	report_destroy(report);
}
END_TEST

START_TEST(quantiles)
{
	const report_account_t account = { "a", -1, 1, true };
	sb_err_t err;
	report_t *report = report_create(BEGIN, BEGIN + HOUR, &account, 1,
					 NULL, &err);
	report_run_t run = plain;

	for (int i = 0; i < 100; i++) {
		run.eligible = run.start - 1 - 37 * i % 100;
		ck_assert_int_eq(report_add(report, &run, &err), 0);
	}
	ck_assert_int_eq(report_finish(report, &err), 0);
	is_close(figure(report, REPORT_SHEET_WAITS, "other", "p50"), 50, "p50");
	is_close(figure(report, REPORT_SHEET_WAITS, "other", "p90"), 90, "p90");
	is_close(figure(report, REPORT_SHEET_WAITS, "other", "p99"), 99, "p99");
	is_close(figure(report, REPORT_SHEET_WAITS, "other", "max"), 100,
		 "max");
	is_close(figure(report, REPORT_SHEET_WAITS_SIZE, "8", "p99"), 99,
		 "by size");
	is_close(figure(report, REPORT_SHEET_WAITS_ACCOUNT, "a", "p99"), 99,
		 "by account");
	report_destroy(report);
}
END_TEST

/* Who has the last second of a run has its end: reports in a row count each
 * preemption once. */
START_TEST(ends_at_borders)
{
	const report_account_t account = { "a", -1, 1, true };
	double preempted = 0;

	for (int i = 0; i < 3; i++) {
		const int64_t from = BEGIN + i * HOUR;
		report_run_t run = plain;
		sb_err_t err;
		report_t *report = report_create(from, from + HOUR, &account,
						 1, NULL, &err);

		run.start = run.eligible = BEGIN + 60;
		run.end = BEGIN + 2 * HOUR;
		run.outcome = REPORT_PREEMPTED;
		report_add(report, &run, &err);
		ck_assert_int_eq(report_finish(report, &err), 0);
		preempted += (double) report_totals(report)->preemptions;
		report_destroy(report);
	}
	is_close(preempted, 1, "preempted");
}
END_TEST

/* What is short of all is not shown as all. */
START_TEST(cells)
{
	const report_account_t account = { "a", -1, 1, true };
	static const struct {
		uint32_t used;
		const char *text;
	} t[] = {
		{ 100000, "100.0 %" }, { 99999, "99.9 %" }, { 99900, "99.9 %" },
		{ 50, "0.1 %" },       { 0, "0.0 %" },	    { 150000,
							      "150.0 %" },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		sb_err_t err;
		report_t *report = report_create(BEGIN, BEGIN + HOUR, &account,
						 1, NULL, &err);
		report_run_t run = plain;
		char buf[64];

		report_capacity(report, BEGIN, BEGIN + HOUR, 100000, 0, 0,
				&err);
		run.gpus = t[i].used;
		report_add(report, &run, &err);
		ck_assert_int_eq(report_finish(report, &err), 0);
		ck_assert_str_eq(report_sheet_cell(
					 report_sheet(report,
						      REPORT_SHEET_PYRAMID),
					 4, 2, buf, sizeof(buf)), t[i].text);
		report_destroy(report);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tcase = tcase_create("report");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, create_refuses);
	tcase_add_test(tcase, add_refuses);
	tcase_add_test(tcase, accounts_by_name);
	tcase_add_test(tcase, borders);
	tcase_add_test(tcase, manual);
	tcase_add_test(tcase, random_histories);
	tcase_add_test(tcase, html_of_bad_names);
	tcase_add_test(tcase, writers_that_fail);
	tcase_add_test(tcase, csv_quotes);
	tcase_add_test(tcase, json_of_bad_names);
	tcase_add_test(tcase, habits);
	tcase_add_test(tcase, quantiles);
	tcase_add_test(tcase, ends_at_borders);
	tcase_add_test(tcase, cells);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
