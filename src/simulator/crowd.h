/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crowd - running jobs that are past their protection, in groups of jobs that
 * are the same to the rules of preemption: one question answers for all of a
 * group. Order of victims is another matter, and a job's own.
 */
#ifndef SB_SIM_CROWD_H
#define SB_SIM_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every member of sb_party_t that a verdict on a job past its protection may
 * depend on, ran and gpus aside. */
typedef struct {
	uint32_t assoc;
	uint32_t nodes;
	int64_t min_runtime;
	uint8_t class;
	bool interactive, requeueable;
} crowd_kind_t;

typedef struct {
	crowd_kind_t kind;
	uint32_t *jobs;
	uint32_t count, room;
	uint32_t next;		/* of its association */
	uint32_t place;		/* in crowd.live, while not empty */
} crowd_group_t;

typedef struct {
	crowd_group_t *groups;
	uint32_t group_count, group_room;
	uint32_t *first;	/* by association */
	uint32_t *live;		/* groups that have jobs */
	uint32_t live_count;
	uint32_t count;		/* jobs */
	uint64_t version;	/* counts up when somebody joins */
} crowd_t;

/* RET: 0, or -1 without memory. */
extern int crowd_open(crowd_t *crowd, uint32_t assocs);
extern void crowd_close(crowd_t *crowd);

/* OUT group, place: where it is; may change when others are removed: moved is
 * told whom they put there. RET: 0, or -1 without memory. */
extern int crowd_add(crowd_t *crowd, const crowd_kind_t *kind, uint32_t job,
		     uint32_t *group, uint32_t *place);
/* RET: the job that has taken its place, or UINT32_MAX. */
extern uint32_t crowd_remove(crowd_t *crowd, uint32_t group, uint32_t place);

#endif
