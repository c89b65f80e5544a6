/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "limits.h"
#include "suite.h"

#define HOUR ((int64_t)SB_HOUR)
#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* Own generator, so that a failure is the same everywhere. */
static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 2685821657736338717ULL >> 11;
}

/* ---- Declaration. */

static const char *const undeclared[] = {
	NULL, "", " ", "\t\n", ",", ";;,, ;", "hello", "run 5 of 7",
	/* Other people's tags. */
	"runtime=4h", "max-runtime=4h", "time=4h", "min=4h", "run=4h",
	"mem-runtime=4h", "min-nodes=4", "mintime=4h", "min-time=4h",
	"walltime-min=4h", "MIN=4", "min:runtime=4h", "run_time=4h",
	/* Inside other words. */
	"/data/min-runtime=4h/x", "./min-runtime=4h", "~/min-runtime=4h",
	"https://host/?min-runtime=4h", "http://host/a&min-runtime=4h",
	"x-min-runtime=4h", "my_min-runtime=4h", "a=min-runtime=4h",
	"job:min-runtime=4h", "xmin-runtime=4h", "comment=min-runtime=4h",
	"s3://bucket/min_runtime=4h", "--export=min-runtime=4h",
	"caf\xc3\xa9/min-runtime=4h",
	/* Longer words. */
	"min-runtime-policy", "min-runtime-a4=4h",
	"min-runtime-policy=4h", "min-runtimexyz=4h",
	/* 65 bytes: longer than any name that is looked at. */
	"min-runtime------------------------------------------------------=4h",
	"admin-runtime=4h", "mmin-runtime=4h", "min-runtime.log",
	"minruntimes", "minimal=4h",
	/* Misspelt but no assignment: prose. */
	"min_runtime test", "minrun test", "minruntime", "see minrun: docs",
	"min-run", "minrun, then=4", "mini-runtime",
	/* JSON without it. */
	"{}", " {} ", "{\"a\": 1}", "{\"runtime\": \"4h\"}",
	"{\"a\": {\"min-runtime\": \"4h\"}}", "{\"a\": [\"min-runtime\"]}",
	"{\"a\": \"min-runtime=4h\"}", "{\"a\": \"x\\\"min-runtime\\\": 4\"}",
	"{\"a\": 1, \"a\": 2}", "{\"a\": {\"min-runtime\": 1, \"b\": 2}}",
	/* Not JSON, and nothing like it. */
	"{", "{}}", "{a}", "{a,b} c", "{\"a\": 1", "{\"a\": 1} trailing",
	"{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{", "{'a': 1}", "{\xff}",
	"{runtime=4h}", "{admin-runtime}",
	/* Lists are words. */
	"[1, 2]", "\"text\"", "4",
};

START_TEST(declares_nothing)
{
	sb_declaration_t decl = { true, 5, "" };
	sb_err_t err = { "untouched" };

	ck_assert_msg(!sb_declaration_parse(undeclared[_i], &decl, &err),
		      "%s: %s", undeclared[_i], err.text);
	ck_assert_msg(!decl.present, "%s", undeclared[_i]);
	ck_assert_int_eq(decl.seconds, 0);
}
END_TEST

static const struct {
	const char *comment;
	int64_t seconds;
} declared[] = {
	{ "min-runtime=4h", 14400 }, { "min-runtime=0", 0 },
	{ "min-runtime=90", 5400 }, { "min-runtime=90s", 90 },
	{ "min-runtime=15m", 900 }, { "min-runtime=2d", 172800 },
	{ "min-runtime=2D", 172800 }, { "min-runtime=15:00", 900 },
	{ "min-runtime=4:00:00", 14400 }, { "min-runtime=1-12", 129600 },
	{ "min-runtime=1-12:30", 131400 }, { "min-runtime=1-00:00:01", 86401 },
	{ "min-runtime=00", 0 }, { "min-runtime=0s", 0 },
	{ " min-runtime=4h", 14400 }, { "min-runtime=4h ", 14400 },
	{ "\n\tmin-runtime=4h\r\n", 14400 }, { "a min-runtime=4h b", 14400 },
	{ "a,min-runtime=4h,b", 14400 }, { "a;min-runtime=4h;b", 14400 },
	{ ";min-runtime=4h;", 14400 }, { "a, min-runtime=4h", 14400 },
	{ "\vmin-runtime=4h\f", 14400 },
	{ "/data/min-runtime=9h min-runtime=4h", 14400 },
	{ "runtime=9h min-runtime=4h max-runtime=8h", 14400 },
	{ "\xe4\xbd\x9c\xe4\xb8\x9a min-runtime=4h", 14400 },
	/* Minutes are meant, and other words are no units. */
	{ "min-runtime=90 min", 5400 }, { "min-runtime=90 minutes", 5400 },
	{ "min-runtime=90 hops", 5400 }, { "min-runtime=90 4h", 5400 },
	{ "min-runtime=90,h", 5400 }, { "min-runtime=4h d", 14400 },
	{ "min-runtime=1-0 d", 86400 }, { "min-runtime=4:00 h", 240 },
	{ "min-runtime=90 ", 5400 },
	{ "http://a/?min-runtime=1,min-runtime=4h", 14400 },
	{ "{\"min-runtime\":\"4h\"}", 14400 },
	{ " \n{ \"min-runtime\" : \"4h\" } \n", 14400 },
	{ "{\"min-runtime\": 90}", 5400 }, { "{\"min-runtime\": 0}", 0 },
	{ "{\"min-runtime\": \"0\"}", 0 },
	{ "{\"min-runtime\": \"1-00:00:01\"}", 86401 },
	{ "{\"a\": {\"b\": [1, {\"c\": \"}\"}]}, \"min-runtime\": 90}", 5400 },
	{ "{\"min-runtime\": 90, \"a\": \"\\\\\\\"}{,:\"}", 5400 },
	{ "{\"min-run\\u0074ime\": 90}", 5400 },
	{ "{\"a\": {\"min-runtime\": 5, \"x\": 1}, \"min-runtime\": 90}",
	  5400 },
	{ "{\"a\": \"min-runtime=1\", \"min-runtime\": 90}", 5400 },
	{ "{\"max-runtime\": 5, \"min-runtime\": 90}", 5400 },
	{ "{\"it's\": 5, \"min-runtime\": 90}", 5400 },
};

START_TEST(declares)
{
	sb_declaration_t decl = { false, 5, "" };
	sb_err_t err = { "" };

	ck_assert_msg(!sb_declaration_parse(declared[_i].comment, &decl, &err),
		      "%s", err.text);
	ck_assert_msg(decl.present, "%s", declared[_i].comment);
	ck_assert_int_eq(decl.seconds, declared[_i].seconds);
}
END_TEST

#define BARE "\"min-runtime\" has no value right behind it; write " \
	"min-runtime=VALUE"
#define NEAR(text) "\"" text "\" is not understood; write min-runtime=VALUE"
#define BROKEN(text) "\"" text "\" in a comment that begins with { but is not"
#define KEY(text) "\"" text "\" is not understood; write {\"min-runtime\": "
#define TYPE "must be a string, for example \"4h\", or a whole number"
#define APART(value, unit) "min-runtime=" value " is minutes, and \"" \
	unit "\" stands apart from it"
#define FORMS "is not a time (write it like 90, 1:30:00"

static const struct {
	const char *comment, *says;
} malformed[] = {
	/* Without =VALUE. */
	{ "min-runtime", BARE }, { " min-runtime ", BARE },
	{ "min-runtime=", BARE }, { "a min-runtime= b", BARE },
	{ "min-runtime =4h", BARE }, { "min-runtime= 4h", BARE },
	{ "min-runtime = 4h", BARE }, { "min-runtime\t=4h", BARE },
	{ "min-runtime=,4h", BARE }, { "min-runtime,=4h", BARE },
	{ "min-runtime:4h", BARE }, { "min-runtime(4h)", BARE },
	{ "min-runtime/4h", BARE }, { "min-runtime 4h", BARE },
	{ "please no min-runtime today", BARE },
	{ "min-runtime.", NEAR("min-runtime.") },
	/* Bad values. */
	{ "min-runtime=4x", "min-runtime=4x: \"4x\" is not a time (units are" },
	{ "min-runtime=h", "min-runtime=h: \"h\" " FORMS },
	{ "min-runtime=-4h", "\"-4h\" " FORMS },
	{ "min-runtime=+4h", "\"+4h\" " FORMS },
	{ "min-runtime=4.5h", "\"4.5h\" " FORMS },
	{ "min-runtime==4h", "\"=4h\" " FORMS },
	{ "min-runtime=\"4h\"", "\"\"4h\"\" " FORMS },
	{ "min-runtime='4h'", "\"'4h'\" " FORMS },
	{ "min-runtime=4h.", "\"4h.\" " FORMS },
	{ "min-runtime=4h/x", "\"4h/x\" " FORMS },
	{ "min-runtime=4h30m", "\"4h30m\" " FORMS },
	{ "min-runtime=VALUE", "\"VALUE\" " FORMS },
	{ "min-runtime=unlimited", "\"unlimited\" " FORMS },
	{ "min-runtime=4h\xc2\xa0x", "min-runtime=4h\\xc2\\xa0x: \"4h" },
	{ "min-runtime=4h\x1b[m", "min-runtime=4h\\x1b[m: \"4h\\x1b[m\" " },
	{ "min-runtime=1:60", "go to 59" }, { "min-runtime=1-24", "go to 23" },
	{ "min-runtime=99999999999999999999", "at most 3660-00:00:00" },
	{ "min-runtime=5270401", "at most 3660-00:00:00" },
	/* A unit behind a blank: 4 minutes are not meant. */
	{ "min-runtime=4 h", APART("4", "h") },
	{ "min-runtime=4 \tHours", APART("4", "Hours") },
	{ "min-runtime=4 hour,x", APART("4", "hour") },
	{ "a min-runtime=30 s b", APART("30", "s") },
	{ "min-runtime=30 sec", APART("30", "sec") },
	{ "min-runtime=30 seconds", APART("30", "seconds") },
	{ "min-runtime=2 d", APART("2", "d") },
	{ "min-runtime=2 days", APART("2", "days") },
	{ "min-runtime=2 hrs;", APART("2", "hrs") },
	/* Twice. */
	{ "min-runtime=4h min-runtime=5h", "min-runtime comes twice" },
	{ "min-runtime=4h,min-runtime=4h", "min-runtime comes twice" },
	{ "min-runtime=4h;min-runtime=x", "min-runtime comes twice" },
	/* Near misses. */
	{ "minruntime=4h", NEAR("minruntime=4h") },
	{ "min_runtime=4h", NEAR("min_runtime=4h") },
	{ "min.runtime=4h", NEAR("min.runtime=4h") },
	{ "min-run-time=4h", NEAR("min-run-time=4h") },
	{ "Min-Runtime=4h", NEAR("Min-Runtime=4h") },
	{ "MIN-RUNTIME=4h", NEAR("MIN-RUNTIME=4h") },
	{ "MinRunTime=4h", NEAR("MinRunTime=4h") },
	{ "minimum-runtime=4h", NEAR("minimum-runtime=4h") },
	{ "minimum_run=4h", NEAR("minimum_run=4h") },
	{ "minrun=4h", NEAR("minrun=4h") },
	{ "min-run=4h", NEAR("min-run=4h") },
	{ "min-running-time=4h", NEAR("min-running-time=4h") },
	{ "runtime-min=4h", NEAR("runtime-min=4h") },
	{ "min-runtim=4h", NEAR("min-runtim=4h") },
	{ "min-runtimes=4h", NEAR("min-runtimes=4h") },
	{ "min-rutnime=4h", NEAR("min-rutnime=4h") },
	{ "mim-runtime=4h", NEAR("mim-runtime=4h") },
	{ "in-runtime=4h", NEAR("in-runtime=4h") },
	{ "mini-runtime=4h", NEAR("mini-runtime=4h") },
	{ "min-runtime-=4h", NEAR("min-runtime-=4h") },
	{ "min--runtime=4h", NEAR("min--runtime=4h") },
	{ "min_runtime =4h", NEAR("min_runtime") },
	{ "minrun = 4h", NEAR("minrun") },
	{ "min_runtime= 4h", NEAR("min_runtime=") },
	{ "min_runtime:4h", NEAR("min_runtime:4h") },
	{ "a b min_runtime=4h c", NEAR("min_runtime=4h") },
	{ "min-runtime=4h min_runtime=4h", NEAR("min_runtime=4h") },
	{ "Min-Runtime", NEAR("Min-Runtime") },
	{ "min-runtime-4h", NEAR("min-runtime-4h") },
	{ "min-runtime4h", NEAR("min-runtime4h") },
	{ "min-runtime_4:00", NEAR("min-runtime_4:00") },
	{ "min-runtime-4", NEAR("min-runtime-4") },
	{ "min\xe2\x80\x93runtime=4h", NEAR("min\\xe2\\x80\\x93runtime=4h") },
	{ "min-runtime\xc2\xa0=4h", NEAR("min-runtime\\xc2\\xa0=4h") },
	/* Wrapped or glued. */
	{ "\"min-runtime=4h\"", NEAR("\"min-runtime=4h\"") },
	{ "'min-runtime=4h'", NEAR("'min-runtime=4h'") },
	{ "(min-runtime=4h)", NEAR("(min-runtime=4h)") },
	{ "[min-runtime=4h]", NEAR("[min-runtime=4h]") },
	{ "<min-runtime=4h>", NEAR("<min-runtime=4h>") },
	{ "a {min-runtime=4h}", NEAR("{min-runtime=4h}") },
	{ "`min-runtime=4h`", NEAR("`min-runtime=4h`") },
	{ "-min-runtime=4h", NEAR("-min-runtime=4h") },
	{ "--min-runtime=4h", NEAR("--min-runtime=4h") },
	{ "--min-runtime 4h", NEAR("--min-runtime") },
	{ "a\xc2\xa0min-runtime=4h", NEAR("a\\xc2\\xa0min-runtime=4h") },
	{ "\xe2\x80\x9cmin-runtime=4h", NEAR("\\xe2\\x80\\x9cmin-runtime=4h") },
	{ "\xef\xbb\xbfmin-runtime=4h", NEAR("\\xef\\xbb\\xbfmin-runtime=4h") },
	{ "[{\"min-runtime\": 4}]", NEAR("[{\"min-runtime\":") },
	{ "a {\"min-runtime\": 4}", NEAR("{\"min-runtime\":") },
	/* JSON. */
	{ "{\"min-runtime\": \"4x\"}", "min-runtime=4x: \"4x\" is not a time" },
	{ "{\"min-runtime\": \"\"}", "min-runtime=: \"\" is not a time" },
	{ "{\"min-runtime\": \" 4h\"}", "\" 4h\" " FORMS },
	{ "{\"min-runtime\": \"4h\\u0000\"}", "\"4h\\x00\" " FORMS },
	{ "{\"min-runtime\": -5}", "min-runtime=-5: \"-5\" " FORMS },
	{ "{\"min-runtime\": 5270401}", "at most 3660-00:00:00" },
	{ "{\"min-runtime\": 9223372036854775807}", "at most 3660-00:00:00" },
	{ "{\"min-runtime\": 18446744073709551615}", "at most 3660-00:00:00" },
	/* more than json-c of some releases calls a number */
	{ "{\"min-runtime\": 18446744073709551616}", "min-runtime" },
	{ "{\"min-runtime\": 4.5}", TYPE }, { "{\"min-runtime\": 1e2}", TYPE },
	{ "{\"min-runtime\": 4.0}", TYPE }, { "{\"min-runtime\": true}", TYPE },
	{ "{\"min-runtime\": null}", TYPE }, { "{\"min-runtime\": []}", TYPE },
	{ "{\"min-runtime\": {\"v\": 4}}", TYPE },
	{ "{\"min_runtime\": \"4h\"}", KEY("min_runtime") },
	{ "{\"minRuntime\": \"4h\"}", KEY("minRuntime") },
	{ "{\"Min-Runtime\": null}", KEY("Min-Runtime") },
	{ "{\"minrun\": 4}", KEY("minrun") },
	{ "{\"min-runtime\": 4, \"min_runtime\": 4}", KEY("min_runtime") },
	{ "{\"min-runtime\": 4, \"min-runtime\": 5}", "comes twice" },
	{ "{\"min-runtime\": 4, \"min-runtime\": 4}", "comes twice" },
	{ "{\"min-runtime\": 4, \"min-run\\u0074ime\": 4}", "comes twice" },
	{ "{\"min-runtime\": 4, \"a\": 1, \"a\": 2}", "comes twice" },
	{ "{\"min-runtime\": \"4h\"", BROKEN("min-runtime") },
	{ "{\"min-runtime\": \"4h", "it ends too early" },
	{ "{\"min-runtime\": \"4h\",}", BROKEN("min-runtime") },
	{ "{\"min-runtime\": 4h}", BROKEN("min-runtime") },
	{ "{\"min-runtime\": 4} x", BROKEN("min-runtime") },
	{ "{\"min-runtime\": 4}}", BROKEN("min-runtime") },
	{ "{\"min-runtime\": 4}{}", BROKEN("min-runtime") },
	{ "{'min-runtime': '4h'}", BROKEN("min-runtime") },
	{ "{'min-runtime': 4}", "strings need double quotes" },
	{ "{\"a\": 1, 'b': {}, \"min-runtime\": 4}", "double quotes" },
	{ "{min-runtime: 4}", BROKEN("min-runtime") },
	{ "{min-runtime=4h}", BROKEN("min-runtime") },
	{ "{min_runtime=4h}", BROKEN("min_runtime") },
	{ "{MIN-RUNTIME}", BROKEN("MIN-RUNTIME") },
	{ "{a} min-runtime=4h", BROKEN("min-runtime") },
	{ "{\"a\": \"\xff\", \"min-runtime\": 4}", BROKEN("min-runtime") },
	{ "{\"a\": 1 /* x */, \"min-runtime\": 4}", BROKEN("min-runtime") },
	{ "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{ min-runtime=4h",
	  BROKEN("min-runtime") },
};

START_TEST(is_malformed)
{
	sb_declaration_t decl = { true, 5, "" };
	sb_err_t err = { "" };
	const char *comment = malformed[_i].comment;

	ck_assert_msg(sb_declaration_parse(comment, &decl, &err) == -1, "%s",
		      comment);
	ck_assert_msg(strstr(err.text, malformed[_i].says) != NULL,
		      "%s: %s", comment, err.text);
	ck_assert(!decl.present);
	ck_assert_int_eq(decl.seconds, 0);
	for (const char *at = err.text; *at; at++)
		ck_assert(*at >= ' ' && *at <= '~');
	ck_assert_int_eq(sb_declaration_parse(comment, &decl, NULL), -1);
}
END_TEST

START_TEST(comment_has_a_bound)
{
	char *text = malloc(SB_COMMENT_MAX + 2);
	sb_declaration_t decl;
	sb_err_t err;

	memset(text, 'a', SB_COMMENT_MAX + 1);
	memcpy(text + SB_COMMENT_MAX - 15, " min-runtime=4h", 15);
	text[SB_COMMENT_MAX] = '\0';
	ck_assert_int_eq(sb_declaration_parse(text, &decl, &err), 0);
	ck_assert(decl.present);
	ck_assert_int_eq(decl.seconds, 14400);
	text[SB_COMMENT_MAX] = ' ';
	text[SB_COMMENT_MAX + 1] = '\0';
	ck_assert_int_eq(sb_declaration_parse(text, &decl, &err), -1);
	ck_assert_str_eq(err.text, "the comment is longer than 4096 bytes");
	ck_assert(!decl.present);
	free(text);
}
END_TEST

/* Any soup of pieces: a result or an error, never both, never a crash; and a
 * clean declaration is found among words that have nothing of it. */
START_TEST(soup)
{
	static const char *const pieces[] = {
		"min-runtime=4h", "min-runtime", "=", "4h", " ", ",", ";", "{",
		"}", "\"", ":", "\\", "min_runtime", "/", "\xc2\xa0", "-", "'",
		"[", "]", "a", "{\"min-runtime\":", "90", "\n", "\xff",
	};
	static const char *const harmless[] = {
		"a", "runtime=5", "/x/min-runtime=3", "x{y}", "\xc3\xa9", "=",
		"it's", "min", "\"q\"", "max-runtime=8h", "_",
	};
	uint64_t seed = 7;

	for (int i = 0; i < 30000; i++) {
		char text[1024] = "", clean[1024] = "";
		sb_declaration_t decl;
		int n = (int)(random_next(&seed) % 12);
		int at = (int)(random_next(&seed) % 6);

		for (int j = 0; j < n; j++)
			strcat(text, pieces[random_next(&seed) %
					    (uint64_t)COUNT(pieces)]);
		if (sb_declaration_parse(text, &decl, NULL))
			ck_assert(!decl.present);
		ck_assert(decl.present || !decl.seconds);

		for (int j = 0; j < 6; j++) {
			strcat(clean, j == at ? "min-runtime=4h" :
			       harmless[random_next(&seed) %
					(uint64_t)COUNT(harmless)]);
			strcat(clean, &" \0,\0;\0\n"[random_next(&seed) % 4 *
						     2]);
		}
		if (sb_declaration_parse(clean, &decl, NULL) || !decl.present)
			ck_abort_msg("%s", clean);
		ck_assert_int_eq(decl.seconds, 14400);
	}
}
END_TEST

/* ---- Signing. */

/* Every row: settings | comment, cap, limit, funded, evictions -> contract. */
static const struct {
	const char *settings, *comment;
	int64_t cap, time_limit;
	bool funded;
	uint32_t evictions;
	int rc;
	sb_class_t class;
	int64_t declared, granted;
	sb_grant_t why;
} signings[] = {
#define ALLOC SB_CLASS_ALLOCATED
#define UNALLOC SB_CLASS_UNALLOCATED
#define UNDECL SB_CLASS_UNDECLARED
#define FULL SB_GRANT_FULL
	/* Declared. */
	{ "", "min-runtime=4h", 8 * HOUR, -1, true, 0, 0, ALLOC, 4 * HOUR,
	  4 * HOUR, FULL },
	{ "", "min-runtime=8h", 8 * HOUR, 8 * HOUR, true, 0, 0, ALLOC,
	  8 * HOUR, 8 * HOUR, FULL },
	{ "", "min-runtime=9h", 8 * HOUR, -1, true, 0, 0, ALLOC, 9 * HOUR,
	  8 * HOUR, SB_GRANT_CAPPED },
	{ "", "min-runtime=4h", 8 * HOUR, 2 * HOUR, true, 0, 0, ALLOC,
	  4 * HOUR, 2 * HOUR, SB_GRANT_TIME_LIMIT },
	{ "", "min-runtime=9h", 8 * HOUR, 2 * HOUR, true, 0, 0, ALLOC,
	  9 * HOUR, 2 * HOUR, SB_GRANT_TIME_LIMIT },
	{ "", "min-runtime=9h", 2 * HOUR, 8 * HOUR, true, 0, 0, ALLOC,
	  9 * HOUR, 2 * HOUR, SB_GRANT_CAPPED },
	{ "", "min-runtime=9h", 2 * HOUR, 2 * HOUR, true, 0, 0, ALLOC,
	  9 * HOUR, 2 * HOUR, SB_GRANT_CAPPED },
	{ "", "min-runtime=9h", 8 * HOUR, 2 * HOUR, false, 0, 0, ALLOC,
	  9 * HOUR, 0, SB_GRANT_UNFUNDED },
	{ "", "min-runtime=4h", 0, -1, true, 0, 0, ALLOC, 4 * HOUR, 0,
	  SB_GRANT_CAPPED },
	{ "", "min-runtime=4h", -5, -1, true, 0, 0, ALLOC, 4 * HOUR, 0,
	  SB_GRANT_CAPPED },
	{ "", "min-runtime=4h", 0, 0, false, 0, 0, ALLOC, 4 * HOUR, 0,
	  SB_GRANT_CAPPED },
	{ "", "min-runtime=4h", 8 * HOUR, 0, true, 0, 0, ALLOC, 4 * HOUR, 0,
	  SB_GRANT_TIME_LIMIT },
	{ "", "min-runtime=4h", INT64_MAX, INT64_MAX, true, 0, 0, ALLOC,
	  4 * HOUR, 4 * HOUR, FULL },
	/* Unallocated. */
	{ "", "min-runtime=0", 8 * HOUR, -1, true, 0, 0, UNALLOC, 0, 0, FULL },
	{ "min_runtime_default=2h", "min-runtime=0", 8 * HOUR, -1, true, 0, 0,
	  UNALLOC, 0, 0, FULL },
	{ "protect_growth=10", "min-runtime=0", 8 * HOUR, -1, true, 4000000000U,
	  0, UNALLOC, 0, 0, FULL },
	{ "", "min-runtime=0", 8 * HOUR, -1, false, 0, 0, UNALLOC, 0, 0,
	  FULL },
	/* Undeclared. */
	{ "", NULL, 8 * HOUR, -1, true, 0, 0, UNDECL, -1, 0, FULL },
	{ "min_runtime_default=2h", "x", 8 * HOUR, -1, true, 0, 0, UNDECL, -1,
	  2 * HOUR, FULL },
	{ "min_runtime_default=2h", "", HOUR, -1, true, 0, 0, UNDECL, -1,
	  HOUR, SB_GRANT_CAPPED },
	{ "min_runtime_default=2h", "", 8 * HOUR, HOUR, true, 0, 0, UNDECL, -1,
	  HOUR, SB_GRANT_TIME_LIMIT },
	{ "min_runtime_default=2h", "", 8 * HOUR, HOUR, false, 0, 0, UNDECL,
	  -1, 0, SB_GRANT_UNFUNDED },
	{ "undeclared=free", "", 8 * HOUR, -1, true, 0, 0, UNALLOC, -1, 0,
	  FULL },
	{ "undeclared=free,min_runtime_default=2h", "", 8 * HOUR, -1, true, 0,
	  0, UNALLOC, -1, 0, FULL },
	{ "undeclared=free", "min-runtime=4h", 8 * HOUR, -1, true, 0, 0, ALLOC,
	  4 * HOUR, 4 * HOUR, FULL },
	{ "undeclared=reject,min_runtime_default=2h", "", 8 * HOUR, -1, true,
	  0, 0, UNDECL, -1, 2 * HOUR, FULL },
	/* Malformed. */
	{ "", "min-runtime=4x", 8 * HOUR, -1, true, 0, -1, UNDECL, -1, 0,
	  SB_GRANT_MALFORMED },
	{ "min_runtime_default=2h", "min_runtime=4h", 8 * HOUR, -1, true, 0,
	  -1, UNDECL, -1, 2 * HOUR, SB_GRANT_MALFORMED },
	{ "min_runtime_default=2h", "min-runtime", 8 * HOUR, HOUR, true, 0, -1,
	  UNDECL, -1, HOUR, SB_GRANT_MALFORMED },
	{ "min_runtime_default=2h", "min-runtime=4h min-runtime=4h", 8 * HOUR,
	  HOUR, false, 0, -1, UNDECL, -1, 0, SB_GRANT_MALFORMED },
	{ "undeclared=free", "min-runtime=4x", 8 * HOUR, -1, true, 0, -1,
	  UNALLOC, -1, 0, SB_GRANT_MALFORMED },
	/* Growth: behind the cap, before the time limit. */
	{ "protect_growth=1.5", "min-runtime=4h", 8 * HOUR, -1, true, 1, 0,
	  ALLOC, 4 * HOUR, 6 * HOUR, FULL },
	{ "protect_growth=1.5", "min-runtime=4h", 8 * HOUR, -1, true, 2, 0,
	  ALLOC, 4 * HOUR, 9 * HOUR, FULL },
	{ "protect_growth=1.5", "min-runtime=4h", 8 * HOUR, -1, true, 5, 0,
	  ALLOC, 4 * HOUR, 24 * HOUR, FULL },
	{ "protect_growth=10", "min-runtime=1s", 8 * HOUR, -1, true, UINT32_MAX,
	  0, ALLOC, 1, 24 * HOUR, FULL },
	{ "protect_growth=1.15", "min-runtime=4h", 8 * HOUR, -1, true, 1, 0,
	  ALLOC, 4 * HOUR, 16560, FULL },
	{ "", "min-runtime=4h", 8 * HOUR, -1, true, 9, 0, ALLOC, 4 * HOUR,
	  4 * HOUR, FULL },
	{ "protect_growth=1.5", "min-runtime=30h", 30 * HOUR, -1, true, 3, 0,
	  ALLOC, 30 * HOUR, 30 * HOUR, FULL },
	{ "protect_growth=1.5", "min-runtime=4h", 8 * HOUR, 5 * HOUR, true, 1,
	  0, ALLOC, 4 * HOUR, 5 * HOUR, FULL },
	{ "protect_growth=1.5", "min-runtime=4h", 8 * HOUR, 3 * HOUR, true, 1,
	  0, ALLOC, 4 * HOUR, 3 * HOUR, SB_GRANT_TIME_LIMIT },
	{ "protect_growth=1.5", "min-runtime=10h", 4 * HOUR, -1, true, 1, 0,
	  ALLOC, 10 * HOUR, 6 * HOUR, SB_GRANT_CAPPED },
	{ "protect_growth=1.5", "min-runtime=10h", 4 * HOUR, 5 * HOUR, true, 1,
	  0, ALLOC, 10 * HOUR, 5 * HOUR, SB_GRANT_TIME_LIMIT },
	{ "protect_growth=1.5", "min-runtime=10h", 8 * HOUR, -1, true, 1, 0,
	  ALLOC, 10 * HOUR, 12 * HOUR, FULL },
	{ "protect_growth=1.5", "min-runtime=4h", 8 * HOUR, -1, false, 9, 0,
	  ALLOC, 4 * HOUR, 0, SB_GRANT_UNFUNDED },
	{ "protect_growth=2,min_runtime_default=1h", "", 8 * HOUR, -1, true, 1,
	  0, UNDECL, -1, 2 * HOUR, FULL },
};

START_TEST(signs)
{
	sb_params_t *params = sb_params_parse(signings[_i].settings, NULL);
	sb_contract_t contract;
	sb_err_t err = { "" };
	int rc;

	ck_assert_ptr_nonnull(params);
	memset(&contract, 0xa5, sizeof(contract));
	rc = sb_contract_sign(params, signings[_i].comment, signings[_i].cap,
			      signings[_i].time_limit, signings[_i].funded,
			      1790000000, signings[_i].evictions, &contract,
			      &err);
	ck_assert_int_eq(rc, signings[_i].rc);
	ck_assert_int_eq(err.text[0] != '\0', rc != 0);
	ck_assert_int_eq(contract.class, signings[_i].class);
	ck_assert_int_eq(contract.declared, signings[_i].declared);
	ck_assert_int_eq(contract.granted, signings[_i].granted);
	ck_assert_str_eq(sb_grant_name(contract.why),
			 sb_grant_name(signings[_i].why));
	ck_assert_int_eq(contract.start, 1790000000);
	ck_assert_uint_eq(contract.evictions, signings[_i].evictions);
	sb_params_destroy(params);
}
END_TEST

/* Laws that hold for every contract. */
START_TEST(signing_laws)
{
	uint64_t seed = 3;

	for (int i = 0; i < 20000; i++) {
		int64_t cap = (int64_t)(random_next(&seed) % 100000) - 10;
		int64_t limit = (int64_t)(random_next(&seed) % 100000) - 5000;
		uint32_t evictions = (uint32_t)(random_next(&seed) % 12);
		bool funded = random_next(&seed) % 4;
		sb_params_t *params = sb_params_create();
		sb_contract_t grown, plain;
		char comment[64];

		params->protect_growth = 1 +
			(double)(random_next(&seed) % 100) / 50;
		params->min_runtime_default =
			(int64_t)(random_next(&seed) % 28800);
		params->undeclared = (sb_undeclared_t)(random_next(&seed) % 3);
		snprintf(comment, sizeof(comment), "%smin-runtime=%us",
			 random_next(&seed) % 4 ? "" : "/",
			 (unsigned)(random_next(&seed) % 100000));
		sb_contract_sign(params, comment, cap, limit, funded, 5,
				 evictions, &grown, NULL);
		sb_contract_sign(params, comment, cap, limit, funded, 5, 0,
				 &plain, NULL);

		ck_assert_int_ge(grown.granted, plain.granted);
		ck_assert(grown.granted <= SB_PROTECT_GROWTH_CAP ||
			  grown.granted == plain.granted);
		ck_assert(limit < 0 || grown.granted <= limit);
		ck_assert(funded || !grown.granted);
		ck_assert(plain.granted <= (cap > 0 ? cap : 0));
		ck_assert(plain.declared < 0 ||
			  plain.granted <= plain.declared);
		ck_assert(grown.class != SB_CLASS_UNALLOCATED ||
			  !grown.granted);
		ck_assert(grown.declared < 0 || grown.why == SB_GRANT_FULL ||
			  grown.granted < grown.declared);
		sb_params_destroy(params);
	}
}
END_TEST

/* Declared and granted | the comment now -> granted. */
static const struct {
	int64_t declared, granted;
	const char *comment;
	int64_t then;
} edits[] = {
	{ 4 * HOUR, 4 * HOUR, "min-runtime=3h", 3 * HOUR },
	{ 4 * HOUR, 4 * HOUR, "min-runtime=0", 0 },
	{ 4 * HOUR, 4 * HOUR, "min-runtime=4h", 4 * HOUR },
	{ 4 * HOUR, 4 * HOUR, "min-runtime=5h", 4 * HOUR },
	{ 4 * HOUR, 4 * HOUR, NULL, 4 * HOUR },
	{ 4 * HOUR, 4 * HOUR, "", 4 * HOUR },
	{ 4 * HOUR, 4 * HOUR, "min-runtime=3x", 4 * HOUR },
	{ 4 * HOUR, 4 * HOUR, "min-runtime", 4 * HOUR },
	{ 4 * HOUR, 4 * HOUR, "min-runtime=3h min-runtime=2h", 4 * HOUR },
	{ 4 * HOUR, 2 * HOUR, "min-runtime=3h", 2 * HOUR },
	{ 4 * HOUR, 2 * HOUR, "min-runtime=2h", 2 * HOUR },
	{ 4 * HOUR, 2 * HOUR, "min-runtime=1h", HOUR },
	/* Grown by evictions. */
	{ 4 * HOUR, 6 * HOUR, "min-runtime=4h", 6 * HOUR },
	{ 4 * HOUR, 6 * HOUR, "min-runtime=5h", 6 * HOUR },
	{ 4 * HOUR, 6 * HOUR, "min-runtime=3h", 3 * HOUR },
	/* Undeclared, protected by default. */
	{ -1, 2 * HOUR, "min-runtime=1h", HOUR },
	{ -1, 2 * HOUR, "min-runtime=3h", 2 * HOUR },
	{ -1, 2 * HOUR, "min-runtime=0", 0 },
	{ 0, 0, "min-runtime=4h", 0 },
	{ -1, 0, "min-runtime=4h", 0 },
};

START_TEST(lowers)
{
	sb_contract_t contract = {
		.class = SB_CLASS_ALLOCATED, .declared = edits[_i].declared,
		.granted = edits[_i].granted, .why = SB_GRANT_FULL,
	};
	bool lower = edits[_i].then != edits[_i].granted;

	ck_assert_int_eq(sb_contract_lower(&contract, edits[_i].comment),
			 lower);
	ck_assert_int_eq(contract.granted, edits[_i].then);
	ck_assert_int_eq(contract.why, lower ? SB_GRANT_LOWERED :
			 SB_GRANT_FULL);
	ck_assert_int_eq(contract.declared, edits[_i].declared);
	ck_assert_int_eq(contract.class, SB_CLASS_ALLOCATED);
	/* Said again, it changes nothing; nor can it be taken back. */
	ck_assert(!sb_contract_lower(&contract, edits[_i].comment));
	ck_assert(!sb_contract_lower(&contract, "min-runtime=300h"));
	ck_assert(!sb_contract_lower(&contract, "min-runtime=4h"));
	ck_assert_int_eq(contract.granted, edits[_i].then);
}
END_TEST

START_TEST(left)
{
	sb_contract_t contract = { .granted = 100 };

	ck_assert_int_eq(sb_contract_left(&contract, 0), 100);
	ck_assert_int_eq(sb_contract_left(&contract, 1), 99);
	ck_assert_int_eq(sb_contract_left(&contract, 99), 1);
	ck_assert_int_eq(sb_contract_left(&contract, 100), 0);
	ck_assert_int_eq(sb_contract_left(&contract, 101), 0);
	ck_assert_int_eq(sb_contract_left(&contract, INT64_MAX), 0);
	ck_assert_int_eq(sb_contract_left(&contract, -1), 100);
	ck_assert_int_eq(sb_contract_left(&contract, INT64_MIN), 100);
	contract.granted = 0;
	ck_assert_int_eq(sb_contract_left(&contract, -1), 0);
	contract.granted = INT64_MIN;
	ck_assert_int_eq(sb_contract_left(&contract, INT64_MAX), 0);
}
END_TEST

START_TEST(charge)
{
	sb_params_t *params = sb_params_parse("unallocated_charge=0.25", NULL);
	sb_contract_t contract = { .class = SB_CLASS_ALLOCATED };

	ck_assert_double_eq(sb_contract_charge(&contract, params), 1);
	contract.class = SB_CLASS_UNDECLARED;
	ck_assert_double_eq(sb_contract_charge(&contract, params), 1);
	contract.class = SB_CLASS_UNALLOCATED;
	ck_assert_double_eq(sb_contract_charge(&contract, params), 0.25);
	sb_params_destroy(params);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(sb_class_name(SB_CLASS_ALLOCATED), "allocated");
	ck_assert_str_eq(sb_class_name(SB_CLASS_UNALLOCATED), "unallocated");
	ck_assert_str_eq(sb_class_name(SB_CLASS_UNDECLARED), "undeclared");
	ck_assert_str_eq(sb_class_name((sb_class_t)77), "invalid");
	ck_assert_str_eq(sb_grant_name(SB_GRANT_FULL), "full");
	ck_assert_str_eq(sb_grant_name(SB_GRANT_CAPPED), "capped");
	ck_assert_str_eq(sb_grant_name(SB_GRANT_TIME_LIMIT), "time-limit");
	ck_assert_str_eq(sb_grant_name(SB_GRANT_UNFUNDED), "unfunded");
	ck_assert_str_eq(sb_grant_name(SB_GRANT_MALFORMED), "malformed");
	ck_assert_str_eq(sb_grant_name(SB_GRANT_LOWERED), "lowered");
	ck_assert_str_eq(sb_grant_name((sb_grant_t)77), "invalid");
}
END_TEST

/* ---- The token. */

#define TOKEN "budget[class=allocated min-runtime=4:00:00 granted=2:00:00 " \
	"why=time-limit start=1790000000 " \
	"protected-until=2026-11-29T17:00:00 evictions=3]"
#define OTHER "budget[class=undeclared min-runtime=none granted=0:00 " \
	"why=full start=0 evictions=0]"

static const sb_contract_t example = {
	.class = SB_CLASS_ALLOCATED, .declared = 4 * SB_HOUR,
	.granted = 2 * SB_HOUR, .why = SB_GRANT_TIME_LIMIT,
	.start = 1790000000, .evictions = 3, .evicted = "",
};

static void check_same(const sb_contract_t *a, const sb_contract_t *b)
{
	ck_assert_int_eq(a->class, b->class);
	ck_assert_int_eq(a->declared, b->declared);
	ck_assert_int_eq(a->granted, b->granted);
	ck_assert_int_eq(a->why, b->why);
	ck_assert_int_eq(a->start, b->start);
	ck_assert_uint_eq(a->evictions, b->evictions);
	ck_assert_str_eq(a->evicted, b->evicted);
}

/* The text of version 1 is frozen: this must never need a change. */
START_TEST(token_is_frozen)
{
	sb_contract_t none = { .class = SB_CLASS_UNDECLARED, .declared = -1 };
	sb_contract_t back;
	char *text = sb_contract_to_token(NULL, &example,
					  "2026-11-29T17:00:00");

	ck_assert_str_eq(text, TOKEN);
	ck_assert_int_eq(sb_contract_from_token(text, &back, NULL), 0);
	check_same(&back, &example);
	free(text);
	text = sb_contract_to_token("", &none, NULL);
	ck_assert_str_eq(text, OTHER);
	ck_assert_int_eq(sb_contract_from_token(text, &back, NULL), 0);
	check_same(&back, &none);
	free(text);
}
END_TEST

static const struct {
	const char *before, *after;
} placements[] = {
	{ NULL, TOKEN }, { "", TOKEN }, { "a", "a " TOKEN },
	{ "a ", "a  " TOKEN }, { " ", "  " TOKEN }, { "a\n", "a\n " TOKEN },
	{ TOKEN, TOKEN }, { OTHER, TOKEN },
	{ "a " OTHER " b", "a " TOKEN " b" },
	{ OTHER "\nb", TOKEN "\nb" }, { "a\n" OTHER "b", "a\n" TOKEN "b" },
	{ OTHER OTHER, TOKEN OTHER }, { "\t" OTHER "]", "\t" TOKEN "]" },
	/* Not ours. */
	{ "x" OTHER, "x" OTHER " " TOKEN },
	{ "\"" OTHER "\"", "\"" OTHER "\" " TOKEN },
	{ "budget[q3]", "budget[q3] " TOKEN }, { "budget[", "budget[ " TOKEN },
	{ "budget[class", "budget[class " TOKEN },
	{ "Budget[class=a]", "Budget[class=a] " TOKEN },
	{ "xbudget[q] " OTHER, "xbudget[q] " TOKEN },
	{ "\xff\x01", "\xff\x01 " TOKEN },
	/* Broken. */
	{ "budget[class=", TOKEN }, { "budget[class=]", TOKEN },
	{ "budget[class=a b c]", TOKEN " b c]" },
	{ "a budget[class=a x=1 hello", "a " TOKEN " hello" },
	{ "a budget[class=a  x=1]", "a " TOKEN "  x=1]" },
	{ "budget[class=a\nmin-runtime=1]", TOKEN "\nmin-runtime=1]" },
	{ "budget[class=allocated min-runtime=4:0", TOKEN },
	{ "budget[class=a budget[class=b]", TOKEN " " },
	/* Several: the first stays, in place. */
	{ OTHER " " TOKEN, TOKEN " " }, { OTHER " a " OTHER, TOKEN " a " },
	{ OTHER " " OTHER " " OTHER " z", TOKEN "   z" },
	/* Dropping one must not make another of what is around it. */
	{ OTHER " bud " OTHER "get[class=a]", TOKEN " bud get[class=a]" },
	{ OTHER " " OTHER OTHER, TOKEN " " },
	{ OTHER " " OTHER OTHER "x", TOKEN " x" },
};

START_TEST(places_token)
{
	sb_contract_t back;
	char *text = sb_contract_to_token(placements[_i].before, &example,
					  "2026-11-29T17:00:00"), *again;

	ck_assert_str_eq(text, placements[_i].after);
	ck_assert_int_eq(sb_contract_from_token(text, &back, NULL), 0);
	check_same(&back, &example);
	again = sb_contract_to_token(text, &example, "2026-11-29T17:00:00");
	ck_assert_str_eq(again, text);
	free(again);
	free(text);
}
END_TEST

#define HEAD "budget[class=allocated min-runtime=4:00:00 granted=2:00:00 "
#define TAIL "why=full start=5 evictions=0]"
#define X60 "012345678901234567890123456789012345678901234567890123456789"
#define X180 X60 X60 X60

static const struct {
	const char *text;
	int rc;
} readings[] = {
	{ NULL, 1 }, { "", 1 }, { "hello", 1 }, { "budget", 1 },
	{ "budget[", 1 }, { "budget[class", 1 }, { "budget[q3]", 1 },
	{ "budget[ class=allocated]", 1 }, { "budgets[class=a]", 1 },
	{ "x" HEAD TAIL, 1 }, { "\"" HEAD TAIL, 1 }, { "\xff" HEAD TAIL, 1 },
	{ "(" HEAD TAIL ")", 1 }, { "]" HEAD TAIL, 1 },
	{ "min-runtime=4h", 1 }, { "BUDGET[class=allocated]", 1 },
	{ HEAD TAIL, 0 }, { " " HEAD TAIL, 0 }, { "a\n" HEAD TAIL "b", 0 },
	{ HEAD "why=full start=5 protected-until=x evictions=0]", 0 },
	{ HEAD "why=full start=5 protected-until=[x evictions=0]", 0 },
	{ HEAD "why=full start=5 evictions=0 later=1]", 0 },
	{ HEAD "why=full start=5 evictions=1 evicted=x]", 0 },
	{ HEAD "why=full start=5 evictions=1 evicted=x later=1]", 0 },
	{ HEAD "why=full start=5 evictions=1 later=1 evicted=x]", -1 },
	{ HEAD "why=full start=5 evictions=1 evicted=x evicted=y]", -1 },
	{ HEAD "why=full start=5 evicted=x evictions=1]", -1 },
	{ HEAD "why=full start=5 evicted=x]", -1 },
	{ HEAD "why=full start=5 evictions=1 evicted=]", -1 },
	{ HEAD "why=full start=5 evictions=1 evicted=\x1b[m]", -1 },
	{ HEAD "why=full start=5 evictions=1 evicted=\xff]", -1 },
	{ HEAD "why=full start=5 evictions=1 evicted=" X180 "0123456789a]",
	  0 },
	{ HEAD "why=full start=5 evictions=1 evicted=" X180 "0123456789ab]",
	  -1 },
	{ HEAD "why=full start=5 evictions=0 later=1 and=]", 0 },
	{ HEAD "why=full start=9223372036854775807 evictions=4294967295]", 0 },
	{ HEAD TAIL " budget[q3]", 0 }, { HEAD TAIL HEAD TAIL, 0 },
	{ "budget[class=undeclared min-runtime=none granted=1:00 " TAIL, 0 },
	{ "budget[class=unallocated min-runtime=none granted=0:00 " TAIL, 0 },
	{ "budget[class=unallocated min-runtime=0:00 granted=0:00 " TAIL, 0 },
	/* Two. */
	{ HEAD TAIL " " HEAD TAIL, -1 }, { HEAD TAIL " budget[class=", -1 },
	{ "budget[class=x " HEAD TAIL, -1 }, { OTHER "\t" TOKEN, -1 },
	/* Cut short, or changed. */
	{ "budget[class=", -1 }, { "budget[class=]", -1 },
	{ "budget[class=allocated]", -1 }, { HEAD "]", -1 }, { HEAD, -1 },
	{ HEAD "why=full start=5 evictions=0", -1 },
	{ HEAD "why=full start=5]", -1 }, { HEAD "why=full start=5 ]", -1 },
	{ HEAD "why=full start=5 evictions=0 ]", -1 },
	{ HEAD "why=full start=5 evictions=0 x]", -1 },
	{ HEAD "why=full start=5 evictions=]", -1 },
	{ HEAD "why=full start=5 evictions=4294967296]", -1 },
	{ HEAD "why=full start=5 evictions=-1]", -1 },
	{ HEAD "why=full start=5 evictions=0x1]", -1 },
	{ HEAD "why=full start=5 evictions=18446744073709551616]", -1 },
	{ HEAD "why=full start=5 evictions=0 granted=9:00:00]", -1 },
	{ HEAD "why=full start=5 evictions=0 protected-until=x]", -1 },
	{ HEAD "why=full start=5 evictions=0 class=allocated]", -1 },
	{ HEAD "why=full start=5 protected-until= evictions=0]", -1 },
	{ HEAD "why=full start= evictions=0]", -1 },
	{ HEAD "why=full start=-5 evictions=0]", -1 },
	{ HEAD "why=full start=9223372036854775808 evictions=0]", -1 },
	{ HEAD "why=full evictions=0 start=5]", -1 },
	{ HEAD "why=full later=1 start=5 evictions=0]", -1 },
	{ HEAD "why= start=5 evictions=0]", -1 },
	{ HEAD "why=greed start=5 evictions=0]", -1 },
	{ HEAD "why=invalid start=5 evictions=0]", -1 },
	{ HEAD "why=FULL start=5 evictions=0]", -1 },
	{ HEAD "Why=full start=5 evictions=0]", -1 },
	{ HEAD " " TAIL, -1 }, { HEAD "\t" TAIL, -1 }, { HEAD "," TAIL, -1 },
	{ "budget[class=allocated,min-runtime=4 granted=2 " TAIL, -1 },
	{ "budget[class=allocated min-runtime=4x granted=2 " TAIL, -1 },
	{ "budget[class=allocated min-runtime=4 granted=-2 " TAIL, -1 },
	{ "budget[class=allocated min-runtime=4 granted=99999999 " TAIL, -1 },
	{ "budget[class=allocated min-runtime=4 granted=none " TAIL, -1 },
	{ "budget[class=allocated granted=2 " TAIL, -1 },
	{ "budget[class=allocated granted=2 min-runtime=4 " TAIL, -1 },
	{ "budget[class=Allocated min-runtime=4 granted=2 " TAIL, -1 },
	{ "budget[class=invalid min-runtime=4 granted=2 " TAIL, -1 },
	{ "budget[class= min-runtime=4 granted=2 " TAIL, -1 },
	/* Contradictions. */
	{ "budget[class=allocated min-runtime=none granted=2 " TAIL, -1 },
	{ "budget[class=allocated min-runtime=0 granted=0 " TAIL, -1 },
	{ "budget[class=unallocated min-runtime=0 granted=2 " TAIL, -1 },
	{ "budget[class=unallocated min-runtime=4 granted=0 " TAIL, -1 },
	{ "budget[class=unallocated min-runtime=1s granted=0 " TAIL, -1 },
	{ "budget[class=undeclared min-runtime=4 granted=2 " TAIL, -1 },
};

START_TEST(reads_token)
{
	sb_contract_t contract, before;
	sb_err_t err = { "" };

	memset(&contract, 0xa5, sizeof(contract));
	before = contract;
	ck_assert_msg(sb_contract_from_token(readings[_i].text, &contract,
					     &err) == readings[_i].rc,
		      "%s", readings[_i].text);
	ck_assert_int_eq(err.text[0] != '\0', readings[_i].rc < 0);
	if (readings[_i].rc)
		ck_assert_mem_eq(&contract, &before, sizeof(before));
	for (const char *at = err.text; *at; at++)
		ck_assert(*at >= ' ' && *at <= '~');
}
END_TEST

static const struct {
	const char *until;
	bool kept;
} untils[] = {
	{ NULL, false }, { "", false }, { "a b", false }, { "a]b", false },
	{ "a\nb", false }, { "\xc3\xa9", false }, { "\x7f", false },
	{ "x", true }, { "2026-11-29T17:00:00+01:00", true }, { "a=[b", true },
	{ "0123456789012345678901234567890123456789012345678901234567890123",
	  true },
	{ "01234567890123456789012345678901234567890123456789012345678901234",
	  false },
};

START_TEST(until_is_opaque)
{
	sb_contract_t back;
	char *text = sb_contract_to_token(NULL, &example, untils[_i].until);

	ck_assert_int_eq(strstr(text, " protected-until=") != NULL,
			 untils[_i].kept);
	if (untils[_i].kept)
		ck_assert_ptr_nonnull(strstr(text, untils[_i].until));
	ck_assert_int_eq(sb_contract_from_token(text, &back, NULL), 0);
	check_same(&back, &example);
	free(text);
}
END_TEST

static const struct {
	const char *evicted;
	bool kept;
} evicteds[] = {
	{ "", false }, { "a b", false }, { "a]b", false }, { "\n", false },
	{ "\xc3\xa9", false }, { "x", true },
	{ "2026-11-29T17:00:00/job=5/over=a1:1.25", true },
};

START_TEST(evicted_is_kept)
{
	sb_contract_t contract = example, back;
	char *text;

	strcpy(contract.evicted, evicteds[_i].evicted);
	text = sb_contract_to_token(NULL, &contract, "x");
	ck_assert_int_eq(strstr(text, " evicted=") != NULL, evicteds[_i].kept);
	ck_assert_int_eq(sb_contract_from_token(text, &back, NULL), 0);
	if (!evicteds[_i].kept)
		contract.evicted[0] = '\0';
	check_same(&back, &contract);
	free(text);
}
END_TEST

START_TEST(token_of_extremes)
{
	sb_contract_t contract = {
		.class = SB_CLASS_UNALLOCATED, .declared = INT64_MAX,
		.granted = INT64_MAX, .why = SB_GRANT_TIME_LIMIT,
		.start = INT64_MAX, .evictions = UINT32_MAX,
	}, back;
	char until[65], *text;

	memset(contract.evicted, '8', SB_EVICTED_MAX - 1);
	memset(until, '9', sizeof(until) - 1);
	until[sizeof(until) - 1] = '\0';
	text = sb_contract_to_token(NULL, &contract, until);
	/* The longest there is. */
	ck_assert_uint_lt(strlen(text), SB_TOKEN_MAX);
	ck_assert_int_eq(text[strlen(text) - 1], ']');
	free(text);
	contract.class = SB_CLASS_ALLOCATED;
	text = sb_contract_to_token(NULL, &contract, until);
	ck_assert_int_eq(sb_contract_from_token(text, &back, NULL), 0);
	ck_assert_str_eq(back.evicted, contract.evicted);
	ck_assert_int_eq(back.declared, SB_TIMESPAN_MAX);
	ck_assert_int_eq(back.granted, SB_TIMESPAN_MAX);
	ck_assert_int_eq(back.start, INT64_MAX);
	ck_assert_uint_eq(back.evictions, UINT32_MAX);
	free(text);
	contract = (sb_contract_t){
		.class = SB_CLASS_UNDECLARED, .declared = INT64_MIN,
		.granted = INT64_MIN, .start = INT64_MIN,
	};
	/* Without end: is left out, as the token must stay readable. */
	memset(contract.evicted, '8', SB_EVICTED_MAX);
	text = sb_contract_to_token(NULL, &contract, NULL);
	ck_assert_str_eq(text, OTHER);
	free(text);
}
END_TEST

static sb_contract_t random_contract(uint64_t *seed)
{
	sb_contract_t contract = {
		.class = (sb_class_t)(random_next(seed) % 3),
		.granted = (int64_t)(random_next(seed) %
				     (SB_TIMESPAN_MAX + 1)) >>
			   random_next(seed) % 29,
		.why = (sb_grant_t)(random_next(seed) % 6),
		.start = (int64_t)(random_next(seed) >> random_next(seed) % 50),
		.evictions = (uint32_t)(random_next(seed) >>
					random_next(seed) % 32),
	};

	if (random_next(seed) % 2)
		memset(contract.evicted, '!' + (int)(random_next(seed) % 50),
		       random_next(seed) % SB_EVICTED_MAX);
	switch (contract.class) {
	case SB_CLASS_ALLOCATED:
		contract.declared = 1 + (int64_t)(random_next(seed) %
						  SB_TIMESPAN_MAX);
		break;
	case SB_CLASS_UNALLOCATED:
		contract.declared = -(int64_t)(random_next(seed) % 2);
		contract.granted = 0;
		break;
	case SB_CLASS_UNDECLARED:
		contract.declared = -1;
		break;
	}
	return contract;
}

static void random_text(uint64_t *seed, char *text)
{
	static const char *const pieces[] = {
		"budget[", "budget[class=", "class=", "allocated", "]", " ",
		"\n", TOKEN, OTHER, "min-runtime=4:00:00", "=", "a", "bud",
		"get[class=", "b", "\xff", "evictions=0]", "[", "\t",
	};
	uint64_t n = random_next(seed) % 9;

	*text = '\0';
	while (n--)
		strcat(text, pieces[random_next(seed) %
				    (uint64_t)COUNT(pieces)]);
}

/* What goes in comes out, whatever stands around it; and text without a token
 * is all still there. */
START_TEST(token_round_trip)
{
	uint64_t seed = 11;

	for (int i = 0; i < 30000; i++) {
		sb_contract_t contract = random_contract(&seed), back;
		char other[2048], *text, *again;
		const char *until = random_next(&seed) % 2 ? "x" : NULL;
		int rc;

		random_text(&seed, other);
		rc = sb_contract_from_token(other, &back, NULL);
		text = sb_contract_to_token(other, &contract, until);
		if (sb_contract_from_token(text, &back, NULL))
			ck_abort_msg("%s", text);
		check_same(&back, &contract);
		again = sb_contract_to_token(text, &contract, until);
		ck_assert_str_eq(again, text);
		if (rc == 1) {
			ck_assert(!strncmp(text, other, strlen(other)));
			ck_assert(!*other || text[strlen(other)] == ' ');
		}
		free(again);
		free(text);
	}
}
END_TEST

/* Cut anywhere, or one byte changed: the same contract, another well-formed
 * one, or no contract; never a crash. Every cut is noticed. */
START_TEST(token_damage)
{
	char text[sizeof(TOKEN)];
	sb_contract_t back;

	for (size_t cut = 0; cut < sizeof(TOKEN) - 1; cut++) {
		memcpy(text, TOKEN, sizeof(TOKEN));
		text[cut] = '\0';
		ck_assert_int_ne(sb_contract_from_token(text, &back, NULL), 0);
		for (int byte = 1; byte < 256; byte++) {
			char *fixed;

			memcpy(text, TOKEN, sizeof(TOKEN));
			text[cut] = (char)byte;
			sb_contract_from_token(text, &back, NULL);
			fixed = sb_contract_to_token(text, &example, NULL);
			ck_assert_int_eq(sb_contract_from_token(fixed, &back,
								NULL), 0);
			check_same(&back, &example);
			free(fixed);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("contract");
	TCase *tc = tcase_create("contract");

	suite_add_tcase(suite, tc);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, declares_nothing, 0, COUNT(undeclared));
	tcase_add_loop_test(tc, declares, 0, COUNT(declared));
	tcase_add_loop_test(tc, is_malformed, 0, COUNT(malformed));
	tcase_add_test(tc, comment_has_a_bound);
	tcase_add_test(tc, soup);
	tcase_add_loop_test(tc, signs, 0, COUNT(signings));
	tcase_add_test(tc, signing_laws);
	tcase_add_loop_test(tc, lowers, 0, COUNT(edits));
	tcase_add_test(tc, left);
	tcase_add_test(tc, charge);
	tcase_add_test(tc, names);
	tcase_add_test(tc, token_is_frozen);
	tcase_add_loop_test(tc, places_token, 0, COUNT(placements));
	tcase_add_loop_test(tc, reads_token, 0, COUNT(readings));
	tcase_add_loop_test(tc, until_is_opaque, 0, COUNT(untils));
	tcase_add_loop_test(tc, evicted_is_kept, 0, COUNT(evicteds));
	tcase_add_test(tc, token_of_extremes);
	tcase_add_test(tc, token_round_trip);
	tcase_add_test(tc, token_damage);
	return suite_run(suite);
}
