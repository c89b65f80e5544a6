/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rng - random numbers that are the same on every machine (splitmix64): a
 * property that fails says with which seed.
 */
#ifndef TEST_RNG_H
#define TEST_RNG_H

#include <stdint.h>

static uint64_t rng_state;	/* the seed; a test sets it first */

/* RET: 0 .. below - 1; below is not 0. */
static inline uint64_t rng(uint64_t below)
{
	uint64_t z = (rng_state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31)) % below;
}

#endif
