/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank - Fair Tree's order with real ties.
 *
 * A list of competitors is sorted by key and cut into groups of equal keys.
 * The users of a group share one rank. The children of all its accounts form
 * one new list, which is ranked before the next group; when the group has
 * users too, the first users of that list join their rank. Every node is in
 * one list only, so all sorting together is O(n log n) and one array of items,
 * used as a stack of lists, is enough.
 *
 * Accounts without users rank nobody and are left out of the lists: each
 * group then places at least one user, which is what "first" relies on.
 *
 * The list of one account alone is kept as it was sorted: at the next ranking
 * it is nearly in order, and sorting it by insertion nearly free.
 */
#include <stdlib.h>

#include "rank.h"

/* Before every ratio: users who stand for their account. */
#define KEY_FIRST (-1.0)

/* Lists up to here are sorted by insertion; longer ones as far as that is
 * cheap, moves for each item. */
#define FEW_ITEMS 48
#define FEW_MOVES 8

typedef struct {
	size_t at;		/* next item to look at */
	size_t end;
} list_t;

typedef struct {
	sb_tree_t *tree;
	list_t lists[SB_TREE_DEPTH_MAX + 1];
	int depth;		/* lists in use */
	uint32_t rank;		/* last one given */
	bool join;		/* the next users share it */
} ranking_t;

/* Unfunded is one tie, whoever stands for whom. */
static double item_key(const sb_tree_node_t *node)
{
	if (node->funded && sb_tree_shares_account(node))
		return KEY_FIRST;
	return node->ratio;
}

static int item_cmp(const void *a, const void *b)
{
	double x = ((const sb_rank_item_t *) a)->key;
	double y = ((const sb_rank_item_t *) b)->key;

	return (x > y) - (x < y);
}

/* Append the competitors below an account to the list that ends at `end`. */
static size_t append_children(sb_tree_t *tree, int32_t account, size_t end)
{
	const sb_place_t *place = &tree->places[account];
	const int32_t *members = tree->members + place->member;

	for (int32_t i = 0; i < place->peopled_count; i++)
		tree->items[end++] = (sb_rank_item_t) {
			.key = item_key(&tree->nodes[members[i]]),
			.node = members[i],
		};
	return end;
}

/* Most accounts have few children, and those of the others are mostly in
 * order already: there a simple sort is the fast one. */
static void sort_items(sb_rank_item_t *items, size_t count)
{
	size_t moves = FEW_ITEMS * FEW_ITEMS + FEW_MOVES * count;

	for (size_t i = 1; i < count; i++) {
		sb_rank_item_t item = items[i];
		size_t at = i;

		for (; at && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
		if (moves < i - at) {
			qsort(items, count, sizeof(*items), item_cmp);
			return;
		}
		moves -= i - at;
	}
}

/* A list of one account alone is kept as it is sorted. */
static void keep_list(sb_tree_t *tree, int32_t account,
		      const sb_rank_item_t *items, size_t count)
{
	sb_place_t *place = &tree->places[account];

	place->merged = place->ratios_changed = false;
	for (size_t i = 0; i < count; i++) {
		tree->members[place->member + i] = items[i].node;
		tree->places[items[i].node].tied = i &&
			items[i].key == items[i - 1].key;
	}
}

/* Of one of several accounts, only what the keys were. */
static void keep_keys(sb_tree_t *tree, const sb_rank_item_t *items,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int32_t n = items[i].node;
		sb_place_t *place = &tree->places[tree->nodes[n].fs_parent];

		place->merged = true;
		place->ratios_changed = false;
		tree->places[n].key = items[i].key;
	}
}

/* IN only: the account that all of them are below, or -1: of several. */
static void push_list(ranking_t *r, size_t from, size_t end, int32_t only)
{
	sb_tree_t *tree = r->tree;
	sb_rank_item_t *items = tree->items + from;

	sort_items(items, end - from);
	r->lists[r->depth++] = (list_t) { .at = from, .end = end };
	if (only >= 0)
		keep_list(tree, only, items, end - from);
	else
		keep_keys(tree, items, end - from);
}

/* A user, and the accounts above that he is the best of. */
static void give_rank(const ranking_t *r, int32_t user)
{
	sb_tree_node_t *nodes = r->tree->nodes;

	nodes[user].rank = r->rank;
	for (int32_t up = nodes[user].parent;
	     up != SB_NO_PARENT && !nodes[up].rank; up = nodes[up].parent)
		nodes[up].rank = r->rank;
}

static void rank_users(ranking_t *r, size_t from, size_t to, bool more)
{
	const sb_tree_t *tree = r->tree;

	if (!r->join)
		r->rank++;
	r->join = more;
	for (size_t i = from; i < to; i++)
		if (tree->nodes[tree->items[i].node].user)
			give_rank(r, tree->items[i].node);
}

/*
 * Rank one group. The list stack grows upwards from the end of the current
 * list, whose items behind the group are still needed.
 */
static void rank_group(ranking_t *r)
{
	sb_tree_t *tree = r->tree;
	list_t *list = &r->lists[r->depth - 1];
	size_t from = list->at, to = from, end = list->end;
	int32_t only = -1;
	bool users = false;

	while (to < list->end &&
	       tree->items[to].key == tree->items[from].key) {
		int32_t n = tree->items[to++].node;

		if (tree->nodes[n].user) {
			users = true;
			continue;
		}
		only = end == list->end ? n : -1;
		end = append_children(tree, n, end);
	}
	list->at = to;
	if (users)
		rank_users(r, from, to, end > list->end);
	if (end > list->end)
		push_list(r, list->end, end, only);
}

/* The members of this account stand to each other as at the last ranking; to
 * those of others, too, where it is merged: mostly accounts that are idle. */
static bool stands(const sb_tree_t *tree, const sb_place_t *place)
{
	const int32_t *members = tree->members + place->member;
	double last = 0;

	for (int32_t i = 0; i < place->peopled_count; i++) {
		const sb_place_t *member = &tree->places[members[i]];
		double key = item_key(&tree->nodes[members[i]]);

		if (place->merged ? key != member->key :
		    i && (member->tied ? key != last : !(key > last)))
			return false;
		last = key;
	}
	return true;
}

/* Ranks follow from what is before what in each list, and nothing else.
 * RET: true when that is as at the last ranking. */
static bool all_stand(const sb_tree_t *tree)
{
	if (!tree->ranks)
		return false;
	for (size_t i = 0; i < tree->account_count; i++) {
		sb_place_t *place = &tree->places[tree->accounts[i]];

		if (place->ratios_changed && !stands(tree, place))
			return false;
		place->ratios_changed = false;
	}
	return true;
}

extern uint32_t sb_tree_rank(sb_tree_t *tree)
{
	ranking_t r = { .tree = tree };
	size_t end;

	if (all_stand(tree))
		return tree->ranks;
	for (size_t i = 0; i < tree->account_count; i++)
		tree->nodes[tree->accounts[i]].rank = 0;
	end = append_children(tree, tree->root, 0);
	if (end)
		push_list(&r, 0, end, tree->root);
	while (r.depth) {
		if (r.lists[r.depth - 1].at == r.lists[r.depth - 1].end)
			r.depth--;
		else
			rank_group(&r);
	}
	tree->ranks = r.rank;
	return r.rank;
}
