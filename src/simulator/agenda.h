/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agenda - which node is free from when on, as far as time limits tell, and
 * what a backfill pass has planned there.
 */
#ifndef SB_SIM_AGENDA_H
#define SB_SIM_AGENDA_H

#include "sim.h"

typedef struct {
	int64_t begin, end;
	uint32_t next;		/* of the same node, by begin; or ENGINE_NONE */
} slot_t;

/* In this pass a job of so many nodes and such a limit could not begin soon
 * enough to be planned: nor can one that needs as much or more. */
typedef struct {
	uint32_t pass;
	uint32_t nodes;
	int64_t limit;
	host_t host;
} beyond_t;

typedef struct agenda {
	uint32_t pass;
	beyond_t *beyond;	/* by GPU type and GPUs of a node */
	int64_t *ready;		/* so many GPUs + 1, a row of all nodes each:
				 * free from here on */
	struct steps *steps;	/* NULL: CPUs are without bound */
	const int64_t *row;	/* for the job at hand, of ready or steps */
	host_t *hosts;		/* as open, NULL with steps */
	uint32_t *order;	/* scratch */
	bool *stale;		/* ready is that of other jobs */
	uint32_t *first;	/* slot of each node */
	int64_t *barred;	/* begin of that, or never */
	int64_t *gap;		/* longest time between two slots of a node,
				 * 0: none */
	int64_t *last;		/* end of its last slot */
	slot_t *slots;
	uint32_t slot_count, slot_room;
	uint16_t *open;		/* GPUs by node, scratch */
	bool *usable;		/* same */
	int64_t *starts;	/* same */
	int64_t *sorted;	/* same */
} agenda_t;

/* RET: NULL without memory. */
extern agenda_t *agenda_create(const sim_t *sim);
extern void agenda_destroy(agenda_t *agenda);

/* The jobs of a node, or their ends, are others than before. */
extern void agenda_touch_node(sim_t *sim, uint32_t node);
/* The same of all nodes of a job. */
extern void agenda_touch(sim_t *sim, const sim_job_t *job);

/* Nothing is planned; what runs is known. */
extern void agenda_begin(sim_t *sim);

/* What may be had now by a job of this limit without delaying what is planned:
 * agenda.open, .hosts and .usable. */
extern void agenda_open_now(sim_t *sim, int64_t limit);

/*
 * The earliest start of a job, and where: machine.chosen.
 * RET: seconds, or SIM_NEVER behind `latest`.
 */
extern int64_t agenda_earliest(sim_t *sim, const need_t *need, int64_t limit,
			     int64_t latest);

/* Keep nodes for a job. RET: 0, or -1 without memory. */
extern int agenda_add(sim_t *sim, const uint32_t *nodes, uint32_t count,
		    int64_t begin, int64_t end);

#endif
