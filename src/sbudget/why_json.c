/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_json - the same for programs.
 */
#include "text.h"
#include "why.h"

static void _add(json_object *object, const char *name, const char *text)
{
	json_object_object_add(object, name, json_object_new_string(text));
}

static void _add_whole(json_object *object, const char *name, int64_t value)
{
	json_object_object_add(object, name, json_object_new_int64(value));
}

static void _add_ratio(json_object *object, const char *name, double ratio)
{
	char text[TEXT_SIZE];

	snprintf(text, sizeof(text), "%.6f", ratio);
	json_object_object_add(object, name, (ratio >= SB_RATIO_UNFUNDED) ?
			       NULL : json_object_new_double_s(ratio, text));
}

static json_object *_ahead(const why_t *why)
{
	json_object *list = json_object_new_array();
	const assocs_t *assocs = &why->cluster->assocs;

	for (size_t i = 0; i < why->ahead_count; i++) {
		const why_ahead_t *group = &why->ahead[i];
		json_object *object = json_object_new_object();

		_add(object, "first_job", group->first->label);
		_add_whole(object, "jobs", group->jobs);
		_add_whole(object, "count", group->size);
		if (group->theirs >= 0) {
			_add(object, "branch",
			     assocs_name(assocs, group->theirs));
			_add_ratio(object, "ratio",
				   assocs->nodes[group->theirs].ratio);
			_add(object, "own_branch",
			     assocs_name(assocs, group->ours));
			_add_ratio(object, "own_ratio",
				   assocs->nodes[group->ours].ratio);
		}
		json_object_array_add(list, object);
	}
	return list;
}

static json_object *_contest(const why_t *why, const contest_t *contest)
{
	const sb_grounds_t *grounds = &contest->grounds;
	const assocs_t *assocs = &why->cluster->assocs;
	json_object *object = json_object_new_object();

	_add(object, "victim", contest->victim->label);
	_add(object, "taker", contest->taker->label);
	_add(object, "rule", sb_verdict_name(contest->verdict));
	_add_whole(object, "when", contest->when);
	if (grounds->branch_preemptor >= 0) {
		_add(object, "taker_branch",
		     assocs_name(assocs, grounds->branch_preemptor));
		_add_ratio(object, "taker_ratio", grounds->ratio_preemptor);
		_add(object, "victim_branch",
		     assocs_name(assocs, grounds->branch_preemptee));
		_add_ratio(object, "victim_ratio", grounds->ratio_preemptee);
	}
	return object;
}

static void _add_waiting(json_object *object, const why_t *why)
{
	json_object *victims = json_object_new_array();
	json_object *refused = json_object_new_object();

	_add(object, "reason", why->job->reason);
	_add_whole(object, "place", why->place);
	_add_whole(object, "ready_jobs", why->ready);
	json_object_object_add(object, "ahead", _ahead(why));
	for (size_t i = 0; i < why->victim_count; i++)
		json_object_array_add(victims,
				      _contest(why, &why->victims[i]));
	json_object_object_add(object, "may_take", victims);
	for (int i = 0; i < WHY_VERDICTS; i++) {
		if (why->refused[i])
			_add_whole(refused, sb_verdict_name(i),
				   why->refused[i]);
	}
	if (why->unfit)
		_add_whole(refused, "does-not-fit", why->unfit);
	json_object_object_add(object, "do_not_yield", refused);
}

static void _add_started(json_object *object, const why_t *why)
{
	const job_t *job = why->job;

	_add_whole(object, "start", job->start);
	_add_whole(object, "ran", job->ran);
	_add_whole(object, "protected_left", job->left);
	json_object_object_add(object, "protected_until",
		(job->left && (job->kind == JOB_IS_RUNNING)) ?
		json_object_new_int64(why->cluster->now + job->left) : NULL);
	json_object_object_add(object, "yields_to", why->will_yield ?
			       _contest(why, &why->taker) : NULL);
}

static json_object *_story(const why_t *why)
{
	const story_t *story = &why->story;
	json_object *object;

	if (!why->story_known)
		return NULL;
	object = json_object_new_object();
	_add(object, "when", story->when);
	_add(object, "rule", story->rule);
	json_object_object_add(object, "taker", story->taker_id ?
			       json_object_new_int64(story->taker_id) : NULL);
	_add(object, "taker_branch", story->taker);
	_add_ratio(object, "taker_ratio", story->taker_ratio);
	_add(object, "victim_branch", story->victim);
	_add_ratio(object, "victim_ratio", story->victim_ratio);
	return object;
}

extern json_object *why_json(const why_t *why)
{
	const job_t *job = why->job;
	json_object *object = json_object_new_object();

	_add(object, "job", job->label);
	_add(object, "state", job->state);
	_add(object, "user", job->user);
	_add(object, "account", job->account);
	_add(object, "class", sb_class_name(job->contract.class));
	json_object_object_add(object, "declared",
		(job->contract.declared < 0) ? NULL :
		json_object_new_int64(job->contract.declared));
	_add_whole(object, "granted", job->contract.granted);
	_add(object, "grant", sb_grant_name(job->contract.why));
	_add_whole(object, "evictions", job->contract.evictions);
	json_object_object_add(object, "last_eviction", _story(why));
	if (job->kind == JOB_IS_WAITING)
		_add_waiting(object, why);
	else
		_add_started(object, why);
	return object;
}
