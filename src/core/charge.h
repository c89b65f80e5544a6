/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge - what one attempt is charged, up to which instant and at which rate.
 * Internal to the core: the inside of a ledger.
 */
#ifndef SB_CORE_CHARGE_H
#define SB_CORE_CHARGE_H

#include <stdbool.h>
#include <stdint.h>

#include "attempts.h"
#include "ledger.h"

struct sb_ledger {
	sb_window_shape_t shape;
	int64_t since;		/* nothing before it is charged */
	int64_t last_pass;
	int64_t latest;		/* no charge is later than this */
	int64_t forgot;		/* closed attempts up to here may be unknown */
	int64_t keep;		/* but not those that ended after this */
	int64_t now;		/* of the pass */
	uint32_t pass;		/* its number, never 0 in a pass */
	bool passing;
	sb_attempts_t attempts;
	sb_payers_t payers;
};

static inline int64_t sb_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t sb_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t sb_time_bound(int64_t time)
{
	return sb_earlier(sb_later(time, 0), SB_TIME_MAX);
}

/* Its end is known and was reached. */
static inline bool sb_charged_closed(const sb_charged_t *charged)
{
	return charged->attempt.end && charged->until >= charged->attempt.end;
}

/* It holds its allocation as far as we know. */
static inline bool sb_charged_open(const sb_charged_t *charged)
{
	return !charged->attempt.end && !charged->unsettled;
}

/* Charge per second. */
extern double sb_charge_rate(const sb_attempt_t *attempt);
/* The attempt within bounds that no arithmetic on charges can leave. */
extern sb_attempt_t sb_charge_bound(const sb_attempt_t *attempt);
/* RET: what is wrong with it, or NULL. */
extern const char *sb_charged_fault(const sb_charged_t *charged);
/* Have a window to charge at this rate. RET: 0, or -1 without memory. */
extern int sb_charge_reserve(sb_ledger_t *ledger, sb_payer_t *payer,
			     double charge);
/* Charge up to `to`, at the present rate. The payer has a window. */
extern void sb_charge_forward(sb_ledger_t *ledger, sb_run_t *run, int64_t to);
/*
 * Bring an attempt to what a look (within bounds) shows, charged up to its end
 * or `now`. RET: 0, or -1 without memory and nothing changed.
 */
extern int sb_charge_update(sb_ledger_t *ledger, sb_run_t *run,
			    const sb_attempt_t *look, int64_t now);
/* RET: a new attempt, charged from `from` on but nothing yet; NULL without
 * memory. */
extern sb_run_t *sb_charge_create(sb_ledger_t *ledger,
				  const sb_attempt_t *look, int64_t from);

#endif
