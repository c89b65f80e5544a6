/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host - what our threads need of slurm.conf.
 *
 * `scontrol reconfigure` of 22.05 frees and fills slurm_conf in place, with the
 * configuration lock held: a thread without that lock reads freed strings. So
 * the values are copied while nobody can change them.
 */
#ifndef SB_SLURM_HOST_H
#define SB_SLURM_HOST_H

#include "compat.h"

typedef struct {
	/* Read once, valid until host_forget(): they need a restart of
	 * slurmctld in Slurm, too. */
	const char *cluster;		/* ClusterName */
	const char *state_dir;		/* StateSaveLocation */
	const char *dbd_host;		/* AccountingStorageHost */
	/* Read at every reconfigure. */
	uint16_t dbd_port;
	uint16_t msg_timeout;		/* seconds */
	uint32_t min_job_age;		/* MinJobAge, seconds, 0: for ever */
	uint32_t calc_period;		/* PriorityCalcPeriod, seconds */
	uint32_t decay_hl;		/* PriorityDecayHalfLife, seconds */
	uint16_t reset_period;		/* PRIORITY_RESET_* */
} host_t;

/* Locks: conf R or W, or those of init() and of priority_p_reconfig(). */
extern void host_read(void);
/* RET: a copy. Locks: none needed. */
extern host_t host_get(void);
/* When no thread of ours is left. */
extern void host_forget(void);

#endif
