/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure - the figures of a replay by which policies are compared: a row of
 * numbers, each as src/report defines it.
 */
#ifndef SB_SIM_MEASURE_H
#define SB_SIM_MEASURE_H

#include "replay.h"
#include "sheet.h"

typedef enum {
	MEASURE_DELIVERED, MEASURE_TEAMS, MEASURE_TEAMS_95, MEASURE_WORST,
	MEASURE_OCCUPANCY, MEASURE_IMPACT, MEASURE_UNALLOCATED,
	MEASURE_DEBUG_P50, MEASURE_DEBUG_P90, MEASURE_INTERACTIVE_P90,
	MEASURE_OTHER_P50, MEASURE_OTHER_P90, MEASURE_LARGE_P50,
	MEASURE_LARGE_P90, MEASURE_LARGE_MAX, MEASURE_FREE_P90,
	MEASURE_PREEMPTIONS, MEASURE_STARTED, MEASURE_LOST,
	MEASURE_COMPLETED, MEASURE_TIMEOUTS, MEASURE_UNFINISHED,
	MEASURE_REFUSED,
	/* Where nodes have CPUs, and not told of elsewhere. */
	MEASURE_GPUS, MEASURE_CPUS, MEASURE_MEMORY,
	MEASURES
} measure_t;

/* What it is. RET: valid for 0 .. MEASURES - 1. */
extern const report_column_t *measure_column(measure_t measure);

/* RET: it is left out where it is not known, in programs' forms as well. */
extern bool measure_is_extra(measure_t measure);

/* OUT values: NAN where there is nothing to tell. */
extern void measure_take(const replay_t *replay, double values[MEASURES]);

/* As people read it: "98.2 %", "1:05:00", "-". RET: buf. */
extern char *measure_text(measure_t measure, double value, char *buf,
			  size_t size);

#endif
