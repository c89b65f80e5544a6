/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine - the nodes, which GPUs of them are taken, and where a job fits.
 *
 * Nodes are chosen as select/cons_tres does by default: of the runs of
 * neighbouring nodes on which the job fits, the one with the fewest free GPUs
 * that suffices (else the largest, and on); in it the nodes in order, or for
 * one node the tightest. Where nodes have CPUs, their free CPUs are what is
 * compared, as there.
 */
#ifndef SB_SIM_MACHINE_H
#define SB_SIM_MACHINE_H

#include "engine.h"

/* What goes with GPUs: CPUs and memory, MB. */
typedef struct {
	uint32_t cpus, mem;
} host_t;

/* What a job needs: so many GPUs on each of so many nodes. */
typedef struct {
	uint32_t nodes;		/* 0: a job without GPUs takes none, where
				 * CPUs are without bound */
	uint16_t gpus;		/* on each, >= 1 there */
	int16_t type;		/* -1: any */
	host_t host;		/* on each; 0 what is without bound */
} need_t;

/* Neighbouring nodes that fit. */
typedef struct {
	uint32_t begin, end;	/* [begin, end) */
	uint32_t free;		/* their free GPUs, or CPUs: the measure of
				 * fit */
} stretch_t;

typedef struct {
	uint32_t count;
	uint32_t stride;	/* most GPUs of a node */
	uint16_t *size;		/* GPUs */
	uint16_t *free;		/* not taken */
	uint16_t *open;		/* free, or 0 where no job may start now: the
				 * node is down, drains or is COMPLETING */
	bool *usable;		/* none of these */
	uint16_t *completing;	/* jobs on it that have ended and not gone */
	int16_t *type;
	double *weight;		/* charge of a GPU */
	/* As size, free and open; NULL: without bound. Memory alone may be
	 * so: then nobody needs any. */
	host_t *host_size, *host_free, *host_open;
	bool counts_mem;
	uint16_t *worth;	/* scratch */
	bool *drained, *failed;
	int64_t *drained_at;
	uint32_t *jobs;		/* of each node: who is on it ... */
	uint32_t job_stride;	/* ... room for so many ... */
	uint16_t *job_count;	/* ... and how many these are */
	uint32_t with_open[ENGINE_NODE_GPUS_MAX + 1];	/* nodes by open */
	uint64_t total, taken;	/* GPUs */
	uint64_t cpus, cpus_taken;	/* same, 0: without bound */
	uint64_t mem, mem_taken;
	uint64_t down;		/* that no job has or can have */
	uint32_t *chosen;	/* machine_place()'s answer */
	stretch_t *stretches;	/* scratch */
} machine_t;

/* IN options: checked. RET: 0, or -1 without memory (machine_free() it). */
extern int machine_fill(machine_t *machine, const engine_options_t *options);
extern void machine_free(machine_t *machine);

/* RET: false when the cluster as a whole is too small. */
extern bool machine_could(const machine_t *machine, const need_t *need);
/* RET: false when it surely does not fit now; O(GPUs of a node). */
extern bool machine_may_fit(const machine_t *machine, const need_t *need);
/*
 * IN open, hosts: GPUs, CPUs and memory that may be had of each node
 * (machine.open and host_open, or as it would be; hosts NULL: without bound).
 * RET: true and need->nodes nodes in machine->chosen. O(nodes).
 */
extern bool machine_place(machine_t *machine, const uint16_t *open,
			  const host_t *hosts, const need_t *need);

/* RET: its CPUs and memory are there. */
static inline bool machine_hosts(const host_t *host, const need_t *need)
{
	return host->cpus >= need->host.cpus && host->mem >= need->host.mem;
}

/* RET: who is on a node: job_count of them. */
static inline uint32_t *machine_jobs(const machine_t *machine, uint32_t node)
{
	return &machine->jobs[(size_t) node * machine->job_stride];
}

/* Take or give back. IN nodes: need->nodes of them, on which it fits. */
extern void machine_take(machine_t *machine, uint32_t job, const need_t *need,
			 const uint32_t *nodes);
extern void machine_give(machine_t *machine, uint32_t job, const need_t *need,
			 const uint32_t *nodes);
/* A job that has ended is still there (1), or gone (-1). */
extern void machine_complete(machine_t *machine, uint32_t node, int by);
/* State of a node. */
extern void machine_change(machine_t *machine, uint32_t node,
			   engine_change_t change, int64_t now);

/* RET: true when all counts agree. */
extern bool machine_check(const machine_t *machine);

#endif
