/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words - lists of word=value, as options of the simulator take them: fields
 * of a struct, by name.
 */
#ifndef SB_SIM_WORDS_H
#define SB_SIM_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

typedef enum {
	WORDS_BOOL,		/* bool: yes | no */
	WORDS_COUNT,		/* uint32_t */
	WORDS_WHOLE,		/* int64_t: a bare number */
	WORDS_TIME,		/* int64_t, seconds: a timespan */
	WORDS_REAL		/* double */
} words_kind_t;

typedef struct {
	const char *name;
	words_kind_t kind;
	size_t offset;		/* of the field in its struct */
	double min, max;
} words_t;

/*
 * IN list: comma list, may be empty; each word at most once.
 * OUT fields: what is named is set.
 * RET: 0, or -1 with err: word, value, and what is allowed.
 */
extern int words_parse(const char *list, const words_t *words, size_t count,
		       void *fields, sb_err_t *err);

/* One of them. IN name, value: need no terminators. RET: as above. */
extern int words_set(const char *name, size_t name_len, const char *value,
		     size_t value_len, const words_t *words, size_t count,
		     void *fields, sb_err_t *err);

/* RET: index, or -1. */
extern int words_find(const char *name, size_t len, const words_t *words,
		      size_t count);

#endif
