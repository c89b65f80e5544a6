/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "assoc_tree.h"

static assoc_tree_t *_create(size_t count)
{
	assoc_tree_t *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return NULL;
	tree->ids = calloc(count + 1, sizeof(*tree->ids));
	tree->parent_ids = calloc(count + 1, sizeof(*tree->parent_ids));
	tree->nodes = calloc(count + 1, sizeof(*tree->nodes));
	tree->raw = calloc(count + 1, sizeof(*tree->raw));
	if (!tree->ids || !tree->parent_ids || !tree->nodes || !tree->raw) {
		assoc_tree_destroy(tree);
		return NULL;
	}
	return tree;
}

extern void assoc_tree_destroy(assoc_tree_t *tree)
{
	if (!tree)
		return;
	free(tree->ids);
	free(tree->parent_ids);
	free(tree->nodes);
	free(tree->raw);
	sb_idmap_free(&tree->map);
	free(tree);
}

extern uint64_t assoc_tree_whole(double usage)
{
	if (!(usage > 0))
		return 0;
	if (usage >= (double) SB_USAGE_MAX)
		return SB_USAGE_MAX;
	return llrint(usage);
}

static uint32_t _parent_id(const slurmdb_assoc_rec_t *assoc)
{
	const slurmdb_assoc_rec_t *parent = assoc->usage->parent_assoc_ptr;

	return parent ? parent->id : 0;
}

static uint32_t _shares(const slurmdb_assoc_rec_t *assoc)
{
	return (assoc->shares_raw == SLURMDB_FS_USE_PARENT) ?
		SB_SHARES_PARENT : assoc->shares_raw;
}

static void _read_one(assoc_tree_t *tree, const slurmdb_assoc_rec_t *assoc)
{
	size_t i = tree->count++;

	tree->ids[i] = assoc->id;
	tree->parent_ids[i] = _parent_id(assoc);
	tree->nodes[i].shares = _shares(assoc);
	tree->nodes[i].user = assoc->user != NULL;
	tree->raw[i] = assoc->usage->usage_raw;
	/* Of a user all that he used, of an account what its deleted users
	 * did. */
	if (assoc->leaf_usage)
		tree->nodes[i].own_usage =
			assoc_tree_whole(assoc->leaf_usage->usage_raw);
}

/* Locks: assoc R. */
static assoc_tree_t *_read_locked(void)
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
		_read_one(tree, assoc);
	list_iterator_destroy(itr);
	return tree;
}

static int _link_parents(assoc_tree_t *tree)
{
	if (sb_idmap_fill(&tree->map, tree->ids, tree->count))
		return -1;
	for (size_t i = 0; i < tree->count; i++) {
		uint32_t parent = sb_idmap_find(&tree->map,
						tree->parent_ids[i]);

		tree->nodes[i].parent = (parent == SB_IDMAP_NONE) ?
			SB_NO_PARENT : (int32_t) parent;
	}
	return 0;
}

extern assoc_tree_t *assoc_tree_read(void)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	assoc_tree_t *tree;

	assoc_mgr_lock(&locks);
	tree = _read_locked();
	assoc_mgr_unlock(&locks);
	if (tree && _link_parents(tree)) {
		assoc_tree_destroy(tree);
		return NULL;
	}
	return tree;
}

extern bool assoc_tree_matches(const assoc_tree_t *tree, size_t i,
			       const slurmdb_assoc_rec_t *assoc)
{
	return (i < tree->count) && (assoc->id == tree->ids[i]) &&
	       (_shares(assoc) == tree->nodes[i].shares) &&
	       (_parent_id(assoc) == tree->parent_ids[i]);
}
