/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "agenda.h"

/* A job of several nodes looks at so many instants at most. */
#define TRIES 64

extern agenda_t *agenda_create(const machine_t *machine)
{
	agenda_t *agenda = calloc(1, sizeof(*agenda));
	size_t count = machine->count;

	if (!agenda)
		return NULL;
	agenda->ready = calloc(count * machine->stride, sizeof(*agenda->ready));
	agenda->stale = calloc(count, sizeof(*agenda->stale));
	agenda->first = calloc(count, sizeof(*agenda->first));
	agenda->barred = calloc(count, sizeof(*agenda->barred));
	agenda->open = calloc(count, sizeof(*agenda->open));
	agenda->usable = calloc(count, sizeof(*agenda->usable));
	agenda->starts = calloc(count, sizeof(*agenda->starts));
	agenda->sorted = calloc(count, sizeof(*agenda->sorted));
	if (!agenda->ready || !agenda->stale || !agenda->first || !agenda->barred ||
	    !agenda->open || !agenda->usable || !agenda->starts || !agenda->sorted) {
		agenda_destroy(agenda);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		agenda->stale[i] = true;
	return agenda;
}

extern void agenda_destroy(agenda_t *agenda)
{
	if (!agenda)
		return;
	free(agenda->ready);
	free(agenda->stale);
	free(agenda->first);
	free(agenda->barred);
	free(agenda->slots);
	free(agenda->open);
	free(agenda->usable);
	free(agenda->starts);
	free(agenda->sorted);
	free(agenda);
}

/* Jobs of a node leave in the order of their expected ends. */
static void node_refresh(sim_t *sim, uint32_t node)
{
	const machine_t *machine = &sim->machine;
	const uint32_t *jobs = &machine->jobs[(size_t) node * machine->stride];
	int64_t *ready = &sim->agenda->ready[(size_t) node * machine->stride];
	uint32_t order[ENGINE_NODE_GPUS_MAX], count = 0;
	uint32_t gpus = machine->free[node];

	for (uint32_t i = 0; i < machine->job_count[node]; i++) {
		uint32_t at = count++;

		for (; at && sim->jobs[order[at - 1]].expected >
		       sim->jobs[jobs[i]].expected; at--)
			order[at] = order[at - 1];
		order[at] = jobs[i];
	}
	for (uint32_t i = 0; i < gpus; i++)
		ready[i] = 0;
	for (uint32_t i = 0; i < count; i++) {
		const sim_job_t *job = &sim->jobs[order[i]];

		for (uint32_t j = 0; j < job->need.gpus; j++)
			ready[gpus++] = job->expected;
	}
	for (; gpus < machine->stride; gpus++)
		ready[gpus] = SIM_NEVER;
	sim->agenda->stale[node] = false;
}

extern void agenda_touch(sim_t *sim, const sim_job_t *job)
{
	const uint32_t *nodes = sim_nodes(job);

	for (uint32_t i = 0; i < job->need.nodes; i++)
		sim->agenda->stale[nodes[i]] = true;
}

extern void agenda_begin(sim_t *sim)
{
	agenda_t *agenda = sim->agenda;

	agenda->slot_count = 0;
	for (uint32_t i = 0; i < sim->machine.count; i++) {
		agenda->first[i] = ENGINE_NONE;
		agenda->barred[i] = SIM_NEVER;
		if (agenda->stale[i])
			node_refresh(sim, i);
	}
}

extern void agenda_open_now(sim_t *sim, int64_t limit)
{
	const machine_t *machine = &sim->machine;
	agenda_t *agenda = sim->agenda;
	int64_t end = sim->now + limit;

	for (uint32_t i = 0; i < machine->count; i++) {
		bool clear = agenda->barred[i] > end;

		agenda->usable[i] = clear && machine->usable[i];
		agenda->open[i] = clear ? machine->open[i] : 0;
	}
}

/* RET: first instant from `from` on at which the node can have the job. */
static int64_t node_start(const sim_t *sim, uint32_t node,
			  const need_t *need, int64_t limit, int64_t from)
{
	const machine_t *machine = &sim->machine;
	const agenda_t *agenda = sim->agenda;
	int64_t start = agenda->ready[(size_t) node * machine->stride +
				    need->gpus - 1];

	if (machine->drained[node] || machine->failed[node] ||
	    (need->type >= 0 && need->type != machine->type[node]))
		return SIM_NEVER;
	/* COMPLETING, or overdue: soon, and not now. */
	if (start <= sim->now && machine->open[node] < need->gpus)
		start = sim->now + 1;
	if (start < from)
		start = from;
	for (uint32_t i = agenda->first[node]; i != ENGINE_NONE;
	     i = agenda->slots[i].next) {
		if (start < SIM_NEVER - limit &&
		    start + limit < agenda->slots[i].begin)
			break;
		if (start < agenda->slots[i].end)
			start = agenda->slots[i].end;
	}
	return start;
}

static int64_t earliest_one(sim_t *sim, const need_t *need, int64_t limit,
			    int64_t latest)
{
	int64_t best = SIM_NEVER, start;

	for (uint32_t i = 0; i < sim->machine.count; i++) {
		if (sim->agenda->ready[(size_t) i * sim->machine.stride +
				     need->gpus - 1] >= best)
			continue;
		start = node_start(sim, i, need, limit, sim->now);
		if (start < best) {
			best = start;
			sim->machine.chosen[0] = i;
		}
	}
	return best <= latest ? best : SIM_NEVER;
}

static int time_cmp(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

/* Instants from `from` on at which enough nodes could have it, one by one. */
static int64_t next_instant(sim_t *sim, const need_t *need, int64_t limit,
			    int64_t from)
{
	agenda_t *agenda = sim->agenda;
	uint32_t count = sim->machine.count;

	for (uint32_t i = 0; i < count; i++)
		agenda->starts[i] = node_start(sim, i, need, limit, from);
	memcpy(agenda->sorted, agenda->starts, count * sizeof(*agenda->sorted));
	qsort(agenda->sorted, count, sizeof(*agenda->sorted), time_cmp);
	return agenda->sorted[need->nodes - 1];
}

/* RET: that node's GPUs that are free then, 0 if the job cannot have it. */
static uint16_t free_at(const sim_t *sim, uint32_t node, const need_t *need,
			int64_t limit, int64_t instant)
{
	const machine_t *machine = &sim->machine;
	const int64_t *ready = &sim->agenda->ready[(size_t) node *
						 machine->stride];
	uint16_t gpus = need->gpus;

	if (node_start(sim, node, need, limit, instant) != instant)
		return 0;
	while (gpus < machine->size[node] && ready[gpus] <= instant)
		gpus++;
	return gpus;
}

static int64_t earliest_many(sim_t *sim, const need_t *need, int64_t limit,
			     int64_t latest)
{
	agenda_t *agenda = sim->agenda;
	int64_t instant = sim->now;

	for (int i = 0; i < TRIES; i++) {
		instant = next_instant(sim, need, limit, instant);
		if (instant > latest)
			return SIM_NEVER;
		for (uint32_t j = 0; j < sim->machine.count; j++)
			agenda->open[j] = agenda->starts[j] > instant ? 0 :
				free_at(sim, j, need, limit, instant);
		if (machine_place(&sim->machine, agenda->open, need))
			return instant;
		instant++;
	}
	return SIM_NEVER;
}

extern int64_t agenda_earliest(sim_t *sim, const need_t *need, int64_t limit,
			     int64_t latest)
{
	if (need->nodes == 1)
		return earliest_one(sim, need, limit, latest);
	return earliest_many(sim, need, limit, latest);
}

static int slots_grow(agenda_t *agenda)
{
	size_t room = agenda->slot_room ? (size_t) agenda->slot_room * 2 : 1024;
	slot_t *slots = realloc(agenda->slots, room * sizeof(*slots));

	if (!slots)
		return -1;
	agenda->slots = slots;
	agenda->slot_room = (uint32_t) room;
	return 0;
}

static int node_add(agenda_t *agenda, uint32_t node, int64_t begin, int64_t end)
{
	uint32_t *link = &agenda->first[node];

	if (agenda->slot_count == agenda->slot_room && slots_grow(agenda))
		return -1;
	while (*link != ENGINE_NONE && agenda->slots[*link].begin < begin)
		link = &agenda->slots[*link].next;
	agenda->slots[agenda->slot_count] = (slot_t) {
		.begin = begin, .end = end, .next = *link,
	};
	*link = agenda->slot_count++;
	if (begin < agenda->barred[node])
		agenda->barred[node] = begin;
	return 0;
}

extern int agenda_add(sim_t *sim, const uint32_t *nodes, uint32_t count,
		    int64_t begin, int64_t end)
{
	int64_t grain = sim->options->bf_resolution;

	begin -= begin % grain;
	end -= end % grain;
	if (end < begin + grain)
		end = begin + grain;
	for (uint32_t i = 0; i < count; i++)
		if (node_add(sim->agenda, nodes[i], begin, end))
			return sim_no_memory(sim);
	return 0;
}
