/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recount - run seconds of associations and QOS, counted anew beside those that
 * slurmctld sees, which stay as they are until all of it can be put in their
 * place at once (limits.h).
 *
 * Under assoc_mgr's assoc W and qos W.
 */
#ifndef SB_RECOUNT_H
#define SB_RECOUNT_H

#include "src/slurm_compat/compat.h"

/* Names of what is counted. Slurm makes its arrays anew when there is a new
 * TRES, and only then: those that a QOS has per account and user have no other
 * name than where they are. */
#define RECOUNT_ASSOC(assoc) ((uint64_t) (assoc)->id)
#define RECOUNT_QOS(qos) ((1ULL << 32) | (qos)->id)
#define RECOUNT_USED(run_secs) ((1ULL << 63) | (uintptr_t) (run_secs))

/* Begin one with all sums 0. RET: false: one is under way, and goes on. Locks:
 * tres R too. */
extern bool recount_open(void);
extern bool recount_is_open(void);

/* RET: recount_width() sums, NULL without memory (remembered). Until the next
 * call. */
extern uint64_t *recount_sums(uint64_t name);
extern size_t recount_width(void);

/* The sums are not complete. */
extern void recount_spoil(void);

/* Put the sums in the place of slurmctld's, 0 where there are none. RET: false:
 * they are not complete, or there is a new TRES, and nothing was done. Locks:
 * tres R too. */
extern bool recount_close(void);
/* Forget all. */
extern void recount_drop(void);

#endif
