/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "outages.h"
#include "text.h"

/* A node that drained; gpus: out of service as far as no job has them. */
struct outage {
	char *node;
	int64_t from, until;
	uint32_t gpus;
};

/* From this time on jobs have so many more, or less, of what drains there. */
struct outage_use {
	size_t row;
	int64_t when;
	double gpus;
};

typedef struct {
	outages_t *outages;
	const char *tres;
	int64_t until;
	report_t *report;
	sb_err_t *err;
} filler_t;

static uint32_t _count(const slurmdb_event_rec_t *event, const char *tres)
{
	double count = 0;

	(void) text_tres(event->tres_str, tres, &count);
	if (!(count > 0))
		return 0;
	return (count < REPORT_GPUS_MAX) ? lround(count) : REPORT_GPUS_MAX;
}

/* As slurmdbd's hourly sums have it. */
static bool _is_planned(uint32_t state)
{
	return ((state & NODE_STATE_BASE) == NODE_STATE_FUTURE) ||
	       (state & NODE_STATE_MAINT) ||
	       ((state & NODE_STATE_CLOUD) &&
		(state & NODE_STATE_POWERED_DOWN));
}

static int _add_draining(outages_t *outages, const char *node, int64_t from,
			 int64_t until, uint32_t gpus)
{
	struct outage *row = &outages->rows[outages->count];

	if (until <= from)
		return 0;
	*row = (struct outage) { strdup(node), from, until, gpus };
	if (!row->node)
		return -1;
	outages->count++;
	return 0;
}

static int _add_event(void *item, void *arg)
{
	const slurmdb_event_rec_t *event = item;
	filler_t *filler = arg;
	uint32_t gpus = _count(event, filler->tres), state = event->state;
	int64_t from = event->period_start;
	int64_t until = event->period_end ? event->period_end : filler->until;
	bool planned = _is_planned(state);

	if (!gpus || (until <= from))
		return 0;
	if (!event->node_name || !*event->node_name)
		return report_capacity(filler->report, from, until, gpus, 0, 0,
				       filler->err);
	if (!planned && (state & NODE_STATE_DRAIN) &&
	    ((state & NODE_STATE_BASE) != NODE_STATE_DOWN)) {
		if (_add_draining(filler->outages, event->node_name, from,
				  until, gpus))
			return sb_err_set(filler->err, "no memory");
		return 0;
	}
	return report_capacity(filler->report, from, until, 0,
			       planned ? 0 : gpus, planned ? gpus : 0,
			       filler->err);
}

static int _compare(const void *a, const void *b)
{
	const struct outage *one = a, *two = b;
	int rc = strcmp(one->node, two->node);

	return rc ? rc : (one->from < two->from) ? -1 : one->from > two->from;
}

static size_t _first_of(const outages_t *outages, const char *node)
{
	size_t low = 0, high = outages->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(outages->rows[middle].node, node) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Before slurmdbd heard of it: of that time nothing is known but that jobs ran
 * there. */
static int _add_drain(outages_t *outages, size_t events, const drain_t *drain,
		      int64_t until)
{
	const outages_t told = { .rows = outages->rows, .count = events };
	int64_t from = drain->since;

	for (size_t i = _first_of(&told, drain->node);
	     (i < events) && !strcmp(told.rows[i].node, drain->node); i++) {
		const struct outage *row = &told.rows[i];

		if (row->until <= from)
			continue;
		until = (row->from < until) ? row->from : until;
		break;
	}
	return _add_draining(outages, drain->node, from, until, 0);
}

extern int outages_fill(outages_t *outages, const cluster_t *cluster,
			api_list_t events, const char *tres, int64_t until,
			report_t *report, sb_err_t *err)
{
	filler_t filler = { outages, tres, until, report, err };
	size_t count = events ? slurm_list_count(events) : 0;

	outages->rows = calloc(count + cluster->drain_count + 1,
			       sizeof(*outages->rows));
	if (!outages->rows)
		return sb_err_set(err, "no memory");
	if (api_for_each(events, _add_event, &filler))
		return -1;
	count = outages->count;
	qsort(outages->rows, count, sizeof(*outages->rows), _compare);
	for (size_t i = 0; i < cluster->drain_count; i++) {
		if (_add_drain(outages, count, &cluster->drains[i], until))
			return sb_err_set(err, "no memory");
	}
	qsort(outages->rows, outages->count, sizeof(*outages->rows), _compare);
	return 0;
}

static int _use(outages_t *outages, size_t row, int64_t when, double gpus)
{
	if (outages->use_count == outages->use_room) {
		size_t room = outages->use_room ? 2 * outages->use_room : 64;
		struct outage_use *uses = reallocarray(outages->uses, room,
						       sizeof(*uses));

		if (!uses)
			return -1;
		outages->uses = uses;
		outages->use_room = room;
	}
	outages->uses[outages->use_count++] =
		(struct outage_use) { row, when, gpus };
	return 0;
}

/* A run, and one of its nodes after the other. */
typedef struct {
	outages_t *outages;
	int64_t start, end;
	double gpus;		/* of one node */
	int64_t drained;
	int rc;
} overlap_t;

static void _add_node(const char *node, void *arg)
{
	overlap_t *overlap = arg;
	outages_t *outages = overlap->outages;

	for (size_t i = _first_of(outages, node);
	     (i < outages->count) && !strcmp(outages->rows[i].node, node);
	     i++) {
		const struct outage *row = &outages->rows[i];
		int64_t from = (row->from > overlap->start) ?
			row->from : overlap->start;
		int64_t until = (row->until < overlap->end) ?
			row->until : overlap->end;

		if (until <= from)
			continue;
		overlap->drained += until - from;
		if (_use(outages, i, from, overlap->gpus) ||
		    _use(outages, i, until, -overlap->gpus))
			overlap->rc = -1;
	}
}

static void _count_node(const char *node, void *arg)
{
	size_t *count = arg;

	(void) node;
	(*count)++;
}

extern int outages_add_run(outages_t *outages, const char *nodes,
			   int64_t start, int64_t end, double gpus,
			   int64_t *drained)
{
	overlap_t overlap = { .outages = outages, .start = start, .end = end };
	size_t count = 0;

	*drained = 0;
	if (!outages->count || !nodes || (end <= start))
		return 0;
	api_each_host(nodes, _count_node, &count);
	overlap.gpus = count ? gpus / count : 0;
	api_each_host(nodes, _add_node, &overlap);
	*drained = (overlap.drained < end - start) ? overlap.drained :
						     end - start;
	return overlap.rc;
}

static int _compare_uses(const void *a, const void *b)
{
	const struct outage_use *one = a, *two = b;

	if (one->row != two->row)
		return (one->row < two->row) ? -1 : 1;
	return (one->when < two->when) ? -1 : one->when > two->when;
}

extern int outages_finish(outages_t *outages, report_t *report, sb_err_t *err)
{
	const struct outage_use *use = outages->uses;
	const struct outage_use *end = use + outages->use_count;

	if (outages->use_count)
		qsort(outages->uses, outages->use_count, sizeof(*use),
		      _compare_uses);
	for (size_t i = 0; i < outages->count; i++) {
		const struct outage *row = &outages->rows[i];
		int64_t from = row->from;
		double used = 0;

		for (bool more = true; more;) {
			int64_t until = row->until;
			double idle = row->gpus - used;

			more = (use < end) && (use->row == i);
			if (more)
				until = use->when;
			if ((idle >= 0.5) && (until > from) &&
			    report_capacity(report, from, until, 0,
					    lround(idle), 0, err))
				return -1;
			from = until;
			if (more)
				used += use++->gpus;
		}
	}
	return 0;
}

extern void outages_free(outages_t *outages)
{
	for (size_t i = 0; i < outages->count; i++)
		free(outages->rows[i].node);
	free(outages->rows);
	free(outages->uses);
	memset(outages, 0, sizeof(*outages));
}
