/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticker - how far it is, on one line of stderr: from two seconds on, at a
 * terminal or where it was asked for.
 */
#ifndef SB_SIM_TICKER_H
#define SB_SIM_TICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

typedef struct {
	const char *what;	/* "runs", "jobs" */
	bool on, line;		/* line: has one to wipe */
	bool terminal;
	struct timespec next;
} ticker_t;

extern void ticker_begin(ticker_t *ticker, const char *what, bool asked);
extern void ticker_tell(ticker_t *ticker, size_t done, size_t all);
/* Wipe the line. */
extern void ticker_end(ticker_t *ticker);

#endif
