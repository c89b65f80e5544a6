/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree - sums, shares and ratios of the budget tree; ranks are in rank.c.
 *
 * Everything that ranks depend on is an integer until one final, correctly
 * rounded division: equal budgets with equal usage must tie whatever the
 * order of summation was.
 */
#include <math.h>
#include <stdlib.h>

#include "rank.h"
#include "tree.h"

typedef unsigned __int128 u128_t;

/* Thousandths of a TRES that one association can have running: keeps the
 * conversion from double in range. */
#define RUNNING_MAX 1e12
/* Significant bits of a burst ratio, see burst_ratio(). */
#define BURST_BITS 32

/* What the competitors below one account add up to. */
typedef struct {
	u128_t load;
	uint64_t shares;
} level_t;

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
	if (!((num | den) >> 53))
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

/* Lists of children by parent, and the one root. */
static int link_nodes(sb_tree_work_t *w, sb_err_t *err)
{
	for (size_t i = 0; i < w->count; i++)
		w->head[i] = -1;
	w->root = -1;

	for (size_t i = 0; i < w->count; i++) {
		int32_t parent = w->nodes[i].parent;

		if (parent == SB_NO_PARENT) {
			if (w->root >= 0)
				return sb_err_set(err, "associations %d and %zu"
						  " are both roots",
						  (int) w->root, i);
			if (w->nodes[i].user)
				return sb_err_set(err, "root association %zu "
						  "is a user", i);
			w->root = (int32_t) i;
			continue;
		}
		if (parent < 0 || (size_t) parent >= w->count)
			return sb_err_set(err, "association %zu has parent %d "
					  "of %zu", i, (int) parent, w->count);
		if (w->nodes[parent].user)
			return sb_err_set(err, "association %zu is below user "
					  "%d", i, (int) parent);
		w->next[i] = w->head[parent];
		w->head[parent] = (int32_t) i;
	}
	if (w->root < 0)
		return sb_err_set(err, "no root among %zu associations",
				  w->count);
	return 0;
}

/* Breadth first from the root; what is not reached hangs on a cycle. */
static int order_nodes(sb_tree_work_t *w, sb_err_t *err)
{
	size_t done = 0, found = 1, level_end = 1;
	int depth = 0;

	w->order[0] = w->root;
	while (done < found) {
		if (done == level_end) {
			level_end = found;
			depth++;
		}
		if (depth > SB_TREE_DEPTH_MAX)
			return sb_err_set(err, "association tree is deeper "
					  "than %d levels", SB_TREE_DEPTH_MAX);
		for (int32_t c = w->head[w->order[done]]; c >= 0;
		     c = w->next[c])
			w->order[found++] = c;
		done++;
	}
	if (found != w->count)
		return sb_err_set(err, "%zu associations hang on a cycle of "
				  "parents", w->count - found);
	return 0;
}

/* usage, committed and running of whole subtrees. running is kept in
 * thousandths in thousandths[]: sums of doubles would depend on their order. */
static void sum_nodes(sb_tree_work_t *w, uint64_t *thousandths)
{
	for (size_t i = 0; i < w->count; i++) {
		sb_tree_node_t *n = &w->nodes[i];

		n->usage = add_capped(n->own_usage, 0);
		n->committed = add_capped(n->own_committed, 0);
		thousandths[i] = running_thousandths(n->own_running);
	}
	for (size_t i = w->count; i-- > 0;) {
		int32_t c = w->order[i];
		sb_tree_node_t *n = &w->nodes[c];

		n->running = (double) thousandths[c] / 1000;
		if (n->parent == SB_NO_PARENT)
			continue;
		w->nodes[n->parent].usage =
			add_capped(w->nodes[n->parent].usage, n->usage);
		w->nodes[n->parent].committed =
			add_capped(w->nodes[n->parent].committed, n->committed);
		thousandths[n->parent] =
			add_capped(thousandths[n->parent], thousandths[c]);
	}
}

/* At most 2^63: two capped sums. */
static u128_t node_load(const sb_tree_node_t *node)
{
	return (u128_t) node->usage + node->committed;
}

/* Who competes where, and the sums of each place. */
static void sum_levels(sb_tree_work_t *w, level_t *levels)
{
	for (size_t i = 0; i < w->count; i++)
		levels[i] = (level_t) { 0 };

	for (size_t i = 0; i < w->count; i++) {
		sb_tree_node_t *n = &w->nodes[w->order[i]];

		n->fs_parent = n->parent;
		if (n->parent == SB_NO_PARENT)
			continue;
		if (sb_tree_transparent(&w->nodes[n->parent]))
			n->fs_parent = w->nodes[n->parent].fs_parent;
		if (n->shares == SB_SHARES_PARENT)
			continue;
		levels[n->fs_parent].load += node_load(n);
		levels[n->fs_parent].shares += n->shares;
	}
}

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

/* The root competes with nobody: it has all, and uses all that is used. */
static void root_ratio(sb_tree_node_t *root, double capacity, double burst)
{
	root->funded = true;
	root->budget_share = 1;
	root->usage_share = node_load(root) ? 1 : 0;
	root->allocation = 1;
	root->ratio_window = root->usage_share;
	root->ratio = fmax(root->ratio_window,
			   burst_ratio(root, capacity, burst));
}

/* Transparent accounts and users who stand for their account have no place of
 * their own: theirs is that of the account. */
static void copy_ratio(sb_tree_node_t *node, const sb_tree_node_t *account)
{
	node->funded = account->funded;
	node->budget_share = account->budget_share;
	node->usage_share = account->usage_share;
	node->allocation = account->allocation;
	node->ratio_window = account->ratio_window;
	node->ratio = account->ratio;
}

static void node_ratio(sb_tree_node_t *node, const sb_tree_node_t *account,
		       const level_t *level, double capacity, double burst)
{
	u128_t load = node_load(node);

	node->funded = account->funded && node->shares;
	node->budget_share = level->shares ?
		quotient(node->shares, level->shares) : 0;
	node->usage_share = level->load ? quotient(load, level->load) : 0;
	node->allocation = node->funded ?
		account->allocation * node->budget_share : 0;
	if (!node->funded) {
		node->ratio_window = node->ratio = SB_RATIO_UNFUNDED;
		return;
	}
	node->ratio_window = level->load ?
		fmin(quotient(load * level->shares,
			      level->load * node->shares), SB_RATIO_MAX) : 0;
	node->ratio = fmax(node->ratio_window,
			   burst_ratio(node, capacity, burst));
}

static void compute_ratios(sb_tree_work_t *w, const level_t *levels,
			   double capacity, double burst)
{
	for (size_t i = 0; i < w->count; i++) {
		sb_tree_node_t *n = &w->nodes[w->order[i]];

		if (n->fs_parent == SB_NO_PARENT)
			root_ratio(n, capacity, burst);
		else if (n->shares == SB_SHARES_PARENT)
			copy_ratio(n, &w->nodes[n->fs_parent]);
		else
			node_ratio(n, &w->nodes[n->fs_parent],
				   &levels[n->fs_parent], capacity, burst);
	}
}

extern int sb_tree_compute(sb_tree_node_t *nodes, size_t count,
			   double capacity, double burst, uint32_t *ranks,
			   sb_err_t *err)
{
	sb_tree_work_t w = { .nodes = nodes, .count = count };
	uint64_t *thousandths = NULL;
	level_t *levels = NULL;
	uint32_t found;
	int rc = -1;

	if (!nodes || !count)
		return sb_err_set(err, "no associations");
	if (count > INT32_MAX)
		return sb_err_set(err, "%zu associations are too many", count);

	w.order = calloc(count, sizeof(*w.order));
	w.head = calloc(count, sizeof(*w.head));
	w.next = calloc(count, sizeof(*w.next));
	w.items = calloc(count, sizeof(*w.items));
	thousandths = calloc(count, sizeof(*thousandths));
	levels = calloc(count, sizeof(*levels));
	if (!w.order || !w.head || !w.next || !w.items || !thousandths ||
	    !levels) {
		sb_err_set(err, "no memory for %zu associations", count);
		goto done;
	}
	if (link_nodes(&w, err) || order_nodes(&w, err))
		goto done;
	sum_nodes(&w, thousandths);
	sum_levels(&w, levels);
	compute_ratios(&w, levels, capacity, burst);
	found = sb_tree_rank(&w);
	if (ranks)
		*ranks = found;
	rc = 0;
done:
	free(levels);
	free(thousandths);
	free(w.items);
	free(w.next);
	free(w.head);
	free(w.order);
	return rc;
}

static int fs_depth(const sb_tree_node_t *nodes, int32_t n)
{
	int depth = 0;

	for (; nodes[n].fs_parent != SB_NO_PARENT; n = nodes[n].fs_parent)
		depth++;
	return depth;
}

extern bool sb_tree_branches(const sb_tree_node_t *nodes, int32_t a, int32_t b,
			     int32_t *branch_a, int32_t *branch_b)
{
	int depth_a, depth_b;

	if (!nodes || a < 0 || b < 0)
		return false;
	if (sb_tree_transparent(&nodes[a]))
		a = nodes[a].fs_parent;
	if (sb_tree_transparent(&nodes[b]))
		b = nodes[b].fs_parent;
	depth_a = fs_depth(nodes, a);
	depth_b = fs_depth(nodes, b);
	for (; depth_a > depth_b; depth_a--)
		a = nodes[a].fs_parent;
	for (; depth_b > depth_a; depth_b--)
		b = nodes[b].fs_parent;
	if (a == b)
		return false;
	while (nodes[a].fs_parent != nodes[b].fs_parent) {
		a = nodes[a].fs_parent;
		b = nodes[b].fs_parent;
	}
	*branch_a = a;
	*branch_b = b;
	return true;
}
