/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * renew - pointers to associations and QOS after a reconfigure that failed.
 *
 * From 23.11 on `scontrol reconfigure` starts a new slurmctld. When that one
 * refuses its settings, the old one goes on: it ends its plugins, reads
 * associations and QOS from slurmdbd into new records, and starts its plugins
 * again, while jobs and partitions still point to the old records, which are
 * freed. Some releases repair that in a thread of their own, a little later;
 * what looks before crashes slurmctld.
 */
#ifndef SB_SLURM_RENEW_H
#define SB_SLURM_RENEW_H

#include <stdbool.h>

/*
 * In init(), behind guard_reset(): are there jobs already? Then point them, and
 * the partitions, to the records of today.
 * Locks: those of init(), as that release holds them (job W, part W).
 * RET: this slurmctld ran before a reconfigure that failed.
 */
extern bool renew_pointers(void);

#endif
