/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * field - one member of a plan's JSON object: is it there, of its type and in
 * its range? Inside of plan: plan_read.c includes it.
 *
 * A member that is not there is no error, and leaves what is asked for as it
 * was. IN path: of the object, "$.accounts[3]".
 */
#ifndef SB_FIELD_H
#define SB_FIELD_H

#include "plan_read.h"

/* What a check needs to say what is wrong and where. */
typedef struct {
	plan_t *plan;
	sb_err_t *err;
	int64_t window;
} reader_t;

/* err = line, path and sentence. IN path: of the member. RET: -1. */
extern int field_bad(const reader_t *reader, const char *path,
		     const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* RET: 0, or -1 with err: a key that is none of these (NULL at the end). */
extern int field_known(const reader_t *reader, json_object *object,
		       const char *path, const char *const *keys);

/* IN name: not empty, and no longer than a name.
 * OUT text: a copy, NULL when there is none. RET: 0, or -1 with err. */
extern int field_text(const reader_t *reader, json_object *object,
		      const char *path, const char *key, bool name,
		      char **text);

/* A "note", which nobody needs. RET: 0, or -1 with err. */
extern int field_note(const reader_t *reader, json_object *object,
		      const char *path);

/* A whole number from 0 to max. RET: 0, or -1 with err. */
extern int field_whole(const reader_t *reader, json_object *object,
		       const char *path, const char *key, int64_t max,
		       int64_t *number);

/* Local time, see text_date(). RET: 0, or -1 with err. */
extern int field_date(const reader_t *reader, json_object *object,
		      const char *path, const char *key, int64_t *when);

#endif
