/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth - whether many cost no more each than few do: the CPU time of the same
 * deed for both, in one run, so that no slow or busy machine fails it.
 */
#ifndef TEST_GROWTH_H
#define TEST_GROWTH_H

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <time.h>

#define GROWTH_FEW 2000
#define GROWTH_TIMES 64
/* Each may cost so many times as much: 1.1 to 1.6 was measured, idle, busy and
 * with sanitizers, and 70 where each looks at all others. */
#define GROWTH_BOUND 12

static inline double growth_cost(void (*deed)(uint32_t count), uint32_t count)
{
	clock_t before = clock();

	deed(count);
	return clock() - before;
}

static inline void ck_linear(void (*deed)(uint32_t count))
{
	double few = INFINITY, many;

	for (int i = 0; i < 5; i++)
		few = fmin(few, growth_cost(deed, GROWTH_FEW));
	many = growth_cost(deed, GROWTH_FEW * GROWTH_TIMES);
	ck_assert_msg(many < few * GROWTH_TIMES * GROWTH_BOUND,
		      "%d take %g us, %d times as many take %g", GROWTH_FEW,
		      few * 1e6 / CLOCKS_PER_SEC, GROWTH_TIMES,
		      many * 1e6 / CLOCKS_PER_SEC);
}

#endif
