/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy - may this job take that one's place, and who goes first?
 *
 * Pure decisions over a computed tree: no allocation, no lock, nothing kept,
 * O(depth) each. The caller says what it knows of the two jobs; a heterogeneous
 * job is asked about component by component and yields when all may.
 *
 * Ratios: the preemptor's side counts burst (sb_tree_node_t.ratio, taken
 * before its start, so that a large job does not bar itself), the preemptee's
 * side does not (ratio_window). So whatever starts or stops right now can only
 * make a preemptor weaker, never a preemptee: together with the margin this is
 * why, while budgets and usage stand still, two branches never evict each
 * other in turn. (Commitment of the new job is usage. It can turn a pair round
 * at once only when it is more than margin / (1 - margin) of all that the
 * level has used in the window, and even then the new job itself is
 * protected.)
 */
#ifndef SB_CORE_POLICY_H
#define SB_CORE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"
#include "params.h"
#include "tree.h"

/* A computed tree, read only; it must outlive the call. */
typedef struct {
	const sb_tree_node_t *nodes;
	size_t count;
} sb_tree_view_t;

/* A job in the eyes of the policy. */
typedef struct {
	int32_t node;		/* its association in the tree; out of range:
				 * unknown, then nothing is compared */
	sb_class_t class;	/* pending: by its comment; running: locked in*/
	bool funded;		/* its association, now */
	uint32_t nodes;		/* it has, or asks for */
	double gpus;		/* same; what counts as one where a job has
				 * none (cores, billing) is the caller's */
	int64_t min_runtime;	/* declared and capped, seconds; 0: none.
				 * Without what protect_growth added. */

	/* Preemptee only. */
	int64_t protected_left;	/* sb_contract_left(), seconds */
	int64_t ran;		/* seconds, suspended time not counted */
	bool exempt;		/* its partition or QOS: preemption off */
	bool interactive;	/* salloc, srun: no batch script */
	bool requeueable;

	/* Preemptor only. */
	int64_t blocked_wait;	/* seconds so far, in sum, that it was the
				 * best-ranked blocked job */
} sb_party_t;

typedef enum {
	/* May: */
	SB_MAY_FREE,		/* preemptee is unallocated or unfunded */
	SB_MAY_BUDGET,		/* over its budget, under by the margin */
	SB_MAY_COLLEAGUE,	/* users of one account, by the margin */
	SB_MAY_GANG,		/* large job that has waited long enough */
	SB_MAY_DEBUG,		/* debug job, its own account's job */
	SB_MAY_RULE,		/* preempt_by=qos or =partition says so */
	/* May not: */
	SB_NOT_PROTECTED,	/* inside its minimum runtime */
	SB_NOT_EXEMPT,		/* partition or QOS: preemption off */
	SB_NOT_UNALLOCATED,	/* preemptor is unallocated */
	SB_NOT_UNFUNDED,	/* preemptor is unfunded */
	SB_NOT_REQUEUEABLE,	/* and not_requeueable=spare */
	SB_NOT_UNKNOWN,		/* an association is not in the tree */
	SB_NOT_SAME,		/* one association */
	SB_NOT_COMPARABLE,	/* no branches, or one has no ratio there: a
				 * user with SB_SHARES_PARENT */
	SB_NOT_OVER,		/* preemptee's branch is within its budget */
	SB_NOT_UNDER,		/* preemptor's is not under by the margin */
	SB_NOT_MARGIN,		/* users of one account, too close */
	SB_NOT_RULE		/* preempt_by=qos or =partition says so */
} sb_verdict_t;

static inline bool sb_verdict_may(sb_verdict_t verdict)
{
	return verdict <= SB_MAY_RULE;
}

/* What a verdict rests on, for the log. Branches are -1 and ratios 0 where
 * none were compared. */
typedef struct {
	int32_t branch_preemptee;
	int32_t branch_preemptor;
	double ratio_preemptee;	/* ratio_window */
	double ratio_preemptor;	/* ratio */
} sb_grounds_t;

/*
 * preempt_by=budget, in this order:
 *   protected -> no; exempt -> no;
 *   preemptor unallocated or unfunded -> no;
 *   preemptee unallocated or unfunded -> yes, even of the same association,
 *   and whether or not it can be requeued: free time is never protected;
 *   not requeueable and not_requeueable=spare -> no;
 *   branches below the lowest common ancestor: ratio_preemptee > 1 and
 *   ratio_preemptor < 1 - margin -> yes; two users: ratio_preemptor <
 *   (1 - margin) * ratio_preemptee -> yes;
 *   preemptor of gang_nodes or more, blocked for gang_wait, and
 *   ratio_preemptor < ratio_preemptee -> yes;
 *   debug: the preemptor declared at most debug_runtime on one node, the
 *   preemptee is of the same account (or of the same user), on at most
 *   SB_DEBUG_VICTIM_NODES nodes, neither debug itself nor interactive -> yes;
 *   else no, for the reason that the ratios gave.
 * Undeclared jobs count as allocated, but never as debug.
 * OUT grounds: may be NULL.
 */
extern sb_verdict_t sb_policy_may_preempt(const sb_params_t *params,
					  sb_tree_view_t tree,
					  const sb_party_t *preemptee,
					  const sb_party_t *preemptor,
					  sb_grounds_t *grounds);

/* The exception that a preemptor's own measures allow, as far as they do:
 * beside these only its association and class matter to a verdict. */
typedef enum {
	SB_CLAIM_NONE, SB_CLAIM_GANG, SB_CLAIM_DEBUG, SB_CLAIM_BOTH
} sb_claim_t;

extern sb_claim_t sb_policy_claim(const sb_params_t *params,
				  const sb_party_t *preemptor);

/*
 * Where there is somebody to preempt: below one node of the tree, past their
 * minimum. For a caller that has many waiting jobs to ask about and need not
 * ask about all. All of 0: nobody.
 */
typedef struct {
	bool any;
	bool free;		/* unallocated or unfunded ones */
	double over;		/* largest ratio_window of the branches right
				 * below that have any */
} sb_prey_t;

/* A job of a known association may be preempted as far as it alone goes.
 * IN/OUT prey: one for each node of the tree. O(depth). */
extern void sb_policy_prey_add(sb_tree_view_t tree, sb_prey_t *prey,
			       const sb_party_t *preemptee);

/* RET: true: preempt_by=budget lets this preemptor take none of them, and
 * nobody else. false says nothing. O(depth). */
extern bool sb_policy_hopeless(const sb_params_t *params, sb_tree_view_t tree,
			       const sb_prey_t *prey,
			       const sb_party_t *preemptor);

/*
 * What can be told of the jobs of the association at `node` (funded or not as
 * it is there; unallocated ones, or all the others) without looking at one.
 * sb_policy_may_preempt() says no for each of them; or yes for each that
 * sb_policy_spared() does not spare; or it depends on more.
 */
typedef enum {
	SB_OUTLOOK_DEPENDS, SB_OUTLOOK_NEVER, SB_OUTLOOK_UNLESS_SPARED
} sb_outlook_t;

extern sb_outlook_t sb_policy_outlook(const sb_params_t *params,
				      sb_tree_view_t tree, int32_t node,
				      bool unallocated,
				      const sb_party_t *preemptor);

/*
 * The part that preempt_by=qos and =partition share: protected, exempt, or
 * (unless unallocated or unfunded) not requeueable and to be spared.
 * OUT why: set when spared; may be NULL. RET: true: leave it alone.
 */
extern bool sb_policy_spared(const sb_params_t *params,
			     const sb_party_t *preemptee, sb_verdict_t *why);

/*
 * drain_requeue: is a running job on a DRAIN node sent back to the queue?
 * Only one that declared something, 0 too, said that it can be resumed.
 * IN declared: sb_contract_t.declared.
 */
extern bool sb_policy_leaves_drain(const sb_params_t *params, int64_t declared,
				   const sb_party_t *preemptee);

/*
 * gang_wait's clock, for the best-ranked blocked job: it runs while that is a
 * large one. IN nodes: it asks for. IN from: the later of the last time asked
 * and the first second that it could be blocked.
 * RET: seconds to add to its blocked_wait.
 */
extern int64_t sb_policy_blocked_for(const sb_params_t *params, uint32_t nodes,
				     int64_t from, int64_t now);

/* "over-budget" | "protected" | ...; never NULL. */
extern const char *sb_verdict_name(sb_verdict_t verdict);

/*
 * What an eviction wastes, GPU-seconds: work since the job last completed a
 * minimum runtime (a job makes progress once per minimum; all of it when it
 * has none) and SB_RESTART_COST per GPU to start again.
 */
extern double sb_policy_victim_cost(const sb_party_t *preemptee);

/*
 * Order of victims, smaller goes first: unallocated, then unfunded, then the
 * rest; in each least cost (to 0.3 %), then the account most over its
 * allocation of the cluster (the product of ratio_window down to it: a victim
 * is ordered before its preemptor is known), then the smaller job.
 * Unknown associations count as exactly on budget.
 */
extern uint32_t sb_policy_victim_prio(sb_tree_view_t tree,
				      const sb_party_t *preemptee);

/*
 * Strict weak order of the queue, ahead of the priority: funded allocated
 * work, then unfunded, then unallocated. Everything else is left to the
 * priority. An evicted job must not sort before the one that it made room
 * for, or it would be started in its place, and evicted again.
 * RET: true when a goes before b.
 */
extern bool sb_policy_queue_before(const sb_party_t *a, const sb_party_t *b);
/* The same as a number for each, 0 to 2: smaller goes first. */
extern uint32_t sb_policy_queue_class(const sb_party_t *party);

#endif
