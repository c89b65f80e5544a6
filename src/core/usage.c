/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage - what associations have used, hold and have promised: the part of
 * ledger.h that is asked about associations, not attempts.
 */
#include <math.h>
#include <stdlib.h>

#include "charge.h"
#include "limits.h"

extern int sb_ledger_seed(sb_ledger_t *ledger, uint32_t assoc_id, int64_t from,
			  int64_t to, double charge)
{
	sb_payer_t *payer;

	if (!assoc_id || to < from || !(charge > 0) || !isfinite(charge))
		return 0;
	payer = sb_payers_get(&ledger->payers, assoc_id);
	if (!payer || sb_charge_reserve(ledger, payer, charge))
		return -1;
	sb_window_add(payer->window, &ledger->shape, from, to, charge);
	ledger->latest = sb_later(ledger->latest, sb_time_bound(to));
	return 0;
}

extern double sb_ledger_usage(const sb_ledger_t *ledger, uint32_t assoc_id,
			      int64_t now)
{
	const sb_payer_t *payer = sb_payers_find(&ledger->payers, assoc_id);

	if (!payer || !payer->window)
		return 0;
	return sb_window_sum(payer->window, &ledger->shape, now);
}

/* Sum over the open attempts of an association: rate, or rate x protection
 * that is left. */
static double ledger_open(const sb_ledger_t *ledger, uint32_t assoc_id,
			  bool left)
{
	const sb_payer_t *payer = sb_payers_find(&ledger->payers, assoc_id);
	const sb_run_t *run;
	double sum = 0;

	for (uint32_t i = payer ? payer->first : SB_NONE; i != SB_NONE;
	     i = run->next) {
		run = &ledger->attempts.rows[i];
		if (sb_charged_open(&run->charged))
			sum += sb_charge_rate(&run->charged.attempt) *
				(left ? run->charged.attempt.left : 1);
	}
	return fmin(sum, SB_USAGE_MAX);
}

extern double sb_ledger_committed(const sb_ledger_t *ledger, uint32_t assoc_id)
{
	return ledger_open(ledger, assoc_id, true);
}

extern double sb_ledger_running(const sb_ledger_t *ledger, uint32_t assoc_id)
{
	return ledger_open(ledger, assoc_id, false);
}

extern int sb_ledger_inherit(sb_ledger_t *ledger, uint32_t assoc_id,
			     uint32_t heir_id)
{
	sb_payer_t *payer = sb_payers_find(&ledger->payers, assoc_id);
	sb_payer_t *heir = NULL;

	if (!payer || assoc_id == heir_id)
		return 0;
	if (heir_id) {
		heir = sb_payers_get(&ledger->payers, heir_id);
		if (!heir)
			return -1;
	}
	if (heir && payer->window && !heir->window) {
		heir->window = payer->window;
		payer->window = NULL;
	} else if (heir && payer->window) {
		sb_window_merge(heir->window, payer->window, &ledger->shape);
	}
	while (payer->first != SB_NONE)
		sb_attempts_pay(&ledger->attempts,
				&ledger->attempts.rows[payer->first], heir);
	sb_payers_remove(&ledger->payers, payer);
	return 0;
}

extern void sb_ledger_reset(sb_ledger_t *ledger, uint32_t assoc_id)
{
	sb_payer_t *payer = sb_payers_find(&ledger->payers, assoc_id);
	sb_charged_t *charged;

	if (!payer)
		return;
	sb_window_destroy(payer->window);
	payer->window = NULL;
	/* What is gone can't be taken back, and what an attempt that vanished
	 * has yet to be charged belongs to it. */
	for (uint32_t i = payer->first; i != SB_NONE;
	     i = ledger->attempts.rows[i].next) {
		charged = &ledger->attempts.rows[i].charged;
		if (!sb_charged_closed(charged))
			charged->until = sb_later(charged->until,
						  ledger->last_pass);
		charged->from = charged->until;
		charged->rate_from = charged->until;
	}
}

extern int sb_ledger_reshape(sb_ledger_t *ledger,
			     const sb_window_shape_t *shape)
{
	sb_payers_t *payers = &ledger->payers;
	sb_window_t **windows;
	uint32_t i;

	windows = calloc(payers->count + 1, sizeof(*windows));
	if (!windows)
		return -1;
	for (i = 0; i < payers->count; i++) {
		if (!payers->rows[i]->window)
			continue;
		windows[i] = sb_window_reshape(payers->rows[i]->window,
					       &ledger->shape, shape,
					       ledger->latest);
		if (!windows[i])
			break;
	}
	if (i < payers->count) {
		while (i-- > 0)
			sb_window_destroy(windows[i]);
		free(windows);
		return -1;
	}
	for (i = 0; i < payers->count; i++) {
		sb_window_destroy(payers->rows[i]->window);
		payers->rows[i]->window = windows[i];
	}
	free(windows);
	ledger->shape = *shape;
	return 0;
}
