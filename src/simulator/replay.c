/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"
#include "limits.h"
#include "log.h"
#include "replay.h"

/* Ends of jobs between two times that somebody is told. */
#define PROGRESS_JOBS 200

extern int64_t replay_until(const workload_t *workload)
{
	int64_t last = workload->job_count ?
		workload->jobs[workload->job_count - 1].submit : 0;

	return last < SB_DAY ? 0 : (last / SB_HOUR + 1) * SB_HOUR;
}

static int tell(void *arg, int64_t now, size_t ended, size_t jobs)
{
	const replay_progress_t *progress = arg;

	(void)now;
	return progress->tell(progress->arg, ended, jobs);
}

/* The observer has one argument for all of its functions. */
typedef struct {
	log_t *log;
	const workload_t *workload;
	FILE *attempts;
	const replay_progress_t *progress;
} watcher_t;

static int see_run(void *arg, const engine_run_t *run)
{
	watcher_t *watcher = arg;

	if (watcher->attempts)
		journal_run(watcher->attempts, watcher->workload, run);
	return log_run(watcher->log, run);
}

static int see_capacity(void *arg, const engine_capacity_t *capacity)
{
	return log_capacity(((watcher_t *)arg)->log, capacity);
}

static int see_progress(void *arg, int64_t now, size_t ended, size_t jobs)
{
	return tell((void *)((watcher_t *)arg)->progress, now, ended, jobs);
}

static double part_of(double used, uint64_t have, int64_t seconds)
{
	return have && seconds > 0 ?
		used / ((double)have * (double)seconds) : NAN;
}

static void measure_hosts(const nodes_t *nodes, replay_t *replay)
{
	const engine_figures_t *figures = &replay->figures;
	uint64_t cpus = 0, mem = 0;

	for (size_t i = 0; i < nodes->count; i++) {
		const engine_pool_t *pool = &nodes->pools[i];

		cpus += (uint64_t)pool->nodes * pool->cpus;
		mem += (uint64_t)pool->nodes * pool->mem_mb;
	}
	replay->gpus = part_of(figures->allocated, cpus ? nodes->gpus : 0,
			       figures->until);
	replay->cpus = part_of(figures->cpus, cpus, figures->until);
	replay->mem = part_of(figures->mem, mem, figures->until);
}

extern int replay_run(const workload_t *workload, const settings_t *settings,
		      const nodes_t *nodes, const keep_t *keep,
		      int64_t until, bool bars, FILE *attempts,
		      const replay_progress_t *progress,
		      replay_t *replay, sb_err_t *err)
{
	engine_options_t options = settings->engine;
	log_t log = { .bars_wanted = bars };
	watcher_t watcher = {
		.log = &log, .workload = workload, .attempts = attempts,
		.progress = progress,
	};
	engine_observer_t observer = {
		.arg = &watcher, .run = see_run, .capacity = see_capacity,
		.progress = progress ? see_progress : NULL,
		.progress_jobs = PROGRESS_JOBS,
	};
	sb_params_t *params = settings_params(settings, err);
	int rc = params ? 0 : -1;

	memset(replay, 0, sizeof(*replay));
	options.params = params;
	options.pools = nodes->pools;
	options.pool_count = nodes->count;
	options.reservations = keep->list;
	options.reservation_count = keep->count;
	options.until = until;
	if (!rc && attempts)
		journal_begin(attempts);
	if (!rc)
		rc = engine_run(workload, &options, &observer,
				&replay->figures, err);
	if (!rc) {
		replay->relative = !workload->origin;
		measure_hosts(nodes, replay);
		replay->report = log_report(&log, workload, settings, params,
					    replay->figures.until, err);
		rc = replay->report ? 0 : -1;
	}
	sb_params_destroy(params);
	log_free(&log);
	return rc;
}

extern void replay_free(replay_t *replay)
{
	report_destroy(replay->report);
	memset(replay, 0, sizeof(*replay));
}
