/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sim_models - what is made up: the same for the same seed, as stated,
 * and nothing that the source tells is touched.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"
#include "generate.h"
#include "limits.h"
#include "models.h"
#include "tree.h"

#include "suite.h"

/* ---------------------------------------------------------------- dice */

START_TEST(dice_same)
{
	/* A seed's numbers stay what they are: reports name seeds. */
	static const uint64_t known[] = {
		UINT64_C(0xee127fe613436e33), UINT64_C(0xd6dad8d34a1874ea), UINT64_C(0x2a52c16cec1116a9)
	};
	dice_t dice, other;

	dice_seed(&dice, 1, 0);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(dice_next(&dice), known[i]);
	dice_seed(&dice, 7, 1);
	dice_seed(&other, 7, 2);
	for (int i = 0; i < 100; i++)
		ck_assert_uint_ne(dice_next(&dice), dice_next(&other));
}
END_TEST

/* Means and deviations within four standard errors. */
START_TEST(dice_fair)
{
	enum { N = 100000 };
	static const double weights[] = { 1, 0, 3 };
	double real = 0, normal = 0, square = 0;
	size_t picked[3] = { 0 }, below[10] = { 0 }, median = 0;
	dice_t dice;

	dice_seed(&dice, 3, 3);
	for (int i = 0; i < N; i++) {
		double x = dice_real(&dice), z = dice_normal(&dice);

		ck_assert(x >= 0 && x < 1 && isfinite(z));
		real += x;
		normal += z;
		square += z * z;
		median += dice_around(&dice, 5, 2) < 5;
		picked[dice_pick(&dice, weights, 3)]++;
		below[dice_below(&dice, 10)]++;
	}
	ck_assert_double_eq_tol(real / N, 0.5, 4 * 0.289 / sqrt(N));
	ck_assert_double_eq_tol(normal / N, 0, 4 / sqrt(N));
	ck_assert_double_eq_tol(square / N, 1, 4 * 1.42 / sqrt(N));
	ck_assert_double_eq_tol(median / (double)N, 0.5, 2 / sqrt(N));
	ck_assert_uint_eq(picked[1], 0);
	ck_assert_double_eq_tol(picked[2] / (double)N, 0.75, 2 / sqrt(N));
	for (int i = 0; i < 10; i++)
		ck_assert_double_eq_tol(below[i] / (double)N, 0.1,
					1.2 / sqrt(N));
}
END_TEST

/* ---------------------------------------------------------------- models */

static const struct {
	const char *text, *reason;
} models_bad[] = {
	{ "x=1", "unknown word \"x\" (there are users, limits, minimums, checkpoints, free, undeclared, minimum)" },
	{ "users", "users needs =VALUE" },
	{ "users=maybe", "users=maybe: yes or no" },
	{ "free=1.5", "free=1.5: a number from 0 to 1" },
	{ "free=-1", "free=-1: a number from 0 to 1" },
	{ "free=", "free=: a number from 0 to 1" },
	{ "free=nan", "free=nan: a number from 0 to 1" },
	{ "free=1,free=1", "free comes twice" },
	{ "free=1,", "nothing behind the last comma" },
	{ ",free=1", "unknown word \"\" (there are users, limits, minimums, checkpoints, free, undeclared, minimum)" },
	{ "minimum=10s", "minimum=10s: a time from 1:00 to 366-00:00:00, as 90s, 15m, 4h, 2d or 1-12:00:00" },
	{ "minimum=x", "minimum=x: a time from 1:00 to 366-00:00:00, as 90s, 15m, 4h, 2d or 1-12:00:00" },
	{ "free=0.00000000000000000000000000000000000000000000000000000000000000000001", "free: a value of more than 64 characters" },
};

START_TEST(models_refused)
{
	models_t models;
	sb_err_t err = { "" };

	ck_assert_int_eq(models_parse(models_bad[_i].text, &models, &err), -1);
	ck_assert_str_eq(err.text, models_bad[_i].reason);
}
END_TEST

START_TEST(models_words)
{
	models_t models;
	sb_err_t err = { "" };

	ck_assert_int_eq(models_parse("", &models, &err), 0);
	ck_assert(models.users && models.limits && models.minimums);
	ck_assert_int_eq(models_parse("FREE=0.5,Users=NO,minimum=2h", &models,
				      &err), 0);
	ck_assert(!models.users && models.limits);
	ck_assert_double_eq(models.free, 0.5);
	ck_assert_int_eq(models.minimum, 7200);
	ck_assert_int_eq(models_parse("none", &models, &err), 0);
	ck_assert(!models.users && !models.limits && !models.minimums &&
		  !models.checkpoints);
}
END_TEST

/* An account of nobody with so many jobs, and one of somebody. */
static workload_t *make_bare(size_t count)
{
	workload_t *workload = workload_create();
	int32_t a = workload_assoc(workload, 0, "a", false, NULL);
	int32_t b = workload_assoc(workload, 0, "b", false, NULL);
	int32_t nobody = workload_assoc(workload, a, WORKLOAD_NOBODY, true,
					NULL);
	int32_t some = workload_assoc(workload, b, "some", true, NULL);

	for (size_t i = 0; i < count; i++) {
		workload_job_t job = {
			.id = (uint32_t)i + 1,
			.assoc = (uint32_t)(i % 10 ? nobody : some),
			.submit = (int64_t)i * 600,
			.runtime = 60 + (int64_t)(i * i % 50000),
			.limit = i % 10 ? WORKLOAD_UNKNOWN : 777777,
			.min_runtime = WORKLOAD_UNKNOWN,
			.checkpoint = i % 10 ? WORKLOAD_UNKNOWN : 42,
			.gpus = 1U << i % 7, .type = -1,
		};

		ck_assert_int_eq(workload_add(workload, &job, NULL), 0);
	}
	workload_sort(workload);
	return workload;
}

START_TEST(models_fill)
{
	workload_t *one = make_bare(2000), *two = make_bare(2000);
	size_t free_jobs = 0, undeclared = 0, users[64] = { 0 };

	ck_assert_int_eq(models_apply(one, &models_default, 5, NULL), 0);
	ck_assert_int_eq(models_apply(two, &models_default, 5, NULL), 0);
	ck_assert_uint_eq(one->note_count, 4);
	for (size_t i = 0; i < one->job_count; i++) {
		const workload_job_t *job = &one->jobs[i];

		ck_assert_int_eq(memcmp(job, &two->jobs[i], sizeof(*job)), 0);
		ck_assert_str_ne(one->assocs[job->assoc].name, WORKLOAD_NOBODY);
		ck_assert_int_ge(job->limit, job->runtime);
		ck_assert_int_le(job->min_runtime, job->limit);
		ck_assert_int_ge(job->checkpoint, 0);
		if (!strcmp(one->assocs[job->assoc].name, "some")) {
			ck_assert_int_eq(job->limit, 777777);
			ck_assert_int_eq(job->checkpoint, 42);
			continue;
		}
		users[job->assoc]++;
		if (job->limit <= 900)
			ck_assert_int_eq(job->min_runtime, job->limit);
		free_jobs += !job->min_runtime;
		undeclared += job->min_runtime == WORKLOAD_UNKNOWN;
		if (!job->min_runtime)
			ck_assert_uint_le(job->gpus, 8);
	}
	/* 1,800 jobs: 14 users, behind root, a, b, nobody and some */
	ck_assert_uint_eq(one->assoc_count, 5 + 14);
	ck_assert_uint_gt(users[5], users[18]);
	ck_assert_uint_eq(one->assocs[3].shares, 0);
	ck_assert(free_jobs > 50 && free_jobs < 150);
	ck_assert(undeclared > 250 && undeclared < 450);
	workload_destroy(one);
	workload_destroy(two);
}
END_TEST

/* One who declares shows that people do: the rest has declared nothing. */
START_TEST(models_leave)
{
	workload_t *workload = make_bare(50);
	models_t none;

	ck_assert_int_eq(models_parse("none", &none, NULL), 0);
	ck_assert_int_eq(models_apply(workload, &none, 1, NULL), 0);
	ck_assert_uint_eq(workload->note_count, 0);
	ck_assert_int_eq(workload->jobs[1].limit, WORKLOAD_UNKNOWN);
	workload->jobs[7].min_runtime = 900;
	ck_assert_int_eq(models_apply(workload, &models_default, 1, NULL), 0);
	ck_assert_int_eq(workload->jobs[7].min_runtime, 900);
	ck_assert_int_eq(workload->jobs[7].checkpoint, 900);
	ck_assert_int_eq(workload->jobs[8].min_runtime, WORKLOAD_UNKNOWN);
	workload_destroy(workload);
}
END_TEST

START_TEST(models_limits)
{
	dice_t dice;

	dice_seed(&dice, 1, 1);
	for (int64_t run = 0; run <= WORKLOAD_TIME_MAX;
	     run = run * 5 / 4 + 7) {
		int64_t limit = models_limit(&dice, run);

		ck_assert_int_ge(limit, run < 900 ? 900 : run);
		ck_assert_int_le(limit, WORKLOAD_TIME_MAX);
	}
}
END_TEST

/* ---------------------------------------------------------------- generate */

static const struct {
	const char *text, *reason;
} spec_bad[] = {
	{ "", "begins with month-s1, month-s2, mixed or WORD=VALUE" },
	{ "month-s3", "begins with month-s1, month-s2, mixed or WORD=VALUE" },
	{ "month-s1x,days=3", "begins with month-s1, month-s2, mixed or WORD=VALUE" },
	{ "month-s1,", NULL },
	{ "month-s1,days=0", "days=0: a whole number from 1 to 366" },
	{ "month-s1,days=1.5", "days=1.5: a whole number from 1 to 366" },
	{ "days=2,days=2", "days comes twice" },
	{ "gpus=1e9", "gpus=1e9: a whole number from 1 to 1000000" },
	{ "teams=3", "teams=3: no fewer than programs (4)" },
	{ "debug=0.5,large=0.5", "debug, interactive and large are more than all" },
	{ "gpus=64", NULL },
	{ "gpus=1", NULL },
	{ "gpus=64,largest=65", "largest=65: the cluster has 64 GPUs" },
	{ "demand=0.5", "owed=0.71: charged demand is 0.2 of capacity (demand x (1 - free)) and cannot be less" },
	{ "owed=0", "owed=0: with charged demand, some team is owed something" },
	{ "min_debug=0", "min_debug=0: a time from 1:00 to 1-00:00:00, as 90s, 15m, 4h, 2d or 1-12:00:00" },
	{ "colour=red", "unknown word \"colour\" (there are days, gpus, node_gpus, programs, teams, users, owed, demand, free, debug, interactive, large, largest, min_debug, min_interactive, min_training, min_large, filler_limit, season, rush, node_cpus, node_mem, cpu_heavy, mem_heavy, cpu_only)" },
};

START_TEST(spec_refused)
{
	generate_t spec;
	sb_err_t err = { "" };
	int rc = generate_parse(spec_bad[_i].text, &spec, &err);

	ck_assert_int_eq(rc, spec_bad[_i].reason ? -1 : 0);
	if (spec_bad[_i].reason)
		ck_assert_str_eq(err.text, spec_bad[_i].reason);
}
END_TEST

/* What teams are owed and what is asked, from the jobs alone. */
static void weigh(const workload_t *workload, const generate_t *spec,
		  double *owed, double *demand, double *filler)
{
	double capacity = (double)spec->gpus * spec->days * SB_DAY;
	double *asks = calloc(workload->assoc_count, sizeof(*asks));
	double shares = 0;

	*owed = *demand = *filler = 0;
	for (size_t i = 0; i < workload->job_count; i++) {
		const workload_job_t *job = &workload->jobs[i];
		double part = (double)job->gpus * (double)job->runtime /
			capacity;

		*demand += part;
		if (job->min_runtime)
			asks[workload->assocs[job->assoc].parent] += part;
		else
			*filler += part;
	}
	for (int round = 0; round < 2; round++) {
		for (size_t i = 1; i < workload->assoc_count; i++) {
			const workload_assoc_t *team = &workload->assocs[i];

			if (team->user || team->parent == 0)
				continue;
			if (!round)
				shares += team->shares;
			else if (asks[i] < team->shares / shares)
				*owed += asks[i];
			else
				*owed += team->shares / shares;
		}
	}
	free(asks);
}

START_TEST(generate_as_stated)
{
	const char *preset = _i % 2 ? "month-s2" : "month-s1";
	double owed, demand, filler;
	generate_t spec;
	sb_err_t err = { "" };
	workload_t *workload;
	bool good = true;

	ck_assert_int_eq(generate_parse(preset, &spec, &err), 0);
	workload = generate_workload(&spec, (uint64_t)_i, &err);
	ck_assert_msg(workload != NULL, "%s", err.text);
	weigh(workload, &spec, &owed, &demand, &filler);
	ck_assert_double_eq_tol(demand, spec.demand, 0.001 * spec.demand);
	ck_assert_double_eq_tol(filler, spec.demand * spec.free,
				0.001 * spec.demand);
	ck_assert_double_eq_tol(owed, spec.owed, 0.01);
	ck_assert_uint_eq(workload->assoc_count, 1 + 4 + 15 + 150);
	for (size_t i = 0; i < workload->job_count; i++) {
		const workload_job_t *job = &workload->jobs[i];

		/* Each assertion is a write to a pipe. */
		good = good && job->gpus >= 1 && job->gpus <= 512 &&
			job->runtime >= 0 && job->runtime <= job->limit &&
			job->submit >= 0 && job->submit < 30 * SB_DAY &&
			job->min_runtime >= 0 &&
			job->min_runtime <= job->limit &&
			(!i || job->submit >= job[-1].submit) &&
			job->id == i + 1 && workload->assocs[job->assoc].user;
	}
	ck_assert(good);
	workload_destroy(workload);
}
END_TEST

START_TEST(generate_same)
{
	generate_t spec;
	sb_err_t err = { "" };
	workload_t *one, *two, *three;

	ck_assert_int_eq(generate_parse("days=3,gpus=64,largest=32,teams=4",
					&spec, &err), 0);
	one = generate_workload(&spec, 1, &err);
	two = generate_workload(&spec, 1, &err);
	three = generate_workload(&spec, 2, &err);
	ck_assert(one && two && three);
	ck_assert_uint_eq(one->job_count, two->job_count);
	for (size_t i = 0; i < one->job_count; i++)
		ck_assert_int_eq(memcmp(&one->jobs[i], &two->jobs[i],
					sizeof(*one->jobs)), 0);
	ck_assert(one->job_count != three->job_count ||
		  one->jobs[0].submit != three->jobs[0].submit);
	workload_destroy(one);
	workload_destroy(two);
	workload_destroy(three);
}
END_TEST

/* Corners of what can be asked for. */
START_TEST(generate_corners)
{
	static const char *const texts[] = {
		"teams=1,programs=1,days=1,gpus=8,largest=8,node_gpus=1",
		"owed=1,demand=2,free=0,days=2", "owed=0.001,days=1",
		"free=1,owed=0,days=1,gpus=64,largest=64",
		"season=1,rush=3,days=8,gpus=64,largest=64",
		"season=0,rush=0,days=1,gpus=64,largest=64",
		"users=1,large=1,debug=0,interactive=0,days=2",
		"min_debug=1m,min_training=0,min_large=0,min_interactive=0,days=1",
		"demand=0.71,free=0,days=1",
	};
	generate_t spec;
	sb_err_t err = { "" };
	workload_t *workload;

	ck_assert_int_eq(generate_parse(texts[_i], &spec, &err), 0);
	for (uint64_t seed = 0; seed < 5; seed++) {
		double owed, demand, filler;

		workload = generate_workload(&spec, seed, &err);
		ck_assert_msg(workload != NULL, "%s", err.text);
		weigh(workload, &spec, &owed, &demand, &filler);
		ck_assert_double_eq_tol(demand, spec.demand,
					0.02 * spec.demand);
		ck_assert_uint_lt(workload->job_count, 200000);
		workload_destroy(workload);
	}
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(*(table)))

static Suite *suite(void)
{
	Suite *s = suite_create("sim_models");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, dice_same);
	tcase_add_test(tc, dice_fair);
	tcase_add_loop_test(tc, models_refused, 0, COUNT(models_bad));
	tcase_add_test(tc, models_words);
	tcase_add_test(tc, models_fill);
	tcase_add_test(tc, models_leave);
	tcase_add_test(tc, models_limits);
	tcase_add_loop_test(tc, spec_refused, 0, COUNT(spec_bad));
	tcase_add_loop_test(tc, generate_as_stated, 0, 16);
	tcase_add_test(tc, generate_same);
	tcase_add_loop_test(tc, generate_corners, 0, 9);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
