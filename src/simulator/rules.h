/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules - what the engine asks: who stands where in the queue, who may be
 * preempted by whom, which victim goes first.
 *
 * ENGINE_BUDGET answers with src/core; the others are what it is compared to.
 */
#ifndef SB_SIM_RULES_H
#define SB_SIM_RULES_H

#include "engine.h"

struct sim;

typedef struct {
	/* RET: 0, or -1 with err. close() is called in any case. */
	int (*open)(struct sim *sim, sb_err_t *err);
	void (*close)(struct sim *sim);
	/* Place all lanes, as of this instant, never earlier than the last
	 * one. OUT moved: the order of lanes is another. */
	int (*rank)(struct sim *sim, int64_t now, bool *moved, sb_err_t *err);
	/* The contract of a job that starts: class, granted, unprotected. */
	void (*sign)(struct sim *sim, uint32_t job);
	/* It has started; it has ended, its association's list is without it.
	 * RET: 0, or -1 without memory. */
	int (*started)(struct sim *sim, uint32_t job);
	int (*ended)(struct sim *sim, uint32_t job);
	/* May the waiting job take the members of this group of the crowd?
	 * NULL: nobody is preempted. */
	bool (*may)(struct sim *sim, uint32_t group, uint32_t preemptor);
	/* Of one association, class and claim: the same answers of may(). */
	uint32_t (*claim)(struct sim *sim, uint32_t preemptor);
	/* Surely nobody is there whom this job may preempt: cheap. */
	bool (*hopeless)(struct sim *sim, uint32_t preemptor);
	/* A job has joined the crowd. NULL: nothing to do. RET: 0, or -1
	 * without memory. */
	int (*crowded)(struct sim *sim, uint32_t job);
	/* Charges of this user's account against its budget, see engine_run_t.
	 * NULL: not known. */
	double (*standing)(const struct sim *sim, uint32_t assoc);
	uint32_t (*victim_prio)(struct sim *sim, uint32_t victim);
	/* A limit of its account keeps this job from starting; NULL: none. */
	bool (*closed)(struct sim *sim, uint32_t job);
} rules_t;

extern const rules_t rules_budget;
extern const rules_t rules_multifactor;
extern const rules_t rules_fifo;
extern const rules_t rules_priority;

#endif
