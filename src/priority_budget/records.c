/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/core/contract.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/dbd.h"

#include "budget.h"
#include "records.h"

extern uint32_t records_tres_id(int pos)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	uint32_t id;

	assoc_mgr_lock(&locks);
	id = assoc_mgr_tres_array[pos]->id;
	assoc_mgr_unlock(&locks);
	return id;
}

typedef struct {
	uint32_t id;
	const char *acct;
	uint32_t found;
} search_t;

static int _match(void *item, void *arg)
{
	slurmdb_assoc_rec_t *assoc = item;
	search_t *search = arg;

	if (assoc->id == search->id) {
		search->found = assoc->id;
		return -1;
	}
	if (!assoc->user && !xstrcmp(assoc->acct, search->acct))
		search->found = assoc->id;
	return 0;
}

extern uint32_t records_credited(credit_t *credit, uint32_t id,
				 const char *acct)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	slurmdb_assoc_rec_t key = { .id = id }, *found = NULL;
	search_t search = { .id = id, .acct = acct };

	if (credit->id && (id == credit->id))
		return credit->heir;
	assoc_mgr_lock(&locks);
	/* It succeeds also when there is none. */
	(void) assoc_mgr_fill_in_assoc(acct_db_conn, &key, 0, &found, true);
	if (found && (found->id == id)) {
		assoc_mgr_unlock(&locks);
		return id;
	}
	search.found = assoc_mgr_root_assoc ? assoc_mgr_root_assoc->id : 0;
	(void) list_for_each_ro(assoc_mgr_assoc_list, _match, &search);
	assoc_mgr_unlock(&locks);
	credit->id = id;
	credit->heir = search.found;
	return search.found;
}

static double _qos_factor(uint32_t qos_id)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	slurmdb_qos_rec_t *qos;
	double factor = 1;

	assoc_mgr_lock(&locks);
	qos = list_find_first_ro(assoc_mgr_qos_list, slurmdb_find_qos_in_list,
				 &qos_id);
	if (qos && (qos->usage_factor >= 0))
		factor = qos->usage_factor;
	assoc_mgr_unlock(&locks);
	return factor;
}

static double _rate(const slurmdb_job_rec_t *rec, uint32_t tres_id)
{
	uint64_t count;

	if (!rec->tres_alloc_str)
		return 0;
	count = slurmdb_find_tres_count_in_string(rec->tres_alloc_str, tres_id);
	if ((count == INFINITE64) || (count == NO_CONSUME_VAL64))
		return 0;
	return count * _qos_factor(rec->qosid);
}

/* Without the comment, which slurmdbd has only under
 * AccountingStoreFlags=job_comment, a run counts as undeclared. */
static double _factor(const slurmdb_job_rec_t *rec)
{
	budget_t *budget = budget_lock();
	sb_contract_t contract;
	double factor;

	(void) sb_contract_sign(budget->params, compat_job_rec_comment(rec),
				INT64_MAX, -1, true, rec->start, 0, &contract,
				NULL);
	factor = sb_contract_charge(&contract, budget->params);
	budget_unlock();
	return factor;
}

/* slurmdbd's way to say that a run has ended of which it knows no start: a job
 * that was cancelled before it ran, or whose start came behind its end. */
static time_t _start(const slurmdb_job_rec_t *rec)
{
	return (rec->start == NO_VAL) ? 0 : rec->start;
}

static bool _had_allocation(const slurmdb_job_rec_t *rec)
{
	return _start(rec) ||
	       (rec->end && rec->tres_alloc_str && rec->tres_alloc_str[0]);
}

static void _fill(record_t *record, const slurmdb_job_rec_t *rec,
		  uint32_t tres_id, credit_t *credit)
{
	*record = (record_t) {
		.attempt = {
			.job_id = rec->jobid,
			.assoc_id = records_credited(credit, rec->associd,
						     rec->account),
			.start = _start(rec),
			.end = rec->end,
			.rate = _rate(rec, tres_id),
			.factor = _factor(rec),
		},
		.begin = _start(rec),
		.submit = rec->submit,
		.goes_on = rec->state & JOB_RESIZING,
	};
}

static int _by_job(const void *a, const void *b)
{
	const record_t *one = a, *two = b;

	if (one->attempt.job_id != two->attempt.job_id)
		return (one->attempt.job_id < two->attempt.job_id) ? -1 : 1;
	/* A resized run is submitted at its resize, a requeued job at its
	 * requeue. */
	if (one->submit != two->submit)
		return (one->submit < two->submit) ? -1 : 1;
	return 0;
}

/* A record behind a resize begins there, whatever it says: 22.05 writes the
 * start of the run into it, and counts the time before twice. */
static void _join_runs(records_t *records)
{
	for (size_t i = 1; i < records->count; i++) {
		const record_t *before = &records->rows[i - 1];
		record_t *record = &records->rows[i];

		if ((before->attempt.job_id != record->attempt.job_id) ||
		    !before->goes_on)
			continue;
		record->begin = before->attempt.end;
		record->attempt.start = before->attempt.start;
		record->attempt.resized = record->begin;
		if (record->attempt.end)
			record->attempt.end = MAX(record->attempt.end,
						  record->begin);
	}
}

static int _read(sb_list_t list, records_t *records)
{
	budget_t *budget = budget_lock();
	int pos = budget->charge_pos;
	uint32_t tres_id;
	sb_list_itr_t *itr;
	slurmdb_job_rec_t *rec;
	credit_t credit = { 0 };

	budget_unlock();
	tres_id = records_tres_id(pos);
	records->count = 0;
	records->rows = calloc(list_count(list) + 1, sizeof(*records->rows));
	if (!records->rows)
		return -1;
	itr = list_iterator_create(list);
	while ((rec = list_next(itr))) {
		if (_had_allocation(rec))
			_fill(&records->rows[records->count++], rec, tres_id,
			      &credit);
	}
	list_iterator_destroy(itr);
	qsort(records->rows, records->count, sizeof(*records->rows), _by_job);
	_join_runs(records);
	return 0;
}

extern int records_get(void *conn, time_t from, const uint32_t *ids,
		       size_t count, records_t *records)
{
	sb_list_t list = dbd_get_jobs(conn, from, time(NULL) + 1, ids, count);
	int rc;

	memset(records, 0, sizeof(*records));
	if (!list)
		return -1;
	rc = _read(list, records);
	FREE_NULL_LIST(list);
	return rc;
}

extern void records_free(records_t *records)
{
	free(records->rows);
	memset(records, 0, sizeof(*records));
}
