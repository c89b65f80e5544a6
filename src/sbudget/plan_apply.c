/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_apply - set the budgets of a plan in slurmdbd: one transaction, looked
 * at from inside before it is committed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hasten.h"
#include "plan_command.h"
#include "progress.h"

/* Associations in one question. */
#define IDS_MAX 500
/* Questions that are worth hastening. */
#define MANY 20

/* Changes of accounts before those of users, equal values side by side. */
static int _compare(const void *a, const void *b)
{
	const plan_change_t *one = a, *two = b;

	if (!one->entry->user != !two->entry->user)
		return one->entry->user ? 1 : -1;
	if (one->after != two->after)
		return (one->after < two->after) ? -1 : 1;
	return (one->id < two->id) ? -1 : one->id > two->id;
}

static bool _go_together(const plan_change_t *one, const plan_change_t *two)
{
	return (!one->entry->user == !two->entry->user) &&
	       (one->after == two->after);
}

/* RET: changes from here on that one question can make. */
static size_t _batch(const plan_changes_t *changes, size_t from)
{
	size_t to = from + 1;

	while ((to < changes->count) && (to - from < IDS_MAX) &&
	       _go_together(&changes->rows[from], &changes->rows[to]))
		to++;
	return to - from;
}

static void _add_id(api_list_t *list, uint32_t id)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", id);
	if (*list)
		api_append(*list, text);
	else
		*list = api_strings(text);
}

/* RET: 0, or -1 with errno. */
static int _modify(void *conn, const char *cluster,
		   const plan_change_t *rows, size_t count)
{
	slurmdb_assoc_cond_t *query = api_assoc_query(cluster);
	slurmdb_assoc_rec_t rec;
	api_list_t done;
	int rc = -1;

	if (!query)
		return -1;
	for (size_t i = 0; i < count; i++)
		_add_id(&query->id_list, rows[i].id);
	/* Without a list of users slurmdbd changes accounts only, with an
	 * empty one users only. */
	if (rows->entry->user)
		query->user_list = slurm_list_create(NULL);
	slurmdb_init_assoc_rec(&rec, false);
	rec.shares_raw = (rows->after == SB_SHARES_PARENT) ?
		SLURMDB_FS_USE_PARENT : rows->after;
	errno = 0;
	done = slurmdb_associations_modify(conn, query, &rec);
	if (done) {
		rc = ((size_t) slurm_list_count(done) == count) ? 0 : -1;
		slurm_list_destroy(done);
	}
	api_query_free(query);
	return rc;
}

static int _modify_all(void *conn, plan_case_t *one)
{
	plan_changes_t *changes = &one->changes;
	progress_t progress;

	progress_begin(&progress, "budgets");
	qsort(changes->rows, changes->count, sizeof(*changes->rows), _compare);
	for (size_t i = 0; i < changes->count;) {
		size_t count = _batch(changes, i);

		if (_modify(conn, one->cluster->name, &changes->rows[i],
			    count))
			return cluster_fail("slurmdbd refuses: %s",
				errno ? slurm_strerror(errno) :
				"an association is gone");
		i += count;
		progress_tell(&progress, i, changes->count);
	}
	return EXIT_OK;
}

/* The tree as slurmdbd has it now. */
static int _read_tree(void *conn, const char *cluster, assocs_t *assocs)
{
	slurmdb_assoc_cond_t *query = api_assoc_query(cluster);
	api_list_t list = query ? slurmdb_associations_get(conn, query) : NULL;
	int rc = EXIT_OK;

	if (!list)
		rc = cluster_fail("slurmdbd tells no associations: %s",
				  slurm_strerror(errno));
	else if (assocs_fill(assocs, list))
		rc = cluster_fail("no memory");
	if (list)
		slurm_list_destroy(list);
	api_query_free(query);
	return rc;
}

/* slurmdbd's tree has to be this one. */
static int _compare_tree(void *conn, const plan_case_t *one,
			 const char *expected, const char *otherwise)
{
	assocs_t assocs = { 0 };
	char tree[PLAN_TREE_TEXT];
	int rc = _read_tree(conn, one->cluster->name, &assocs);

	if (rc == EXIT_OK) {
		plan_fingerprint(&assocs, tree);
		if (strcmp(tree, expected))
			rc = cluster_fail("%s (tree %s, not %s)", otherwise,
					  tree, expected);
	}
	assocs_free(&assocs);
	return rc;
}

/* The fingerprint that the tree will have. */
static void _expect(plan_case_t *one, char tree[PLAN_TREE_TEXT])
{
	sb_tree_node_t *nodes = one->cluster->assocs.nodes;

	for (size_t i = 0; i < one->changes.count; i++)
		nodes[one->changes.rows[i].index].shares =
			one->changes.rows[i].after;
	plan_fingerprint(&one->cluster->assocs, tree);
}

static int _transact(void *conn, plan_case_t *one)
{
	char before[PLAN_TREE_TEXT], after[PLAN_TREE_TEXT];
	bool many = one->changes.count > MANY;
	int rc;

	plan_fingerprint(&one->cluster->assocs, before);
	rc = _compare_tree(conn, one, before, "the tree has changed meanwhile");
	if (rc != EXIT_OK)
		return rc;
	if (many)
		hasten_begin();
	rc = _modify_all(conn, one);
	if (many)
		hasten_end();
	if (rc != EXIT_OK)
		return rc;
	_expect(one, after);
	return _compare_tree(conn, one, after,
			     "the tree has changed meanwhile");
}

static int _apply(plan_case_t *one)
{
	void *conn = slurmdb_connection_get(NULL);
	int rc;

	if (!conn)
		return cluster_fail("cannot reach slurmdbd: %s",
				    slurm_strerror(errno));
	rc = _transact(conn, one);
	if ((rc == EXIT_OK) && slurmdb_connection_commit(conn, true))
		rc = cluster_fail("slurmdbd does not commit: %s",
				  slurm_strerror(errno));
	else if (rc != EXIT_OK)
		(void) slurmdb_connection_commit(conn, false);
	slurmdb_connection_close(&conn);
	if (rc == EXIT_OK)
		printf("%zu budget%s set.\n", one->changes.count,
		       (one->changes.count == 1) ? "" : "s");
	else
		fprintf(stderr, "sbudget: nothing was changed\n");
	return rc;
}

static bool _agreed(const options_t *opts)
{
	char answer[16];

	if (opts->yes)
		return true;
	printf("\nSet these budgets? [y/N] ");
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) &&
	       ((answer[0] == 'y') || (answer[0] == 'Y'));
}

extern int plan_apply(plan_case_t *one)
{
	char tree[PLAN_TREE_TEXT];
	int rc;

	plan_fingerprint(&one->cluster->assocs, tree);
	if (one->opts->expect && strcmp(one->opts->expect, tree))
		return cluster_fail("the tree is %s and not %s: look at plan diff again",
				    tree, one->opts->expect);
	rc = plan_diff(one);
	if (rc != EXIT_OK)
		return rc;
	if (!one->changes.count) {
		printf("There is nothing to change.\n");
		return EXIT_OK;
	}
	if (!_agreed(one->opts)) {
		fprintf(stderr, "sbudget: nothing was changed\n");
		return EXIT_ERROR;
	}
	return _apply(one);
}
