/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * restore - a ledger's walks for the state file, and the way back; the
 * contract is in ledger.h.
 */
#include <inttypes.h>
#include <math.h>

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
		return sb_err_set(err, "association %" PRIu32 ": bucket %" PRId64
				  " with %g: out of range or order", assoc_id,
				  bucket, charge);
	return 0;
}

/* RET: what is wrong, or NULL. */
static const char *charged_fault(const sb_charged_t *charged)
{
	const sb_attempt_t *attempt = &charged->attempt;
	sb_attempt_t bound = sb_charge_bound(attempt);

	if (attempt->start <= 0 || attempt->start >= SB_TIME_MAX)
		return "start out of range";
	if (bound.end != attempt->end)
		return "end out of range";
	if (bound.resized != attempt->resized || bound.left != attempt->left)
		return "resize or protection out of range";
	if (bound.rate != attempt->rate || bound.factor != attempt->factor)
		return "rate out of range";
	if (!(charged->charge_before >= 0 &&
	      charged->charge_before <= SB_USAGE_MAX))
		return "former rate out of range";
	if (charged->from < attempt->start || charged->until < charged->from ||
	    charged->until > SB_TIME_MAX)
		return "charged interval out of range";
	if (charged->rate_from < charged->from ||
	    charged->rate_from > charged->until)
		return "change of rate out of the charged interval";
	if (charged->unsettled && attempt->end)
		return "end known and unknown";
	return NULL;
}

extern int sb_ledger_restore_attempt(sb_ledger_t *ledger,
				     const sb_charged_t *charged,
				     sb_err_t *err)
{
	const sb_attempt_t *attempt = &charged->attempt;
	const char *fault = charged_fault(charged);
	sb_payer_t *payer = NULL;
	sb_run_t *run;

	if (!fault && sb_attempts_find(&ledger->attempts, attempt->job_id,
				       attempt->start))
		fault = "twice the same";
	if (fault)
		return sb_err_set(err, "job %" PRIu32 " started %" PRId64
				  ": %s", attempt->job_id, attempt->start,
				  fault);
	if (charged->payer) {
		payer = sb_payers_get(&ledger->payers, charged->payer);
		if (!payer)
			return sb_err_set(err, "no memory for a payer");
	}
	run = sb_attempts_add(&ledger->attempts, attempt->job_id,
			      attempt->start);
	if (!run)
		return sb_err_set(err, "no memory for an attempt");
	run->charged = *charged;
	/* Whatever the first pass shows is younger. */
	run->closed = UINT32_MAX;
	run->gone = ledger->last_pass;
	sb_attempts_pay(&ledger->attempts, run, payer);
	ledger->latest = sb_later(ledger->latest, charged->until);
	return 0;
}

/* Attempts in the list of a payer, SB_NONE when the list is damaged. */
static uint32_t payer_attempts(const sb_ledger_t *ledger,
			       const sb_payer_t *payer)
{
	const sb_attempts_t *attempts = &ledger->attempts;
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

extern bool sb_ledger_check(const sb_ledger_t *ledger)
{
	uint32_t paid = 0, listed = 0;

	for (uint32_t i = 0; i < ledger->payers.count; i++) {
		const sb_payer_t *payer = ledger->payers.rows[i];
		uint32_t count = payer_attempts(ledger, payer);

		if (sb_payers_find(&ledger->payers, payer->id) != payer ||
		    payer->row != i || count == SB_NONE ||
		    (payer->window && !sb_window_check(payer->window,
						       &ledger->shape)))
			return false;
		listed += count;
	}
	for (uint32_t i = 0; i < ledger->attempts.count; i++) {
		const sb_run_t *run = &ledger->attempts.rows[i];

		if (sb_attempts_find(&ledger->attempts,
				     run->charged.attempt.job_id,
				     run->charged.attempt.start) != run ||
		    charged_fault(&run->charged))
			return false;
		paid += run->payer != NULL;
	}
	return paid == listed;
}
