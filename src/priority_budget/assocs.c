/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "src/core/order.h"
#include "src/slurm_compat/compat.h"

#include "assocs.h"

/* RET: the nearest ancestor of a deleted association that still exists. */
static uint32_t _heir(uint32_t id, const assoc_tree_t *tree,
		      const assoc_tree_t *old)
{
	for (int depth = 0; old && (depth < SB_TREE_DEPTH_MAX); depth++) {
		uint32_t index = sb_idmap_find(&old->map, id);

		if (index == SB_IDMAP_NONE)
			break;
		id = old->parent_ids[index];
		if (sb_idmap_find(&tree->map, id) != SB_IDMAP_NONE)
			return id;
	}
	/* Deleted while slurmctld was down: the cluster keeps it. */
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->nodes[i].parent == SB_NO_PARENT)
			return tree->ids[i];
	}
	return 0;
}

/* Nobody but an admin's reset makes a usage that we showed 0. */
static bool _was_reset(const assoc_tree_t *tree, size_t i,
		       const assoc_tree_t *old)
{
	uint32_t index;

	if (!old || (tree->raw[i] != 0))
		return false;
	index = sb_idmap_find(&old->map, tree->ids[i]);
	return (index != SB_IDMAP_NONE) && (old->raw[index] != 0);
}

extern int assocs_reconcile(const assoc_tree_t *tree, const assoc_tree_t *old,
			    sb_ledger_t *ledger)
{
	uint32_t cursor = 0;
	const sb_window_t *window;

	for (size_t i = 0; i < tree->count; i++) {
		if (_was_reset(tree, i, old))
			sb_ledger_reset(ledger, tree->ids[i]);
	}
	while (sb_ledger_next_assoc(ledger, &cursor, &window)) {
		if (cursor &&
		    (sb_idmap_find(&tree->map, cursor) == SB_IDMAP_NONE) &&
		    sb_ledger_inherit(ledger, cursor,
				      _heir(cursor, tree, old)))
			return -1;
	}
	return 0;
}

extern void assocs_read_usage(assoc_tree_t *tree, size_t from, size_t to,
			      const sb_ledger_t *ledger,
			      const sb_params_t *params, time_t now)
{
	for (size_t i = from; i < to; i++) {
		sb_tree_node_t *node = &tree->nodes[i];
		uint32_t id = tree->ids[i];

		node->own_usage =
			assoc_tree_whole(sb_ledger_usage(ledger, id, now));
		node->own_committed = params->commitment ?
			assoc_tree_whole(sb_ledger_committed(ledger, id)) : 0;
		node->own_running = sb_ledger_running(ledger, id);
	}
}

extern int assocs_compute(assoc_tree_t *tree, const sb_params_t *params,
			  double capacity, sb_err_t *err)
{
	return sb_tree_compute(tree->nodes, tree->count, capacity,
			       params->burst, &tree->ranks, err);
}

/* slurmctld rebuilds an account's usage from this at every edit: it must know
 * what deleted users have left there. Locks: assoc W. */
static void _publish_own(slurmdb_assoc_rec_t *assoc,
			 const sb_tree_node_t *node)
{
	if (assoc->user || (!assoc->leaf_usage && !node->own_usage))
		return;
	if (!assoc->leaf_usage)
		assoc->leaf_usage =
			slurmdb_create_assoc_usage(assoc->usage->tres_cnt);
	assoc->leaf_usage->usage_raw = node->own_usage;
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
	_publish_own(assoc, node);
}

/* An admin has reset it since we read or showed it. Locks: assoc R. */
static bool _is_reset_now(const slurmdb_assoc_rec_t *assoc,
			  const assoc_tree_t *tree, size_t i)
{
	return (assoc->usage->usage_raw == 0) && (tree->raw[i] != 0);
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
	while ((assoc = list_next(itr)) && assoc_tree_matches(tree, i, assoc) &&
	       !_is_reset_now(assoc, tree, i)) {
		_publish_one(assoc, &tree->nodes[i], &order, total);
		tree->raw[i] = tree->nodes[i].usage;
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
	return same;
}

extern bool assocs_stand(const assoc_tree_t *tree)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const slurmdb_assoc_rec_t *root;
	uint32_t index;
	bool stand = true;

	assoc_mgr_lock(&locks);
	root = assoc_mgr_root_assoc;
	index = root ? sb_idmap_find(&tree->map, root->id) : SB_IDMAP_NONE;
	if (index != SB_IDMAP_NONE)
		stand = (root->usage->usage_raw == tree->raw[index]) &&
			(root->usage->usage_efctv ==
			 tree->nodes[index].usage_share);
	assoc_mgr_unlock(&locks);
	return stand;
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
