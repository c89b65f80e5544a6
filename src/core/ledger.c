/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger - charges of attempts, kept per association; the contract is in
 * ledger.h, the tables are in attempts.h, one attempt is in charge.h, what is
 * asked about associations is in usage.c.
 */
#include <assert.h>
#include <stdlib.h>

#include "charge.h"

static bool attempt_started(const sb_attempt_t *attempt)
{
	return attempt->start > 0 && attempt->start < SB_TIME_MAX;
}

/* It may have been charged by us or our predecessor, and forgotten. */
static bool ledger_forgot(const sb_ledger_t *ledger, const sb_attempt_t *look)
{
	return look->end && look->end <= sb_later(ledger->since,
						  ledger->forgot);
}

/* The host has ended it, and shows it as running. The pass behind the end may
 * have collected its data before; one behind that has not: then the host has
 * lost the end in a crash, and will tell another. */
static bool run_goes_on(const sb_ledger_t *ledger, const sb_run_t *run)
{
	return ledger->pass - run->closed >= 2;
}

/* No edit of a comment changes what a run costs: but who was looked at before
 * his contract was signed, and is protected by it, pays for that. */
static double ledger_factor(const sb_run_t *run, const sb_attempt_t *look)
{
	return look->in_full ? 1 : run->charged.attempt.factor;
}

/* As if it had cost that from the start. RET: 0, or -1 without memory and
 * nothing changed. */
static int ledger_charge_in_full(sb_ledger_t *ledger, sb_run_t *run,
				 const sb_attempt_t *look, int64_t now)
{
	sb_attempt_t resized = *look;

	resized.resized = run->charged.from;
	if (sb_charge_update(ledger, run, &resized, now))
		return -1;
	run->charged.attempt.resized = look->resized;
	return 0;
}

/* A look in a pass, or at an end. */
static int ledger_look(sb_ledger_t *ledger, const sb_attempt_t *attempt,
		       int64_t now)
{
	sb_attempt_t look = sb_charge_bound(attempt);
	sb_run_t *run;

	if (!attempt_started(attempt))
		return 0;
	run = sb_attempts_find(&ledger->attempts, look.job_id, look.start);
	if (!run) {
		if (ledger_forgot(ledger, &look))
			return 0;
		run = sb_charge_create(ledger, &look,
				       sb_later(look.start, ledger->since));
		if (!run)
			return -1;
	}
	look.factor = ledger_factor(run, &look);
	run->pass = ledger->pass;
	if (sb_charged_closed(&run->charged) && !look.end &&
	    !run_goes_on(ledger, run))
		return 0;
	if (look.end)
		run->closed = ledger->pass;
	if (look.factor > run->charged.attempt.factor)
		return ledger_charge_in_full(ledger, run, &look, now);
	return sb_charge_update(ledger, run, &look, now);
}

extern sb_ledger_t *sb_ledger_create(const sb_window_shape_t *shape,
				     int64_t since)
{
	sb_ledger_t *ledger = calloc(1, sizeof(*ledger));

	if (!ledger)
		return NULL;
	ledger->shape = *shape;
	ledger->keep = SB_TIME_MAX;
	sb_ledger_restore_pass(ledger, since);
	return ledger;
}

extern void sb_ledger_destroy(sb_ledger_t *ledger)
{
	if (!ledger)
		return;
	sb_attempts_clear(&ledger->attempts);
	sb_payers_clear(&ledger->payers);
	free(ledger);
}

extern sb_ledger_t *sb_ledger_copy(const sb_ledger_t *ledger)
{
	sb_ledger_t *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *ledger;
	copy->attempts = (sb_attempts_t) { 0 };
	copy->payers = (sb_payers_t) { 0 };
	if (sb_payers_copy(&copy->payers, &ledger->payers, &ledger->shape) ||
	    sb_attempts_copy(&copy->attempts, &ledger->attempts,
			     &copy->payers)) {
		sb_ledger_destroy(copy);
		return NULL;
	}
	return copy;
}

extern const sb_window_shape_t *sb_ledger_shape(const sb_ledger_t *ledger)
{
	return &ledger->shape;
}

extern int64_t sb_ledger_last_pass(const sb_ledger_t *ledger)
{
	return ledger->last_pass;
}

/* Seconds that a ring covers. */
static int64_t ledger_reach(const sb_ledger_t *ledger)
{
	return ledger->shape.buckets * ledger->shape.grain;
}

/* The clock was far ahead: drop what that has charged, and what stands in the
 * way of charging on. */
static void ledger_recover(sb_ledger_t *ledger)
{
	int64_t reach = ledger->now + ledger_reach(ledger);

	for (uint32_t i = 0; i < ledger->payers.count; i++) {
		sb_payer_t *payer = ledger->payers.rows[i];

		if (payer->window &&
		    sb_window_ahead(payer->window, &ledger->shape,
				    ledger->now))
			sb_window_clear(payer->window, &ledger->shape);
	}
	for (uint32_t i = 0; i < ledger->attempts.count; i++) {
		sb_charged_t *charged = &ledger->attempts.rows[i].charged;

		if (charged->until <= reach || sb_charged_closed(charged))
			continue;
		charged->until = sb_later(ledger->now, charged->attempt.start);
		charged->from = charged->until;
		charged->rate_from = charged->until;
	}
	if (ledger->since > reach)
		ledger->since = ledger->now;
	if (ledger->forgot > reach)
		ledger->forgot = ledger->now;
	ledger->latest = reach - ledger->shape.grain;
}

extern void sb_ledger_begin(sb_ledger_t *ledger, int64_t now)
{
	ledger->now = sb_time_bound(now);
	/* Whoever charged up to then had a clock that was ahead. */
	ledger->since = sb_earlier(ledger->since, ledger->now);
	ledger->passing = true;
	/* 0 is the number of those that no pass has shown. */
	if (++ledger->pass == 0)
		ledger->pass = 1;
	if (ledger->latest - ledger_reach(ledger) + ledger->shape.grain >
	    ledger->now)
		ledger_recover(ledger);
}

extern int sb_ledger_observe(sb_ledger_t *ledger, const sb_attempt_t *attempt)
{
	return ledger_look(ledger, attempt, ledger->now);
}

/* Attempts that the pass did not show. RET: 0, or -1 without memory. */
static int ledger_vanish(sb_ledger_t *ledger)
{
	for (uint32_t i = 0; i < ledger->attempts.count; i++) {
		sb_run_t *run = &ledger->attempts.rows[i];
		sb_charged_t *charged = &run->charged;

		if (run->pass == ledger->pass || sb_charged_closed(charged))
			continue;
		if (charged->unsettled)
			continue;
		charged->unsettled = !charged->attempt.end;
		run->gone = ledger->now;
		run->asked = 0;
		if (charged->unsettled)
			continue;
		/* Told with an end to come, which comes without it. */
		if (sb_charge_reserve(ledger, run->payer,
				  sb_charge_rate(&charged->attempt)))
			return -1;
		sb_charge_forward(ledger, run,
			    sb_earlier(charged->attempt.end, ledger->now));
	}
	return 0;
}

/* Associations that hold nothing any more. */
static void ledger_tidy(sb_ledger_t *ledger)
{
	for (uint32_t i = ledger->payers.count; i-- > 0;) {
		sb_payer_t *payer = ledger->payers.rows[i];

		if (payer->window &&
		    sb_window_empty(payer->window, &ledger->shape,
				    ledger->now)) {
			sb_window_destroy(payer->window);
			payer->window = NULL;
		}
		if (!payer->window && payer->first == SB_NONE)
			sb_payers_remove(&ledger->payers, payer);
	}
}

extern int sb_ledger_end(sb_ledger_t *ledger, sb_err_t *err)
{
	if (!ledger->passing)
		return sb_err_set(err, "a pass was ended that was not begun");
	if (ledger_vanish(ledger))
		return sb_err_set(err, "no memory for a window");
	ledger_tidy(ledger);
	ledger->passing = false;
	ledger->last_pass = ledger->now;
	ledger->latest = sb_later(ledger->latest, ledger->now);
	/* In test builds, at every pass: nothing leaks, nothing is doubled. */
	assert(sb_ledger_check(ledger));
	return 0;
}

extern int sb_ledger_close(sb_ledger_t *ledger, const sb_attempt_t *attempt)
{
	return attempt->end ? ledger_look(ledger, attempt, SB_TIME_MAX) : 0;
}

extern bool sb_ledger_unsettled(const sb_ledger_t *ledger, size_t *cursor,
				sb_attempt_t *attempt, int64_t *charged_until,
				int64_t *gone)
{
	while (*cursor < ledger->attempts.count) {
		const sb_run_t *run = &ledger->attempts.rows[(*cursor)++];

		if (!run->charged.unsettled)
			continue;
		*attempt = run->charged.attempt;
		*charged_until = run->charged.until;
		/* Of a clock that was set back */
		*gone = sb_later(run->gone, run->charged.until);
		return true;
	}
	return false;
}

/* Charge a record that is news. RET: 0, or -1 without memory: once known, it
 * would be no news when it comes again. */
static int ledger_take_news(sb_ledger_t *ledger, const sb_attempt_t *look,
			    int64_t from)
{
	sb_run_t *run = sb_charge_create(ledger, look, from);

	if (!run)
		return -1;
	if (!sb_charge_update(ledger, run, look, look->end))
		return 0;
	sb_attempts_remove(&ledger->attempts, run - ledger->attempts.rows);
	return -1;
}

extern int sb_ledger_settle(sb_ledger_t *ledger, const sb_attempt_t *attempt,
			    int64_t gap_from, int64_t gap_to)
{
	sb_attempt_t look = sb_charge_bound(attempt);
	sb_run_t *run;

	if (!look.end || !attempt_started(attempt))
		return 0;
	run = sb_attempts_find(&ledger->attempts, look.job_id, look.start);
	if (run && !run->charged.unsettled)
		return 0;
	if (!run)
		return (look.end <= gap_from || look.end > gap_to) ? 0 :
			ledger_take_news(ledger, &look,
					 sb_later(look.start, gap_from));
	/* What a killed host forgot and started again is one record in the
	 * database, with the end of the second run. */
	look.end = sb_earlier(look.end,
			      sb_attempts_next_start(&ledger->attempts, run));
	if (look.resized <= run->charged.until) {
		/* What the host showed outranks what the database made of
		 * it. */
		look.rate = run->charged.attempt.rate;
		look.factor = run->charged.attempt.factor;
	}
	look.assoc_id = run->charged.attempt.assoc_id;
	return sb_charge_update(ledger, run, &look, look.end);
}

extern bool sb_ledger_doubts(sb_ledger_t *ledger, const sb_attempt_t *record)
{
	sb_run_t *run = sb_attempts_find(&ledger->attempts, record->job_id,
					 record->start);

	if (!run || !run->charged.unsettled)
		return false;
	/* Of a clock that was set back, too */
	if (!run->asked || run->asked > ledger->last_pass)
		run->asked = ledger->last_pass;
	return record->end && record->end < run->charged.until &&
	       ledger->last_pass - run->asked < SB_PATIENCE;
}

extern bool sb_ledger_knows(const sb_ledger_t *ledger, uint32_t job_id,
			    int64_t start)
{
	return sb_attempts_find(&ledger->attempts, job_id, start) != NULL;
}

extern void sb_ledger_keep(sb_ledger_t *ledger, int64_t after)
{
	ledger->keep = after ? sb_time_bound(after) : SB_TIME_MAX;
}

extern void sb_ledger_forget(sb_ledger_t *ledger, int64_t before)
{
	int64_t over = sb_earlier(ledger->keep, ledger->last_pass);

	/* What ended after the last pass may be new to us at the next. */
	ledger->forgot = sb_later(ledger->forgot,
				  sb_earlier(before, ledger->last_pass));
	for (uint32_t i = ledger->attempts.count; i-- > 0;) {
		const sb_charged_t *charged =
			&ledger->attempts.rows[i].charged;

		if (charged->unsettled ?
		    charged->until < before :
		    sb_charged_closed(charged) &&
		    charged->attempt.end < before &&
		    charged->attempt.end <= over)
			sb_attempts_remove(&ledger->attempts, i);
	}
}
