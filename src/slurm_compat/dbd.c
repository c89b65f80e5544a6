/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <unistd.h>

#include "dbd.h"
#include "host.h"

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#include "src/common/persist_conn.h"
#else
#include "src/common/slurm_persist_conn.h"
typedef slurm_persist_conn_t persist_conn_t;
#endif
#include "src/common/slurm_protocol_common.h"

/* Slurm gives a query this much more than MessageTimeout, seconds. */
#define DBD_PATIENCE 35
#define HOUR 3600

/* Slurm's connection calls these when slurmdbd goes or comes; the agent's own
 * connection already raises the triggers. */
static void _no_trigger(void)
{
}

extern void *dbd_open(time_t *stop)
{
	host_t host = host_get();
	persist_conn_t *conn = xmalloc(sizeof(*conn));

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	conn->fd = -1;
#endif
	conn->flags = PERSIST_FLAG_DBD | PERSIST_FLAG_SUPPRESS_ERR;
	conn->persist_type = PERSIST_TYPE_DBD;
	conn->cluster_name = xstrdup(host.cluster);
	conn->rem_host = xstrdup(host.dbd_host);
	conn->rem_port = host.dbd_port;
	conn->r_uid = SLURM_AUTH_UID_ANY;
	conn->shutdown = stop;
	conn->timeout = (host.msg_timeout + DBD_PATIENCE) * 1000;
	conn->version = SLURM_PROTOCOL_VERSION;
	conn->trigger_callbacks.acct_full = _no_trigger;
	conn->trigger_callbacks.dbd_fail = _no_trigger;
	conn->trigger_callbacks.dbd_resumed = _no_trigger;
	conn->trigger_callbacks.db_fail = _no_trigger;
	conn->trigger_callbacks.db_resumed = _no_trigger;

	if (slurm_persist_conn_open(conn) != SLURM_SUCCESS) {
		dbd_close(conn);
		return NULL;
	}
	return conn;
}

extern void dbd_close(void *conn)
{
	slurm_persist_conn_destroy(conn);
}

extern sb_list_t dbd_get_usage(void *conn, time_t start, time_t end)
{
	slurmdb_assoc_cond_t cond = { 0 };
	sb_list_t list;

	cond.cluster_list = list_create(NULL);
	list_append(cond.cluster_list, (char *) host_get().cluster);
	compat_assoc_cond_usage(&cond, start, end);
	list = acct_storage_g_get_assocs(conn, getuid(), &cond);
	FREE_NULL_LIST(cond.cluster_list);
	return list;
}

typedef struct {
	time_t rolled;
	time_t until;
} latest_t;

static int _latest_hour(void *item, void *arg)
{
	slurmdb_cluster_accounting_rec_t *row = item;
	latest_t *latest = arg;
	time_t end = row->period_start + HOUR;

	if ((end > latest->rolled) && (end <= latest->until))
		latest->rolled = end;
	return 0;
}

static int _latest_hour_of_cluster(void *item, void *arg)
{
	slurmdb_cluster_rec_t *cluster = item;

	if (cluster->accounting_list)
		list_for_each(cluster->accounting_list, _latest_hour, arg);
	return 0;
}

extern time_t dbd_get_rolled(void *conn, time_t start, time_t until)
{
	slurmdb_cluster_cond_t cond;
	sb_list_t list;
	latest_t latest = { .rolled = start, .until = until };

	slurmdb_init_cluster_cond(&cond, false);
	cond.cluster_list = list_create(NULL);
	list_append(cond.cluster_list, (char *) host_get().cluster);
	cond.usage_start = start;
	/* Days that are over would be answered without their hours. */
	cond.usage_end = time(NULL) + HOUR;
	cond.with_usage = 1;
	list = acct_storage_g_get_clusters(conn, getuid(), &cond);
	FREE_NULL_LIST(cond.cluster_list);
	if (!list)
		return -1;
	list_for_each(list, _latest_hour_of_cluster, &latest);
	FREE_NULL_LIST(list);
	return latest.rolled;
}

static sb_list_t _select_jobs(const uint32_t *ids, size_t count)
{
	sb_list_t list = list_create(xfree_ptr);

	for (size_t i = 0; i < count; i++) {
		slurm_selected_step_t *job = xmalloc(sizeof(*job));

		job->array_task_id = NO_VAL;
		job->het_job_offset = NO_VAL;
		job->step_id.job_id = ids[i];
		job->step_id.step_het_comp = NO_VAL;
		job->step_id.step_id = NO_VAL;
		list_append(list, job);
	}
	return list;
}

extern sb_list_t dbd_get_jobs(void *conn, time_t start, time_t end,
			      const uint32_t *ids, size_t count)
{
	slurmdb_job_cond_t cond = { 0 };
	sb_list_t list;

	cond.cluster_list = list_create(NULL);
	list_append(cond.cluster_list, (char *) host_get().cluster);
	if (ids)
		cond.step_list = _select_jobs(ids, count);
	cond.db_flags = SLURMDB_JOB_FLAG_NOTSET;
	cond.flags = JOBCOND_FLAG_DUP | JOBCOND_FLAG_NO_STEP |
		     JOBCOND_FLAG_NO_TRUNC;
	cond.usage_start = start;
	cond.usage_end = end;
	list = jobacct_storage_g_get_jobs_cond(conn, getuid(), &cond);
	FREE_NULL_LIST(cond.cluster_list);
	FREE_NULL_LIST(cond.step_list);
	return list;
}
