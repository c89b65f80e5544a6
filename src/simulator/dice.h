/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dice - random numbers that are the same everywhere for the same seed.
 */
#ifndef SB_SIM_DICE_H
#define SB_SIM_DICE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint64_t state[4];
} dice_t;

/* IN stream: what for; numbers of two streams have nothing in common, so that
 * one model's draws do not move with another's. */
extern void dice_seed(dice_t *dice, uint64_t seed, uint64_t stream);
extern uint64_t dice_next(dice_t *dice);
/* 0 <= x < 1 */
extern double dice_real(dice_t *dice);
/* 0 .. count - 1; IN count: not 0. */
extern uint32_t dice_below(dice_t *dice, uint32_t count);
/* Normal, mean 0, deviation 1. */
extern double dice_normal(dice_t *dice);
/* Log-normal: median, deviation of its logarithm. */
extern double dice_around(dice_t *dice, double median, double sigma);
/* Index, by weights (not negative, not all 0). */
extern size_t dice_pick(dice_t *dice, const double *weights, size_t count);

#endif
