/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_text - one screen, in plain words.
 */
#include <stdio.h>
#include <string.h>

#include "text.h"
#include "timespan.h"
#include "why.h"

/* Lines of a list: a screen is short. */
#define LINES_MAX 8

static const char *_span(int64_t seconds, char buf[SB_TIMESPAN_TEXT])
{
	return sb_timespan_format(seconds, buf, SB_TIMESPAN_TEXT);
}

static const char *_branch(const why_t *why, int32_t node)
{
	return assocs_name(&why->cluster->assocs, node);
}

static void _print_size(const why_t *why, const job_t *job)
{
	if (job->size)
		printf("%.0f %s%s", job->size, cluster_counted(why->cluster),
		       (job->size == 1) ? "" : "s");
	else
		printf("no %ss", cluster_counted(why->cluster));
}

static void _print_head(const why_t *why)
{
	const job_t *job = why->job;

	printf("Job %s of %s (account %s, partition %s): ", job->label,
	       job->user, job->account, job->partition);
	_print_size(why, job);
	printf(" on %u node%s", job->party.nodes,
	       (job->party.nodes == 1) ? "" : "s");
	if (*job->nodes)
		printf(" (%s)", job->nodes);
	printf(".\n");
}

static void _print_contract(const why_t *why)
{
	const job_t *job = why->job;
	const sb_contract_t *contract = &job->contract;
	char declared[SB_TIMESPAN_TEXT], granted[SB_TIMESPAN_TEXT];

	_span(contract->declared, declared);
	_span(contract->granted, granted);
	if (job->malformed || (contract->why == SB_GRANT_MALFORMED))
		printf("Its min-runtime cannot be read");
	else if (contract->declared > 0)
		printf("It declares min-runtime %s", declared);
	else if (!contract->declared)
		printf("It declares min-runtime 0: unallocated, free of charge, never protected");
	else
		printf("It declares no min-runtime");
	if (contract->class == SB_CLASS_UNDECLARED)
		printf(": charged, protected for %s", granted);
	else if (contract->granted != contract->declared &&
		 (contract->declared > 0))
		printf(", gets %s (%s)", granted,
		       sb_grant_name(contract->why));
	printf(".\n");
}

/* ---------------------------------------------------------------- waiting */

static void _print_reason(const why_t *why)
{
	const job_t *job = why->job;

	if (!job->priority) {
		printf("It is held (%s).\n", job->reason);
	} else if (!why->place) {
		printf("It cannot start yet, whatever is free: %s.\n",
		       job->reason);
	} else {
		printf("It waits for room (%s), number %u of %u",
		       job->reason, why->place, why->ready);
		printf((job->tasks > 1) ? ", with %u tasks.\n" : ".\n",
		       job->tasks);
	}
}

static void _print_ratio(const why_t *why, int32_t node)
{
	const sb_tree_node_t *row = &why->cluster->assocs.nodes[node];
	char text[TEXT_SIZE];

	printf("%s %s", _branch(why, node), text_ratio(row->ratio, text));
	if (row->ratio > row->ratio_window)
		printf(" (burst; over the window %s)",
		       text_ratio(row->ratio_window, text));
}

static void _print_group(const why_t *why, const why_ahead_t *group)
{
	printf("  %u job%s, %.0f %ss", group->jobs,
	       (group->jobs == 1) ? "" : "s", group->size,
	       cluster_counted(why->cluster));
	printf((group->jobs == 1) ? " (%s): " : " (first %s): ",
	       group->first->label);
	if (group->first->party.class != why->job->party.class &&
	    why->job->party.class == SB_CLASS_UNALLOCATED) {
		printf("allocated work goes before unallocated\n");
		return;
	}
	if (group->theirs < 0) {
		printf("same branch, by priority\n");
		return;
	}
	_print_ratio(why, group->theirs);
	printf(" before ");
	_print_ratio(why, group->ours);
	putchar('\n');
}

static void _print_ahead(const why_t *why)
{
	if (!why->ahead_count)
		return;
	printf("\nAhead of it (usage to budget, the smaller ratio is served first):\n");
	for (size_t i = 0; (i < why->ahead_count) && (i < LINES_MAX); i++)
		_print_group(why, &why->ahead[i]);
	if (why->ahead_count > LINES_MAX)
		printf("  and %zu more branches\n",
		       why->ahead_count - LINES_MAX);
}

static void _print_grounds(const why_t *why, const contest_t *contest)
{
	const sb_grounds_t *grounds = &contest->grounds;
	char text[TEXT_SIZE];

	printf("%s", sb_verdict_name(contest->verdict));
	if (grounds->branch_preemptor < 0)
		return;
	printf(", %s %s", _branch(why, grounds->branch_preemptor),
	       text_ratio(grounds->ratio_preemptor, text));
	printf(" takes from %s %s", _branch(why, grounds->branch_preemptee),
	       text_ratio(grounds->ratio_preemptee, text));
}

static void _print_victims(const why_t *why)
{
	int64_t now = why->cluster->now;
	char when[TEXT_SIZE], ahead[TEXT_SIZE];

	printf("\nIt could take the place of:\n");
	for (size_t i = 0; (i < why->victim_count) && (i < LINES_MAX); i++) {
		const contest_t *contest = &why->victims[i];

		printf("  job %s of %s (%s), ", contest->victim->label,
		       contest->victim->user, contest->victim->account);
		_print_size(why, contest->victim);
		printf(", %s: ", text_ahead(contest->when, now, ahead));
		_print_grounds(why, contest);
		putchar('\n');
	}
	if (why->victim_count > LINES_MAX)
		printf("  and %zu more\n", why->victim_count - LINES_MAX);
	if (why->victims[0].when > now)
		printf("The first protection ends at %s (job %s).\n",
		       text_time(why->victims[0].when, when),
		       why->victims[0].victim->label);
	else if (why->place > 1)
		printf("Those ahead of it choose first.\n");
}

static void _print_refusals(const why_t *why)
{
	bool any = why->unfit != 0;

	for (int i = 0; i < WHY_VERDICTS; i++)
		any |= why->refused[i] != 0;
	if (!any)
		return;
	printf(why->victim_count ? "\nRunning jobs that do not yield to it:\n" :
	       "\nNo running job yields to it:\n");
	for (int i = 0; i < WHY_VERDICTS; i++) {
		if (!why->refused[i])
			continue;
		printf("  %u: %s\n", why->refused[i],
		       sb_verdict_may(i) ? "suspended inside their minimum" :
		       contest_words(i));
	}
	if (why->unfit)
		printf("  %u: hold no node of its partition, or other GPUs\n",
		       why->unfit);
}

static void _print_exceptions(const why_t *why)
{
	const sb_params_t *params = why->cluster->params;
	char wait[SB_TIMESPAN_TEXT];

	if (!why->cluster->contracts || !params->gang_wait ||
	    (why->job->party.nodes < params->gang_nodes) ||
	    (why->job->party.class == SB_CLASS_UNALLOCATED))
		return;
	printf("As a job of %u nodes or more it may, once it has been the "
	       "best-ranked\nblocked job for %s, take from any worse-ranked "
	       "branch.\n", params->gang_nodes,
	       _span(params->gang_wait, wait));
}

static void _print_waiting(const why_t *why)
{
	_print_reason(why);
	if (!why->place)
		return;
	_print_ahead(why);
	if (why->victim_count)
		_print_victims(why);
	if (why->cluster->contracts)
		_print_refusals(why);
	_print_exceptions(why);
}

/* ---------------------------------------------------------------- started */

static void _print_protection(const why_t *why)
{
	const job_t *job = why->job;
	char span[SB_TIMESPAN_TEXT], when[TEXT_SIZE], ahead[TEXT_SIZE];
	int64_t until = why->cluster->now + job->left;

	if (!why->cluster->contracts) {
		printf("Nothing protects it (no preempt/minruntime here).\n");
	} else if (!job->left) {
		printf("Nothing protects it%s.\n", job->contract.granted ?
		       ": its minimum has passed" : "");
	} else if (job->kind == JOB_IS_SUSPENDED) {
		printf("It is suspended; %s of its minimum are left.\n",
		       _span(job->left, span));
	} else {
		printf("It is protected until %s (%s).\n",
		       text_time(until, when),
		       text_ahead(until, why->cluster->now, ahead));
	}
	if (!job->is_signed && why->cluster->contracts)
		printf("(Its contract is not signed yet: that takes a second.)\n");
}

static void _print_started(const why_t *why)
{
	const job_t *job = why->job;
	char span[SB_TIMESPAN_TEXT], ahead[TEXT_SIZE];

	if (job->kind == JOB_IS_OVER) {
		printf("It is %s.\n", job->state);
		return;
	}
	printf("It has run for %s.\n", _span(job->ran, span));
	_print_protection(why);
	if (!why->cluster->contracts)
		return;
	if (!why->will_yield) {
		printf("Nobody who waits now may take its place.\n");
		return;
	}
	printf("Job %s of %s (%s) may take its place %s: ",
	       why->taker.taker->label, why->taker.taker->user,
	       why->taker.taker->account,
	       text_ahead(why->taker.when, why->cluster->now, ahead));
	_print_grounds(why, &why->taker);
	printf("\n(%s).\n", contest_words(why->taker.verdict));
}

static void _print_story(const why_t *why)
{
	const story_t *story = &why->story;
	uint32_t times = why->job->contract.evictions;
	char ratio[TEXT_SIZE];

	if (!why->job->told)
		return;
	printf("\nIt has been preempted %u time%s, last ", times,
	       (times == 1) ? "" : "s");
	if (!why->story_known) {
		printf("so: %s\n", why->job->contract.evicted);
		return;
	}
	printf("at %s by ", story->when);
	if (story->taker_id)
		printf("job %u: %s", story->taker_id, story->rule);
	else
		printf("a job that PrivateData hides: %s", story->rule);
	if (strcmp(story->taker, "-") && strcmp(story->victim, "-")) {
		printf(", %s %s", story->taker,
		       text_ratio(story->taker_ratio, ratio));
		printf(" took from %s %s", story->victim,
		       text_ratio(story->victim_ratio, ratio));
	}
	printf(".\n");
}

extern void why_print(const why_t *why)
{
	_print_head(why);
	_print_contract(why);
	if (why->job->kind == JOB_IS_WAITING)
		_print_waiting(why);
	else
		_print_started(why);
	_print_story(why);
}
