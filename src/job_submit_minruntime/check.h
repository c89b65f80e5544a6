/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check - what slurmctld knows of a job that is submitted or changed, put to
 * core/submission.h, and the answer put into Slurm's words.
 */
#ifndef SB_CHECK_H
#define SB_CHECK_H

#include "src/slurm_compat/compat.h"

/*
 * IN/OUT err_msg: a line is added: why not, or a note.
 * Locks: conf R, job R, node R, part R.
 * RET: SLURM_SUCCESS or an ESLURM_* code.
 */
extern int check_submit(job_desc_msg_t *job_desc, char **err_msg);

/*
 * IN/OUT err_msg: a line is added: why not. NULL: this release has no way to
 * tell the user; it is logged (verbose).
 * Locks: conf R, job W, node R, part R.
 * RET: SLURM_SUCCESS or an ESLURM_* code.
 */
extern int check_modify(job_desc_msg_t *job_desc, job_record_t *job_ptr,
			char **err_msg);

#endif
