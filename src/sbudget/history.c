/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "limits.h"

struct history_row {
	uint32_t id;
	double seconds;
};

/* Accounts beyond which the answer (a row an hour and TRES each) is too long
 * to ask for each time somebody looks. */
#define ACCOUNTS_MAX 2000

/* RET: the part of the hour from `start` on that is in the window. */
static double _part(const history_t *history, int64_t start)
{
	int64_t inside = start + SB_HOUR - history->from;

	return (inside <= 0) ? 0 :
		(inside >= SB_HOUR) ? 1 : (double) inside / SB_HOUR;
}

static int _add_usage(void *item, void *arg)
{
	const slurmdb_accounting_rec_t *usage = item;
	history_t *history = arg;

	if (api_tres_is(&usage->tres_rec, history->tres))
		history->rows[history->count].seconds += usage->alloc_secs *
			_part(history, usage->period_start);
	return 0;
}

static int _add_assoc(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	history_t *history = arg;

	history->rows[history->count] =
		(struct history_row) { .id = assoc->id };
	(void) api_for_each(assoc->accounting_list, _add_usage, history);
	history->count++;
	return 0;
}

static size_t _count_accounts(const cluster_t *cluster)
{
	size_t count = 0;

	for (size_t i = 0; i < cluster->assocs.count; i++)
		count += !cluster->assocs.rows[i].user;
	return count;
}

/*
 * slurmdbd answers in days instead of hours when both ends are in the first
 * hour of a day: so it is asked for some hours more than the window, which
 * count nothing.
 */
static int64_t _begin(const history_t *history, int64_t window)
{
	int64_t extra = SB_HOUR, beyond = (window + extra) % SB_DAY;

	if ((beyond < SB_HOUR) || (beyond > SB_DAY - SB_HOUR))
		extra += 2 * SB_HOUR;
	return history->from - extra;
}

static void _ask(history_t *history, const cluster_t *cluster, void *conn)
{
	slurmdb_assoc_cond_t *query =
		api_usage_query(cluster->name,
				_begin(history, cluster->params->window),
				cluster->now);
	api_list_t assocs = query ? slurmdb_associations_get(conn, query) :
		NULL;

	if (assocs) {
		history->rows = calloc(slurm_list_count(assocs) + 1,
				       sizeof(*history->rows));
		if (history->rows)
			(void) api_for_each(assocs, _add_assoc, history);
		slurm_list_destroy(assocs);
	}
	if (!history->rows)
		history->why = "slurmdbd does not answer";
	api_query_free(query);
}

extern void history_load(history_t *history, const cluster_t *cluster)
{
	void *conn;

	memset(history, 0, sizeof(*history));
	history->tres = cluster->params->charge_tres;
	history->from = cluster->now - cluster->params->window;
	if (!cluster->budgets) {
		history->why = "PriorityType is not priority/budget";
		return;
	}
	if (_count_accounts(cluster) > ACCOUNTS_MAX) {
		history->why = "too many accounts to ask slurmdbd about";
		return;
	}
	conn = slurmdb_connection_get(NULL);
	if (!conn) {
		history->why = "slurmdbd cannot be reached";
		return;
	}
	_ask(history, cluster, conn);
	slurmdb_connection_close(&conn);
}

extern void history_free(history_t *history)
{
	free(history->rows);
	memset(history, 0, sizeof(*history));
}

extern bool history_knows(const history_t *history)
{
	return history->rows != NULL;
}

extern double history_unallocated(const history_t *history, uint32_t id,
				  double charged)
{
	for (size_t i = 0; i < history->count; i++) {
		if (history->rows[i].id != id)
			continue;
		return (history->rows[i].seconds > charged) ?
			history->rows[i].seconds - charged : 0;
	}
	return 0;
}
