/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sums - run seconds of all associations and QOS, against a count of the jobs
 * that run, from the start.
 */
#ifndef BENCH_SUMS_H
#define BENCH_SUMS_H

#include "src/slurm_compat/compat.h"

/* IN jobs: all that run, and count of them; qos_count: the highest id of a QOS.
 * RET: associations and QOS that have running jobs. */
extern long sums_compare(job_record_t *const *jobs, size_t count, long qos_count,
			 time_t now);
/* RET: how many sums are not what the jobs had left at `now`. */
extern long sums_wrong(void);
/* RET: sums of a QOS per account and user, of all comparisons so far (0 before
 * 24.05). */
extern long sums_used(void);

#endif
