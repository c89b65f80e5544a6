/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "eviction.h"
#include "party.h"
#include "rules.h"
#include "shadow.h"

typedef struct {
	job_record_t *job_ptr;
	uint32_t prio;
	double size;
} candidate_t;

typedef struct {
	job_record_t *preemptor;
	time_t now;
	candidate_t *candidates;
	size_t count;
	size_t size;
} search_t;

static candidate_t *_room(search_t *search)
{
	if (search->count == search->size) {
		size_t more = search->size ? search->size * 2 : 64;
		candidate_t *moved = realloc(search->candidates,
					     more * sizeof(*moved));

		if (!moved)
			return NULL;
		search->candidates = moved;
		search->size = more;
	}
	return &search->candidates[search->count++];
}

static int _consider(void *item, void *arg)
{
	job_record_t *job_ptr = item;
	search_t *search = arg;
	candidate_t *candidate;
	sb_party_t party;

	if (!IS_JOB_RUNNING(job_ptr) || IS_JOB_COMPLETING(job_ptr) ||
	    !sb_verdict_may(rules_verdict(job_ptr, search->preemptor,
					  search->now, NULL)) ||
	    !(candidate = _room(search)))
		return 0;
	party_measure(job_ptr, search->now, &party);
	candidate->job_ptr = job_ptr;
	candidate->prio = rules_victim_prio(job_ptr, search->now);
	candidate->size = party.gpus;
	return 0;
}

static int _by_prio(const void *x, const void *y)
{
	const candidate_t *a = x, *b = y;

	return (a->prio > b->prio) - (a->prio < b->prio);
}

extern void shadow_tell(job_record_t *preemptor, time_t now)
{
	search_t search = { .preemptor = preemptor, .now = now };
	sb_party_t party;
	double freed = 0;

	party_waiting(NULL, preemptor, NULL, &party);
	(void) list_for_each_ro(job_list, _consider, &search);
	if (search.count)
		qsort(search.candidates, search.count,
		      sizeof(*search.candidates), _by_prio);
	for (size_t i = 0; (i < search.count) && (freed < party.gpus); i++) {
		eviction_shadow(search.candidates[i].job_ptr, preemptor, now);
		freed += search.candidates[i].size;
	}
	free(search.candidates);
}
