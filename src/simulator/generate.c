/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crews.h"
#include "dice.h"
#include "flavour.h"
#include "generate.h"
#include "limits.h"
#include "models.h"

enum { STREAM_TEAMS = 100, STREAM_JOBS = 200 };

#define HOURS_MAX (366 * 24)

/* Days begin with a Monday, and people come at nine. */
#define WORK_FROM 9
#define WORK_UNTIL 21

/* Median, seconds. */
#define LARGE_RUNTIME (8 * SB_HOUR)

typedef struct {
	const generate_t *spec;
	workload_t *workload;
	const crews_t *crews;
	sb_err_t *err;
	dice_t *dice;
	const crew_t *crew;	/* the team at hand */
	double *hours;		/* cumulative weight of the team's hours */
	double *users;		/* weights */
	double left;		/* to ask for, GPU-seconds */
	uint32_t largest;	/* GPUs of a job */
} generator_t;

/* Classes of jobs, as their owners would call them. */
typedef enum { DEBUG, INTERACTIVE, TRAINING, LARGE, FILLER, KINDS } kind_t;

/* ---------------------------------------------------------------- time */

/* How busy an hour of the week is. */
static double season_of(const generate_t *spec, uint32_t hour)
{
	uint32_t day = hour / 24 % 7, clock = hour % 24;
	bool work = clock >= WORK_FROM && clock < WORK_UNTIL && day < 5;

	return work ? 1 : 1 - spec->season;
}

/* The team's hours, its own weeks among them. */
static void lay_hours(generator_t *gen)
{
	uint32_t count = gen->spec->days * 24;
	double sum = 0, week = 1;

	for (uint32_t hour = 0; hour < count; hour++) {
		if (hour % (7 * 24) == 0)
			week = dice_around(gen->dice, 1, gen->spec->rush);
		/* Never nothing: a sum of 0 could not be drawn from. */
		sum += 0.001 + week * season_of(gen->spec, hour);
		gen->hours[hour] = sum;
	}
}

static int64_t draw_submit(generator_t *gen)
{
	uint32_t low = 0, high = gen->spec->days * 24 - 1;
	double at = dice_real(gen->dice) * gen->hours[high];

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (gen->hours[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low * (int64_t)SB_HOUR + dice_below(gen->dice, SB_HOUR);
}

/* ---------------------------------------------------------------- jobs */

static int64_t draw_runtime(dice_t *dice, double median, double sigma,
			    int64_t least, int64_t most)
{
	double seconds = dice_around(dice, median, sigma);

	return seconds < least ? least : seconds > most ? most :
		(int64_t)seconds;
}

static uint32_t draw_small(generator_t *gen)
{
	static const double weights[] = { 0.35, 0.2, 0.2, 0.25 };
	uint32_t gpus = 1U << dice_pick(gen->dice, weights, 4);

	return gpus < gen->spec->node_gpus ? gpus : gen->spec->node_gpus;
}

static uint32_t draw_training(generator_t *gen)
{
	static const double weights[] = {
		0.1, 0.1, 0.15, 0.3, 0.15, 0.12, 0.08
	};
	uint32_t gpus = 1U << dice_pick(gen->dice, weights, 7);

	return gpus < gen->spec->gpus / 4 ? gpus : draw_small(gen);
}

/* The largest, half of it, ... an eighth; a team that asks for little in all
 * does not ask for all of it at once. */
static uint32_t draw_large(generator_t *gen)
{
	static const double weights[] = { 0.1, 0.2, 0.3, 0.4 };
	uint32_t gpus = gen->largest >> dice_pick(gen->dice, weights, 4);

	while (gpus > gen->largest / 8 &&
	       (double)gpus * LARGE_RUNTIME > gen->left / 2)
		gpus /= 2;
	return gpus ? gpus : 1;
}

static void draw_filler(generator_t *gen, workload_job_t *job)
{
	job->gpus = draw_small(gen);
	job->limit = gen->spec->filler_limit;
	job->runtime = draw_runtime(gen->dice, 2 * SB_HOUR, 1, SB_MINUTE,
				    job->limit);
	job->min_runtime = 0;
	job->checkpoint = 15 * SB_MINUTE;
}

static void draw_batch(generator_t *gen, kind_t kind, workload_job_t *job)
{
	const generate_t *spec = gen->spec;
	uint32_t part = dice_below(gen->dice, 3);

	if (kind == LARGE) {
		job->gpus = draw_large(gen);
		job->runtime = draw_runtime(gen->dice, LARGE_RUNTIME, 0.8,
					    30 * SB_MINUTE, 2 * SB_DAY);
		job->min_runtime = spec->min_large;
	} else {
		job->gpus = draw_training(gen);
		job->runtime = draw_runtime(gen->dice, 4 * SB_HOUR, 1.2,
					    15 * SB_MINUTE, 3 * SB_DAY);
		job->min_runtime = spec->min_training >> part;
	}
	job->limit = models_limit(gen->dice, job->runtime);
}

static void draw_job(generator_t *gen, kind_t kind, workload_job_t *job)
{
	switch (kind) {
	case DEBUG:
		job->gpus = draw_small(gen);
		job->limit = gen->spec->min_debug;
		job->runtime = draw_runtime(gen->dice, 5 * SB_MINUTE, 0.7,
					    30, job->limit);
		job->min_runtime = gen->spec->min_debug;
		break;
	case INTERACTIVE:
		job->gpus = draw_small(gen);
		job->interactive = true;
		job->requeueable = false;
		job->limit = 4 * SB_HOUR;
		job->runtime = draw_runtime(gen->dice, SB_HOUR, 0.8,
					    SB_MINUTE, job->limit);
		job->min_runtime = gen->spec->min_interactive;
		break;
	case FILLER:
		draw_filler(gen, job);
		return;
	case TRAINING:
	case LARGE:
	case KINDS:
		draw_batch(gen, kind, job);
		break;
	}
	if (job->min_runtime > job->limit)
		job->min_runtime = job->limit;
	job->checkpoint = job->min_runtime;
}

/* Jobs of one kind until they ask for so much. */
static int draw_kind(generator_t *gen, kind_t kind, double gpu_seconds)
{
	uint32_t first = gen->crew->first_user;

	gen->left = gpu_seconds;
	while (gen->left >= SB_MINUTE) {
		workload_job_t job = {
			.id = (uint32_t)gen->workload->job_count + 1,
			.wait = WORKLOAD_UNKNOWN, .type = -1,
			.requeueable = true,
		};
		double asks;

		draw_job(gen, kind, &job);
		/* The last one ends when enough has been asked for. */
		asks = (double)job.gpus * (double)job.runtime;
		if (asks > gen->left)
			job.runtime = (int64_t)(gen->left / job.gpus);
		gen->left -= asks;
		flavour_dress(gen->spec, gen->crew->flavour, &job);
		job.submit = draw_submit(gen);
		job.assoc = first + (uint32_t)dice_pick(gen->dice, gen->users,
							gen->spec->users);
		if (workload_add(gen->workload, &job, gen->err))
			return -1;
	}
	return 0;
}

static int draw_crew(generator_t *gen)
{
	const generate_t *spec = gen->spec;
	double rest = 1 - spec->debug - spec->interactive - spec->large;
	double share[KINDS] = {
		[DEBUG] = spec->debug, [INTERACTIVE] = spec->interactive,
		[TRAINING] = rest > 0 ? rest : 0, [LARGE] = spec->large,
	};

	for (int kind = 0; kind < KINDS; kind++) {
		double part = kind == FILLER ? gen->crew->filler :
			share[kind] * gen->crew->demand;

		if (draw_kind(gen, (kind_t)kind, part * spec->gpus *
			      spec->days * SB_DAY))
			return -1;
	}
	return 0;
}

/* Draws of a team do not depend on what others drew. */
static int draw_all(generator_t *gen, uint64_t seed)
{
	for (uint32_t i = 0; i < gen->spec->teams; i++) {
		dice_t dice;

		dice_seed(&dice, seed, STREAM_JOBS + i);
		gen->dice = &dice;
		gen->crew = &gen->crews->crews[i];
		lay_hours(gen);
		if (draw_crew(gen))
			return -1;
	}
	workload_sort(gen->workload);
	for (size_t i = 0; i < gen->workload->job_count; i++)
		gen->workload->jobs[i].id = (uint32_t)i + 1;
	return 0;
}

static int describe_hosts(const generator_t *gen)
{
	const generate_t *spec = gen->spec;
	int rc = 0;

	if (spec->node_cpus)
		rc = workload_note(gen->workload, "demand is counted in what a job needs most of %u GPUs, %u CPUs and %u MB a node: jobs of %g %% of the teams need CPUs and a quarter of the GPUs and memory that would go with them (-cpu), of %g %% memory and a quarter of GPUs and CPUs (-mem), of %g %% CPUs, a quarter of the memory and no GPU (-nogpu), the others GPUs and half of CPUs and memory",
				   spec->node_gpus, spec->node_cpus,
				   spec->node_mem, 100 * spec->cpu_heavy,
				   100 * spec->mem_heavy,
				   100 * spec->cpu_only);
	return rc ? sb_err_set(gen->err, "no memory") : 0;
}

static uint32_t largest_job(const generate_t *spec)
{
	if (spec->largest)
		return spec->largest;
	return spec->gpus > 1 ? spec->gpus / 2 : 1;
}

static int describe(const generator_t *gen, uint64_t seed)
{
	const generate_t *spec = gen->spec;
	int rc = workload_note(gen->workload, "synthetic (seed %llu): %u days of %u GPUs, %u teams in %u programs, owed %g %% of capacity, demand %.2f x, of it %g %% filler; of the rest %g %% debug, %g %% interactive, %g %% large (up to %u GPUs)",
			       (unsigned long long)seed, spec->days,
			       spec->gpus, spec->teams, spec->programs,
			       100 * spec->owed, spec->demand,
			       100 * spec->free, 100 * spec->debug,
			       100 * spec->interactive, 100 * spec->large,
			       gen->largest);

	return rc ? sb_err_set(gen->err, "no memory") : 0;
}

extern workload_t *generate_workload(const generate_t *spec, uint64_t seed,
				     sb_err_t *err)
{
	workload_t *workload = workload_create();
	generator_t gen = { .spec = spec, .workload = workload, .err = err,
			    .largest = largest_job(spec) };
	crews_t *crews = NULL;
	dice_t dice;
	int rc = -1;

	gen.hours = calloc((size_t)spec->days * 24, sizeof(*gen.hours));
	gen.users = calloc(spec->users, sizeof(*gen.users));
	dice_seed(&dice, seed, STREAM_TEAMS);
	if (!workload || !gen.hours || !gen.users)
		sb_err_set(err, "no memory");
	else
		crews = crews_create(spec, workload, &dice, err);
	if (crews) {
		gen.crews = crews;
		for (uint32_t i = 0; i < spec->users; i++)
			gen.users[i] = 1.0 / (i + 1);
		rc = draw_all(&gen, seed) || describe(&gen, seed) ||
			describe_hosts(&gen) ? -1 : 0;
	}
	crews_destroy(crews);
	free(gen.hours);
	free(gen.users);
	if (!rc && !workload->job_count)
		rc = sb_err_set(err, "so little demand that no job came out");
	if (rc) {
		workload_destroy(workload);
		return NULL;
	}
	return workload;
}
