/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage - what each association has used, is running and has committed, at any
 * instant.
 *
 * The ledger of the core does the charging. A pass over all attempts whenever
 * something has changed, as the plugin does it, would take most of a replay's
 * time: so passes are made once per bucket of the window, and in between an
 * association's usage is what the core says of what is charged (its window
 * expires linearly between two edges of buckets) and rate x time of what runs.
 * Test builds compare the two at every pass.
 */
#ifndef SB_SIM_USAGE_H
#define SB_SIM_USAGE_H

#include "ledger.h"
#include "sim.h"
#include "tree.h"

typedef struct usage usage_t;

/* RET: NULL without memory. */
extern usage_t *usage_create(sim_t *sim);
extern void usage_destroy(usage_t *usage);

/* An attempt has started, or ended. RET: 0, or -1 without memory. */
extern void usage_started(usage_t *usage, uint32_t job);
extern int usage_ended(usage_t *usage, uint32_t job);

/* IN now: never before the last one's. Fill in own_usage, own_committed and
 * own_running of the tree, one node for each association of the workload.
 * RET: 0, or -1 without memory. */
extern int usage_fill(usage_t *usage, int64_t now, sb_tree_node_t *nodes);

/* RET: true when the ledger's invariants hold, and it says the same after a
 * pass over all attempts. IN nodes: as filled at `now`. */
extern bool usage_check(const usage_t *usage, int64_t now,
			const sb_tree_node_t *nodes);

#endif
