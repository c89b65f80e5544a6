/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sim_settings - what the command line of the simulator means: nodes,
 * settings, variants, sweeps, budgets of a plan, and work in processes.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "budgets.h"
#include "limits.h"
#include "nodes.h"
#include "pool.h"
#include "settings.h"
#include "sweep.h"
#include "tree.h"

#include "suite.h"

/* ---------------------------------------------------------------- nodes */

START_TEST(nodes_good)
{
	workload_t *workload = workload_create();
	sb_err_t err = { "" };
	nodes_t nodes;

	ck_assert_int_eq(nodes_parse("80x8", NULL, &nodes, &err), 0);
	ck_assert_uint_eq(nodes.count, 1);
	ck_assert_uint_eq(nodes.gpus, 640);
	ck_assert_int_eq(nodes.pools[0].type, -1);
	ck_assert_int_eq(nodes_parse("64x8:h100,16x4:b200@1.5,1x64@0.25",
				     workload, &nodes, &err), 0);
	ck_assert_uint_eq(nodes.count, 3);
	ck_assert_uint_eq(nodes.gpus, 640);
	ck_assert_uint_eq(nodes.most, 64);
	ck_assert_int_eq(nodes.pools[1].type, 1);
	ck_assert_double_eq(nodes.pools[1].weight, 1.5);
	ck_assert_int_eq(nodes.pools[2].type, -1);
	ck_assert_double_eq(nodes.pools[2].weight, 0.25);
	ck_assert_str_eq(workload->types[1], "b200");
	workload_destroy(workload);
}
END_TEST

static const char *const nodes_bad[] = {
	"", "8", "x8", "8x", "0x8", "8x0", "8x65", "65537x8", "-1x8", "8x-1",
	" 8x8", "8x8 ", "8X8", "8x8,", ",8x8", "8x8:", "8x8:a b", "8x8@",
	"8x8@0", "8x8@-1", "8x8@x", "8x8@1001", "8x8@nan", "8x8@1:a", "8x8x8",
	"99999999999999999999x8", "8x8:a,8", "8x8@.",
};

START_TEST(nodes_refused)
{
	workload_t *workload = workload_create();
	sb_err_t err = { "" };
	nodes_t nodes;

	ck_assert_int_eq(nodes_parse(nodes_bad[_i], workload, &nodes, &err),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is not NODESxGPUS"));
	workload_destroy(workload);
}
END_TEST

/* ---------------------------------------------------------------- settings */

START_TEST(settings_words)
{
	settings_t settings;
	sb_err_t err = { "" };
	sb_params_t *params;

	settings_begin(&settings, NULL, 1);
	ck_assert_int_eq(settings.bf_window, 1440);
	ck_assert_int_eq(settings_add(&settings,
		"window=14d,policy=Multifactor-QOS,bf_window=2880,"
		"kill_time=30s,default_queue_depth=7,backfill=no,burst=3,"
		"Window=1d,exempt_time=1h,account_limit=1.5", &err), 0);
	ck_assert_str_eq(settings_policy(&settings), "multifactor-qos");
	ck_assert_int_eq(settings.engine.bf_window, 2 * SB_DAY);
	ck_assert_int_eq(settings.engine.kill_time, 30);
	ck_assert_uint_eq(settings.engine.queue_depth, 7);
	ck_assert(!settings.engine.backfill);
	ck_assert_int_eq(settings.engine.exempt_time, SB_HOUR);
	ck_assert_double_eq(settings.engine.account_limit, 1.5);
	/* The last word counts, whatever its case. */
	ck_assert_str_eq(settings.params, "burst=3,Window=1d");
	params = settings_params(&settings, &err);
	ck_assert_msg(params != NULL, "%s", err.text);
	ck_assert_int_eq(params->window, SB_DAY);
	sb_params_destroy(params);
	ck_assert_int_eq(settings_variant(&settings, "budget:burst=0", &err),
			 0);
	ck_assert_str_eq(settings.label, "budget:burst=0");
	ck_assert_str_eq(settings.params, "Window=1d,burst=0");
	ck_assert_int_eq(settings_variant(&settings, "window=2d,policy=fifo",
					  &err), 0);
	ck_assert_str_eq(settings_policy(&settings), "fifo");
	ck_assert_str_eq(settings.params, "burst=0,window=2d");
	/* a cap with a partition is another word */
	ck_assert_int_eq(settings_add(&settings, "min_runtime_max@p=30,"
				      "min_runtime_max=1h", &err), 0);
	ck_assert_str_eq(settings.params, "burst=0,window=2d,"
			 "min_runtime_max@p=30,min_runtime_max=1h");
}
END_TEST

static const struct {
	const char *text, *reason;
} variants_bad[] = {
	{ "", "there is no policy \"\" (budget, multifactor, multifactor-qos, fifo, priority)" },
	{ "fair", "there is no policy \"fair\" (budget, multifactor, multifactor-qos, fifo, priority)" },
	{ "policy=fair", "there is no policy \"fair\" (budget, multifactor, multifactor-qos, fifo, priority)" },
	{ "fifo:kill_time=x", "kill_time=x: a time from 0:00 to 366-00:00:00, as 90s, 15m, 4h, 2d or 1-12:00:00" },
	{ "bf_interval=0", "bf_interval=0: a whole number from 1 to 10800" },
	{ "bf_interval=30,", "nothing behind the last comma" },
	{ "backfill=perhaps", "backfill=perhaps: yes or no" },
};

START_TEST(variants_refused)
{
	settings_t settings;
	sb_err_t err = { "" };

	settings_begin(&settings, NULL, 1);
	ck_assert_int_eq(settings_variant(&settings, variants_bad[_i].text,
					  &err), -1);
	ck_assert_str_eq(err.text, variants_bad[_i].reason);
}
END_TEST

/* Words of what is generated, and only then. */
START_TEST(settings_generate)
{
	settings_t settings;
	sb_err_t err = { "" };
	generate_t spec;

	ck_assert_int_eq(generate_parse("month-s1", &spec, &err), 0);
	settings_begin(&settings, &spec, 1);
	ck_assert_int_eq(settings_add(&settings, "demand=3,window=1d", &err),
			 0);
	ck_assert_double_eq(settings.generate.demand, 3);
	ck_assert_str_eq(settings.params, "window=1d");
	ck_assert_int_eq(settings_add(&settings, "demand=x", &err), -1);
	settings_begin(&settings, NULL, 1);
	ck_assert_int_eq(settings_add(&settings, "demand=3", &err), 0);
	ck_assert_ptr_null(settings_params(&settings, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "demand"));
}
END_TEST

/* PriorityParameters of any length: all of them or an error. */
START_TEST(settings_full)
{
	settings_t settings;
	sb_err_t err = { "" };
	char word[64];
	int rc = 0, i = 0;

	settings_begin(&settings, NULL, 1);
	for (; !rc && i < 1000; i++) {
		snprintf(word, sizeof(word), "min_runtime_max@p%d=30", i);
		rc = settings_add(&settings, word, &err);
	}
	ck_assert_int_eq(rc, -1);
	ck_assert_int_gt(i, 100);
	ck_assert_str_eq(err.text, "more PriorityParameters than 4096 bytes");
	ck_assert_uint_lt(strlen(settings.params), SETTINGS_PARAMS_MAX);
}
END_TEST

/* ---------------------------------------------------------------- sweeps */

static const struct {
	const char *text, *values;
} sweeps_good[] = {
	{ "window=1d,7d,28d", "1d 7d 28d" },
	{ "policy=budget,fifo", "budget fifo" },
	{ "window=1d..28d/3", "1d 127h 28d" },
	{ "window=1d..16d", "1d 2d 4d 8d 16d" },
	{ "window=7d..7d", "7d" },
	{ "burst=1..3", "1 2 3" },
	{ "burst=1.0..3/5", "1 1.5 2 2.5 3" },
	{ "burst=0..4/3", "0 2 4" },
	{ "preempt_margin=0.05..0.2/3", "0.05 0.1 0.2" },
	{ "gang_wait=0..4h/3", "0 2h 4h" },
	{ "min_runtime_max=4:00:00..8:00:00/2", "4h 8h" },
	{ "bf_max_job_test=100..10000/3", "100 1000 10000" },
	{ "x=1..9/1", "1" },
};

START_TEST(sweep_values)
{
	sweep_t sweep;
	sb_err_t err = { "" };
	char all[1024] = "";

	ck_assert_int_eq(sweep_parse(sweeps_good[_i].text, &sweep, &err), 0);
	for (size_t i = 0; i < sweep.count; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
			 i ? " " : "", sweep.values[i]);
	ck_assert_str_eq(all, sweeps_good[_i].values);
}
END_TEST

static const char *const sweeps_bad[] = {
	"", "window", "=1d", "window=", "window=,", "window=1d,,2d",
	"window=1d..", "window=..2d", "window=2d..1d", "window=1d..2d/0",
	"window=1d..2d/65", "window=1d..2d/x", "window=1d..2d/", "window=a..b",
	"window=1..2d", "a,b=1..2", "window=-1..2", "window=1....2",
};

START_TEST(sweeps_refused)
{
	sweep_t sweep;
	sb_err_t err = { "" };

	ck_assert_int_eq(sweep_parse(sweeps_bad[_i], &sweep, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is not WORD=FROM..TO"));
}
END_TEST

START_TEST(sweep_multiplies)
{
	cli_t cli = {
		.variants = { "budget", "fifo:kill_time=1m" },
		.variant_count = 2,
		.sweeps = { "window=1d,2d", "burst=0,2,3" }, .sweep_count = 2,
	};
	settings_t base, *runs;
	sb_err_t err = { "" };
	size_t count;

	settings_begin(&base, NULL, 1);
	runs = sweep_runs(&cli, &base, &count, &err);
	ck_assert_msg(runs != NULL, "%s", err.text);
	ck_assert_uint_eq(count, 12);
	ck_assert_str_eq(runs[0].label, "budget window=1d burst=0");
	ck_assert_str_eq(runs[11].label,
			 "fifo:kill_time=1m window=2d burst=3");
	ck_assert_str_eq(runs[11].params, "window=2d,burst=3");
	ck_assert_int_eq(runs[11].engine.kill_time, 60);
	free(runs);
	cli.variant_count = cli.sweep_count = 0;
	runs = sweep_runs(&cli, &base, &count, &err);
	ck_assert_uint_eq(count, 1);
	ck_assert_str_eq(runs[0].label, "budget");
	free(runs);
	/* what only the core knows is refused before anything runs */
	cli.sweep_count = 1;
	cli.sweeps[0] = "burst=2,2000";
	ck_assert_ptr_null(sweep_runs(&cli, &base, &count, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "burst"));
}
END_TEST

/* ---------------------------------------------------------------- budgets */

static int32_t find(const workload_t *workload, const char *name)
{
	for (size_t i = 0; i < workload->assoc_count; i++) {
		if (!strcmp(workload->assocs[i].name, name))
			return (int32_t)i;
	}
	return -1;
}

static plan_t *plan_of(const char *accounts)
{
	char text[2048];
	sb_err_t err = { "" };
	plan_t *plan;

	snprintf(text, sizeof(text), "{ \"version\": 1, \"accounts\": [ %s ] }",
		 accounts);
	plan = plan_parse(text, strlen(text), SB_WINDOW_DEFAULT, &err);
	ck_assert_msg(plan != NULL, "%s", err.text);
	return plan;
}

/* a: u, v; b: u; c: w; a job of each user, named by its id */
static workload_t *flat(void)
{
	static const char *const users[][2] = {
		{ "a", "u" }, { "a", "v" }, { "b", "u" }, { "c", "w" },
	};
	workload_t *workload = workload_create();

	for (uint32_t i = 0; i < 4; i++) {
		int32_t account = workload_assoc(workload, 0, users[i][0],
						 false, NULL);
		workload_job_t job = {
			.id = i, .assoc = (uint32_t)workload_assoc(
				workload, account, users[i][1], true, NULL),
		};

		ck_assert_int_eq(workload_add(workload, &job, NULL), 0);
	}
	return workload;
}

START_TEST(budgets_plan)
{
	workload_t *workload = flat();
	/* Children first, an unused account, a user, one that is not named. */
	plan_t *plan = plan_of(
		"{ \"account\": \"a\", \"parent\": \"p\", \"shares\": 60 },"
		"{ \"account\": \"b\", \"parent\": \"p\", \"shares\": 40 },"
		"{ \"account\": \"p\", \"parent\": \"root\", \"shares\": 7 },"
		"{ \"account\": \"idle\", \"shares\": 5 },"
		"{ \"account\": \"a\", \"user\": \"v\", \"shares\": 9 }");
	sb_err_t err = { "" };
	int32_t p;

	ck_assert_int_eq(budgets_apply(workload, plan, SB_WINDOW_DEFAULT,
				       &err), 0);
	p = find(workload, "p");
	ck_assert_int_eq(workload->assocs[p].parent, 0);
	ck_assert_uint_eq(workload->assocs[p].shares, 7);
	ck_assert_int_eq(workload->assocs[find(workload, "a")].parent, p);
	ck_assert_uint_eq(workload->assocs[find(workload, "a")].shares, 60);
	ck_assert_uint_eq(workload->assocs[find(workload, "idle")].shares, 5);
	ck_assert_uint_eq(workload->assocs[find(workload, "c")].shares, 1);
	ck_assert_int_eq(workload->assocs[find(workload, "c")].parent, 0);
	ck_assert_uint_eq(workload->assocs[find(workload, "v")].shares, 9);
	for (size_t i = 0; i < workload->assoc_count; i++)
		ck_assert_int_lt(workload->assocs[i].parent, (int)i);
	for (size_t i = 0; i < 4; i++) {
		const workload_assoc_t *user =
			&workload->assocs[workload->jobs[i].assoc];

		ck_assert(user->user);
		ck_assert_str_eq(user->name, i == 0 || i == 2 ? "u" :
				 i == 1 ? "v" : "w");
		ck_assert_str_eq(workload->assocs[user->parent].name,
				 i < 2 ? "a" : i == 2 ? "b" : "c");
	}
	ck_assert_uint_eq(workload->note_count, 1);
	ck_assert_str_eq(workload->notes[0], "1 account with jobs has no budget in the plan and keeps a share of 1");
	/* names are found again */
	ck_assert_int_eq(workload_assoc(workload, 0, "p", false, &err), p);
	plan_destroy(plan);
	workload_destroy(workload);
}
END_TEST

/* Budgets have dates: those of the workload's beginning count. */
START_TEST(budgets_dates)
{
	plan_t *plan = plan_of(
		"{ \"account\": \"a\", \"periods\": ["
		"{ \"until\": \"2026-06-01\", \"shares\": 3 },"
		"{ \"from\": \"2026-06-01\", \"shares\": 4 } ] },"
		"{ \"account\": \"b\", \"from\": \"2026-06-01\", \"shares\": 8 }");
	workload_t *early = flat(), *late = flat();

	early->origin = 1767225600;	/* 2026-01-01 */
	late->origin = 1790000000;	/* 2026-09-21 */
	ck_assert_int_eq(budgets_apply(early, plan, 1, NULL), 0);
	ck_assert_int_eq(budgets_apply(late, plan, 1, NULL), 0);
	ck_assert_uint_eq(early->assocs[find(early, "a")].shares, 3);
	ck_assert_uint_eq(early->assocs[find(early, "b")].shares, 1);
	ck_assert_uint_eq(early->note_count, 2);
	ck_assert_uint_eq(late->assocs[find(late, "a")].shares, 4);
	ck_assert_uint_eq(late->assocs[find(late, "b")].shares, 8);
	plan_destroy(plan);
	workload_destroy(early);
	workload_destroy(late);
}
END_TEST

/* A user's name where an account has to be: nothing is changed. */
START_TEST(budgets_refused)
{
	workload_t *workload = workload_create();
	plan_t *plan = plan_of("{ \"account\": \"x\", \"parent\": \"y\","
			       " \"shares\": 1 }");
	sb_err_t err = { "" };
	size_t count;

	ck_assert_int_gt(workload_assoc(workload, 0, "y", true, &err), 0);
	count = workload->assoc_count;
	ck_assert_int_eq(budgets_apply(workload, plan, 1, &err), -1);
	ck_assert_uint_eq(workload->assoc_count, count);
	plan_destroy(plan);
	workload_destroy(workload);
}
END_TEST

/* ---------------------------------------------------------------- pool */

/* Piece 3 of those that fail, or die; others answer with their number, as
 * often as it says: longer than a pipe holds. */
static int work(void *arg, size_t index, pool_answer_t *answer, sb_err_t *err)
{
	const char *kind = arg;

	if (index >= 3 && !strcmp(kind, "fail"))
		return sb_err_set(err, "piece %zu", index);
	if (index == 3 && !strcmp(kind, "die"))
		raise(SIGKILL);
	/* Later ones are done first. */
	usleep((unsigned)(20 - index) * 1000);
	answer->size = index * 50000;
	answer->data = malloc(answer->size + 1);
	if (!answer->data)
		return sb_err_set(err, "no memory");
	memset(answer->data, 'a' + (int)index, answer->size);
	return 0;
}

START_TEST(pool_order)
{
	static const uint32_t workers[] = { 0, 1, 2, 7, 64 };
	pool_answer_t answers[12];
	pool_t pool = { .work = work, .arg = (void *)"" };
	sb_err_t err = { "" };

	ck_assert_int_eq(pool_run(&pool, 12, workers[_i], answers, &err), 0);
	for (size_t i = 0; i < 12; i++) {
		size_t same = 0;

		ck_assert_uint_eq(answers[i].size, i * 50000);
		for (size_t c = 0; c < answers[i].size; c++)
			same += answers[i].data[c] == (char)('a' + i);
		ck_assert_uint_eq(same, answers[i].size);
	}
	pool_free(answers, 12);
	ck_assert_uint_ge(pool_cpus(), 1);
}
END_TEST

START_TEST(pool_fails)
{
	static const uint32_t workers[] = { 1, 2, 7, 64 };
	pool_answer_t answers[12];
	pool_t pool = { .work = work, .arg = (void *)"fail" };
	sb_err_t err = { "" };

	/* The first that failed is named, whoever came first. */
	ck_assert_int_eq(pool_run(&pool, 12, workers[_i], answers, &err), -1);
	ck_assert_str_eq(err.text, "piece 3");
	pool.arg = (void *)"die";
	ck_assert_int_eq(pool_run(&pool, 12, workers[_i], answers, &err), -1);
	ck_assert_str_eq(err.text, "a worker process died");
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(*(table)))

static Suite *suite(void)
{
	Suite *s = suite_create("sim_settings");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, nodes_good);
	tcase_add_loop_test(tc, nodes_refused, 0, COUNT(nodes_bad));
	tcase_add_test(tc, settings_words);
	tcase_add_loop_test(tc, variants_refused, 0, COUNT(variants_bad));
	tcase_add_test(tc, settings_generate);
	tcase_add_test(tc, settings_full);
	tcase_add_loop_test(tc, sweep_values, 0, COUNT(sweeps_good));
	tcase_add_loop_test(tc, sweeps_refused, 0, COUNT(sweeps_bad));
	tcase_add_test(tc, sweep_multiplies);
	tcase_add_test(tc, budgets_plan);
	tcase_add_test(tc, budgets_dates);
	tcase_add_test(tc, budgets_refused);
	tcase_add_loop_test(tc, pool_order, 0, 5);
	tcase_add_loop_test(tc, pool_fails, 0, 4);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
