/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates - jobs that may have to leave, of which mostly a few must: they
 * come off a heap, and the order of the others is never made.
 */
#ifndef SB_SIM_CANDIDATES_H
#define SB_SIM_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t job;
	uint32_t key;		/* order: smaller first, ... */
	uint32_t seq;		/* ... then this one; no two have both */
} candidate_t;

typedef struct {
	candidate_t *list;
	size_t count, room;
} candidates_t;

static inline bool candidate_before(const candidate_t *a, const candidate_t *b)
{
	return a->key != b->key ? a->key < b->key : a->seq < b->seq;
}

/* Append jobs, key and seq unset. RET: 0, or -1 without memory. */
extern int candidates_add(candidates_t *candidates, const uint32_t *jobs,
			  uint32_t count);
extern void candidates_free(candidates_t *candidates);

/* All have a key: make the heap. */
extern void candidates_heap(candidates_t *candidates);
/* IN gone: how many were taken before. RET: the next in order, until another
 * call; gone + 1 of them are gone then. */
extern const candidate_t *candidates_pop(candidates_t *candidates,
					 size_t gone);
/* The `gone` that were taken are the first of the list now, in their order;
 * what is behind them means nothing any more. */
extern void candidates_popped(candidates_t *candidates, size_t gone);

#endif
