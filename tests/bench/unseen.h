/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unseen - what slurmctld does to run seconds without a plugin being told, or
 * told otherwise than of an end: each by itself, so that nothing else makes the
 * plugin count anew.
 */
#ifndef BENCH_UNSEEN_H
#define BENCH_UNSEEN_H

/* RET: its name, NULL behind the last. */
extern const char *unseen_name(int number);
/* Behind edits_begin(). A pass is to find sums of the jobs that edits.h compares
 * with. Locks: none held. */
extern void unseen_do(int number);

#endif
