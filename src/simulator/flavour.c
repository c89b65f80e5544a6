/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "flavour.h"

/* Parts of what its GPUs' worth would have. */
static const struct {
	const char *suffix;
	double gpus, cpus, mem;
} flavours_of[FLAVOURS] = {
	[FLAVOUR_PLAIN] = { "", 1, 0.5, 0.5 },
	[FLAVOUR_CPUS] = { "-cpu", 0.25, 1, 0.25 },
	[FLAVOUR_MEMORY] = { "-mem", 0.25, 0.25, 1 },
	[FLAVOUR_NO_GPUS] = { "-nogpu", 0, 1, 0.25 },
};

extern const char *flavour_suffix(flavour_t flavour)
{
	return flavours_of[flavour].suffix;
}

extern int flavour_draw(const generate_t *spec, dice_t *dice,
			flavour_t *flavours)
{
	uint32_t *order = calloc(spec->teams, sizeof(*order));
	const double parts[FLAVOURS] = {
		[FLAVOUR_CPUS] = spec->cpu_heavy,
		[FLAVOUR_MEMORY] = spec->mem_heavy,
		[FLAVOUR_NO_GPUS] = spec->cpu_only,
	};
	double sum = 0;
	uint32_t at = 0;

	if (!order)
		return -1;
	for (uint32_t i = 0; i < spec->teams; i++) {
		uint32_t other = dice_below(dice, i + 1);

		order[i] = order[other];
		order[other] = i;
		flavours[i] = FLAVOUR_PLAIN;
	}
	/* Rounded in sum: three parts of a third are all of them. */
	for (int flavour = FLAVOUR_CPUS; flavour < FLAVOURS; flavour++) {
		sum += parts[flavour] * spec->teams;
		while (at < spec->teams && at + 0.5 <= sum)
			flavours[order[at++]] = (flavour_t)flavour;
	}
	free(order);
	return 0;
}

static uint64_t at_least(double amount, uint32_t least)
{
	double whole = floor(amount);

	return whole > least ? (uint64_t)whole : least;
}

extern void flavour_dress(const generate_t *spec, flavour_t flavour,
			  workload_job_t *job)
{
	double worth = job->gpus;

	if (!spec->node_cpus)
		return;
	job->nodes = job->gpus / spec->node_gpus +
		(job->gpus % spec->node_gpus != 0);
	job->cpus = (uint32_t)at_least(worth * flavours_of[flavour].cpus *
				       spec->node_cpus / spec->node_gpus,
				       job->nodes);
	job->mem_mb = (uint64_t)(worth * flavours_of[flavour].mem *
				 spec->node_mem / spec->node_gpus);
	if (flavour == FLAVOUR_NO_GPUS)
		job->gpus = 0;
	else if (flavour != FLAVOUR_PLAIN)
		job->gpus = (uint32_t)at_least(worth *
					       flavours_of[flavour].gpus,
					       job->nodes);
}
