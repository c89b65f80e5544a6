/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavour - which of GPUs, CPUs and memory a team's jobs need most.
 *
 * A made-up job is drawn as so many GPUs' worth of a cluster: with a GPU go its
 * part of the node's CPUs and memory. That much it takes of what it needs most:
 *   plain    its GPUs, with half of the CPUs and memory that go with them
 *   cpus     its CPUs, with a quarter of the GPUs and of the memory
 *   memory   its memory, with a quarter of the GPUs and of the CPUs
 *   no GPUs  its CPUs, with a quarter of the memory
 * At least one GPU, but for the last, and one CPU on each node; so a job of one
 * GPU's worth needs a GPU whatever its flavour.
 */
#ifndef SB_SIM_FLAVOUR_H
#define SB_SIM_FLAVOUR_H

#include "dice.h"
#include "generate.h"

typedef enum {
	FLAVOUR_PLAIN, FLAVOUR_CPUS, FLAVOUR_MEMORY, FLAVOUR_NO_GPUS, FLAVOURS
} flavour_t;

/* RET: what is behind the name of such a team: "", "-cpu", ... */
extern const char *flavour_suffix(flavour_t flavour);

/* Each team's, in an order of chance: parts as spec has them, rounded.
 * OUT flavours: spec->teams of them. RET: 0, or -1 without memory. */
extern int flavour_draw(const generate_t *spec, dice_t *dice,
			flavour_t *flavours);

/* IN/OUT job: drawn, its GPUs are what it is worth. Does nothing when spec has
 * no CPUs. */
extern void flavour_dress(const generate_t *spec, flavour_t flavour,
			  workload_job_t *job);

#endif
