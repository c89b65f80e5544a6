/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "evictions.h"
#include "story.h"
#include "text.h"

struct eviction {
	uint32_t taker, victim;
	int64_t when;
	bool started;		/* the taker, not before */
	bool waits;		/* it still does */
};

static int _by_taker(const void *a, const void *b)
{
	const struct eviction *one = a, *two = b;

	return (one->taker < two->taker) ? -1 : one->taker > two->taker;
}

/* RET: false: nothing is told, or of another time. */
static bool _read(const job_t *job, int64_t from, int64_t until,
		  struct eviction *row)
{
	story_t story;
	int64_t when;

	if (!job->told || !story_read(job->contract.evicted, &story) ||
	    text_date(story.when, &when) || (when < from) || (when >= until))
		return false;
	*row = (struct eviction) { story.taker_id, job->id, when,
				   false, false };
	return story.taker_id != 0;
}

static struct eviction *_first_of(const evictions_t *evictions, uint32_t taker)
{
	size_t low = 0, high = evictions->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (evictions->rows[middle].taker < taker)
			low = middle + 1;
		else
			high = middle;
	}
	return &evictions->rows[low];
}

/* Those of one taker: RET: NULL: no more. */
static struct eviction *_next_of(const evictions_t *evictions, uint32_t taker,
				 struct eviction *row)
{
	return (row < evictions->rows + evictions->count) &&
	       (row->taker == taker) ? row : NULL;
}

static void _mark_waiting(evictions_t *evictions, const queue_t *queue)
{
	for (size_t i = 0; i < queue->waiting; i++) {
		uint32_t id = queue->jobs[i].id;
		struct eviction *row = _first_of(evictions, id);

		for (; (row = _next_of(evictions, id, row)); row++)
			row->waits = true;
	}
}

extern int evictions_fill(evictions_t *evictions, const cluster_t *cluster,
			  int64_t from, int64_t until)
{
	const queue_t *queue = &cluster->queue;

	memset(evictions, 0, sizeof(*evictions));
	evictions->rows = calloc(queue->count + 1, sizeof(*evictions->rows));
	if (!evictions->rows)
		return -1;
	for (size_t i = 0; i < queue->count; i++)
		evictions->count += _read(&queue->jobs[i], from, until,
					  &evictions->rows[evictions->count]);
	qsort(evictions->rows, evictions->count, sizeof(*evictions->rows),
	      _by_taker);
	_mark_waiting(evictions, queue);
	return 0;
}

extern void evictions_see(evictions_t *evictions, const record_t *record)
{
	uint32_t id = record->job->jobid;
	struct eviction *row;

	if (!record->start || !evictions->count)
		return;
	row = _first_of(evictions, id);
	for (; (row = _next_of(evictions, id, row)); row++)
		row->started = row->started || (record->start >= row->when);
}

extern int evictions_finish(const evictions_t *evictions, report_t *report,
			    sb_err_t *err)
{
	for (size_t i = 0; i < evictions->count; i++) {
		const struct eviction *row = &evictions->rows[i];
		report_answer_t started = row->started ? REPORT_YES :
			row->waits ? REPORT_MAYBE : REPORT_NO;

		if (report_preemption(report, row->taker, row->victim, started,
				      err))
			return -1;
	}
	return 0;
}

extern void evictions_free(evictions_t *evictions)
{
	free(evictions->rows);
	memset(evictions, 0, sizeof(*evictions));
}
