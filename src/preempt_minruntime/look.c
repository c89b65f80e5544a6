/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/core/pace.h"
#include "src/core/policy.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/contracts.h"
#include "src/slurm_compat/settings.h"

#include "classes.h"
#include "lockin.h"
#include "look.h"
#include "roll.h"

/* Jobs per hold of slurmctld's locks. */
#define SLICE 2000

typedef struct {
	look_t *look;
	sb_list_itr_t *jobs;	/* where the walk stands; slurmctld moves it
				 * when it forgets that job meanwhile */
	bitstr_t *drain_nodes;
	uint32_t best_priority;
	bool classes;		/* of waiting jobs are read */
} walk_t;

static walk_t walk;		/* the watcher's */

/* Without memory a job is missed until the next look. */
static void _add_id(id_list_t *list, uint32_t job_id)
{
	if (list->count == list->size) {
		size_t more = list->size ? list->size * 2 : 256;
		uint32_t *moved = realloc(list->ids, more * sizeof(*moved));

		if (!moved)
			return;
		list->ids = moved;
		list->size = more;
	}
	list->ids[list->count++] = job_id;
}

static bitstr_t *_drain_nodes(void)
{
	bitstr_t *drain_nodes = bit_alloc(node_record_count);
	node_record_t *node_ptr;

	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		if (IS_NODE_DRAIN(node_ptr))
			bit_set(drain_nodes, node_ptr->index);
	}
	return drain_nodes;
}

static bool _is_on_drain(const job_record_t *job_ptr, const walk_t *walk)
{
	return job_ptr->node_bitmap &&
	       bit_overlap_any(job_ptr->node_bitmap, walk->drain_nodes);
}

static bool _may_leave(const job_record_t *job_ptr, time_t now)
{
	const pact_t *pact = pacts_find(job_ptr->job_id);
	sb_party_t party;

	if (lockin_due(job_ptr, pact))
		return false;
	party = (sb_party_t) {
		.protected_left = sb_contract_left(&pact->contract,
						   contracts_ran(job_ptr, now)),
		.requeueable = job_ptr->details && job_ptr->details->requeue,
		.interactive = !job_ptr->batch_flag,
	};
	return sb_policy_leaves_drain(settings_get(), pact->contract.declared,
				      &party);
}

/* For list_find_first_ro(). */
static int _component_stays(void *item, void *arg)
{
	const time_t *now = arg;

	return !_may_leave(item, *now);
}

extern bool look_may_leave(const job_record_t *job_ptr, time_t now)
{
	if (!job_ptr->het_job_list)
		return _may_leave(job_ptr, now);
	return !list_find_first_ro(job_ptr->het_job_list, _component_stays,
				   &now);
}

static int _component_is_on_drain(void *item, void *arg)
{
	return _is_on_drain(item, arg);
}

/* A heterogeneous job goes as a whole, when its first component does. */
static bool _should_leave(job_record_t *job_ptr, walk_t *walk)
{
	sb_list_t components = job_ptr->het_job_list;

	if (!walk->drain_nodes || (job_ptr->het_job_id && !components))
		return false;
	if (components ?
	    !list_find_first_ro(components, _component_is_on_drain, walk) :
	    !_is_on_drain(job_ptr, walk))
		return false;
	return look_may_leave(job_ptr, walk->look->now);
}

static void _expect_end(look_t *look, time_t end)
{
	if (!look->next_end || (end < look->next_end))
		look->next_end = end;
}

/*
 * A job that is being preempted: its grace time lasts until its end_time, and
 * slurmctld looks at that every 30 s only. A heterogeneous job goes as a whole.
 */
static void _look_at_preempted(const job_record_t *job_ptr, look_t *look)
{
	if (job_ptr->end_time > look->now)
		_expect_end(look, job_ptr->end_time);
	else if (!job_ptr->het_job_id || job_ptr->het_job_list)
		_add_id(&look->graced, job_ptr->job_id);
}

static void _look_at_started(job_record_t *job_ptr, walk_t *walk)
{
	look_t *look = walk->look;
	pact_t *pact = pacts_find(job_ptr->job_id);
	int64_t ran, left;

	if (pact)
		pact->seen = look->number;
	if (lockin_due(job_ptr, pact)) {
		_add_id(&look->unsigned_jobs, job_ptr->job_id);
		return;
	}
	if (job_ptr->preempt_time && IS_JOB_RUNNING(job_ptr)) {
		_look_at_preempted(job_ptr, look);
		return;
	}
	pact->nodes = job_ptr->node_cnt;	/* it may be resized */
	pact->comment = job_ptr->comment;	/* and be written anew */
	roll_note(job_ptr, pact);
	ran = contracts_ran(job_ptr, look->now);
	left = sb_contract_left(&pact->contract, ran);
	if (!left && _should_leave(job_ptr, walk))
		_add_id(&look->draining, job_ptr->job_id);
	/* The clock of a suspended job stands. */
	if (IS_JOB_SUSPENDED(job_ptr))
		return;
	if (left)
		_expect_end(look, look->now + left);
	if (!left && pact->contract.granted && look->before &&
	    (ran - pact->contract.granted < look->now - look->before))
		_add_id(&look->ended, job_ptr->job_id);
}

/* Nothing but room keeps it from starting, as far as the scheduler knows. */
static bool _is_waiting(const job_record_t *job_ptr, time_t now)
{
	if (!job_ptr->priority || !job_ptr->details || !job_ptr->part_ptr ||
	    (job_ptr->details->begin_time > now))
		return false;
	return (job_ptr->state_reason == WAIT_NO_REASON) ||
	       (job_ptr->state_reason == WAIT_RESOURCES) ||
	       (job_ptr->state_reason == WAIT_PRIORITY);
}

static void _look_at_pending(const job_record_t *job_ptr, walk_t *walk)
{
	look_t *look = walk->look;
	pact_t *pact = pacts_find(job_ptr->job_id);

	if (pact)
		pact->seen = look->number;
	/* One that is held is not in the queue. */
	if (walk->classes && job_ptr->priority)
		classes_note(job_ptr);
	if (!_is_waiting(job_ptr, look->now))
		return;
	_add_id(&look->waiting, job_ptr->job_id);
	if (job_ptr->priority > walk->best_priority) {
		walk->best_priority = job_ptr->priority;
		look->best_blocked = job_ptr->job_id;
	}
}

static void _look_at(job_record_t *job_ptr, walk_t *walk)
{
	if (IS_JOB_COMPLETING(job_ptr))
		return;
	if (IS_JOB_PENDING(job_ptr))
		_look_at_pending(job_ptr, walk);
	else if (IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr))
		_look_at_started(job_ptr, walk);
}

extern void look_begin(look_t *look)
{
	look->unsigned_jobs.count = look->draining.count = 0;
	look->graced.count = 0;
	look->ended.count = look->waiting.count = 0;
	look->best_blocked = 0;
	look->next_end = 0;
	look->cost = 0;
	look->before = look->now;
	look->now = time(NULL);
	if (!++look->number)
		look->number++;
	walk = (walk_t) {
		.look = look,
		.jobs = list_iterator_create(job_list),
	};
	roll_begin();
	/* A look that only the end of a protection asked for leaves them. */
	walk.classes = (look->now >= look->next_classes) ||
		       (look->now < look->before);
	if (walk.classes)
		classes_begin();
}

static void _end_classes(look_t *look)
{
	classes_end();
	look->next_classes = look->now + sb_pace(look->cost) / SB_PACE_TICK;
}

extern bool look_take(void)
{
	int64_t begin = compat_cpu_time();
	job_record_t *job_ptr = NULL;

	if (settings_get()->drain_requeue)
		walk.drain_nodes = _drain_nodes();
	for (int i = 0; (i < SLICE) && (job_ptr = list_next(walk.jobs)); i++)
		_look_at(job_ptr, &walk);
	FREE_NULL_BITMAP(walk.drain_nodes);
	if (!job_ptr) {
		list_iterator_destroy(walk.jobs);
		roll_end();
	}
	walk.look->cost += compat_cpu_time() - begin;
	if (!job_ptr && walk.classes)
		_end_classes(walk.look);
	return job_ptr != NULL;
}

extern void look_free(look_t *look)
{
	free(look->unsigned_jobs.ids);
	free(look->draining.ids);
	free(look->graced.ids);
	free(look->ended.ids);
	free(look->waiting.ids);
	memset(look, 0, sizeof(*look));
}
