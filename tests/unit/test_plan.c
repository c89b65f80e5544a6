/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_plan - plans of budgets: good ones are read, bad ones name line and path
 * of what is bad, and no bytes do harm.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "place.h"
#include "plan.h"
#include "suite.h"

#define WINDOW SB_WINDOW_DEFAULT

/* Line 1 to 3 of every plan in the table. */
#define HEAD "{ \"version\": 1,\n  \"accounts\": [\n" \
	"  { \"account\": \"a\", \"shares\": 1 },\n"
#define TAIL "\n] }\n"

static plan_t *parse(const char *text, sb_err_t *err)
{
	return plan_parse(text, strlen(text), WINDOW, err);
}

static const char good[] =
	"/* the year */\n"
	"{ \"version\": 1, \"cluster\": \"c\", \"note\": \"// no comment\",\n"
	"  \"accounts\": [ // these\n"
	"    { \"account\": \"a1\", \"parent\": \"root\", \"shares\": 35,\n"
	"      \"owner\": \"alice\", \"note\": \"\\\"/*\\\"\", \"total\": 4 },\n"
	"    { \"account\": \"x\", \"parent\": \"a1\", \"periods\": [\n"
	"      { \"from\": \"2026-04-01\", \"shares\": 4 },\n"
	"      { \"until\": \"2026-04-01\", \"shares\": 4 } ] },\n"
	"    { \"account\": \"a1\", \"user\": \"u\", \"shares\": \"parent\" },\n"
	"    { \"account\": \"h\", \"gpu_hours\": 1680.5 } ] }\n";

START_TEST(good_plan)
{
	sb_err_t err = { "" };
	plan_t *plan = parse(good, &err);
	const plan_entry_t *x;

	ck_assert_msg(plan != NULL, "%s", err.text);
	ck_assert_uint_eq(plan->count, 4);
	ck_assert_str_eq(plan->cluster, "c");
	ck_assert_str_eq(plan->entries[0].owner, "alice");
	ck_assert_str_eq(plan->entries[0].note, "\"/*\"");
	x = plan_find(plan, "x", NULL);
	ck_assert_ptr_eq(x, &plan->entries[1]);
	/* by time, not as written */
	ck_assert_int_eq(x->periods[0].from, PLAN_ALWAYS);
	ck_assert_int_eq(x->periods[0].until, x->periods[1].from);
	ck_assert_ptr_eq(plan_at(x, x->periods[1].from - 1), &x->periods[0]);
	ck_assert_ptr_eq(plan_at(x, x->periods[1].from), &x->periods[1]);
	ck_assert_ptr_eq(plan_find(plan, "a1", "u"), &plan->entries[2]);
	ck_assert_ptr_null(plan_find(plan, "a1", "v"));
	ck_assert_ptr_null(plan_find(plan, "u", NULL));
	ck_assert_uint_eq(plan_fairshare(plan->entries[2].periods, WINDOW),
			  SB_SHARES_PARENT);
	/* 1680.5 hours in 168 */
	ck_assert_uint_eq(plan_fairshare(plan->entries[3].periods, WINDOW),
			  10003);
	plan_destroy(plan);
}
END_TEST

/* Behind HEAD, before TAIL -> what the error has to contain. */
static const struct {
	const char *text;
	const char *error;
} bad[] = {
	{ "5", "line 4: $.accounts[1]: must be an object" },
	{ "{}", "line 4: $.accounts[1]: needs an account" },
	{ "{ \"account\": \"b\" }",
	  "line 4: $.accounts[1]: needs shares or gpu_hours" },
	{ "{ \"account\": \"\", \"shares\": 1 }",
	  "line 4: $.accounts[1].account: must be a name" },
	{ "{ \"account\": 7, \"shares\": 1 }",
	  "line 4: $.accounts[1].account: must be a string" },
	{ "{ \"account\": \"b\\u0000\", \"shares\": 1 }",
	  "$.accounts[1].account: must not hold a NUL" },
	{ "{ \"account\": \"a\", \"shares\": 1 }",
	  "line 4: $.accounts[1].account: comes twice, first in accounts[0]" },
	{ "{ \"account\": \"b\",\n\"shares\": -1 }",
	  "line 5: $.accounts[1].shares: must be a whole number" },
	{ "{ \"account\": \"b\", \"shares\": 1.5 }", ".shares: must be" },
	{ "{ \"account\": \"b\", \"shares\": \"5\" }", ".shares: must be" },
	{ "{ \"account\": \"b\", \"shares\": null }", ".shares: must be" },
	{ "{ \"account\": \"b\", \"shares\": 1000000001 }",
	  ".shares: must be" },
	{ "{ \"account\": \"b\", \"shares\": 18446744073709551615 }",
	  ".shares: must be" },
	/* more than json-c of some releases calls a number */
	{ "{ \"account\": \"b\", \"shares\": 18446744073709551617 }",
	  "line 4: " },
	{ "{ \"account\": \"b\", \"gpu_hours\": -0.1 }",
	  ".gpu_hours: must be a number" },
	{ "{ \"account\": \"b\", \"gpu_hours\": 1e300 }",
	  ".gpu_hours: must be a number" },
	{ "{ \"account\": \"b\", \"gpu_hours\": NaN }", ".gpu_hours: must be" },
	{ "{ \"account\": \"b\", \"gpu_hours\": 1, \"from\": \"2026-01-01\" }",
	  ".gpu_hours: needs both from and until" },
	{ "{ \"account\": \"b\", \"gpu_hours\": 1e9,"
	  " \"from\": \"2026-01-01T00:00\", \"until\": \"2026-01-01T00:01\" }",
	  ".gpu_hours: more than a million" },
	{ "{ \"account\": \"b\", \"gpu_hours\": 1, \"shares\": 1 }",
	  "has both shares and gpu_hours" },
	{ "{ \"account\": \"b\", \"share\": 1 }",
	  "$.accounts[1].share: unknown key; \"shares\" was meant?" },
	{ "{ \"account\": \"b\", \"shares\": 1, \"colour\": 2 }",
	  "$.accounts[1].colour: unknown key" },
	{ "{ \"account\": \"b\", \"shares\": 1, \"shares\": 1 }",
	  "line 4: $.accounts[1].shares: this key comes twice" },
	{ "{ \"account\": \"b\", \"user\": \"u\", \"parent\": \"a\","
	  " \"shares\": 1 }", "a user has neither parent nor total" },
	{ "{ \"account\": \"b\", \"shares\": 1, \"from\": \"tomorrow\" }",
	  "$.accounts[1].from: must be a date" },
	{ "{ \"account\": \"b\", \"shares\": 1, \"from\": \"2026-02-30\" }",
	  "$.accounts[1].from: must be a date" },
	{ "{ \"account\": \"b\", \"shares\": 1, \"from\": \"2026-02-03\",\n"
	  "\"until\": \"2026-02-03\" }",
	  "line 5: $.accounts[1].until: must be after from" },
	{ "{ \"account\": \"b\", \"periods\": [] }",
	  "$.accounts[1].periods: must be an array" },
	{ "{ \"account\": \"b\", \"periods\": [ 1 ] }",
	  "$.accounts[1].periods[0]: must be an object" },
	{ "{ \"account\": \"b\", \"periods\": [ { \"shares\": 1 } ],"
	  " \"shares\": 1 }", "has both periods and a budget of its own" },
	{ "{ \"account\": \"b\", \"periods\": [\n"
	  "{ \"shares\": 1, \"until\": \"2026-01-02\" },\n"
	  "{ \"shares\": 1, \"from\": \"2026-01-01\" } ] }",
	  "line 6: $.accounts[1].periods[1]: overlaps periods[0]" },
	{ "{ \"account\": \"b\", \"parent\": \"b\", \"shares\": 1 }",
	  "$.accounts[1].parent: is an account below itself" },
	{ "{ \"account\": \"b\", \"parent\": \"d\", \"shares\": 1 },\n"
	  "{ \"account\": \"c\", \"parent\": \"b\", \"shares\": 1 },\n"
	  "{ \"account\": \"d\", \"parent\": \"c\", \"shares\": 1 }",
	  "line 4: $.accounts[1].parent: is an account below itself" },
	{ "{ \"account\": \"b\", \"parent\": \"a\", \"shares\": 1 },\n"
	  "{ \"account\": \"c\", \"parent\": \"a\", \"gpu_hours\": 1 }",
	  "line 5: $.accounts[2]: has gpu_hours, accounts[1] beside it" },
	{ "{ \"account\": \"b\", \"total\": 3, \"shares\": 1 },\n"
	  "{ \"account\": \"c\", \"parent\": \"b\", \"shares\": 2 }",
	  "line 4: $.accounts[1].total: its children have 2 shares" },
	/* right at first, and wrong later */
	{ "{ \"account\": \"b\", \"total\": 3, \"shares\": 1 },\n"
	  "{ \"account\": \"c\", \"parent\": \"b\", \"periods\": [\n"
	  "{ \"until\": \"2026-01-01\", \"shares\": 3 },\n"
	  "{ \"from\": \"2026-01-01\", \"shares\": 4 } ] }",
	  "$.accounts[1].total: its children have 4 shares" },
	{ "{ \"account\": \"b\", \"gpu_hours\": 10 },\n"
	  "{ \"account\": \"c\", \"parent\": \"b\", \"gpu_hours\": 6 },\n"
	  "{ \"account\": \"d\", \"parent\": \"b\", \"gpu_hours\": 5 }",
	  "line 4: $.accounts[1].gpu_hours: its children have 1.100 of it" },
	{ "{ \"account\": \"b\", \"shares\": 1 } /* no end",
	  "this comment has no end" },
	{ "{ \"account\": \"b\", \"shares\": 1 },", "not JSON" },
	{ "{ 'account': 'b', 'shares': 1 }", "line 4: not JSON" },
	{ "{ \"account\": \"b\" \"shares\": 1 }", "line 4: not JSON" },
};

START_TEST(bad_plan)
{
	char text[2048];
	sb_err_t err = { "" };
	plan_t *plan;

	snprintf(text, sizeof(text), "%s%s%s", HEAD, bad[_i].text, TAIL);
	plan = parse(text, &err);
	ck_assert_msg(!plan, "accepted: %s", bad[_i].text);
	ck_assert_msg(strstr(err.text, bad[_i].error) != NULL,
		      "%s\n     got: %s\nexpected: %s", bad[_i].text, err.text,
		      bad[_i].error);
	ck_assert_msg(!strncmp(err.text, "line ", 5), "no line: %s", err.text);
}
END_TEST

/* Whole texts. */
static const struct {
	const char *text;
	const char *error;
} bad_top[] = {
	{ "", "line 1: not JSON" },
	{ "[]", "line 1: $: must be an object" },
	{ "{}", "$.version: must be there" },
	{ "{ \"version\": 2, \"accounts\": [] }", "$.version: must be 1" },
	{ "{ \"version\": 1 }", "$.accounts: must be an array" },
	{ "{ \"version\": 1, \"accounts\": [] }", "$.accounts: must be" },
	{ "{ \"version\": 1, \"account\": [] }",
	  "$.account: unknown key; \"accounts\" was meant?" },
	{ "{ \"version\": 1,\n\"accounts\": {} }", "line 2: $.accounts: must" },
	{ HEAD "{ \"account\": \"b\", \"shares\": 1 } ] }\n{}",
	  "line 5: not JSON" },
	{ "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "not JSON" },
};

START_TEST(bad_text)
{
	sb_err_t err = { "" };

	ck_assert_ptr_null(parse(bad_top[_i].text, &err));
	ck_assert_msg(strstr(err.text, bad_top[_i].error) != NULL,
		      "%s\n     got: %s\nexpected: %s", bad_top[_i].text,
		      err.text, bad_top[_i].error);
}
END_TEST

START_TEST(too_long)
{
	size_t size = PLAN_SIZE_MAX + 1;
	char *text = malloc(size);
	sb_err_t err = { "" };

	memset(text, ' ', size);
	ck_assert_ptr_null(plan_parse(text, size, WINDOW, &err));
	ck_assert_str_eq(err.text, "longer than 8 MiB, no plan is");
	free(text);
}
END_TEST

/* What slurmdbd keeps is exported, so it has to be read. */
START_TEST(long_names)
{
	char name[257], text[512];
	sb_err_t err = { "" };
	plan_t *plan;

	memset(name, 'x', sizeof(name));
	name[255] = '\0';
	snprintf(text, sizeof(text), HEAD
		 "{ \"account\": \"%s\", \"shares\": 1 }" TAIL, name);
	plan = parse(text, &err);
	ck_assert_msg(plan != NULL, "%s", err.text);
	plan_destroy(plan);

	memcpy(name + 255, "x", 2);
	snprintf(text, sizeof(text), HEAD
		 "{ \"account\": \"%s\", \"shares\": 1 }" TAIL, name);
	ck_assert_ptr_null(parse(text, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "1 to 255 characters"));
}
END_TEST

/* Cut anywhere, with any byte anywhere: read or refused, no harm. */
START_TEST(any_bytes)
{
	static const char bytes[] = "\0\"\\{}[],:/*9\n-\xff";
	size_t size = sizeof(good) - 1;
	sb_err_t err;

	for (size_t cut = 0; cut < size - 2; cut++)
		ck_assert_ptr_null(plan_parse(good, cut, WINDOW, &err));
	for (size_t at = 0; at < size; at++) {
		for (size_t b = 0; b < sizeof(bytes) - 1; b++) {
			char *text = malloc(size);

			memcpy(text, good, size);
			text[at] = bytes[b];
			plan_destroy(plan_parse(text, size, WINDOW, &err));
			free(text);
		}
	}
}
END_TEST

/* 5,000 accounts in a second or so, the size that is promised. */
START_TEST(large)
{
	size_t room = 1 << 20, length;
	char *text = malloc(room);
	sb_err_t err = { "" };
	plan_t *plan;

	length = snprintf(text, room, "{ \"version\": 1, \"accounts\": [");
	for (int i = 0; i < 5000; i++)
		length += snprintf(text + length, room - length,
				   "%s\n{ \"account\": \"t%d\", \"shares\": %d,"
				   " \"parent\": \"t%d\" }", i ? "," : "", i,
				   i + 1, i / 10 + 5000);
	snprintf(text + length, room - length, "] }");
	plan = parse(text, &err);
	ck_assert_msg(plan != NULL, "%s", err.text);
	ck_assert_ptr_eq(plan_find(plan, "t4321", NULL),
			 &plan->entries[4321]);
	plan_destroy(plan);
	free(text);
}
END_TEST

START_TEST(places)
{
	char text[] = "{ \"a\": [ 1,\n { \"b\": \"x\\\"]\",\n\"c\": 2 } ] }";

	ck_assert_int_eq(place_find(text, "$"), 1);
	ck_assert_int_eq(place_find(text, "$.a[0]"), 1);
	ck_assert_int_eq(place_find(text, "$.a[1]"), 2);
	ck_assert_int_eq(place_find(text, "$.a[1].b"), 2);
	ck_assert_int_eq(place_find(text, "$.a[1].c"), 3);
	/* what is not there is where its parent is */
	ck_assert_int_eq(place_find(text, "$.a[1].d"), 2);
	ck_assert_int_eq(place_find(text, "$.a[10]"), 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("plan");
	TCase *tcase = tcase_create("plan");

	tcase_add_test(tcase, good_plan);
	tcase_add_loop_test(tcase, bad_plan, 0, sizeof(bad) / sizeof(*bad));
	tcase_add_loop_test(tcase, bad_text, 0,
			    sizeof(bad_top) / sizeof(*bad_top));
	tcase_add_test(tcase, too_long);
	tcase_add_test(tcase, long_names);
	tcase_add_test(tcase, any_bytes);
	tcase_add_test(tcase, large);
	tcase_add_test(tcase, places);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
