/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "text.h"

extern int field_bad(const reader_t *reader, const char *path,
		     const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	plan_vcomplain(reader->plan, path, reader->err, fmt, ap);
	va_end(ap);
	return -1;
}

static const char *_meant(const char *const *keys, const char *name)
{
	for (; *keys; keys++) {
		if (sb_err_distance(name, strlen(name), *keys) < 2)
			return *keys;
	}
	return NULL;
}

extern int field_known(const reader_t *reader, json_object *object,
		       const char *path, const char *const *keys)
{
	json_object_object_foreach(object, name, value) {
		const char *const *known = keys;
		char quoted[72], where[PLAN_PATH + 72];

		(void) value;
		while (*known && strcmp(*known, name))
			known++;
		if (*known)
			continue;
		sb_err_quote(quoted, sizeof(quoted), name, strlen(name));
		snprintf(where, sizeof(where), "%s.%s", path, quoted);
		if (_meant(keys, name))
			return field_bad(reader, where,
					 "unknown key; \"%s\" was meant?",
					 _meant(keys, name));
		return field_bad(reader, where, "unknown key");
	}
	return 0;
}

extern int field_text(const reader_t *reader, json_object *object,
		      const char *path, const char *key, bool name,
		      char **text)
{
	json_object *value;
	char where[PLAN_PATH];
	size_t length;

	*text = NULL;
	if (!json_object_object_get_ex(object, key, &value))
		return 0;
	snprintf(where, sizeof(where), "%s.%s", path, key);
	if (!json_object_is_type(value, json_type_string))
		return field_bad(reader, where, "must be a string");
	length = json_object_get_string_len(value);
	if (strlen(json_object_get_string(value)) != length)
		return field_bad(reader, where, "must not hold a NUL");
	if (name && (!length || (length >= PLAN_NAME_MAX)))
		return field_bad(reader, where,
				 "must be a name of 1 to %d characters",
				 PLAN_NAME_MAX - 1);
	*text = strdup(json_object_get_string(value));
	return *text ? 0 : sb_err_set(reader->err, "no memory");
}

extern int field_note(const reader_t *reader, json_object *object,
		      const char *path)
{
	char *note;
	int rc = field_text(reader, object, path, "note", false, &note);

	free(note);
	return rc;
}

extern int field_whole(const reader_t *reader, json_object *object,
		       const char *path, const char *key, int64_t max,
		       int64_t *number)
{
	json_object *value;
	char where[PLAN_PATH];

	if (!json_object_object_get_ex(object, key, &value))
		return 0;
	snprintf(where, sizeof(where), "%s.%s", path, key);
	if (!json_object_is_type(value, json_type_int) ||
	    (json_object_get_int64(value) < 0) ||
	    (json_object_get_int64(value) > max))
		return field_bad(reader, where,
				 "must be a whole number from 0 to %lld",
				 (long long) max);
	*number = json_object_get_int64(value);
	return 0;
}

extern int field_date(const reader_t *reader, json_object *object,
		      const char *path, const char *key, int64_t *when)
{
	json_object *value;
	char where[PLAN_PATH];

	if (!json_object_object_get_ex(object, key, &value))
		return 0;
	snprintf(where, sizeof(where), "%s.%s", path, key);
	if (!json_object_is_type(value, json_type_string) ||
	    text_date(json_object_get_string(value), when))
		return field_bad(reader, where,
				 "must be a date, \"YYYY-MM-DD\" or \"YYYY-MM-DDTHH:MM:SS\"");
	return 0;
}
