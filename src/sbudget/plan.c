/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "plan.h"
#include "plan_read.h"

#define JSON_DEPTH 16

/* Seconds in an hour of a budget. */
#define HOUR 3600.0

extern int plan_vcomplain(const plan_t *plan, const char *path, sb_err_t *err,
		      const char *fmt, va_list ap)
{
	char sentence[300];

	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	return sb_err_set(err, "line %d: %s: %s",
			  place_find(plan->text, path), path, sentence);
}

extern int plan_complain(const plan_t *plan, const plan_entry_t *entry,
			 const plan_period_t *period, const char *key,
			 sb_err_t *err, const char *fmt, ...)
{
	char path[PLAN_PATH];
	size_t length = snprintf(path, sizeof(path), "$.accounts[%zu]",
				 entry->index);
	va_list ap;

	if (period && (period->index >= 0))
		length += snprintf(path + length, sizeof(path) - length,
				   ".periods[%d]", period->index);
	if (key)
		snprintf(path + length, sizeof(path) - length, ".%s", key);
	va_start(ap, fmt);
	plan_vcomplain(plan, path, err, fmt, ap);
	va_end(ap);
	return -1;
}

/* ---------------------------------------------------------------- text */

static json_object *_parse_json(const plan_t *plan, size_t size, sb_err_t *err)
{
	json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH);
	json_object *root = NULL;
	enum json_tokener_error error;
	size_t end;

	if (!tokener) {
		sb_err_set(err, "no memory");
		return NULL;
	}
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	root = json_tokener_parse_ex(tokener, plan->text, size + 1);
	error = json_tokener_get_error(tokener);
	end = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);
	if (error == json_tokener_success &&
	    strspn(plan->text + end, " \t\r\n") == strlen(plan->text + end))
		return root;
	sb_err_set(err, "line %d: not JSON: %s", place_line(plan->text, end),
		   (error == json_tokener_success) ?
		   "something follows the plan" :
		   (error == json_tokener_continue) ? "it ends too early" :
		   json_tokener_error_desc(error));
	json_object_put(root);
	return NULL;
}

static int _read(plan_t *plan, size_t size, int64_t window, sb_err_t *err)
{
	json_object *root;
	int rc;

	if (strlen(plan->text) != size)
		return sb_err_set(err, "line %d: not JSON: a NUL byte",
				  place_line(plan->text, size));
	if (place_blank_comments(plan->text, err))
		return -1;
	root = _parse_json(plan, size, err);
	if (!root)
		return -1;
	rc = place_check_keys(plan->text, err) ? -1 :
		plan_read(plan, root, window, err);
	json_object_put(root);
	return rc ? -1 : plan_check_sums(plan, window, err);
}

extern plan_t *plan_parse(const char *text, size_t size, int64_t window,
			  sb_err_t *err)
{
	plan_t *plan;

	if (size > PLAN_SIZE_MAX) {
		sb_err_set(err, "longer than %d MiB, no plan is",
			   PLAN_SIZE_MAX / (1024 * 1024));
		return NULL;
	}
	plan = calloc(1, sizeof(*plan));
	if (plan)
		plan->text = calloc(1, size + 1);
	if (!plan || !plan->text) {
		sb_err_set(err, "no memory");
		plan_destroy(plan);
		return NULL;
	}
	memcpy(plan->text, text, size);
	if (_read(plan, size, window, err)) {
		plan_destroy(plan);
		return NULL;
	}
	return plan;
}

extern void plan_destroy(plan_t *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->count; i++) {
		plan_entry_t *entry = &plan->entries[i];

		free(entry->account);
		free(entry->user);
		free(entry->parent);
		free(entry->owner);
		free(entry->note);
		free(entry->periods);
	}
	free(plan->entries);
	free(plan->by_name);
	free(plan->cluster);
	free(plan->text);
	free(plan);
}

/* ---------------------------------------------------------------- questions */

extern int plan_compare_names(const char *account_a, const char *user_a,
			      const char *account_b, const char *user_b)
{
	int rc = strcmp(account_a, account_b);

	if (rc || (!user_a && !user_b))
		return rc;
	if (!user_a || !user_b)
		return user_a ? 1 : -1;
	return strcmp(user_a, user_b);
}

extern const plan_period_t *plan_at(const plan_entry_t *entry, int64_t when)
{
	for (size_t i = 0; i < entry->period_count; i++) {
		if ((entry->periods[i].from <= when) &&
		    (when < entry->periods[i].until))
			return &entry->periods[i];
	}
	return NULL;
}

extern const plan_entry_t *plan_find(const plan_t *plan, const char *account,
				     const char *user)
{
	size_t low = 0, high = plan->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const plan_entry_t *entry = plan->by_name[middle];
		int rc = plan_compare_names(account, user, entry->account,
					entry->user);

		if (!rc)
			return entry;
		if (rc < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

extern double plan_rate(const plan_period_t *period, int64_t window)
{
	int64_t seconds = window;

	if (period->kind != PLAN_HOURS)
		return 0;
	if ((period->from != PLAN_ALWAYS) && (period->until != PLAN_FOREVER))
		seconds = period->until - period->from;
	return period->hours * HOUR / seconds;
}

extern uint32_t plan_fairshare(const plan_period_t *period, int64_t window)
{
	double shares;

	switch (period->kind) {
	case PLAN_PARENT:
		return SB_SHARES_PARENT;
	case PLAN_SHARES:
		return period->shares;
	case PLAN_HOURS:
		break;
	}
	shares = round(plan_rate(period, window) * PLAN_SHARES_PER_UNIT);
	/* Little is more than nothing. */
	return ((shares < 1) && (period->hours > 0)) ? 1 : (uint32_t) shares;
}
