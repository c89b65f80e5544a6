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
 */
#include <stdlib.h>

#include "rank.h"

/* Before every ratio: users who stand for their account. */
#define KEY_FIRST (-1.0)

/* Lists up to here are sorted by insertion. */
#define FEW_ITEMS 48

typedef struct {
	size_t at;		/* next item to look at */
	size_t end;
} list_t;

typedef struct {
	sb_tree_work_t *work;
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

/* Mark by rank 1 who is, or has below him, a user. */
static void mark_users(sb_tree_work_t *w)
{
	for (size_t i = 0; i < w->count; i++)
		w->nodes[i].rank = w->nodes[i].user;
	for (size_t i = w->count; i-- > 0;) {
		sb_tree_node_t *n = &w->nodes[w->order[i]];

		if (n->rank && n->parent != SB_NO_PARENT)
			w->nodes[n->parent].rank = 1;
	}
}

/* Lists of competitors: transparent accounts skipped, empty ones left out. */
static void link_competitors(sb_tree_work_t *w)
{
	for (size_t i = 0; i < w->count; i++)
		w->head[i] = -1;
	for (size_t i = 0; i < w->count; i++) {
		const sb_tree_node_t *n = &w->nodes[i];

		if (!n->rank || n->fs_parent == SB_NO_PARENT ||
		    sb_tree_transparent(n))
			continue;
		w->next[i] = w->head[n->fs_parent];
		w->head[n->fs_parent] = (int32_t) i;
	}
}

/* Append the competitors below an account to the list that ends at `end`. */
static size_t append_children(sb_tree_work_t *w, int32_t account, size_t end)
{
	for (int32_t c = w->head[account]; c >= 0; c = w->next[c])
		w->items[end++] = (sb_rank_item_t) {
			.key = item_key(&w->nodes[c]), .node = c };
	return end;
}

/* Most accounts have few children: there a simple sort is the fast one. */
static void sort_items(sb_rank_item_t *items, size_t count)
{
	if (count > FEW_ITEMS) {
		qsort(items, count, sizeof(*items), item_cmp);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		sb_rank_item_t item = items[i];
		size_t at = i;

		for (; at && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

static void push_list(ranking_t *r, size_t from, size_t end)
{
	sort_items(r->work->items + from, end - from);
	r->lists[r->depth++] = (list_t) { .at = from, .end = end };
}

/*
 * Rank one group. The list stack grows upwards from the end of the current
 * list, whose items behind the group are still needed.
 */
static void rank_group(ranking_t *r)
{
	sb_tree_work_t *w = r->work;
	list_t *list = &r->lists[r->depth - 1];
	size_t from = list->at, to = from, end = list->end;
	bool users = false;

	while (to < list->end && w->items[to].key == w->items[from].key) {
		int32_t n = w->items[to++].node;

		if (w->nodes[n].user)
			users = true;
		else
			end = append_children(w, n, end);
	}
	list->at = to;
	if (users) {
		if (!r->join)
			r->rank++;
		r->join = end > list->end;
		for (size_t i = from; i < to; i++)
			if (w->nodes[w->items[i].node].user)
				w->nodes[w->items[i].node].rank = r->rank;
	}
	if (end > list->end)
		push_list(r, list->end, end);
}

/* An account has the rank of its best user. */
static void rank_accounts(sb_tree_work_t *w)
{
	for (size_t i = 0; i < w->count; i++)
		if (!w->nodes[i].user)
			w->nodes[i].rank = 0;
	for (size_t i = w->count; i-- > 0;) {
		const sb_tree_node_t *n = &w->nodes[w->order[i]];
		sb_tree_node_t *parent;

		if (!n->rank || n->parent == SB_NO_PARENT)
			continue;
		parent = &w->nodes[n->parent];
		if (!parent->rank || n->rank < parent->rank)
			parent->rank = n->rank;
	}
}

extern uint32_t sb_tree_rank(sb_tree_work_t *work)
{
	ranking_t r = { .work = work };
	size_t end;

	mark_users(work);
	link_competitors(work);
	end = append_children(work, work->root, 0);
	if (end)
		push_list(&r, 0, end);
	while (r.depth) {
		if (r.lists[r.depth - 1].at == r.lists[r.depth - 1].end)
			r.depth--;
		else
			rank_group(&r);
	}
	rank_accounts(work);
	return r.rank;
}
