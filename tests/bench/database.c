/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdatomic.h>
#include <stdlib.h>

#include "src/slurm_compat/compat.h"

#include "database.h"
#include "release.h"

#define HOUR 3600
#define FIRST_USER 100000

static const options_t *options;
static atomic_bool answers;

extern sb_list_t acct_storage_g_get_tres(void *conn, uint32_t uid,
					 slurmdb_tres_cond_t *cond)
{
	static const char *const types[] = {
		"cpu", "mem", "energy", "node", "billing", "fs", "vmem",
		"pages", "gres",
	};
	sb_list_t list = list_create(slurmdb_destroy_tres_rec);

	(void) conn;
	(void) uid;
	(void) cond;
	/* 1001 is the first of a site's own. */
	for (long i = 0; i < MAX(options->tres, 9); i++) {
		slurmdb_tres_rec_t *tres = xmalloc(sizeof(*tres));

		tres->type = xstrdup(types[MIN(i, 8)]);
		tres->id = (i < 8) ? i + 1 : 1001 + i - 8;
		if (i == 5)
			tres->name = xstrdup("disk");
		if (i == 8)
			tres->name = xstrdup("gpu");
		if (i > 8)
			tres->name = xstrdup_printf("thing%ld", i);
		tres->count = 100000;
		list_append(list, tres);
	}
	return list;
}

extern sb_list_t acct_storage_g_get_qos(void *conn, uint32_t uid,
					slurmdb_qos_cond_t *cond)
{
	sb_list_t list = list_create(slurmdb_destroy_qos_rec);

	(void) conn;
	(void) uid;
	(void) cond;
	for (long i = 1; i <= options->qos; i++) {
		slurmdb_qos_rec_t *qos = xmalloc(sizeof(*qos));

		slurmdb_init_qos_rec(qos, false, INFINITE);
		qos->id = i;
		qos->name = xstrdup_printf("qos%ld", i);
		qos->priority = i * 100;
		qos->usage_factor = 1;
		qos->preempt_bitstr = bit_alloc(options->qos + 1);
		/* The better take from the worse. */
		for (long j = 1; j < i; j++)
			bit_set(qos->preempt_bitstr, j);
		list_append(list, qos);
	}
	return list;
}

static sb_list_t _nothing(ListDelF destroy)
{
	return list_create(destroy);
}

extern sb_list_t acct_storage_g_get_users(void *conn, uint32_t uid,
					  slurmdb_user_cond_t *cond)
{
	(void) conn;
	(void) uid;
	(void) cond;
	return _nothing(slurmdb_destroy_user_rec);
}

extern sb_list_t acct_storage_g_get_wckeys(void *conn, uint32_t uid,
					   slurmdb_wckey_cond_t *cond)
{
	(void) conn;
	(void) uid;
	(void) cond;
	return _nothing(slurmdb_destroy_wckey_rec);
}

extern sb_list_t acct_storage_g_get_res(void *conn, uint32_t uid,
					slurmdb_res_cond_t *cond)
{
	(void) conn;
	(void) uid;
	(void) cond;
	return _nothing(slurmdb_destroy_res_rec);
}

/* 100,000 look-ups in passwd would be most of the time. */
extern int uid_from_string(const char *name, uid_t *uid)
{
	*uid = FIRST_USER + strtoul(name + 1, NULL, 10);
	return 0;
}

/* One association: the n-th, below a parent of which it is the i-th child. */
static void _add(sb_list_t list, long n, long parent, long i, bool user)
{
	slurmdb_assoc_rec_t *assoc = xmalloc(sizeof(*assoc));

	slurmdb_init_assoc_rec(assoc, false);
	assoc->id = n;
	assoc->cluster = xstrdup(slurm_conf.cluster_name);
	assoc->parent_id = parent;
	assoc->shares_raw = 1 + (uint32_t) (i * 7 % 90);
	release_place(assoc, n);
	assoc->uid = NO_VAL;
	if (n == 1)
		assoc->acct = xstrdup("root");
	else
		assoc->acct = xstrdup_printf("a%ld", user ? parent : n);
	if (user)
		assoc->user = xstrdup_printf("u%ld", n);
	if (parent > 1)
		assoc->parent_acct = xstrdup_printf("a%ld", parent);
	else if (parent == 1)
		assoc->parent_acct = xstrdup("root");
	list_append(list, assoc);
}

/* Children per account, so that `depth` levels hold all. */
static long _siblings(void)
{
	long siblings = 2;

	if (options->siblings)
		return options->siblings;
	for (;; siblings++) {
		double sum = 1, level = 1;

		for (long d = 0; d < options->depth; d++) {
			level *= siblings;
			sum += level;
		}
		if (sum >= options->assocs)
			return siblings;
	}
}

/*
 * In breadth: association n (from 1) has children (n - 1) * s + 2 up to
 * n * s + 1. The last level, and what has no room for children, are users.
 */
static sb_list_t _tree(void)
{
	sb_list_t list = list_create(slurmdb_destroy_assoc_rec);
	long siblings = _siblings();

	_add(list, 1, 0, 0, false);
	for (long n = 2; n <= options->assocs; n++)
		_add(list, n, (n - 2) / siblings + 1, (n - 2) % siblings,
		     (n - 1) * siblings + 2 > options->assocs);
	return list;
}

/* Every hour of the time asked for, of each user. */
static int _use(void *item, void *arg)
{
	slurmdb_assoc_rec_t *assoc = item;
	slurmdb_assoc_cond_t *cond = arg;

	assoc->accounting_list = list_create(slurmdb_destroy_accounting_rec);
	for (time_t at = cond->usage_start; at < cond->usage_end; at += HOUR) {
		for (int i = 0; assoc->user && (i < 5); i++) {
			slurmdb_accounting_rec_t *row = xmalloc(sizeof(*row));

			row->id = assoc->id;
			row->tres_rec.id = i + 1;
			row->period_start = at;
			row->alloc_secs = 3600 + assoc->id % 1000;
			list_append(assoc->accounting_list, row);
		}
	}
	return 0;
}

extern sb_list_t acct_storage_g_get_assocs(void *conn, uint32_t uid,
					   slurmdb_assoc_cond_t *cond)
{
	sb_list_t list = _tree();

	(void) conn;
	(void) uid;
	if (cond->usage_end)
		(void) list_for_each(list, _use, cond);
	return list;
}

static int _list_hour(sb_list_t list, time_t at)
{
	slurmdb_cluster_accounting_rec_t *row = xmalloc(sizeof(*row));

	row->period_start = at;
	list_append(list, row);
	return 0;
}

/* slurmdbd has summed up all hours. */
extern sb_list_t acct_storage_g_get_clusters(void *conn, uint32_t uid,
					     slurmdb_cluster_cond_t *cond)
{
	sb_list_t list = list_create(slurmdb_destroy_cluster_rec);
	slurmdb_cluster_rec_t *cluster = xmalloc(sizeof(*cluster));

	(void) conn;
	(void) uid;
	slurmdb_init_cluster_rec(cluster, false);
	cluster->accounting_list =
		list_create(slurmdb_destroy_cluster_accounting_rec);
	for (time_t at = cond->usage_start; at < cond->usage_end; at += HOUR)
		(void) _list_hour(cluster->accounting_list, at);
	list_append(list, cluster);
	return list;
}

extern sb_list_t jobacct_storage_g_get_jobs_cond(void *conn, uint32_t uid,
						 slurmdb_job_cond_t *cond)
{
	(void) conn;
	(void) uid;
	(void) cond;
	return _nothing(slurmdb_destroy_job_rec);
}

extern int slurm_persist_conn_open(release_conn_t *conn)
{
	(void) conn;
	return answers ? SLURM_SUCCESS : SLURM_ERROR;
}

extern void slurm_persist_conn_destroy(release_conn_t *conn)
{
	(void) conn;
}

extern void database_answer(bool up)
{
	answers = up;
}

extern bool database_load(const options_t *sizes)
{
	assoc_init_args_t args = {
		.cache_level = ASSOC_MGR_CACHE_ALL,
		.enforce = accounting_enforce,
	};

	options = sizes;
	if (assoc_mgr_init(NULL, &args, SLURM_SUCCESS) != SLURM_SUCCESS)
		return false;
	slurmctld_tres_cnt = g_tres_count;
	return assoc_mgr_root_assoc != NULL;
}
