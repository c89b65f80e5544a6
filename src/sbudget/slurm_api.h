/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_api - Slurm's public headers, and all that differs in them between
 * releases 22.05 and 26.05. Nobody else here knows versions.
 */
#ifndef SB_SLURM_API_H
#define SB_SLURM_API_H

#include <stdbool.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
typedef list_t *api_list_t;
typedef list_itr_t *api_iterator_t;
#else
typedef List api_list_t;
typedef ListIterator api_iterator_t;
#endif

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
typedef hostlist_t *api_hosts_t;
#else
typedef hostlist_t api_hosts_t;
#endif

/* Words that a partition's PreemptMode has beside the mode */
#ifdef PREEMPT_MODE_PRIORITY	/* 25.05 */
#define API_MODE_FLAGS \
	(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN | PREEMPT_MODE_PRIORITY)
#else
#define API_MODE_FLAGS (PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN)
#endif

/* Call with every item of a list until it returns other than 0; NULL is an
 * empty list. RET: what the last call returned. */
extern int api_for_each(api_list_t list, int (*call)(void *item, void *arg),
			void *arg);

/* RET: a list with this text in it; slurm_list_destroy() frees both. */
extern api_list_t api_strings(const char *text);
extern void api_append(api_list_t list, const char *text);

/* RET: a query for all associations of one cluster, as slurmdbd has them, for
 * api_query_free(); NULL without memory. */
extern slurmdb_assoc_cond_t *api_assoc_query(const char *cluster);
/* The same for accounts without their users, with what they have used from
 * hour to hour. */
extern slurmdb_assoc_cond_t *api_usage_query(const char *cluster, time_t from,
					     time_t to);
/* NULL is legal. */
extern void api_query_free(slurmdb_assoc_cond_t *query);

/* Records of jobs of one cluster that were eligible and not over between two
 * times, each run of a job one, uncut. IN steps: with their steps.
 * RET: a list of slurmdb_job_rec_t, NULL with errno. */
extern api_list_t api_jobs(void *conn, const char *cluster, time_t from,
			   time_t until, bool steps);
/* What happened to the cluster and its nodes, likewise. RET: a list of
 * slurmdb_event_rec_t, NULL with errno. */
extern api_list_t api_events(void *conn, const char *cluster, time_t from,
			     time_t until);

/* The number that stands for a TRES ("gres/gpu") in slurmdbd's records.
 * RET: 0, also "" when it has none; -1 with errno. */
#define API_TRES_ID 16
extern int api_tres_id(void *conn, const char *name, char id[API_TRES_ID]);
/* RET: the name of a TRES is this one. */
extern bool api_tres_is(const slurmdb_tres_rec_t *tres, const char *name);

/* Call with each name of "n[1-3,7]". */
extern void api_each_host(const char *hosts,
			  void (*call)(const char *host, void *arg), void *arg);

/* Of slurm_load_ctl_conf(). */
extern void api_free_conf(slurm_conf_t *conf);
/* RET: slurmdbd keeps the comments of jobs. */
extern bool api_stores_comments(const slurm_conf_t *conf);

/* Why a job waits, in Slurm's own word; never NULL. */
extern const char *api_reason(const slurm_job_info_t *job);

/* Its state, in Slurm's own word; never NULL. */
extern const char *api_state(const slurm_job_info_t *job);

/* RET: the clusters of that name (comma list), NULL with slurm_errno set. */
extern api_list_t api_clusters(const char *names);

#endif
