/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "report.h"
#include "waits.h"

/* Smallest size of each group, GPUs: parts of a node of eight, a node, and
 * steps of about four. */
static const struct {
	uint32_t least;
	const char *name;
} sizes[REPORT_WAIT_SIZES] = {
	{ 1, "1" },	  { 2, "2-7" },	      { 8, "8" },     { 9, "9-31" },
	{ 32, "32-127" }, { 128, "128-511" }, { 512, "512+" }
};

extern int report_waits_add(report_waits_t *waits, report_wait_t wait)
{
	if (waits->count == waits->room) {
		size_t room = waits->room ? waits->room * 2 : 1024;
		report_wait_t *more;

		if (room > SIZE_MAX / sizeof(*more))
			return -1;
		more = realloc(waits->waits, room * sizeof(*more));
		if (!more)
			return -1;
		waits->waits = more;
		waits->room = room;
	}
	waits->waits[waits->count++] = wait;
	return 0;
}

extern void report_waits_free(report_waits_t *waits)
{
	free(waits->waits);
	*waits = (report_waits_t) { 0 };
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return (x > y) - (x < y);
}

static double quantile(const uint32_t *sorted, size_t count, unsigned percent)
{
	/* count * percent: a count of waits is below 2^64 / 100 */
	size_t rank = (count * percent + 99) / 100;

	return sorted[rank ? rank - 1 : 0];
}

static void measure(report_spread_t *spread, uint32_t *waits)
{
	size_t count = spread->count;

	if (!count) {
		spread->p50 = spread->p90 = spread->p99 = NAN;
		spread->max = NAN;
		return;
	}
	qsort(waits, count, sizeof(*waits), compare);
	spread->p50 = quantile(waits, count, 50);
	spread->p90 = quantile(waits, count, 90);
	spread->p99 = quantile(waits, count, 99);
	spread->max = waits[count - 1];
}

/* Lay the waits out, group after group. */
static void deal(const report_waits_t *waits, report_group_t group,
		 const void *arg, size_t groups, size_t *next, uint32_t *out)
{
	for (size_t i = 0; i < waits->count; i++) {
		uint32_t g = group(&waits->waits[i], arg);

		if (g < groups)
			out[next[g]++] = waits->waits[i].wait;
	}
}

extern int report_waits_spread(const report_waits_t *waits,
			       report_group_t group, const void *arg,
			       size_t groups, report_spread_t *spreads,
			       uint32_t **sorted)
{
	size_t *next = calloc(groups + 1, sizeof(*next));
	uint32_t *out = calloc(waits->count + 1, sizeof(*out));
	size_t begin = 0;

	if (!next || !out) {
		free(next);
		free(out);
		return -1;
	}
	for (size_t g = 0; g < groups; g++)
		spreads[g] = (report_spread_t) { 0 };
	for (size_t i = 0; i < waits->count; i++) {
		uint32_t g = group(&waits->waits[i], arg);

		if (g < groups) {
			spreads[g].count++;
			spreads[g].open += waits->waits[i].open;
		}
	}
	for (size_t g = 0; g < groups; g++) {
		next[g] = begin;
		begin += spreads[g].count;
	}
	deal(waits, group, arg, groups, next, out);
	for (size_t g = 0; g < groups; g++)
		measure(&spreads[g], out + next[g] - spreads[g].count);
	free(next);
	if (sorted)
		*sorted = out;
	else
		free(out);
	return 0;
}

extern const char *report_wait_class_name(report_wait_class_t class)
{
	static const char *const names[] = {
		[REPORT_WAIT_DEBUG] = "debug",
		[REPORT_WAIT_OTHER] = "other",
		[REPORT_WAIT_LARGE] = "large",
		[REPORT_WAIT_INTERACTIVE] = "interactive",
		[REPORT_WAIT_FREE] = "free",
		[REPORT_WAIT_RESTART] = "requeued",
	};

	return class < REPORT_WAIT_CLASSES ? names[class] : "unknown";
}

extern uint8_t report_wait_size(uint32_t gpus)
{
	uint8_t size = 0;

	while (size + 1 < REPORT_WAIT_SIZES && gpus >= sizes[size + 1].least)
		size++;
	return size;
}

extern const char *report_wait_size_name(uint8_t size)
{
	return size < REPORT_WAIT_SIZES ? sizes[size].name : "unknown";
}
