/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout - do slurmctld's own partitions, nodes, associations and QOS make
 * sense when they are read as our headers have them? Part of the guard.
 *
 * Two kinds of proof. A size never lies: what slurmctld allocated is as large
 * as our struct. And pointers lead to what they should: fields in front, in
 * the middle and at the end of each struct are held against something else
 * that knows. A pointer that a wrong layout may have made up is not followed
 * before the memory in front of it has been seen to be Slurm's.
 */
#ifndef SB_SLURM_LAYOUT_H
#define SB_SLURM_LAYOUT_H

#include "compat.h"

/*
 * RET: the bytes that Slurm allocated at this pointer, 0: it did not, or
 * nothing is there at all. Never faults.
 */
extern size_t layout_block(const void *pointer);

/* RET: the sizes are equal; else false after an error() that says what to do.
 * 0 allocated: the pointer is none, its struct is the one that differs. */
extern bool layout_size_is(const char *what, size_t allocated,
			   size_t compiled);
/* RET: false, after an error() that says what to do. */
extern bool layout_misplaced(const char *what);

/*
 * Locks: conf R, assoc R, qos R; part R and node R where others may change
 * them.
 * OUT all: there was one of each kind; at a start some come later.
 * RET: false after an error().
 */
extern bool layout_fits(bool *all);

#endif
