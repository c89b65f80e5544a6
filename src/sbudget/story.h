/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story - an eviction, as preempt/minruntime has noted it for people in the
 * job's SystemComment:
 *   2026-11-29T18:54:22,over-budget,by-JobId=8,a1:0.831,from,c3:1.027
 * or, where PrivateData keeps the other job from its owner,
 *   2026-11-29T18:54:22,over-budget,by-JobId=0,-:0.000,from,c3:1.027
 */
#ifndef SB_STORY_H
#define SB_STORY_H

#include <stdbool.h>
#include <stdint.h>

#define STORY_NAME 64

typedef struct {
	char when[STORY_NAME];
	char rule[STORY_NAME];
	uint32_t taker_id;	/* 0: hidden */
	char taker[STORY_NAME], victim[STORY_NAME];	/* their branches, "-":
							 * none compared */
	double taker_ratio, victim_ratio;
} story_t;

/* IN text: evicted of a contract. RET: false: in words that are not known
 * here; then story is undefined. */
extern bool story_read(const char *text, story_t *story);

#endif
