/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nth - one of many numbers by its place in their order, without sorting them.
 */
#ifndef SB_SIM_NTH_H
#define SB_SIM_NTH_H

#include <stdint.h>

/*
 * RET: the value that `before` others are not larger than: 0: the smallest.
 * IN before: below count. IN/OUT values: moved about. O(count) on average.
 */
extern int64_t nth_smallest(int64_t *values, uint32_t count, uint32_t before);

#endif
