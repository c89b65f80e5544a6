/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "crowd.h"

#define NONE UINT32_MAX

extern int crowd_open(crowd_t *crowd, uint32_t assocs)
{
	*crowd = (crowd_t) { 0 };
	crowd->first = calloc((size_t) assocs + 1, sizeof(*crowd->first));
	if (!crowd->first)
		return -1;
	for (uint32_t i = 0; i < assocs; i++)
		crowd->first[i] = NONE;
	return 0;
}

extern void crowd_close(crowd_t *crowd)
{
	for (uint32_t i = 0; i < crowd->group_count; i++)
		free(crowd->groups[i].jobs);
	free(crowd->groups);
	free(crowd->first);
	free(crowd->live);
	*crowd = (crowd_t) { 0 };
}

static bool same_kind(const crowd_kind_t *a, const crowd_kind_t *b)
{
	return a->nodes == b->nodes && a->min_runtime == b->min_runtime &&
	       a->class == b->class && a->interactive == b->interactive &&
	       a->requeueable == b->requeueable;
}

static int groups_grow(crowd_t *crowd)
{
	size_t room = crowd->group_room ? crowd->group_room * 2 : 64;
	crowd_group_t *groups = realloc(crowd->groups, room * sizeof(*groups));
	uint32_t *live;

	if (!groups)
		return -1;
	crowd->groups = groups;
	live = realloc(crowd->live, room * sizeof(*live));
	if (!live)
		return -1;
	crowd->live = live;
	crowd->group_room = (uint32_t) room;
	return 0;
}

/*
 * The group of this kind; of an association's groups one that is empty is
 * used again, so that there are never more than jobs that ran together.
 */
static crowd_group_t *group_of(crowd_t *crowd, const crowd_kind_t *kind)
{
	uint32_t *first = &crowd->first[kind->assoc];
	crowd_group_t *empty = NULL;

	for (uint32_t i = *first; i != NONE; i = crowd->groups[i].next) {
		if (same_kind(&crowd->groups[i].kind, kind))
			return &crowd->groups[i];
		if (!crowd->groups[i].count)
			empty = &crowd->groups[i];
	}
	if (!empty) {
		if (crowd->group_count == crowd->group_room &&
		    groups_grow(crowd))
			return NULL;
		empty = &crowd->groups[crowd->group_count];
		*empty = (crowd_group_t) { .next = *first };
		*first = crowd->group_count++;
	}
	empty->kind = *kind;
	return empty;
}

extern int crowd_add(crowd_t *crowd, const crowd_kind_t *kind, uint32_t job,
		     uint32_t *group_number, uint32_t *place)
{
	crowd_group_t *group = group_of(crowd, kind);

	if (!group)
		return -1;
	if (group->count == group->room) {
		size_t room = group->room ? (size_t) group->room * 2 : 8;
		uint32_t *jobs = realloc(group->jobs, room * sizeof(*jobs));

		if (!jobs)
			return -1;
		group->jobs = jobs;
		group->room = (uint32_t) room;
	}
	*group_number = (uint32_t) (group - crowd->groups);
	*place = group->count;
	if (!group->count) {
		group->place = crowd->live_count;
		crowd->live[crowd->live_count++] = *group_number;
	}
	group->jobs[group->count++] = job;
	crowd->count++;
	crowd->version++;
	return 0;
}

extern uint32_t crowd_remove(crowd_t *crowd, uint32_t number, uint32_t place)
{
	crowd_group_t *group = &crowd->groups[number];
	uint32_t last;

	crowd->count--;
	if (--group->count) {
		if (place == group->count)
			return NONE;
		group->jobs[place] = group->jobs[group->count];
		return group->jobs[place];
	}
	last = crowd->live[--crowd->live_count];
	crowd->live[group->place] = last;
	crowd->groups[last].place = group->place;
	return NONE;
}
