/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress - how far something is that takes long, on stderr.
 */
#ifndef SB_PROGRESS_H
#define SB_PROGRESS_H

#include <stddef.h>
#include <time.h>

typedef struct {
	const char *what;	/* what is counted: "days" */
	time_t next;		/* when to tell */
} progress_t;

/* From now on. Nothing is told for the first two seconds, nor where nobody
 * sits at a terminal. */
extern void progress_begin(progress_t *progress, const char *what);
extern void progress_tell(progress_t *progress, size_t done, size_t all);

#endif
