/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pacts - what we know of each job: its signed contract, what its comment says
 * while it waits, how long it has been blocked.
 *
 * Guarded by slurmctld's job lock: R to find, W to add or change; the watcher's
 * own fields (seen, blocked) are changed by its thread alone.
 */
#ifndef SB_PACTS_H
#define SB_PACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/contract.h"

/* What a verdict reads comes first, in the first two cache lines. */
#define PACT_ALIGN 64

typedef struct {
	uint32_t job_id;
	bool is_signed;		/* contract is of the attempt that started at
				 * contract.start, after so many restarts */
	bool shadowed;		/* "would preempt" has been said */
	bool interactive;	/* no batch script */
	uint32_t comment_hash;	/* of the comment when it was last read, */
	const char *comment;	/* and where that stood; not to be read */
	sb_contract_t contract;
	uint32_t restarts;	/* of the job, when that was signed */
	uint32_t nodes;		/* that it has */
	uint32_t seen;		/* number of the last look that saw the job */
	int64_t blocked;	/* seconds that it was the best-ranked blocked
				 * job */
} __attribute__((aligned(PACT_ALIGN))) pact_t;

/* RET: the job's entry, or NULL. */
extern pact_t *pacts_find(uint32_t job_id);
/* RET: the job's entry, a new one if there is none; NULL without memory. It
 * moves with the next pacts_add(). */
extern pact_t *pacts_add(uint32_t job_id);
/* Forget jobs that the look of this number has not seen. */
extern void pacts_sweep(uint32_t seen);
extern void pacts_free(void);

#endif
