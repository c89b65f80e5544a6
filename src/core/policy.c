/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy - the rules of preemption, one function per rule.
 */
#include <math.h>

#include "policy.h"

/* Bits of a victim's order, from the top: class 2, cost 14, account 10,
 * size 6. Logarithms, because costs span nine decades. */
#define COST_STEPS 256		/* per factor of 2: 0.3 % */
#define COST_TOP ((1U << 14) - 1)
#define OVER_STEPS 64		/* ratios from 2^-8 to 2^8 */
#define OVER_TOP ((1U << 10) - 1)
#define SIZE_STEPS 3		/* up to a million GPUs */
#define SIZE_TOP ((1U << 6) - 1)

static bool is_free(const sb_party_t *party)
{
	return party->class == SB_CLASS_UNALLOCATED || !party->funded;
}

static bool is_known(sb_tree_view_t tree, const sb_party_t *party)
{
	return tree.nodes && party->node >= 0 &&
	       (size_t) party->node < tree.count;
}

static bool is_debug(const sb_params_t *params, const sb_party_t *party)
{
	return party->class == SB_CLASS_ALLOCATED && party->nodes <= 1 &&
	       party->min_runtime > 0 &&
	       party->min_runtime <= params->debug_runtime;
}

extern bool sb_policy_spared(const sb_params_t *params,
			     const sb_party_t *preemptee, sb_verdict_t *why)
{
	sb_verdict_t reason;

	if (preemptee->protected_left > 0)
		reason = SB_NOT_PROTECTED;
	else if (preemptee->exempt)
		reason = SB_NOT_EXEMPT;
	else if (!preemptee->requeueable && params->not_requeueable_spare &&
		 !is_free(preemptee))
		reason = SB_NOT_REQUEUEABLE;
	else
		return false;
	if (why)
		*why = reason;
	return true;
}

/* The two branches and their ratios. RET: false when there are none. */
static bool find_grounds(sb_tree_view_t tree, const sb_party_t *preemptee,
			 const sb_party_t *preemptor, sb_grounds_t *grounds)
{
	const sb_tree_node_t *v, *p;

	if (!sb_tree_branches(tree.nodes, preemptee->node, preemptor->node,
			      &grounds->branch_preemptee,
			      &grounds->branch_preemptor))
		return false;
	v = &tree.nodes[grounds->branch_preemptee];
	p = &tree.nodes[grounds->branch_preemptor];
	grounds->ratio_preemptee = v->ratio_window;
	grounds->ratio_preemptor = p->ratio;
	return v->shares != SB_SHARES_PARENT && p->shares != SB_SHARES_PARENT;
}

static sb_verdict_t compare_branches(const sb_params_t *params,
				     sb_tree_view_t tree,
				     const sb_grounds_t *grounds)
{
	double below = 1 - params->preempt_margin;

	/* Idle colleagues' shares put every active user over 1, so users are
	 * held against each other and not against their budgets. */
	if (tree.nodes[grounds->branch_preemptee].user &&
	    tree.nodes[grounds->branch_preemptor].user)
		return grounds->ratio_preemptor <
		       below * grounds->ratio_preemptee ?
		       SB_MAY_COLLEAGUE : SB_NOT_MARGIN;
	if (!(grounds->ratio_preemptee > 1))
		return SB_NOT_OVER;
	return grounds->ratio_preemptor < below ? SB_MAY_BUDGET : SB_NOT_UNDER;
}

static bool is_large(const sb_params_t *params, uint32_t nodes)
{
	return params->gang_wait > 0 && nodes >= params->gang_nodes;
}

static bool is_gang(const sb_params_t *params, const sb_party_t *party)
{
	return is_large(params, party->nodes) &&
	       party->blocked_wait >= params->gang_wait;
}

extern int64_t sb_policy_blocked_for(const sb_params_t *params, uint32_t nodes,
				     int64_t from, int64_t now)
{
	return is_large(params, nodes) && now > from ? now - from : 0;
}

extern sb_claim_t sb_policy_claim(const sb_params_t *params,
				  const sb_party_t *preemptor)
{
	bool gang = is_gang(params, preemptor);

	if (is_debug(params, preemptor))
		return gang ? SB_CLAIM_BOTH : SB_CLAIM_DEBUG;
	return gang ? SB_CLAIM_GANG : SB_CLAIM_NONE;
}

static bool gang_may(const sb_params_t *params, const sb_party_t *preemptor,
		     const sb_grounds_t *grounds)
{
	return is_gang(params, preemptor) &&
	       grounds->ratio_preemptor < grounds->ratio_preemptee;
}

static bool debug_may(const sb_params_t *params, sb_tree_view_t tree,
		      const sb_party_t *preemptee, const sb_party_t *preemptor)
{
	return is_debug(params, preemptor) && !is_debug(params, preemptee) &&
	       !preemptee->interactive &&
	       preemptee->nodes <= SB_DEBUG_VICTIM_NODES &&
	       tree.nodes[preemptee->node].parent ==
	       tree.nodes[preemptor->node].parent;
}

/* Two funded, allocated jobs of which one may be evicted in principle. */
static sb_verdict_t weigh(const sb_params_t *params, sb_tree_view_t tree,
			  const sb_party_t *preemptee,
			  const sb_party_t *preemptor, sb_grounds_t *grounds)
{
	sb_verdict_t verdict;

	if (!is_known(tree, preemptee) || !is_known(tree, preemptor))
		return SB_NOT_UNKNOWN;
	if (preemptee->node == preemptor->node) {
		verdict = SB_NOT_SAME;
	} else if (!find_grounds(tree, preemptee, preemptor, grounds)) {
		verdict = SB_NOT_COMPARABLE;
	} else {
		verdict = compare_branches(params, tree, grounds);
		if (sb_verdict_may(verdict))
			return verdict;
		if (gang_may(params, preemptor, grounds))
			return SB_MAY_GANG;
	}
	if (debug_may(params, tree, preemptee, preemptor))
		return SB_MAY_DEBUG;
	return verdict;
}

extern sb_verdict_t sb_policy_may_preempt(const sb_params_t *params,
					  sb_tree_view_t tree,
					  const sb_party_t *preemptee,
					  const sb_party_t *preemptor,
					  sb_grounds_t *grounds)
{
	sb_grounds_t own;
	sb_verdict_t why = SB_NOT_REQUEUEABLE;
	bool spared = sb_policy_spared(params, preemptee, &why);

	if (!grounds)
		grounds = &own;
	*grounds = (sb_grounds_t) { .branch_preemptee = -1,
				    .branch_preemptor = -1 };
	if (spared && why != SB_NOT_REQUEUEABLE)
		return why;
	if (preemptor->class == SB_CLASS_UNALLOCATED)
		return SB_NOT_UNALLOCATED;
	if (!preemptor->funded)
		return SB_NOT_UNFUNDED;
	if (is_free(preemptee))
		return SB_MAY_FREE;
	if (spared)
		return why;
	return weigh(params, tree, preemptee, preemptor, grounds);
}

extern sb_outlook_t sb_policy_outlook(const sb_params_t *params,
				      sb_tree_view_t tree, int32_t node,
				      bool unallocated,
				      const sb_party_t *preemptor)
{
	/* The job that is taken most easily: small, and no debug job. */
	sb_party_t preemptee = {
		.node = node,
		.class = unallocated ? SB_CLASS_UNALLOCATED :
			 SB_CLASS_UNDECLARED,
		.requeueable = true,
	};

	preemptee.funded = is_known(tree, &preemptee) &&
			   tree.nodes[node].funded;
	if (!sb_verdict_may(sb_policy_may_preempt(params, tree, &preemptee,
						  preemptor, NULL)))
		return SB_OUTLOOK_NEVER;
	if (!is_debug(params, preemptor))
		return SB_OUTLOOK_UNLESS_SPARED;
	/* And the one that no debug job takes. */
	preemptee.interactive = true;
	return sb_verdict_may(sb_policy_may_preempt(params, tree, &preemptee,
						    preemptor, NULL)) ?
	       SB_OUTLOOK_UNLESS_SPARED : SB_OUTLOOK_DEPENDS;
}

extern void sb_policy_prey_add(sb_tree_view_t tree, sb_prey_t *prey,
			       const sb_party_t *preemptee)
{
	bool is_unpaid = is_free(preemptee);
	int32_t n, parent;
	double over;

	if (!is_known(tree, preemptee))
		return;
	n = preemptee->node;
	prey[n].any = true;
	prey[n].free |= is_unpaid;
	for (; (parent = tree.nodes[n].fs_parent) != SB_NO_PARENT;
	     n = parent) {
		over = tree.nodes[n].ratio_window;
		if (prey[parent].any && prey[parent].over >= over &&
		    prey[parent].free >= is_unpaid)
			break;
		prey[parent].any = true;
		prey[parent].free |= is_unpaid;
		prey[parent].over = fmax(prey[parent].over, over);
	}
}

/* Nobody beside the branches from this node up is far enough over. */
static bool is_below_none(const sb_params_t *params, sb_tree_view_t tree,
			  const sb_prey_t *prey, int32_t n)
{
	double below = 1 - params->preempt_margin;
	int32_t parent;

	for (; (parent = tree.nodes[n].fs_parent) != SB_NO_PARENT;
	     n = parent) {
		double ratio = tree.nodes[n].ratio, over = prey[parent].over;

		if (ratio < below && over > 1)
			return false;
		if (tree.nodes[n].user && ratio < below * over)
			return false;
	}
	return true;
}

/* All that a debug job may take is below this node: its account, or the one
 * that this stands for. A job of the root itself has that. */
static int32_t debug_reach(sb_tree_view_t tree, int32_t n)
{
	int32_t account = tree.nodes[n].parent;

	if (account == SB_NO_PARENT)
		return n;
	return tree.nodes[account].fs_parent == SB_NO_PARENT ||
	       tree.nodes[account].shares != SB_SHARES_PARENT ?
	       account : tree.nodes[account].fs_parent;
}

extern bool sb_policy_hopeless(const sb_params_t *params, sb_tree_view_t tree,
			       const sb_prey_t *prey,
			       const sb_party_t *preemptor)
{
	int32_t n = preemptor->node;

	if (is_free(preemptor))
		return true;
	if (!is_known(tree, preemptor))
		return false;
	if (is_debug(params, preemptor) && prey[debug_reach(tree, n)].any)
		return false;
	if (is_gang(params, preemptor))
		return false;
	while (n != SB_NO_PARENT && !prey[n].free)
		n = tree.nodes[n].fs_parent;
	return n == SB_NO_PARENT &&
	       is_below_none(params, tree, prey, preemptor->node);
}

extern bool sb_policy_leaves_drain(const sb_params_t *params, int64_t declared,
				   const sb_party_t *preemptee)
{
	return params->drain_requeue && declared >= 0 &&
	       preemptee->protected_left <= 0 && preemptee->requeueable &&
	       !preemptee->interactive;
}

extern const char *sb_verdict_name(sb_verdict_t verdict)
{
	switch (verdict) {
	case SB_MAY_FREE:
		return "unallocated-or-unfunded";
	case SB_MAY_BUDGET:
		return "over-budget";
	case SB_MAY_COLLEAGUE:
		return "colleague-ahead";
	case SB_MAY_GANG:
		return "large-job-waited";
	case SB_MAY_DEBUG:
		return "debug-of-same-account";
	case SB_MAY_RULE:
		return "stock-rule";
	case SB_NOT_PROTECTED:
		return "protected";
	case SB_NOT_EXEMPT:
		return "preemption-off";
	case SB_NOT_UNALLOCATED:
		return "preemptor-unallocated";
	case SB_NOT_UNFUNDED:
		return "preemptor-unfunded";
	case SB_NOT_REQUEUEABLE:
		return "not-requeueable";
	case SB_NOT_UNKNOWN:
		return "unknown-association";
	case SB_NOT_SAME:
		return "same-association";
	case SB_NOT_COMPARABLE:
		return "not-comparable";
	case SB_NOT_OVER:
		return "not-over-budget";
	case SB_NOT_UNDER:
		return "preemptor-not-under-budget";
	case SB_NOT_MARGIN:
		return "within-margin";
	case SB_NOT_RULE:
		return "not-by-stock-rule";
	}
	return "unknown";
}

extern double sb_policy_victim_cost(const sb_party_t *preemptee)
{
	int64_t lost = preemptee->ran > 0 ? preemptee->ran : 0;
	double gpus = preemptee->gpus;

	if (preemptee->min_runtime > 0)
		lost %= preemptee->min_runtime;
	if (!(gpus > 0) || !isfinite(gpus))
		gpus = 0;
	return ((double) lost + SB_RESTART_COST) * gpus;
}

/* steps * log2(value), as a whole number in 0 .. top. */
static uint32_t log_steps(double value, double steps, uint32_t top)
{
	double scaled;

	if (!(value > 1))
		return 0;
	scaled = log2(value) * steps;
	return scaled < top ? (uint32_t) scaled : top;
}

/* Usage of the job's account against its allocation of the whole cluster: the
 * shape of the tree above it does not matter. A user of the root has no
 * account but himself. */
static double account_over(sb_tree_view_t tree, const sb_party_t *party)
{
	int32_t n;
	double over = 1;

	if (!is_known(tree, party))
		return 1;
	n = party->node;
	if (tree.nodes[n].user &&
	    tree.nodes[tree.nodes[n].fs_parent].fs_parent != SB_NO_PARENT)
		n = tree.nodes[n].fs_parent;
	for (; n != SB_NO_PARENT && tree.nodes[n].fs_parent != SB_NO_PARENT;
	     n = tree.nodes[n].fs_parent)
		over *= fmin(tree.nodes[n].ratio_window, SB_RATIO_MAX);
	return over;
}

extern uint32_t sb_policy_victim_prio(sb_tree_view_t tree,
				      const sb_party_t *preemptee)
{
	uint32_t class = 2 - sb_policy_queue_class(preemptee);
	uint32_t cost, over, size;

	cost = log_steps(1 + sb_policy_victim_cost(preemptee), COST_STEPS,
			 COST_TOP);
	over = OVER_TOP - log_steps(account_over(tree, preemptee) * 256,
				    OVER_STEPS, OVER_TOP);
	size = log_steps(1 + preemptee->gpus, SIZE_STEPS, SIZE_TOP);
	return class << 30 | cost << 16 | over << 6 | size;
}

extern uint32_t sb_policy_queue_class(const sb_party_t *party)
{
	if (party->class == SB_CLASS_UNALLOCATED)
		return 2;
	return party->funded ? 0 : 1;
}

extern bool sb_policy_queue_before(const sb_party_t *a, const sb_party_t *b)
{
	return sb_policy_queue_class(a) < sb_policy_queue_class(b);
}
