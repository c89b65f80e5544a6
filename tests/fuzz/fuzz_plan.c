/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan: budgets within bounds and in order, or an error that names the line. */
#include "fuzz.h"
#include "limits.h"
#include "plan.h"

static void period(const plan_period_t *period, int64_t *until)
{
	uint32_t shares = plan_fairshare(period, SB_WINDOW_DEFAULT);

	MUST(period->from < period->until);
	MUST(period->from >= *until || *until == PLAN_ALWAYS);
	*until = period->until;
	MUST(shares == SB_SHARES_PARENT || shares <= PLAN_SHARES_MAX);
	MUST(period->kind != PLAN_HOURS ||
	     (period->hours >= 0 && period->hours <= PLAN_HOURS_MAX));
}

static void entry(const plan_t *plan, const plan_entry_t *entry)
{
	int64_t until = PLAN_ALWAYS;

	MUST(entry->account && entry->account[0]);
	MUST(strlen(entry->account) <= PLAN_NAME_MAX);
	MUST(plan_find(plan, entry->account, entry->user) == entry);
	for (size_t i = 0; i < entry->period_count; i++) {
		const plan_period_t *one = &entry->periods[i];

		period(one, &until);
		MUST(plan_at(entry, one->from == PLAN_ALWAYS ?
			     one->until - 1 : one->from) == one);
	}
}

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sb_err_t err = { "" };
	char *text = fuzz_text(data, size);
	plan_t *plan = plan_parse(text, size, SB_WINDOW_DEFAULT, &err);

	if (!plan) {
		fuzz_printable(&err);
		MUST(!strncmp(err.text, "line ", 5));
	} else {
		for (size_t i = 0; i < plan->count; i++)
			entry(plan, &plan->entries[i]);
		if (plan_check_sums(plan, SB_WINDOW_DEFAULT, &err))
			fuzz_printable(&err);
	}
	plan_destroy(plan);
	free(text);
	return 0;
}
