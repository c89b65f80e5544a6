/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* qsort_r() */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assocs.h"

/* slurmctld sends LevelFS with six decimals: below this much is lost. */
#define LEVEL_FS_MIN 0.01

static char *_copy(const char *text)
{
	return (text && *text) ? strdup(text) : NULL;
}

static void _fill_node(sb_tree_node_t *node, const slurmdb_assoc_rec_t *rec,
		       long double usage)
{
	*node = (sb_tree_node_t) {
		.shares = (rec->shares_raw == SLURMDB_FS_USE_PARENT) ?
			SB_SHARES_PARENT : rec->shares_raw,
		.user = rec->user && *rec->user,
		.own_usage = (usage > 0) ? (uint64_t) (usage + 0.5L) : 0,
	};
}

static int _fill_one(void *item, void *arg)
{
	/* slurmdbd tells of no usage. */
	static const slurmdb_assoc_usage_t none;
	const slurmdb_assoc_rec_t *rec = item;
	const slurmdb_assoc_usage_t *usage = rec->usage ? rec->usage : &none;
	assocs_t *assocs = arg;
	assoc_t *row = &assocs->rows[assocs->count];

	*row = (assoc_t) {
		.id = rec->id,
		.parent_id = rec->parent_id,
		.account = _copy(rec->acct),
		.user = _copy(rec->user),
		.partition = _copy(rec->partition),
		.usage = usage->usage_raw,
		.level_fs = usage->level_fs,
		.shares_norm = usage->shares_norm,
		.usage_efctv = usage->usage_efctv,
	};
	_fill_node(&assocs->nodes[assocs->count++], rec, usage->usage_raw);
	return row->account ? 0 : -1;
}

static int _link_parents(assocs_t *assocs)
{
	uint32_t *ids = calloc(assocs->count + 1, sizeof(*ids));
	size_t roots = 0, tops = 0;

	if (!ids)
		return -1;
	for (size_t i = 0; i < assocs->count; i++)
		ids[i] = assocs->rows[i].id;
	if (sb_idmap_fill(&assocs->map, ids, assocs->count)) {
		free(ids);
		return -1;
	}
	free(ids);
	for (size_t i = 0; i < assocs->count; i++) {
		sb_tree_node_t *node = &assocs->nodes[i];

		node->parent = assocs_index(assocs, assocs->rows[i].parent_id);
		roots += node->parent == SB_NO_PARENT;
		tops += !assocs->rows[i].parent_id && !node->user;
	}
	/* Who may see one association sees one without a parent. */
	assocs->whole = (roots == 1) && (tops == 1);
	return 0;
}

/* slurmctld shows an account's usage with that of all below it; the core
 * wants what is its own, that of deleted users. */
static void _subtract_children(assocs_t *assocs)
{
	for (size_t i = 0; i < assocs->count; i++) {
		int32_t parent = assocs->nodes[i].parent;
		uint64_t usage = assocs->rows[i].usage + 0.5;

		if (parent == SB_NO_PARENT)
			continue;
		if (assocs->nodes[parent].own_usage < usage)
			usage = assocs->nodes[parent].own_usage;
		assocs->nodes[parent].own_usage -= usage;
	}
}

static void _find_depths(assocs_t *assocs)
{
	for (size_t i = 0; i < assocs->count; i++) {
		int32_t up = assocs->nodes[i].parent;
		int depth = 0;

		for (; (up != SB_NO_PARENT) && (depth < SB_TREE_DEPTH_MAX);
		     up = assocs->nodes[up].parent)
			depth++;
		assocs->rows[i].depth = depth;
	}
}

/* An account, and behind it its users; those of one partition last. */
static int _compare_names(const assoc_t *one, const assoc_t *two)
{
	int rc = strcmp(one->account, two->account);

	if (!rc && (!one->user != !two->user))
		return one->user ? 1 : -1;
	if (!rc && one->user)
		rc = strcmp(one->user, two->user);
	if (!rc && (!one->partition != !two->partition))
		return one->partition ? 1 : -1;
	return rc;
}

static int _by_name(const void *a, const void *b, void *arg)
{
	const assoc_t *rows = arg;

	return _compare_names(&rows[*(const uint32_t *) a],
			      &rows[*(const uint32_t *) b]);
}

extern int assocs_fill(assocs_t *assocs, api_list_t list)
{
	size_t count = list ? slurm_list_count(list) : 0;

	memset(assocs, 0, sizeof(*assocs));
	assocs->rows = calloc(count + 1, sizeof(*assocs->rows));
	assocs->nodes = calloc(count + 1, sizeof(*assocs->nodes));
	assocs->order = calloc(count + 1, sizeof(*assocs->order));
	assocs->by_name = calloc(count + 1, sizeof(*assocs->by_name));
	if (!assocs->rows || !assocs->nodes || !assocs->order ||
	    !assocs->by_name ||
	    api_for_each(list, _fill_one, assocs) || _link_parents(assocs))
		return -1;
	_subtract_children(assocs);
	_find_depths(assocs);
	for (size_t i = 0; i < assocs->count; i++)
		assocs->by_name[i] = i;
	qsort_r(assocs->by_name, assocs->count, sizeof(*assocs->by_name),
		_by_name, assocs->rows);
	return 0;
}

extern void assocs_free(assocs_t *assocs)
{
	for (size_t i = 0; i < assocs->count; i++) {
		free(assocs->rows[i].account);
		free(assocs->rows[i].user);
		free(assocs->rows[i].partition);
	}
	free(assocs->rows);
	free(assocs->nodes);
	free(assocs->order);
	free(assocs->by_name);
	sb_idmap_free(&assocs->map);
	memset(assocs, 0, sizeof(*assocs));
}

extern int32_t assocs_index(const assocs_t *assocs, uint32_t id)
{
	uint32_t index = id ? sb_idmap_find(&assocs->map, id) : SB_IDMAP_NONE;

	return (index == SB_IDMAP_NONE) ? SB_NO_PARENT : (int32_t) index;
}

extern int32_t assocs_find(const assocs_t *assocs, const char *account,
			   const char *user)
{
	assoc_t wanted = { .account = (char *) account,
			   .user = (char *) user };
	size_t low = 0, high = assocs->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		uint32_t index = assocs->by_name[middle];
		int rc = _compare_names(&wanted, &assocs->rows[index]);

		if (!rc)
			return index;
		if (rc < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -1;
}

/* slurmctld's window ratio instead of ours, which counts commitments of now
 * to usage of its last look. */
static void _publish(assocs_t *assocs, size_t i)
{
	sb_tree_node_t *node = &assocs->nodes[i];
	double ratio;

	if (!node->funded || !(assocs->rows[i].level_fs >= LEVEL_FS_MIN))
		return;
	ratio = isinf(assocs->rows[i].level_fs) ? 0 :
		1 / assocs->rows[i].level_fs;
	node->ratio = (node->ratio > node->ratio_window) ?
		fmax(node->ratio, ratio) : ratio;
	node->ratio_window = ratio;
}

/* What little is known of a part of a tree. */
static void _copy_shown(assocs_t *assocs, size_t i)
{
	const assoc_t *row = &assocs->rows[i];
	sb_tree_node_t *node = &assocs->nodes[i];

	node->usage = row->usage + 0.5;
	node->budget_share = row->shares_norm;
	node->usage_share = row->usage_efctv;
	node->funded = node->shares != 0;
	node->ratio_window = !node->funded ? SB_RATIO_UNFUNDED :
		(row->level_fs > 0) ? 1 / row->level_fs : SB_RATIO_MAX;
	node->ratio = node->ratio_window;
	node->fs_parent = node->parent;
}

extern int assocs_compute(assocs_t *assocs, double capacity, double burst,
			  bool published, sb_err_t *err)
{
	if (!assocs->whole) {
		for (size_t i = 0; i < assocs->count; i++)
			_copy_shown(assocs, i);
		return assocs_sort(assocs);
	}
	if (sb_tree_compute(assocs->nodes, assocs->count, capacity, burst,
			    &assocs->ranks, err))
		return -1;
	for (size_t i = 0; published && (i < assocs->count); i++)
		_publish(assocs, i);
	return assocs_sort(assocs);
}

/* One association in a list of siblings. */
typedef struct {
	const assoc_t *row;
	const sb_tree_node_t *node;
	uint32_t index;
} sibling_t;

static int _compare(const void *a, const void *b)
{
	const sibling_t *one = a, *two = b;
	int rc;

	if (one->node->parent != two->node->parent)
		return (one->node->parent < two->node->parent) ? -1 : 1;
	/* Users of an account come before its accounts, as in sshare. */
	if (one->node->user != two->node->user)
		return one->node->user ? -1 : 1;
	if (one->node->ratio != two->node->ratio)
		return (one->node->ratio < two->node->ratio) ? -1 : 1;
	rc = strcmp(one->node->user ? one->row->user : one->row->account,
		    two->node->user ? two->row->user : two->row->account);
	return rc ? rc : (one->index < two->index) ? -1 : 1;
}

/* siblings: sorted by parent; begin[p + 1] .. begin[p + 2]: children of p. */
static void _walk(const assocs_t *assocs, const sibling_t *siblings,
		  const uint32_t *begin, uint32_t *stack)
{
	size_t top = 0, out = 0;

	for (uint32_t i = begin[1]; i-- > begin[0];)
		stack[top++] = siblings[i].index;
	while (top && (out < assocs->count)) {
		uint32_t index = stack[--top];

		assocs->order[out++] = index;
		for (uint32_t i = begin[index + 2]; i-- > begin[index + 1];)
			stack[top++] = siblings[i].index;
	}
}

extern int assocs_sort(assocs_t *assocs)
{
	size_t count = assocs->count;
	sibling_t *siblings = calloc(count + 1, sizeof(*siblings));
	uint32_t *begin = calloc(count + 3, sizeof(*begin));
	uint32_t *stack = calloc(count + 1, sizeof(*stack));
	int rc = -1;

	if (siblings && begin && stack) {
		for (size_t i = 0; i < count; i++) {
			siblings[i] = (sibling_t) {
				&assocs->rows[i], &assocs->nodes[i], i };
			/* counts first, of parent p at p + 2 */
			begin[assocs->nodes[i].parent + 2]++;
		}
		for (size_t i = 1; i < count + 2; i++)
			begin[i] += begin[i - 1];
		qsort(siblings, count, sizeof(*siblings), _compare);
		_walk(assocs, siblings, begin, stack);
		rc = 0;
	}
	free(siblings);
	free(begin);
	free(stack);
	return rc;
}

extern const char *assocs_name(const assocs_t *assocs, int32_t index)
{
	if ((index < 0) || ((size_t) index >= assocs->count))
		return "?";
	return assocs->rows[index].user ? assocs->rows[index].user :
		assocs->rows[index].account;
}
