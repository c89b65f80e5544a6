/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "src/core/order.h"
#include "src/slurm_compat/compat.h"

#include "assocs.h"

static assoc_tree_t *_create(size_t count)
{
	assoc_tree_t *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	tree->ids = calloc(count + 1, sizeof(*tree->ids));
	tree->parent_ids = calloc(count + 1, sizeof(*tree->parent_ids));
	tree->nodes = calloc(count + 1, sizeof(*tree->nodes));
	tree->reset = calloc(count + 1, sizeof(*tree->reset));
	if (!tree->ids || !tree->parent_ids || !tree->nodes || !tree->reset) {
		assocs_destroy(tree);
		return NULL;
	}
	return tree;
}

extern void assocs_destroy(assoc_tree_t *tree)
{
	if (!tree)
		return;
	free(tree->ids);
	free(tree->parent_ids);
	free(tree->nodes);
	free(tree->reset);
	idmap_free(&tree->map);
	free(tree);
}

/* Nobody but an admin's reset makes a published usage 0. */
static bool _was_reset(const slurmdb_assoc_rec_t *assoc,
		       const assoc_tree_t *old)
{
	uint32_t index;

	if (!old || !old->published || (assoc->usage->usage_raw != 0))
		return false;
	index = idmap_find(&old->map, assoc->id);
	return (index != IDMAP_NONE) && old->nodes[index].usage;
}

static uint32_t _shares(const slurmdb_assoc_rec_t *assoc)
{
	return (assoc->shares_raw == SLURMDB_FS_USE_PARENT) ?
		SB_SHARES_PARENT : assoc->shares_raw;
}

static void _read_one(assoc_tree_t *tree, const slurmdb_assoc_rec_t *assoc,
		      const assoc_tree_t *old)
{
	size_t i = tree->count++;
	const slurmdb_assoc_rec_t *parent = assoc->usage->parent_assoc_ptr;

	tree->ids[i] = assoc->id;
	tree->parent_ids[i] = parent ? parent->id : 0;
	tree->nodes[i].shares = _shares(assoc);
	tree->nodes[i].user = assoc->user != NULL;
	tree->reset[i] = _was_reset(assoc, old);
}

/* Locks: assoc R. */
static assoc_tree_t *_read_locked(const assoc_tree_t *old)
{
	assoc_tree_t *tree;
	sb_list_itr_t *itr;
	slurmdb_assoc_rec_t *assoc;

	if (!assoc_mgr_assoc_list || !assoc_mgr_root_assoc)
		return NULL;
	tree = _create(list_count(assoc_mgr_assoc_list));
	if (!tree)
		return NULL;
	itr = list_iterator_create(assoc_mgr_assoc_list);
	while ((assoc = list_next(itr)))
		_read_one(tree, assoc, old);
	list_iterator_destroy(itr);
	return tree;
}

static int _link_parents(assoc_tree_t *tree)
{
	if (idmap_fill(&tree->map, tree->ids, tree->count))
		return -1;
	for (size_t i = 0; i < tree->count; i++) {
		uint32_t parent = idmap_find(&tree->map, tree->parent_ids[i]);

		tree->nodes[i].parent = (parent == IDMAP_NONE) ?
			SB_NO_PARENT : (int32_t) parent;
	}
	return 0;
}

extern assoc_tree_t *assocs_read(const assoc_tree_t *old)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	assoc_tree_t *tree;

	assoc_mgr_lock(&locks);
	tree = _read_locked(old);
	assoc_mgr_unlock(&locks);
	if (tree && _link_parents(tree)) {
		assocs_destroy(tree);
		return NULL;
	}
	return tree;
}

/* RET: the nearest ancestor of a deleted association that still exists. */
static uint32_t _heir(uint32_t id, const assoc_tree_t *tree,
		      const assoc_tree_t *old)
{
	for (int depth = 0; old && (depth < SB_TREE_DEPTH_MAX); depth++) {
		uint32_t index = idmap_find(&old->map, id);

		if (index == IDMAP_NONE)
			break;
		id = old->parent_ids[index];
		if (idmap_find(&tree->map, id) != IDMAP_NONE)
			return id;
	}
	/* Deleted while slurmctld was down: the cluster keeps it. */
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->nodes[i].parent == SB_NO_PARENT)
			return tree->ids[i];
	}
	return 0;
}

extern int assocs_reconcile(const assoc_tree_t *tree, const assoc_tree_t *old,
			    sb_ledger_t *ledger)
{
	uint32_t cursor = 0;
	const sb_window_t *window;

	for (size_t i = 0; i < tree->count; i++) {
		if (tree->reset[i])
			sb_ledger_reset(ledger, tree->ids[i]);
	}
	while (sb_ledger_next_assoc(ledger, &cursor, &window)) {
		if (cursor &&
		    (idmap_find(&tree->map, cursor) == IDMAP_NONE) &&
		    sb_ledger_inherit(ledger, cursor,
				      _heir(cursor, tree, old)))
			return -1;
	}
	return 0;
}

static uint64_t _whole(double usage)
{
	if (!(usage > 0))
		return 0;
	if (usage >= (double) SB_USAGE_MAX)
		return SB_USAGE_MAX;
	return llrint(usage);
}

extern int assocs_compute(assoc_tree_t *tree, const sb_ledger_t *ledger,
			  const sb_params_t *params, time_t now,
			  double capacity, sb_err_t *err)
{
	for (size_t i = 0; i < tree->count; i++) {
		sb_tree_node_t *node = &tree->nodes[i];
		uint32_t id = tree->ids[i];

		node->own_usage = _whole(sb_ledger_usage(ledger, id, now));
		node->own_committed = params->commitment ?
			_whole(sb_ledger_committed(ledger, id)) : 0;
		node->own_running = sb_ledger_running(ledger, id);
	}
	return sb_tree_compute(tree->nodes, tree->count, capacity,
			       params->burst, &tree->ranks, err);
}

/* Locks: assoc W. */
static void _publish_one(slurmdb_assoc_rec_t *assoc,
			 const sb_tree_node_t *node, const sb_order_t *order,
			 uint64_t total)
{
	slurmdb_assoc_usage_t *usage = assoc->usage;

	usage->usage_raw = node->usage;
	usage->usage_norm = total ? (long double) node->usage / total : 0;
	usage->usage_efctv = node->usage_share;
	usage->level_fs = (node->ratio_window > 0) ? 1 / node->ratio_window :
		INFINITY;
	if (node->user)
		usage->fs_factor = sb_order_fair_share(order, node->rank);
	/* slurmctld rebuilds an account's usage from this at every edit. */
	if (assoc->leaf_usage && (assoc->leaf_usage != usage))
		assoc->leaf_usage->usage_raw = node->own_usage;
}

static bool _is_same(const slurmdb_assoc_rec_t *assoc,
		     const assoc_tree_t *tree, size_t i)
{
	const slurmdb_assoc_rec_t *parent = assoc->usage->parent_assoc_ptr;

	return (i < tree->count) && (assoc->id == tree->ids[i]) &&
	       (_shares(assoc) == tree->nodes[i].shares) &&
	       ((parent ? parent->id : 0) == tree->parent_ids[i]);
}

/* Locks: assoc W. */
static bool _publish_locked(assoc_tree_t *tree)
{
	sb_order_t order = sb_order_make(tree->ranks, 0);
	sb_list_itr_t *itr = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *assoc;
	uint64_t total = 0;
	size_t i = 0;

	for (size_t n = 0; n < tree->count; n++) {
		if (tree->nodes[n].parent == SB_NO_PARENT)
			total = tree->nodes[n].usage;
	}
	while ((assoc = list_next(itr)) && _is_same(assoc, tree, i)) {
		_publish_one(assoc, &tree->nodes[i], &order, total);
		i++;
	}
	list_iterator_destroy(itr);
	return !assoc && (i == tree->count);
}

extern bool assocs_publish(assoc_tree_t *tree)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	bool same = false;

	assoc_mgr_lock(&locks);
	if (assoc_mgr_assoc_list && assoc_mgr_root_assoc)
		same = _publish_locked(tree);
	assoc_mgr_unlock(&locks);
	if (same)
		tree->published = true;
	return same;
}

extern double assocs_capacity(int tres_pos)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	double capacity;

	assoc_mgr_lock(&locks);
	capacity = assoc_mgr_tres_array[tres_pos]->count;
	assoc_mgr_unlock(&locks);
	return capacity;
}
