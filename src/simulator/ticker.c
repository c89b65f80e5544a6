/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <unistd.h>

#include "ticker.h"

/* Until the first line, and between two, seconds. */
#define FIRST 2
#define STEP 1

static struct timespec ahead(int seconds)
{
	struct timespec now = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	now.tv_sec += seconds;
	return now;
}

extern void ticker_begin(ticker_t *ticker, const char *what, bool asked)
{
	*ticker = (ticker_t) {
		.what = what, .terminal = isatty(STDERR_FILENO),
	};
	ticker->on = asked || ticker->terminal;
	ticker->next = ahead(asked ? 0 : FIRST);
}

extern void ticker_tell(ticker_t *ticker, size_t done, size_t all)
{
	struct timespec now;

	if (!ticker->on || !all)
		return;
	now = ahead(0);
	if (now.tv_sec < ticker->next.tv_sec && done < all)
		return;
	/* The last is told only where it ends a list of lines. */
	if (done >= all && ticker->terminal)
		return;
	fprintf(stderr, ticker->terminal ? "\r%zu of %zu %s (%zu %%) " :
		"%zu of %zu %s (%zu %%)\n", done, all, ticker->what,
		done * 100 / all);
	fflush(stderr);
	ticker->line = ticker->terminal;
	ticker->next = ahead(STEP);
}

extern void ticker_end(ticker_t *ticker)
{
	if (ticker->line)
		fprintf(stderr, "\r\033[K");
	ticker->line = false;
}
