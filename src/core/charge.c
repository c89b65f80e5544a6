/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge - what one attempt is charged; the contract is in charge.h.
 */
#include <math.h>

#include "charge.h"

static double quantity_bound(double quantity)
{
	/* A NAN fails the comparison. */
	return quantity > 0 && !isinf(quantity) ?
		fmin(quantity, SB_USAGE_MAX) : 0;
}

extern double sb_charge_rate(const sb_attempt_t *attempt)
{
	return quantity_bound(attempt->rate * attempt->factor);
}

extern sb_attempt_t sb_charge_bound(const sb_attempt_t *attempt)
{
	sb_attempt_t bound = *attempt;

	bound.rate = quantity_bound(attempt->rate);
	bound.factor = quantity_bound(attempt->factor);
	bound.resized = sb_time_bound(attempt->resized);
	bound.left = sb_earlier(sb_later(attempt->left, 0), SB_TIMESPAN_MAX);
	if (attempt->end)
		bound.end = sb_later(sb_time_bound(attempt->end),
				     attempt->start);
	return bound;
}

extern const char *sb_charged_fault(const sb_charged_t *charged)
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

extern int sb_charge_reserve(sb_ledger_t *ledger, sb_payer_t *payer,
			     double charge)
{
	if (!payer || payer->window || charge == 0)
		return 0;
	payer->window = sb_window_create(&ledger->shape);
	return payer->window ? 0 : -1;
}

static void run_add_rate(sb_ledger_t *ledger, sb_run_t *run, int64_t from,
			 int64_t to, double charge)
{
	if (run->payer && run->payer->window && from < to)
		sb_window_add_rate(run->payer->window, &ledger->shape, from,
				   to, charge);
}

extern void sb_charge_forward(sb_ledger_t *ledger, sb_run_t *run, int64_t to)
{
	sb_charged_t *charged = &run->charged;

	if (to <= charged->until)
		return;
	run_add_rate(ledger, run, charged->until, to,
		     sb_charge_rate(&charged->attempt));
	charged->until = to;
	ledger->latest = sb_later(ledger->latest, to);
}

/* Take back what was charged from `to` on. One change of rate is remembered:
 * ends that are told late lie seconds back, changes of rate hours apart. */
static void run_rewind(sb_ledger_t *ledger, sb_run_t *run, int64_t to)
{
	sb_charged_t *charged = &run->charged;

	to = sb_later(to, charged->from);
	if (to >= charged->until)
		return;
	run_add_rate(ledger, run, sb_later(to, charged->rate_from),
		     charged->until, -sb_charge_rate(&charged->attempt));
	run_add_rate(ledger, run, to, charged->rate_from,
		     -charged->charge_before);
	charged->until = to;
	charged->rate_from = sb_earlier(charged->rate_from, to);
}

/* From now on another rate. IN limit: no charge beyond it. */
static void run_change_rate(sb_ledger_t *ledger, sb_run_t *run,
			    const sb_attempt_t *look, int64_t limit)
{
	sb_charged_t *charged = &run->charged;
	int64_t at = charged->until;

	if (look->resized && look->resized != charged->attempt.resized)
		at = sb_earlier(look->resized, sb_later(limit, charged->until));
	run_rewind(ledger, run, at);
	sb_charge_forward(ledger, run, at);
	charged->charge_before = sb_charge_rate(&charged->attempt);
	charged->rate_from = charged->until;
}

/* What was charged stays where it is. */
static void run_change_payer(sb_ledger_t *ledger, sb_run_t *run,
			     sb_payer_t *payer)
{
	run->charged.from = run->charged.until;
	run->charged.rate_from = run->charged.until;
	sb_attempts_pay(&ledger->attempts, run, payer);
}

extern int sb_charge_update(sb_ledger_t *ledger, sb_run_t *run,
			    const sb_attempt_t *look, int64_t now)
{
	sb_charged_t *charged = &run->charged;
	int64_t limit = look->end ? sb_earlier(look->end, now) : now;
	uint32_t assoc_id = charged->attempt.assoc_id;
	sb_payer_t *payer = run->payer;

	if (look->assoc_id && look->assoc_id != assoc_id) {
		assoc_id = look->assoc_id;
		payer = sb_payers_get(&ledger->payers, assoc_id);
		if (!payer)
			return -1;
	}
	if (sb_charge_reserve(ledger, run->payer,
			      sb_charge_rate(&charged->attempt)) ||
	    sb_charge_reserve(ledger, payer, sb_charge_rate(look)))
		return -1;
	if (sb_charge_rate(look) != sb_charge_rate(&charged->attempt))
		run_change_rate(ledger, run, look, limit);
	if (payer != run->payer)
		run_change_payer(ledger, run, payer);
	charged->attempt = *look;
	charged->attempt.assoc_id = assoc_id;
	charged->unsettled = false;
	if (look->end)
		run_rewind(ledger, run, look->end);
	sb_charge_forward(ledger, run, limit);
	return 0;
}

extern sb_run_t *sb_charge_create(sb_ledger_t *ledger,
				  const sb_attempt_t *look, int64_t from)
{
	sb_payer_t *payer = NULL;
	sb_run_t *run;

	if (look->assoc_id) {
		payer = sb_payers_get(&ledger->payers, look->assoc_id);
		if (!payer)
			return NULL;
	}
	run = sb_attempts_add(&ledger->attempts, look->job_id, look->start);
	if (!run)
		return NULL;
	run->charged.attempt = *look;
	run->charged.from = from;
	run->charged.until = from;
	run->charged.rate_from = from;
	sb_attempts_pay(&ledger->attempts, run, payer);
	return run;
}
