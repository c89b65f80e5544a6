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

#include "src/core/ledger.h"
#include "src/core/params.h"
#include "src/slurm_compat/assoc_tree.h"
#include "src/slurm_compat/compat.h"

/*
 * Carry over to the ledger what happened to associations since `old` was
 * published (NULL: nothing was): usage that an admin reset (`sacctmgr modify
 * ... set RawUsage=0`), history of those that are gone (it goes to the nearest
 * ancestor that still exists; `old` knows the parents).
 */
extern int assocs_reconcile(const assoc_tree_t *tree, const assoc_tree_t *old,
			    sb_ledger_t *ledger);

/* Usage from the ledger, for the associations [from, to) of the tree. Of a few
 * at a time, so that nobody waits for the ledger's lock. */
extern void assocs_read_usage(assoc_tree_t *tree, size_t from, size_t to,
			      const sb_ledger_t *ledger,
			      const sb_params_t *params, time_t now);

/*
 * Ratios and ranks from that.
 * IN capacity: charged TRES of the cluster. RET: 0 or -1 with err.
 */
extern int assocs_compute(assoc_tree_t *tree, const sb_params_t *params,
			  double capacity, sb_err_t *err);

/*
 * Show usage, ratios and ranks in the associations, for sshare and the limits.
 * Locks: none held (takes assoc W). RET: false when the tree has changed since
 * it was read: read it again.
 */
extern bool assocs_publish(assoc_tree_t *tree);

/*
 * RET: false when slurmctld does not show what was computed: it could not be
 * published, an admin has reset usage, or slurmctld has read its associations
 * from slurmdbd once more (after a start without it) and added usage up anew.
 * Cheap: looks at the root. Locks: none held (takes assoc R).
 */
extern bool assocs_stand(const assoc_tree_t *tree);

/* How much of a TRES the cluster has. Locks: none held (takes tres R). */
extern double assocs_capacity(int tres_pos);

#endif
