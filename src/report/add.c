/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * add - one run into the tally.
 */
#include <math.h>
#include <string.h>

#include "limits.h"
#include "tally.h"

/* Clock steps between the hosts of one cluster, seconds. */
#define CLOCK_STEP SB_DAY

/* A run, cut to the period. */
typedef struct {
	const report_run_t *run;
	report_row_t *row;
	int64_t start, end;	/* of running, empty: start == end */
	int64_t asked, got;	/* of waiting */
	bool charged;
	bool started;		/* within the period */
	bool ended;		/* after running, within the period */
	double time;		/* GPU-seconds */
} slice_t;

static bool in_period(const report_t *report, int64_t when)
{
	return when >= report->period.from && when < report->period.until;
}

static bool is_time(int64_t when)
{
	return when >= 0 && when <= REPORT_TIME_MAX;
}

/* RET: NULL, or what is wrong. */
static const char *complaint(const report_t *report, const report_run_t *run)
{
	if (report->finished)
		return "the report is finished";
	if (report->runs >= REPORT_RUNS_MAX)
		return "too many runs";
	if (run->account < REPORT_NO_ACCOUNT ||
	    (run->account >= 0 && (size_t) run->account >= report->row_count))
		return "an account that is not there";
	if (!is_time(run->eligible) || !is_time(run->start) ||
	    !is_time(run->end))
		return "a time out of range";
	if (run->start && run->end && run->end < run->start)
		return "it ended before it started";
	if (run->start && run->start < run->eligible - CLOCK_STEP)
		return "it started long before it was eligible";
	if (!run->start && run->end && run->end < run->eligible - CLOCK_STEP)
		return "it was cancelled long before it was eligible";
	if (run->gpus > REPORT_GPUS_MAX || run->nodes > REPORT_GPUS_MAX)
		return "more GPUs or nodes than there can be";
	if ((unsigned) run->class >= REPORT_CLASSES ||
	    (unsigned) run->outcome >= REPORT_ENDS)
		return "a class or an end that is none";
	return NULL;
}

static slice_t slice(const report_t *report, const report_run_t *run)
{
	const report_period_t *period = &report->period;
	slice_t s = { .run = run, .asked = run->eligible, .got = run->start,
		      .start = run->start, .end = run->end };

	s.charged = run->class != REPORT_FREE;
	s.started = run->start && in_period(report, run->start);
	/* Whoever has its last second has its end. */
	s.ended = run->start && run->end > period->from &&
		  run->end <= period->until;
	if (!s.got)
		s.got = run->end ? run->end : period->until;
	if (!report_period_cut(period, &s.asked, &s.got))
		s.asked = s.got = 0;
	if (!s.end)
		s.end = period->until;
	if (!s.start || !report_period_cut(period, &s.start, &s.end))
		s.start = s.end = 0;
	s.time = (double) (s.end - s.start) * run->gpus;
	return s;
}

/* The row of a run; that of nobody comes with the first run of it. RET: NULL
 * without memory. */
static report_row_t *find_row(report_t *report, const report_run_t *run)
{
	if (run->account >= 0)
		return &report->rows[run->account];
	if (report->nobody < 0)
		report->nobody = report_account(report, "(unknown)", NULL);
	return report->nobody < 0 ? NULL : &report->rows[report->nobody];
}

static report_wait_class_t wait_class(const report_options_t *options,
				      const report_run_t *run)
{
	if (run->restart)
		return REPORT_WAIT_RESTART;
	if (run->class == REPORT_FREE)
		return REPORT_WAIT_FREE;
	if (run->interactive)
		return REPORT_WAIT_INTERACTIVE;
	if ((options->large_nodes && run->nodes >= options->large_nodes) ||
	    (options->large_gpus && run->gpus >= options->large_gpus))
		return REPORT_WAIT_LARGE;
	if ((run->minimum > 0 && run->minimum <= options->debug) ||
	    (run->limit > 0 && run->limit <= options->debug))
		return REPORT_WAIT_DEBUG;
	return REPORT_WAIT_OTHER;
}

/* What it waited, if the wait ended in the period or has not by its end. */
static int add_wait(report_t *report, const slice_t *s)
{
	const report_run_t *run = s->run;
	int64_t until = report->period.until, waited;
	report_wait_t wait = {
		.account = (uint32_t) (s->row - report->rows),
		.class = (uint8_t) wait_class(&report->options, run),
		.size = report_wait_size(run->gpus),
	};

	if (!run->start && run->end && run->end < until) {
		report->gave_up[wait.class] += in_period(report, run->end);
		return 0;
	}
	wait.open = !run->start || run->start >= until;
	if (wait.open ? run->eligible >= until : !s->started)
		return 0;
	waited = (wait.open ? until : run->start) - run->eligible;
	if (waited < 0)
		waited = 0;
	wait.wait = waited < UINT32_MAX ? (uint32_t) waited : UINT32_MAX;
	return report_waits_add(&report->waits, wait);
}

static int open_series(report_t *report, slice_t *s)
{
	if (!s->charged)
		return 0;
	if (s->end > s->start &&
	    report_series_open(&s->row->charged, &report->period))
		return -1;
	if (s->got > s->asked)
		return report_series_open(&s->row->pending, &report->period);
	return 0;
}

static void add_time(report_t *report, const slice_t *s)
{
	const report_period_t *period = &report->period;
	int64_t gpus = s->run->gpus;

	if (s->end > s->start) {
		report_series_add(&report->running[s->run->class], period,
				  s->start, s->end, gpus);
		if (s->charged)
			report_series_add(&s->row->charged, period, s->start,
					  s->end, gpus);
	}
	if (s->charged && s->got > s->asked) {
		report_series_add(&report->pending, period, s->asked, s->got,
				  gpus);
		report_series_add(&s->row->pending, period, s->asked, s->got,
				  gpus);
	}
}

/*
 * What an eviction or a failed node undid. The contract says it when the
 * source does not: a job makes progress once per declared minimum, so what is
 * past the last one is lost, and all of it when it declared none
 * (sb_policy_victim_cost() has the same rule). No more than what it ran within
 * the period, or more could be lost than was delivered.
 */
static void add_lost(const slice_t *s)
{
	const report_run_t *run = s->run;
	double *sums = s->row->sums, lost = run->lost;
	bool preempted = run->outcome == REPORT_PREEMPTED;

	if (!s->ended || (!preempted && run->outcome != REPORT_NODE_FAIL))
		return;
	if (!(lost >= 0)) {
		int64_t ran = run->end - run->start;

		if (run->minimum > 0)
			ran %= run->minimum;
		lost = (double) ran * run->gpus;
		sums[REPORT_SUM_LOST_RULED] += fmin(lost, s->time);
	}
	lost = fmin(lost, s->time);
	sums[preempted ? REPORT_SUM_PREEMPTED : REPORT_SUM_NODE_FAILED]++;
	sums[preempted ? REPORT_SUM_LOST_PREEMPTED :
			 REPORT_SUM_LOST_FAILED] += lost;
}

static void add_declared(const report_t *report, const slice_t *s)
{
	const report_run_t *run = s->run;
	int64_t cap = run->cap > 0 ? run->cap : report->options.cap;
	double *sums = s->row->sums;
	bool at_cap = cap > 0 && run->minimum >= cap;

	if (run->class != REPORT_ALLOCATED || run->minimum <= 0)
		return;
	if (s->started && !run->restart) {
		sums[REPORT_SUM_DECLARED]++;
		sums[REPORT_SUM_AT_CAP] += at_cap;
	}
	sums[REPORT_SUM_DECLARED_TIME] += s->time;
	sums[REPORT_SUM_AT_CAP_TIME] += at_cap ? s->time : 0;
}

static void add_sums(const report_t *report, const slice_t *s)
{
	const report_run_t *run = s->run;
	double *sums = s->row->sums;

	if (s->end <= s->start)
		return;
	sums[REPORT_SUM_RUNS]++;
	sums[REPORT_SUM_ALLOCATED + run->class] += s->time;
	if (s->ended && run->outcome == REPORT_FAILED)
		sums[REPORT_SUM_ENDED_FAILED] += s->time;
	add_lost(s);
	add_declared(report, s);
	if (run->drained > 0) {
		sums[REPORT_SUM_DRAINED]++;
		sums[REPORT_SUM_DRAINED_TIME] +=
			fmin((double) run->drained * run->gpus, s->time);
	}
	if (run->usage >= 0) {
		sums[REPORT_SUM_USAGE_TIME] += s->time;
		sums[REPORT_SUM_USAGE] += s->time * fmin(run->usage, 1);
	}
}

extern int report_add(report_t *report, const report_run_t *run, sb_err_t *err)
{
	const char *wrong = complaint(report, run);
	size_t waits = report->waits.count;
	slice_t s;

	if (wrong) {
		report->refused++;
		sb_err_set(&report->refusal, "job %llu: %s",
			   (unsigned long long) run->job, wrong);
		return sb_err_set(err, "%s", report->refusal.text);
	}
	if (!run->gpus) {
		report->runs++;
		return 0;
	}
	s = slice(report, run);
	s.row = find_row(report, run);
	if (!s.row || open_series(report, &s) || add_wait(report, &s))
		return sb_err_set(err, "out of memory");
	if (report_people_add(report, run, s.end - s.start, s.time, err)) {
		report->waits.count = waits;
		return -1;
	}
	add_time(report, &s);
	add_sums(report, &s);
	report->runs++;
	return 0;
}
