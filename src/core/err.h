/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err - the caller's error buffer.
 *
 * Every function of the core that can fail takes one, writes one sentence
 * into it (no newline, no trailing stop) and returns -1. NULL is legal: the
 * sentence is then dropped. Text that comes from outside is quoted with
 * sb_err_quote() first, so that no input reaches a terminal raw.
 */
#ifndef SB_CORE_ERR_H
#define SB_CORE_ERR_H

#include <stddef.h>

/* Room for a sentence that lists all words of the settings. */
#define SB_ERR_SIZE 512

typedef struct {
	char text[SB_ERR_SIZE];
} sb_err_t;

/* Format the sentence; too long a one is cut. RET: -1, always. */
extern int sb_err_set(sb_err_t *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Copy len bytes of src into dst for display: unprintable and non-ASCII bytes
 * as \xNN, more than fits (or more than 60 bytes of output) ends in "...".
 * RET: dst, always terminated.
 */
extern char *sb_err_quote(char *dst, size_t dst_size, const char *src,
			  size_t len);

/*
 * How far a word is from the one that was perhaps meant.
 * IN a, a_len: what was written, needs no terminator. IN b: what is right.
 * RET: 0 the same but for case, '-', '_', '.' and non-ASCII bytes; 1 one more
 * typing error apart (a letter too many, missing, wrong, or two swapped);
 * 2 further.
 */
extern int sb_err_distance(const char *a, size_t a_len, const char *b);

#endif
