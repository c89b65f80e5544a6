/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples - a series of measurements of one thing.
 */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include <stddef.h>

typedef struct {
	double *values;
	size_t count;
	size_t room;
} samples_t;

extern void samples_add(samples_t *samples, double value);
/* IN part: 0 the least, 0.5 the median, 1 the most. RET: 0 of none. */
extern double samples_quantile(samples_t *samples, double part);
extern void samples_free(samples_t *samples);

#endif
