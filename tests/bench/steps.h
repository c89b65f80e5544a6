/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps - plugins' threads, run one step at a time.
 *
 * A plugin's thread does its work and then waits with a time-out. Preloaded,
 * that wait is ours: it ends when we say so, and what lies between two waits is
 * one step, with its CPU time and its locks.
 */
#ifndef BENCH_STEPS_H
#define BENCH_STEPS_H

#include <stdbool.h>

typedef struct {
	double wall;		/* milliseconds */
	double cpu;
} step_t;

/* From now on threads that wait stay in it. */
extern void steps_begin(void);

/* Until the thread of this name waits. RET: false: there is none, after a
 * minute. */
extern bool steps_wait(const char *name);

/* One step of it. IN watch: its locks (holds.h). RET: false: no such thread. */
extern bool steps_run(const char *name, bool watch, step_t *step);

#endif
