/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preempt_compat - what differs between releases for a preempt plugin.
 */
#ifndef SB_SLURM_PREEMPT_COMPAT_H
#define SB_SLURM_PREEMPT_COMPAT_H

#include "compat.h"

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/preempt.h"
#else
#include "src/slurmctld/preempt.h"
#endif
#include "src/slurmctld/job_scheduler.h"

/* One get_data() up to 24.11, three functions from 25.05. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
#define SB_PREEMPT_GET_DATA 1
#else
#define SB_PREEMPT_GET_DATA 0
#endif

#endif
