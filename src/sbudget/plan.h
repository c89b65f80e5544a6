/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan - budgets as managers write them: a JSON text, see budget-plan(5).
 *
 * Pure: text in, plan or error out. Every error names the line and the path of
 * the bad key ("line 12: $.accounts[3].shares: ..."). Nothing here knows a
 * cluster; plan_bind.h puts a plan and a tree together.
 */
#ifndef SB_PLAN_H
#define SB_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "tree.h"

/* Longest plan that is read, bytes: 5,000 accounts with notes take 1 MB. */
#define PLAN_SIZE_MAX (8 * 1024 * 1024)
/* Most shares of one account. Slurm adds those of siblings in 32 bits, and
 * has a meaning of its own for 0x7fffffff. */
#define PLAN_SHARES_MAX 1000000000
/* GPU-hours of one account. */
#define PLAN_HOURS_MAX 1e9
/* Fairshare of a budget of one GPU on average: small teams have less. */
#define PLAN_SHARES_PER_UNIT 1000
/* Names are as long as columns of slurmdbd, with the NUL. */
#define PLAN_NAME_MAX 256

/* No bound, of a period. */
#define PLAN_ALWAYS INT64_MIN
#define PLAN_FOREVER INT64_MAX

typedef enum { PLAN_SHARES, PLAN_PARENT, PLAN_HOURS } plan_kind_t;

/* A budget and when it holds: [from, until). */
typedef struct {
	plan_kind_t kind;
	uint32_t shares;
	double hours;		/* charged TRES-hours, over the period, or per
				 * window when it has no bounds */
	int64_t from, until;	/* epoch */
	int index;		/* in periods, -1: of the account itself */
} plan_period_t;

typedef struct {
	char *account;
	char *user;		/* NULL: the account itself */
	char *parent;		/* NULL: not stated */
	char *owner, *note;	/* NULL: none */
	bool has_total;
	uint64_t total;		/* shares of its children, together */
	plan_period_t *periods;	/* by time */
	size_t period_count;
	size_t index;		/* in accounts */
} plan_entry_t;

typedef struct {
	char *text;		/* without comments, for lines in errors */
	char *cluster;		/* NULL: any */
	plan_entry_t *entries;
	size_t count;
	const plan_entry_t **by_name;	/* by account, then user */
} plan_t;

/*
 * IN text, size: not changed, needs no terminator.
 * IN window: seconds, for budgets in hours without a period.
 * RET: a plan, NULL with err.
 */
extern plan_t *plan_parse(const char *text, size_t size, int64_t window,
			  sb_err_t *err);
/* NULL is legal. */
extern void plan_destroy(plan_t *plan);

/* RET: the budget at that time, or NULL: the plan says nothing. */
extern const plan_period_t *plan_at(const plan_entry_t *entry, int64_t when);

/* RET: the entry of this name, or NULL. IN user: NULL: the account. */
extern const plan_entry_t *plan_find(const plan_t *plan, const char *account,
				     const char *user);

/* What a budget in hours is in charged TRES on average. */
extern double plan_rate(const plan_period_t *period, int64_t window);
/* The Fairshare of a budget: SB_SHARES_PARENT, shares, or thousandths of the
 * average. */
extern uint32_t plan_fairshare(const plan_period_t *period, int64_t window);

/* Parents form no cycle; totals add up; children have no more hours than their
 * parent, and not shares beside hours. At any time. RET: 0, or -1 with err. */
extern int plan_check_sums(const plan_t *plan, int64_t window, sb_err_t *err);

/* err = line and path of a key (NULL: of the entry or period) and the
 * sentence. IN period: NULL or of the entry. RET: -1. */
extern int plan_complain(const plan_t *plan, const plan_entry_t *entry,
			 const plan_period_t *period, const char *key,
			 sb_err_t *err, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

#endif
