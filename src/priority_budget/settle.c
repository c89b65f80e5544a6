/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/slurm_compat/compat.h"

#include "budget.h"
#include "loop.h"
#include "records.h"
#include "settle.h"
#include "unseen.h"

/* Jobs to ask for at a time: slurmdbd makes one SQL statement of it. */
#define IDS_MAX 1000

static int _by_job(const void *a, const void *b)
{
	const question_t *one = a, *two = b;

	if (one->job_id != two->job_id)
		return (one->job_id < two->job_id) ? -1 : 1;
	return 0;
}

/* RET: attempts whose end is unknown. Locks: ours. */
static size_t _count_unsettled(const budget_t *budget)
{
	sb_attempt_t attempt;
	int64_t until, gone;
	size_t cursor = 0, count = 0;

	while (sb_ledger_unsettled(budget->ledger, &cursor, &attempt, &until,
				   &gone))
		count++;
	return count;
}

static void _note(questions_t *questions, question_t question, int64_t noted)
{
	int64_t from = question.start ? question.start : question.from;

	questions->rows[questions->count++] = question;
	if (!questions->since || (from < questions->since))
		questions->since = from;
	questions->latest = MAX(questions->latest, noted);
}

/* Locks: ours. */
static void _note_all(questions_t *questions, const budget_t *budget)
{
	sb_attempt_t attempt;
	int64_t until, gone;
	size_t cursor = 0;

	while (sb_ledger_unsettled(budget->ledger, &cursor, &attempt, &until,
				   &gone))
		/* After it vanished the job may have run again, unseen. */
		_note(questions, (question_t) {
			.job_id = attempt.job_id,
			.start = attempt.start,
			.from = until,
			.to = INT64_MAX,
			.gone = gone,
		}, until);
	for (size_t i = 0; i < budget->unseen_count; i++)
		_note(questions, (question_t) {
			.job_id = budget->unseen[i].job_id,
			.from = budget->unseen[i].from,
			.to = budget->unseen[i].to,
		}, budget->unseen[i].to);
}

extern int settle_collect(questions_t *questions)
{
	budget_t *budget = budget_lock();

	*questions = (questions_t) { 0 };
	questions->rows = calloc(_count_unsettled(budget) +
				 budget->unseen_count + 1,
				 sizeof(*questions->rows));
	if (!questions->rows) {
		budget_unlock();
		return -1;
	}
	if (budget->gap_to) {
		questions->gap_from = questions->since = budget->gap_from;
		questions->gap_to = questions->latest = budget->gap_to;
	}
	_note_all(questions, budget);
	budget_unlock();
	qsort(questions->rows, questions->count, sizeof(*questions->rows),
	      _by_job);
	return 0;
}

/* The records of a job: rows[0 .. count). */
typedef struct {
	const record_t *rows;
	size_t count;
	const question_t *questions;	/* about this job */
	size_t question_count;
	const questions_t *all;
} answer_t;

static int _settle(const answer_t *answer, budget_t *budget,
		   const sb_attempt_t *attempt)
{
	int rc = sb_ledger_settle(budget->ledger, attempt,
				  answer->all->gap_from, answer->all->gap_to);

	for (size_t i = 0; i < answer->question_count; i++)
		rc |= sb_ledger_settle(budget->ledger, attempt,
				       answer->questions[i].from,
				       answer->questions[i].to);
	return rc;
}

/*
 * The records of one run: rows[first .. last]. A run that we know needs its
 * end, with the size it had last; one that we don't is charged piece by piece.
 * Locks: ours.
 */
static int _settle_run(const answer_t *answer, budget_t *budget, size_t first,
		       size_t last)
{
	const record_t *end = &answer->rows[last];
	bool doubted;
	int rc = 0;

	if (!end->attempt.start)
		return 0;
	if (sb_ledger_knows(budget->ledger, end->attempt.job_id,
			    end->attempt.start)) {
		/* It notes when the first record came: of one that goes on,
		 * too. */
		doubted = sb_ledger_doubts(budget->ledger, &end->attempt);
		return (doubted || end->goes_on) ? 0 :
			_settle(answer, budget, &end->attempt);
	}
	for (size_t i = first; i <= last; i++) {
		sb_attempt_t piece = answer->rows[i].attempt;

		piece.start = answer->rows[i].begin;
		piece.resized = 0;
		rc |= _settle(answer, budget, &piece);
	}
	return rc;
}

/*
 * slurmctld forgot a start when it was killed, and started the job anew: then
 * slurmdbd has written the new start over the old one, and its count is ours.
 * RET: that is what has happened to the attempt that began at `start`.
 */
static bool _is_overwritten(const answer_t *answer, int64_t start)
{
	bool later = false;

	for (size_t i = 0; i < answer->count; i++) {
		if (answer->rows[i].attempt.start == start)
			return false;
		if (answer->rows[i].attempt.start > start)
			later = true;
	}
	return later;
}

/* RET: the end of the attempt that began at `start`, of which slurmdbd has lost
 * just that; 0: there is none. */
static int64_t _end_of_lost(const answer_t *answer, int64_t start)
{
	for (size_t i = 0; i < answer->count; i++) {
		const record_t *record = &answer->rows[i];

		if (!record->attempt.start && (record->submit <= start) &&
		    (record->attempt.end >= start))
			return record->attempt.end;
	}
	return 0;
}

/* Attempts that slurmdbd has no record of. Locks: ours. */
static int _settle_rest(const answer_t *answer, budget_t *budget)
{
	int rc = 0;

	for (size_t i = 0; i < answer->question_count; i++) {
		const question_t *question = &answer->questions[i];
		sb_attempt_t attempt = {
			.job_id = question->job_id,
			.start = question->start,
		};

		if (!question->start)
			continue;
		/* slurmctld may have forgotten the start as well, when it was
		 * killed: then the job went on waiting, and this is the end of
		 * its wait. */
		attempt.end = MIN(_end_of_lost(answer, question->start),
				  question->gone);
		if (!attempt.end && _is_overwritten(answer, question->start))
			attempt.end = question->start;
		rc |= sb_ledger_settle(budget->ledger, &attempt, 0, 0);
	}
	return rc;
}

static int _settle_job(const answer_t *answer)
{
	budget_t *budget = budget_lock();
	size_t first = 0;
	int rc = 0;

	for (size_t i = 0; i < answer->count; i++) {
		const record_t *record = &answer->rows[i];

		if (record->attempt.end && !record->goes_on)
			unseen_told(budget, record->attempt.job_id,
				    record->attempt.end);
		if ((i + 1 < answer->count) &&
		    (record[1].attempt.start == record->attempt.start))
			continue;
		rc |= _settle_run(answer, budget, first, i);
		first = i + 1;
	}
	rc |= _settle_rest(answer, budget);
	budget_unlock();
	return rc;
}

/* The lock is taken job by job: a look waits for it with the job lock held. */
static int _settle_all(const records_t *records, const questions_t *all)
{
	size_t at = 0, question = 0;
	int rc = 0;

	while (at < records->count) {
		uint32_t id = records->rows[at].attempt.job_id;
		answer_t answer = { .rows = &records->rows[at], .all = all };

		while ((at < records->count) &&
		       (records->rows[at].attempt.job_id == id)) {
			answer.count++;
			at++;
		}
		while ((question < all->count) &&
		       (all->rows[question].job_id < id))
			question++;
		answer.questions = &all->rows[question];
		while ((question < all->count) &&
		       (all->rows[question].job_id == id)) {
			answer.question_count++;
			question++;
		}
		rc |= _settle_job(&answer);
	}
	return rc;
}

/* IN ids: as records_get(). */
static int _ask(void *conn, const questions_t *questions, const uint32_t *ids)
{
	records_t records;
	int rc;

	rc = records_get(conn, questions->since, ids, questions->count,
			 &records);
	if (!rc)
		rc = _settle_all(&records, questions);
	records_free(&records);
	return rc ? -1 : 0;
}

/* All jobs that ended in the gap. What else was noted of one of them is asked
 * for by number: here its older records may be missing. */
static int _ask_gap(void *conn, const questions_t *all)
{
	questions_t questions = {
		.since = all->gap_from,
		.gap_from = all->gap_from,
		.gap_to = all->gap_to,
	};

	return all->gap_to ? _ask(conn, &questions, NULL) : 0;
}

/* The questions about jobs, from the first-th on. OUT first: of the rest. */
static int _ask_jobs(void *conn, const questions_t *all, size_t *first)
{
	questions_t questions = {
		.rows = &all->rows[*first],
		.count = MIN(IDS_MAX, all->count - *first),
		.since = all->since,
	};
	uint32_t *ids = calloc(questions.count, sizeof(*ids));
	int rc;

	if (!ids)
		return -1;
	for (size_t i = 0; i < questions.count; i++)
		ids[i] = questions.rows[i].job_id;
	rc = _ask(conn, &questions, ids);
	free(ids);
	*first += questions.count;
	return rc;
}

extern int settle_ask(void *conn, const questions_t *questions)
{
	budget_t *budget;
	time_t now = time(NULL);
	size_t first = 0;

	if (_ask_gap(conn, questions))
		return -1;
	while (first < questions->count) {
		if (budget_stopping() || _ask_jobs(conn, questions, &first))
			return -1;
	}
	budget = budget_lock();
	unseen_answered(budget, now);
	budget_unlock();
	/* sshare shows it at the next look. */
	loop_poke();
	return 0;
}
