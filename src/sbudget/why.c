/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why - one job's case: what it waits for, what protects it, what was done to
 * it. Found here, told by why_text.c and why_json.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "why.h"

/* The branches of a job ahead and of ours, where they part. */
static void _add_ahead(why_t *why, const job_t *other)
{
	sb_tree_view_t tree = cluster_tree(why->cluster);
	why_ahead_t *group = why->ahead;
	int32_t theirs = -1, ours = -1;

	if (tree.nodes)
		(void) sb_tree_branches(tree.nodes, other->party.node,
					why->job->party.node, &theirs, &ours);
	while ((group < why->ahead + why->ahead_count) &&
	       ((group->theirs != theirs) || (group->ours != ours)))
		group++;
	if (group == why->ahead + why->ahead_count) {
		*group = (why_ahead_t) {
			.theirs = theirs, .ours = ours, .first = other };
		why->ahead_count++;
	}
	group->jobs += other->tasks;
	group->size += other->size * other->tasks;
}

static int _find_ahead(why_t *why)
{
	const queue_t *queue = &why->cluster->queue;

	/* At most a group for each pair of branches; each job adds one. */
	why->ahead = calloc(queue->waiting + 1, sizeof(*why->ahead));
	if (!why->ahead)
		return -1;
	for (const job_t *other = queue->jobs; other < why->job; other++) {
		if (other->ready)
			_add_ahead(why, other);
	}
	return 0;
}

/* Why the running jobs that do not yield don't. */
static void _find_refusals(why_t *why)
{
	const queue_t *queue = &why->cluster->queue;

	for (size_t i = queue->waiting; i < queue->count; i++) {
		const job_t *job = &queue->jobs[i];
		contest_t contest;

		if ((job->kind != JOB_IS_RUNNING) &&
		    (job->kind != JOB_IS_SUSPENDED))
			continue;
		if (!contest_fits(why->cluster, job, why->job)) {
			why->unfit++;
			continue;
		}
		contest = contest_judge(why->cluster, job, why->job);
		if (!contest_won(&contest))
			why->refused[contest.verdict]++;
	}
}

static int _look_at_waiting(why_t *why)
{
	why->place = queue_place(&why->cluster->queue, why->job);
	why->ready = queue_ready(&why->cluster->queue);
	if (_find_ahead(why))
		return -1;
	_find_refusals(why);
	why->victims = contest_victims(why->cluster, why->job,
				       &why->victim_count);
	return why->victims ? 0 : -1;
}

static int _look_at_started(why_t *why)
{
	size_t count;
	const job_t **takers = contest_takers(why->cluster, &count);

	if (!takers)
		return -1;
	why->will_yield = contest_first_taker(why->cluster, why->job, takers,
					      count, &why->taker);
	free(takers);
	return 0;
}

static void _free(why_t *why)
{
	free(why->ahead);
	free(why->victims);
}

static int _why(const options_t *opts, const cluster_t *cluster)
{
	why_t why = {
		.cluster = cluster,
		.job = queue_find(&cluster->queue, opts->argv[0]),
	};
	int rc;

	if (!why.job)
		return cluster_fail("slurmctld knows no job %s%s",
				    opts->argv[0], cluster->own_jobs ?
				    " that you may see" :
				    " (any more: see sacct)");
	if (why.job->told)
		why.story_known = story_read(why.job->contract.evicted,
						 &why.story);
	rc = (why.job->kind == JOB_IS_WAITING) ? _look_at_waiting(&why) :
		_look_at_started(&why);
	if (rc)
		rc = cluster_fail("no memory");
	else if (opts->json)
		rc = command_print_json(cluster, "why", why_json(&why));
	else
		why_print(&why);
	_free(&why);
	return rc;
}

extern int why_command(const options_t *opts)
{
	cluster_t *cluster;
	int rc;

	if (opts->argc != 1)
		return options_complain("why takes one job");
	cluster = cluster_load();
	if (!cluster)
		return EXIT_ERROR;
	rc = _why(opts, cluster);
	if (!opts->json)
		cluster_print_notes(cluster);
	cluster_destroy(cluster);
	return rc;
}
