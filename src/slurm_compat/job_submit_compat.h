/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_submit_compat - what differs between releases for a job_submit plugin.
 */
#ifndef SB_SLURM_JOB_SUBMIT_COMPAT_H
#define SB_SLURM_JOB_SUBMIT_COMPAT_H

#include "compat.h"

#include "src/slurmctld/reservation.h"

#pragma weak default_part_loc

/* job_modify() can tell the user why: err_msg is its last argument. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define SB_MODIFY_ERR_MSG 1
#else
#define SB_MODIFY_ERR_MSG 0
#endif

#endif
