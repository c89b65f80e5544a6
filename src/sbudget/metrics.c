/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics - OpenMetrics text, for node_exporter's textfile collector. Names
 * and meaning are promised in sbudget(1).
 */
#include <stdio.h>

#include "command.h"
#include "file.h"

typedef struct {
	const cluster_t *cluster;
	FILE *out;
} writer_t;

/* One figure of an account. RET: false: it has none. */
typedef bool (*figure_t)(const cluster_t *cluster, uint32_t i, double *value);

static bool _funded(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.nodes[i].funded;
	return true;
}

static bool _share(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.nodes[i].budget_share;
	return true;
}

static bool _allocation(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.nodes[i].allocation;
	return cluster->assocs.whole;
}

static bool _used(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.rows[i].usage / 3600;
	return true;
}

static bool _owed(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.nodes[i].allocation * cluster->capacity *
		 cluster->params->window / 3600.0;
	return cluster->assocs.whole && (cluster->capacity > 0);
}

static bool _committed(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.nodes[i].committed / 3600.0;
	return cluster->assocs.whole;
}

static bool _ratio(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.nodes[i].ratio_window;
	return *value < SB_RATIO_UNFUNDED;
}

static bool _burst(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.nodes[i].ratio;
	return cluster->assocs.whole && (*value < SB_RATIO_UNFUNDED);
}

static bool _rank(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.nodes[i].rank;
	return *value > 0;
}

static bool _running(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.rows[i].running;
	return true;
}

static bool _unallocated(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.rows[i].unallocated;
	return true;
}

static bool _pending(const cluster_t *cluster, uint32_t i, double *value)
{
	*value = cluster->assocs.rows[i].pending;
	return true;
}

static const struct {
	const char *name;
	const char *help;
	figure_t figure;
} figures[] = {
	{ "account_funded", "1: it has a budget, 0: none.", _funded },
	{ "account_share", "Budget share among its siblings, 0 to 1.",
	  _share },
	{ "account_allocation", "Budget share of the cluster, 0 to 1.",
	  _allocation },
	{ "account_used_hours", "Charged TRES-hours in the window.", _used },
	{ "account_owed_hours",
	  "TRES-hours that the budget is in a window of a full cluster.",
	  _owed },
	{ "account_committed_hours",
	  "TRES-hours that running jobs are still protected for.",
	  _committed },
	{ "account_ratio", "Usage share to budget share over the window.",
	  _ratio },
	{ "account_rank_ratio", "The same with burst, as ranks are made.",
	  _burst },
	{ "account_rank", "Rank of its best user, 1 is served first.",
	  _rank },
	{ "account_running", "GPUs (or charged TRES) of running jobs.",
	  _running },
	{ "account_running_unallocated",
	  "Those of running jobs that are free of charge.", _unallocated },
	{ "account_pending", "GPUs (or charged TRES) of waiting jobs.",
	  _pending },
};

static void _write_label(FILE *out, const char *text)
{
	for (; *text; text++) {
		if ((*text == '"') || (*text == '\\'))
			fputc('\\', out);
		if (*text == '\n')
			fputs("\\n", out);
		else
			fputc(*text, out);
	}
}

static void _write_head(const writer_t *writer, const char *name,
			const char *help)
{
	fprintf(writer->out, "# TYPE slurm_budget_%s gauge\n", name);
	fprintf(writer->out, "# HELP slurm_budget_%s %s\n", name, help);
}

static void _write_one(const writer_t *writer, const char *name,
		       const char *help, double value)
{
	_write_head(writer, name, help);
	fprintf(writer->out, "slurm_budget_%s{cluster=\"", name);
	_write_label(writer->out, writer->cluster->name);
	fprintf(writer->out, "\"} %.15g\n", value);
}

static void _write_accounts(const writer_t *writer, size_t f)
{
	const assocs_t *assocs = &writer->cluster->assocs;

	_write_head(writer, figures[f].name, figures[f].help);
	for (size_t i = 0; i < assocs->count; i++) {
		double value;

		if (assocs->rows[i].user ||
		    !figures[f].figure(writer->cluster, i, &value))
			continue;
		fprintf(writer->out, "slurm_budget_%s{cluster=\"",
			figures[f].name);
		_write_label(writer->out, writer->cluster->name);
		fputs("\",account=\"", writer->out);
		_write_label(writer->out, assocs->rows[i].account);
		fprintf(writer->out, "\"} %.15g\n", value);
	}
}

/* Jobs by state and class. */
static void _write_jobs(const writer_t *writer)
{
	static const char *const states[] = { "pending", "running",
					      "suspended" };
	const queue_t *queue = &writer->cluster->queue;
	uint64_t counts[3][SB_CLASS_UNDECLARED + 1] = { { 0 } };

	for (size_t i = 0; i < queue->count; i++) {
		const job_t *job = &queue->jobs[i];

		if (job->kind != JOB_IS_OVER)
			counts[job->kind][job->contract.class] += job->tasks;
	}
	_write_head(writer, "jobs", "Jobs by state and class.");
	for (int state = 0; state < 3; state++) {
		for (int class = 0; class <= SB_CLASS_UNDECLARED; class++) {
			fputs("slurm_budget_jobs{cluster=\"", writer->out);
			_write_label(writer->out, writer->cluster->name);
			fprintf(writer->out,
				"\",state=\"%s\",class=\"%s\"} %llu\n",
				states[state], sb_class_name(class),
				(unsigned long long) counts[state][class]);
		}
	}
}

static uint64_t _count_protected(const cluster_t *cluster)
{
	uint64_t count = 0;

	for (size_t i = 0; i < cluster->queue.count; i++)
		count += (cluster->queue.jobs[i].kind != JOB_IS_OVER) &&
			 (cluster->queue.jobs[i].left > 0);
	return count;
}

static void _write(const writer_t *writer)
{
	const cluster_t *cluster = writer->cluster;

	_write_one(writer, "window_seconds", "Width of the sliding window.",
		   cluster->params->window);
	_write_one(writer, "capacity", "Charged TRES of all nodes.",
		   cluster->capacity);
	_write_one(writer, "gpus", "GPUs of all nodes.",
		   cluster->has_gpus ? cluster->gpus : 0);
	_write_one(writer, "jobs_protected",
		   "Jobs inside their minimum runtime.",
		   _count_protected(cluster));
	_write_jobs(writer);
	for (size_t f = 0; f < sizeof(figures) / sizeof(*figures); f++)
		_write_accounts(writer, f);
	fputs("# EOF\n", writer->out);
}

extern int metrics_command(const options_t *opts)
{
	writer_t writer;
	cluster_t *cluster;
	file_t file;
	int rc = EXIT_ERROR;

	if (opts->argc)
		return options_complain("metrics takes no argument");
	cluster = cluster_load();
	if (!cluster)
		return EXIT_ERROR;
	if (!file_open(&file, opts->output)) {
		writer = (writer_t) { cluster, file.stream };
		_write(&writer);
		rc = file_close(&file) ? EXIT_ERROR : EXIT_OK;
	}
	cluster_destroy(cluster);
	return rc;
}
