/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch - the thread of the contract.
 *
 * It signs for jobs that have started, sleeps until the next protection ends
 * and then wakes the scheduler if a waiting job may use it, keeps the clock of
 * the best-ranked blocked job, and requeues jobs past their minimum from nodes
 * that drain.
 */
#ifndef SB_WATCH_H
#define SB_WATCH_H

extern void watch_start(void);
/* RET: false: the thread could not be joined, since our caller holds a lock it
 * waits for. It ends by itself without touching anything. */
extern bool watch_stop(void);

#endif
