/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "text.h"

/* Kinds of waiting jobs that are told apart. */
#define TAKERS_MAX 256

static bool _overlap(const int32_t *a, const int32_t *b)
{
	/* What is not known does not exclude. */
	if (!a || !b)
		return true;
	for (size_t i = 0; a[i] >= 0; i += 2) {
		for (size_t j = 0; b[j] >= 0; j += 2) {
			if ((a[i] <= b[j + 1]) && (b[j] <= a[i + 1]))
				return true;
		}
	}
	return false;
}

/* "gres/gpu:h100=2" among what it asks for: the other must have some. */
static bool _has_type(const char *asked, const char *held)
{
	const char *at = asked;

	while ((at = strstr(at, "gres/gpu:"))) {
		size_t length = strcspn(at, "=,");
		char name[128];
		double count;

		if (length >= sizeof(name))
			return true;
		memcpy(name, at, length);
		name[length] = '\0';
		if (!text_tres(held, name, &count) || !count)
			return false;
		at += length;
	}
	return true;
}

extern bool contest_fits(const cluster_t *cluster, const job_t *victim,
			 const job_t *taker)
{
	const char *at = taker->partition;

	if (!_has_type(taker->tres, victim->tres))
		return false;
	while (*at) {
		size_t length = strcspn(at, ",");
		const part_t *part = queue_part(&cluster->queue, at, length);

		if (!part || _overlap(part->node_ranges, victim->node_ranges))
			return true;
		at += length + (at[length] == ',');
	}
	return false;
}

static uint16_t _tier(const cluster_t *cluster, const job_t *job)
{
	const part_t *part = queue_part(&cluster->queue, job->partition,
					strcspn(job->partition, ","));

	return part ? part->tier : 0;
}

/* preempt_by=partition is Slurm's rule of that name; what preempt_by=qos
 * compares (the preempt list of a QOS) slurmctld tells nobody. */
static sb_verdict_t _stock(const cluster_t *cluster, const job_t *victim,
			   const job_t *taker, const sb_party_t *party)
{
	const sb_params_t *params = cluster->params;
	sb_verdict_t why;

	if (sb_policy_spared(params, party, &why))
		return why;
	if (params->preempt_by == SB_PREEMPT_BY_PARTITION)
		return (_tier(cluster, taker) > _tier(cluster, victim)) ?
			SB_MAY_RULE : SB_NOT_RULE;
	return SB_NOT_RULE;
}

extern contest_t contest_judge(const cluster_t *cluster, const job_t *victim,
			       const job_t *taker)
{
	contest_t contest = {
		.victim = victim,
		.taker = taker,
		.is_protected = victim->left > 0,
		.grounds = { .branch_preemptee = -1, .branch_preemptor = -1 },
	};
	sb_party_t party = victim->party;
	int64_t when = cluster->now + victim->left;

	party.protected_left = 0;
	if (!cluster->contracts)
		contest.verdict = SB_NOT_RULE;
	else if (cluster->params->preempt_by != SB_PREEMPT_BY_BUDGET)
		contest.verdict = _stock(cluster, victim, taker, &party);
	else
		contest.verdict = sb_policy_may_preempt(
			cluster->params, cluster_tree(cluster), &party,
			&taker->party, &contest.grounds);
	if (when < victim->exempt_until)
		when = victim->exempt_until;
	if (sb_verdict_may(contest.verdict) &&
	    !(victim->left && (victim->kind == JOB_IS_SUSPENDED)))
		contest.when = when;
	return contest;
}

static bool _holds(const job_t *job)
{
	return (job->kind == JOB_IS_RUNNING) ||
	       (job->kind == JOB_IS_SUSPENDED);
}

/* What may be had at one time is had in the policy's order. */
typedef struct {
	contest_t contest;
	uint32_t prio;
} ordered_t;

static int _compare(const void *a, const void *b)
{
	const ordered_t *one = a, *two = b;

	if (one->contest.when != two->contest.when)
		return (one->contest.when < two->contest.when) ? -1 : 1;
	if (one->prio != two->prio)
		return (one->prio < two->prio) ? -1 : 1;
	return (one->contest.victim->id < two->contest.victim->id) ? -1 : 1;
}

extern contest_t *contest_victims(const cluster_t *cluster, const job_t *taker,
				  size_t *count)
{
	const queue_t *queue = &cluster->queue;
	ordered_t *ordered = calloc(queue->count + 1, sizeof(*ordered));
	contest_t *victims = calloc(queue->count + 1, sizeof(*victims));

	*count = 0;
	for (size_t i = 0; ordered && victims && (i < queue->count); i++) {
		const job_t *job = &queue->jobs[i];
		contest_t contest;

		if (!_holds(job) || !contest_fits(cluster, job, taker))
			continue;
		contest = contest_judge(cluster, job, taker);
		if (!contest_won(&contest))
			continue;
		if (contest.when < cluster->now)
			contest.when = cluster->now;
		ordered[(*count)++] = (ordered_t) {
			.contest = contest,
			.prio = sb_policy_victim_prio(cluster_tree(cluster),
						      &job->party),
		};
	}
	if (ordered && victims) {
		qsort(ordered, *count, sizeof(*ordered), _compare);
		for (size_t i = 0; i < *count; i++)
			victims[i] = ordered[i].contest;
	}
	free(ordered);
	return victims;
}

/* The policy, and contest_fits(), cannot tell them apart. */
static bool _are_alike(const sb_params_t *params, const job_t *a,
		       const job_t *b)
{
	const sb_party_t *one = &a->party, *two = &b->party;
	bool short_one = one->min_runtime <= params->debug_runtime;
	bool short_two = two->min_runtime <= params->debug_runtime;

	return (one->node == two->node) && (one->class == two->class) &&
	       (one->nodes == two->nodes) && (short_one == short_two) &&
	       (!one->min_runtime == !two->min_runtime) &&
	       !strcmp(a->partition, b->partition) &&
	       !strcmp(a->tres, b->tres);
}

extern const job_t **contest_takers(const cluster_t *cluster, size_t *count)
{
	const queue_t *queue = &cluster->queue;
	const job_t **takers = calloc(TAKERS_MAX, sizeof(*takers));

	*count = 0;
	for (size_t i = 0; takers && (i < queue->waiting) &&
	     (*count < TAKERS_MAX); i++) {
		const job_t *job = &queue->jobs[i];
		size_t known = 0;

		while ((known < *count) &&
		       !_are_alike(cluster->params, takers[known], job))
			known++;
		if (job->ready && (known == *count))
			takers[(*count)++] = job;
	}
	return takers;
}

extern bool contest_first_taker(const cluster_t *cluster, const job_t *victim,
				const job_t *const *takers, size_t count,
				contest_t *contest)
{
	for (size_t i = 0; _holds(victim) && (i < count); i++) {
		if (!contest_fits(cluster, victim, takers[i]))
			continue;
		*contest = contest_judge(cluster, victim, takers[i]);
		if (contest_won(contest))
			return true;
	}
	return false;
}

extern const char *contest_words(sb_verdict_t verdict)
{
	switch (verdict) {
	case SB_MAY_FREE:
		return "unallocated or unfunded work yields to all funded work";
	case SB_MAY_BUDGET:
		return "its branch is over its budget, the other one under";
	case SB_MAY_COLLEAGUE:
		return "its user has had more of the account than the other";
	case SB_MAY_GANG:
		return "a large job has been blocked for gang_wait";
	case SB_MAY_DEBUG:
		return "a debug job of the same account";
	case SB_MAY_RULE:
		return "Slurm's rule of preempt_by allows it";
	case SB_NOT_PROTECTED:
		return "inside their minimum runtime";
	case SB_NOT_EXEMPT:
		return "preemption is off in their partition";
	case SB_NOT_UNALLOCATED:
		return "unallocated work preempts nobody";
	case SB_NOT_UNFUNDED:
		return "unfunded work preempts nobody";
	case SB_NOT_REQUEUEABLE:
		return "cannot be requeued, and are spared";
	case SB_NOT_UNKNOWN:
		return "an association is not known here";
	case SB_NOT_SAME:
		return "of the same user and account";
	case SB_NOT_COMPARABLE:
		return "there are no two branches to compare";
	case SB_NOT_OVER:
		return "their branches are within their budgets";
	case SB_NOT_UNDER:
		return "its own branch is not under its budget by the margin";
	case SB_NOT_MARGIN:
		return "their users have had about as much of the account";
	case SB_NOT_RULE:
		return "no rule that is known here allows it";
	}
	return "unknown";
}
