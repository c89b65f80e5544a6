/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dice - xoshiro256** of Blackman and Vigna, seeded by splitmix64, see
 * https://prng.di.unimi.it
 */
#include <math.h>

#include "dice.h"

static uint64_t split(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

extern void dice_seed(dice_t *dice, uint64_t seed, uint64_t stream)
{
	uint64_t state = seed, mixed = split(&state) + stream;

	for (int i = 0; i < 4; i++)
		dice->state[i] = split(&mixed);
}

static uint64_t turn(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

extern uint64_t dice_next(dice_t *dice)
{
	uint64_t *s = dice->state;
	uint64_t result = turn(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = turn(s[3], 45);
	return result;
}

extern double dice_real(dice_t *dice)
{
	return (double)(dice_next(dice) >> 11) * 0x1p-53;
}

extern uint32_t dice_below(dice_t *dice, uint32_t count)
{
	return (uint32_t)((dice_next(dice) >> 32) * count >> 32);
}

extern double dice_normal(dice_t *dice)
{
	/* Never the logarithm of 0. */
	double u = 1 - dice_real(dice), v = dice_real(dice);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

extern double dice_around(dice_t *dice, double median, double sigma)
{
	return median * exp(sigma * dice_normal(dice));
}

extern size_t dice_pick(dice_t *dice, const double *weights, size_t count)
{
	double sum = 0, at;

	for (size_t i = 0; i < count; i++)
		sum += weights[i];
	at = dice_real(dice) * sum;
	for (size_t i = 0; i + 1 < count; i++) {
		at -= weights[i];
		if (at < 0)
			return i;
	}
	return count - 1;
}
