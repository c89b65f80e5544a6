/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show - values and names as people read them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "tally.h"
#include "timespan.h"

/* Beyond this a whole number is no longer one. */
#define EXACT 9007199254740992.0

/* Put commas between groups of three digits before the decimal point. */
static void group_digits(const char *plain, char *buf, size_t size)
{
	size_t digits = strspn(plain, "0123456789"), used = 0;

	for (size_t i = 0; plain[i] && used + 2 < size; i++) {
		if (i && i < digits && !((digits - i) % 3))
			buf[used++] = ',';
		buf[used++] = plain[i];
	}
	buf[used] = '\0';
}

extern const char *report_show(report_kind_t kind, double value, char *buf,
			       size_t size)
{
	char plain[64];

	if (!isfinite(value) || fabs(value) > EXACT) {
		snprintf(buf, size, "-");
		return buf;
	}
	switch (kind) {
	case REPORT_TEXT:
	case REPORT_COUNT:
		snprintf(plain, sizeof(plain), "%.0f", value);
		break;
	case REPORT_HOURS:
	case REPORT_GPUS:
		snprintf(plain, sizeof(plain), "%.1f", value);
		break;
	case REPORT_SHARE:
		/* Not all is not all, however little is missing. */
		if (value < 1 && value >= 0.9995)
			value = 0.999;
		snprintf(plain, sizeof(plain), "%.1f %%", value * 100);
		break;
	case REPORT_SECONDS:
		return sb_timespan_format((int64_t) value, buf, size);
	case REPORT_TIME:
		snprintf(buf, size, "%.0f", value);
		return buf;
	}
	group_digits(plain, buf, size);
	return buf;
}

extern const char *report_words(double seconds, char *buf, size_t size)
{
	static const struct {
		double least, unit;
		const char *format;
	} forms[] = {
		{ 2 * SB_DAY, SB_DAY, "%.1f days" },
		{ 2 * SB_HOUR, SB_HOUR, "%.1f h" },
		{ 2 * SB_MINUTE, SB_MINUTE, "%.0f min" },
		{ 0, 1, "%.0f s" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!(seconds >= forms[i].least))
			continue;
		snprintf(buf, size, forms[i].format,
			 seconds / forms[i].unit);
		return buf;
	}
	snprintf(buf, size, "-");
	return buf;
}

/* RET: bytes of the UTF-8 character at text, 0: it is none. */
static size_t utf8_length(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = {
		{ 0x80, 0x00, 0 },
		{ 0xe0, 0xc0, 0x80 },
		{ 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 },
	};

	for (size_t n = 0; n < 4; n++) {
		uint32_t code = text[0] & (unsigned char) ~forms[n].mask;

		if ((text[0] & forms[n].mask) != forms[n].lead)
			continue;
		for (size_t i = 1; i <= n; i++) {
			if ((text[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (text[i] & 0x3f);
		}
		if (code < forms[n].least || code > 0x10ffff ||
		    (code >= 0xd800 && code < 0xe000))
			return 0;
		return n + 1;
	}
	return 0;
}

extern char *report_clean(const char *text)
{
	size_t length = strlen(text), used = 0;
	char *clean = malloc(length + 1);

	if (!clean)
		return NULL;
	for (size_t i = 0; i < length;) {
		const unsigned char *at = (const unsigned char *) text + i;
		size_t bytes = utf8_length(at);

		/* C1 controls are two bytes: c2 80 to c2 9f */
		if (!bytes || *at < 0x20 || *at == 0x7f ||
		    (*at == 0xc2 && at[1] < 0xa0)) {
			clean[used++] = '?';
			i += bytes ? bytes : 1;
			continue;
		}
		memcpy(clean + used, at, bytes);
		used += bytes;
		i += bytes;
	}
	clean[used] = '\0';
	return clean;
}
