/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "suite.h"
#include "timespan.h"

#define UNTOUCHED (-77)

static const struct {
	const char *text;
	int64_t seconds;
} good[] = {
	/* minutes */
	{ "0", 0 }, { "1", 60 }, { "90", 5400 }, { "007", 420 },
	{ "5270400", SB_TIMESPAN_MAX },
	/* minutes:seconds */
	{ "0:00", 0 }, { "0:30", 30 }, { "15:00", 900 }, { "1:5", 65 },
	{ "90:59", 5459 }, { "5270400:00", SB_TIMESPAN_MAX },
	/* hours:minutes:seconds */
	{ "0:0:0", 0 }, { "8:00:00", 28800 }, { "1:02:03", 3723 },
	{ "100:00:00", 360000 }, { "87840:0:0", SB_TIMESPAN_MAX },
	/* days-hours[:minutes[:seconds]] */
	{ "0-0", 0 }, { "2-12", 216000 }, { "1-23", 169200 },
	{ "1-1:1", 90060 }, { "1-1:01:01", 90061 },
	{ "7-00:00:00", 604800 }, { "366-00:00:00", 31622400 },
	{ "3660-0", SB_TIMESPAN_MAX }, { "3659-23:59:59", SB_TIMESPAN_MAX - 1 },
	{ "00000000000000000000000000001-0", 86400 },
	/* units */
	{ "0s", 0 }, { "90s", 90 }, { "15m", 900 }, { "4h", 14400 },
	{ "2d", 172800 }, { "90S", 90 }, { "15M", 900 }, { "4H", 14400 },
	{ "2D", 172800 }, { "3660d", SB_TIMESPAN_MAX }, { "61m", 3660 },
	{ "316224000s", SB_TIMESPAN_MAX },
};

START_TEST(parses)
{
	int64_t seconds = UNTOUCHED;
	sb_err_t err = { "untouched" };

	ck_assert_int_eq(sb_timespan_parse(good[_i].text, strlen(good[_i].text),
					   &seconds, &err), 0);
	ck_assert_int_eq(seconds, good[_i].seconds);
	ck_assert_str_eq(err.text, "untouched");
}
END_TEST

#define FORMS "write it like"
#define MOST "at most 3660-00:00:00"
#define SIXTY "go to 59"
#define UNITS "units are s, m, h and d"

static const struct {
	const char *text, *reason;
} bad[] = {
	{ "", "it is empty" }, { " ", FORMS }, { " 5", FORMS },
	{ "5 ", FORMS }, { "5\n", FORMS }, { "-5", FORMS }, { "+5", FORMS },
	{ "-", FORMS }, { ":", FORMS }, { ":5", FORMS }, { "5:", FORMS },
	{ "5-", FORMS }, { "5-1-", FORMS }, { "1-2-3", FORMS },
	{ "1:2-3", FORMS }, { "1::2", FORMS }, { "1-:2", FORMS },
	{ "1-2:3:4:5", FORMS }, { "1:2:3:4:5", FORMS }, { "1-2:3:4:", FORMS },
	{ "1:2:3:4", "too many fields" }, { "1.5", FORMS }, { "1.5h", FORMS },
	{ "1e3", FORMS }, { "0x10", FORMS }, { "inf", FORMS },
	{ "nan", FORMS }, { "UNLIMITED", FORMS }, { "INFINITE", FORMS },
	{ "h", FORMS }, { "4hh", FORMS }, { "4h30m", FORMS }, { "4 h", FORMS },
	{ "4h ", FORMS }, { "1:00h", FORMS }, { "1-0h", FORMS },
	{ "90sec", FORMS }, { "5x", UNITS }, { "5Z", UNITS }, { "5A", UNITS },
	{ "1w", UNITS }, { "1y", UNITS },
	{ "5\xc2\xb5", FORMS }, { "\xef\xbc\x95", FORMS }, { "5_", FORMS },
	{ "5/", FORMS }, { "5;", FORMS }, { "5`", FORMS }, { "5{", FORMS },
	{ "5@", FORMS }, { "5[", FORMS },
	{ "1:60", SIXTY }, { "1:60:00", SIXTY }, { "1:00:60", SIXTY },
	{ "1-24", "go to 23" }, { "1-0:60", SIXTY }, { "1-0:0:60", SIXTY },
	{ "1-24:00:00", "go to 23" }, { "1:99999999999999999999999", SIXTY },
	{ "5270401", MOST }, { "5270400:01", MOST }, { "87840:0:1", MOST },
	{ "3660-0:0:1", MOST }, { "3661d", MOST }, { "316224001s", MOST },
	{ "9223372036854775807", MOST }, { "9223372036854775808s", MOST },
	{ "153722867280912931", MOST }, { "18446744073709551616", MOST },
	{ "18446744073709551617s", MOST }, { "106751991167301d", MOST },
	{ "99999999999999999999999999999999999999-00", MOST },
};

START_TEST(refuses)
{
	int64_t seconds = UNTOUCHED;
	sb_err_t err = { "" };
	const char *text = bad[_i].text;

	ck_assert_int_eq(sb_timespan_parse(text, strlen(text), &seconds, &err),
			 -1);
	ck_assert_int_eq(seconds, UNTOUCHED);
	ck_assert_ptr_nonnull(strstr(err.text, " is not a time ("));
	ck_assert_msg(strstr(err.text, bad[_i].reason) != NULL, "%s: %s", text,
		      err.text);
	ck_assert_int_eq(sb_timespan_parse(text, strlen(text), &seconds, NULL),
			 -1);
}
END_TEST

START_TEST(null_is_empty)
{
	int64_t seconds = UNTOUCHED;
	sb_err_t err;

	ck_assert_int_eq(sb_timespan_parse(NULL, 0, &seconds, &err), -1);
	ck_assert_int_eq(sb_timespan_parse(NULL, 9, &seconds, &err), -1);
	ck_assert_str_eq(err.text, "\"\" is not a time (it is empty)");
	ck_assert_int_eq(seconds, UNTOUCHED);
}
END_TEST

START_TEST(reads_no_further_than_len)
{
	/* On the heap, without terminator: a sanitizer sees one byte more. */
	char *text = malloc(2);
	int64_t seconds;

	memcpy(text, "45", 2);
	ck_assert_int_eq(sb_timespan_parse(text, 2, &seconds, NULL), 0);
	ck_assert_int_eq(seconds, 2700);
	ck_assert_int_eq(sb_timespan_parse(text, 1, &seconds, NULL), 0);
	ck_assert_int_eq(seconds, 240);
	memcpy(text, "4:", 2);
	ck_assert_int_eq(sb_timespan_parse(text, 2, &seconds, NULL), -1);
	ck_assert_int_eq(sb_timespan_parse("4\0h", 3, &seconds, NULL), -1);
	free(text);
}
END_TEST

START_TEST(never_raw)
{
	int64_t seconds;
	sb_err_t err;

	ck_assert_int_eq(sb_timespan_parse("\x1b[2J\xff", 5, &seconds, &err),
			 -1);
	for (const char *at = err.text; *at; at++)
		ck_assert(*at >= ' ' && *at <= '~');
}
END_TEST

static const struct {
	int64_t seconds;
	const char *text;
} shown[] = {
	{ INT64_MIN, "0:00" }, { -1, "0:00" }, { 0, "0:00" }, { 30, "0:30" },
	{ 60, "1:00" }, { 900, "15:00" }, { 3599, "59:59" },
	{ 3600, "1:00:00" }, { 28800, "8:00:00" }, { 86399, "23:59:59" },
	{ 86400, "1-00:00:00" }, { 90061, "1-01:01:01" },
	{ 604800, "7-00:00:00" }, { SB_TIMESPAN_MAX, "3660-00:00:00" },
	{ INT64_MAX, "106751991167300-15:30:07" },
};

START_TEST(formats)
{
	char buf[SB_TIMESPAN_TEXT];

	ck_assert_ptr_eq(sb_timespan_format(shown[_i].seconds, buf,
					    sizeof(buf)), buf);
	ck_assert_str_eq(buf, shown[_i].text);
}
END_TEST

START_TEST(format_into_little_room)
{
	char buf[4] = "ZZZ";

	ck_assert_ptr_null(sb_timespan_format(5, NULL, 5));
	sb_timespan_format(86400, buf, 0);
	ck_assert_str_eq(buf, "ZZZ");
	sb_timespan_format(86400, buf, 3);
	ck_assert_str_eq(buf, "1-");
}
END_TEST

static void check_round_trip(int64_t seconds)
{
	char buf[SB_TIMESPAN_TEXT];
	int64_t back = UNTOUCHED;

	sb_timespan_format(seconds, buf, sizeof(buf));
	ck_assert_int_eq(sb_timespan_parse(buf, strlen(buf), &back, NULL), 0);
	ck_assert_int_eq(back, seconds);
}

START_TEST(round_trip)
{
	for (int64_t s = 0; s < 3 * SB_DAY; s++)
		check_round_trip(s);
	for (int64_t s = 0; s <= SB_TIMESPAN_MAX; s += 100003)
		check_round_trip(s);
	check_round_trip(SB_TIMESPAN_MAX);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
	Suite *suite = suite_create("timespan");
	TCase *tc = tcase_create("timespan");

	suite_add_tcase(suite, tc);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, null_is_empty);
	tcase_add_loop_test(tc, parses, 0, COUNT(good));
	tcase_add_loop_test(tc, refuses, 0, COUNT(bad));
	tcase_add_test(tc, reads_no_further_than_len);
	tcase_add_test(tc, never_raw);
	tcase_add_loop_test(tc, formats, 0, COUNT(shown));
	tcase_add_test(tc, format_into_little_room);
	tcase_add_test(tc, round_trip);
	return suite_run(suite);
}
