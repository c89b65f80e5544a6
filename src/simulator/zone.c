/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "zone.h"

#define DAY 86400

static const char no_time[] =
	"is no time like 2026-11-29T17:00:00 (SLURM_TIME_FORMAT must be standard or %s)";

/* Days from 1970-01-01 to a date of the Gregorian calendar. */
static int64_t days_of(int year, int month, int day)
{
	/* The year begins in March: the leap day is its last. */
	int y = month <= 2 ? year - 1 : year;
	int m = (month + 9) % 12;

	return 365 * (int64_t)y + y / 4 - y / 100 + y / 400 +
		(m * 306 + 5) / 10 + day - 1 - 719468;
}

static int days_in(int year, int month)
{
	static const int days[] = {
		31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
	};
	bool leap = (!(year % 4) && year % 100) || !(year % 400);

	return days[month - 1] + (month == 2 && leap);
}

/* Seconds that local time is ahead of UTC at an instant. */
static int64_t offset_at(int64_t when)
{
	time_t seconds = when;
	struct tm tm;

	if (!localtime_r(&seconds, &tm))
		return 0;
	return days_of(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday) * DAY +
		tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec - when;
}

/* The offset that holds all day, and around it. RET: false: it changes. */
static bool steady(zone_t *zone, int64_t day, int64_t *offset)
{
	size_t slot = (size_t)day % ZONE_DAYS;

	if (zone->day[slot] != day + 1) {
		int64_t before = offset_at((day - 1) * DAY);

		if (before != offset_at((day + 2) * DAY))
			return false;
		zone->day[slot] = day + 1;
		zone->offset[slot] = before;
	}
	*offset = zone->offset[slot];
	return true;
}

/* Instants at which clocks show this, as seconds of a day count. */
static void resolve(zone_t *zone, int64_t shown, zone_time_t *time)
{
	int64_t day = shown / DAY, offset, offsets[2];

	if (steady(zone, day, &offset)) {
		time->count = 1;
		time->when[0] = shown - offset;
		return;
	}
	offsets[0] = offset_at((day - 1) * DAY);
	offsets[1] = offset_at((day + 2) * DAY);
	time->count = 0;
	/* The larger offset is the earlier instant. */
	for (int i = 0; i < 2; i++) {
		int64_t east = (i == 0) == (offsets[0] > offsets[1]) ?
			offsets[0] : offsets[1];
		int64_t when = shown - east;

		if (offset_at(when) == east)
			time->when[time->count++] = when;
	}
}

/* "Z", "+hhmm", "+hh:mm". RET: false: none of them. */
static bool take_zone(const char *text, int64_t *offset)
{
	int hours, minutes, end = 0;

	*offset = 0;
	if (!strcmp(text, "Z"))
		return true;
	if (*text != '+' && *text != '-')
		return false;
	if ((sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &end) != 2 ||
	     end != 5) &&
	    (sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &end) != 2 ||
	     end != 4))
		return false;
	if (text[1 + end] || hours < 0 || hours > 15 || minutes < 0 ||
	    minutes > 59)
		return false;
	*offset = (hours * 60 + minutes) * (*text == '-' ? -60 : 60);
	return true;
}

static const char *take_epoch(const char *text, zone_time_t *time)
{
	int64_t sum = 0;

	for (; *text; text++) {
		sum = sum * 10 + (*text - '0');
		if (sum > ZONE_TIME_MAX)
			return "is too far in the future";
	}
	/* Slurm's 0 is no time. */
	time->count = sum > 0;
	time->when[0] = sum;
	return NULL;
}

/* Digits where they belong: sscanf() takes blanks and signs. */
static bool shaped(const char *text)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd";

	for (size_t i = 0; shape[i]; i++) {
		if (shape[i] == 'd' ? !isdigit((unsigned char)text[i]) :
		    text[i] != shape[i])
			return false;
	}
	return true;
}

static const char *take_date(zone_t *zone, const char *text, zone_time_t *time)
{
	int year, month, day, hour, minute, second;
	int64_t shown, offset;

	if (!shaped(text) ||
	    sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d", &year, &month, &day,
		   &hour, &minute, &second) != 6)
		return no_time;
	if (year < 1970 || year > 2105)
		return "is not between 1970 and 2105";
	if (month < 1 || month > 12 || day < 1 || day > days_in(year, month))
		return "is no date of the calendar";
	if (hour > 23 || minute > 59 || second > 60)
		return "is no time of a day";
	shown = days_of(year, month, day) * DAY + hour * 3600 + minute * 60 +
		second;
	text += strlen("YYYY-MM-DDTHH:MM:SS");
	if (*text) {
		if (!take_zone(text, &offset))
			return no_time;
		time->count = 1;
		time->when[0] = shown - offset;
	} else {
		resolve(zone, shown, time);
	}
	if (!time->count)
		return "never was in this time zone: clocks went forward (see --tz)";
	if (time->when[0] < 0)
		return "is not between 1970 and 2105";
	return NULL;
}

extern const char *zone_parse(zone_t *zone, const char *text,
			      zone_time_t *time)
{
	time->count = 0;
	if (!*text || !strcmp(text, "Unknown") || !strcmp(text, "None") ||
	    !strcmp(text, "N/A"))
		return NULL;
	if (strspn(text, "0123456789") == strlen(text))
		return take_epoch(text, time);
	return take_date(zone, text, time);
}
