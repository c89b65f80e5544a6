/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edits - what slurmctld does with running jobs while a plugin goes through
 * them and has let go of the job lock for a moment: they end, others begin,
 * limits and what they are counted by are edited. And whether run seconds are
 * right afterwards.
 */
#ifndef BENCH_EDITS_H
#define BENCH_EDITS_H

#include "options.h"
#include "state.h"

/* Once. IN job_end: the plugin's priority_p_job_end(). */
extern void edits_begin(const options_t *options, const state_t *jobs,
			void (*job_end)(job_record_t *));

/* Edit something that run seconds of at least one running job depend on. */
extern void edits_edit(void);

typedef enum {
	EDITS_NONE,
	EDITS_EXACT,	/* those that slurmctld counts as we do: sums need no
			 * recount of their own to be right */
	EDITS_ANY
} edits_t;

/* From now on, whenever a watched thread gives the job lock up (holds.h).
 * IN begins: jobs begin each time; else now and then. */
extern void edits_on(bool begins, edits_t edits);
extern void edits_off(void);
/* Instead: one job begins each time. */
extern void edits_begin_only(void);

/* For unseen.c, with locks job W: one that runs and has run seconds left; one
 * that waits begins, and has; one that runs is no longer counted with; it ends,
 * and slurmctld says so; another QOS than the job's. NULL: there is none. */
extern job_record_t *edits_any(void);
extern job_record_t *edits_start(void);
extern void edits_leave(const job_record_t *job_ptr);
extern void edits_end(job_record_t *job_ptr);
extern slurmdb_qos_rec_t *edits_other_qos(const job_record_t *job_ptr);
extern void priority_g_job_end(job_record_t *job_ptr);

/* The clock of all threads stands still, so many seconds ahead; RET: at this
 * time. A pass is compared with a count of the time that it had. */
extern time_t edits_stop_clock(time_t ahead);
extern void edits_start_clock(void);
/* A sum of root is wrong, and no job says so. */
extern void edits_spoil(void);
/* RET: how much was done. */
extern long edits_done(void);

/* sums_compare() with the jobs that should be counted. */
extern long edits_compare(time_t now);

#endif
