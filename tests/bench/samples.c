/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "samples.h"

extern void samples_add(samples_t *samples, double value)
{
	if (samples->count == samples->room) {
		samples->room = samples->room ? samples->room * 2 : 16;
		samples->values = realloc(samples->values, samples->room *
					  sizeof(*samples->values));
		if (!samples->values)
			abort();
	}
	samples->values[samples->count++] = value;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return (x > y) - (x < y);
}

extern double samples_quantile(samples_t *samples, double part)
{
	double place;
	size_t low;

	if (!samples->count)
		return 0;
	qsort(samples->values, samples->count, sizeof(*samples->values),
	      compare);
	place = part * (double) (samples->count - 1);
	low = (size_t) floor(place);
	if (low + 1 >= samples->count)
		return samples->values[samples->count - 1];
	return samples->values[low] + (place - (double) low) *
		(samples->values[low + 1] - samples->values[low]);
}

extern void samples_free(samples_t *samples)
{
	free(samples->values);
	*samples = (samples_t) { 0 };
}
