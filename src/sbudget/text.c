/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* strptime() */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "limits.h"
#include "text.h"
#include "timespan.h"

/* Columns of a bar on either side of its mark. */
#define BAR_HALF 10

extern char *text_time(int64_t when, char buf[TEXT_SIZE])
{
	time_t seconds = when;
	struct tm tm;

	if (!localtime_r(&seconds, &tm) ||
	    !strftime(buf, TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &tm))
		strcpy(buf, "Unknown");
	return buf;
}

extern char *text_ahead(int64_t when, int64_t now, char buf[TEXT_SIZE])
{
	char span[SB_TIMESPAN_TEXT];

	if (when <= now)
		return strcpy(buf, "now");
	snprintf(buf, TEXT_SIZE, "in %s",
		 sb_timespan_format(when - now, span, sizeof(span)));
	return buf;
}

extern char *text_ratio(double ratio, char buf[TEXT_SIZE])
{
	if (ratio >= SB_RATIO_UNFUNDED)
		return strcpy(buf, "unfunded");
	if (ratio >= 1000)
		return strcpy(buf, ">1000");
	snprintf(buf, TEXT_SIZE, "%.3f", ratio);
	return buf;
}

extern char *text_bar(double ratio, char buf[TEXT_SIZE])
{
	double columns = ratio * BAR_HALF + 0.5;
	int full = (columns < 2 * BAR_HALF) ? (int) columns : 2 * BAR_HALF;
	char *at = buf;

	*at++ = '[';
	for (int i = 0; i < 2 * BAR_HALF; i++) {
		if (i == BAR_HALF)
			*at++ = '|';
		*at++ = (i < full) ? '=' : ' ';
	}
	*at++ = ']';
	*at = '\0';
	return buf;
}

extern int text_date(const char *text, int64_t *when)
{
	static const char *const forms[] = {
		"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S",
		"%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S",
	};

	/* strptime() takes blanks and short years. */
	if (strlen(text) < 10 || !isdigit((unsigned char) text[0]) ||
	    text[4] != '-' || text[7] != '-')
		return -1;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct tm tm = { .tm_isdst = -1 }, asked;
		const char *end = strptime(text, forms[i], &tm);

		if (!end || *end)
			continue;
		asked = tm;
		*when = mktime(&tm);
		/* 31 February would be another day. */
		return (asked.tm_mday == tm.tm_mday) && (*when >= 0) ? 0 : -1;
	}
	return -1;
}

/* The beginning of a unit is enough, as it is for sacct. */
static int64_t unit_seconds(const char *unit)
{
	static const struct { const char *name; int64_t seconds; } units[] = {
		{ "seconds", 1 }, { "minutes", SB_MINUTE },
		{ "hours", SB_HOUR }, { "days", SB_DAY },
		{ "weeks", 7 * (int64_t) SB_DAY },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strncasecmp(units[i].name, unit, strlen(unit)))
			return units[i].seconds;
	return 0;
}

extern int text_moment(const char *text, int64_t now, int64_t *when)
{
	time_t seconds = now;
	struct tm tm;
	char *unit;
	int64_t count, each;

	if (!strcasecmp(text, "today")) {
		localtime_r(&seconds, &tm);
		tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
		tm.tm_isdst = -1;
		*when = mktime(&tm);
		return 0;
	}
	if (strncasecmp(text, "now", 3))
		return text_date(text, when);
	*when = now;
	if (!text[3])
		return 0;
	if (((text[3] != '-') && (text[3] != '+')) ||
	    !isdigit((unsigned char) text[4]))
		return -1;
	count = strtoll(text + 4, &unit, 10);
	each = unit_seconds(unit);
	if (!each || (count > SB_TIMESPAN_MAX / each))
		return -1;
	*when += (text[3] == '-') ? -count * each : count * each;
	return (*when < 0) ? -1 : 0;
}

extern bool text_tres(const char *tres, const char *name, double *count)
{
	size_t length = strlen(name);

	while (tres && *tres) {
		const char *equals = strchr(tres, '=');
		const char *next = strchr(tres, ',');

		if (equals && ((size_t) (equals - tres) == length) &&
		    !strncasecmp(tres, name, length)) {
			char *unit;

			*count = strtod(equals + 1, &unit);
			if (*unit == 'K')
				*count /= 1024;
			else if (*unit == 'G')
				*count *= 1024;
			else if (*unit == 'T')
				*count *= 1024 * 1024;
			return true;
		}
		tres = next ? next + 1 : NULL;
	}
	return false;
}

/* One member of the list: "7", "7-9" or "7-9:2". */
static uint32_t _range(const char *text, char **end)
{
	unsigned long first = strtoul(text, end, 10), last = first, step = 1;

	if (**end == '-')
		last = strtoul(*end + 1, end, 10);
	if (**end == ':')
		step = strtoul(*end + 1, end, 10);
	if ((last < first) || !step)
		return 1;
	return (last - first) / step + 1;
}

extern uint32_t text_tasks(const char *tasks)
{
	uint32_t count = 0;
	char *at = (char *) tasks;

	while (at && isdigit((unsigned char) *at)) {
		count += _range(at, &at);
		if (*at == ',')
			at++;
	}
	return count ? count : 1;
}
