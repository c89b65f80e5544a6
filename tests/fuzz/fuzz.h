/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz - what the targets share. A target is one function; libFuzzer calls it
 * (tests/fuzz/run), or replay.c with every file of its corpus.
 */
#ifndef SB_TESTS_FUZZ_H
#define SB_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

/* Whatever the build: a target that checks nothing finds nothing. */
#define MUST(what) \
	do { \
		if (!(what)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
				__LINE__, #what); \
			abort(); \
		} \
	} while (0)

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* RET: the bytes as a string of its own, so that a sanitizer sees its end. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* No input reaches a terminal raw, and an error says something. */
static inline void fuzz_printable(const sb_err_t *err)
{
	MUST(err->text[0]);
	MUST(strnlen(err->text, sizeof(err->text)) < sizeof(err->text));
	for (const char *at = err->text; *at; at++)
		MUST(*at >= ' ' && *at <= '~');
}

#endif
