/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - what a cluster delivered in a period, held against its budgets.
 *
 * Runs, capacity and preemptions go in, in any order and each once; figures
 * come out as sheets (sheet.h), JSON, CSV and one HTML page (page.h). Whoever
 * calls reads slurmdbd or simulates: nothing here knows Slurm, a clock, a time
 * zone or a file. What each figure means, with an example computed by hand, is
 * in doc/report.md; nothing that its source cannot know is guessed.
 *
 * Times are epoch seconds, the period is [from, until), its hours are counted
 * from `from` (the last may be short). What lies outside of the period is cut
 * off. "GPUs" are whatever the caller counts (report_options_t.unit).
 *
 * Memory: 32 bytes per hour and account with jobs, 16 per wait, and the names
 * of users; constant time per call, O(n log n) at the end.
 * Not for several threads at once.
 */
#ifndef SB_REPORT_H
#define SB_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Longest period, hours: two leap years. */
#define REPORT_HOURS_MAX (2 * 366 * 24)
/* Longest name that is kept, bytes. */
#define REPORT_NAME_MAX 255
/* Most GPUs or nodes of one run, or of a cluster: keeps sums in 64 bits. */
#define REPORT_GPUS_MAX 10000000
/* Latest time, epoch seconds (the year 4147), keeps differences small. */
#define REPORT_TIME_MAX (INT64_C(1) << 36)

#define REPORT_UNKNOWN (-1)
#define REPORT_NO_ACCOUNT (-1)
#define REPORT_NO_PARENT (-1)

typedef struct report report_t;

/* An account and its budget, as it is when the report is made: slurmdbd keeps
 * no history of budgets. */
typedef struct {
	const char *name;	/* copied */
	int32_t parent;		/* index, before its children, or
				 * REPORT_NO_PARENT */
	double allocation;	/* budget as share of the cluster, 0 .. 1, see
				 * tree.h; 0: unfunded */
	bool team;		/* counts in the totals over teams; none is
				 * above another. None at all marked: the
				 * funded accounts without accounts below */
} report_account_t;

typedef struct {
	const char *unit;	/* "GPU", copied; NULL: that */
	int64_t debug;		/* a debug job declares or limits itself to at
				 * most this, seconds */
	uint32_t large_nodes;	/* a large job has at least so many nodes */
	uint32_t large_gpus;	/* or GPUs; 0: nodes alone decide */
	int64_t cap;		/* min_runtime_max, seconds; 0: unknown */
	int64_t idle_time;	/* squatting: runs at least so long, seconds */
	double idle_usage;	/* with at most this GPU utilisation, 0 .. 1 */
	uint32_t idle_repeat;	/* so many of one user are a habit */
	bool classes_known;	/* false: the source keeps no declarations
				 * (AccountingStoreFlags without job_comment);
				 * said in the report */
} report_options_t;

/* 15 minutes, 4 nodes, 8 hours, 4 hours, 5 %, 3; classes known. */
extern const report_options_t report_options_default;

typedef enum {
	REPORT_ALLOCATED,	/* declared a minimum */
	REPORT_UNDECLARED,	/* none, and is charged */
	REPORT_FREE,		/* declared 0: unallocated */
	REPORT_CLASS_UNKNOWN,	/* counts as charged, and is said */
	REPORT_CLASSES
} report_class_t;

typedef enum {
	REPORT_OPEN,		/* still runs, or still waits */
	REPORT_COMPLETED,
	REPORT_PREEMPTED,	/* requeued or cancelled for another job */
	REPORT_NODE_FAIL,	/* also launch and boot failures */
	REPORT_FAILED,		/* its own exit code, out of memory */
	REPORT_TIMEOUT,
	REPORT_CANCELLED,
	REPORT_REQUEUED,	/* by user or admin */
	REPORT_ENDS
} report_end_t;

/* One run of a job, or the wait of one that has not run (yet). A job that was
 * requeued has one for each. */
typedef struct {
	uint64_t job;		/* shown only */
	int32_t account;	/* index, or REPORT_NO_ACCOUNT */
	const char *user;	/* NULL: unknown; copied if needed */
	int64_t eligible;	/* when its wait began: submitted, dependencies
				 * and begin time met; or requeued */
	int64_t start;		/* 0: has not */
	int64_t end;		/* 0: has not; of one that never started: when
				 * it was cancelled */
	uint32_t gpus;		/* asked for or allocated; 0: counts as a job,
				 * in nothing else */
	uint32_t nodes;
	report_class_t class;
	int64_t minimum;	/* declared, seconds, or REPORT_UNKNOWN: also
				 * when it declared none */
	int64_t cap;		/* of its partition, 0: options.cap */
	int64_t limit;		/* time limit, seconds, or REPORT_UNKNOWN */
	report_end_t outcome;
	bool restart;		/* not the job's first run */
	bool interactive;	/* salloc, srun */
	double usage;		/* GPU utilisation, 0 .. 1, or REPORT_UNKNOWN */
	double lost;		/* GPU-seconds that a preemption or a failed
				 * node undid, or REPORT_UNKNOWN: then what the
				 * contract says, see doc/report.md */
	int64_t drained;	/* seconds that a node of it was draining while
				 * it ran */
} report_run_t;

typedef enum {
	REPORT_NO, REPORT_YES, REPORT_MAYBE	/* not known (yet) */
} report_answer_t;

/*
 * IN accounts: count of them, copied. IN options: NULL: the default.
 * RET: NULL with err (period empty, too long or out of range, a parent not
 * before its child, allocation not in 0 .. 1, a team above another, no memory).
 */
extern report_t *report_create(int64_t from, int64_t until,
			       const report_account_t *accounts, size_t count,
			       const report_options_t *options, sb_err_t *err);
/* NULL is legal. */
extern void report_destroy(report_t *report);

/*
 * The index of an account by name; one that is not there (deleted since) is
 * added, unfunded and without a parent. RET: index, or REPORT_NO_ACCOUNT with
 * err (no memory, name NULL, empty or too long).
 */
extern int32_t report_account(report_t *report, const char *name,
			      sb_err_t *err);

/*
 * A run. One that cannot be (end before start, start before eligible by more
 * than a day of clock steps, out of bounds) is refused and counted; the sheets
 * say how many. RET: 0, or -1 with err, nothing else changed.
 */
extern int report_add(report_t *report, const report_run_t *run,
		      sb_err_t *err);

/*
 * Add to what the cluster has, between two times: once for all, or node by
 * node. Down and planned (maintenance) are parts of total; what of them
 * exceeds it is ignored. RET: 0, or -1 with err.
 */
extern int report_capacity(report_t *report, int64_t from, int64_t until,
			   uint32_t total, uint32_t down, uint32_t planned,
			   sb_err_t *err);

/*
 * What is known of a preemption in the period, beyond the end of the run that
 * it ended: for which job, and did that start for it.
 * IN preemptor: 0: not known. RET: 0, or -1 with err.
 */
extern int report_preemption(report_t *report, uint64_t preemptor,
			     uint64_t preemptee, report_answer_t started,
			     sb_err_t *err);

/*
 * A bar of the page's Gantt plot: a node (or anything that is one lane) was
 * held by an account. For simulations and short periods; beyond REPORT_BARS_MAX
 * they are counted and said, not drawn. RET: 0, or -1 with err.
 */
#define REPORT_BARS_MAX 4000
#define REPORT_LANES_MAX 128
extern int report_bar(report_t *report, uint32_t lane, int32_t account,
		      int64_t from, int64_t until, sb_err_t *err);

/*
 * No more input: compute. Once; needed before everything in sheet.h and page.h.
 * RET: 0, or -1 with err (no memory).
 */
extern int report_finish(report_t *report, sb_err_t *err);

/* Headline figures. Shares are 0 .. 1, NAN when there is nothing to divide by
 * or nothing known. */
typedef struct {
	double total, down, planned;	/* GPU-hours */
	double available;		/* total - down - planned */
	double allocated;		/* by jobs of all classes */
	double free;			/* of it unallocated */
	double lost_preempted, lost_failed;	/* GPU-hours */
	double ended_failed;		/* GPU-hours of runs that FAILED */
	double availability;		/* available / total */
	double occupancy;		/* allocated / available */
	double impact;			/* 1 - lost / allocated */
	double utilisation;		/* where known, by GPU-hours */
	double utilisation_known;	/* share of allocated it is known for */
	double owed, delivered;		/* teams; delivered: no more than owed
					 * of each */
	double delivered_owed;
	double worst;			/* delivered / owed of a team */
	size_t teams;			/* that are owed something */
	size_t teams_95;		/* with 95 % of it or more */
	double unallocated;		/* free / allocated */
	size_t preemptions;
	size_t preemptors_known, preemptors_started;
	size_t runs, refused;
} report_totals_t;

/* RET: of the report, NULL before report_finish(). */
extern const report_totals_t *report_totals(const report_t *report);

#endif
