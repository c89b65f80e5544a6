/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "compare.h"
#include "load.h"
#include "models.h"
#include "replay.h"
#include "show.h"
#include "sweep.h"
#include "ticker.h"

static int tell(void *arg, size_t ended, size_t jobs)
{
	ticker_tell(arg, ended, jobs);
	return 0;
}

/* Where --attempts go: its file, stdout or nowhere. RET: 0, or -1 with err. */
static int open_journal(const cli_t *cli, FILE **file, sb_err_t *err)
{
	*file = cli->attempts ? stdout : NULL;
	if (!cli->journal)
		return 0;
	*file = fopen(cli->journal, "w");
	return *file ? 0 : sb_err_set(err, "%s: %s", cli->journal,
				      strerror(errno));
}

/* RET: 0, or -1 with err: what was written is not there. */
static int close_journal(const cli_t *cli, FILE *file, sb_err_t *err)
{
	bool failed;

	if (!cli->journal || !file)
		return 0;
	failed = ferror(file);
	if (!fclose(file) && !failed)
		return 0;
	return sb_err_set(err, "%s: %s", cli->journal, strerror(errno));
}

static int run_one(const cli_t *cli, const settings_t *run, const load_t *load)
{
	sb_err_t err = { "" };
	ticker_t ticker;
	replay_progress_t progress = { .tell = tell, .arg = &ticker };
	replay_t replay = { .report = NULL };
	FILE *journal;
	int rc;

	if (open_journal(cli, &journal, &err))
		return cli_fail("%s", err.text);
	ticker_begin(&ticker, "jobs", cli->progress);
	rc = replay_run(load->workload, run, &load->nodes, &load->keep,
			load->until,
			cli->html != NULL, journal, &progress, &replay, &err);
	ticker_end(&ticker);
	if (close_journal(cli, journal, rc ? NULL : &err))
		rc = -1;
	if (!rc)
		rc = show_run(cli, run, load, &replay, &err);
	replay_free(&replay);
	return rc ? cli_fail("%s", err.text) : EXIT_OK;
}

/* RET: an exit code. */
static int run_all(const cli_t *cli, const settings_t *runs, size_t count,
		   const plan_t *plan)
{
	sb_err_t err = { "" };
	load_t load;
	int rc;

	if (load_workload(cli, &runs[0], plan, &load, &err))
		return cli_fail("%s", err.text);
	if (!cli->variant_count && !cli->sweep_count && cli->seeds == 1)
		rc = run_one(cli, &runs[0], &load);
	else
		rc = compare_runs(cli, runs, count, &load, plan);
	load_free(&load);
	return rc;
}

/* What all runs begin with. RET: 0, or -1 with err. */
static int make_base(const cli_t *cli, settings_t *base, sb_err_t *err)
{
	generate_t spec;
	sb_err_t why;

	if (cli->source == CLI_GENERATE &&
	    generate_parse(cli->input, &spec, &why))
		return sb_err_set(err, "--generate: %s", why.text);
	settings_begin(base, cli->source == CLI_GENERATE ? &spec : NULL,
		       cli->seed);
	if (cli->policy && settings_variant(base, cli->policy, &why))
		return sb_err_set(err, "--policy: %s", why.text);
	if (cli->set && settings_add(base, cli->set, &why))
		return sb_err_set(err, "--set: %s", why.text);
	if (cli->sched && settings_add(base, cli->sched, &why))
		return sb_err_set(err, "--sched: %s", why.text);
	base->label[0] = '\0';
	return 0;
}

/* What is only needed later, and would else be told after a long reading.
 * RET: 0, or -1 with err. */
static int check_words(const cli_t *cli, sb_err_t *err)
{
	sb_err_t why = { "" };
	models_t models;
	int64_t until;
	nodes_t nodes;
	keep_t keep = { .count = 0 };

	if (cli->zone && load_zone(cli->zone, err))
		return -1;
	if (cli->nodes && nodes_parse(cli->nodes, NULL, &nodes, &why))
		return sb_err_set(err, "--nodes: %s", why.text);
	if (cli->model && models_parse(cli->model, &models, &why))
		return sb_err_set(err, "--model: %s", why.text);
	if (cli->until && load_until(cli->until, &until, &why))
		return sb_err_set(err, "--until: %s", why.text);
	for (size_t i = 0; i < cli->reservation_count; i++)
		if (keep_add(&keep, cli->reservations[i], NULL, &why))
			return sb_err_set(err, "--reservation: %s", why.text);
	return 0;
}

static int run(const cli_t *cli)
{
	settings_t base, *runs = NULL;
	sb_params_t *params;
	plan_t *plan = NULL;
	sb_err_t err = { "" };
	size_t count;
	int rc;

	if (check_words(cli, &err) || make_base(cli, &base, &err) ||
	    !(runs = sweep_runs(cli, &base, &count, &err)))
		return cli_complain("%s", err.text);
	params = settings_params(&runs[0], &err);
	if (params && cli->plan)
		plan = load_plan(cli->plan, params->window, &err);
	if (!params || (cli->plan && !plan))
		rc = cli_fail("%s", err.text);
	else
		rc = run_all(cli, runs, count, plan);
	sb_params_destroy(params);
	plan_destroy(plan);
	free(runs);
	return rc;
}

extern int main(int argc, char **argv)
{
	cli_t cli;
	int rc;

	switch (cli_parse(&cli, argc, argv)) {
	case CLI_DONE:
		return EXIT_OK;
	case CLI_BAD:
		return EXIT_USAGE;
	case CLI_RUN:
		break;
	}
	rc = run(&cli);
	if ((fflush(stdout) || ferror(stdout)) && rc == EXIT_OK)
		rc = cli_fail("cannot write: %s", strerror(errno));
	return rc;
}
