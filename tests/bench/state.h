/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state - a synthetic slurmctld: nodes, partitions, jobs in slurmctld's own
 * tables, made by its own functions as far as those can be reached.
 */
#ifndef BENCH_STATE_H
#define BENCH_STATE_H

#include "src/slurm_compat/compat.h"

#include "options.h"

typedef struct {
	job_record_t **pending;
	size_t pending_count;
	job_record_t **running;
	size_t running_count;
} state_t;

/* slurm.conf in options->dir, then everything. RET: true, or false after a
 * message. */
extern bool state_create(const options_t *options, state_t *state);

/* A job that waits begins, at `start`. Locks: job W, or there is nobody
 * else. */
extern void state_start(job_record_t *job_ptr, const options_t *options,
			time_t start);

#endif
