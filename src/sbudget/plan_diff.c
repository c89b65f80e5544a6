/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_diff - what a plan would do: shares, ratios and ranks before and after.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_command.h"
#include "table.h"
#include "text.h"

enum {
	ACCOUNT, USER, PARENT, OLD_SHARES, NEW_SHARES, OLD_BUDGET, NEW_BUDGET,
	OLD_RATIO, NEW_RATIO, OLD_RANK, NEW_RANK, OWNER, NOTE, COLUMNS
};

static const table_column_t columns[COLUMNS] = {
	[ACCOUNT] = { "account", "ACCOUNT", TABLE_DEFAULT, false },
	[USER] = { "user", "USER", TABLE_DEFAULT, false },
	[PARENT] = { "parent", "PARENT", TABLE_LONG, false },
	[OLD_SHARES] = { "old_shares", "SHARES", TABLE_DEFAULT, true },
	[NEW_SHARES] = { "new_shares", "NEW", TABLE_DEFAULT, true },
	[OLD_BUDGET] = { "old_budget", "BUDGET%", TABLE_DEFAULT, true },
	[NEW_BUDGET] = { "new_budget", "NEW", TABLE_DEFAULT, true },
	[OLD_RATIO] = { "old_ratio", "RATIO", TABLE_DEFAULT, true },
	[NEW_RATIO] = { "new_ratio", "NEW", TABLE_DEFAULT, true },
	[OLD_RANK] = { "old_rank", "RANK", TABLE_DEFAULT, true },
	[NEW_RANK] = { "new_rank", "NEW", TABLE_DEFAULT, true },
	[OWNER] = { "owner", "OWNER", TABLE_LONG, false },
	[NOTE] = { "note", "NOTE", TABLE_LONG, false },
};

typedef struct {
	const plan_case_t *one;
	table_t *table;
	sb_tree_node_t *before, *after;	/* both computed here, so that they
					 * differ by the plan alone */
} view_t;

static int _compute(view_t *view)
{
	const cluster_t *cluster = view->one->cluster;
	const plan_changes_t *changes = &view->one->changes;
	size_t count = cluster->assocs.count;
	sb_err_t err = { "no memory" };

	view->before = calloc(count + 1, sizeof(*view->before));
	view->after = calloc(count + 1, sizeof(*view->after));
	if (view->before && view->after) {
		size_t size = count * sizeof(*view->before);

		memcpy(view->before, cluster->assocs.nodes, size);
		memcpy(view->after, cluster->assocs.nodes, size);
		for (size_t i = 0; i < changes->count; i++)
			view->after[changes->rows[i].index].shares =
				changes->rows[i].after;
		if (!sb_tree_compute(view->before, count, cluster->capacity,
				     cluster->params->burst, NULL, &err) &&
		    !sb_tree_compute(view->after, count, cluster->capacity,
				     cluster->params->burst, NULL, &err))
			return 0;
	}
	return cluster_fail("%s", err.text);
}

static void _set_shares(view_t *view, size_t column, uint32_t shares)
{
	if (shares == SB_SHARES_PARENT)
		table_text(view->table, column, "parent");
	else
		table_whole(view->table, column, shares);
}

static void _set_ratio(view_t *view, size_t column, double ratio)
{
	char text[TEXT_SIZE];

	table_both(view->table, column,
		   (ratio >= SB_RATIO_UNFUNDED) ? NAN : ratio,
		   text_ratio(ratio, text));
}

static void _add_row(view_t *view, uint32_t i)
{
	const assocs_t *assocs = &view->one->cluster->assocs;
	const assoc_t *row = &assocs->rows[i];
	const sb_tree_node_t *before = &view->before[i];
	const sb_tree_node_t *after = &view->after[i];
	const plan_entry_t *entry = plan_find(view->one->plan, row->account,
					      row->user);

	table_row(view->table);
	table_text(view->table, ACCOUNT, "%s", row->account);
	if (row->user)
		table_text(view->table, USER, "%s", row->user);
	if (before->parent >= 0)
		table_text(view->table, PARENT, "%s",
			   assocs->rows[before->parent].account);
	_set_shares(view, OLD_SHARES, before->shares);
	_set_shares(view, NEW_SHARES, after->shares);
	table_real(view->table, OLD_BUDGET, before->budget_share * 100, 2);
	table_real(view->table, NEW_BUDGET, after->budget_share * 100, 2);
	_set_ratio(view, OLD_RATIO, before->ratio_window);
	_set_ratio(view, NEW_RATIO, after->ratio_window);
	table_whole(view->table, OLD_RANK, before->rank);
	table_whole(view->table, NEW_RANK, after->rank);
	if (entry && entry->owner)
		table_text(view->table, OWNER, "%s", entry->owner);
	if (entry && entry->note)
		table_text(view->table, NOTE, "%s", entry->note);
}

/* Named by the plan and changed, or moved by it. */
static bool _is_shown(const view_t *view, uint32_t i)
{
	const sb_tree_node_t *before = &view->before[i];
	const sb_tree_node_t *after = &view->after[i];

	if (before->shares != after->shares)
		return true;
	if (view->one->cluster->assocs.rows[i].user && !view->one->opts->all)
		return false;
	return (before->budget_share != after->budget_share) ||
	       (before->rank != after->rank);
}

static void _print_head(const view_t *view)
{
	const plan_changes_t *changes = &view->one->changes;
	char when[TEXT_SIZE];

	printf("Budgets of %s at %s: %zu change%s, %zu stay",
	       view->one->cluster->name, text_time(view->one->when, when),
	       changes->count, (changes->count == 1) ? "" : "s",
	       changes->same);
	if (changes->silent)
		printf(", %zu without a budget then are left alone",
		       changes->silent);
	printf(".\n\n");
}

static int _print(view_t *view)
{
	const assocs_t *assocs = &view->one->cluster->assocs;
	const options_t *opts = view->one->opts;
	char tree[PLAN_TREE_TEXT];

	for (size_t i = 0; i < assocs->count; i++) {
		if (_is_shown(view, assocs->order[i]))
			_add_row(view, assocs->order[i]);
	}
	plan_fingerprint(assocs, tree);
	if (opts->json) {
		json_object *result = json_object_new_object();

		json_object_object_add(result, "tree",
				       json_object_new_string(tree));
		json_object_object_add(result, "accounts",
				       table_json(view->table));
		return command_print_json(view->one->cluster, "plan", result);
	}
	if (!opts->noheader && !opts->parsable && !opts->parsable2)
		_print_head(view);
	if (view->one->changes.count)
		table_print(view->table);
	if (!opts->noheader && !opts->parsable && !opts->parsable2)
		printf("%sThis tree is %s.\n",
		       view->one->changes.count ? "\n" : "", tree);
	return EXIT_OK;
}

extern int plan_diff(const plan_case_t *one)
{
	view_t view = { .one = one };
	int rc = EXIT_ERROR;

	if (!_compute(&view)) {
		view.table = table_create(columns, COLUMNS, one->opts);
		rc = view.table ? _print(&view) : EXIT_USAGE;
	}
	table_destroy(view.table);
	free(view.before);
	free(view.after);
	return rc;
}

