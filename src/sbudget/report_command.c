/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_command - `sbudget report': what was delivered of what was owed.
 */
#include <stdlib.h>
#include <time.h>

#include "limits.h"
#include "report_command.h"
#include "text.h"

/* What is reported unless --from says otherwise. */
#define DAYS 30

static int _complain_date(const char *option, const char *text)
{
	return options_complain("%s \"%s\": not a date: " TEXT_MOMENT, option,
				text);
}

/* slurmdbd sums by whole hours, and so do we. */
static int _take_period(report_case_t *one, int64_t now)
{
	const options_t *opts = one->opts;

	one->until = now - now % SB_HOUR;
	if (opts->to && text_moment(opts->to, now, &one->until))
		return _complain_date("--to", opts->to);
	if (one->until > now)
		one->until = now;
	one->from = one->until - DAYS * (int64_t) SB_DAY;
	if (opts->from && text_moment(opts->from, now, &one->from))
		return _complain_date("--from", opts->from);
	one->from -= one->from % SB_HOUR;
	if (one->from >= one->until)
		return options_complain("the period is empty: --from has to be before --to and before now");
	if (one->until - one->from > REPORT_HOURS_MAX * (int64_t) SB_HOUR)
		return options_complain("the period is longer than %d days",
					REPORT_HOURS_MAX / 24);
	return EXIT_OK;
}

extern int report_command(const options_t *opts)
{
	report_case_t one = { .opts = opts };
	report_t *report = NULL;
	int rc;

	if (opts->argc)
		return options_complain("report takes no argument");
	rc = report_check(opts);
	if (rc == EXIT_OK)
		rc = _take_period(&one, time(NULL));
	if (rc != EXIT_OK)
		return rc;
	one.cluster = cluster_load();
	if (!one.cluster)
		return EXIT_ERROR;
	rc = cluster_check_accounts(one.cluster, opts->account);
	if (rc == EXIT_OK)
		rc = report_gather(&one, &report);
	if (rc == EXIT_OK)
		rc = report_print(&one, report);
	report_destroy(report);
	cluster_destroy(one.cluster);
	return rc;
}
