/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster - a snapshot of what slurmctld shows us: settings, budget tree,
 * jobs, capacity.
 */
#ifndef SB_CLUSTER_H
#define SB_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "assocs.h"
#include "params.h"
#include "queue.h"

/* Most notes to a reader. */
#define CLUSTER_NOTES 8

typedef struct {
	char *name;
	double usage_factor;
} qos_t;

/* A node that no new job gets. */
typedef struct {
	char *node;
	int64_t since;		/* epoch */
} drain_t;

struct cluster {
	char *name;
	int64_t now;
	sb_params_t *params;
	char *priority_type, *preempt_type;
	bool budgets;		/* PriorityType=priority/budget */
	bool contracts;		/* PreemptType=preempt/minruntime */
	bool partial;		/* PrivateData: a part of the tree only */
	bool own_jobs;		/* PrivateData: perhaps not all jobs */
	bool comments;		/* slurmdbd keeps the comments of jobs */
	bool has_gpus;
	double capacity;	/* charged TRES of all nodes */
	double gpus;		/* GPUs of all nodes; without any, capacity */
	drain_t *drains;
	size_t drain_count;
	assocs_t assocs;
	queue_t queue;
	qos_t *qos;
	size_t qos_count;
	const char *notes[CLUSTER_NOTES];	/* what a reader must know */
	size_t note_count;
};

/* RET: a snapshot, or NULL after saying on stderr why there is none. */
extern cluster_t *cluster_load(void);
/* NULL is legal. */
extern void cluster_destroy(cluster_t *cluster);

/* RET: EXIT_OK, or EXIT_ERROR after saying which account of the list of -A is
 * none. IN list: NULL is legal. */
extern int cluster_check_accounts(const cluster_t *cluster, const char *list);

/* "GPU", or what is charged where the cluster has no GPUs: of counts. */
extern const char *cluster_counted(const cluster_t *cluster);
/* The charged TRES: of hours. */
extern const char *cluster_unit(const cluster_t *cluster);

/* The tree for the policy; empty when only a part is known. */
extern sb_tree_view_t cluster_tree(const cluster_t *cluster);

/* Print the notes, for people, on stderr. */
extern void cluster_print_notes(const cluster_t *cluster);

/* "sbudget: error: ..." RET: EXIT_ERROR. */
extern int cluster_fail(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
