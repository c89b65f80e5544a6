/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mode - PreemptMode of slurm.conf: can this plugin keep its word under it?
 */
#ifndef SB_MODE_H
#define SB_MODE_H

/* RET: SLURM_SUCCESS, or SLURM_ERROR after an error(). */
extern int mode_check(void);

/* What of slurm.conf has a surprising effect is said once at start. Locks: conf
 * R, or none in init(). */
extern void mode_advise(void);

#endif
