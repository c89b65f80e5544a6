/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_user - what a user can say, he says: random comments, time limits and
 * updates, judged or not by job_submit. Whatever they are, a job that runs is
 * never protected longer than when it was signed, never changes who pays, and
 * is never both protected and free; no text of his leaves the core raw.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "rng.h"
#include "submission.h"
#include "suite.h"

#define T ((int64_t) 1790000000)
#define STORIES 2000
#define UPDATES 6
#define TEXT 2048

/* What comments are made of: right ones, near misses, what a log or a terminal
 * could trip over, tokens of ours, JSON that is and is not. */
static const char *const pieces[] = {
	"min-runtime=", "min-runtime=4h", "min-runtime=0", "min-runtime=8h",
	"MIN-RUNTIME=2d", "min_runtime=1h", "minruntime=1h", "min-runtime",
	"{\"min-runtime\": \"4h\"}", "{\"min-runtime\": 0}",
	"{\"min-runtime\": 480, \"a\": [[[[[[[[]]]]]]]]}",
	"{\"min-runtime\": 1e999}", "{\"min-runtime\": \"\\u0000\"}",
	"{\"min-runtime\": \"1h\", \"min-runtime\": \"9h\"}", "{", "}",
	"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "\"", "\\", "4h", "8:00:00", "-1",
	"99999999999999999999", "0x10", "%s%s%s%n", "%n", "%pJ", "%999999d",
	"\033[2J", "\r\n", "\xff\xfe", "\x01", " ", ",", ";", "=", ":",
	"budget[class=allocated min-runtime=8:00:00 granted=8:00:00 why=full "
	"start=1790000000 evictions=0]",
	"budget[class=unallocated", "protected-until=2099-01-01T00:00:00",
};

#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

static const char *random_comment(char text[TEXT])
{
	size_t left = TEXT;

	if (rng(10) == 0)
		return NULL;
	text[0] = '\0';
	for (uint64_t i = rng(4) ? 1 + rng(3) : rng(40); i > 0; i--) {
		const char *piece = pieces[rng(PIECES)];

		if (strlen(piece) >= left)
			break;
		strcat(text, piece);
		left -= strlen(piece);
	}
	return text;
}

static int64_t random_limit(void)
{
	static const int64_t limits[] = { -1, 0, 60, 3600, 14400, 864000 };

	return limits[rng(6)];
}

static void random_params(sb_params_t *params)
{
	static const int64_t caps[] = { 60, 3600, 28800, 864000 };

	params->min_runtime_max = caps[rng(4)];
	params->min_runtime_default = rng(2) ? 0 : params->min_runtime_max;
	params->undeclared = rng(3);
	params->unallocated_charge = rng(2) ? 0 : 0.5;
	params->protect_growth = rng(3) ? 1 : 2;
}

/* What everybody may read, in a log or on a terminal */
static void check_printable(const char *text, size_t size)
{
	ck_assert_uint_lt(strnlen(text, size), size);
	for (; *text; text++)
		ck_assert(*text >= ' ' && *text <= '~');
}

/* As slurmctld does it: into SystemComment, and out again after a restart. */
static void check_token(const sb_contract_t *contract)
{
	char *token = sb_contract_to_token("burst buffer: %s%n", contract,
					   "2026-11-29T17:00:00");
	sb_contract_t read;

	ck_assert_ptr_nonnull(token);
	check_printable(token, SB_TOKEN_MAX + 32);
	ck_assert_int_eq(sb_contract_from_token(token, &read, NULL), 0);
	ck_assert_int_eq(read.granted, contract->granted);
	ck_assert_int_eq(read.class, contract->class);
	free(token);
}

static void check_signed(const sb_contract_t *contract,
			 const sb_params_t *params, int64_t time_limit,
			 bool funded, uint32_t evictions)
{
	if (!evictions || params->protect_growth == 1)
		ck_assert_int_le(contract->granted, params->min_runtime_max);
	if (time_limit >= 0)
		ck_assert_int_le(contract->granted, time_limit);
	if (!funded)
		ck_assert_int_eq(contract->granted, 0);
	if (sb_contract_charge(contract, params) < 1)
		ck_assert_int_eq(contract->granted, 0);
}

/* One update of a job that runs. RET: the comment that it has then. */
static const char *update(const sb_params_t *params, const char *comment,
			  sb_contract_t *contract, char text[TEXT])
{
	sb_request_t before = { .comment = comment, .time_limit = -1 };
	sb_request_t after = before;
	sb_err_t message = { "" };
	sb_answer_t answer;

	after.comment = random_comment(text);
	after.time_limit = random_limit();
	answer = sb_submission_change(params, &before, &after, contract,
				      &message);
	check_printable(message.text, sizeof(message.text));
	ck_assert(answer == SB_ANSWER_YES || message.text[0]);
	/* Without job_submit nobody refuses. */
	return (answer == SB_ANSWER_YES || rng(2)) ? after.comment : comment;
}

static void story(sb_params_t *params)
{
	char text[2][TEXT];
	const char *comment = random_comment(text[0]);
	int64_t time_limit = random_limit();
	bool funded = rng(4);
	uint32_t evictions = rng(3);
	sb_contract_t contract, first;
	sb_err_t err = { "" };

	random_params(params);
	(void) sb_contract_sign(params, comment, params->min_runtime_max,
				time_limit, funded, T, evictions, &contract,
				&err);
	check_printable(err.text, sizeof(err.text));
	check_signed(&contract, params, time_limit, funded, evictions);
	first = contract;
	for (int i = 0; i < UPDATES; i++) {
		int64_t granted = contract.granted;

		/* The other buffer: the old comment is still needed. */
		comment = update(params, comment, &contract,
				 text[comment == text[0]]);
		(void) sb_contract_lower(&contract, comment);
		ck_assert_int_le(contract.granted, granted);
		ck_assert_int_eq(contract.class, first.class);
		ck_assert_int_eq(contract.declared, first.declared);
		ck_assert_int_eq(contract.start, first.start);
		check_token(&contract);
	}
}

START_TEST(updates)
{
	sb_params_t *params = sb_params_create();

	rng_state = _i;
	for (int i = 0; i < STORIES / 10; i++)
		story(params);
	sb_params_destroy(params);
}
END_TEST

/* A new job's declaration that job_submit lets pass is kept in full: nobody is
 * told one thing and promised another. */
START_TEST(submissions)
{
	sb_params_t *params = sb_params_create();
	char text[TEXT];

	rng_state = 1000 + _i;
	for (int i = 0; i < STORIES / 10; i++) {
		sb_request_t request = {
			.comment = random_comment(text),
			.time_limit = random_limit(),
			.requeueable = rng(2), .preempts = rng(2),
		};
		sb_err_t message = { "" };
		sb_contract_t contract;
		sb_answer_t answer;

		random_params(params);
		answer = sb_submission_check(params, &request, &message);
		check_printable(message.text, sizeof(message.text));
		ck_assert(answer == SB_ANSWER_YES || message.text[0]);
		if (answer != SB_ANSWER_YES)
			continue;
		ck_assert_int_eq(sb_contract_sign(params, request.comment,
						  params->min_runtime_max,
						  request.time_limit, true, T,
						  0, &contract, &message), 0);
		if (contract.declared >= 0)
			ck_assert_int_eq(contract.granted, contract.declared);
	}
	sb_params_destroy(params);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("user");
	TCase *tcase = tcase_create("user");

	suite_add_tcase(suite, tcase);
	tcase_add_loop_test(tcase, updates, 0, 10);
	tcase_add_loop_test(tcase, submissions, 0, 10);
	return suite_run(suite);
}
