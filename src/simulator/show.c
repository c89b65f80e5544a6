/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "measure.h"
#include "page.h"
#include "print.h"
#include "save.h"
#include "show.h"

/* ---------------------------------------------------------------- tables */

/* What the others of the report can tell of a simulation. */
static bool is_shown(report_sheet_id_t id, bool longer)
{
	switch (id) {
	case REPORT_SHEET_PYRAMID:
	case REPORT_SHEET_TEAMS:
	case REPORT_SHEET_WAITS:
	case REPORT_SHEET_WAITS_SIZE:
	case REPORT_SHEET_PREEMPTIONS:
		return true;
	case REPORT_SHEET_WAITS_ACCOUNT:
	case REPORT_SHEET_INFLATION:
	case REPORT_SHEET_DRAINING:
		return longer;
	case REPORT_SHEET_SQUATTING:
	case REPORT_SHEET_HOURS:
	case REPORT_SHEET_NOTES:
	case REPORT_SHEETS:
		break;
	}
	return false;
}

static int show_tables(const cli_t *cli, const settings_t *run,
		       const load_t *load, const replay_t *replay)
{
	const engine_figures_t *figures = &replay->figures;

	print_workload(load);
	printf("Policy %s%s%s\n", settings_policy(run),
	       run->params[0] ? ", " : "", run->params);
	printf("%llu job%s completed, %llu reached their time limit, %llu did not end, %llu %s refused\n",
	       (unsigned long long)figures->completed,
	       figures->completed == 1 ? "" : "s",
	       (unsigned long long)figures->timeouts,
	       (unsigned long long)figures->unfinished,
	       (unsigned long long)figures->refused,
	       figures->refused == 1 ? "was" : "were");
	if (figures->misfits)
		printf("%llu of the refused ask for GPUs, CPUs or memory that --nodes never has at a time\n",
		       (unsigned long long)figures->misfits);
	if (!isnan(replay->cpus))
		printf("allocated: %.1f %% of GPUs, %.1f %% of CPUs",
		       100 * replay->gpus, 100 * replay->cpus);
	if (!isnan(replay->mem))
		printf(", %.1f %% of memory", 100 * replay->mem);
	if (!isnan(replay->cpus))
		putchar('\n');
	if (run->count_dominant)
		printf("GPUs below are thousandths of a GPU's worth of what a job has most of, as part of the cluster\n");
	for (int id = 0; id < REPORT_SHEETS; id++) {
		const report_sheet_t *sheet = report_sheet(
			replay->report, (report_sheet_id_t)id);

		if (is_shown((report_sheet_id_t)id, cli->longer) &&
		    report_sheet_rows(sheet) && print_sheet(sheet))
			return -1;
	}
	print_notes(load);
	return 0;
}

/* ---------------------------------------------------------------- programs */

/* One line a figure: a single run has no columns to compare. */
static void show_csv(const replay_t *replay)
{
	double values[MEASURES];

	measure_take(replay, values);
	printf("figure,value\n");
	for (int m = 0; m < MEASURES; m++) {
		if (measure_is_extra((measure_t)m) && isnan(values[m]))
			continue;
		printf("%s,", measure_column((measure_t)m)->name);
		if (values[m] == values[m])
			printf("%.10g", values[m]);
		putchar('\n');
	}
}

static int show_json(const cli_t *cli, const settings_t *run,
		     const load_t *load, const replay_t *replay, sb_err_t *err)
{
	json_object *report = report_json(replay->report, cli->longer, err);
	json_object *object, *figures, *list;
	double values[MEASURES];

	if (!report)
		return -1;
	object = describe_run(run);
	figures = json_object_new_object();
	list = json_object_new_array();
	measure_take(replay, values);
	for (int m = 0; m < MEASURES; m++)
		if (!measure_is_extra((measure_t)m) || !isnan(values[m]))
			describe_real(figures,
				      measure_column((measure_t)m)->name,
				      values[m]);
	json_object_object_add(object, "figures", figures);
	json_object_object_add(object, "report", report);
	json_object_array_add(list, object);
	describe_print(load, list);
	return 0;
}

/* ---------------------------------------------------------------- page */

typedef struct {
	const settings_t *run;
	const load_t *load;
	const replay_t *replay;
} show_t;

static int write_page(void *arg, save_t *save, sb_err_t *err)
{
	const show_t *show = arg;
	const settings_t *run = show->run;
	char subtitle[SETTINGS_PARAMS_MAX + 64], foot[DESCRIBE_FOOT_SIZE];
	report_page_t page = {
		.title = "Simulated GPU budgets", .subtitle = subtitle,
		.made = describe_foot(show->load, foot, sizeof(foot)),
		.relative = show->replay->relative, .zone = getenv("TZ"),
	};

	page.chart = report_chart(&page.chart_size);
	if (!page.chart)
		return sb_err_set(err, "%s", REPORT_CHART_MISSING);
	snprintf(subtitle, sizeof(subtitle), "policy %s%s%s",
		 settings_policy(run), run->params[0] ? ", " : "",
		 run->params);
	return report_html(show->replay->report, &page, save_put, save, err);
}

extern int show_run(const cli_t *cli, const settings_t *run,
		    const load_t *load, const replay_t *replay, sb_err_t *err)
{
	/* The replay has written them. */
	if (cli->attempts)
		return 0;
	if (cli->html)
		return save_page(cli->html, write_page,
				 &(show_t) { run, load, replay }, err);
	if (cli->json)
		return show_json(cli, run, load, replay, err);
	if (cli->csv)
		show_csv(replay);
	else if (show_tables(cli, run, load, replay))
		return sb_err_set(err, "no memory");
	return 0;
}
