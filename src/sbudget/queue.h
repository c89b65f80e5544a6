/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue - the jobs that slurmctld shows, in the order in which it serves them.
 */
#ifndef SB_QUEUE_H
#define SB_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "slurm_api.h"

/* What is known of a partition. */
typedef struct {
	char *name;
	bool exempt;		/* PreemptMode=OFF */
	uint16_t tier;
	int32_t *node_ranges;
} part_t;

struct queue {
	job_t *jobs;		/* waiting ones first, as they are served */
	size_t count;
	size_t waiting;
	part_t *parts;
	size_t part_count;
};

/* Take over what slurmctld told. Settings, associations and QOS of the cluster
 * are there. RET: 0, or -1 without memory. */
extern int queue_fill_parts(queue_t *queue, const partition_info_msg_t *msg);
extern int queue_fill_jobs(queue_t *queue, const cluster_t *cluster,
			   const job_info_msg_t *msg);
/* Once the tree is computed: who is funded, and what that changes. Sorts. */
extern void queue_settle(queue_t *queue, const cluster_t *cluster);
extern void queue_free(queue_t *queue);

/* RET: the partition, or NULL. */
extern const part_t *queue_part(const queue_t *queue, const char *name,
				size_t length);

/* RET: the job that a user calls so (12, 12_3, 12+1), or NULL. */
extern const job_t *queue_find(const queue_t *queue, const char *label);

/* RET: its place among jobs that could start, 1 = next; 0: it could not. */
extern uint32_t queue_place(const queue_t *queue, const job_t *job);
/* RET: how many these are. */
extern uint32_t queue_ready(const queue_t *queue);

#endif
