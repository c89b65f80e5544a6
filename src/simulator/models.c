/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "models.h"
#include "timespan.h"
#include "words.h"

enum { STREAM_USERS = 1, STREAM_LIMITS, STREAM_MINIMUMS, STREAM_CHECKPOINTS };

/* A limit is at least this much above the run time: nobody cuts it finer. */
#define LIMIT_FACTOR_MIN 1.1
#define LIMIT_FACTOR_MEDIAN 2.0
#define LIMIT_FACTOR_SIGMA 0.7

/* Made-up users of an account: few submit most. */
#define USERS_MAX 40
/* Who submitted last goes on, when it was within this time. */
#define SESSION SB_HOUR
#define SESSION_CHANCE 0.8

/* Jobs of more GPUs are no filler, and declare the most. */
#define SMALL_GPUS 8
#define LARGE_GPUS 32
#define INTERACTIVE_MINIMUM (2 * SB_HOUR)
/* Filler that writes checkpoints writes one that often. */
#define FREE_CHECKPOINT (15 * SB_MINUTE)

const models_t models_default = {
	.users = true, .limits = true, .minimums = true, .checkpoints = true,
	.free = 0.1, .undeclared = 0.2, .minimum = 4 * SB_HOUR,
};

#define FIELD(name) offsetof(models_t, name)
static const words_t words[] = {
	{ "users", WORDS_BOOL, FIELD(users), 0, 0 },
	{ "limits", WORDS_BOOL, FIELD(limits), 0, 0 },
	{ "minimums", WORDS_BOOL, FIELD(minimums), 0, 0 },
	{ "checkpoints", WORDS_BOOL, FIELD(checkpoints), 0, 0 },
	{ "free", WORDS_REAL, FIELD(free), 0, 1 },
	{ "undeclared", WORDS_REAL, FIELD(undeclared), 0, 1 },
	{ "minimum", WORDS_TIME, FIELD(minimum), SB_MINUTE,
	  SB_SETTING_TIME_MAX },
};

extern int models_parse(const char *text, models_t *models, sb_err_t *err)
{
	*models = models_default;
	if (strcmp(text, "none"))
		return words_parse(text, words, sizeof(words) / sizeof(*words),
				   models, err);
	models->users = models->limits = false;
	models->minimums = models->checkpoints = false;
	return 0;
}

static int say(int rc, sb_err_t *err)
{
	return rc ? sb_err_set(err, "no memory") : 0;
}

/* ---------------------------------------------------------------- users */

/* One account whose jobs have no user. */
typedef struct {
	uint32_t nobody;	/* association */
	size_t jobs;
	uint32_t count;		/* of users */
	int32_t users[USERS_MAX];
	double weights[USERS_MAX];
	uint32_t last;		/* user of the last job */
	int64_t when;		/* of the last job */
} crew_t;

/* A third of the root of its jobs: 13 of 1,500, 33 of 10,000. */
static int fill_crew(workload_t *workload, crew_t *crew, sb_err_t *err)
{
	double count = round(sqrt((double)crew->jobs) / 3);
	int32_t parent = workload->assocs[crew->nobody].parent;

	crew->count = count < 1 ? 1 : count > USERS_MAX ? USERS_MAX :
		(uint32_t)count;
	for (uint32_t i = 0; i < crew->count; i++) {
		char name[16];

		snprintf(name, sizeof(name), "user%u", i + 1);
		crew->users[i] = workload_assoc(workload, parent, name, true,
						err);
		if (crew->users[i] < 0)
			return -1;
		crew->weights[i] = 1.0 / (i + 1);
	}
	crew->when = -SESSION - 1;
	return 0;
}

static void spread(workload_t *workload, crew_t *const *crews, dice_t *dice)
{
	for (size_t i = 0; i < workload->job_count; i++) {
		workload_job_t *job = &workload->jobs[i];
		crew_t *crew = crews[job->assoc];

		if (!crew)
			continue;
		if (job->submit - crew->when > SESSION ||
		    dice_real(dice) >= SESSION_CHANCE)
			crew->last = (uint32_t)dice_pick(dice, crew->weights,
							 crew->count);
		crew->when = job->submit;
		job->assoc = (uint32_t)crew->users[crew->last];
	}
}

/* A crew for each nobody that has jobs. RET: 0, or -1 with err. */
static int gather(workload_t *workload, crew_t **crews, size_t known,
		  sb_err_t *err)
{
	for (size_t i = 0; i < workload->job_count; i++) {
		uint32_t assoc = workload->jobs[i].assoc;

		if (strcmp(workload->assocs[assoc].name, WORKLOAD_NOBODY))
			continue;
		if (!crews[assoc])
			crews[assoc] = calloc(1, sizeof(**crews));
		if (!crews[assoc])
			return sb_err_set(err, "no memory");
		crews[assoc]->nobody = assoc;
		crews[assoc]->jobs++;
	}
	for (size_t i = 0; i < known; i++) {
		if (crews[i] && fill_crew(workload, crews[i], err))
			return -1;
	}
	return 0;
}

static int make_users(workload_t *workload, uint64_t seed, sb_err_t *err)
{
	size_t known = workload->assoc_count, jobs = 0;
	crew_t **crews = calloc(known, sizeof(*crews));
	dice_t dice;
	int rc = crews ? gather(workload, crews, known, err) :
		sb_err_set(err, "no memory");

	dice_seed(&dice, seed, STREAM_USERS);
	if (!rc)
		spread(workload, crews, &dice);
	for (size_t i = 0; crews && i < known; i++) {
		/* Nobody has no job any more, and no part of the budget. */
		if (crews[i] && !rc)
			workload->assocs[i].shares = 0;
		jobs += crews[i] ? crews[i]->jobs : 0;
		free(crews[i]);
	}
	free(crews);
	if (!rc && jobs)
		rc = say(workload_note(workload, "users of %zu job%s are made up: a third of the root of its jobs for each account, at most %d, the k-th with weight 1/k, in sessions of an hour (seed %llu)",
				       jobs, jobs == 1 ? "" : "s", USERS_MAX,
				       (unsigned long long)seed), err);
	return rc;
}

/* ---------------------------------------------------------------- limits */

extern int64_t models_limit(dice_t *dice, int64_t runtime)
{
	static const int64_t round_limits[] = {
		15 * SB_MINUTE, 30 * SB_MINUTE, SB_HOUR, 2 * SB_HOUR,
		4 * SB_HOUR, 8 * SB_HOUR, 12 * SB_HOUR, SB_DAY, 2 * SB_DAY,
		3 * SB_DAY, 5 * SB_DAY, 7 * SB_DAY, 14 * SB_DAY, 30 * SB_DAY,
	};
	double factor = dice_around(dice, LIMIT_FACTOR_MEDIAN,
				    LIMIT_FACTOR_SIGMA);
	double asked;

	if (factor < LIMIT_FACTOR_MIN)
		factor = LIMIT_FACTOR_MIN;
	asked = factor * (double)(runtime > SB_MINUTE ? runtime : SB_MINUTE);
	for (size_t i = 0; i < sizeof(round_limits) / sizeof(*round_limits);
	     i++) {
		if (asked <= (double)round_limits[i])
			return round_limits[i];
	}
	return asked < WORKLOAD_TIME_MAX ?
		(int64_t)ceil(asked / SB_DAY) * SB_DAY : WORKLOAD_TIME_MAX;
}

static int make_limits(workload_t *workload, uint64_t seed, sb_err_t *err)
{
	size_t count = 0;
	dice_t dice;

	dice_seed(&dice, seed, STREAM_LIMITS);
	for (size_t i = 0; i < workload->job_count; i++) {
		workload_job_t *job = &workload->jobs[i];

		if (job->limit != WORKLOAD_UNKNOWN)
			continue;
		job->limit = models_limit(&dice, job->runtime);
		count++;
	}
	return count ? say(workload_note(workload, "time limits of %zu job%s are made up: run time times a factor (log-normal, median %g, sigma %g, at least %g), rounded up to 15 min, 30 min, 1, 2, 4, 8, 12 h, 1, 2, 3, 5, 7, 14 or 30 days (seed %llu)",
					 count, count == 1 ? "" : "s",
					 LIMIT_FACTOR_MEDIAN,
					 LIMIT_FACTOR_SIGMA, LIMIT_FACTOR_MIN,
					 (unsigned long long)seed), err) : 0;
}

/* ---------------------------------------------------------------- minimums */

/* What somebody declares who has learned the contract. */
static int64_t declare(const models_t *models, dice_t *dice,
		       const workload_job_t *job)
{
	/* Drawn whatever the job is: jobs do not move each other's luck. */
	double kind = dice_real(dice);
	uint32_t part = dice_below(dice, 3);
	int64_t limit = job->limit >= 0 ? job->limit : job->runtime;
	int64_t minimum = models->minimum >> part;

	if (limit <= SB_DEBUG_RUNTIME_DEFAULT)
		return limit;
	if (job->interactive)
		minimum = INTERACTIVE_MINIMUM;
	else if (job->gpus <= SMALL_GPUS && kind < models->free)
		return 0;
	else if (kind >= 1 - models->undeclared)
		return WORKLOAD_UNKNOWN;
	else if (job->gpus >= LARGE_GPUS)
		minimum = models->minimum;
	return minimum < limit ? minimum : limit;
}

static int make_minimums(workload_t *workload, const models_t *models,
			 uint64_t seed, sb_err_t *err)
{
	char most[SB_TIMESPAN_TEXT];
	dice_t dice;

	for (size_t i = 0; i < workload->job_count; i++) {
		if (workload->jobs[i].min_runtime != WORKLOAD_UNKNOWN)
			return 0;
	}
	dice_seed(&dice, seed, STREAM_MINIMUMS);
	for (size_t i = 0; i < workload->job_count; i++)
		workload->jobs[i].min_runtime =
			declare(models, &dice, &workload->jobs[i]);
	sb_timespan_format(models->minimum, most, sizeof(most));
	return say(workload_note(workload, "no job declares a minimum runtime, so they are made up: the limit up to 15 min, 2 h for interactive jobs, nothing for %g %% of others, 0 for %g %% of those up to %d GPUs, %s from %d GPUs on, else that, half or a quarter of it, and never over the limit (seed %llu)",
				 100 * models->undeclared, 100 * models->free,
				 SMALL_GPUS, most, LARGE_GPUS,
				 (unsigned long long)seed), err);
}

static int make_checkpoints(workload_t *workload, uint64_t seed, sb_err_t *err)
{
	size_t count = 0;
	dice_t dice;

	dice_seed(&dice, seed, STREAM_CHECKPOINTS);
	for (size_t i = 0; i < workload->job_count; i++) {
		workload_job_t *job = &workload->jobs[i];
		bool writes = dice_real(&dice) < 0.5;

		if (job->checkpoint != WORKLOAD_UNKNOWN)
			continue;
		count++;
		if (job->min_runtime > 0)
			job->checkpoint = job->min_runtime;
		else
			job->checkpoint = !writes ? 0 :
				job->min_runtime ? SB_HOUR : FREE_CHECKPOINT;
	}
	return count ? say(workload_note(workload, "checkpoints of %zu job%s are made up: as often as the declared minimum; without one every second job writes them, each hour, or 15 min if it declares 0, and the rest begin anew (seed %llu)",
					 count, count == 1 ? "" : "s",
					 (unsigned long long)seed), err) : 0;
}

extern int models_apply(workload_t *workload, const models_t *models,
			uint64_t seed, sb_err_t *err)
{
	if ((models->users && make_users(workload, seed, err)) ||
	    (models->limits && make_limits(workload, seed, err)) ||
	    (models->minimums &&
	     make_minimums(workload, models, seed, err)) ||
	    (models->checkpoints && make_checkpoints(workload, seed, err)))
		return -1;
	return 0;
}
