/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_read - JSON values -> a plan, field by field.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "plan_read.h"

static const char *const plan_keys[] = {
	"version", "cluster", "note", "accounts", NULL
};
static const char *const entry_keys[] = {
	"account", "user", "parent", "owner", "note", "total", "shares",
	"gpu_hours", "from", "until", "periods", NULL
};
static const char *const period_keys[] = {
	"shares", "gpu_hours", "from", "until", "note", NULL
};

/* ---------------------------------------------------------------- periods */

static int _take_shares(const reader_t *reader, json_object *object,
			const char *path, plan_period_t *period)
{
	json_object *value = json_object_object_get(object, "shares");
	char where[PLAN_PATH];
	int64_t shares = 0;

	if (json_object_is_type(value, json_type_string) &&
	    !strcmp(json_object_get_string(value), "parent")) {
		period->kind = PLAN_PARENT;
		return 0;
	}
	if (!json_object_is_type(value, json_type_int)) {
		snprintf(where, sizeof(where), "%s.shares", path);
		return field_bad(reader, where,
				 "must be a whole number from 0 to %d, or \"parent\"",
				 PLAN_SHARES_MAX);
	}
	if (field_whole(reader, object, path, "shares", PLAN_SHARES_MAX,
			&shares))
		return -1;
	period->kind = PLAN_SHARES;
	period->shares = shares;
	return 0;
}

static int _take_hours(const reader_t *reader, json_object *object,
		       const char *path, plan_period_t *period)
{
	json_object *value = json_object_object_get(object, "gpu_hours");
	char where[PLAN_PATH];

	snprintf(where, sizeof(where), "%s.gpu_hours", path);
	if (!json_object_is_type(value, json_type_int) &&
	    !json_object_is_type(value, json_type_double))
		return field_bad(reader, where, "must be a number");
	period->kind = PLAN_HOURS;
	period->hours = json_object_get_double(value);
	if (!(period->hours >= 0) || (period->hours > PLAN_HOURS_MAX))
		return field_bad(reader, where,
				 "must be a number from 0 to %.0f",
				 PLAN_HOURS_MAX);
	if (plan_rate(period, reader->window) * PLAN_SHARES_PER_UNIT >
	    PLAN_SHARES_MAX)
		return field_bad(reader, where,
				 "more than a million GPUs on average");
	if ((period->from == PLAN_ALWAYS) != (period->until == PLAN_FOREVER))
		return field_bad(reader, where,
				 "needs both from and until, or neither (then it is per window)");
	return 0;
}

/* A budget, in an account or among its periods. RET: 0, -1 with err. */
static int _take_period(const reader_t *reader, json_object *object,
			const char *path, plan_period_t *period)
{
	bool shares = json_object_object_get_ex(object, "shares", NULL);
	bool hours = json_object_object_get_ex(object, "gpu_hours", NULL);
	char where[PLAN_PATH];

	period->from = PLAN_ALWAYS;
	period->until = PLAN_FOREVER;
	if (field_date(reader, object, path, "from", &period->from) ||
	    field_date(reader, object, path, "until", &period->until))
		return -1;
	if (period->from >= period->until) {
		snprintf(where, sizeof(where), "%s.until", path);
		return field_bad(reader, where, "must be after from");
	}
	if (shares == hours)
		return field_bad(reader, path, shares ?
				 "has both shares and gpu_hours" :
				 "needs shares or gpu_hours");
	return shares ? _take_shares(reader, object, path, period) :
		_take_hours(reader, object, path, period);
}

static int _by_time(const void *a, const void *b)
{
	const plan_period_t *one = a, *two = b;

	if (one->from != two->from)
		return (one->from < two->from) ? -1 : 1;
	return (one->index < two->index) ? -1 : one->index > two->index;
}

static int _check_overlap(const reader_t *reader, plan_entry_t *entry)
{
	qsort(entry->periods, entry->period_count, sizeof(*entry->periods),
	      _by_time);
	for (size_t i = 1; i < entry->period_count; i++) {
		const plan_period_t *period = &entry->periods[i];

		if (period[-1].until > period->from)
			return plan_complain(reader->plan, entry, period,
					     NULL, reader->err,
					     "overlaps periods[%d]",
					     period[-1].index);
	}
	return 0;
}

static int _take_list(const reader_t *reader, json_object *list,
		      const char *path, plan_entry_t *entry)
{
	size_t count;
	char where[2 * PLAN_PATH];

	snprintf(where, sizeof(where), "%s.periods", path);
	if (!json_object_is_type(list, json_type_array) ||
	    !json_object_array_length(list))
		return field_bad(reader, where,
				 "must be an array of at least one object");
	count = json_object_array_length(list);
	entry->periods = calloc(count, sizeof(*entry->periods));
	if (!entry->periods)
		return sb_err_set(reader->err, "no memory");
	for (size_t i = 0; i < count; i++) {
		json_object *object = json_object_array_get_idx(list, i);
		plan_period_t *period = &entry->periods[i];

		snprintf(where, sizeof(where), "%s.periods[%zu]", path, i);
		period->index = i;
		if (!json_object_is_type(object, json_type_object))
			return field_bad(reader, where, "must be an object");
		if (field_known(reader, object, where, period_keys) ||
		    field_note(reader, object, where) ||
		    _take_period(reader, object, where, period))
			return -1;
		entry->period_count++;
	}
	return _check_overlap(reader, entry);
}

/* ---------------------------------------------------------------- entries */

static int _take_budget(const reader_t *reader, json_object *object,
			const char *path, plan_entry_t *entry)
{
	json_object *list;

	if (json_object_object_get_ex(object, "periods", &list)) {
		if (json_object_object_get_ex(object, "shares", NULL) ||
		    json_object_object_get_ex(object, "gpu_hours", NULL) ||
		    json_object_object_get_ex(object, "from", NULL) ||
		    json_object_object_get_ex(object, "until", NULL))
			return field_bad(reader, path,
					 "has both periods and a budget of its own");
		return _take_list(reader, list, path, entry);
	}
	entry->periods = calloc(1, sizeof(*entry->periods));
	if (!entry->periods)
		return sb_err_set(reader->err, "no memory");
	entry->period_count = 1;
	entry->periods->index = -1;
	return _take_period(reader, object, path, entry->periods);
}

static int _take_entry(const reader_t *reader, json_object *object,
		       plan_entry_t *entry)
{
	char path[PLAN_PATH];
	int64_t total = -1;

	snprintf(path, sizeof(path), "$.accounts[%zu]", entry->index);
	if (!json_object_is_type(object, json_type_object))
		return field_bad(reader, path, "must be an object");
	if (field_known(reader, object, path, entry_keys) ||
	    field_text(reader, object, path, "account", true,
		       &entry->account) ||
	    field_text(reader, object, path, "user", true, &entry->user) ||
	    field_text(reader, object, path, "parent", true,
		       &entry->parent) ||
	    field_text(reader, object, path, "owner", false, &entry->owner) ||
	    field_text(reader, object, path, "note", false, &entry->note) ||
	    field_whole(reader, object, path, "total", UINT32_MAX, &total))
		return -1;
	if (!entry->account)
		return field_bad(reader, path, "needs an account");
	if (entry->user && (entry->parent || (total >= 0)))
		return field_bad(reader, path,
				 "a user has neither parent nor total");
	entry->has_total = total >= 0;
	entry->total = entry->has_total ? total : 0;
	return _take_budget(reader, object, path, entry);
}

static int _by_name(const void *a, const void *b)
{
	const plan_entry_t *one = *(const plan_entry_t *const *) a;
	const plan_entry_t *two = *(const plan_entry_t *const *) b;
	int rc = plan_compare_names(one->account, one->user, two->account,
				two->user);

	return rc ? rc : (one->index < two->index) ? -1 :
		one->index > two->index;
}

/* Each name once. */
static int _index_names(const reader_t *reader)
{
	plan_t *plan = reader->plan;

	plan->by_name = calloc(plan->count, sizeof(*plan->by_name));
	if (!plan->by_name)
		return sb_err_set(reader->err, "no memory");
	for (size_t i = 0; i < plan->count; i++)
		plan->by_name[i] = &plan->entries[i];
	qsort(plan->by_name, plan->count, sizeof(*plan->by_name), _by_name);
	for (size_t i = 1; i < plan->count; i++) {
		const plan_entry_t *one = plan->by_name[i - 1];
		const plan_entry_t *two = plan->by_name[i];

		if (!plan_compare_names(one->account, one->user, two->account,
				    two->user))
			return plan_complain(plan, two, NULL, "account",
					     reader->err,
					     "comes twice, first in accounts[%zu]",
					     one->index);
	}
	return 0;
}

static int _take_accounts(const reader_t *reader, json_object *root)
{
	plan_t *plan = reader->plan;
	json_object *list;
	size_t count;

	if (!json_object_object_get_ex(root, "accounts", &list) ||
	    !json_object_is_type(list, json_type_array) ||
	    !json_object_array_length(list))
		return field_bad(reader, "$.accounts",
				 "must be an array of at least one object");
	count = json_object_array_length(list);
	plan->entries = calloc(count, sizeof(*plan->entries));
	if (!plan->entries)
		return sb_err_set(reader->err, "no memory");
	for (size_t i = 0; i < count; i++) {
		plan_entry_t *entry = &plan->entries[plan->count++];

		entry->index = i;
		if (_take_entry(reader, json_object_array_get_idx(list, i),
				entry))
			return -1;
	}
	return _index_names(reader);
}

static int _take_plan(const reader_t *reader, json_object *root)
{
	int64_t version = -1;

	if (!json_object_is_type(root, json_type_object))
		return field_bad(reader, "$", "must be an object");
	if (field_known(reader, root, "$", plan_keys) ||
	    field_whole(reader, root, "$", "version", 1000000, &version))
		return -1;
	if (version != 1)
		return field_bad(reader, "$.version", (version < 0) ?
				 "must be there, and 1" :
				 "must be 1: this sbudget knows no other");
	if (field_note(reader, root, "$") ||
	    field_text(reader, root, "$", "cluster", true,
		       &reader->plan->cluster))
		return -1;
	return _take_accounts(reader, root);
}

extern int plan_read(plan_t *plan, json_object *root, int64_t window,
		     sb_err_t *err)
{
	reader_t reader = { .plan = plan, .err = err, .window = window };

	return _take_plan(&reader, root);
}
