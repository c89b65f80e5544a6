/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "timespan.h"
#include "words.h"

/* Longest value. */
#define VALUE_MAX 64

/* Most words that one list can have. */
#define LIST_MAX 64

extern int words_find(const char *name, size_t len, const words_t *words,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(words[i].name) == len &&
		    !strncasecmp(words[i].name, name, len))
			return (int)i;
	}
	return -1;
}

static int unknown(const char *name, size_t len, const words_t *words,
		   size_t count, sb_err_t *err)
{
	char shown[64], list[384];
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%s", i ? ", " : "", words[i].name);
	sb_err_quote(shown, sizeof(shown), name, len);
	return sb_err_set(err, "unknown word \"%s\" (there are %s)", shown,
			  list);
}

/* RET: false: no number, or out of bounds. */
static bool take_number(const words_t *word, const char *text, double *number)
{
	char *end;

	if (strspn(text, "0123456789.") != strlen(text) || !*text)
		return false;
	*number = strtod(text, &end);
	if (*end || (word->kind != WORDS_REAL && strchr(text, '.')))
		return false;
	return *number >= word->min && *number <= word->max;
}

static int refuse(const words_t *word, const char *text, sb_err_t *err)
{
	char shown[64], least[SB_TIMESPAN_TEXT], most[SB_TIMESPAN_TEXT];

	sb_err_quote(shown, sizeof(shown), text, strlen(text));
	if (word->kind == WORDS_BOOL)
		return sb_err_set(err, "%s=%s: yes or no", word->name, shown);
	if (word->kind == WORDS_TIME)
		return sb_err_set(err, "%s=%s: a time from %s to %s, as 90s, 15m, 4h, 2d or 1-12:00:00",
				  word->name, shown,
				  sb_timespan_format((int64_t)word->min, least,
						     sizeof(least)),
				  sb_timespan_format((int64_t)word->max, most,
						     sizeof(most)));
	return sb_err_set(err, "%s=%s: a %snumber from %.10g to %.10g",
			  word->name, shown, word->kind == WORDS_REAL ? "" : "whole ",
			  word->min, word->max);
}

static int set(const words_t *word, const char *text, void *fields,
	       sb_err_t *err)
{
	char *field = (char *)fields + word->offset;
	int64_t seconds;
	double number = 0;

	switch (word->kind) {
	case WORDS_BOOL:
		if (strcasecmp(text, "yes") && strcasecmp(text, "no"))
			return refuse(word, text, err);
		*(bool *)field = !strcasecmp(text, "yes");
		return 0;
	case WORDS_TIME:
		if (sb_timespan_parse(text, strlen(text), &seconds, NULL) ||
		    (double)seconds < word->min || (double)seconds > word->max)
			return refuse(word, text, err);
		*(int64_t *)field = seconds;
		return 0;
	case WORDS_COUNT:
	case WORDS_WHOLE:
	case WORDS_REAL:
		break;
	}
	if (!take_number(word, text, &number))
		return refuse(word, text, err);
	if (word->kind == WORDS_COUNT)
		*(uint32_t *)field = (uint32_t)number;
	else if (word->kind == WORDS_WHOLE)
		*(int64_t *)field = (int64_t)number;
	else
		*(double *)field = number;
	return 0;
}

extern int words_set(const char *name, size_t name_len, const char *value,
		     size_t value_len, const words_t *words, size_t count,
		     void *fields, sb_err_t *err)
{
	int index = words_find(name, name_len, words, count);
	char text[VALUE_MAX + 1];

	if (index < 0)
		return unknown(name, name_len, words, count, err);
	if (value_len > VALUE_MAX)
		return sb_err_set(err, "%s: a value of more than %d characters",
				  words[index].name, VALUE_MAX);
	memcpy(text, value, value_len);
	text[value_len] = '\0';
	return set(&words[index], text, fields, err);
}

extern int words_parse(const char *list, const words_t *words, size_t count,
		       void *fields, sb_err_t *err)
{
	bool had[LIST_MAX] = { false };

	while (*list) {
		size_t len = strcspn(list, ","), name_len = strcspn(list, ",=");
		int index = words_find(list, name_len, words, count);
		size_t value_at = name_len + (list[name_len] == '=');

		if (index >= 0 && index < LIST_MAX && had[index])
			return sb_err_set(err, "%s comes twice",
					  words[index].name);
		if (index >= 0 && list[name_len] != '=')
			return sb_err_set(err, "%s needs =VALUE",
					  words[index].name);
		if (words_set(list, name_len, list + value_at, len - value_at,
			      words, count, fields, err))
			return -1;
		if (index < LIST_MAX)
			had[index] = true;
		list += len;
		if (*list && !*++list)
			return sb_err_set(err, "nothing behind the last comma");
	}
	return 0;
}
