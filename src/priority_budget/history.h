/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history - what slurmdbd knows and slurmctld did not see: usage before our
 * first start, attempts that ended while slurmctld was down, attempts that
 * vanished between two looks. A thread of its own, since slurmdbd may take its
 * time or be down: it retries until it has succeeded and never holds a lock
 * while it asks.
 */
#ifndef SB_HISTORY_H
#define SB_HISTORY_H

/* Start and join the thread (budget_stop() first). */
extern void history_start(void);
extern void history_stop(void);

#endif
