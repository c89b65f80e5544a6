/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * look - what the watcher finds in one pass over the job list, read only.
 */
#ifndef SB_LOOK_H
#define SB_LOOK_H

#include "src/slurm_compat/compat.h"

/* A growing list of job ids. */
typedef struct {
	uint32_t *ids;
	size_t count;
	size_t size;
} id_list_t;

typedef struct {
	uint32_t number;	/* never 0 */
	time_t now;		/* read under the job lock */
	time_t before;		/* of the look before, 0: none */
	id_list_t unsigned_jobs;
	id_list_t draining;	/* past their minimum on DRAIN nodes */
	id_list_t graced;	/* preempted, and their grace time has ended */
	id_list_t ended;	/* protection ended since the look before */
	id_list_t waiting;	/* jobs that could start if there were room */
	uint32_t best_blocked;	/* of those, the one with most priority; 0 */
	time_t next_end;	/* of a protection or grace time, 0: none */
	time_t next_classes;	/* of waiting jobs are read (classes.h) */
	int64_t cost;		/* of all pieces, microseconds of CPU */
} look_t;

/*
 * Begin a look, then take it piece by piece until there are no more jobs. The
 * locks may be given up in between: what changes meanwhile is newer than `now`,
 * and the next look's. One that is not brought to its end must not be gone on
 * with: when slurmctld ends, the list that it stands in does.
 * Locks: job R, node R, part R, none of assoc_mgr's; buffers are used again.
 */
extern void look_begin(look_t *look);
/* RET: there is more. */
extern bool look_take(void);
/* RET: a started job on a DRAIN node goes back to the queue: false for one that
 * is not signed, or has started anew since the look. Locks: job R, part R. */
extern bool look_may_leave(const job_record_t *job_ptr, time_t now);
extern void look_free(look_t *look);

#endif
