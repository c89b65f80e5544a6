/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assocs - slurmctld's association tree <-> the budget tree of the core.
 *
 * slurmdbd's edits reach slurmctld without any hook for a plugin: so the tree
 * is read again at every full pass, and whenever publishing meets an
 * association that is not where it was.
 */
#ifndef SB_ASSOCS_H
#define SB_ASSOCS_H

#include "src/board/idmap.h"
#include "src/core/ledger.h"
#include "src/core/params.h"
#include "src/core/tree.h"
#include "src/slurm_compat/compat.h"

typedef struct {
	size_t count;
	uint32_t *ids;
	uint32_t *parent_ids;
	sb_tree_node_t *nodes;
	bool *reset;		/* its usage was reset by an admin */
	idmap_t map;
	uint32_t ranks;
	bool published;		/* slurmctld shows this tree's usage */
} assoc_tree_t;

/*
 * Read the tree as slurmctld has it now. IN old: the tree published before, to
 * notice `sacctmgr modify ... set RawUsage=0`; may be NULL.
 * Locks: none held (takes assoc R). RET: a new tree, NULL without memory or
 * without associations.
 */
extern assoc_tree_t *assocs_read(const assoc_tree_t *old);
/* NULL is legal. */
extern void assocs_destroy(assoc_tree_t *tree);

/*
 * Carry over to the ledger what happened to associations: usage that was
 * reset, history of those that are gone (it goes to the nearest ancestor that
 * still exists; `old` knows the parents).
 */
extern int assocs_reconcile(const assoc_tree_t *tree, const assoc_tree_t *old,
			    sb_ledger_t *ledger);

/*
 * Usage from the ledger, then ratios and ranks.
 * IN capacity: charged TRES of the cluster. RET: 0 or -1 with err.
 */
extern int assocs_compute(assoc_tree_t *tree, const sb_ledger_t *ledger,
			  const sb_params_t *params, time_t now,
			  double capacity, sb_err_t *err);

/*
 * Show usage, ratios and ranks in the associations, for sshare and the limits.
 * Locks: none held (takes assoc W). RET: false when the tree has changed since
 * it was read: read it again.
 */
extern bool assocs_publish(assoc_tree_t *tree);

/* How much of a TRES the cluster has. Locks: none held (takes tres R). */
extern double assocs_capacity(int tres_pos);

#endif
