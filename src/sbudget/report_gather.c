/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_gather - slurmdbd's records, and what slurmctld adds, into a report.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "evictions.h"
#include "outages.h"
#include "records.h"
#include "report_command.h"
#include "runs.h"

/* An account of the tree that no report counts. */
#define LEFT_OUT (-2)

typedef struct {
	const report_case_t *one;
	void *conn;
	report_t *report;
	int32_t *index;		/* of each association: in the report, or
				 * LEFT_OUT */
	runs_t runs;
	outages_t outages;
	evictions_t evictions;
} gather_t;

/* -A: these accounts and all below them. */
static bool _is_asked(const gather_t *gather, uint32_t i)
{
	const assocs_t *assocs = &gather->one->cluster->assocs;
	int32_t parent = assocs->nodes[i].parent;

	return ((parent >= 0) && (gather->index[parent] >= 0)) ||
	       command_listed(gather->one->opts->account,
			      assocs->rows[i].account);
}

/* RET: accounts, parents first; NULL without memory. */
static report_account_t *_list_accounts(gather_t *gather, size_t *count)
{
	const assocs_t *assocs = &gather->one->cluster->assocs;
	report_account_t *accounts = calloc(assocs->count + 1,
					    sizeof(*accounts));

	*count = 0;
	gather->index = calloc(assocs->count + 1, sizeof(*gather->index));
	if (!accounts || !gather->index) {
		free(accounts);
		return NULL;
	}
	for (size_t n = 0; n < assocs->count; n++)
		gather->index[n] = LEFT_OUT;
	for (size_t n = 0; n < assocs->count; n++) {
		uint32_t i = assocs->order[n];
		int32_t parent = assocs->nodes[i].parent;

		if (assocs->rows[i].user || !_is_asked(gather, i))
			continue;
		gather->index[i] = *count;
		accounts[(*count)++] = (report_account_t) {
			.name = assocs->rows[i].account,
			.parent = ((parent >= 0) &&
				   (gather->index[parent] >= 0)) ?
				gather->index[parent] : REPORT_NO_PARENT,
			.allocation = assocs->whole ?
				assocs->nodes[i].allocation : 0,
		};
	}
	return accounts;
}

static int _create(gather_t *gather)
{
	const report_case_t *one = gather->one;
	const sb_params_t *params = one->cluster->params;
	report_options_t options = report_options_default;
	report_account_t *accounts;
	size_t count;
	sb_err_t err = { "no memory" };

	options.unit = one->cluster->has_gpus ? "GPU" : params->charge_tres;
	if (params->debug_runtime)
		options.debug = params->debug_runtime;
	options.large_nodes = params->gang_nodes;
	options.cap = params->min_runtime_max;
	options.classes_known = one->cluster->comments;
	accounts = _list_accounts(gather, &count);
	if (accounts)
		gather->report = report_create(one->from, one->until, accounts,
					       count, &options, &err);
	free(accounts);
	return gather->report ? EXIT_OK : cluster_fail("%s", err.text);
}

/* RET: index in the report, or LEFT_OUT. An account that is gone from the tree
 * stands for itself. */
static int32_t _find_account(gather_t *gather, const char *name)
{
	const report_case_t *one = gather->one;
	int32_t i = (name && *name) ?
		assocs_find(&one->cluster->assocs, name, NULL) : -1;

	if (i >= 0)
		return gather->index[i];
	if (!name || !*name)
		return one->opts->account ? LEFT_OUT : REPORT_NO_ACCOUNT;
	if (!command_listed(one->opts->account, name))
		return LEFT_OUT;
	return report_account(gather->report, name, NULL);
}

/* Refused runs are counted, and told in the report. */
static int _add_run(gather_t *gather, const report_run_t *run, uint32_t tasks)
{
	sb_err_t err = { "" };

	for (uint32_t i = 0; i < tasks; i++) {
		if (report_add(gather->report, run, &err) &&
		    strstr(err.text, "memory")) {
			errno = ENOMEM;
			return -1;
		}
	}
	return 0;
}

static int _add_record(const record_t *record, void *arg)
{
	gather_t *gather = arg;
	const report_case_t *one = gather->one;
	report_run_t run = runs_make(&gather->runs, record);
	int64_t end = run.end ? run.end : one->until;

	evictions_see(&gather->evictions, record);
	if (run.start && outages_add_run(&gather->outages, record->job->nodes,
					 run.start, end, run.gpus,
					 &run.drained)) {
		errno = ENOMEM;
		return -1;
	}
	run.account = _find_account(gather, record->job->account);
	if ((run.account == LEFT_OUT) ||
	    !command_listed(one->opts->user, run.user ? run.user : ""))
		return 0;
	return _add_run(gather, &run, runs_tasks(record));
}

/* PrivateData=events leaves an ordinary user without: the report then says
 * that nothing is known of the capacity. */
static int _add_capacity(gather_t *gather)
{
	const report_case_t *one = gather->one;
	api_list_t events = api_events(gather->conn, one->cluster->name,
				       one->from, one->until);
	sb_err_t err;
	int rc;

	if (!events && (errno != ESLURM_ACCESS_DENIED))
		return cluster_fail("slurmdbd tells no events: %s",
				    slurm_strerror(errno));
	if (!events)
		fprintf(stderr, "sbudget: PrivateData=events: the capacity is "
			"not known\n");
	rc = outages_fill(&gather->outages, one->cluster, events,
			  gather->runs.gpus, one->until, gather->report, &err);
	if (events)
		slurm_list_destroy(events);
	return rc ? cluster_fail("%s", err.text) : EXIT_OK;
}

static int _read(gather_t *gather)
{
	const report_case_t *one = gather->one;
	sb_err_t err;

	if (runs_begin(&gather->runs, one->cluster, gather->conn))
		return cluster_fail("slurmdbd tells no TRES: %s",
				    slurm_strerror(errno));
	if (one->opts->no_usage && *gather->runs.usage) {
		fprintf(stderr, "sbudget: --no-usage: how busy GPUs were is "
			"left out\n");
		*gather->runs.usage = '\0';
	}
	if (!*gather->runs.gpus)
		return cluster_fail("slurmdbd does not record %s: set "
				    "AccountingStorageTRES",
				    runs_unit(one->cluster));
	if (evictions_fill(&gather->evictions, one->cluster, one->from,
			   one->until))
		return cluster_fail("no memory");
	if (_add_capacity(gather) != EXIT_OK)
		return EXIT_ERROR;
	if (records_read(gather->conn, one->cluster->name, one->from,
			 one->until, *gather->runs.usage, _add_record, gather))
		return cluster_fail("slurmdbd tells no jobs: %s",
				    slurm_strerror(errno));
	if (outages_finish(&gather->outages, gather->report, &err) ||
	    evictions_finish(&gather->evictions, gather->report, &err) ||
	    report_finish(gather->report, &err))
		return cluster_fail("%s", err.text);
	return EXIT_OK;
}

extern int report_gather(const report_case_t *one, report_t **report)
{
	gather_t gather = { .one = one };
	int rc;

	gather.conn = slurmdb_connection_get(NULL);
	if (!one->cluster->assocs.whole)
		fprintf(stderr, "sbudget: PrivateData=usage: budgets are not "
			"known, nothing is owed\n");
	if (!gather.conn)
		return cluster_fail("cannot reach slurmdbd: %s",
				    slurm_strerror(errno));
	rc = _create(&gather);
	if (rc == EXIT_OK)
		rc = _read(&gather);
	slurmdb_connection_close(&gather.conn);
	*report = gather.report;
	runs_end(&gather.runs);
	outages_free(&gather.outages);
	evictions_free(&gather.evictions);
	free(gather.index);
	return rc;
}
