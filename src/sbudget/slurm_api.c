/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm_api.h"

/* In libslurm of every release, and in no public header. One of the two names
 * is there. */
extern char *slurm_job_reason_string(int reason) __attribute__((weak));
extern char *slurm_job_state_reason_string(int reason) __attribute__((weak));
extern char *slurm_job_state_string(uint32_t state) __attribute__((weak));

/*
 * The plugin that libslurm loads to talk to slurmdbd names each message in what
 * it logs of failures, by a function that libslurm keeps to itself: the program
 * that asked would die of a missing symbol.
 */
extern char *slurmdbd_msg_type_2_str(int type, int get_enum)
	__attribute__((visibility("default")));

extern char *slurmdbd_msg_type_2_str(int type, int get_enum)
{
	static char text[32];

	(void) get_enum;
	snprintf(text, sizeof(text), "message %d", type);
	return text;
}

extern int api_for_each(api_list_t list, int (*call)(void *item, void *arg),
			void *arg)
{
	api_iterator_t iterator;
	void *item;
	int rc = 0;

	if (!list)
		return 0;
	iterator = slurm_list_iterator_create(list);
	while (!rc && (item = slurm_list_next(iterator)))
		rc = call(item, arg);
	slurm_list_iterator_destroy(iterator);
	return rc;
}

extern api_list_t api_strings(const char *text)
{
	api_list_t list = slurm_list_create(free);

	api_append(list, text);
	return list;
}

extern void api_append(api_list_t list, const char *text)
{
	char *copy = strdup(text);

	if (copy)
		slurm_list_append(list, copy);
}

extern slurmdb_assoc_cond_t *api_assoc_query(const char *cluster)
{
	slurmdb_assoc_cond_t *query = calloc(1, sizeof(*query));

	if (query)
		query->cluster_list = api_strings(cluster);
	return query;
}

extern slurmdb_assoc_cond_t *api_usage_query(const char *cluster, time_t from,
					     time_t to)
{
	slurmdb_assoc_cond_t *query = api_assoc_query(cluster);

	if (!query)
		return NULL;
	/* Accounts' own associations have no user. */
	query->user_list = api_strings("");
	query->usage_start = from;
	query->usage_end = to;
#ifdef ASSOC_COND_FLAG_WITH_USAGE
	query->flags |= ASSOC_COND_FLAG_WITH_USAGE;
#else
	query->with_usage = 1;
#endif
	return query;
}

extern void api_query_free(slurmdb_assoc_cond_t *query)
{
	if (!query)
		return;
	if (query->cluster_list)
		slurm_list_destroy(query->cluster_list);
	if (query->id_list)
		slurm_list_destroy(query->id_list);
	if (query->user_list)
		slurm_list_destroy(query->user_list);
	free(query);
}

extern api_list_t api_jobs(void *conn, const char *cluster, time_t from,
			   time_t until, bool steps)
{
	slurmdb_job_cond_t query = {
		.flags = JOBCOND_FLAG_DUP | JOBCOND_FLAG_NO_TRUNC |
			 (steps ? 0 : JOBCOND_FLAG_NO_STEP),
		.db_flags = SLURMDB_JOB_FLAG_NOTSET,
		.cluster_list = api_strings(cluster),
		.usage_start = from,
		.usage_end = until,
	};
	api_list_t jobs;

	errno = 0;
	jobs = slurmdb_jobs_get(conn, &query);
	slurm_list_destroy(query.cluster_list);
	return jobs;
}

extern api_list_t api_events(void *conn, const char *cluster, time_t from,
			     time_t until)
{
	slurmdb_event_cond_t query = {
		.event_type = SLURMDB_EVENT_ALL,
		.cluster_list = api_strings(cluster),
		.period_start = from,
		.period_end = until,
	};
	api_list_t events;

	errno = 0;
	events = slurmdb_events_get(conn, &query);
	slurm_list_destroy(query.cluster_list);
	return events;
}

extern bool api_tres_is(const slurmdb_tres_rec_t *tres, const char *name)
{
	size_t length = tres->type ? strlen(tres->type) : 0;

	if (!length || strncmp(name, tres->type, length))
		return false;
	if (!tres->name || !*tres->name)
		return !name[length];
	return (name[length] == '/') && !strcmp(name + length + 1, tres->name);
}

typedef struct {
	const char *name;
	char *id;
} tres_search_t;

static int _match_tres(void *item, void *arg)
{
	const slurmdb_tres_rec_t *tres = item;
	const tres_search_t *search = arg;

	if (!api_tres_is(tres, search->name))
		return 0;
	snprintf(search->id, API_TRES_ID, "%u", tres->id);
	return 1;
}

extern int api_tres_id(void *conn, const char *name, char id[API_TRES_ID])
{
	slurmdb_tres_cond_t query = { .count = NO_VAL };
	tres_search_t search = { name, id };
	api_list_t list;

	*id = '\0';
	errno = 0;
	list = slurmdb_tres_get(conn, &query);
	if (!list)
		return -1;
	(void) api_for_each(list, _match_tres, &search);
	slurm_list_destroy(list);
	return 0;
}

extern void api_each_host(const char *hosts,
			  void (*call)(const char *host, void *arg), void *arg)
{
	api_hosts_t list = slurm_hostlist_create(hosts);
	char *host;

	if (!list)
		return;
	while ((host = slurm_hostlist_shift(list))) {
		call(host, arg);
		free(host);
	}
	slurm_hostlist_destroy(list);
}

extern bool api_stores_comments(const slurm_conf_t *conf)
{
#ifdef CONF_FLAG_SJC
	return conf->conf_flags & CONF_FLAG_SJC;
#else
	return conf->conf_flags & CTL_CONF_SJC;
#endif
}

extern void api_free_conf(slurm_conf_t *conf)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	slurm_free_conf(conf);
#else
	slurm_free_ctl_conf(conf);
#endif
}

extern const char *api_reason(const slurm_job_info_t *job)
{
	const char *text = NULL;

	if (slurm_job_state_reason_string)
		text = slurm_job_state_reason_string(job->state_reason);
	else if (slurm_job_reason_string)
		text = slurm_job_reason_string(job->state_reason);
	return text ? text : "Unknown";
}

extern const char *api_state(const slurm_job_info_t *job)
{
	const char *text = NULL;

	if (slurm_job_state_string)
		text = slurm_job_state_string(job->job_state);
	return text ? text : "UNKNOWN";
}

extern api_list_t api_clusters(const char *names)
{
	char *copy = strdup(names);
	api_list_t clusters = copy ? slurmdb_get_info_cluster(copy) : NULL;

	free(copy);
	return clusters;
}
