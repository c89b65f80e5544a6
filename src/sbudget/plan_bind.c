/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_bind.h"

typedef struct {
	const plan_t *plan;
	const assocs_t *assocs;
	int64_t window, when;
	sb_err_t *err;
	uint32_t *after;	/* Fairshare of every association */
	const plan_entry_t **named;	/* by the plan, at that time */
} bind_t;

static int _check_parent(const bind_t *bind, const plan_entry_t *entry,
			 int32_t index)
{
	int32_t parent = bind->assocs->nodes[index].parent;
	const char *name = (parent < 0) ? NULL :
		bind->assocs->rows[parent].account;

	if (!entry->parent || (name && !strcmp(name, entry->parent)))
		return 0;
	return plan_complain(bind->plan, entry, NULL, "parent", bind->err,
			     "is \"%s\" in Slurm", name ? name : "nothing");
}

/* RET: index, or -1 with err. */
static int32_t _find(const bind_t *bind, const plan_entry_t *entry)
{
	int32_t index = assocs_find(bind->assocs, entry->account, entry->user);

	if (index >= 0)
		return index;
	if (!entry->user ||
	    (assocs_find(bind->assocs, entry->account, NULL) < 0))
		(void) plan_complain(bind->plan, entry, NULL, "account",
				     bind->err, "no such account in Slurm");
	else
		(void) plan_complain(bind->plan, entry, NULL, "user",
				     bind->err,
				     "no such user in account \"%s\"",
				     entry->account);
	return -1;
}

static int _bind_one(bind_t *bind, const plan_entry_t *entry,
		     plan_changes_t *changes)
{
	const plan_period_t *period = plan_at(entry, bind->when);
	int32_t index = _find(bind, entry);
	plan_change_t change = { .entry = entry, .index = index };

	if ((index < 0) || _check_parent(bind, entry, index))
		return -1;
	if (bind->assocs->nodes[index].parent == SB_NO_PARENT)
		return plan_complain(bind->plan, entry, NULL, "account",
				     bind->err,
				     "is the root, which has no budget");
	if (!period) {
		changes->silent++;
		return 0;
	}
	change.id = bind->assocs->rows[index].id;
	change.before = bind->assocs->nodes[index].shares;
	change.after = plan_fairshare(period, bind->window);
	bind->after[index] = change.after;
	bind->named[index] = entry;
	if (change.before == change.after)
		changes->same++;
	else
		changes->rows[changes->count++] = change;
	return 0;
}

/* Hours become Fairshare only among themselves: every funded sibling has to
 * be named with hours as well. */
static int _check_units(const bind_t *bind, const int32_t *with_hours)
{
	for (size_t i = 0; i < bind->assocs->count; i++) {
		const sb_tree_node_t *node = &bind->assocs->nodes[i];
		const plan_entry_t *beside;

		if ((node->parent < 0) || (with_hours[node->parent] < 0) ||
		    !bind->after[i] || (bind->after[i] == SB_SHARES_PARENT))
			continue;
		if (bind->named[i] && (plan_at(bind->named[i], bind->when)
				       ->kind == PLAN_HOURS))
			continue;
		beside = bind->named[with_hours[node->parent]];
		return plan_complain(bind->plan, beside,
				     plan_at(beside, bind->when), "gpu_hours",
				     bind->err,
				     "\"%s\" beside it has shares and no hours",
				     assocs_name(bind->assocs, i));
	}
	return 0;
}

static int _check_levels(const bind_t *bind)
{
	size_t count = bind->assocs->count;
	int32_t *with_hours = malloc((count + 1) * sizeof(*with_hours));
	uint64_t *sums = calloc(count + 1, sizeof(*sums));
	int rc = 0;

	if (!with_hours || !sums)
		rc = sb_err_set(bind->err, "no memory");
	for (size_t i = 0; !rc && (i < count); i++)
		with_hours[i] = -1;
	for (size_t i = 0; !rc && (i < count); i++) {
		int32_t parent = bind->assocs->nodes[i].parent;

		if ((parent < 0) || (bind->after[i] == SB_SHARES_PARENT))
			continue;
		sums[parent] += bind->after[i];
		if (!bind->named[i])
			continue;
		if (plan_at(bind->named[i], bind->when)->kind == PLAN_HOURS)
			with_hours[parent] = i;
		if (sums[parent] > UINT32_MAX)
			rc = plan_complain(bind->plan, bind->named[i], NULL,
					   NULL, bind->err,
					   "with those beside it has more shares than Slurm can add");
	}
	if (!rc)
		rc = _check_units(bind, with_hours);
	free(with_hours);
	free(sums);
	return rc;
}

static int _bind_all(bind_t *bind, const char *cluster,
		     plan_changes_t *changes)
{
	const plan_t *plan = bind->plan;

	if (plan->cluster && strcmp(plan->cluster, cluster))
		return sb_err_set(bind->err, "$.cluster: the plan is for \"%s\", this is \"%s\"",
				  plan->cluster, cluster);
	if (!bind->assocs->whole)
		return sb_err_set(bind->err, "PrivateData=usage hides the tree from you");
	for (size_t i = 0; i < bind->assocs->count; i++)
		bind->after[i] = bind->assocs->nodes[i].shares;
	for (size_t i = 0; i < plan->count; i++) {
		if (_bind_one(bind, &plan->entries[i], changes))
			return -1;
	}
	return _check_levels(bind);
}

extern int plan_bind(const plan_t *plan, const char *cluster,
		     const assocs_t *assocs, int64_t window, int64_t when,
		     plan_changes_t *changes, sb_err_t *err)
{
	bind_t bind = {
		.plan = plan, .assocs = assocs, .window = window,
		.when = when, .err = err,
		.after = calloc(assocs->count + 1, sizeof(*bind.after)),
		.named = calloc(assocs->count + 1, sizeof(*bind.named)),
	};
	int rc;

	memset(changes, 0, sizeof(*changes));
	changes->rows = calloc(plan->count + 1, sizeof(*changes->rows));
	if (!bind.after || !bind.named || !changes->rows)
		rc = sb_err_set(err, "no memory");
	else
		rc = _bind_all(&bind, cluster, changes);
	free(bind.after);
	free(bind.named);
	if (rc)
		plan_changes_free(changes);
	return rc;
}

extern void plan_changes_free(plan_changes_t *changes)
{
	free(changes->rows);
	memset(changes, 0, sizeof(*changes));
}

/* FNV-1a */
static uint64_t _hash(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * 1099511628211U;
	return hash;
}

static uint64_t _hash_text(uint64_t hash, const char *text)
{
	return _hash(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

extern void plan_fingerprint(const assocs_t *assocs, char text[PLAN_TREE_TEXT])
{
	uint64_t sum = 0;

	/* A sum: the order in which they were told does not matter. */
	for (size_t i = 0; i < assocs->count; i++) {
		const assoc_t *row = &assocs->rows[i];
		int32_t parent = assocs->nodes[i].parent;
		uint64_t hash = 14695981039346656037U;

		hash = _hash_text(hash, row->account);
		hash = _hash_text(hash, row->user);
		hash = _hash_text(hash, row->partition);
		hash = _hash_text(hash, (parent < 0) ? NULL :
				  assocs->rows[parent].account);
		hash = _hash(hash, &row->id, sizeof(row->id));
		hash = _hash(hash, &assocs->nodes[i].shares,
			     sizeof(assocs->nodes[i].shares));
		sum += hash;
	}
	snprintf(text, PLAN_TREE_TEXT, "%016llx", (unsigned long long) sum);
}
