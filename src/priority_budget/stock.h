/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stock - Slurm's own priority_multifactor.so, loaded behind ours for the
 * factors that are not fair share. Its init() is never called, so that its
 * accounting thread does not exist; its fini() is safe without.
 *
 * It reads weights and flags from slurm_conf in its priority_p_reconfig().
 * There we show it two changed values for a moment: FAIR_TREE is set, so that
 * it takes fs_factor as we computed it, and under order=budget the fair-share
 * weight is 0, because the rank is not a term of its sum.
 */
#ifndef SB_STOCK_H
#define SB_STOCK_H

#include "src/slurm_compat/compat.h"

/* Find it in PluginDir, check its version, resolve its symbols.
 * RET: SLURM_SUCCESS, or SLURM_ERROR after an error(). */
extern int stock_load(void);
extern void stock_unload(void);

/* Read weights and flags. IN fair_share: false: order=budget.
 * Locks: conf W, or the ones of priority_p_reconfig(). */
extern void stock_configure(bool fair_share);

/*
 * The job's priority by Slurm's rules, prio_factors filled in. The caller has
 * called site_factor_g_set() where it is due; a job that is not pending has it
 * called once more here. job_ptr->priority is changed.
 * Locks: job W, no assoc lock. RET: 1 .. 2^32 - 1.
 */
extern uint32_t stock_weigh(job_record_t *job_ptr, time_t now);

/* Slurm's own priority_p_set(). Locks: job W, no assoc lock. */
extern uint32_t stock_set(job_record_t *job_ptr);

/* The list for sprio. Locks: as the entry point of the running release. */
extern sb_list_t stock_factors_list(SB_FACTORS_PARAMS);

/* The largest weighted sum of normalised factors (no fair share).
 * Locks: conf R, no assoc lock. */
extern double stock_max_factors(void);

#endif
