/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_export - the present budgets as a plan.
 */
#include <json-c/json.h>
#include <stdio.h>

#include "file.h"
#include "plan_command.h"

static void _add_text(json_object *object, const char *key, const char *text)
{
	if (text)
		json_object_object_add(object, key,
				       json_object_new_string(text));
}

static json_object *_entry(const assocs_t *assocs, uint32_t i)
{
	const assoc_t *row = &assocs->rows[i];
	const sb_tree_node_t *node = &assocs->nodes[i];
	json_object *object = json_object_new_object();

	_add_text(object, "account", row->account);
	_add_text(object, "user", row->user);
	if (!row->user)
		_add_text(object, "parent",
			  assocs->rows[node->parent].account);
	json_object_object_add(object, "shares",
		(node->shares == SB_SHARES_PARENT) ?
		json_object_new_string("parent") :
		json_object_new_int64(node->shares));
	return object;
}

static bool _is_exported(const options_t *opts, const assocs_t *assocs,
			 uint32_t i)
{
	const assoc_t *row = &assocs->rows[i];

	return (assocs->nodes[i].parent >= 0) && !row->partition &&
	       (!row->user || opts->all || opts->user) &&
	       command_listed(opts->account, row->account) &&
	       (!row->user || command_listed(opts->user, row->user));
}

/* One account a line: what people read and git compares. */
static void _write(FILE *file, const options_t *opts, const cluster_t *cluster)
{
	const assocs_t *assocs = &cluster->assocs;
	json_object *name = json_object_new_string(cluster->name);
	bool first = true;

	fprintf(file, "{\n  \"version\": 1,\n  \"cluster\": %s,\n  \"accounts\": [",
		json_object_to_json_string(name));
	json_object_put(name);
	for (size_t i = 0; i < assocs->count; i++) {
		json_object *entry;

		if (!_is_exported(opts, assocs, assocs->order[i]))
			continue;
		entry = _entry(assocs, assocs->order[i]);
		fprintf(file, "%s\n    %s", first ? "" : ",",
			json_object_to_json_string_ext(entry,
				JSON_C_TO_STRING_SPACED |
				JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(entry);
		first = false;
	}
	fprintf(file, "\n  ]\n}\n");
}

extern int plan_export(const options_t *opts)
{
	cluster_t *cluster;
	file_t file;
	int rc = EXIT_ERROR;

	if (opts->argc > 2)
		return options_complain("plan export takes one file");
	cluster = cluster_load();
	if (!cluster)
		return EXIT_ERROR;
	if (!cluster->assocs.whole) {
		cluster_fail("PrivateData=usage hides the tree from you");
	} else if (!cluster_check_accounts(cluster, opts->account) &&
		   !file_open(&file, (opts->argc == 2) ? opts->argv[1] :
			      opts->output)) {
		_write(file.stream, opts, cluster);
		rc = file_close(&file) ? EXIT_ERROR : EXIT_OK;
	}
	cluster_destroy(cluster);
	return rc;
}
