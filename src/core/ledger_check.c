/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger_check - whether a ledger is sound; the contracts are in ledger.h and
 * attempts.h.
 */
#include "charge.h"

/* Attempts in the list of a job that begins with this row, SB_NONE when it is
 * damaged. Starts that fall leave no room for a circle, or two the same. */
static uint32_t job_attempts(const sb_attempts_t *attempts, uint32_t first)
{
	uint32_t job_id = attempts->rows[first].charged.attempt.job_id;
	uint32_t count = 0, prev = SB_NONE;

	for (uint32_t i = first; i != SB_NONE; i = attempts->rows[i].job_next) {
		if (i >= attempts->count ||
		    attempts->rows[i].charged.attempt.job_id != job_id ||
		    attempts->rows[i].job_prev != prev ||
		    (count++ && sb_attempts_start(attempts, i) >=
				sb_attempts_start(attempts, prev)))
			return SB_NONE;
		prev = i;
	}
	return count;
}

/* Each attempt is in one list, and the index knows these and no other. */
static bool jobs_check(const sb_attempts_t *attempts)
{
	uint32_t listed = 0, jobs = 0;

	for (uint32_t i = 0; i < attempts->count; i++) {
		const sb_run_t *run = &attempts->rows[i];
		uint32_t count;

		if (run->job_prev != SB_NONE)
			continue;
		count = job_attempts(attempts, i);
		if (count == SB_NONE ||
		    sb_idmap_find(&attempts->index,
				  run->charged.attempt.job_id) != i)
			return false;
		listed += count;
		jobs++;
	}
	return listed == attempts->count && jobs == attempts->index.count;
}

/* Attempts in the list of a payer, SB_NONE when it is damaged. */
static uint32_t payer_attempts(const sb_attempts_t *attempts,
			       const sb_payer_t *payer)
{
	uint32_t count = 0, prev = SB_NONE;

	for (uint32_t i = payer->first; i != SB_NONE;
	     i = attempts->rows[i].next) {
		if (i >= attempts->count || ++count > attempts->count ||
		    attempts->rows[i].payer != payer ||
		    attempts->rows[i].prev != prev)
			return SB_NONE;
		prev = i;
	}
	return count;
}

extern bool sb_attempts_check(const sb_attempts_t *attempts,
			      const sb_payers_t *payers)
{
	uint32_t paid = 0, listed = 0;

	for (uint32_t i = 0; i < payers->count; i++) {
		const sb_payer_t *payer = payers->rows[i];
		uint32_t count = payer_attempts(attempts, payer);

		if (sb_payers_find(payers, payer->id) != payer ||
		    payer->row != i || count == SB_NONE)
			return false;
		listed += count;
	}
	for (uint32_t i = 0; i < attempts->count; i++)
		paid += attempts->rows[i].payer != NULL;
	return paid == listed && payers->count == payers->index.count &&
	       jobs_check(attempts);
}

extern bool sb_ledger_check(const sb_ledger_t *ledger)
{
	if (!sb_attempts_check(&ledger->attempts, &ledger->payers))
		return false;
	for (uint32_t i = 0; i < ledger->payers.count; i++) {
		const sb_window_t *window = ledger->payers.rows[i]->window;

		if (window && !sb_window_check(window, &ledger->shape))
			return false;
	}
	for (uint32_t i = 0; i < ledger->attempts.count; i++)
		if (sb_charged_fault(&ledger->attempts.rows[i].charged))
			return false;
	return true;
}
