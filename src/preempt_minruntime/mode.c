/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/slurm_compat/compat.h"

#include "mode.h"

extern int mode_check(void)
{
	uint16_t mode = slurm_conf.preempt_mode;

	if (mode & (PREEMPT_MODE_GANG | PREEMPT_MODE_SUSPEND)) {
		error("preempt/minruntime: PreemptMode=%s: the gang scheduler stops jobs without asking, so no minimum runtime could be kept; allowed: REQUEUE, CANCEL",
		      preempt_mode_string(mode));
		return SLURM_ERROR;
	}
	if (compat_mode_off(mode)) {
		error("preempt/minruntime: PreemptMode=%s preempts nothing; allowed: REQUEUE, CANCEL",
		      preempt_mode_string(mode));
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}

extern void mode_advise(void)
{
	if (compat_youngest_first())
		info("preempt/minruntime: %s makes slurmctld take the youngest jobs, whatever work they lose; remove it for least work lost",
		     SB_YOUNGEST_FIRST);
	else if (!compat_strict_order())
		info("preempt/minruntime: without %s slurmctld prefers victims that free most of the wanted nodes to those that lose least work",
		     SB_STRICT_ORDER);
}
