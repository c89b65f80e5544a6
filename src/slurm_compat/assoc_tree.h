/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_tree - slurmctld's association tree as the core's budget tree.
 */
#ifndef SB_SLURM_ASSOC_TREE_H
#define SB_SLURM_ASSOC_TREE_H

#include "src/core/idmap.h"
#include "src/core/tree.h"

#include "compat.h"

typedef struct {
	size_t count;
	uint32_t *ids;
	uint32_t *parent_ids;	/* 0: none */
	sb_tree_node_t *nodes;	/* in slurmctld's order; own_usage is Slurm's
				 * usage_raw of what is charged here itself */
	double *raw;		/* usage_raw that slurmctld shows, descendants
				 * included */
	sb_idmap_t map;
	uint32_t ranks;
} assoc_tree_t;

/* Locks: none held (takes assoc R). RET: a new tree, NULL without memory or
 * without associations. */
extern assoc_tree_t *assoc_tree_read(void);
/* NULL is legal. */
extern void assoc_tree_destroy(assoc_tree_t *tree);

/* RET: does slurmctld's i-th association still stand as in the tree?
 * Locks: assoc R. */
extern bool assoc_tree_matches(const assoc_tree_t *tree, size_t i,
			       const slurmdb_assoc_rec_t *assoc);

/* Usage as the core counts it: whole TRES-seconds. */
extern uint64_t assoc_tree_whole(double usage);

#endif
