/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contest - may a waiting job take a running one's place, when, and by which
 * rule? The answer is core/policy.h's; here are the jobs, and what the policy
 * leaves to others: partitions, nodes, PreemptExemptTime.
 */
#ifndef SB_CONTEST_H
#define SB_CONTEST_H

#include "cluster.h"

typedef struct {
	const job_t *victim;
	const job_t *taker;
	sb_verdict_t verdict;	/* once nothing protects the victim */
	sb_grounds_t grounds;
	bool is_protected;	/* it is now */
	int64_t when;		/* from when on, epoch; 0: never, or nobody
				 * knows (a suspended job's clock stands) */
} contest_t;

/* RET: the victim holds what the other could use: a node of its partitions,
 * GPUs of its type. Features and reservations are not looked at. */
extern bool contest_fits(const cluster_t *cluster, const job_t *victim,
			 const job_t *taker);

extern contest_t contest_judge(const cluster_t *cluster, const job_t *victim,
			       const job_t *taker);

/* RET: the contest has a winner, now or later. */
static inline bool contest_won(const contest_t *contest)
{
	return sb_verdict_may(contest->verdict) && contest->when;
}

/*
 * All running jobs that could yield to this one, in the order in which they
 * would: first those that may now, as slurmctld chooses among them.
 * OUT count. RET: malloc'ed, NULL without memory.
 */
extern contest_t *contest_victims(const cluster_t *cluster, const job_t *taker,
				  size_t *count);

/* Waiting jobs that a running one may have to yield to. Jobs that are alike
 * to the policy count as one, the first in the queue. RET: malloc'ed. */
extern const job_t **contest_takers(const cluster_t *cluster, size_t *count);

/* Who takes this job's place first, when things stay as they are.
 * IN takers: of contest_takers(). RET: false: nobody. */
extern bool contest_first_taker(const cluster_t *cluster, const job_t *victim,
				const job_t *const *takers, size_t count,
				contest_t *contest);

/* A verdict in plain words: "because ...". */
extern const char *contest_words(sb_verdict_t verdict);

#endif
