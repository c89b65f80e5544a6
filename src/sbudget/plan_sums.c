/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_sums - what must hold between the accounts of a plan: no cycle, totals,
 * hours of children within their parent's.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

/* Different dates in one plan: more is a generated mistake. */
#define TIMES_MAX 2000

/* Hours are sums of decimal fractions. */
#define TOLERANCE 1e-6

/* What the children of an entry have together at one time. */
typedef struct {
	uint64_t shares;
	double rate;
	const plan_entry_t *with_shares, *with_hours;	/* one of each */
} sum_t;

typedef struct {
	const plan_t *plan;
	int64_t window;
	sb_err_t *err;
	int32_t *parent;	/* of each entry, index, -1: not in the plan */
	sum_t *sums;		/* of each entry's children */
} check_t;

static void _link(check_t *check)
{
	const plan_t *plan = check->plan;

	for (size_t i = 0; i < plan->count; i++) {
		const plan_entry_t *entry = &plan->entries[i], *parent = NULL;

		if (entry->user)
			parent = plan_find(plan, entry->account, NULL);
		else if (entry->parent)
			parent = plan_find(plan, entry->parent, NULL);
		check->parent[i] = parent ? (int32_t) parent->index : -1;
	}
}

/* At most as deep as a tree may be. */
static int _check_cycles(const check_t *check)
{
	const plan_t *plan = check->plan;

	for (size_t i = 0; i < plan->count; i++) {
		int32_t up = i;

		for (int depth = 0; up >= 0; depth++) {
			if (depth > SB_TREE_DEPTH_MAX)
				return plan_complain(
					plan, &plan->entries[i], NULL,
					"parent", check->err,
					"its parents form a cycle");
			up = check->parent[up];
			if (up == (int32_t) i)
				return plan_complain(
					plan, &plan->entries[i], NULL,
					"parent", check->err,
					"is an account below itself");
		}
	}
	return 0;
}

static void _add_up(check_t *check, int64_t when)
{
	const plan_t *plan = check->plan;

	memset(check->sums, 0, plan->count * sizeof(*check->sums));
	for (size_t i = 0; i < plan->count; i++) {
		const plan_entry_t *entry = &plan->entries[i];
		const plan_period_t *period = plan_at(entry, when);
		sum_t *sum;

		if ((check->parent[i] < 0) || !period ||
		    (period->kind == PLAN_PARENT))
			continue;
		sum = &check->sums[check->parent[i]];
		sum->shares += plan_fairshare(period, check->window);
		sum->rate += plan_rate(period, check->window);
		if (period->kind == PLAN_SHARES)
			sum->with_shares = entry;
		else
			sum->with_hours = entry;
	}
}

static int _check_one(const check_t *check, size_t i, int64_t when)
{
	const plan_t *plan = check->plan;
	const plan_entry_t *entry = &plan->entries[i];
	const plan_period_t *period = plan_at(entry, when);
	const sum_t *sum = &check->sums[i];
	double rate = period ? plan_rate(period, check->window) : 0;

	if (sum->with_shares && sum->with_hours)
		return plan_complain(plan, sum->with_hours, NULL, NULL,
				     check->err,
				     "has gpu_hours, accounts[%zu] beside it has shares",
				     sum->with_shares->index);
	if (sum->shares > UINT32_MAX)
		return plan_complain(plan, entry, NULL, NULL, check->err,
				     "its children have more shares than Slurm can add");
	if (entry->has_total && sum->with_shares &&
	    (sum->shares != entry->total))
		return plan_complain(plan, entry, NULL, "total", check->err,
				     "its children have %llu shares together, not %llu",
				     (unsigned long long) sum->shares,
				     (unsigned long long) entry->total);
	if (period && (period->kind == PLAN_HOURS) && sum->with_hours &&
	    (sum->rate > rate * (1 + TOLERANCE)))
		return plan_complain(plan, entry, period, "gpu_hours",
				     check->err,
				     "its children have %.3f of it",
				     rate ? sum->rate / rate : 0);
	return 0;
}

static int _compare(const void *a, const void *b)
{
	const int64_t *one = a, *two = b;

	return (*one < *two) ? -1 : *one > *two;
}

/* Every time at which something may change, each once; the first is before
 * all. RET: how many. */
static size_t _collect_times(const plan_t *plan, int64_t *times)
{
	size_t count = 0, distinct = 1;

	times[count++] = PLAN_ALWAYS;
	for (size_t i = 0; i < plan->count; i++) {
		for (size_t j = 0; j < plan->entries[i].period_count; j++) {
			times[count++] = plan->entries[i].periods[j].from;
			times[count++] = plan->entries[i].periods[j].until;
		}
	}
	qsort(times, count, sizeof(*times), _compare);
	for (size_t i = 1; i < count; i++) {
		if ((times[i] != times[distinct - 1]) &&
		    (times[i] != PLAN_FOREVER))
			times[distinct++] = times[i];
	}
	return distinct;
}

static int _check_times(check_t *check, const int64_t *times, size_t count)
{
	if (count > TIMES_MAX)
		return sb_err_set(check->err, "line 1: $.accounts: more than %d different dates",
				  TIMES_MAX);
	for (size_t t = 0; t < count; t++) {
		_add_up(check, times[t]);
		for (size_t i = 0; i < check->plan->count; i++) {
			if (_check_one(check, i, times[t]))
				return -1;
		}
	}
	return 0;
}

extern int plan_check_sums(const plan_t *plan, int64_t window, sb_err_t *err)
{
	check_t check = { .plan = plan, .window = window, .err = err };
	size_t room = 1;
	int64_t *times;
	int rc;

	for (size_t i = 0; i < plan->count; i++)
		room += 2 * plan->entries[i].period_count;
	times = calloc(room, sizeof(*times));
	check.parent = calloc(plan->count + 1, sizeof(*check.parent));
	check.sums = calloc(plan->count + 1, sizeof(*check.sums));
	if (!times || !check.parent || !check.sums) {
		rc = sb_err_set(err, "no memory");
	} else {
		_link(&check);
		rc = _check_cycles(&check);
		if (!rc)
			rc = _check_times(&check, times,
					  _collect_times(plan, times));
	}
	free(times);
	free(check.parent);
	free(check.sums);
	return rc;
}
