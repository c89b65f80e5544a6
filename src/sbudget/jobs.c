/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs - what protects running jobs, and what waiting ones wait for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "contest.h"
#include "table.h"
#include "text.h"
#include "timespan.h"

enum {
	JOBID, STATE, ACCOUNT, USER, PARTITION, NAME, COUNT, CLASS, MINIMUM,
	WHY, RAN, UNTIL, RATIO, PLACE, PRIORITY, EVICTIONS, OTHER, WHEN, RULE,
	NOTE, COLUMNS
};

static const table_column_t columns[COLUMNS] = {
	[JOBID] = { "jobid", "JOBID", TABLE_DEFAULT, true },
	[STATE] = { "state", "STATE", TABLE_DEFAULT, false },
	[ACCOUNT] = { "account", "ACCOUNT", TABLE_DEFAULT, false },
	[USER] = { "user", "USER", TABLE_DEFAULT, false },
	[PARTITION] = { "partition", "PARTITION", TABLE_LONG, false },
	[NAME] = { "name", "NAME", TABLE_LONG, false },
	[COUNT] = { "count", "GPUS", TABLE_DEFAULT, true },
	[CLASS] = { "class", "CLASS", TABLE_DEFAULT, false },
	[MINIMUM] = { "minimum", "MINIMUM", TABLE_DEFAULT, true },
	[WHY] = { "grant", "GRANT", TABLE_LONG, false },
	[RAN] = { "ran", "RAN", TABLE_DEFAULT, true },
	[UNTIL] = { "protected_until", "PROTECTED_UNTIL", TABLE_DEFAULT,
		    false },
	[RATIO] = { "ratio", "RATIO", TABLE_DEFAULT, true },
	[PLACE] = { "place", "PLACE", TABLE_DEFAULT, true },
	[PRIORITY] = { "priority", "PRIORITY", TABLE_LONG, true },
	[EVICTIONS] = { "evictions", "EVICTED", TABLE_LONG, true },
	[OTHER] = { "other_job", "OTHER", TABLE_ASKED, true },
	[WHEN] = { "when", "WHEN", TABLE_ASKED, false },
	[RULE] = { "rule", "RULE", TABLE_ASKED, false },
	[NOTE] = { "note", "NOTE", TABLE_DEFAULT, false },
};

typedef struct {
	const cluster_t *cluster;
	const options_t *opts;
	table_t *table;
	const job_t **takers;
	size_t taker_count;
} view_t;

static void _set_span(view_t *view, size_t column, int64_t seconds)
{
	char span[SB_TIMESPAN_TEXT];

	table_both(view->table, column, seconds,
		   sb_timespan_format(seconds, span, sizeof(span)));
}

static void _set_contest(view_t *view, const contest_t *contest,
			 const job_t *other)
{
	char when[TEXT_SIZE];

	table_text(view->table, OTHER, "%s", other->label);
	table_text(view->table, WHEN, "%s", text_time(contest->when, when));
	table_text(view->table, RULE, "%s",
		   sb_verdict_name(contest->verdict));
}

/* The ratio of its account, and not of its user. */
static void _set_ratio(view_t *view, const job_t *job)
{
	const assocs_t *assocs = &view->cluster->assocs;
	int32_t node = job->party.node;
	double ratio;
	char text[TEXT_SIZE];

	if (node < 0)
		return;
	if (assocs->nodes[node].user && (assocs->nodes[node].parent >= 0))
		node = assocs->nodes[node].parent;
	ratio = assocs->nodes[node].ratio_window;
	table_both(view->table, RATIO,
		   (ratio >= SB_RATIO_UNFUNDED) ? NAN : ratio,
		   text_ratio(ratio, text));
}

static void _add_started(view_t *view, const job_t *job)
{
	contest_t contest;
	char until[TEXT_SIZE];

	_set_span(view, RAN, job->ran);
	if (job->left && (job->kind == JOB_IS_RUNNING))
		table_text(view->table, UNTIL, "%s",
			   text_time(view->cluster->now + job->left, until));
	else if (job->left)
		table_text(view->table, UNTIL, "suspended");
	else
		table_text(view->table, UNTIL, "-");
	if (!contest_first_taker(view->cluster, job, view->takers,
				 view->taker_count, &contest)) {
		table_text(view->table, NOTE, "%s", view->cluster->contracts ?
			   "nobody waits for its place" : "");
		return;
	}
	_set_contest(view, &contest, contest.taker);
	table_text(view->table, NOTE, "%s to %s: %s",
		   (contest.when <= view->cluster->now) ? "yields" :
		   "will yield", contest.taker->label,
		   sb_verdict_name(contest.verdict));
}

/* The first to yield is looked for where nothing else keeps the job. */
static void _add_waiting(view_t *view, const job_t *job)
{
	uint32_t place = queue_place(&view->cluster->queue, job);
	contest_t *victims = NULL;
	size_t count = 0;
	char when[TEXT_SIZE];

	table_whole(view->table, PRIORITY, job->priority);
	if (place)
		table_whole(view->table, PLACE, place);
	table_text(view->table, NOTE, "%s", job->reason);
	if (place && (place <= view->taker_count))
		victims = contest_victims(view->cluster, job, &count);
	if (count) {
		_set_contest(view, &victims[0], victims[0].victim);
		table_text(view->table, NOTE, "%s; first to yield: %s %s",
			   job->reason, victims[0].victim->label,
			   text_ahead(victims[0].when, view->cluster->now,
				      when));
	}
	free(victims);
}

static void _add_job(view_t *view, const job_t *job)
{
	table_row(view->table);
	table_text(view->table, JOBID, "%s", job->label);
	table_text(view->table, STATE, "%s", job->state);
	table_text(view->table, ACCOUNT, "%s", job->account);
	table_text(view->table, USER, "%s", job->user);
	table_text(view->table, PARTITION, "%s", job->partition);
	table_text(view->table, NAME, "%s", job->name);
	table_real(view->table, COUNT, job->size * job->tasks, 0);
	table_text(view->table, CLASS, "%s",
		   sb_class_name(job->contract.class));
	_set_span(view, MINIMUM, job->contract.granted);
	table_text(view->table, WHY, "%s", sb_grant_name(job->contract.why));
	table_whole(view->table, EVICTIONS, job->contract.evictions);
	_set_ratio(view, job);
	if (job->kind == JOB_IS_WAITING)
		_add_waiting(view, job);
	else
		_add_started(view, job);
}

static bool _is_named(const options_t *opts, const job_t *job,
		      const queue_t *queue)
{
	for (int i = 0; i < opts->argc; i++) {
		if (queue_find(queue, opts->argv[i]) == job)
			return true;
	}
	return !opts->argc;
}

static bool _is_shown(const view_t *view, const job_t *job)
{
	return (job->kind != JOB_IS_OVER) &&
	       command_listed(view->opts->account, job->account) &&
	       command_listed(view->opts->user, job->user) &&
	       _is_named(view->opts, job, &view->cluster->queue);
}

static void _add_all(view_t *view)
{
	const queue_t *queue = &view->cluster->queue;

	/* Running ones first. */
	for (size_t i = queue->waiting; i < queue->count; i++) {
		if (_is_shown(view, &queue->jobs[i]))
			_add_job(view, &queue->jobs[i]);
	}
	for (size_t i = 0; i < queue->waiting; i++) {
		if (_is_shown(view, &queue->jobs[i]))
			_add_job(view, &queue->jobs[i]);
	}
}

static int _jobs(const options_t *opts, const cluster_t *cluster)
{
	view_t view = { .cluster = cluster, .opts = opts };
	int rc = EXIT_OK;

	for (int i = 0; i < opts->argc; i++) {
		if (!queue_find(&cluster->queue, opts->argv[i]))
			return cluster_fail("slurmctld knows no job %s",
					    opts->argv[i]);
	}
	view.table = table_create(columns, COLUMNS, opts);
	if (!view.table)
		return EXIT_USAGE;
	view.takers = contest_takers(cluster, &view.taker_count);
	_add_all(&view);
	if (opts->json) {
		rc = command_print_json(cluster, "jobs",
					table_json(view.table));
	} else {
		table_print(view.table);
		cluster_print_notes(cluster);
	}
	free(view.takers);
	table_destroy(view.table);
	return rc;
}

extern int jobs_command(const options_t *opts)
{
	cluster_t *cluster;
	int rc;

	if (opts->format && !strcmp(opts->format, "help")) {
		table_list(columns, COLUMNS);
		return EXIT_OK;
	}
	cluster = cluster_load();
	if (!cluster)
		return EXIT_ERROR;
	rc = _jobs(opts, cluster);
	cluster_destroy(cluster);
	return rc;
}
