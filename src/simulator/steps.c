/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "steps.h"

/* From then on a node has so much that is not taken. */
typedef struct {
	int64_t when;
	uint32_t gpus;
	host_t host;
} step_t;

struct steps {
	step_t *list;		/* room of them for each node ... */
	size_t room;
	uint32_t *count;	/* ... that has so many, 0: not laid */
	int64_t *row;
};

extern steps_t *steps_create(const machine_t *machine)
{
	steps_t *steps = calloc(1, sizeof(*steps));

	if (!steps)
		return NULL;
	/* Now, and behind each job that a node can have. */
	steps->room = (size_t) machine->job_stride + 1;
	steps->list = calloc(machine->count * steps->room,
			     sizeof(*steps->list));
	steps->count = calloc(machine->count, sizeof(*steps->count));
	steps->row = calloc(machine->count, sizeof(*steps->row));
	if (!steps->list || !steps->count || !steps->row) {
		steps_destroy(steps);
		return NULL;
	}
	return steps;
}

extern void steps_destroy(steps_t *steps)
{
	if (!steps)
		return;
	free(steps->list);
	free(steps->count);
	free(steps->row);
	free(steps);
}

extern void steps_lay(steps_t *steps, const sim_t *sim, uint32_t node,
		      const uint32_t *order, uint32_t count, bool dead)
{
	const machine_t *machine = &sim->machine;
	step_t *step = steps->list + node * steps->room;

	*step = (step_t) {
		.when = dead ? SIM_NEVER : 0, .gpus = machine->free[node],
		.host = machine->host_free[node],
	};
	for (uint32_t i = 0; i < count; i++) {
		const sim_job_t *job = &sim->jobs[order[i]];

		step[1] = step[0];
		step++;
		step->when = dead ? SIM_NEVER : job->expected;
		step->gpus += job->need.gpus;
		step->host.cpus += job->need.host.cpus;
		step->host.mem += job->need.host.mem;
	}
	steps->count[node] = count + 1;
}

extern const int64_t *steps_row(steps_t *steps, const machine_t *machine,
				const need_t *need)
{
	for (uint32_t i = 0; i < machine->count; i++) {
		const step_t *step = steps->list + i * steps->room;
		uint32_t left = steps->count[i];

		while (left && (step->gpus < need->gpus ||
				!machine_hosts(&step->host, need))) {
			step++;
			left--;
		}
		steps->row[i] = left ? step->when : SIM_NEVER;
	}
	return steps->row;
}

extern uint16_t steps_at(const steps_t *steps, uint32_t node, int64_t instant,
			 host_t *host)
{
	const step_t *step = steps->list + node * steps->room;

	for (uint32_t left = steps->count[node]; left > 1 &&
	     step[1].when <= instant; left--)
		step++;
	*host = step->host;
	return (uint16_t) step->gpus;
}
