/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job - a job that slurmctld shows, with its contract and as the policy sees
 * it.
 */
#ifndef SB_JOB_H
#define SB_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "contract.h"
#include "policy.h"
#include "slurm_api.h"

typedef struct cluster cluster_t;
typedef struct queue queue_t;

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

/* Take over what slurmctld told. Settings and QOS of the cluster and
 * partitions of the queue are there; who is funded is not known yet.
 * RET: 0, or -1 without memory; job_free() either way. */
extern int job_fill(job_t *job, const slurm_job_info_t *info,
		    const queue_t *queue, const cluster_t *cluster);
extern void job_free(job_t *job);

/* RET: a user calls it so: 12, 12_3, 12+1, also a task that it stands for. */
extern bool job_is_called(const job_t *job, const char *label);

/* Pairs first, last, and -1. RET: NULL: none, or no memory. */
extern int32_t *job_copy_ranges(const int32_t *ranges);

#endif
