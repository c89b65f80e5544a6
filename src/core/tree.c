/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree - what stands still in the budget tree: who is below whom, and who
 * competes with whom. Ratios are in ratio.c, ranks in rank.c.
 */
#include <stdlib.h>

#include "rank.h"

/* Lists of children by parent and sibling, -1 ends one. */
typedef struct {
	int32_t *head, *next;
} links_t;

/* Lists of children, and the one root. RET: 0, or -1 with err. */
static int link_nodes(sb_tree_t *tree, links_t *links, sb_err_t *err)
{
	for (size_t i = 0; i < tree->count; i++)
		links->head[i] = -1;
	tree->root = -1;

	for (size_t i = 0; i < tree->count; i++) {
		int32_t parent = tree->nodes[i].parent;

		if (parent == SB_NO_PARENT) {
			if (tree->root >= 0)
				return sb_err_set(err, "associations %d and %zu"
						  " are both roots",
						  (int) tree->root, i);
			if (tree->nodes[i].user)
				return sb_err_set(err, "root association %zu "
						  "is a user", i);
			tree->root = (int32_t) i;
			continue;
		}
		if (parent < 0 || (size_t) parent >= tree->count)
			return sb_err_set(err, "association %zu has parent %d "
					  "of %zu", i, (int) parent,
					  tree->count);
		if (tree->nodes[parent].user)
			return sb_err_set(err, "association %zu is below user "
					  "%d", i, (int) parent);
		links->next[i] = links->head[parent];
		links->head[parent] = (int32_t) i;
	}
	if (tree->root < 0)
		return sb_err_set(err, "no root among %zu associations",
				  tree->count);
	return 0;
}

/* Breadth first from the root; what is not reached hangs on a cycle. */
static int order_nodes(sb_tree_t *tree, const links_t *links, sb_err_t *err)
{
	size_t done = 0, found = 1, level_end = 1;
	int depth = 0;

	tree->order[0] = tree->root;
	while (done < found) {
		int32_t n = tree->order[done];

		if (done == level_end) {
			level_end = found;
			depth++;
		}
		if (depth > SB_TREE_DEPTH_MAX)
			return sb_err_set(err, "association tree is deeper "
					  "than %d levels", SB_TREE_DEPTH_MAX);
		tree->places[n].below = (int32_t) found;
		for (int32_t c = links->head[n]; c >= 0; c = links->next[c])
			tree->order[found++] = c;
		tree->places[n].below_count = (int32_t) found -
					      tree->places[n].below;
		if (!tree->nodes[n].user)
			tree->accounts[tree->account_count++] = n;
		done++;
	}
	if (found != tree->count)
		return sb_err_set(err, "%zu associations hang on a cycle of "
				  "parents", tree->count - found);
	return 0;
}

/* Who is, or has below him, a user. */
static void mark_users(sb_tree_t *tree)
{
	for (size_t i = tree->count; i-- > 0;) {
		int32_t n = tree->order[i], parent = tree->nodes[n].parent;

		if (tree->nodes[n].user)
			tree->places[n].peopled = true;
		if (tree->places[n].peopled && parent != SB_NO_PARENT)
			tree->places[parent].peopled = true;
	}
}

/* Whom each node competes below, how many there are, and their shares. */
static void find_levels(sb_tree_t *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		sb_tree_node_t *node = &tree->nodes[tree->order[i]];
		sb_place_t *place;

		node->fs_parent = node->parent;
		if (node->parent == SB_NO_PARENT)
			continue;
		if (sb_tree_transparent(&tree->nodes[node->parent]))
			node->fs_parent = tree->nodes[node->parent].fs_parent;
		if (sb_tree_transparent(node))
			continue;
		place = &tree->places[node->fs_parent];
		place->member_count++;
		if (node->shares == SB_SHARES_PARENT)
			place->shared = true;
		else
			place->level_shares += node->shares;
	}
}

/* The members of all levels: those with users first. */
static void list_members(sb_tree_t *tree)
{
	int32_t next = 0;

	for (size_t i = 0; i < tree->account_count; i++) {
		sb_place_t *place = &tree->places[tree->accounts[i]];

		place->member = next;
		next += place->member_count;
		place->member_count = 0;
	}
	for (int peopled = 1; peopled >= 0; peopled--)
		for (size_t i = 0; i < tree->count; i++) {
			int32_t n = tree->order[i];
			sb_place_t *place;

			if (tree->places[n].peopled != peopled ||
			    n == tree->root ||
			    sb_tree_transparent(&tree->nodes[n]))
				continue;
			place = &tree->places[tree->nodes[n].fs_parent];
			tree->members[place->member + place->member_count++] =
				n;
			place->peopled_count += peopled;
		}
}

static bool tree_allocate(sb_tree_t *tree, links_t *links)
{
	size_t count = tree->count;

	tree->order = calloc(count, sizeof(*tree->order));
	tree->accounts = calloc(count, sizeof(*tree->accounts));
	tree->places = calloc(count, sizeof(*tree->places));
	tree->members = calloc(count, sizeof(*tree->members));
	tree->items = calloc(count, sizeof(*tree->items));
	links->head = calloc(count, sizeof(*links->head));
	links->next = calloc(count, sizeof(*links->next));
	return tree->order && tree->accounts && tree->places &&
	       tree->members && tree->items && links->head && links->next;
}

/* RET: 0, or -1 with err. */
static int tree_make(sb_tree_t *tree, sb_err_t *err)
{
	links_t links = { NULL, NULL };
	int rc = -1;

	if (!tree_allocate(tree, &links))
		sb_err_set(err, "no memory for %zu associations", tree->count);
	else if (!link_nodes(tree, &links, err) &&
		 !order_nodes(tree, &links, err))
		rc = 0;
	free(links.head);
	free(links.next);
	if (rc)
		return -1;
	mark_users(tree);
	find_levels(tree);
	list_members(tree);
	sb_ratio_budgets(tree);
	return 0;
}

extern sb_tree_t *sb_tree_create(sb_tree_node_t *nodes, size_t count,
				 sb_err_t *err)
{
	sb_tree_t *tree = NULL;

	if (!nodes || !count)
		sb_err_set(err, "no associations");
	else if (count > INT32_MAX)
		sb_err_set(err, "%zu associations are too many", count);
	else if (!(tree = calloc(1, sizeof(*tree))))
		sb_err_set(err, "no memory for %zu associations", count);
	if (!tree)
		return NULL;
	tree->nodes = nodes;
	tree->count = count;
	if (tree_make(tree, err)) {
		sb_tree_destroy(tree);
		return NULL;
	}
	return tree;
}

extern void sb_tree_destroy(sb_tree_t *tree)
{
	if (!tree)
		return;
	free(tree->order);
	free(tree->accounts);
	free(tree->places);
	free(tree->members);
	free(tree->items);
	free(tree);
}

extern uint32_t sb_tree_update(sb_tree_t *tree, double capacity, double burst)
{
	sb_ratio_update(tree, capacity, burst);
	return sb_tree_rank(tree);
}

extern int sb_tree_compute(sb_tree_node_t *nodes, size_t count,
			   double capacity, double burst, uint32_t *ranks,
			   sb_err_t *err)
{
	sb_tree_t *tree = sb_tree_create(nodes, count, err);
	uint32_t found;

	if (!tree)
		return -1;
	found = sb_tree_update(tree, capacity, burst);
	if (ranks)
		*ranks = found;
	sb_tree_destroy(tree);
	return 0;
}

static int fs_depth(const sb_tree_node_t *nodes, int32_t n)
{
	int depth = 0;

	for (; nodes[n].fs_parent != SB_NO_PARENT; n = nodes[n].fs_parent)
		depth++;
	return depth;
}

/* Put the deeper one where the other one's depth is. */
static void level_out(const sb_tree_node_t *nodes, int32_t *a, int32_t *b)
{
	int depth_a = fs_depth(nodes, *a), depth_b = fs_depth(nodes, *b);

	for (; depth_a > depth_b; depth_a--)
		*a = nodes[*a].fs_parent;
	for (; depth_b > depth_a; depth_b--)
		*b = nodes[*b].fs_parent;
}

/* Mostly they are users of one account, or of two that are siblings. */
static bool are_cousins(const sb_tree_node_t *nodes, int32_t a, int32_t b)
{
	int32_t up_a = nodes[a].fs_parent, up_b = nodes[b].fs_parent;

	return up_a != SB_NO_PARENT && up_b != SB_NO_PARENT &&
	       nodes[up_a].fs_parent == nodes[up_b].fs_parent;
}

extern bool sb_tree_branches(const sb_tree_node_t *nodes, int32_t a, int32_t b,
			     int32_t *branch_a, int32_t *branch_b)
{
	if (!nodes || a < 0 || b < 0)
		return false;
	if (sb_tree_transparent(&nodes[a]))
		a = nodes[a].fs_parent;
	if (sb_tree_transparent(&nodes[b]))
		b = nodes[b].fs_parent;
	if (!are_cousins(nodes, a, b))
		level_out(nodes, &a, &b);
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
