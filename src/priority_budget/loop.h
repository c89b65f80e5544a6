/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop - the thread that recomputes: a full pass every PriorityCalcPeriod, and
 * a quick one within seconds of starts and ends of jobs, so that ranks follow
 * them.
 */
#ifndef SB_LOOP_H
#define SB_LOOP_H

#include "src/slurm_compat/compat.h"

/* One full pass in the caller's thread, so that the first submit already finds
 * ranks. Locks: none held. RET: false: jobs may not be touched, and are not
 * (loop_broken()). */
extern bool loop_begin(void);

/* IN begun: loop_begin() was called; else the thread does it, when slurmctld is
 * in control. */
extern void loop_start(bool begun);
/* budget_stop() first. Writes the state a last time. */
extern void loop_stop(void);

/* A full pass as soon as possible. Locks: any. */
extern void loop_kick(void);

/* A look at the next tick, whether jobs have changed or not. Locks: any. */
extern void loop_poke(void);

/* RET: the layout guard has refused a job: nothing may be touched. */
extern bool loop_broken(void);

#endif
