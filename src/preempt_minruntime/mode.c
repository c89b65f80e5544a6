/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/slurm_compat/compat.h"

#include "mode.h"

extern int mode_check(void)
{
	uint16_t mode = slurm_conf.preempt_mode;

	if (mode == PREEMPT_MODE_OFF) {
		error("preempt/minruntime: PreemptMode=OFF preempts nothing; allowed: REQUEUE, CANCEL");
		return SLURM_ERROR;
	}
	if (mode & (PREEMPT_MODE_GANG | PREEMPT_MODE_SUSPEND)) {
		error("preempt/minruntime: PreemptMode=%s: the gang scheduler stops jobs without asking, so no minimum runtime could be kept; allowed: REQUEUE, CANCEL",
		      preempt_mode_string(mode));
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}
