/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "suite.h"

START_TEST(set_takes_null)
{
	ck_assert_int_eq(sb_err_set(NULL, "x %d", 1), -1);
}
END_TEST

START_TEST(set_formats)
{
	sb_err_t err;

	ck_assert_int_eq(sb_err_set(&err, "x %d %s", 1, "y"), -1);
	ck_assert_str_eq(err.text, "x 1 y");
	ck_assert_int_eq(sb_err_set(&err, "z"), -1);
	ck_assert_str_eq(err.text, "z");
}
END_TEST

START_TEST(set_may_quote_itself)
{
	sb_err_t err;

	sb_err_set(&err, "inner");
	sb_err_set(&err, "outer: %s", err.text);
	ck_assert_str_eq(err.text, "outer: inner");
}
END_TEST

START_TEST(set_cuts)
{
	char text[2 * SB_ERR_SIZE];
	sb_err_t err;

	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(sb_err_set(&err, "%s", text), -1);
	ck_assert_uint_eq(strlen(err.text), SB_ERR_SIZE - 1);
	text[SB_ERR_SIZE - 1] = '\0';
	ck_assert_str_eq(err.text, text);
}
END_TEST

#define A10 "aaaaaaaaaa"
#define A50 A10 A10 A10 A10 A10
#define E9 "\xff\xff\xff\xff\xff\xff\xff\xff\xff"

static const struct {
	size_t size;
	const char *src;
	size_t len;
	const char *expected;
} quotes[] = {
	{ 64, NULL, 0, "" },
	{ 64, NULL, 5, "" },
	{ 64, "", 0, "" },
	{ 64, "abc", 3, "abc" },
	{ 64, "abc", 2, "ab" },
	{ 64, "a\0b", 3, "a\\x00b" },
	{ 64, "\x1b[31m", 5, "\\x1b[31m" },
	{ 64, "\n\t\x7f~ ", 5, "\\x0a\\x09\\x7f~ " },
	{ 64, "\xc3\xa9", 2, "\\xc3\\xa9" },
	{ 64, "\"\\", 2, "\"\\" },
	{ 64, A50 A10, 60, A50 A10 },
	{ 64, A50 A10 "a", 61, A50 "aaaaaaa..." },
	{ 4096, A50 A50, 100, A50 "aaaaaaa..." },
	/* Never half an escape: 56 + 4 fit, and 57 + 3 dots do not. */
	{ 64, A50 "aaaaaa\xff", 57, A50 "aaaaaa\\xff" },
	{ 64, A50 "aaaaaaa\xff", 58, A50 "aaaaaaa..." },
	/* 55 + 4 + 2 are one over: no room for dots behind the escape. */
	{ 64, A50 "aaaaa\xff" "aa", 58, A50 "aaaaa..." },
	{ 64, E9 E9, 18, "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff"
			 "\\xff\\xff\\xff\\xff..." },
	{ 1, "abc", 3, "" },
	{ 2, "abc", 3, "." },
	{ 3, "abc", 3, ".." },
	{ 4, "abc", 3, "abc" },
	{ 4, "abcd", 4, "..." },
	{ 5, "abcde", 5, "a..." },
	{ 5, "\x01", 1, "\\x01" },
	{ 5, "\x01\x01", 2, "..." },
	{ 8, "\x01\x01", 2, "\\x01..." },
};

START_TEST(quote)
{
	char dst[4096];

	memset(dst, 'Z', sizeof(dst));
	ck_assert_ptr_eq(sb_err_quote(dst, quotes[_i].size, quotes[_i].src,
				      quotes[_i].len), dst);
	ck_assert_int_eq(dst[quotes[_i].size < 64 ? quotes[_i].size : 64],
			 'Z');
	ck_assert_str_eq(dst, quotes[_i].expected);
}
END_TEST

START_TEST(quote_without_room)
{
	char dst = 'Z';

	ck_assert_ptr_eq(sb_err_quote(&dst, 0, "abc", 3), &dst);
	ck_assert_int_eq(dst, 'Z');
	ck_assert_ptr_null(sb_err_quote(NULL, 9, "abc", 3));
}
END_TEST

static const struct {
	const char *a, *b;
	int expected;
} distances[] = {
	{ "", "", 0 }, { "", "a", 1 }, { "a", "", 1 }, { "", "ab", 2 },
	{ "window", "window", 0 }, { "WinDow", "window", 0 },
	{ "win-dow", "window", 0 }, { "_w.indow-", "window", 0 },
	{ "win\xe2\x80\x93" "dow", "window", 0 }, { "wndow", "window", 1 },
	{ "windoww", "window", 1 }, { "xwindow", "window", 1 },
	{ "indow", "window", 1 }, { "wimdow", "window", 1 },
	{ "windwo", "window", 1 }, { "iwndow", "window", 1 },
	{ "widnow", "window", 1 }, { "wodniw", "window", 2 },
	{ "windo", "window", 1 }, { "wind", "window", 2 },
	{ "windowww", "window", 2 }, { "wxxdow", "window", 2 },
	{ "max-runtime", "min-runtime", 2 }, { "aab", "aba", 1 },
	{ "abab", "baba", 2 }, { "aaa", "aa", 1 }, { "aaaa", "aa", 2 },
};

START_TEST(distance)
{
	ck_assert_int_eq(sb_err_distance(distances[_i].a,
					 strlen(distances[_i].a),
					 distances[_i].b),
			 distances[_i].expected);
}
END_TEST

START_TEST(distance_of_long_words)
{
	char text[200];

	memset(text, 'a', sizeof(text));
	ck_assert_int_eq(sb_err_distance(text, sizeof(text), "a"), 2);
	/* Compared up to 64 letters, not beyond. */
	text[64] = '\0';
	ck_assert_int_eq(sb_err_distance(text, 64, text), 0);
	ck_assert_int_eq(sb_err_distance(text, 63, text), 1);
	text[64] = 'a';
	text[65] = '\0';
	ck_assert_int_eq(sb_err_distance(text, 65, text), 2);
	memset(text, '-', sizeof(text));
	text[150] = 'A';
	ck_assert_int_eq(sb_err_distance(text, sizeof(text), "a"), 0);
}
END_TEST

/* Brute force: the textbook matrix (optimal string alignment). */
static int matrix(const char *a, const char *b)
{
	int d[8][8], m = (int)strlen(a), n = (int)strlen(b);

	for (int i = 0; i <= m; i++) {
		for (int j = 0; j <= n; j++) {
			int cost = i && j && a[i - 1] != b[j - 1];
			int best = i && j ? d[i - 1][j - 1] + cost : i + j;

			if (i && j && d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (i && j && d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[m][n] < 2 ? d[m][n] : 2;
}

/* The number'th of all words of up to 5 letters a, b, c. */
static void nth_word(int number, char word[8])
{
	int len = 0;

	for (; number; number /= 4) {
		if (number % 4)
			word[len++] = (char)('a' + number % 4 - 1);
	}
	word[len] = '\0';
}

START_TEST(distance_is_the_textbook_one)
{
	for (int i = 0; i < 1024; i++) {
		for (int j = 0; j < 1024; j++) {
			char a[8], b[8];

			nth_word(i, a);
			nth_word(j, b);
			if (sb_err_distance(a, strlen(a), b) != matrix(a, b))
				ck_abort_msg("%s %s", a, b);
		}
	}
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
	Suite *suite = suite_create("err");
	TCase *tc = tcase_create("err");

	suite_add_tcase(suite, tc);
	tcase_add_test(tc, set_takes_null);
	tcase_add_test(tc, set_formats);
	tcase_add_test(tc, set_may_quote_itself);
	tcase_add_test(tc, set_cuts);
	tcase_add_loop_test(tc, quote, 0, COUNT(quotes));
	tcase_add_test(tc, quote_without_room);
	tcase_add_loop_test(tc, distance, 0, COUNT(distances));
	tcase_add_test(tc, distance_of_long_words);
	tcase_add_test(tc, distance_is_the_textbook_one);
	return suite_run(suite);
}
