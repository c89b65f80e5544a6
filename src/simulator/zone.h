/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone - times as sacct prints them, in the local zone of whoever ran it.
 *
 * Such a time has no zone: in autumn an hour comes twice, and in spring one
 * never comes. So a text names one instant, two, or none.
 */
#ifndef SB_SIM_ZONE_H
#define SB_SIM_ZONE_H

#include <stdint.h>

/* The last time that is believed, epoch: 2106-02-07, as Slurm's 32 bits. */
#define ZONE_TIME_MAX 4294967295

typedef struct {
	int count;		/* 0: no time (Unknown, None, N/A, empty) */
	int64_t when[2];	/* epoch, the earlier first */
} zone_time_t;

/* Days whose offset from UTC is known, so that a month of lines asks for each
 * day once. Begin with zeros. */
#define ZONE_DAYS 512
typedef struct {
	int64_t day[ZONE_DAYS];		/* since the epoch, + 1; 0: free */
	int64_t offset[ZONE_DAYS];	/* seconds east */
} zone_t;

/*
 * IN text: YYYY-MM-DDTHH:MM:SS in local time (TZ), the same with a zone (Z,
 * +hhmm, +hh:mm), or seconds since the epoch (SLURM_TIME_FORMAT=%s).
 * RET: NULL, or what is wrong.
 */
extern const char *zone_parse(zone_t *zone, const char *text,
			      zone_time_t *time);

#endif
