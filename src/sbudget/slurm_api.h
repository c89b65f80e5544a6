/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_api - Slurm's public headers, and all that differs in them between
 * releases 22.05 and 26.05. Nobody else here knows versions.
 */
#ifndef SB_SLURM_API_H
#define SB_SLURM_API_H

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

/* Of slurm_load_ctl_conf(). */
extern void api_free_conf(slurm_conf_t *conf);

/* Why a job waits, in Slurm's own word; never NULL. */
extern const char *api_reason(const slurm_job_info_t *job);

/* Its state, in Slurm's own word; never NULL. */
extern const char *api_state(const slurm_job_info_t *job);

/* RET: the clusters of that name (comma list), NULL with slurm_errno set. */
extern api_list_t api_clusters(const char *names);

#endif
