/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat.h"
#include "guard.h"
#include "renew.h"

#if SB_HAVE_THREAD_START

static void _renew_qos_list(job_record_t *job_ptr)
{
#ifdef HAVE_JOB_RECORD_T_QOS_LIST
	char *names, *last = NULL;

	if (!job_ptr->qos_list)
		return;
	list_flush(job_ptr->qos_list);
	names = xstrdup(job_ptr->details ? job_ptr->details->qos_req : NULL);
	for (char *name = names ? strtok_r(names, ",", &last) : NULL; name;
	     name = strtok_r(NULL, ",", &last)) {
		slurmdb_qos_rec_t key = { .name = name }, *qos = NULL;

		if (!assoc_mgr_fill_in_qos(acct_db_conn, &key, 0, &qos, true) &&
		    qos)
			list_append(job_ptr->qos_list, qos);
	}
	xfree(names);
	if (list_count(job_ptr->qos_list))
		list_sort(job_ptr->qos_list, priority_sort_qos_desc);
	else
		FREE_NULL_LIST(job_ptr->qos_list);
#else
	(void) job_ptr;
#endif
}

/* Locks: job W, assoc R, qos R. */
static int _renew_job(void *item, void *arg)
{
	job_record_t *job_ptr = item;
	slurmdb_assoc_rec_t assoc = { .id = job_ptr->assoc_id }, *assoc_ptr;
	slurmdb_qos_rec_t qos = { .id = job_ptr->qos_id };

	(void) arg;
	if (!guard_check_stale(job_ptr))
		return 0;
	assoc_ptr = NULL;
	if (assoc.id)
		(void) assoc_mgr_fill_in_assoc(acct_db_conn, &assoc, 0,
					       &assoc_ptr, true);
	/* Nothing else says that assoc_ptr is where we have it. */
	if (assoc_ptr && (assoc_ptr->uid != job_ptr->user_id) &&
	    (assoc_ptr->uid != NO_VAL))
		return 0;
	job_ptr->assoc_ptr = assoc_ptr;
	job_ptr->qos_ptr = NULL;
	if (qos.id)
		(void) assoc_mgr_fill_in_qos(acct_db_conn, &qos, 0,
					     &job_ptr->qos_ptr, true);
	_renew_qos_list(job_ptr);
	return 0;
}

/* Locks: part W, qos R. */
static int _renew_part(void *item, void *arg)
{
	part_record_t *part_ptr = item;
	slurmdb_qos_rec_t qos = { .name = part_ptr->qos_char };

	(void) arg;
	part_ptr->qos_ptr = NULL;
	if (qos.name)
		(void) assoc_mgr_fill_in_qos(acct_db_conn, &qos, 0,
					     &part_ptr->qos_ptr, true);
	return 0;
}

extern bool renew_pointers(void)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };

	if (!job_list || !list_count(job_list))
		return false;
	if (!guard_check_host())
		return true;
	assoc_mgr_lock(&locks);
	(void) list_for_each(job_list, _renew_job, NULL);
	if (part_list)
		(void) list_for_each(part_list, _renew_part, NULL);
	assoc_mgr_unlock(&locks);
	return true;
}

#else

extern bool renew_pointers(void)
{
	return false;
}

#endif
