/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ratio - sums, shares and ratios of the budget tree.
 *
 * Everything that ranks depend on is an integer until one final, correctly
 * rounded division: equal budgets with equal usage must tie whatever the
 * order of summation was.
 */
#include <math.h>

#include "ratio.h"

typedef unsigned __int128 u128_t;

/* Thousandths of a TRES that one association can have running: keeps the
 * conversion from double in range. */
#define RUNNING_MAX 1e12
/* Significant bits of a burst ratio, see burst_ratio(). */
#define BURST_BITS 32
/* Whole numbers up to here are exact doubles. */
#define EXACT_BITS 53

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	if (a > SB_USAGE_MAX)
		a = SB_USAGE_MAX;
	if (b > SB_USAGE_MAX - a)
		return SB_USAGE_MAX;
	return a + b;
}

static uint64_t running_thousandths(double running)
{
	if (!(running > 0))	/* NaN too */
		return 0;
	if (running > RUNNING_MAX)
		running = RUNNING_MAX;
	return (uint64_t) llround(running * 1000);
}

static int leading_zeros(u128_t v)
{
	uint64_t high = (uint64_t) (v >> 64);

	return high ? __builtin_clzll(high) :
		      64 + __builtin_clzll((uint64_t) v);
}

/*
 * num / den to the nearest double: the same rational gives the same bits,
 * however it is written, and a larger one is never smaller. Both are below
 * 2^127 (SB_USAGE_MAX and the count of nodes see to that), den is not 0.
 * Long division in digits as wide as fit, until there are two bits more than
 * a double holds; the remainder is folded into the last one.
 */
static double quotient(u128_t num, u128_t den)
{
	int zeros = leading_zeros(den), shift = 0;
	u128_t q, rem;

	if (!num)
		return 0;
	/* Both are exact doubles, and hardware rounds their quotient right. */
	if (!((num | den) >> EXACT_BITS))
		return (double) (uint64_t) num / (double) (uint64_t) den;
	q = num / den;
	rem = num % den;
	if (zeros > 64)		/* q << zeros must fit too */
		zeros = 64;
	while (rem && q < ((u128_t) 1 << 54)) {
		rem <<= zeros;
		q = (q << zeros) | (rem / den);
		rem %= den;
		shift += zeros;
	}
	if (rem)
		q |= 1;
	return ldexp((double) q, -shift);
}

/* ---------------------------------------------------------------- sums */

static void sum_own(sb_tree_node_t *node, sb_place_t *place)
{
	place->own_usage = node->own_usage;
	place->own_committed = node->own_committed;
	place->own_running = node->own_running;
	node->usage = add_capped(node->own_usage, 0);
	node->committed = add_capped(node->own_committed, 0);
	place->thousandths = running_thousandths(node->own_running);
	node->running = (double) place->thousandths / 1000;
}

/* The competitors of this node stand otherwise. */
static void mark_level(sb_tree_t *tree, const sb_tree_node_t *node)
{
	if (node->fs_parent != SB_NO_PARENT && node->shares != SB_SHARES_PARENT)
		tree->places[node->fs_parent].level_changed = true;
}

/* Find what is another than at the last update. */
static void take_inputs(sb_tree_t *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		sb_tree_node_t *node = &tree->nodes[i];
		sb_place_t *place = &tree->places[i];
		int32_t up = (int32_t) i;

		if (tree->updated && node->own_usage == place->own_usage &&
		    node->own_committed == place->own_committed &&
		    node->own_running == place->own_running)
			continue;
		if (node->user) {
			sum_own(node, place);
			mark_level(tree, node);
			up = node->parent;
		}
		for (; up != SB_NO_PARENT && !tree->places[up].changed;
		     up = tree->nodes[up].parent)
			tree->places[up].changed = true;
	}
}

/* usage, committed and running of whole subtrees. */
static void sum_account(sb_tree_t *tree, int32_t account)
{
	sb_tree_node_t *node = &tree->nodes[account];
	sb_place_t *place = &tree->places[account];
	const int32_t *children = tree->order + place->below;

	sum_own(node, place);
	for (int32_t i = 0; i < place->below_count; i++) {
		const sb_tree_node_t *child = &tree->nodes[children[i]];

		node->usage = add_capped(node->usage, child->usage);
		node->committed = add_capped(node->committed,
					     child->committed);
		place->thousandths = add_capped(place->thousandths,
			tree->places[children[i]].thousandths);
	}
	node->running = (double) place->thousandths / 1000;
}

static void sum_accounts(sb_tree_t *tree)
{
	for (size_t i = tree->account_count; i-- > 0;) {
		int32_t account = tree->accounts[i];

		if (!tree->places[account].changed)
			continue;
		tree->places[account].changed = false;
		sum_account(tree, account);
		mark_level(tree, &tree->nodes[account]);
	}
}

/* At most 2^63: two capped sums. */
static u128_t node_load(const sb_tree_node_t *node)
{
	return (u128_t) node->usage + node->committed;
}

/* -------------------------------------------------------------- budgets */

/* Transparent accounts and users who stand for their account have no place of
 * their own: theirs is that of the account. */
static void copy_budget(sb_tree_node_t *node, const sb_tree_node_t *account)
{
	node->funded = account->funded;
	node->budget_share = account->budget_share;
	node->allocation = account->allocation;
}

extern void sb_ratio_budgets(sb_tree_t *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		sb_tree_node_t *node = &tree->nodes[tree->order[i]];
		const sb_tree_node_t *account;
		uint64_t shares;

		/* The root competes with nobody: it has all. */
		if (node->fs_parent == SB_NO_PARENT) {
			node->funded = true;
			node->budget_share = node->allocation = 1;
			continue;
		}
		account = &tree->nodes[node->fs_parent];
		shares = tree->places[node->fs_parent].level_shares;
		if (node->shares == SB_SHARES_PARENT) {
			copy_budget(node, account);
			continue;
		}
		node->funded = account->funded && node->shares;
		node->budget_share = shares ?
			quotient(node->shares, shares) : 0;
		node->allocation = node->funded ?
			account->allocation * node->budget_share : 0;
	}
}

/* --------------------------------------------------------------- ratios */

/*
 * How full the burst is. Allocations are products of rounded shares, so two
 * equal budgets reached by different paths may differ in the last bits:
 * rounding to BURST_BITS makes them tie.
 */
static double burst_ratio(const sb_tree_node_t *node, double capacity,
			  double burst)
{
	double limit, ratio;
	int exponent;

	if (!(capacity > 0) || !(burst > 0) || !isfinite(capacity) ||
	    !isfinite(burst) || !(node->running > 0))
		return 0;
	limit = burst * capacity * node->allocation;
	if (!(limit > node->running / SB_RATIO_MAX))
		return SB_RATIO_MAX;
	ratio = frexp(node->running / limit, &exponent);
	ratio = ldexp(rint(ldexp(ratio, BURST_BITS)), exponent - BURST_BITS);
	return fmin(ratio, SB_RATIO_MAX);
}

/* The larger of the two: what runs changes less often than what was used. */
static void add_burst(const sb_tree_t *tree, int32_t number)
{
	sb_tree_node_t *node = &tree->nodes[number];
	sb_place_t *place = &tree->places[number];

	if (place->burst_of != place->thousandths) {
		place->burst_of = place->thousandths;
		place->burst = burst_ratio(node, tree->capacity, tree->burst);
	}
	node->ratio = node->ratio_window > place->burst ?
		node->ratio_window : place->burst;
}

/* What the competitors below one account add up to. */
typedef struct {
	u128_t load;
	uint64_t shares;
	bool exact;		/* no product of the two is too large for an
				 * exact double */
} level_t;

static level_t sum_level(const sb_tree_t *tree, const sb_place_t *place)
{
	const int32_t *members = tree->members + place->member;
	level_t level = { .shares = place->level_shares };

	for (int32_t i = 0; i < place->member_count; i++) {
		const sb_tree_node_t *node = &tree->nodes[members[i]];

		if (node->shares != SB_SHARES_PARENT)
			level.load += node_load(node);
	}
	level.exact = !(level.load >> EXACT_BITS) &&
		      !((level.load * level.shares) >> EXACT_BITS);
	return level;
}

/* usage_share and ratio_window of a node with some load. Mostly hardware
 * divides: then num and den of quotient() need no wide products either. */
static void divide(sb_tree_node_t *node, const level_t *level)
{
	u128_t load = node_load(node);
	uint64_t part = (uint64_t) load, whole = (uint64_t) level->load;

	if (level->exact)
		node->usage_share = (double) part / (double) whole;
	else
		node->usage_share = quotient(load, level->load);
	if (!node->funded)
		return;
	if (level->exact)
		node->ratio_window = (double) (part * level->shares) /
				     (double) (whole * node->shares);
	else
		node->ratio_window = quotient(load * level->shares,
					      level->load * node->shares);
	if (node->ratio_window > SB_RATIO_MAX)
		node->ratio_window = SB_RATIO_MAX;
}

static void node_ratio(const sb_tree_t *tree, int32_t number,
		       const level_t *level)
{
	sb_tree_node_t *node = &tree->nodes[number];

	node->usage_share = node->ratio_window = 0;
	if (node->usage || node->committed)
		divide(node, level);
	if (node->funded)
		add_burst(tree, number);
	else
		node->ratio_window = node->ratio = SB_RATIO_UNFUNDED;
}

static void copy_ratio(sb_tree_node_t *node, const sb_tree_node_t *account)
{
	node->usage_share = account->usage_share;
	node->ratio_window = account->ratio_window;
	node->ratio = account->ratio;
}

static void root_ratio(const sb_tree_t *tree)
{
	sb_tree_node_t *root = &tree->nodes[tree->root];

	root->usage_share = node_load(root) ? 1 : 0;
	root->ratio_window = root->usage_share;
	add_burst(tree, tree->root);
}

/* Those right below an account, whose own ratios are made. */
static void level_ratios(const sb_tree_t *tree, int32_t account)
{
	sb_place_t *place = &tree->places[account];
	const int32_t *members = tree->members + place->member;
	level_t level;

	if (place->level_changed)
		level = sum_level(tree, place);
	for (int32_t i = 0; i < place->member_count; i++) {
		sb_tree_node_t *node = &tree->nodes[members[i]];

		if (node->shares == SB_SHARES_PARENT)
			copy_ratio(node, &tree->nodes[account]);
		else if (place->level_changed)
			node_ratio(tree, members[i], &level);
	}
	place->level_changed = false;
	place->ratios_changed = true;
}

/* Another cluster or burst: nothing that was divided stands. */
static void forget_ratios(sb_tree_t *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		tree->places[i].burst_of = UINT64_MAX;
		tree->places[i].level_changed = true;
	}
}

extern void sb_ratio_update(sb_tree_t *tree, double capacity, double burst)
{
	if (!tree->updated || capacity != tree->capacity ||
	    burst != tree->burst)
		forget_ratios(tree);
	tree->capacity = capacity;
	tree->burst = burst;
	take_inputs(tree);
	tree->updated = true;
	sum_accounts(tree);
	root_ratio(tree);
	for (size_t i = 0; i < tree->account_count; i++) {
		int32_t account = tree->accounts[i];
		sb_tree_node_t *node = &tree->nodes[account];
		const sb_place_t *place = &tree->places[account];

		if (sb_tree_transparent(node))
			copy_ratio(node, &tree->nodes[node->fs_parent]);
		if (place->level_changed || place->shared)
			level_ratios(tree, account);
	}
}
