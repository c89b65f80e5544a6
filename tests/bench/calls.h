/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls - what slurmctld asks the plugins about single jobs, and how long an
 * answer takes.
 */
#ifndef SB_BENCH_CALLS_H
#define SB_BENCH_CALLS_H

#include "release.h"
#include "state.h"

extern void calls_begin(long calls, const state_t *jobs);

/* RET: nanoseconds of CPU time per call. */
extern double calls_set(uint32_t (*set)(uint32_t, job_record_t *));
extern double calls_running(const preempt_ops_t *ops);
extern double calls_all(const preempt_ops_t *ops);
extern double calls_prio(const preempt_ops_t *ops);
extern double calls_check(const preempt_ops_t *ops);
/* RET: sum of what the last of these returned, per call. */
extern double calls_yes(void);

/* Ask about jobs that have become others since the last look. RET: how many
 * that could be taken before; calls_wrong(): how many still could be. */
extern double calls_stale(const preempt_ops_t *ops);
extern double calls_wrong(void);

/* Pairs of waiting jobs of equal standing, of which one is free work in turn by
 * an edit of its comment in place. IN look: the watcher looks at all jobs; RET
 * of it: it has. RET: answers; calls_wrong(): how many were not in order. */
extern double calls_order(const preempt_ops_t *ops, bool (*look)(void));
/* The same of pairs, of which one's association loses its budget and has it
 * again. Behind calls_order(). IN recompute: of ranks, as it. */
extern double calls_funding(const preempt_ops_t *ops, bool (*recompute)(void));

#endif
