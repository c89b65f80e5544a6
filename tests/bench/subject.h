/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * subject - a pair of plugins, loaded by Slurm's own loader into this process,
 * and what is measured of it. "stock" is priority/multifactor with preempt/qos
 * and preempt/partition_prio, "ours" priority/budget with preempt/minruntime.
 */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include <stdbool.h>

#include "options.h"
#include "state.h"

#define FIGURES 64

/* Names live as long as the program. */
typedef struct {
	int count;
	struct {
		const char *name;
		double value;
	} rows[FIGURES];
} figures_t;

/* Once in a process. RET: true, or false after a message. */
extern bool subject_load(bool ours, const options_t *options,
			 const state_t *state);

/* Measurements by number, from 0. RET: its name, NULL: there are no more. */
extern const char *subject_measurement(int number);

/* RET: it cannot be done twice in a process. */
extern bool subject_once(int number);

/* RET: false: this subject has nothing of the kind. */
extern bool subject_measure(int number, figures_t *figures);

#endif
