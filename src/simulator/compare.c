/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "comparison.h"
#include "contrast.h"
#include "pool.h"
#include "ticker.h"

typedef struct {
	const cli_t *cli;
	const settings_t *runs;
	size_t count;
	const load_t *load;
	const plan_t *plan;
	ticker_t ticker;
} compare_t;

/* The workload depends on the seed, and on what is generated. */
static bool same_workload(const compare_t *compare, const settings_t *run)
{
	return run->seed == compare->cli->seed && (!run->generates ||
		!memcmp(&run->generate, &compare->runs[0].generate,
			sizeof(run->generate)));
}

/* The report of a run, as the form needs it that is asked for. RET: a new
 * object, or NULL with err. */
static json_object *take_report(const cli_t *cli, const replay_t *replay,
				sb_err_t *err)
{
	const report_page_t page = {
		.relative = replay->relative, .zone = getenv("TZ"),
	};

	return cli->json ? report_json(replay->report, cli->longer, err) :
		report_comparison_take(replay->report, &page, err);
}

/* values, and with --json and --html the text of a report */
static int pack(const cli_t *cli, const replay_t *replay,
		pool_answer_t *answer, sb_err_t *err)
{
	double values[MEASURES];
	json_object *object = NULL;
	const char *text = "";

	measure_take(replay, values);
	if (cli->json || cli->html) {
		object = take_report(cli, replay, err);
		if (!object)
			return -1;
		text = json_object_to_json_string(object);
	}
	answer->size = sizeof(values) + strlen(text);
	answer->data = malloc(answer->size);
	if (answer->data) {
		memcpy(answer->data, values, sizeof(values));
		memcpy(answer->data + sizeof(values), text, strlen(text));
	}
	json_object_put(object);
	return answer->data ? 0 : sb_err_set(err, "no memory");
}

static int work(void *arg, size_t index, pool_answer_t *answer, sb_err_t *err)
{
	const compare_t *compare = arg;
	const cli_t *cli = compare->cli;
	settings_t run = compare->runs[index / cli->seeds];
	load_t own = { .workload = NULL };
	const load_t *load = compare->load;
	sb_err_t why = { "" };
	replay_t replay;
	int rc = 0;

	run.seed = cli->seed + index % cli->seeds;
	if (!same_workload(compare, &run)) {
		rc = load_workload(cli, &run, compare->plan, &own, &why);
		load = &own;
	}
	if (!rc)
		rc = replay_run(load->workload, &run, &load->nodes,
				&load->keep, load->until, false, NULL, NULL,
				&replay, &why);
	if (!rc) {
		rc = pack(cli, &replay, answer, &why);
		replay_free(&replay);
	}
	load_free(&own);
	return rc ? sb_err_set(err, "%s: %s", run.label, why.text) : 0;
}

static void tell(void *arg, size_t done, size_t count)
{
	ticker_tell(&((compare_t *)arg)->ticker, done, count);
}

extern int compare_runs(const cli_t *cli, const settings_t *runs, size_t count,
			const load_t *load, const plan_t *plan)
{
	compare_t compare = {
		.cli = cli, .runs = runs, .count = count, .load = load,
		.plan = plan,
	};
	pool_t pool = { .work = work, .tell = tell, .arg = &compare };
	size_t pieces = count * cli->seeds;
	pool_answer_t *answers = calloc(pieces, sizeof(*answers));
	sb_err_t err = { "no memory" };
	int rc;

	if (!answers)
		return cli_fail("no memory");
	ticker_begin(&compare.ticker, "runs", cli->progress);
	rc = pool_run(&pool, pieces, cli->workers ? cli->workers : pool_cpus(),
		      answers, &err);
	ticker_end(&compare.ticker);
	if (!rc)
		rc = contrast_print(cli, runs, count, load, answers, &err);
	pool_free(answers, pieces);
	free(answers);
	return rc ? cli_fail("%s", err.text) : EXIT_OK;
}
