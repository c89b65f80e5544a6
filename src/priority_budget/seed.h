/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seed - the window before our first start, from slurmdbd's hourly usage and,
 * where these end, its records of jobs.
 */
#ifndef SB_SEED_H
#define SB_SEED_H

/*
 * All or nothing: slurmdbd may fail half-way. Blocks. Locks: none held.
 * IN conn: to slurmdbd. RET: 0, and the budget is seeded; -1 when slurmdbd did
 * not give all that was asked for.
 */
extern int seed_window(void *conn);

#endif
