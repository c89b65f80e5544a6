/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show - the budget tree: who may use how much, who has, who is next.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "history.h"
#include "table.h"
#include "text.h"
#include "timespan.h"

enum {
	ACCOUNT, USER, SHARES, BUDGET, ALLOCATION, USED, OWED, RATIO, BURST,
	COMMITTED, UNALLOCATED, RUNNING, FREE_RUNNING, PENDING, RANK, BAR,
	PARENT, COLUMNS
};

static const table_column_t columns[COLUMNS] = {
	[ACCOUNT] = { "account", "ACCOUNT", TABLE_DEFAULT, false },
	[USER] = { "user", "USER", TABLE_DEFAULT, false },
	[SHARES] = { "shares", "SHARES", TABLE_LONG, true },
	[BUDGET] = { "budget", "BUDGET%", TABLE_DEFAULT, true },
	[ALLOCATION] = { "allocation", "CLUSTER%", TABLE_LONG, true },
	[USED] = { "used", "USED", TABLE_DEFAULT, true },
	[OWED] = { "owed", "OWED", TABLE_DEFAULT, true },
	[RATIO] = { "ratio", "RATIO", TABLE_DEFAULT, true },
	[BURST] = { "burst", "BURST", TABLE_LONG, true },
	[COMMITTED] = { "committed", "COMMITTED", TABLE_DEFAULT, true },
	[UNALLOCATED] = { "unallocated", "UNALLOC", TABLE_DEFAULT, true },
	[RUNNING] = { "running", "RUN", TABLE_DEFAULT, true },
	[FREE_RUNNING] = { "running_unallocated", "RUN_UNALLOC", TABLE_LONG,
			   true },
	[PENDING] = { "pending", "PEND", TABLE_DEFAULT, true },
	[RANK] = { "rank", "RANK", TABLE_DEFAULT, true },
	[BAR] = { "bar", "USED:BUDGET", TABLE_PRETTY, false },
	[PARENT] = { "parent", "PARENT", TABLE_ASKED, false },
};

typedef struct {
	const cluster_t *cluster;
	const options_t *opts;
	table_t *table;
	history_t history;
} view_t;

static bool _inside(const cluster_t *cluster, int32_t node, int32_t top)
{
	for (int depth = 0; (node >= 0) && (depth <= SB_TREE_DEPTH_MAX);
	     node = cluster->assocs.nodes[node].parent, depth++) {
		if (node == top)
			return true;
	}
	return false;
}

/* The ratio as slurmctld shows it, for people and for machines. */
static void _set_ratio(view_t *view, size_t column, double ratio)
{
	char text[TEXT_SIZE];

	table_both(view->table, column,
		   (ratio >= SB_RATIO_UNFUNDED) ? NAN : ratio,
		   text_ratio(ratio, text));
	table_style(view->table, column,
		    (ratio > 1) ? TABLE_BAD :
		    (ratio < 1 - view->cluster->params->preempt_margin) ?
		    TABLE_GOOD : TABLE_PLAIN);
}

static void _set_names(view_t *view, const assoc_t *row,
		       const sb_tree_node_t *node)
{
	const assocs_t *assocs = &view->cluster->assocs;
	bool flat = view->opts->json || !assocs->whole;

	table_text(view->table, ACCOUNT, "%*s%s", flat ? 0 : row->depth, "",
		   row->account);
	if (row->user)
		table_text(view->table, USER, "%s", row->user);
	if (node->parent >= 0)
		table_text(view->table, PARENT, "%s",
			   assocs->rows[node->parent].account);
	if (node->shares == SB_SHARES_PARENT)
		table_text(view->table, SHARES, "parent");
	else
		table_whole(view->table, SHARES, node->shares);
}

/* What only the whole tree tells. */
static void _set_whole(view_t *view, const assoc_t *row,
		       const sb_tree_node_t *node)
{
	const cluster_t *cluster = view->cluster;
	double hours = cluster->params->window / 3600.0;

	/* Who shares the account's own rank owns no part of its budget. */
	if (node->shares != SB_SHARES_PARENT) {
		table_real(view->table, ALLOCATION, node->allocation * 100, 2);
		if (cluster->capacity > 0)
			table_real(view->table, OWED, node->allocation *
				   cluster->capacity * hours, 1);
	}
	table_real(view->table, COMMITTED, node->committed / 3600.0, 1);
	_set_ratio(view, BURST, node->ratio);
	if (node->rank)
		table_whole(view->table, RANK, node->rank);
	if (history_knows(&view->history) && !row->user)
		table_real(view->table, UNALLOCATED,
			   history_unallocated(&view->history, row->id,
					       row->usage) / 3600, 1);
}

static void _add_row(view_t *view, uint32_t index)
{
	const assoc_t *row = &view->cluster->assocs.rows[index];
	const sb_tree_node_t *node = &view->cluster->assocs.nodes[index];
	char bar[TEXT_SIZE];

	table_row(view->table);
	_set_names(view, row, node);
	if (node->shares != SB_SHARES_PARENT)
		table_real(view->table, BUDGET, node->budget_share * 100, 2);
	table_real(view->table, USED, row->usage / 3600, 1);
	_set_ratio(view, RATIO, node->ratio_window);
	if (view->cluster->assocs.whole)
		_set_whole(view, row, node);
	table_real(view->table, RUNNING, row->running, 0);
	table_real(view->table, FREE_RUNNING, row->unallocated, 0);
	table_real(view->table, PENDING, row->pending, 0);
	if (node->funded && (node->shares != SB_SHARES_PARENT))
		table_text(view->table, BAR, "%s",
			   text_bar(node->ratio_window, bar));
}

static bool _is_shown(const view_t *view, uint32_t index, int32_t top)
{
	const assoc_t *row = &view->cluster->assocs.rows[index];
	const options_t *opts = view->opts;

	if ((top >= 0) && !_inside(view->cluster, index, top))
		return false;
	if (!command_listed(opts->account, row->account))
		return false;
	if (opts->user)
		return row->user && command_listed(opts->user, row->user);
	/* Who may not see the tree still has his own budget. */
	return !row->user || opts->all || !view->cluster->assocs.whole;
}

static void _print_head(const cluster_t *cluster)
{
	const char *unit = cluster_unit(cluster);
	char span[SB_TIMESPAN_TEXT];

	printf("Cluster %s: %.0f %ss", cluster->name, cluster->gpus,
	       cluster_counted(cluster));
	if (cluster->budgets)
		printf(", window %s",
		       sb_timespan_format(cluster->params->window, span,
					  sizeof(span)));
	printf("; USED, OWED, COMMITTED%s in %s-hours.\n",
	       ", UNALLOC", unit);
	if (cluster->assocs.whole)
		printf("Siblings stand in the order in which they are served.\n");
	putchar('\n');
}

static int _print(view_t *view, int32_t top)
{
	const assocs_t *assocs = &view->cluster->assocs;

	if (table_wants(view->table, UNALLOCATED) && assocs->whole)
		history_load(&view->history, view->cluster);
	for (size_t i = 0; i < assocs->count; i++) {
		if (_is_shown(view, assocs->order[i], top))
			_add_row(view, assocs->order[i]);
	}
	if (view->opts->json)
		return command_print_json(view->cluster, "accounts",
					  table_json(view->table));
	if (!view->opts->noheader && !view->opts->parsable &&
	    !view->opts->parsable2)
		_print_head(view->cluster);
	table_print(view->table);
	cluster_print_notes(view->cluster);
	if (table_wants(view->table, UNALLOCATED) && view->history.why)
		fprintf(stderr, "sbudget: no unallocated hours: %s\n",
			view->history.why);
	return EXIT_OK;
}

static int _show(const options_t *opts, const cluster_t *cluster)
{
	view_t view = { .cluster = cluster, .opts = opts };
	table_column_t shown[COLUMNS];
	int32_t top = -1;
	int rc;

	if (opts->argc) {
		top = assocs_find(&cluster->assocs, opts->argv[0], NULL);
		if (top < 0)
			return cluster_fail("there is no account \"%s\"%s",
					    opts->argv[0], cluster->partial ?
					    " that you may see" : "");
	}
	memcpy(shown, columns, sizeof(shown));
	if (!opts->all && !opts->user && cluster->assocs.whole)
		shown[USER].when = TABLE_ASKED;
	view.table = table_create(shown, COLUMNS, opts);
	if (!view.table)
		return EXIT_USAGE;
	rc = _print(&view, top);
	history_free(&view.history);
	table_destroy(view.table);
	return rc;
}

extern int show_command(const options_t *opts)
{
	cluster_t *cluster;
	int rc;

	if (opts->format && !strcmp(opts->format, "help")) {
		table_list(columns, COLUMNS);
		return EXIT_OK;
	}
	if (opts->argc > 1)
		return options_complain("show takes one account");
	cluster = cluster_load();
	if (!cluster)
		return EXIT_ERROR;
	rc = cluster_check_accounts(cluster, opts->account);
	if (rc == EXIT_OK)
		rc = _show(opts, cluster);
	cluster_destroy(cluster);
	return rc;
}
