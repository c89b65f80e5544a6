/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <unistd.h>

#include "progress.h"

/* Seconds of silence. */
#define SILENCE 2

extern void progress_begin(progress_t *progress, const char *what)
{
	progress->what = what;
	progress->next = time(NULL) + SILENCE;
}

extern void progress_tell(progress_t *progress, size_t done, size_t all)
{
	time_t now = time(NULL);

	if ((now < progress->next) || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "sbudget: %zu of %zu %s\n", done, all,
		progress->what);
	progress->next = now + SILENCE;
}
