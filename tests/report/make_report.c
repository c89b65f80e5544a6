/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_report [month|day|hostile|empty] [html|json|csv|time] - the report of
 * a cluster of 128 nodes with 8 GPUs and 15 teams that never was, the same on
 * every run. month: 30 days; day: 24 hours, with the plot of nodes; hostile:
 * a day with names that try to be markup; empty: nothing at all. time: a month
 * of 200,000 runs, and what it cost, on stderr.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "comparison.h"
#include "page.h"

#define NODES 128
#define GPUS 8
#define TEAMS 15
#define BEGIN 1790812800	/* 2026-10-01 00:00 UTC */
#define DAY INT64_C(86400)

static uint64_t rng_state = 1;

static uint64_t rng(uint64_t below)
{
	uint64_t z = (rng_state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31)) % below;
}

/* A span of about `middle`, often much less, at times ten times as much. */
static int64_t span(int64_t middle)
{
	int64_t half = middle / 4 + (int64_t) rng((uint64_t) middle + 1);

	return half * (int64_t) (rng(100) < 15 ? 1 + rng(10) : 1);
}

static const char *const nice_names[TEAMS] = {
	"pretraining", "post-training", "vision-language", "molecules",
	"climate", "agents", "evaluation", "data-curation", "safety",
	"interpretability", "speech", "robotics", "weather-downscaling",
	"infrastructure", "education"
};
static const char *const bad_names[TEAMS] = {
	"</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>",
	"\"><b>bold", "'; alert(3); '", "<!--", "]]>", "a&amp;b", "\xff\xfe",
	"\x1b[31mred", "=HYPERLINK(\"x\")", "{{7*7}}", "${alert(4)}",
	"a-name-that-is-much-longer-than-anybody-would-ever-want-to-read-in-a-"
	"table", "\xe2\x80\xa8line", "__proto__"
};
static const uint32_t shares[TEAMS] = {
	24, 14, 10, 9, 8, 7, 6, 5, 4, 4, 3, 2, 2, 1, 1
};
/* Who gets how much, of 101. */
static const uint32_t luck[TEAMS] = {
	26, 13, 10, 10, 8, 7, 6, 5, 4, 4, 3, 1, 2, 1, 1
};

/* Who gets a node next: by share, but the demand of some comes and goes. */
static int32_t pick_team(int64_t when)
{
	int64_t day = (when - BEGIN) / DAY;

	for (;;) {
		uint64_t n = rng(101);
		int32_t team = 0;

		while (n >= luck[team])
			n -= luck[team++];
		if (team == 3 && day >= 8 && day < 15)
			continue;
		if (team == 5 && day % 7 >= 5 && rng(3))
			continue;
		if (team == 8 && day < 12 && rng(8))
			continue;
		return team;
	}
}

/* IN large: on eight nodes. */
static report_run_t make_run(int64_t now, uint32_t nodes, bool quick)
{
	static char user[32];
	report_run_t run = { .job = 1 + rng(1000000), .nodes = nodes,
			     .gpus = nodes * GPUS, .start = now,
			     .account = pick_team(now), .minimum = 4 * 3600,
			     .limit = 2 * DAY, .usage = REPORT_UNKNOWN,
			     .lost = REPORT_UNKNOWN,
			     .outcome = REPORT_COMPLETED };
	uint64_t kind = rng(100);
	int64_t length = span(nodes > 1 ? 30000 : 9000), wait = span(1500);

	snprintf(user, sizeof(user), "u%02d%c", run.account,
		 (char) ('a' + rng(5)));
	run.user = user;
	if (quick)
		length = span(1200);
	if (nodes > 1) {
		wait = span(4000);
	} else if (kind < 25) {
		run.limit = 900;
		length = (int64_t) (60 + rng(840));
		wait = span(12);
	} else if (kind < 40) {
		run.class = REPORT_FREE;
		run.minimum = 0;
		wait = span(7000);
	} else if (kind < 50) {
		run.interactive = true;
		wait = span(60);
		run.usage = rng(3) ? 0.4 : 0.01;
	} else if (kind < 60) {
		run.class = REPORT_UNDECLARED;
		run.minimum = REPORT_UNKNOWN;
	} else if (kind < 70) {
		run.minimum = 8 * 3600;
	}
	if (nodes > 1)
		run.usage = 0.5 + (double) rng(45) / 100;
	/* Two teams that a large job makes wait for days. */
	if ((run.account == 11 || run.account == 8) && nodes > 1)
		wait += 3 * DAY;
	run.eligible = now - wait;
	run.end = now + (length > 0 ? length : 1);
	if (rng(100) < (run.class == REPORT_FREE ? 30 : 4))
		run.outcome = REPORT_PREEMPTED;
	else if (rng(100) < 2)
		run.outcome = REPORT_NODE_FAIL;
	else if (rng(100) < 8)
		run.outcome = REPORT_FAILED;
	run.drained = rng(200) ? 0 : length / 3;
	return run;
}

static void must(int result, const sb_err_t *err)
{
	if (!result)
		return;
	fprintf(stderr, "make_report: %s\n", err->text);
	exit(1);
}

/* One lane: a node, or eight of them, from job to job. */
static void fill_lane(report_t *report, uint32_t lane, uint32_t nodes,
		      int64_t until, bool quick, bool bars)
{
	int64_t now = BEGIN - (int64_t) rng(7200);
	sb_err_t err;

	while (now < until) {
		report_run_t run = make_run(now, nodes, quick);

		/* Half of the nodes are down for a day's third. */
		if (lane % 16 < 8 && now < BEGIN + 9 * DAY + 28800 &&
		    run.end > BEGIN + 9 * DAY) {
			now = BEGIN + 9 * DAY + 28800;
			continue;
		}

		must(report_add(report, &run, &err), &err);
		if (run.outcome == REPORT_PREEMPTED)
			must(report_preemption(report, run.job + 1, run.job,
					       rng(20) ? REPORT_YES :
							 REPORT_NO, &err),
			     &err);
		for (uint32_t n = 0; bars && n < nodes; n++)
			must(report_bar(report, lane + n, run.account,
					run.start, run.end, &err), &err);
		now = run.end + 20 + (int64_t) rng(quick ? 30 : 240);
	}
}

static report_t *make(const char *kind, int64_t *until)
{
	bool bars = strcmp(kind, "month") != 0, quick = !strcmp(kind, "quick");
	const char *const *names = strcmp(kind, "hostile") ? nice_names :
							     bad_names;
	report_account_t accounts[TEAMS];
	report_t *report;
	sb_err_t err;

	*until = BEGIN + (bars && !quick ? DAY : 30 * DAY);
	for (int i = 0; i < TEAMS; i++)
		accounts[i] = (report_account_t) {
			names[i], REPORT_NO_PARENT, shares[i] / 100.0, true
		};
	report = report_create(BEGIN, *until, accounts, TEAMS, NULL, &err);
	must(report ? 0 : -1, &err);
	if (!strcmp(kind, "empty"))
		return report;
	must(report_capacity(report, BEGIN, *until, NODES * GPUS, 0, 0, &err),
	     &err);
	must(report_capacity(report, BEGIN + 9 * DAY, BEGIN + 9 * DAY + 28800,
			     0, 0, 512, &err), &err);
	for (int i = 0; i < 25; i++) {
		int64_t from = BEGIN + (int64_t) rng(30 * DAY);

		must(report_capacity(report, from, from + span(40000), 0, GPUS,
				     0, &err), &err);
	}
	for (uint32_t lane = 0; lane < NODES; lane += lane < 40 ? 8 : 1)
		fill_lane(report, lane, lane < 40 ? 8 : 1, *until, quick,
			  bars && !quick);
	return report;
}

static int to_stdout(void *arg, const char *text, size_t len)
{
	(void) arg;
	return fwrite(text, 1, len, stdout) == len ? 0 : -1;
}

/* The same report, once more than are drawn, under names as bad as can be. */
static void print_sides(const report_t *report, const report_page_t *page)
{
	enum { SIDES = 7 };
	report_side_t sides[SIDES];
	report_comparison_t comparison = { .sides = sides, .count = SIDES };
	sb_err_t err;

	for (int i = 0; i < SIDES; i++) {
		sides[i] = (report_side_t) {
			bad_names[i % 3], report_comparison_take(report, page,
								 &err)
		};
		must(sides[i].taken ? 0 : -1, &err);
	}
	must(report_comparison_html(&comparison, page, to_stdout, NULL, &err),
	     &err);
	for (int i = 0; i < SIDES; i++)
		json_object_put(sides[i].taken);
}

static void print(const report_t *report, const char *form, const char *kind)
{
	report_page_t page = { .subtitle = "cluster test", .made =
			       "Made by make_report." };
	json_object *json;
	sb_err_t err;

	if (!strcmp(form, "html")) {
		page.chart = report_chart(&page.chart_size);
		if (!strcmp(kind, "hostile")) {
			page.title = bad_names[0];
			page.subtitle = bad_names[1];
			page.made = bad_names[2];
			page.zone = "</script>";
		}
		if (!strcmp(kind, "sides"))
			print_sides(report, &page);
		else
			must(report_html(report, &page, to_stdout, NULL, &err),
			     &err);
	} else if (!strcmp(form, "json")) {
		json = report_json(report, false, &err);
		must(json ? 0 : -1, &err);
		puts(json_object_to_json_string_ext(json,
						    JSON_C_TO_STRING_PRETTY));
		json_object_put(json);
	} else {
		for (int i = 0; i < REPORT_SHEETS; i++)
			must(report_csv(report_sheet(report, i), to_stdout,
					NULL, &err), &err);
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "month";
	const char *form = argc > 2 ? argv[2] : "html";
	bool timed = !strcmp(form, "time");
	struct rusage usage;
	report_t *report;
	int64_t until;
	sb_err_t err;

	report = make(timed ? "quick" : kind, &until);
	must(report_finish(report, &err), &err);
	print(report, timed ? "json" : form, kind);
	getrusage(RUSAGE_SELF, &usage);
	if (timed)
		fprintf(stderr, "%zu runs: %.2f s CPU, %ld MiB\n",
			report_totals(report)->runs,
			(double) usage.ru_utime.tv_sec +
			(double) usage.ru_utime.tv_usec / 1e6,
			usage.ru_maxrss / 1024);
	report_destroy(report);
	return 0;
}
