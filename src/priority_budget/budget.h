/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget - what the threads and entry points of this plugin share.
 *
 * budget_lock() guards settings, ledger and state info. Order of locks:
 * slurmctld's (conf, job, node, part), then this one, then assoc_mgr's. It is
 * never held across I/O or a call to slurmdbd.
 */
#ifndef SB_BUDGET_H
#define SB_BUDGET_H

#include "src/core/ledger.h"
#include "src/core/params.h"
#include "src/core/state.h"
#include "src/slurm_compat/compat.h"

typedef struct {
	sb_params_t *params;
	int charge_pos;		/* index of the charged TRES */
	sb_ledger_t *ledger;
	bool seeded;		/* slurmdbd's history is in the ledger */
	bool seeding;		/* a part of it is: not to be saved */
	int64_t seed_until;	/* not seeded: all before this is to be read,
				 * of a window that was widened; 0: all before
				 * gap_from */
	int64_t gap_from;	/* attempts that ended in (gap_from, gap_to] */
	int64_t gap_to;		/* may have escaped us; 0, 0: none has, n, 0:
				 * until the first look (unseen.h) */
	struct unseen_job *unseen;
	size_t unseen_count;
	size_t unseen_room;
} budget_t;

/* RET: the one budget of this process, locked. */
extern budget_t *budget_lock(void);
extern void budget_unlock(void);

/*
 * Read PriorityParameters. At start everything must be right; later a bad text
 * leaves the old settings in force and says so.
 * Locks: none of ours, no assoc lock. RET: SLURM_SUCCESS or SLURM_ERROR after
 * an error() that names word, value and what is allowed.
 */
extern int budget_configure(void);

/* Load the state file, or begin a new ledger. Does I/O. */
extern int budget_recover(void);
/* Write the state file when it is time. Does I/O. IN final: at the end. */
extern void budget_save(bool final);

/* RET: all before this is slurmdbd's to tell while it is not seeded. Locks:
 * ours. */
extern int64_t budget_seed_until(const budget_t *budget);

extern void budget_destroy(void);

/* Set by fini(); every loop ends soon. */
extern void budget_stop(bool stop);
extern bool budget_stopping(void);
/* For waits inside Slurm's connection code. */
extern time_t *budget_stop_time(void);

#endif
