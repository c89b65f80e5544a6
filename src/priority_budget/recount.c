/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/core/cells.h"
#include "src/slurm_compat/compat.h"

#include "recount.h"

static sb_cells_t cells;
static bool is_open;
static bool incomplete;

extern bool recount_open(void)
{
	if (is_open)
		return false;
	cells.width = slurmctld_tres_cnt;
	incomplete = false;
	is_open = true;
	return true;
}

extern bool recount_is_open(void)
{
	return is_open;
}

extern uint64_t *recount_sums(uint64_t name)
{
	uint64_t *sums = sb_cells_add(&cells, name);

	if (!sums)
		recount_spoil();
	return sums;
}

extern void recount_spoil(void)
{
	incomplete = true;
}

extern size_t recount_width(void)
{
	return cells.width;
}

static void _clear(uint64_t *run_secs)
{
	if (run_secs)
		memset(run_secs, 0, xsize(run_secs));
}

static void _put(uint64_t *run_secs, uint64_t name)
{
	const uint64_t *sums = sb_cells_find(&cells, name);

	_clear(run_secs);
	if (run_secs && sums)
		memcpy(run_secs, sums,
		       MIN(xsize(run_secs), cells.width * sizeof(*sums)));
}

static void _put_used(uint64_t *run_secs)
{
	_put(run_secs, RECOUNT_USED(run_secs));
}

static void _put_all(void)
{
	sb_list_itr_t *itr = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;

	while ((assoc = list_next(itr))) {
		_put(assoc->usage->grp_used_tres_run_secs,
		     RECOUNT_ASSOC(assoc));
		/* What users who were deleted had, slurmctld adds to their
		 * account's at each edit of the tree. */
		if (assoc->leaf_usage && (assoc->leaf_usage != assoc->usage))
			_clear(assoc->leaf_usage->grp_used_tres_run_secs);
	}
	list_iterator_destroy(itr);
	itr = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(itr))) {
		_put(qos->usage->grp_used_tres_run_secs, RECOUNT_QOS(qos));
		compat_qos_each_run_secs(qos, _put_used);
	}
	list_iterator_destroy(itr);
}

extern bool recount_close(void)
{
	bool complete = !incomplete &&
			((int) cells.width == slurmctld_tres_cnt);

	if (complete)
		_put_all();
	recount_drop();
	return complete;
}

extern void recount_drop(void)
{
	sb_cells_free(&cells);
	is_open = false;
}
