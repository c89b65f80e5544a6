/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source - lines of a file, compressed by gzip or not, one at a time.
 */
#ifndef SB_SIM_SOURCE_H
#define SB_SIM_SOURCE_H

#include <stddef.h>

#include "err.h"

/* Longest line, bytes: sacct with every column stays far below. */
#define SOURCE_LINE_MAX 1048576

typedef struct source source_t;

/* IN path: "-" is standard input. RET: NULL with err. */
extern source_t *source_open(const char *path, sb_err_t *err);

/* Lines of a text (which must outlive it). RET: NULL without memory. */
extern source_t *source_of_text(const char *name, const char *text,
				size_t size);
/* NULL is legal. */
extern void source_close(source_t *source);

/*
 * The next line, without its end ("\n" or "\r\n"), terminated; the last one
 * needs no end.
 * OUT line, len: valid until the next call; the caller may write into it.
 * RET: 1, with source_fault() for a line that is not to be used; 0 at the end;
 * -1 with err (cannot read, damaged, no memory).
 */
extern int source_line(source_t *source, char **line, size_t *len,
		       sb_err_t *err);

/* What is wrong with the line that source_line() gave last: too long, a NUL
 * byte. RET: NULL: it is text. Lasts as long as the program. */
extern const char *source_fault(const source_t *source);

extern const char *source_name(const source_t *source);
/* Of the line that source_line() gave last: the first is 1. */
extern size_t source_number(const source_t *source);

#endif
