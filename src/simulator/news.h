/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * news - what the observer is told.
 * RET of all: 0, or -1: it said stop (err).
 */
#ifndef SB_SIM_NEWS_H
#define SB_SIM_NEWS_H

#include "sim.h"

/* IN/OUT run: what can be taken from the job is filled in. */
extern int news_run(sim_t *sim, engine_run_t *run, uint32_t job);
/* A job is over, or was refused. */
extern int news_over(sim_t *sim, uint32_t job);
/* The cluster has more or less nodes than at the last call. */
extern int news_capacity(sim_t *sim);

#endif
