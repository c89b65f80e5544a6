/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits - every bound and default of the core, with its unit and its reason.
 */
#ifndef SB_CORE_LIMITS_H
#define SB_CORE_LIMITS_H

#define SB_MINUTE 60
#define SB_HOUR (60 * SB_MINUTE)
#define SB_DAY (24 * SB_HOUR)

/* Window width, seconds. Less than a minute is shorter than any recomputation
 * period; more than a leap year is an allocation, which GrpTRESMins does. */
#define SB_WINDOW_MIN SB_MINUTE
#define SB_WINDOW_MAX (366 * SB_DAY)
#define SB_WINDOW_DEFAULT (7 * SB_DAY)

/* Buckets in a window: 7 days give one hour each, the grain of slurmdbd's
 * usage tables, and a ring of doubles stays below 2 KiB. */
#define SB_WINDOW_BUCKETS 168

/* After a crash the host may begin with a state of its own that is this much
 * older than ours, seconds (slurmctld saves its jobs every 5 s, on a disk that
 * may be slow), and show attempts as running that we know to have ended. */
#define SB_HINDSIGHT (2 * SB_MINUTE)

/* The host may tell the accounting database what it knows this much later,
 * seconds: what is not there by then, never will be. */
#define SB_PATIENCE SB_MINUTE

/* Longest settings text (slurm.conf lines may be long, ours need not be). */
#define SB_PARAMS_MAX 16384
/* Most min_runtime_max@PARTITION words; more is a generated mistake. */
#define SB_PARTITION_CAPS_MAX 1024
/* Longest partition or TRES name in a setting. */
#define SB_NAME_MAX 128

/* Longest comment that is parsed (sbatch refuses more than 1024 bytes). */
#define SB_COMMENT_MAX 4096

/* Longest time that a Slurm time string may name, seconds. */
#define SB_TIMESPAN_MAX (10 * 366 * (long) SB_DAY)

/* Protection of a job: cap on the declaration, seconds. */
#define SB_MIN_RUNTIME_MAX_DEFAULT (8 * SB_HOUR)

/* Longest protection or wait that a setting may name, seconds: no job of a
 * shared cluster runs longer than a leap year. */
#define SB_SETTING_TIME_MAX (366 * SB_DAY)

/* Margin between a preemptor's branch and its budget, part of 1. Without one
 * two teams evict each other in turn; near 1 nobody could ever preempt. */
#define SB_PREEMPT_MARGIN_DEFAULT 0.10
#define SB_PREEMPT_MARGIN_MAX 0.9

/* Burst, times the allocation. Below 1 a team could not even run what it is
 * owed; above 1000 it is as good as off. */
#define SB_BURST_DEFAULT 2.0
#define SB_BURST_MIN 1.0
#define SB_BURST_MAX 1000.0

/* Large-job exception: nodes (Slurm knows no more than 64 Ki) and wait. */
#define SB_GANG_NODES_DEFAULT 4
#define SB_GANG_NODES_MAX 65536
#define SB_GANG_WAIT_DEFAULT (4 * SB_HOUR)

/* Debug exception: longest minimum of a debug job, seconds. */
#define SB_DEBUG_RUNTIME_DEFAULT (15 * SB_MINUTE)

/* Longer protection per eviction, factor. */
#define SB_PROTECT_GROWTH_MAX 10.0

/* Protection that protect_growth can reach, seconds. */
#define SB_PROTECT_GROWTH_CAP (24 * SB_HOUR)

/* Most nodes of a job that a debug job may take: what a debugging session
 * gets back in minutes should not cost more than a rack's corner. */
#define SB_DEBUG_VICTIM_NODES 4

/* What a restarted job loses besides its work (queue, load, warm up), seconds
 * per GPU. */
#define SB_RESTART_COST (10 * SB_MINUTE)

/* Ratio of an unfunded association; every other ratio is below it. */
#define SB_RATIO_UNFUNDED 1e12
#define SB_RATIO_MAX 1e11

/* Deepest association tree; a deeper one (or a cycle) is an error. */
#define SB_TREE_DEPTH_MAX 256

/* Whole TRES-seconds that one association can have used: 2^62. */
#define SB_USAGE_MAX 4611686018427387904ULL

#endif
