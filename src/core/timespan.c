/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "limits.h"
#include "timespan.h"

/* The most fields a form has: days-hours:minutes:seconds. */
#define FIELDS_MAX 4

/* The fields of a time string, most significant first. */
typedef struct {
	int64_t value[FIELDS_MAX];
	int count;
	bool days;		/* '-' behind the first */
	char unit;		/* lower case, '\0': none */
} fields_t;

static int refuse(sb_err_t *err, const char *text, size_t len,
		  const char *reason)
{
	char shown[64];

	sb_err_quote(shown, sizeof(shown), text, len);
	return sb_err_set(err, "\"%s\" is not a time (%s)", shown, reason);
}

/* Digits from *at on. Saturates: what is over the limit is refused later and
 * must not overflow until then. RET: number of digits. */
static size_t take_number(const char *text, size_t len, size_t *at,
			  int64_t *value)
{
	size_t from = *at;

	*value = 0;
	for (; *at < len && text[*at] >= '0' && text[*at] <= '9'; (*at)++) {
		if (*value <= SB_TIMESPAN_MAX)
			*value = *value * 10 + (text[*at] - '0');
	}
	return *at - from;
}

/* RET: NULL, or what is wrong. */
static const char *split(const char *text, size_t len, fields_t *fields)
{
	static const char forms[] =
		"write it like 90, 1:30:00, 2-12:00, 90s, 15m, 4h or 2d";
	size_t at = 0;

	if (!len)
		return "it is empty";
	while (fields->count < FIELDS_MAX) {
		if (!take_number(text, len, &at,
				 &fields->value[fields->count]))
			return forms;
		fields->count++;
		if (at == len)
			return NULL;
		if (text[at] == '-' && fields->count == 1)
			fields->days = true;
		else if (text[at] != ':')
			break;
		at++;
	}

	char c = text[at < len ? at : len - 1];
	if (c >= 'A' && c <= 'Z')
		c = (char)(c - 'A' + 'a');
	if (fields->count != 1 || at + 1 != len || c < 'a' || c > 'z')
		return forms;
	fields->unit = c;
	return NULL;
}

/* Seconds in one of the most significant field; 0: no such form. */
static int64_t first_scale(const fields_t *fields)
{
	switch (fields->unit) {
	case 's':
		return 1;
	case 'm':
		return SB_MINUTE;
	case 'h':
		return SB_HOUR;
	case 'd':
		return SB_DAY;
	case '\0':
		break;
	default:
		return 0;
	}
	if (fields->days)
		return fields->count >= 2 ? SB_DAY : 0;
	if (fields->count == 3)
		return SB_HOUR;
	return fields->count <= 2 ? SB_MINUTE : 0;
}

/* RET: NULL and the sum of the fields (at most SB_TIMESPAN_MAX), or what is
 * wrong. */
static const char *add_up(const fields_t *fields, int64_t *seconds)
{
	int64_t scale = first_scale(fields), sum;

	if (!scale)
		return fields->unit ? "units are s, m, h and d" :
		       "too many fields without days-";
	if (fields->value[0] > SB_TIMESPAN_MAX / scale)
		return "at most 3660-00:00:00";
	sum = fields->value[0] * scale;

	for (int i = 1; i < fields->count; i++) {
		bool hours = scale == SB_DAY;

		if (fields->value[i] >= (hours ? 24 : 60))
			return hours ? "hours behind days go to 23" :
			       "minutes and seconds behind others go to 59";
		scale = hours ? SB_HOUR : scale / 60;
		sum += fields->value[i] * scale;
	}
	if (sum > SB_TIMESPAN_MAX)
		return "at most 3660-00:00:00";
	*seconds = sum;
	return NULL;
}

extern int sb_timespan_parse(const char *text, size_t len, int64_t *seconds,
			     sb_err_t *err)
{
	fields_t fields = { .count = 0 };
	const char *reason;

	if (!text)
		len = 0;
	reason = split(text, len, &fields);
	if (!reason)
		reason = add_up(&fields, seconds);
	return reason ? refuse(err, text, len, reason) : 0;
}

extern char *sb_timespan_format(int64_t seconds, char *buf, size_t size)
{
	int64_t days, left;
	int hours, minutes;

	if (!buf || !size)
		return buf;
	if (seconds < 0)
		seconds = 0;
	days = seconds / SB_DAY;
	left = seconds % SB_DAY;
	hours = (int)(left / SB_HOUR);
	minutes = (int)(left % SB_HOUR / SB_MINUTE);

	if (days)
		snprintf(buf, size, "%lld-%02d:%02d:%02d", (long long)days,
			 hours, minutes, (int)(left % SB_MINUTE));
	else if (hours)
		snprintf(buf, size, "%d:%02d:%02d", hours, minutes,
			 (int)(left % SB_MINUTE));
	else
		snprintf(buf, size, "%d:%02d", minutes,
			 (int)(left % SB_MINUTE));
	return buf;
}

extern bool sb_timespan_is_unit(const char *text, size_t len)
{
	static const char *const units[] = {
		"s", "sec", "secs", "second", "seconds", "h", "hr", "hrs",
		"hour", "hours", "d", "day", "days",
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i]) == len &&
		    !strncasecmp(text, units[i], len))
			return true;
	}
	return false;
}
