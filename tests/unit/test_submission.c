/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "submission.h"
#include "suite.h"

#define HOUR ((int64_t)SB_HOUR)
#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* Three partitions: the default cap, a lower one, a time limit. */
#define SETTINGS "min_runtime_max=8h,min_runtime_max@short=1h," \
	"min_runtime_max@long=2d"

static const sb_request_part_t parts[] = {
	{ "gpu", SB_TIME_UNLIMITED, false },
	{ "short", 2 * HOUR, false },
	{ "long", 3 * 24 * HOUR, false },
	{ "desk", 4 * HOUR, true },
};

typedef enum { GPU, SHORT, LONG, DESK, NOWHERE } place_t;

/* IN second: NOWHERE for one partition only. */
static size_t choose(place_t first, place_t second, sb_request_part_t chosen[2])
{
	if (first == NOWHERE)
		return 0;
	chosen[0] = parts[first];
	if (second == NOWHERE)
		return 1;
	chosen[1] = parts[second];
	return 2;
}

/* ---- New jobs. */

#define UNSET SB_TIME_UNSET
#define UNLIMITED SB_TIME_UNLIMITED
#define MISSING(range) "min-runtime is missing; write " \
	"--comment=min-runtime=VALUE, allowed: " range
#define CANCEL "note: this job cannot be requeued and may be cancelled "
#define ANY_TIME CANCEL "at any time, as it has no minimum runtime"

static const struct {
	const char *extra;	/* settings */
	const char *comment;
	place_t first, second;
	int64_t time_limit;
	bool requeueable;
	sb_answer_t answer;
	const char *message;
} jobs[] = {
	/* Within all bounds, to the second. */
	{ "", NULL, GPU, NOWHERE, UNSET, true, SB_ANSWER_YES, "" },
	{ "", "hello", GPU, NOWHERE, UNSET, true, SB_ANSWER_YES, "" },
	{ "", "min-runtime=0", GPU, NOWHERE, UNSET, true, SB_ANSWER_YES, "" },
	{ "", "min-runtime=8h", GPU, NOWHERE, UNSET, true, SB_ANSWER_YES, "" },
	{ "", "min-runtime=1h", SHORT, NOWHERE, UNSET, true, SB_ANSWER_YES,
	  "" },
	{ "", "min-runtime=2d", LONG, NOWHERE, UNSET, true, SB_ANSWER_YES, "" },
	{ "", "min-runtime=4h", GPU, NOWHERE, 4 * HOUR, true, SB_ANSWER_YES,
	  "" },
	{ "", "min-runtime=4h", GPU, NOWHERE, UNLIMITED, true, SB_ANSWER_YES,
	  "" },
	{ "", "min-runtime=8h", NOWHERE, NOWHERE, UNSET, true, SB_ANSWER_YES,
	  "" },
	/* An own time limit goes before the partition's. */
	{ "min_runtime_max@desk=1d", "min-runtime=6h", DESK, NOWHERE, 6 * HOUR,
	  true, SB_ANSWER_YES, "" },
	{ "", "min-runtime=8h", DESK, NOWHERE, UNLIMITED, true, SB_ANSWER_YES,
	  "" },

	/* Over the cap. */
	{ "", "min-runtime=9h", GPU, NOWHERE, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=9h is over the limit of 8:00:00 on partition gpu" },
	{ "", "min-runtime=8:00:01", GPU, NOWHERE, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=8:00:01 is over the limit of 8:00:00 on partition gpu" },
	{ "", "{\"min-runtime\": 481}", GPU, NOWHERE, UNSET, true,
	  SB_ANSWER_OVER,
	  "min-runtime=481 is over the limit of 8:00:00 on partition gpu" },
	{ "", "min-runtime=61m", SHORT, NOWHERE, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=61m is over the limit of 1:00:00 on partition short" },
	{ "", "min-runtime=9h", NOWHERE, NOWHERE, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=9h is over the limit of 8:00:00" },
	{ "min_runtime_max@gpu=0", "min-runtime=1s", GPU, NOWHERE, UNSET, true,
	  SB_ANSWER_OVER,
	  "min-runtime=1s is over the limit of 0:00 on partition gpu" },
	/* Of several partitions the strictest, wherever it stands. */
	{ "", "min-runtime=4h", GPU, SHORT, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=4h is over the limit of 1:00:00 on partition short" },
	{ "", "min-runtime=4h", SHORT, GPU, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=4h is over the limit of 1:00:00 on partition short" },
	{ "", "min-runtime=9h", LONG, GPU, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=9h is over the limit of 8:00:00 on partition gpu" },
	/* The cap is said before the time limit. */
	{ "", "min-runtime=9h", GPU, NOWHERE, HOUR, true, SB_ANSWER_OVER,
	  "min-runtime=9h is over the limit of 8:00:00 on partition gpu" },

	/* Over a time limit. */
	{ "", "min-runtime=4h", GPU, NOWHERE, HOUR, true, SB_ANSWER_OVER,
	  "min-runtime=4h is over the job's time limit of 1:00:00" },
	{ "", "min-runtime=1:00:01", GPU, SHORT, HOUR, true, SB_ANSWER_OVER,
	  "min-runtime=1:00:01 is over the limit of 1:00:00 on partition "
	  "short" },
	{ "", "min-runtime=90s", GPU, NOWHERE, 60, true, SB_ANSWER_OVER,
	  "min-runtime=90s is over the job's time limit of 1:00" },
	{ "", "min-runtime=5h", DESK, NOWHERE, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=5h is over 4:00:00, the time limit of a job without "
	  "--time on partition desk" },
	{ "", "min-runtime=5h", GPU, DESK, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=5h is over 4:00:00, the time limit of a job without "
	  "--time on partition desk" },
	{ "", "min-runtime=5h", LONG, DESK, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=5h is over 4:00:00, the time limit of a job without "
	  "--time on partition desk" },
	{ "", "min-runtime=5h", DESK, LONG, UNSET, true, SB_ANSWER_OVER,
	  "min-runtime=5h is over 4:00:00, the time limit of a job without "
	  "--time on partition desk" },
	{ "", "min-runtime=0", GPU, NOWHERE, 0, true, SB_ANSWER_YES, "" },

	/* Unreadable: whatever else is wrong with it. */
	{ "", "min-runtime=", GPU, NOWHERE, UNSET, true, SB_ANSWER_MALFORMED,
	  "\"min-runtime\" has no value right behind it; write "
	  "min-runtime=VALUE without blanks, for example min-runtime=4h" },
	{ "undeclared=reject", "minruntime=4h", GPU, NOWHERE, UNSET, false,
	  SB_ANSWER_MALFORMED, "\"minruntime=4h\" is not understood; write "
	  "min-runtime=VALUE as a word of its own, for example "
	  "min-runtime=4h" },

	/* undeclared=reject. */
	{ "undeclared=reject", NULL, GPU, NOWHERE, UNSET, true,
	  SB_ANSWER_MISSING, MISSING("0 to 8:00:00 on partition gpu") },
	{ "undeclared=reject", "hello", GPU, SHORT, UNSET, false,
	  SB_ANSWER_MISSING, MISSING("0 to 1:00:00 on partition short") },
	{ "undeclared=reject", "", NOWHERE, NOWHERE, UNSET, true,
	  SB_ANSWER_MISSING, MISSING("0 to 8:00:00") },
	{ "undeclared=reject,min_runtime_max@gpu=0", NULL, GPU, NOWHERE, UNSET,
	  true, SB_ANSWER_MISSING, MISSING("0 on partition gpu") },
	{ "undeclared=reject", "min-runtime=0", GPU, NOWHERE, UNSET, true,
	  SB_ANSWER_YES, "" },
	{ "undeclared=free", NULL, GPU, NOWHERE, UNSET, true, SB_ANSWER_YES,
	  "" },

	/* What cannot be requeued may be lost. */
	{ "", "min-runtime=4h", GPU, NOWHERE, UNSET, false, SB_ANSWER_YES,
	  CANCEL "after its minimum runtime of 4:00:00" },
	{ "", "min-runtime=0", GPU, NOWHERE, UNSET, false, SB_ANSWER_YES,
	  ANY_TIME },
	{ "", NULL, GPU, NOWHERE, UNSET, false, SB_ANSWER_YES, ANY_TIME },
	{ "min_runtime_default=30m", NULL, GPU, NOWHERE, UNSET, false,
	  SB_ANSWER_YES, CANCEL "after its minimum runtime of 30:00" },
	{ "min_runtime_default=30m,undeclared=free", NULL, GPU, NOWHERE, UNSET,
	  false, SB_ANSWER_YES, ANY_TIME },
	{ "min_runtime_default=4h", NULL, GPU, SHORT, UNSET, false,
	  SB_ANSWER_YES, CANCEL "after its minimum runtime of 1:00:00" },
	{ "min_runtime_default=4h", NULL, GPU, NOWHERE, 120, false,
	  SB_ANSWER_YES, CANCEL "after its minimum runtime of 2:00" },
	{ "not_requeueable=spare", "min-runtime=4h", GPU, NOWHERE, UNSET,
	  false, SB_ANSWER_YES, "" },
	{ "not_requeueable=spare", NULL, GPU, NOWHERE, UNSET, false,
	  SB_ANSWER_YES, "" },
	{ "not_requeueable=spare", "min-runtime=0", GPU, NOWHERE, UNSET, false,
	  SB_ANSWER_YES, ANY_TIME },
	{ "preempt=shadow", "min-runtime=0", GPU, NOWHERE, UNSET, false,
	  SB_ANSWER_YES, "" },
	{ "", "min-runtime=0", DESK, NOWHERE, UNSET, false, SB_ANSWER_YES,
	  "" },
	{ "", "min-runtime=0", DESK, GPU, UNSET, false, SB_ANSWER_YES,
	  ANY_TIME },
	{ "", NULL, NOWHERE, NOWHERE, UNSET, false, SB_ANSWER_YES, ANY_TIME },
	{ "", "min-runtime=9h", GPU, NOWHERE, UNSET, false, SB_ANSWER_OVER,
	  "min-runtime=9h is over the limit of 8:00:00 on partition gpu" },
};

static sb_params_t *settings(const char *extra)
{
	sb_params_t *params;
	char text[256];
	sb_err_t err;

	snprintf(text, sizeof(text), "%s%s%s", SETTINGS, *extra ? "," : "",
		 extra);
	params = sb_params_parse(text, &err);
	ck_assert_msg(params != NULL, "%s", err.text);
	return params;
}

START_TEST(submits)
{
	sb_request_part_t chosen[2];
	sb_request_t request = {
		.comment = jobs[_i].comment,
		.parts = chosen,
		.part_count = choose(jobs[_i].first, jobs[_i].second, chosen),
		.time_limit = jobs[_i].time_limit,
		.requeueable = jobs[_i].requeueable,
		.preempts = true,
	};
	sb_params_t *params = settings(jobs[_i].extra);
	sb_err_t message = { "untouched" };

	ck_assert_int_eq(sb_submission_check(params, &request, &message),
			 jobs[_i].answer);
	ck_assert_str_eq(message.text, jobs[_i].message);

	/* Notes are about preemption: none where nothing preempts. */
	request.preempts = false;
	ck_assert_int_eq(sb_submission_check(params, &request, &message),
			 jobs[_i].answer);
	ck_assert_str_eq(message.text, jobs[_i].answer == SB_ANSWER_YES ? "" :
			 jobs[_i].message);
	sb_params_destroy(params);
}
END_TEST

/* ---- Updates. */

#define RAISED(value, range) "min-runtime=" value " would raise the minimum " \
	"of a job that runs; allowed: " range

/* A contract that was signed for 4 h, and what may have become of it. */
#define SIGNED { SB_CLASS_ALLOCATED, 4 * HOUR, 4 * HOUR, SB_GRANT_FULL, \
	1, 0, "" }
#define CUT(why) { SB_CLASS_ALLOCATED, 4 * HOUR, HOUR, why, 1, 0, "" }
#define GROWN { SB_CLASS_ALLOCATED, 4 * HOUR, 6 * HOUR, SB_GRANT_FULL, \
	1, 1, "" }
#define UNDECLARED { SB_CLASS_UNDECLARED, -1, HOUR, SB_GRANT_FULL, 1, 0, "" }
#define UNREADABLE { SB_CLASS_UNDECLARED, -1, HOUR, SB_GRANT_MALFORMED, \
	1, 0, "" }
#define FREE { SB_CLASS_UNALLOCATED, 0, 0, SB_GRANT_FULL, 1, 0, "" }
#define WAITS { SB_CLASS_ALLOCATED, 0, 0, SB_GRANT_FULL, -1, 0, "" }

static const struct {
	const char *extra;
	sb_contract_t contract;
	const char *old, *new;
	sb_answer_t answer;
	const char *message;
} edits[] = {
	/* A job that waits changes as it likes within the caps. */
	{ "", WAITS, "min-runtime=4h", "min-runtime=6h", SB_ANSWER_YES, "" },
	{ "", WAITS, "min-runtime=4h", "min-runtime=0", SB_ANSWER_YES, "" },
	{ "", WAITS, NULL, "min-runtime=8h", SB_ANSWER_YES, "" },
	{ "", WAITS, "min-runtime=4h", NULL, SB_ANSWER_YES, "" },
	{ "", WAITS, "min-runtime=4h", "min-runtime=9h", SB_ANSWER_OVER,
	  "min-runtime=9h is over the limit of 8:00:00 on partition gpu" },
	{ "", WAITS, "min-runtime=4h", "min-runtime=-1", SB_ANSWER_MALFORMED,
	  "min-runtime=-1: \"-1\" is not a time (write it like 90, 1:30:00, "
	  "2-12:00, 90s, 15m, 4h or 2d)" },
	{ "undeclared=reject", WAITS, "min-runtime=4h", "hello",
	  SB_ANSWER_MISSING, MISSING("0 to 8:00:00 on partition gpu") },
	{ "undeclared=reject", WAITS, "min-runtime=4h", "",
	  SB_ANSWER_MISSING, MISSING("0 to 8:00:00 on partition gpu") },
	/* What it was taken with stays. */
	{ "", WAITS, "min-runtime=9h", "min-runtime=9h hello", SB_ANSWER_YES,
	  "" },
	{ "undeclared=reject", WAITS, "hello", "goodbye", SB_ANSWER_YES, "" },
	{ "undeclared=reject", WAITS, NULL, NULL, SB_ANSWER_YES, "" },
	{ "", WAITS, "minruntime=4h", "minruntime=4h", SB_ANSWER_YES, "" },
	{ "", WAITS, "minruntime=4h", "minruntime=5h", SB_ANSWER_MALFORMED,
	  "\"minruntime=5h\" is not understood; write min-runtime=VALUE as a "
	  "word of its own, for example min-runtime=4h" },

	/* One that runs goes down, never up. */
	{ "", SIGNED, "min-runtime=4h", "min-runtime=1h", SB_ANSWER_YES, "" },
	{ "", SIGNED, "min-runtime=4h", "min-runtime=0", SB_ANSWER_YES, "" },
	{ "", SIGNED, "min-runtime=4h", "min-runtime=4h b", SB_ANSWER_YES, "" },
	{ "", SIGNED, "min-runtime=4h", "min-runtime=240", SB_ANSWER_YES, "" },
	{ "", SIGNED, "min-runtime=4h", "min-runtime=4:00:01",
	  SB_ANSWER_RAISED, RAISED("4:00:01", "0 to 4:00:00") },
	{ "", SIGNED, "min-runtime=4h", "min-runtime=9h", SB_ANSWER_RAISED,
	  RAISED("9h", "0 to 4:00:00") },
	{ "", SIGNED, "min-runtime=4h", "min-runtime=x", SB_ANSWER_MALFORMED,
	  "min-runtime=x: \"x\" is not a time (write it like 90, 1:30:00, "
	  "2-12:00, 90s, 15m, 4h or 2d)" },
	/* Taking the word away changes nothing of the contract. */
	{ "", SIGNED, "min-runtime=4h", "hello", SB_ANSWER_YES, "" },
	{ "undeclared=reject", SIGNED, "min-runtime=4h", "hello",
	  SB_ANSWER_MISSING, MISSING("0 to 8:00:00 on partition gpu") },
	{ "", SIGNED, "hello", "min-runtime=4h", SB_ANSWER_YES, "" },
	{ "", SIGNED, "hello", "min-runtime=5h", SB_ANSWER_RAISED,
	  RAISED("5h", "0 to 4:00:00") },
	/* Once lowered it stays down, signed or not yet. */
	{ "", SIGNED, "min-runtime=1h", "min-runtime=2h", SB_ANSWER_RAISED,
	  RAISED("2h", "0 to 1:00:00") },
	{ "", SIGNED, "min-runtime=1h", "min-runtime=4h", SB_ANSWER_RAISED,
	  RAISED("4h", "0 to 1:00:00") },
	{ "", CUT(SB_GRANT_LOWERED), "min-runtime=1h", "min-runtime=4h",
	  SB_ANSWER_RAISED, RAISED("4h", "0 to 1:00:00") },
	{ "", CUT(SB_GRANT_LOWERED), "min-runtime=1h", "min-runtime=61m",
	  SB_ANSWER_RAISED, RAISED("61m", "0 to 1:00:00") },
	{ "", CUT(SB_GRANT_LOWERED), "min-runtime=1h", "min-runtime=1h x",
	  SB_ANSWER_YES, "" },
	/* Granted less than declared: what is declared may still go down. */
	{ "", CUT(SB_GRANT_TIME_LIMIT), "min-runtime=4h", "min-runtime=2h",
	  SB_ANSWER_YES, "" },
	{ "", CUT(SB_GRANT_CAPPED), "min-runtime=4h", "min-runtime=4h x",
	  SB_ANSWER_YES, "" },
	{ "", CUT(SB_GRANT_UNFUNDED), "min-runtime=4h", "min-runtime=5h",
	  SB_ANSWER_RAISED, RAISED("5h", "0 to 4:00:00") },
	/* Evictions lengthen what is granted, not what may be declared. */
	{ "", GROWN, "min-runtime=4h", "min-runtime=5h", SB_ANSWER_RAISED,
	  RAISED("5h", "0 to 4:00:00") },
	/* Nothing was declared: the default is what there is to lower. */
	{ "", UNDECLARED, NULL, "min-runtime=30m", SB_ANSWER_YES, "" },
	{ "", UNDECLARED, NULL, "min-runtime=2h", SB_ANSWER_RAISED,
	  RAISED("2h", "0 to 1:00:00") },
	{ "", UNREADABLE, "minruntime=4h", "min-runtime=4h", SB_ANSWER_RAISED,
	  RAISED("4h", "0 to 1:00:00") },
	{ "", FREE, "min-runtime=0", "min-runtime=1s", SB_ANSWER_RAISED,
	  RAISED("1s", "0") },
	{ "", FREE, "min-runtime=0", "min-runtime=0 x", SB_ANSWER_YES, "" },
	/* Lower, and still more than anybody may declare today. */
	{ "min_runtime_max@gpu=1h", SIGNED, "min-runtime=4h", "min-runtime=2h",
	  SB_ANSWER_OVER,
	  "min-runtime=2h is over the limit of 1:00:00 on partition gpu" },
};

START_TEST(edits_comment)
{
	const sb_contract_t *contract = &edits[_i].contract;
	sb_request_t before = {
		.comment = edits[_i].old,
		.parts = &parts[GPU],
		.part_count = 1,
		.time_limit = SB_TIME_UNSET,
	};
	sb_request_t after = before;
	sb_params_t *params = settings(edits[_i].extra);
	sb_err_t message = { "untouched" };

	after.comment = edits[_i].new;
	ck_assert_int_eq(sb_submission_change(params, &before, &after,
					      contract->start < 0 ? NULL :
					      contract, &message),
			 edits[_i].answer);
	ck_assert_str_eq(message.text, edits[_i].message);
	sb_params_destroy(params);
}
END_TEST

/* The comment stays, the rest does not. */
static const struct {
	const char *comment;
	place_t from, to;
	int64_t old_limit, new_limit;
	bool runs;
	sb_answer_t answer;
	const char *message;
} moves[] = {
	{ "min-runtime=4h", GPU, LONG, UNSET, UNSET, false, SB_ANSWER_YES,
	  "" },
	{ "min-runtime=4h", GPU, SHORT, UNSET, UNSET, false, SB_ANSWER_OVER,
	  "min-runtime=4h is over the limit of 1:00:00 on partition short" },
	{ "min-runtime=5h", GPU, DESK, UNSET, UNSET, false, SB_ANSWER_OVER,
	  "min-runtime=5h is over 4:00:00, the time limit of a job without "
	  "--time on partition desk" },
	{ "min-runtime=5h", GPU, DESK, 6 * HOUR, 6 * HOUR, false,
	  SB_ANSWER_YES, "" },
	{ "min-runtime=5h", GPU, GPU, 6 * HOUR, 4 * HOUR, false,
	  SB_ANSWER_OVER,
	  "min-runtime=5h is over the job's time limit of 4:00:00" },
	{ "min-runtime=5h", GPU, GPU, 4 * HOUR, 6 * HOUR, false,
	  SB_ANSWER_YES, "" },
	/* A job that runs may end as early as it likes. */
	{ "min-runtime=5h", GPU, GPU, 6 * HOUR, 4 * HOUR, true, SB_ANSWER_YES,
	  "" },
	/* Taken under other settings, and left in peace. */
	{ "min-runtime=9h", GPU, GPU, UNSET, UNSET, false, SB_ANSWER_YES, "" },
	{ "min-runtime=9h", GPU, GPU, UNSET, 10 * HOUR, false, SB_ANSWER_YES,
	  "" },
	{ "min-runtime=5h", GPU, GPU, 4 * HOUR, 4 * HOUR, false,
	  SB_ANSWER_YES, "" },
	{ "minruntime=5h", GPU, SHORT, UNSET, UNSET, false, SB_ANSWER_YES,
	  "" },
	{ NULL, GPU, SHORT, UNSET, UNSET, false, SB_ANSWER_YES, "" },
	{ "min-runtime=2h", NOWHERE, SHORT, UNSET, UNSET, false,
	  SB_ANSWER_OVER,
	  "min-runtime=2h is over the limit of 1:00:00 on partition short" },
};

START_TEST(moves_elsewhere)
{
	static const sb_contract_t contract = SIGNED;
	sb_request_part_t from[2], to[2];
	sb_request_t before = {
		.comment = moves[_i].comment,
		.parts = from,
		.part_count = choose(moves[_i].from, NOWHERE, from),
		.time_limit = moves[_i].old_limit,
	};
	sb_request_t after = {
		.comment = moves[_i].comment,
		.parts = to,
		.part_count = choose(moves[_i].to, NOWHERE, to),
		.time_limit = moves[_i].new_limit,
	};
	sb_params_t *params = settings("undeclared=reject");
	sb_err_t message = { "untouched" };

	ck_assert_int_eq(sb_submission_change(params, &before, &after,
					      moves[_i].runs ? &contract : NULL,
					      &message), moves[_i].answer);
	ck_assert_str_eq(message.text, moves[_i].message);
	sb_params_destroy(params);
}
END_TEST

/* Names come from outside and may be of any length and bytes. */
START_TEST(quotes_names)
{
	char name[3 * SB_ERR_SIZE];
	sb_request_part_t part = { name, SB_TIME_UNLIMITED, false };
	sb_request_t request = {
		.comment = "min-runtime=9h",
		.parts = &part,
		.part_count = 1,
		.time_limit = SB_TIME_UNSET,
	};
	sb_params_t *params = settings("undeclared=reject");
	sb_err_t message;

	memset(name, '\n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(sb_submission_check(params, &request, &message),
			 SB_ANSWER_OVER);
	ck_assert_str_eq(message.text, "min-runtime=9h is over the limit of "
			 "8:00:00 on partition \\x0a\\x0a\\x0a\\x0a\\x0a\\x0a"
			 "\\x0a\\x0a\\x0a\\x0a\\x0a\\x0a\\x0a\\x0a...");
	request.comment = NULL;
	ck_assert_int_eq(sb_submission_check(params, &request, &message),
			 SB_ANSWER_MISSING);
	for (const char *at = message.text; *at; at++)
		ck_assert(*at >= ' ' && *at <= '~');
	sb_params_destroy(params);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("submission");
	TCase *tc = tcase_create("submission");

	suite_add_tcase(suite, tc);
	tcase_add_loop_test(tc, submits, 0, COUNT(jobs));
	tcase_add_loop_test(tc, edits_comment, 0, COUNT(edits));
	tcase_add_loop_test(tc, moves_elsewhere, 0, COUNT(moves));
	tcase_add_test(tc, quotes_names);
	return suite_run(suite);
}
