/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_report_alloc - a report when there is no memory: each allocation fails
 * once. What then says so may be repeated, and the report is the same.
 *
 * The linker puts our functions before those of the C library and of json-c in
 * all that is linked here (-Wl,--wrap).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "page.h"
#include "suite.h"

#define HOUR 3600
#define BEGIN INT64_C(1790812800)

static unsigned made, fails_at;
static bool armed;

static bool refuse(void)
{
	return armed && ++made == fails_at;
}

#define WRAP(type, name, parameters, arguments)         \
	extern type __real_##name parameters;           \
	extern type __wrap_##name parameters;           \
	type __wrap_##name parameters                   \
	{                                               \
		return refuse() ? NULL : __real_##name arguments; \
	}

WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, realloc, (void *old, size_t size), (old, size))
WRAP(char *, strdup, (const char *text), (text))
WRAP(char *, strndup, (const char *text, size_t size), (text, size))
WRAP(json_object *, json_object_new_object, (void), ())
WRAP(json_object *, json_object_new_array, (void), ())
WRAP(json_object *, json_object_new_string, (const char *text), (text))
WRAP(json_object *, json_object_new_int, (int32_t value), (value))
WRAP(json_object *, json_object_new_int64, (int64_t value), (value))
WRAP(json_object *, json_object_new_double_s,
     (double value, const char *text), (value, text))

extern int __real_json_object_object_add(json_object *, const char *,
					 json_object *);
extern int __wrap_json_object_object_add(json_object *, const char *,
					 json_object *);
extern int __wrap_json_object_object_add(json_object *object, const char *name,
					 json_object *value)
{
	return refuse() ? -1 : __real_json_object_object_add(object, name,
							     value);
}

extern int __real_json_object_array_add(json_object *, json_object *);
extern int __wrap_json_object_array_add(json_object *, json_object *);
extern int __wrap_json_object_array_add(json_object *array, json_object *value)
{
	return refuse() ? -1 : __real_json_object_array_add(array, value);
}

/* ---- the story ---------------------------------------------------------- */

/* What was written, as a number. */
static int into_sum(void *arg, const char *text, size_t len)
{
	uint64_t *sum = arg;

	for (size_t i = 0; i < len; i++)
		*sum = *sum * 31 + (unsigned char) text[i];
	return 0;
}

/* Not what check itself allocates. */
static bool disarm(bool result)
{
	armed = false;
	return result;
}

#define ARMED(call) (armed = true, disarm(call))

/* A call that may fail for the one allocation, and then is repeated. */
#define TRY(call)                                          \
	do {                                               \
		err.text[0] = '\0';                        \
		if (ARMED(call)) {                         \
			ck_assert_str_ne(err.text, "");    \
			ck_assert_uint_ge(made, fails_at); \
			ck_assert(!ARMED(call));           \
		}                                          \
	} while (0)

static int add_run(report_t *report, int i, sb_err_t *err)
{
	static const char *const users[] = { "ann", "bob", NULL };
	report_run_t run = {
		.job = (uint64_t) i + 1, .account = i % 3 - 1,
		.user = users[i % 3], .eligible = BEGIN + i * 60,
		.start = BEGIN + i * 90, .gpus = 8, .nodes = 1,
		.class = (report_class_t) (i % REPORT_CLASSES),
		.minimum = HOUR, .limit = REPORT_UNKNOWN, .usage = 0,
		.lost = REPORT_UNKNOWN, .outcome = REPORT_PREEMPTED,
		.end = BEGIN + i * 90 + 5 * HOUR,
	};

	return report_add(report, &run, err);
}

static int make_json(const report_t *report, uint64_t *sum, sb_err_t *err)
{
	json_object *json = report_json(report, true, err);
	const char *text;

	if (!json)
		return -1;
	text = json_object_to_json_string(json);
	into_sum(sum, text, strlen(text));
	json_object_put(json);
	return 0;
}

static int make_html(const report_t *report, uint64_t *sum, sb_err_t *err)
{
	const report_page_t page = { .chart = "x", .chart_size = 1 };
	uint64_t before = *sum;

	if (!report_html(report, &page, into_sum, sum, err))
		return 0;
	*sum = before;
	return -1;
}

static int make_sides(const report_t *report, uint64_t *sum, sb_err_t *err)
{
	const report_page_t page = { .chart = "x", .chart_size = 1 };
	const char *const cells[] = { "a", "b", NULL };
	report_side_t sides[] = { { "x", NULL }, { "y", NULL } };
	report_comparison_t comparison = {
		.sides = sides, .count = 2, .cells = cells, .rows = 1,
		.note = "z",
	};
	uint64_t before = *sum;
	int failed = 0;

	for (int i = 0; i < 2 && !failed; i++) {
		sides[i].taken = report_comparison_take(report, &page, err);
		failed = !sides[i].taken;
	}
	if (!failed)
		failed = report_comparison_html(&comparison, &page, into_sum,
						sum, err);
	json_object_put(sides[0].taken);
	json_object_put(sides[1].taken);
	if (failed)
		*sum = before;
	return failed ? -1 : 0;
}

/* RET: a number for all that came out, 0: it could not be finished. */
static uint64_t story(void)
{
	static const report_account_t accounts[] = { { "a", -1, 0.5, false },
						     { "b", 0, 0.5, false } };
	report_t *report = NULL;
	sb_err_t err;
	uint64_t sum = 1;

	TRY(!(report = report_create(BEGIN, BEGIN + 9 * HOUR, accounts, 2,
				     NULL, &err)));
	TRY(report_capacity(report, BEGIN, BEGIN + 9 * HOUR, 64, 0, 0, &err));
	TRY(report_account(report, "gone", &err) < 0);
	for (int i = 0; i < 20; i++)
		TRY(add_run(report, i, &err));
	TRY(report_bar(report, 0, 0, BEGIN, BEGIN + HOUR, &err));
	if (ARMED(report_finish(report, &err))) {
		ck_assert_ptr_null(report_totals(report));
		ck_assert_ptr_null(report_sheet(report, 0));
		sum = 0;
	} else {
		TRY(make_json(report, &sum, &err));
		TRY(make_html(report, &sum, &err));
	TRY(make_sides(report, &sum, &err));
	}
	report_destroy(report);
	return sum;
}

START_TEST(no_memory)
{
	uint64_t wanted, sum;

	fails_at = 0;
	wanted = story();
	ck_assert_uint_ne(wanted, 0);
	ck_assert_uint_gt(made, 300);
	do {
		fails_at++;
		made = 0;
		sum = story();
		ck_assert(sum == wanted || !sum);
	} while (made >= fails_at);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report_alloc");
	TCase *tcase = tcase_create("report_alloc");

	/* For a busy machine: it takes one second of CPU. */
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, no_memory);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
