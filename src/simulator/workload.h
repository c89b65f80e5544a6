/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload - what is asked of a cluster: the budget tree, and jobs in order of
 * their submission. Readers and generators make one, the engine replays it.
 *
 * Times are seconds since `origin`, which is an epoch time (0 when the source
 * has relative times only): nothing in here depends on a time zone.
 */
#ifndef SB_SIM_WORKLOAD_H
#define SB_SIM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Not in the source. Models fill these in (models.h), and the report says
 * so. */
#define WORKLOAD_UNKNOWN (-1)

/* The user of jobs whose source names none: models spread them over users. */
#define WORKLOAD_NOBODY "?"
/* The account of those without one. */
#define WORKLOAD_NO_ACCOUNT "all"

/* Most jobs, associations and GPU types: more is no workload of a cluster, and
 * an index of each has room in what holds it. */
#define WORKLOAD_JOBS_MAX 20000000
#define WORKLOAD_ASSOCS_MAX 1000000
#define WORKLOAD_TYPES_MAX 256
/* Longest time since the origin, and longest run: ten years, seconds. */
#define WORKLOAD_TIME_MAX (10 * 366 * (int64_t)86400)
/* Most nodes and GPUs of a job: Slurm knows no more than 64 Ki nodes. */
#define WORKLOAD_NODES_MAX 65536
#define WORKLOAD_GPUS_MAX (WORKLOAD_NODES_MAX * 64)
/* And CPUs, and memory, MB. */
#define WORKLOAD_CPUS_MAX (WORKLOAD_NODES_MAX * 2048)
#define WORKLOAD_MEM_MAX ((uint64_t)WORKLOAD_NODES_MAX << 28)

/* An association: as in Slurm, accounts above, users as leaves. */
typedef struct {
	char *name;		/* of the account or user */
	int32_t parent;		/* index, SB_NO_PARENT for root; before its
				 * children */
	uint32_t shares;	/* as sb_tree_node_t */
	bool user;
} workload_assoc_t;

typedef struct {
	uint32_t id;		/* as the source numbers it, else 1, 2, ... */
	uint32_t assoc;		/* index of a user's association */
	int64_t submit;
	int64_t runtime;	/* run time it needs to complete, if nobody
				 * stops it; 0 is legal */
	int64_t limit;		/* time limit, or WORKLOAD_UNKNOWN */
	int64_t min_runtime;	/* declared: 0 is free, or WORKLOAD_UNKNOWN:
				 * undeclared */
	int64_t checkpoint;	/* run time between two states that survive an
				 * eviction; 0: starts again from nothing, or
				 * WORKLOAD_UNKNOWN */
	int64_t wait;		/* that the source saw, or WORKLOAD_UNKNOWN */
	uint32_t nodes;		/* 0: as many as its GPUs need */
	uint32_t gpus;		/* of all its nodes; 0: it has CPUs */
	uint32_t cpus;		/* same; 0: as many as go with its GPUs */
	uint64_t mem_mb;	/* same */
	int16_t type;		/* of GPU: index in types, -1: any */
	bool interactive;	/* no batch script */
	bool requeueable;
} workload_job_t;

typedef struct {
	int64_t origin;
	workload_assoc_t *assocs;
	size_t assoc_count;
	workload_job_t *jobs;	/* by submit, then id */
	size_t job_count;
	char **types;		/* names of GPU types */
	size_t type_count;
	size_t skipped;		/* lines left out with --lenient */
	char **notes;		/* what was assumed or left out: sentences */
	size_t note_count;
	uint32_t *slots;	/* private: finds associations by name */
	size_t slot_count;
} workload_t;

/* RET: an empty workload with a root, or NULL without memory. */
extern workload_t *workload_create(void);
/* NULL is legal. */
extern void workload_destroy(workload_t *workload);

/*
 * Find an association by name below its parent, or add it with one share.
 * RET: index, or -1 with err (no memory, a child of a user, an empty name).
 */
extern int32_t workload_assoc(workload_t *workload, int32_t parent,
			      const char *name, bool user, sb_err_t *err);

/* Find a GPU type by name, or add it. RET: index, or -1 with err. */
extern int16_t workload_type(workload_t *workload, const char *name,
			     sb_err_t *err);

/* Remember a sentence for the report. RET: 0, or -1 without memory. */
extern int workload_note(workload_t *workload, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same of a number of things, "1 " and one or "5 " and many; of none
 * nothing. RET: as above. */
extern int workload_count(workload_t *workload, size_t count, const char *one,
			  const char *many);

/* Append a copy. RET: 0, or -1 with err (no memory, not of this tree). */
extern int workload_add(workload_t *workload, const workload_job_t *job,
			sb_err_t *err);

/* When all are there: order by submit, then id. */
extern void workload_sort(workload_t *workload);

#endif
