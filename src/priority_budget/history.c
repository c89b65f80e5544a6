/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "src/core/contract.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/dbd.h"

#include "budget.h"
#include "history.h"
#include "loop.h"

#define HOUR 3600
/* Hours per question, fewer than a day: whole days would be answered from
 * the daily table, which has no hours. */
#define CHUNK (23 * HOUR)
/* Seconds between attempts while slurmdbd is down. */
#define RETRY_MIN 5
#define RETRY_MAX 60
/* Seconds between looks for something to ask. */
#define IDLE 2
/* slurmctld may send what happened while slurmdbd was down for this long;
 * until then the gap is asked for again. */
#define GAP_PATIENCE 60
/* Ended attempts are remembered for this long, so that a record of slurmdbd
 * is not charged twice. */
#define MEMORY (2 * HOUR)

static pthread_t thread;
static bool running;
static pthread_mutex_t wait_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wait_cond = PTHREAD_COND_INITIALIZER;

typedef struct {
	uint32_t assoc_id;
	int64_t from;
	int64_t to;
	double charge;
} seed_t;

/* A question's constants, and what was answered. */
typedef struct {
	uint32_t tres_id;
	int64_t since;		/* the ledger's own charges begin */
	int64_t rolled;		/* slurmdbd's hours end */
	int64_t gap_from;
	int64_t gap_to;
	uint32_t unknown_id;	/* cache of _credited() */
	uint32_t unknown_heir;
	/* History is all or nothing: slurmdbd may fail half-way. */
	seed_t *seeds;
	size_t seed_count;
	size_t seed_size;
} question_t;

static int _note_seed(question_t *question, const seed_t *seed)
{
	if (question->seed_count == question->seed_size) {
		size_t more = question->seed_size ? question->seed_size * 2 :
			1024;
		seed_t *moved = realloc(question->seeds, more * sizeof(*moved));

		if (!moved)
			return -1;
		question->seeds = moved;
		question->seed_size = more;
	}
	question->seeds[question->seed_count++] = *seed;
	return 0;
}

static uint32_t _tres_id(int pos)
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

/* RET: the association that usage of this one belongs to now: itself, or its
 * account when it was deleted, or root when that is gone too. */
static uint32_t _credited(question_t *question, uint32_t id, const char *acct)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	slurmdb_assoc_rec_t key = { .id = id };
	search_t search = { .id = id, .acct = acct };

	if (id == question->unknown_id)
		return question->unknown_heir;
	assoc_mgr_lock(&locks);
	if (!assoc_mgr_fill_in_assoc(acct_db_conn, &key, 0, NULL, true) &&
	    (key.id == id)) {
		assoc_mgr_unlock(&locks);
		return id;
	}
	search.found = assoc_mgr_root_assoc ? assoc_mgr_root_assoc->id : 0;
	(void) list_for_each_ro(assoc_mgr_assoc_list, _match, &search);
	assoc_mgr_unlock(&locks);
	question->unknown_id = id;
	question->unknown_heir = search.found;
	return search.found;
}

/* One association's hours. Locks: none. */
static int _seed_assoc(slurmdb_assoc_rec_t *assoc, question_t *question)
{
	sb_list_itr_t *itr;
	slurmdb_accounting_rec_t *row;
	uint32_t id;
	int rc = 0;

	/* Rows of accounts repeat those of their users. */
	if (!assoc->user || !assoc->accounting_list)
		return 0;
	id = _credited(question, assoc->id, assoc->acct);
	itr = list_iterator_create(assoc->accounting_list);
	while (!rc && (row = list_next(itr))) {
		seed_t seed = {
			.assoc_id = id,
			.from = row->period_start,
			.to = row->period_start + HOUR,
			.charge = row->alloc_secs,
		};

		if ((row->tres_rec.id == question->tres_id) &&
		    (seed.to <= question->since))
			rc = _note_seed(question, &seed);
	}
	list_iterator_destroy(itr);
	return rc;
}

static int _seed_chunk(void *conn, question_t *question, time_t start)
{
	sb_list_t list = dbd_get_usage(conn, start, start + CHUNK);
	sb_list_itr_t *itr;
	slurmdb_assoc_rec_t *assoc;
	int rc = 0;

	if (!list)
		return -1;
	itr = list_iterator_create(list);
	while (!rc && (assoc = list_next(itr)))
		rc = _seed_assoc(assoc, question);
	list_iterator_destroy(itr);
	FREE_NULL_LIST(list);
	return rc;
}

/* A record as an attempt. RET: false when it was never charged. */
static bool _attempt(const slurmdb_job_rec_t *rec, question_t *question,
		     const sb_params_t *params, sb_attempt_t *attempt)
{
	sb_contract_t contract;
	uint64_t count;

	if (!rec->start || !rec->tres_alloc_str)
		return false;
	count = slurmdb_find_tres_count_in_string(rec->tres_alloc_str,
						  question->tres_id);
	if ((count == INFINITE64) || !count)
		return false;
	(void) sb_contract_sign(params, compat_job_rec_comment(rec), INT64_MAX,
				-1, true, rec->start, 0, &contract, NULL);
	*attempt = (sb_attempt_t) {
		.job_id = rec->jobid,
		.start = rec->start,
		.end = rec->end,
		.rate = count,
		.factor = sb_contract_charge(&contract, params),
	};
	return true;
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

/* The part of a record that lies before our own charges and behind slurmdbd's
 * hours. */
static int _seed_part(question_t *question, const sb_attempt_t *attempt)
{
	seed_t seed = {
		.assoc_id = attempt->assoc_id,
		.from = MAX(attempt->start, question->rolled),
		.to = question->since,
	};

	if (attempt->end)
		seed.to = MIN(seed.to, attempt->end);
	if (seed.from >= seed.to)
		return 0;
	seed.charge = attempt->rate * attempt->factor * (seed.to - seed.from);
	return _note_seed(question, &seed);
}

static int _settle_attempt(question_t *question, const sb_attempt_t *attempt)
{
	budget_t *budget;
	int rc;

	if (!attempt->end)
		return 0;
	budget = budget_lock();
	rc = sb_ledger_settle(budget->ledger, attempt, question->gap_from,
			      question->gap_to);
	budget_unlock();
	return rc;
}

typedef int (*record_fn_t)(question_t *question, const sb_attempt_t *attempt);

static int _each_record(slurmdb_job_rec_t *rec, question_t *question,
			record_fn_t record_fn)
{
	sb_attempt_t attempt;
	budget_t *budget = budget_lock();
	bool charged = _attempt(rec, question, budget->params, &attempt);

	budget_unlock();
	if (!charged)
		return 0;
	attempt.assoc_id = _credited(question, rec->associd, rec->account);
	attempt.rate *= _qos_factor(rec->qosid);
	return record_fn(question, &attempt);
}

/* Every record since `from`. */
static int _ask_jobs(void *conn, question_t *question, time_t from,
		     record_fn_t record_fn)
{
	sb_list_t list = dbd_get_jobs(conn, from, time(NULL));
	sb_list_itr_t *itr;
	slurmdb_job_rec_t *rec;
	int rc = 0;

	if (!list)
		return -1;
	itr = list_iterator_create(list);
	while (!rc && (rec = list_next(itr)))
		rc = _each_record(rec, question, record_fn);
	list_iterator_destroy(itr);
	FREE_NULL_LIST(list);
	return rc;
}

static int _seed_all(void *conn, question_t *question, time_t start)
{
	time_t now = time(NULL), rolled;

	rolled = dbd_get_rolled(conn, start, now + HOUR);
	if (rolled < 0)
		return -1;
	question->rolled = MIN(rolled, question->since);
	for (; start < question->since; start += CHUNK) {
		if (budget_stopping() || _seed_chunk(conn, question, start))
			return -1;
	}
	if (question->rolled == question->since)
		return 0;
	return _ask_jobs(conn, question, question->rolled, _seed_part);
}

/* Put the answers into the ledger, at once. */
static void _apply_seeds(const question_t *question, time_t start)
{
	budget_t *budget = budget_lock();
	double sum = 0;
	int rc = 0;

	for (size_t i = 0; !rc && (i < question->seed_count); i++) {
		const seed_t *seed = &question->seeds[i];

		rc = sb_ledger_seed(budget->ledger, seed->assoc_id, seed->from,
				    seed->to, seed->charge);
		sum += seed->charge;
	}
	budget->seeded = true;
	budget_unlock();
	if (rc)
		error("priority/budget: no memory for all of slurmdbd's history: the window lacks a part of it");
	else
		info("priority/budget: window filled from slurmdbd: %.0f TRES-hours since %ld",
		     sum / HOUR, (long) start);
}

static int _seed(void *conn)
{
	budget_t *budget = budget_lock();
	question_t question = { .since = budget->gap_from };
	time_t start = time(NULL) - budget->params->window;
	int pos = budget->charge_pos, rc;

	budget_unlock();
	question.tres_id = _tres_id(pos);
	start -= start % HOUR;
	rc = _seed_all(conn, &question, start);
	if (!rc) {
		_apply_seeds(&question, start);
		/* Who switches looks at sshare at once. */
		loop_kick();
	}
	free(question.seeds);
	return rc;
}

/* RET: the earliest instant to ask for, 0: nothing to ask. */
static int64_t _open_questions(question_t *question)
{
	budget_t *budget = budget_lock();
	int64_t from = 0, charged_until;
	sb_attempt_t attempt;
	size_t cursor = 0;

	question->gap_from = budget->gap_from;
	question->gap_to = budget->gap_to;
	if (budget->gap_to)
		from = budget->gap_from;
	while (sb_ledger_unsettled(budget->ledger, &cursor, &attempt,
				   &charged_until)) {
		if (!from || (attempt.start < from))
			from = attempt.start;
	}
	budget_unlock();
	return from;
}

static int _fill_gaps(void *conn)
{
	question_t question = { 0 };
	int64_t from = _open_questions(&question);
	budget_t *budget = budget_lock();
	int pos = budget->charge_pos;

	budget_unlock();
	question.tres_id = _tres_id(pos);
	if (_ask_jobs(conn, &question, from, _settle_attempt))
		return -1;
	budget = budget_lock();
	if (time(NULL) > budget->gap_to + GAP_PATIENCE)
		budget->gap_from = budget->gap_to = 0;
	budget_unlock();
	return 0;
}

static bool _has_work(bool *seeded)
{
	question_t question = { 0 };
	budget_t *budget = budget_lock();
	bool started = budget->gap_to || budget->seeded;

	*seeded = budget->seeded;
	sb_ledger_forget(budget->ledger, time(NULL) - MEMORY);
	budget_unlock();
	return started && (!*seeded || _open_questions(&question));
}

/* RET: 0, or -1 when slurmdbd did not give what we asked for. */
static int _work(bool seeded)
{
	void *conn = dbd_open(budget_stop_time());
	int rc;

	if (!conn)
		return -1;
	rc = seeded ? _fill_gaps(conn) : _seed(conn);
	dbd_close(conn);
	return rc;
}

static void _wait(int seconds)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += seconds;
	slurm_mutex_lock(&wait_lock);
	if (!budget_stopping())
		slurm_cond_timedwait(&wait_cond, &wait_lock, &until);
	slurm_mutex_unlock(&wait_lock);
}

static void *_run(void *arg)
{
	int pause = IDLE;
	bool complained = false, seeded;

	(void) arg;
	(void) prctl(PR_SET_NAME, "budget_hist", NULL, NULL, NULL);
	while (!budget_stopping()) {
		if (!_has_work(&seeded))
			pause = IDLE;
		else if (!_work(seeded)) {
			pause = IDLE;
			complained = false;
		} else {
			if (!complained && !seeded)
				error("priority/budget: slurmdbd does not answer: usage before this start is not in the window yet; trying again until it does");
			complained = true;
			pause = MIN(RETRY_MAX, MAX(RETRY_MIN, pause * 2));
		}
		_wait(pause);
	}
	return NULL;
}

extern void history_start(void)
{
	running = true;
	slurm_thread_create(&thread, _run, NULL);
}

extern void history_stop(void)
{
	if (!running)
		return;
	slurm_mutex_lock(&wait_lock);
	slurm_cond_signal(&wait_cond);
	slurm_mutex_unlock(&wait_lock);
	pthread_join(thread, NULL);
	running = false;
}
