/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * restore - a ledger's walks for the state file, and the way back; the
 * contract is in ledger.h.
 */
#include <inttypes.h>

#include "charge.h"

extern bool sb_ledger_next_assoc(const sb_ledger_t *ledger, uint32_t *cursor,
				 const sb_window_t **window)
{
	const sb_payer_t *payer = sb_payers_after(&ledger->payers, *cursor);

	if (!payer)
		return false;
	*cursor = payer->id;
	*window = payer->window;
	return true;
}

extern bool sb_ledger_next_attempt(const sb_ledger_t *ledger, size_t *cursor,
				   sb_charged_t *charged)
{
	int64_t over = sb_earlier(ledger->keep,
				  ledger->last_pass - SB_HINDSIGHT);

	while (*cursor < ledger->attempts.count) {
		const sb_run_t *run = &ledger->attempts.rows[(*cursor)++];

		if (sb_charged_closed(&run->charged) &&
		    run->charged.attempt.end <= over)
			continue;
		*charged = run->charged;
		charged->payer = run->payer ? run->payer->id : 0;
		return true;
	}
	return false;
}

extern void sb_ledger_restore_pass(sb_ledger_t *ledger, int64_t last_pass)
{
	ledger->since = sb_time_bound(last_pass);
	ledger->last_pass = ledger->since;
	ledger->latest = ledger->since;
	ledger->now = ledger->since;
}

extern int sb_ledger_restore_bucket(sb_ledger_t *ledger, uint32_t assoc_id,
				    int64_t bucket, double charge,
				    sb_err_t *err)
{
	sb_payer_t *payer;

	if (!assoc_id)
		return sb_err_set(err, "history of association 0");
	payer = sb_payers_get(&ledger->payers, assoc_id);
	if (!payer || sb_charge_reserve(ledger, payer, 1))
		return sb_err_set(err, "no memory for a window");
	if (!sb_window_restore(payer->window, &ledger->shape, bucket, charge))
		return sb_err_set(err, "association %" PRIu32 ": bucket %"
				  PRId64 " with %g: out of range or order",
				  assoc_id, bucket, charge);
	return 0;
}

static int attempt_refused(const sb_attempt_t *attempt, const char *fault,
			   sb_err_t *err)
{
	return sb_err_set(err, "job %" PRIu32 " started %" PRId64 ": %s",
			  attempt->job_id, attempt->start, fault);
}

extern int sb_ledger_restore_attempt(sb_ledger_t *ledger,
				     const sb_charged_t *charged,
				     sb_err_t *err)
{
	const sb_attempt_t *attempt = &charged->attempt;
	const char *fault = sb_charged_fault(charged);
	sb_payer_t *payer = NULL;
	sb_run_t *run;

	if (fault)
		return attempt_refused(attempt, fault, err);
	if (charged->payer) {
		payer = sb_payers_get(&ledger->payers, charged->payer);
		if (!payer)
			return sb_err_set(err, "no memory for a payer");
	}
	run = sb_attempts_append(&ledger->attempts, attempt->job_id,
				 attempt->start);
	if (!run)
		return sb_err_set(err, "no memory for an attempt");
	run->charged = *charged;
	/* Whatever the first pass shows is younger. */
	run->closed = UINT32_MAX;
	run->gone = ledger->last_pass;
	run->payer = payer;
	ledger->latest = sb_later(ledger->latest, charged->until);
	return 0;
}

extern int sb_ledger_restore_end(sb_ledger_t *ledger, sb_err_t *err)
{
	const sb_run_t *twice = sb_attempts_link(&ledger->attempts);

	if (twice)
		return attempt_refused(&twice->charged.attempt,
				       "twice the same", err);
	return 0;
}
