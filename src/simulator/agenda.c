/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "agenda.h"
#include "nth.h"
#include "steps.h"

/* A job of several nodes looks at so many instants at most. */
#define TRIES 64

/* Places of one GPU type in agenda.beyond. */
#define BEYOND_ROW (ENGINE_NODE_GPUS_MAX + 1)

extern agenda_t *agenda_create(const sim_t *sim)
{
	const machine_t *machine = &sim->machine;
	agenda_t *agenda = calloc(1, sizeof(*agenda));
	size_t count = machine->count;

	if (!agenda)
		return NULL;
	agenda->beyond = calloc((sim->workload->type_count + 1) * BEYOND_ROW,
				sizeof(*agenda->beyond));
	agenda->ready = calloc(count * machine->stride, sizeof(*agenda->ready));
	agenda->stale = calloc(count, sizeof(*agenda->stale));
	agenda->first = calloc(count, sizeof(*agenda->first));
	agenda->barred = calloc(count, sizeof(*agenda->barred));
	agenda->gap = calloc(count, sizeof(*agenda->gap));
	agenda->last = calloc(count, sizeof(*agenda->last));
	agenda->open = calloc(count, sizeof(*agenda->open));
	agenda->usable = calloc(count, sizeof(*agenda->usable));
	agenda->starts = calloc(count, sizeof(*agenda->starts));
	agenda->sorted = calloc(count, sizeof(*agenda->sorted));
	agenda->order = calloc(machine->job_stride, sizeof(*agenda->order));
	if (machine->host_size) {
		agenda->steps = steps_create(machine);
		agenda->hosts = calloc(count, sizeof(*agenda->hosts));
	}
	if ((machine->host_size && (!agenda->steps || !agenda->hosts)) ||
	    !agenda->order || !agenda->beyond || !agenda->ready ||
	    !agenda->stale || !agenda->first || !agenda->barred ||
	    !agenda->gap || !agenda->last || !agenda->open ||
	    !agenda->usable || !agenda->starts || !agenda->sorted) {
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
	free(agenda->beyond);
	free(agenda->ready);
	free(agenda->stale);
	free(agenda->first);
	free(agenda->barred);
	free(agenda->gap);
	free(agenda->last);
	free(agenda->slots);
	free(agenda->open);
	free(agenda->usable);
	free(agenda->starts);
	free(agenda->sorted);
	free(agenda->order);
	steps_destroy(agenda->steps);
	free(agenda->hosts);
	free(agenda);
}

static int64_t *ready_row(const sim_t *sim, uint32_t gpus)
{
	return sim->agenda->ready + (size_t) sim->machine.count * (gpus - 1);
}

/* OUT order: jobs of a node, in the order of their expected ends. */
static uint32_t order_ends(const sim_t *sim, uint32_t node, uint32_t *order)
{
	const machine_t *machine = &sim->machine;
	const uint32_t *jobs = machine_jobs(machine, node);
	uint32_t count = 0;

	for (uint32_t i = 0; i < machine->job_count[node]; i++) {
		uint32_t at = count++;

		for (; at && sim->jobs[order[at - 1]].expected >
		       sim->jobs[jobs[i]].expected; at--)
			order[at] = order[at - 1];
		order[at] = jobs[i];
	}
	return count;
}

static void node_refresh(sim_t *sim, uint32_t node)
{
	const machine_t *machine = &sim->machine;
	bool dead = machine->drained[node] || machine->failed[node];
	uint32_t *order = sim->agenda->order, gpus = 0;
	uint32_t count = order_ends(sim, node, order);

	if (sim->agenda->steps)
		steps_lay(sim->agenda->steps, sim, node, order, count, dead);
	while (gpus < machine->free[node])
		ready_row(sim, ++gpus)[node] = dead ? SIM_NEVER : 0;
	for (uint32_t i = 0; i < count; i++) {
		const sim_job_t *job = &sim->jobs[order[i]];

		for (uint32_t j = 0; j < job->need.gpus; j++)
			ready_row(sim, ++gpus)[node] = dead ? SIM_NEVER :
				job->expected;
	}
	while (gpus < machine->stride)
		ready_row(sim, ++gpus)[node] = SIM_NEVER;
	sim->agenda->stale[node] = false;
}

extern void agenda_touch_node(sim_t *sim, uint32_t node)
{
	sim->agenda->stale[node] = true;
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

	agenda->pass++;
	agenda->slot_count = 0;
	for (uint32_t i = 0; i < sim->machine.count; i++) {
		agenda->first[i] = ENGINE_NONE;
		agenda->barred[i] = SIM_NEVER;
		agenda->gap[i] = 0;
		agenda->last[i] = 0;
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
	for (uint32_t i = 0; agenda->hosts && i < machine->count; i++)
		agenda->hosts[i] = agenda->barred[i] > end ?
			machine->host_open[i] : (host_t) { 0 };
}

/* RET: first instant from `start` on that no slot of the node is in the way
 * of. */
static int64_t search_gaps(const agenda_t *agenda, uint32_t node,
			   int64_t limit, int64_t start)
{
	for (uint32_t i = agenda->first[node]; i != ENGINE_NONE;
	     i = agenda->slots[i].next) {
		if (start + limit < agenda->slots[i].begin)
			break;
		if (start < agenda->slots[i].end)
			start = agenda->slots[i].end;
	}
	return start;
}

/* RET: first instant from `from` on at which the node can have the job.
 * IN ready: when the node has the GPUs for it. */
static inline int64_t node_start(const sim_t *sim, uint32_t node,
				 const need_t *need, int64_t limit,
				 int64_t from, int64_t ready)
{
	const machine_t *machine = &sim->machine;
	const agenda_t *agenda = sim->agenda;
	int64_t start = ready;

	if (start == SIM_NEVER ||
	    (need->type >= 0 && need->type != machine->type[node]))
		return SIM_NEVER;
	/* COMPLETING, or overdue: soon, and not now. */
	if (start <= sim->now &&
	    (machine->open[node] < need->gpus ||
	     (machine->host_open &&
	      !machine_hosts(&machine->host_open[node], need))))
		start = sim->now + 1;
	if (start < from)
		start = from;
	if (start + limit < agenda->barred[node])
		return start;
	/* In no gap: behind the last. */
	if (limit >= agenda->gap[node])
		return start > agenda->last[node] ? start :
		       agenda->last[node];
	return search_gaps(agenda, node, limit, start);
}

static int64_t earliest_one(sim_t *sim, const need_t *need, int64_t limit,
			    int64_t latest)
{
	const int64_t *ready = sim->agenda->row;
	int64_t best = SIM_NEVER, start;

	for (uint32_t i = 0; i < sim->machine.count; i++) {
		if (ready[i] >= best)
			continue;
		start = node_start(sim, i, need, limit, sim->now, ready[i]);
		if (start < best) {
			best = start;
			sim->machine.chosen[0] = i;
		}
	}
	return best <= latest ? best : SIM_NEVER;
}

/* Instants from `from` on at which enough nodes could have it, one by one. */
static int64_t next_instant(sim_t *sim, const need_t *need, int64_t limit,
			    int64_t from)
{
	agenda_t *agenda = sim->agenda;
	uint32_t count = sim->machine.count;

	for (uint32_t i = 0; i < count; i++)
		agenda->starts[i] = node_start(sim, i, need, limit, from,
					       agenda->row[i]);
	memcpy(agenda->sorted, agenda->starts,
	       count * sizeof(*agenda->sorted));
	return nth_smallest(agenda->sorted, count, need->nodes - 1);
}

/* RET: that node's GPUs that are free then, 0 if the job cannot have it; with
 * CPUs and memory in agenda.hosts. */
static uint16_t free_at(const sim_t *sim, uint32_t node, const need_t *need,
			int64_t limit, int64_t instant)
{
	agenda_t *agenda = sim->agenda;
	uint16_t gpus = need->gpus;

	if (agenda->hosts)
		agenda->hosts[node] = (host_t) { 0 };
	if (agenda->starts[node] > instant ||
	    node_start(sim, node, need, limit, instant,
		       agenda->row[node]) != instant)
		return 0;
	if (agenda->hosts)
		return steps_at(agenda->steps, node, instant,
				&agenda->hosts[node]);
	while (gpus < sim->machine.size[node] &&
	       ready_row(sim, gpus + 1)[node] <= instant)
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
			agenda->open[j] = free_at(sim, j, need, limit,
						  instant);
		if (machine_place(&sim->machine, agenda->open, agenda->hosts,
				  need))
			return instant;
		instant++;
	}
	return SIM_NEVER;
}

static bool is_beyond(const beyond_t *beyond, uint32_t pass,
		      const need_t *need, int64_t limit)
{
	return beyond->pass == pass && beyond->nodes <= need->nodes &&
	       beyond->limit <= limit &&
	       beyond->host.cpus <= need->host.cpus &&
	       beyond->host.mem <= need->host.mem;
}

extern int64_t agenda_earliest(sim_t *sim, const need_t *need, int64_t limit,
			       int64_t latest)
{
	agenda_t *agenda = sim->agenda;
	beyond_t *beyond = &agenda->beyond[(need->type + 1) * BEYOND_ROW];
	int64_t start;

	for (uint16_t i = 0; i <= need->gpus; i++)
		if (is_beyond(&beyond[i], agenda->pass, need, limit))
			return SIM_NEVER;
	agenda->row = agenda->steps ?
		steps_row(agenda->steps, &sim->machine, need) :
		ready_row(sim, need->gpus);
	if (need->nodes == 1)
		start = earliest_one(sim, need, limit, latest);
	else
		start = earliest_many(sim, need, limit, latest);
	beyond = &beyond[need->gpus];
	if (start == SIM_NEVER &&
	    (beyond->pass != agenda->pass || need->nodes <= beyond->nodes))
		*beyond = (beyond_t) {
			.pass = agenda->pass, .nodes = need->nodes,
			.limit = limit, .host = need->host,
		};
	return start;
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

static void measure(agenda_t *agenda, uint32_t node)
{
	uint32_t i = agenda->first[node];
	int64_t end = agenda->slots[i].end, gap = 0;

	agenda->barred[node] = agenda->slots[i].begin;
	while ((i = agenda->slots[i].next) != ENGINE_NONE) {
		if (agenda->slots[i].begin - end > gap)
			gap = agenda->slots[i].begin - end;
		if (agenda->slots[i].end > end)
			end = agenda->slots[i].end;
	}
	agenda->gap[node] = gap;
	agenda->last[node] = end;
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
	measure(agenda, node);
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
