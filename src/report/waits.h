/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits - how long jobs waited: one small record each, exact quantiles by
 * group at the end.
 */
#ifndef SB_REPORT_WAITS_H
#define SB_REPORT_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By what the job is; add.c says which of several. */
typedef enum {
	REPORT_WAIT_DEBUG,
	REPORT_WAIT_OTHER,
	REPORT_WAIT_LARGE,
	REPORT_WAIT_INTERACTIVE,
	REPORT_WAIT_FREE,
	REPORT_WAIT_RESTART,	/* a requeued job, of any kind */
	REPORT_WAIT_CLASSES
} report_wait_class_t;

#define REPORT_WAIT_SIZES 7

typedef struct {
	uint32_t wait;		/* seconds */
	uint32_t account;
	uint8_t class;
	uint8_t size;
	bool open;		/* has not ended: at least `wait` */
} report_wait_t;

typedef struct {
	report_wait_t *waits;
	size_t count, room;
} report_waits_t;

/* Of a group of waits; NAN for an empty one. */
typedef struct {
	size_t count, open;
	double p50, p90, p99, max;	/* seconds */
} report_spread_t;

/* What a wait belongs to, for report_waits_spread(). */
typedef uint32_t (*report_group_t)(const report_wait_t *wait,
				   const void *arg);

/* RET: 0, or -1 without memory. */
extern int report_waits_add(report_waits_t *waits, report_wait_t wait);
extern void report_waits_free(report_waits_t *waits);

/*
 * Order waits by group and length.
 * IN group, arg: gives the group of a wait; those >= groups are left out.
 * OUT spreads: groups of them. OUT sorted: lengths, group after group, in an
 * array that the caller frees; NULL: not wanted.
 * The p-quantile is the shortest wait that at least a share of p of all does
 * not exceed (nearest rank). RET: 0, or -1 without memory.
 */
extern int report_waits_spread(const report_waits_t *waits,
			       report_group_t group, const void *arg,
			       size_t groups, report_spread_t *spreads,
			       uint32_t **sorted);

/* "debug", "large", ...; "1", "2-7", ... */
extern const char *report_wait_class_name(report_wait_class_t class);
extern uint8_t report_wait_size(uint32_t gpus);
extern const char *report_wait_size_name(uint8_t size);

#endif
