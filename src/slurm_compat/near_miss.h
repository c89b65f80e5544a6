/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * near_miss - what the guard takes for the size of a struct; for its tests.
 *
 * tests/guard compiles the guard against headers in which one struct has eight
 * bytes more than slurmctld's (or sixteen, where the struct is aligned to
 * that). SB_NEAR_MISS names it where the size shall be the same all the same,
 * as if they were missing elsewhere.
 */
#ifndef SB_SLURM_NEAR_MISS_H
#define SB_SLURM_NEAR_MISS_H

#ifdef SB_NEAR_MISS
#define NEAR_MISS_SIZE(type) (sizeof(type) - \
	(__builtin_types_compatible_p(type, SB_NEAR_MISS) ? \
	 SB_NEAR_MISS_BYTES : 0))
#else
#define NEAR_MISS_SIZE(type) sizeof(type)
#endif

#endif
