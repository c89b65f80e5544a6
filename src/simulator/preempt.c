/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "ending.h"
#include "preempt.h"

/* Passes with the candidates in another order, as Slurm's
 * preempt_reorder_count. */
#define REORDERS 1
/* Overlap of the one that made it fit: it goes first from now on. */
#define DECISIVE UINT32_MAX

/* Groups that jobs of one lane and claim may take. */
typedef struct {
	uint64_t ranks, crowd;	/* versions that this is of */
	uint32_t begin, count;	/* in victims.groups */
} allowed_t;

#define CLAIMS 4

/* What there is before anybody goes. */
typedef struct {
	const uint16_t *open;
	const host_t *hosts;
	const bool *usable;
} scene_t;

struct victims {
	allowed_t *allowed;	/* by lane and claim */
	uint32_t *groups;
	size_t group_count, group_room;
	uint64_t ranks, crowd;	/* versions that the groups are of */
	candidates_t candidates;
	uint16_t *open;		/* GPUs by node, as candidates go */
	host_t *hosts;		/* same, or NULL: without bound */
	bool *chosen;		/* nodes */
};

extern int preempt_open(sim_t *sim)
{
	struct victims *victims = calloc(1, sizeof(*victims));

	sim->victims = victims;
	if (!victims)
		return -1;
	victims->allowed = calloc(CLAIMS * (size_t) sim->queue.lane_count,
				  sizeof(*victims->allowed));
	victims->open = calloc(sim->machine.count, sizeof(*victims->open));
	victims->chosen = calloc(sim->machine.count, sizeof(*victims->chosen));
	if (sim->machine.host_size)
		victims->hosts = calloc(sim->machine.count,
					sizeof(*victims->hosts));
	return victims->allowed && victims->open && victims->chosen &&
	       (victims->hosts || !sim->machine.host_size) ? 0 : -1;
}

extern void preempt_close(sim_t *sim)
{
	if (!sim->victims)
		return;
	free(sim->victims->allowed);
	free(sim->victims->groups);
	candidates_free(&sim->victims->candidates);
	free(sim->victims->open);
	free(sim->victims->hosts);
	free(sim->victims->chosen);
	free(sim->victims);
	sim->victims = NULL;
}

extern bool preempt_possible(sim_t *sim, uint32_t number)
{
	const sim_job_t *job = &sim->jobs[number];

	if (!sim->rules->may || !sim->crowd.count)
		return false;
	if (sim->rules == &rules_budget && sim->params->preempt_shadow)
		return false;
	if (job->took >= 0 && sim->now < job->took + PREEMPT_PAUSE)
		return false;
	return !sim->rules->hopeless(sim, number);
}

/* Would it find GPUs if all of the crowd went? */
static bool room(const sim_t *sim, const need_t *need, const scene_t *scene)
{
	const machine_t *machine = &sim->machine;
	uint32_t found = 0;

	for (uint32_t i = 0; i < machine->count && found < need->nodes; i++)
		found += scene->usable[i] &&
			 scene->open[i] + sim->prey[i] >= need->gpus &&
			 (need->type < 0 || need->type == machine->type[i]);
	return found >= need->nodes;
}

/* Room for all groups there are, behind those kept. */
static int groups_grow(struct victims *victims, size_t more)
{
	size_t room = victims->group_room ? victims->group_room : 256;
	uint32_t *groups;

	while (room < victims->group_count + more)
		room *= 2;
	if (room == victims->group_room)
		return 0;
	groups = realloc(victims->groups, room * sizeof(*groups));
	if (!groups)
		return -1;
	victims->groups = groups;
	victims->group_room = room;
	return 0;
}

/* Ask about every group. RET: NULL without memory. */
static const allowed_t *ask(sim_t *sim, uint32_t job, allowed_t *allowed)
{
	struct victims *victims = sim->victims;
	const crowd_t *crowd = &sim->crowd;

	if (groups_grow(victims, crowd->live_count))
		return NULL;
	*allowed = (allowed_t) {
		.ranks = victims->ranks, .crowd = victims->crowd,
		.begin = (uint32_t) victims->group_count,
	};
	for (uint32_t i = 0; i < crowd->live_count; i++)
		if (sim->rules->may(sim, crowd->live[i], job))
			victims->groups[victims->group_count++] =
				crowd->live[i];
	allowed->count = (uint32_t) victims->group_count - allowed->begin;
	return allowed;
}

/*
 * The same question comes for many jobs of a queue. While ranks stand and
 * nobody joins the crowd the answers are those for the first of them.
 */
static const allowed_t *allowed_for(sim_t *sim, uint32_t job)
{
	struct victims *victims = sim->victims;
	allowed_t *allowed = &victims->allowed[CLAIMS * sim->jobs[job].lane +
					       sim->rules->claim(sim, job)];

	if (victims->ranks != sim->rank_version ||
	    victims->crowd != sim->crowd.version) {
		victims->ranks = sim->rank_version;
		victims->crowd = sim->crowd.version;
		victims->group_count = 0;
	}
	if (allowed->ranks == victims->ranks &&
	    allowed->crowd == victims->crowd)
		return allowed;
	return ask(sim, job, allowed);
}

static int add_group(sim_t *sim, uint32_t number)
{
	const crowd_group_t *group = &sim->crowd.groups[number];

	return candidates_add(&sim->victims->candidates, group->jobs,
			      group->count);
}

/* RET: 0, or -1. */
static int collect(sim_t *sim, uint32_t job)
{
	const allowed_t *allowed = allowed_for(sim, job);
	struct victims *victims = sim->victims;

	victims->candidates.count = 0;
	if (!allowed)
		return sim_no_memory(sim);
	for (uint32_t i = 0; i < allowed->count; i++)
		if (add_group(sim, victims->groups[allowed->begin + i]))
			return sim_no_memory(sim);
	return 0;
}

/* Is there room on the node by now? */
static bool node_fits(const sim_t *sim, uint32_t node, const need_t *need)
{
	const struct victims *victims = sim->victims;

	return victims->open[node] >= need->gpus &&
	       (!victims->hosts ||
		machine_hosts(&victims->hosts[node], need)) &&
	       (need->type < 0 || need->type == sim->machine.type[node]);
}

static void leave_node(sim_t *sim, uint32_t node, const need_t *had)
{
	struct victims *victims = sim->victims;

	victims->open[node] += had->gpus;
	if (!victims->hosts)
		return;
	victims->hosts[node].cpus += had->host.cpus;
	victims->hosts[node].mem += had->host.mem;
}

/* It goes. RET: how many more nodes fit. */
static uint32_t take_away(sim_t *sim, const candidate_t *candidate,
			  const need_t *need, const scene_t *scene)
{
	const sim_job_t *job = &sim->jobs[candidate->job];
	const uint32_t *nodes = sim_nodes(job);
	uint32_t more = 0;

	for (uint32_t i = 0; i < job->need.nodes; i++) {
		uint32_t node = nodes[i];
		bool fitted;

		if (!scene->usable[node])
			continue;
		fitted = node_fits(sim, node, need);
		leave_node(sim, node, &job->need);
		more += !fitted && node_fits(sim, node, need);
	}
	return more;
}

static uint32_t begin_pass(sim_t *sim, const scene_t *scene,
			   const need_t *need)
{
	struct victims *victims = sim->victims;
	uint32_t fit = 0;

	memcpy(victims->open, scene->open,
	       sim->machine.count * sizeof(*victims->open));
	if (victims->hosts)
		memcpy(victims->hosts, scene->hosts,
		       sim->machine.count * sizeof(*victims->hosts));
	for (uint32_t i = 0; i < sim->machine.count; i++)
		fit += node_fits(sim, i, need);
	return fit;
}

/* Would it fit with all of them gone? */
static bool enough(sim_t *sim, const need_t *need, const scene_t *scene)
{
	const candidates_t *candidates = &sim->victims->candidates;
	uint32_t fit = begin_pass(sim, scene, need);

	for (size_t i = 0; i < candidates->count && fit < need->nodes; i++)
		fit += take_away(sim, &candidates->list[i], need, scene);
	return fit >= need->nodes;
}

static void order_by_prio(sim_t *sim)
{
	candidates_t *candidates = &sim->victims->candidates;

	for (size_t i = 0; i < candidates->count; i++) {
		candidate_t *candidate = &candidates->list[i];

		candidate->key = sim->rules->victim_prio(sim, candidate->job);
		/* Slurm has them in the order of its job list. */
		candidate->seq = candidate->job;
	}
	candidates_heap(candidates);
}

/* RET: nodes of the job that are chosen for the preemptor. */
static uint32_t overlap(const sim_t *sim, const candidate_t *candidate)
{
	const sim_job_t *job = &sim->jobs[candidate->job];
	const uint32_t *nodes = sim_nodes(job);
	uint32_t count = 0;

	for (uint32_t i = 0; i < job->need.nodes; i++)
		count += sim->victims->chosen[nodes[i]];
	return count;
}

static void mark_chosen(sim_t *sim, const need_t *need, bool mark)
{
	for (uint32_t i = 0; i < need->nodes; i++)
		sim->victims->chosen[sim->machine.chosen[i]] = mark;
}

/* RET: how many have to go, in order of victims, until it fits: these are the
 * first of the list then. */
static size_t fit_by_prio(sim_t *sim, const need_t *need, const scene_t *scene)
{
	struct victims *victims = sim->victims;
	candidates_t *candidates = &victims->candidates;
	uint32_t fitting = begin_pass(sim, scene, need);
	size_t gone = 0;

	order_by_prio(sim);
	while (gone < candidates->count && fitting < need->nodes)
		fitting += take_away(sim, candidates_pop(candidates, gone++),
				     need, scene);
	candidates_popped(candidates, gone);
	return machine_place(&sim->machine, victims->open, victims->hosts,
			     need) ? gone : 0;
}

/* RET: how many of the first candidates have to go until it fits. */
static size_t fit(sim_t *sim, const need_t *need, const scene_t *scene)
{
	struct victims *victims = sim->victims;
	const candidates_t *candidates = &victims->candidates;
	uint32_t fitting = begin_pass(sim, scene, need);
	size_t gone = 0;

	while (gone < candidates->count && fitting < need->nodes)
		fitting += take_away(sim, &candidates->list[gone++], need,
				     scene);
	return machine_place(&sim->machine, victims->open, victims->hosts,
			     need) ? gone : 0;
}

/* Those of so many that have to go: the decisive one to the front, then who
 * overlaps most. In the order of before where that is the same. */
static void reorder(sim_t *sim, const need_t *need, size_t gone)
{
	candidate_t *list = sim->victims->candidates.list;

	mark_chosen(sim, need, true);
	for (size_t i = 0; i < gone; i++) {
		candidate_t candidate = list[i];
		size_t at = i;

		candidate.seq = (uint32_t) i;
		candidate.key = i + 1 == gone ? 0 :
			DECISIVE - overlap(sim, &candidate);
		for (; at && candidate_before(&candidate, &list[at - 1]); at--)
			list[at] = list[at - 1];
		list[at] = candidate;
	}
	mark_chosen(sim, need, false);
}

static int evict(sim_t *sim, uint32_t preemptor, size_t gone)
{
	const candidate_t *list = sim->victims->candidates.list;
	const need_t *need = &sim->jobs[preemptor].need;
	int found = 0;

	mark_chosen(sim, need, true);
	for (size_t i = 0; i < gone; i++) {
		if (!overlap(sim, &list[i]))
			continue;
		found = 1;
		if (ending_evict(sim, list[i].job, ENGINE_PREEMPTED,
				  preemptor))
			return -1;
	}
	mark_chosen(sim, need, false);
	if (found)
		sim->jobs[preemptor].took = sim->now;
	return found;
}

extern int preempt_for(sim_t *sim, uint32_t job, const uint16_t *open,
		       const host_t *hosts, const bool *usable)
{
	const scene_t scene = {
		.open = open, .hosts = hosts, .usable = usable,
	};
	const need_t *need = &sim->jobs[job].need;
	size_t gone;

	if (!preempt_possible(sim, job) || !room(sim, need, &scene))
		return 0;
	if (collect(sim, job))
		return -1;
	if (!enough(sim, need, &scene))
		return 0;
	gone = fit_by_prio(sim, need, &scene);
	/* Not with so few that no order is another. */
	for (size_t i = 0; gone && i <= REORDERS &&
	     sim->victims->candidates.count > i + 1; i++) {
		reorder(sim, need, gone);
		gone = fit(sim, need, &scene);
	}
	return gone ? evict(sim, job, gone) : 0;
}
