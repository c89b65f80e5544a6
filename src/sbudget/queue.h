/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue - the jobs that slurmctld shows, each with its contract and as the
 * policy sees it.
 */
#ifndef SB_QUEUE_H
#define SB_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"
#include "policy.h"
#include "slurm_api.h"

typedef enum {
	JOB_IS_WAITING,
	JOB_IS_RUNNING,
	JOB_IS_SUSPENDED,
	JOB_IS_OVER		/* ended, or on its way out */
} job_kind_t;

typedef struct {
	uint32_t id;
	char *label;		/* 12, 12_3, 12_[4-9], 12+1 */
	job_kind_t kind;
	char *account, *user, *partition, *name, *nodes;
	const char *reason;	/* why it waits, Slurm's word */
	const char *state;	/* Slurm's word */
	char *tres;		/* allocated, or asked for */
	uint32_t assoc_id;
	uint32_t priority;	/* 0: held */
	uint32_t tasks;		/* of the array that this record stands for */
	bool ready;		/* could start if there were room */
	bool is_signed;		/* contract was locked in by the plugin */
	int malformed;		/* the declaration cannot be read */
	double size;		/* GPUs, or charged TRES; of one task */
	double rate;		/* charged TRES per second, by QOS and class */
	int64_t start, submit;	/* epoch; start 0: has not */
	int64_t ran;		/* seconds, suspended time not counted */
	int64_t left;		/* seconds of protection */
	int64_t exempt_until;	/* PreemptExemptTime, epoch; 0: none */
	sb_contract_t contract;	/* waiting: what it would get now */
	bool told;		/* evicted holds the story of an eviction */
	sb_party_t party;
	int32_t *node_ranges;	/* pairs first, last, and -1; NULL: none */
} job_t;

/* What is known of a partition. */
typedef struct {
	char *name;
	bool exempt;		/* PreemptMode=OFF */
	uint16_t tier;
	int32_t *node_ranges;
} part_t;

typedef struct {
	job_t *jobs;		/* waiting ones first, as they are served */
	size_t count;
	size_t waiting;
	part_t *parts;
	size_t part_count;
} queue_t;

typedef struct cluster cluster_t;

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
