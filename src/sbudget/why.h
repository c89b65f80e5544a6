/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why - what was found about one job, between finding and telling.
 */
#ifndef SB_WHY_H
#define SB_WHY_H

#include <json-c/json.h>

#include "cluster.h"
#include "contest.h"
#include "story.h"

#define WHY_VERDICTS (SB_NOT_RULE + 1)

/* Jobs ahead whose branch parts from ours in the same place. */
typedef struct {
	int32_t theirs, ours;	/* -1: one association */
	uint32_t jobs;
	double size;
	const job_t *first;
} why_ahead_t;

typedef struct {
	const cluster_t *cluster;
	const job_t *job;

	/* Of a waiting one. */
	uint32_t place, ready;	/* of queue_place() and queue_ready() */
	why_ahead_t *ahead;
	size_t ahead_count;
	contest_t *victims;	/* of contest_victims() */
	size_t victim_count;
	uint32_t refused[WHY_VERDICTS];	/* running jobs, by verdict */
	uint32_t unfit;		/* running jobs that hold nothing of use */

	/* Of one that has started. */
	bool will_yield;
	contest_t taker;

	bool story_known;
	story_t story;
} why_t;

extern void why_print(const why_t *why);
extern json_object *why_json(const why_t *why);

#endif
