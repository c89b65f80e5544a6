/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generate - synthetic workloads: teams in programs, whose demand is a stated
 * multiple of a cluster's capacity.
 *
 * Demand is counted in GPU-hours, or where nodes have CPUs in hours of what a
 * job needs most (flavour.h), of the whole time: jobs are drawn until each
 * team has asked for exactly its part in each class. A team that asks for less
 * than its budget is modest, the others are hungry and ask for the rest, all
 * by the same multiple of their budgets; so `owed` (what budgets are owed when
 * each is capped at its demand) and `demand` both come out as stated. Arrivals
 * follow the hours of a day, the days of a week, and each team's own good and
 * bad weeks.
 */
#ifndef SB_SIM_GENERATE_H
#define SB_SIM_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

typedef struct {
	uint32_t days;
	uint32_t gpus;		/* of the cluster */
	uint32_t node_gpus;	/* of a node: the most that small jobs ask */
	uint32_t programs, teams, users;	/* users: of a team */
	double owed;		/* part of capacity, see above */
	double demand;		/* times capacity, all classes */
	double free;		/* part of demand that is filler */
	double debug, interactive, large;	/* parts of the rest; training
						 * is what remains */
	uint32_t largest;	/* GPUs of the largest jobs; 0: half of all */
	int64_t min_debug, min_interactive, min_training, min_large;
				/* declared, seconds; training: that, half or
				 * a quarter of it; debug: the limit too */
	int64_t filler_limit;	/* time limit of filler, seconds */
	double season;		/* how much nights and weekends are below days,
				 * 0 .. 1 */
	uint32_t node_cpus, node_mem;	/* of a node, MB; 0: nobody counts
				 * them */
	double cpu_heavy, mem_heavy, cpu_only;	/* parts of the teams whose
				 * jobs are so, see flavour.h */
	double rush;		/* deviation of the logarithm of a team's
				 * weekly demand */
} generate_t;

/*
 * IN text: PRESET[,WORD=VALUE...] or WORD=VALUE,...; words are the fields'
 * names. Presets: month-s1 (the default: 30 days of 1024 GPUs, 15 teams in 4
 * programs, owed 0.71, demand 2.2), month-s2 (owed 0.94, demand 2.8) and mixed
 * (like that, 14 days of 256 GPUs, 16 CPUs and 256 GB with each; a fifth of the
 * teams each is heavy on CPUs, on memory, and without GPUs).
 * RET: 0, or -1 with err.
 */
extern int generate_parse(const char *text, generate_t *spec, sb_err_t *err);

/* RET: a word of SPEC has this name. */
extern bool generate_knows(const char *name, size_t len);

/* Change one of them. RET: 0, or -1 with err; spec is then not to be used. */
extern int generate_change(generate_t *spec, const char *name, size_t name_len,
			   const char *value, size_t value_len, sb_err_t *err);

/* RET: 0, or -1 with err: words that do not go together. */
extern int generate_check(const generate_t *spec, sb_err_t *err);

/* Deterministic for spec and seed. RET: a workload, NULL with err. */
extern workload_t *generate_workload(const generate_t *spec, uint64_t seed,
				     sb_err_t *err);

#endif
