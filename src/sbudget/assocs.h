/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assocs - slurmctld's associations as a budget tree: what core/tree.h needs,
 * and names.
 */
#ifndef SB_ASSOCS_H
#define SB_ASSOCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "idmap.h"
#include "slurm_api.h"
#include "tree.h"

typedef struct {
	uint32_t id;
	uint32_t parent_id;	/* 0: none */
	char *account;
	char *user;		/* NULL: the account itself */
	char *partition;	/* NULL: any */
	double usage;		/* as slurmctld shows it, descendants included,
				 * charged TRES-seconds */
	double level_fs;	/* likewise */
	double shares_norm;	/* likewise */
	double usage_efctv;	/* likewise */
	int depth;		/* root 0 */

	/* Of its jobs, descendants included: GPUs, or charged TRES where the
	 * cluster has none. */
	double running;
	double pending;
	double unallocated;	/* part of running */
} assoc_t;

typedef struct {
	size_t count;
	assoc_t *rows;
	sb_tree_node_t *nodes;	/* of the same index */
	uint32_t *order;	/* depth first, siblings as they are served */
	uint32_t *by_name;	/* for assocs_find() */
	sb_idmap_t map;		/* id -> index */
	uint32_t ranks;
	bool whole;		/* false: PrivateData left us a part; then
				 * nothing but what slurmctld shows is known */
} assocs_t;

/* Take over what slurmctld or slurmdbd told. RET: 0, or -1 without memory. */
extern int assocs_fill(assocs_t *assocs, api_list_t list);
extern void assocs_free(assocs_t *assocs);

/* RET: index, or -1: no such association. IN user: NULL: the account. */
extern int32_t assocs_find(const assocs_t *assocs, const char *account,
			   const char *user);
extern int32_t assocs_index(const assocs_t *assocs, uint32_t id);

/*
 * Ratios and ranks. own_committed and own_running of the nodes are there.
 * IN published: slurmctld's own window ratios, where they are precise enough,
 * take the place of computed ones: they are what it acts on.
 * RET: 0, or -1 with err.
 */
extern int assocs_compute(assocs_t *assocs, double capacity, double burst,
			  bool published, sb_err_t *err);

/* Depth-first order with siblings by ratio, unfunded last, then by name.
 * RET: 0, or -1 without memory. */
extern int assocs_sort(assocs_t *assocs);

/* "ben" of a user, "b2" of an account. */
extern const char *assocs_name(const assocs_t *assocs, int32_t index);

#endif
