/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_text - what sbudget reads in Slurm's strings, and how it shows numbers.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "story.h"
#include "suite.h"
#include "text.h"

START_TEST(tres)
{
	static const char text[] = "cpu=4,mem=2G,node=1,billing=8,gres/gpu=8,"
				   "gres/gpu:h100=6";
	double count = -1;

	ck_assert(text_tres(text, "cpu", &count) && count == 4);
	ck_assert(text_tres(text, "mem", &count) && count == 2048);
	ck_assert(text_tres(text, "gres/gpu", &count) && count == 8);
	ck_assert(text_tres(text, "gres/gpu:h100", &count) && count == 6);
	ck_assert(text_tres(text, "GRES/GPU", &count) && count == 8);
	ck_assert(!text_tres(text, "gres/gp", &count));
	ck_assert(!text_tres(text, "gpu", &count));
	ck_assert(!text_tres("", "cpu", &count));
	ck_assert(!text_tres(NULL, "cpu", &count));
	ck_assert(!text_tres("cpu", "cpu", &count));
}
END_TEST

static const struct {
	const char *text;
	uint32_t count;
} task_vectors[] = {
	{ NULL, 1 }, { "", 1 }, { "7", 1 }, { "1-3", 3 }, { "0-3,5,7-9%2", 8 },
	{ "1-9:2", 5 }, { "1-9:2%3", 5 }, { "3-1", 1 }, { "1-5:0", 1 },
	{ "x", 1 }, { "1,2,", 2 },
};

START_TEST(tasks)
{
	ck_assert_uint_eq(text_tasks(task_vectors[_i].text),
			  task_vectors[_i].count);
}
END_TEST

static const struct {
	const char *text;
	int64_t when;		/* UTC, -1: none */
} date_vectors[] = {
	{ "1970-01-02", 86400 }, { "1970-01-02T01:00", 90000 },
	{ "1970-01-02 01:00:05", 90005 }, { "2026-11-29", 1795910400 },
	{ "", -1 }, { "2026", -1 }, { "2026-1-2", -1 }, { "2026-02-30", -1 },
	{ "2026-13-01", -1 }, { "2026-11-29T", -1 }, { "2026-11-29x", -1 },
	{ "2026-11-29T25:00", -1 }, { " 2026-11-29", -1 },
	{ "1960-01-01", -1 }, { "26-11-29 00:00", -1 },
};

START_TEST(dates)
{
	int64_t when = -1;
	int rc = text_date(date_vectors[_i].text, &when);

	ck_assert_int_eq(rc ? -1 : when, date_vectors[_i].when);
}
END_TEST

/* Now is 1970-01-15 12:00:30. */
static const struct {
	const char *text;
	int64_t when;		/* -1: none */
} moment_vectors[] = {
	{ "now", 1252830 }, { "NOW", 1252830 }, { "today", 1209600 },
	{ "now-7days", 648030 }, { "now-7d", 648030 }, { "now-1week", 648030 },
	{ "now-30", 1252800 }, { "now+2hours", 1260030 },
	{ "now-1minute", 1252770 }, { "1970-01-02", 86400 },
	{ "", -1 }, { "now-", -1 }, { "now7", -1 }, { "now -7", -1 },
	{ "now--7", -1 }, { "now-7fortnights", -1 }, { "now-7daysx", -1 },
	{ "now-52weeks", -1 }, { "nowadays", -1 }, { "yesterday", -1 },
	{ "now-99999999999999999999", -1 }, { "now+999999999weeks", -1 },
};

START_TEST(moments)
{
	int64_t when = -1;
	int rc = text_moment(moment_vectors[_i].text, 1252830, &when);

	ck_assert_msg((rc ? -1 : when) == moment_vectors[_i].when, "%s: %lld",
		      moment_vectors[_i].text, (long long) when);
}
END_TEST

START_TEST(shown)
{
	char buf[TEXT_SIZE];

	ck_assert_str_eq(text_time(90005, buf), "1970-01-02T01:00:05");
	ck_assert_str_eq(text_ahead(100, 100, buf), "now");
	ck_assert_str_eq(text_ahead(290, 100, buf), "in 3:10");
	ck_assert_str_eq(text_ratio(0.8, buf), "0.800");
	ck_assert_str_eq(text_ratio(1e5, buf), ">1000");
	ck_assert_str_eq(text_ratio(SB_RATIO_UNFUNDED, buf), "unfunded");
	ck_assert_str_eq(text_bar(0, buf), "[          |          ]");
	ck_assert_str_eq(text_bar(0.5, buf), "[=====     |          ]");
	ck_assert_str_eq(text_bar(1, buf), "[==========|          ]");
	ck_assert_str_eq(text_bar(1.3, buf), "[==========|===       ]");
	ck_assert_str_eq(text_bar(1e11, buf), "[==========|==========]");
}
END_TEST

START_TEST(stories)
{
	story_t story;

	ck_assert(story_read("2026-11-29T18:54:22,over-budget,by-JobId=8,"
			     "a1:0.831,from,c3:1.027", &story));
	ck_assert_str_eq(story.when, "2026-11-29T18:54:22");
	ck_assert_str_eq(story.rule, "over-budget");
	ck_assert_uint_eq(story.taker_id, 8);
	ck_assert_str_eq(story.taker, "a1");
	ck_assert_str_eq(story.victim, "c3");
	ck_assert_double_eq_tol(story.taker_ratio, 0.831, 1e-9);
	ck_assert_double_eq_tol(story.victim_ratio, 1.027, 1e-9);
	ck_assert(story_read("T,R,by-JobId=8,-:0.000,from,-:0.000", &story));
}
END_TEST

static const char *const bad_stories[] = {
	"", ",", ",,,,,", "T,R,by-JobId=8,a1:0.8,from", "T,R,8,a:1,from,b:2",
	"T,R,by-JobId=8,a,from,b:2", "T,R,by-JobId=8,a:1,to,b:2",
	"T,R,by-JobId=8,a:1,from,b:2x", "T,R,by-JobId=8,a:1,from,b:2,c",
	"T,R,by-JobId=8,:1,from,b:2",
	"T,RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR,"
	"by-JobId=8,a:1,from,b:2",
};

START_TEST(not_stories)
{
	story_t story;

	ck_assert_msg(!story_read(bad_stories[_i], &story), "%s",
		      bad_stories[_i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text");
	TCase *tcase = tcase_create("text");

	setenv("TZ", "UTC", 1);
	tcase_add_test(tcase, tres);
	tcase_add_loop_test(tcase, tasks, 0,
			    sizeof(task_vectors) / sizeof(*task_vectors));
	tcase_add_loop_test(tcase, dates, 0,
			    sizeof(date_vectors) / sizeof(*date_vectors));
	tcase_add_loop_test(tcase, moments, 0,
			    sizeof(moment_vectors) / sizeof(*moment_vectors));
	tcase_add_test(tcase, shown);
	tcase_add_test(tcase, stories);
	tcase_add_loop_test(tcase, not_stories, 0,
			    sizeof(bad_stories) / sizeof(*bad_stories));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
