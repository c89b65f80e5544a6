/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_alloc - the core when there is no memory: each allocation of each entry
 * point fails once, alone and with all behind it. What then says so may be
 * repeated and comes to the same end; nothing is left behind.
 *
 * The linker puts our malloc, calloc, realloc and free before the C library's
 * in all that is linked here (-Wl,--wrap), but for what json-c does inside.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "contract.h"
#include "idmap.h"
#include "params.h"
#include "state.h"
#include "submission.h"
#include "suite.h"
#include "tree.h"

#include <json-c/json.h>

#define T ((int64_t) 1790000000)
/* More allocations than any story makes. */
#define WALK_MAX 2000

/* A step runs. The compiler knows that the free() it knows does not read it. */
static volatile bool armed;
static unsigned made;		/* allocations in steps so far */
static unsigned fails_at;	/* the number of the one that fails, 0: none */
static bool fails_on;		/* and all behind it, until the step is over */
static bool failed;		/* in this step */
static long live;		/* not yet freed */

static bool refuse(void)
{
	if (!armed)
		return false;
	made++;
	if (made != fails_at && !(fails_on && failed))
		return false;
	failed = true;
	return true;
}

extern void *__real_malloc(size_t size);
extern void *__real_calloc(size_t count, size_t size);
extern void *__real_realloc(void *old, size_t size);
extern void __real_free(void *old);
extern struct json_tokener *__real_json_tokener_new_ex(int depth);
extern void *__wrap_malloc(size_t size);
extern void *__wrap_calloc(size_t count, size_t size);
extern void *__wrap_realloc(void *old, size_t size);
extern void __wrap_free(void *old);
extern struct json_tokener *__wrap_json_tokener_new_ex(int depth);

static void *count(void *block)
{
	live += armed && block;
	return block;
}

extern void *__wrap_malloc(size_t size)
{
	return refuse() ? NULL : count(__real_malloc(size));
}

extern void *__wrap_calloc(size_t number, size_t size)
{
	return refuse() ? NULL : count(__real_calloc(number, size));
}

extern void *__wrap_realloc(void *old, size_t size)
{
	void *block;

	if (refuse())
		return NULL;
	block = __real_realloc(old, size);
	if (!old)
		count(block);
	return block;
}

extern void __wrap_free(void *old)
{
	live -= armed && old;
	__real_free(old);
}

extern struct json_tokener *__wrap_json_tokener_new_ex(int depth)
{
	return refuse() ? NULL : __real_json_tokener_new_ex(depth);
}

/*
 * STEP(call, fine): the call, once more when it failed for want of memory. A
 * call that was refused memory must say so, and one that was not must not.
 */
#define STEP(call, fine) \
	do { \
		failed = false; \
		armed = true; \
		call; \
		armed = false; \
		ck_assert_msg(!(fine) == failed, "allocation %u: %s", fails_at, \
			      #call); \
		if (failed) { \
			failed = false; \
			armed = true; \
			call; \
			armed = false; \
			ck_assert_msg(fine, "repeated: %s", #call); \
		} \
	} while (0)

/* What needs no memory but gives some back */
#define CALL(call) \
	do { \
		armed = true; \
		call; \
		armed = false; \
	} while (0)

/* What a story comes to: with whatever failure the same. */
typedef struct {
	uint8_t *data;
	size_t size;
} outcome_t;

typedef void (*story_t)(outcome_t *outcome);

static void run_once(story_t story, outcome_t *outcome)
{
	made = 0;
	live = 0;
	story(outcome);
	ck_assert_msg(live == 0, "allocation %u: %ld blocks are left", fails_at,
		      live);
}

static void walk_as(story_t story, const outcome_t *expected)
{
	for (fails_at = 1; fails_at < WALK_MAX; fails_at++) {
		outcome_t outcome = { 0 };

		run_once(story, &outcome);
		ck_assert_uint_eq(outcome.size, expected->size);
		ck_assert_msg(!outcome.size ||
			      !memcmp(outcome.data, expected->data,
				      outcome.size),
			      "allocation %u: another outcome", fails_at);
		free(outcome.data);
		if (made < fails_at)
			return;
	}
	ck_abort_msg("more than %d allocations", WALK_MAX);
}

/* IN least: the story makes so many allocations, or it has lost its point. */
static void walk(story_t story, unsigned least)
{
	outcome_t expected = { 0 };

	fails_at = 0;
	run_once(story, &expected);
	ck_assert_uint_ge(made, least);
	fails_on = false;
	walk_as(story, &expected);
	fails_on = true;
	walk_as(story, &expected);
	free(expected.data);
}

static void params_story(outcome_t *outcome)
{
	sb_params_t *params;
	char text[4096];
	int rc;

	STEP(params = sb_params_create(), params);
	CALL(sb_params_destroy(params));
	STEP(params = sb_params_parse("window=3-0,min_runtime_max@a=1:00:00,"
				      "min_runtime_max@b=2:00:00,"
				      "min_runtime_max@c=3:00:00", NULL),
	     params);
	for (char name = 'd'; name <= 'z'; name++)
		STEP(rc = sb_params_add_cap(params, &name, 1, 60, NULL), !rc);
	ck_assert(sb_params_format(params, text, sizeof(text)));
	outcome->data = (uint8_t *) strdup(text);
	outcome->size = strlen(text);
	CALL(sb_params_destroy(params));
}

START_TEST(params)
{
	walk(params_story, 6);
}
END_TEST

#define IDS 40		/* a map grows three times for them */

static void check_ids(const sb_idmap_t *map, uint32_t count)
{
	ck_assert_uint_eq(map->count, count);
	for (uint32_t i = 0; i < IDS; i++)
		ck_assert_uint_eq(sb_idmap_find(map, i << 20),
				  i < count ? i : SB_IDMAP_NONE);
}

static void idmap_story(outcome_t *outcome)
{
	static const uint32_t ids[] = { 0, 1 << 20, 2 << 20, 3 << 20 };
	sb_idmap_t map = { 0 }, copy = { 0 };
	int rc;

	(void) outcome;
	STEP(rc = sb_idmap_fill(&map, ids, 4), !rc);
	for (uint32_t i = 4; i < IDS; i++) {
		STEP(rc = sb_idmap_reserve(&map, i + 1), !rc);
		check_ids(&map, i);
		sb_idmap_put(&map, i << 20, i);
	}
	STEP(rc = sb_idmap_copy(&copy, &map), !rc);
	sb_idmap_remove(&map, 0);
	check_ids(&copy, IDS);
	CALL(sb_idmap_free(&map));
	CALL(sb_idmap_free(&copy));
}

START_TEST(idmap)
{
	walk(idmap_story, 5);
}
END_TEST

/* Keys that make them grow twice. */
static void cells_story(outcome_t *outcome)
{
	sb_cells_t cells = { .width = 2 };
	uint64_t *sums;

	(void) outcome;
	for (uint64_t key = 1; key <= 300; key++) {
		STEP(sums = sb_cells_add(&cells, key << 32), sums);
		ck_assert_uint_eq(sums[0] + sums[1], 0);
		sums[1] = key;
	}
	ck_assert_uint_eq(cells.used, 300);
	for (uint64_t key = 1; key <= 300; key++)
		ck_assert_uint_eq(sb_cells_find(&cells, key << 32)[1], key);
	CALL(sb_cells_free(&cells));
}

START_TEST(cells)
{
	walk(cells_story, 6);
}
END_TEST

static void tree_story(outcome_t *outcome)
{
	sb_tree_node_t nodes[] = {
		{ .parent = SB_NO_PARENT },
		{ .parent = 0, .shares = 35 },
		{ .parent = 0, .shares = 20 },
		{ .parent = 1, .shares = 1, .user = true, .own_usage = 700,
		  .own_running = 8 },
		{ .parent = 2, .shares = 1, .user = true, .own_usage = 300,
		  .own_committed = 100 },
	};
	int rc;

	STEP(rc = sb_tree_compute(nodes, 5, 16, 2, NULL, NULL), !rc);
	outcome->data = malloc(5 * sizeof(uint32_t));
	outcome->size = 5 * sizeof(uint32_t);
	for (size_t i = 0; i < 5; i++)
		memcpy(outcome->data + i * sizeof(uint32_t), &nodes[i].rank,
		       sizeof(uint32_t));
}

START_TEST(tree)
{
	walk(tree_story, 6);
}
END_TEST

static void window_story(outcome_t *outcome)
{
	sb_window_shape_t week = sb_window_shape(7 * SB_DAY);
	sb_window_shape_t day = sb_window_shape(SB_DAY);
	sb_window_t *window, *copy, *narrow;
	double sum;

	STEP(window = sb_window_create(&week), window);
	sb_window_add_rate(window, &week, T, T + 9000, 8);
	STEP(copy = sb_window_copy(window, &week), copy);
	STEP(narrow = sb_window_reshape(copy, &week, &day, T + 9000), narrow);
	sum = sb_window_sum(narrow, &day, T + 9000);
	outcome->data = malloc(sizeof(sum));
	outcome->size = sizeof(sum);
	memcpy(outcome->data, &sum, sizeof(sum));
	CALL(sb_window_destroy(window));
	CALL(sb_window_destroy(copy));
	CALL(sb_window_destroy(narrow));
}

START_TEST(window)
{
	walk(window_story, 3);
}
END_TEST

static const sb_state_info_t info = {
	.cluster = "alps", .charge_tres = "billing", .written = T,
};

/* The ledger to bytes, and through all the ways of the loader back to them. */
static void encode_story(sb_ledger_t *ledger, outcome_t *outcome)
{
	sb_ledger_t *copy, *loaded;
	sb_state_info_t read;
	uint8_t *data;
	size_t size;
	int rc;

	STEP(copy = sb_ledger_copy(ledger), copy);
	STEP(rc = sb_state_encode(copy, &info, &data, &size, NULL), !rc);
	CALL(sb_ledger_destroy(copy));
	STEP(loaded = sb_state_decode(data, size, &read, NULL), loaded);
	CALL(free(data));
	ck_assert(sb_ledger_check(loaded));
	STEP(rc = sb_state_encode(loaded, &info, &data, &size, NULL), !rc);
	CALL(sb_ledger_destroy(loaded));
	outcome->data = malloc(size);
	outcome->size = size;
	memcpy(outcome->data, data, size);
	CALL(free(data));
}

static void pass(sb_ledger_t *ledger, int64_t now, uint32_t first,
		 uint32_t last, int64_t end)
{
	int rc;

	sb_ledger_begin(ledger, now);
	for (uint32_t id = first; id <= last; id++) {
		sb_attempt_t look = {
			.job_id = id, .assoc_id = 1 + id % 7, .start = T + id,
			.end = end, .rate = 8, .factor = 1, .left = 60,
		};

		STEP(rc = sb_ledger_observe(ledger, &look), !rc);
	}
	STEP(rc = sb_ledger_end(ledger, NULL), !rc);
	ck_assert(sb_ledger_check(ledger));
}

/* Told outside of passes: ends, records of a gap, history, heirs. */
static void tell(sb_ledger_t *ledger)
{
	sb_attempt_t closed = {
		.job_id = 900, .assoc_id = 90, .start = T + 40, .end = T + 90,
		.rate = 3, .factor = 1,
	};
	sb_attempt_t settled = closed, news = closed;
	int rc;

	STEP(rc = sb_ledger_close(ledger, &closed), !rc);
	settled.job_id = 1;
	settled.start = T + 1;
	STEP(rc = sb_ledger_settle(ledger, &settled, 0, 0), !rc);
	news.job_id = 901;
	news.assoc_id = 91;
	STEP(rc = sb_ledger_settle(ledger, &news, T, T + 100), !rc);
	STEP(rc = sb_ledger_seed(ledger, 92, T - 7200, T - 3600, 1e6), !rc);
	STEP(rc = sb_ledger_inherit(ledger, 90, 93), !rc);
}

static void ledger_story(outcome_t *outcome)
{
	sb_window_shape_t week = sb_window_shape(7 * SB_DAY);
	sb_window_shape_t day = sb_window_shape(SB_DAY);
	sb_ledger_t *ledger;
	int rc;

	STEP(ledger = sb_ledger_create(&week, 0), ledger);
	pass(ledger, T + 100, 1, 30, 0);
	pass(ledger, T + 200, 3, 30, T + 250);
	tell(ledger);
	STEP(rc = sb_ledger_reshape(ledger, &day), !rc);
	pass(ledger, T + 300, 5, 30, T + 250);
	encode_story(ledger, outcome);
	CALL(sb_ledger_destroy(ledger));
}

START_TEST(ledger)
{
	walk(ledger_story, 60);
}
END_TEST

/* A record that is news, alone: charged by the repeated call, not later. */
static void news_story(outcome_t *outcome)
{
	sb_window_shape_t week = sb_window_shape(7 * SB_DAY);
	sb_attempt_t news = {
		.job_id = 901, .assoc_id = 91, .start = T + 40, .end = T + 90,
		.rate = 3, .factor = 1,
	};
	sb_ledger_t *ledger;
	int rc;

	(void) outcome;
	STEP(ledger = sb_ledger_create(&week, T), ledger);
	STEP(rc = sb_ledger_settle(ledger, &news, T, T + 100), !rc);
	ck_assert_double_eq(sb_ledger_usage(ledger, 91, T + 100), 150);
	CALL(sb_ledger_destroy(ledger));
}

START_TEST(news)
{
	walk(news_story, 5);
}
END_TEST

static void token_story(outcome_t *outcome)
{
	sb_contract_t contract = {
		.class = SB_CLASS_ALLOCATED, .declared = 3600, .granted = 3600,
		.start = T,
	};
	char *first, *second;

	STEP(first = sb_contract_to_token("burst buffer", &contract, "now"),
	     first);
	STEP(second = sb_contract_to_token(first, &contract, NULL), second);
	outcome->data = (uint8_t *) strdup(second);
	outcome->size = strlen(second);
	CALL(free(first));
	CALL(free(second));
}

START_TEST(token)
{
	walk(token_story, 2);
}
END_TEST

/* Nobody is promised, or refused, anything for want of memory in silence. */
static void declaration_story(outcome_t *outcome)
{
	static const char comment[] = "{\"min-runtime\": \"4h\"}";
	sb_params_t *params = sb_params_create();
	sb_request_t request = { .comment = comment, .time_limit = 86400 };
	sb_declaration_t decl;
	sb_contract_t contract;
	sb_answer_t answer;
	sb_err_t err;
	int rc;

	(void) outcome;
	STEP(rc = sb_declaration_parse(comment, &decl, &err), !rc);
	STEP(rc = sb_contract_sign(params, comment, 8 * SB_HOUR, -1, true, T,
				   0, &contract, &err), !rc);
	ck_assert_int_eq(contract.granted, 4 * SB_HOUR);
	STEP(answer = sb_submission_check(params, &request, &err),
	     answer == SB_ANSWER_YES);
	sb_params_destroy(params);
}

START_TEST(declaration)
{
	walk(declaration_story, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("alloc");
	TCase *tcase = tcase_create("alloc");

	suite_add_tcase(suite, tcase);
	tcase_add_test(tcase, params);
	tcase_add_test(tcase, idmap);
	tcase_add_test(tcase, cells);
	tcase_add_test(tcase, tree);
	tcase_add_test(tcase, window);
	tcase_add_test(tcase, ledger);
	tcase_add_test(tcase, news);
	tcase_add_test(tcase, token);
	tcase_add_test(tcase, declaration);
	return suite_run(suite);
}
