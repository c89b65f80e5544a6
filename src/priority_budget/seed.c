/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/dbd.h"

#include "budget.h"
#include "loop.h"
#include "records.h"
#include "seed.h"

#define HOUR 3600
/* Hours per question, fewer than a day: whole days would be answered from
 * the daily table, which has no hours. */
#define CHUNK (23 * HOUR)
/* More than is served from what was freed last, bytes. */
#define MUCH (64 * 1024)
/* Hours of associations per hold of our lock: of a few, as the first of each
 * takes memory. */
#define SLICE 128

typedef struct {
	uint32_t assoc_id;
	int64_t from;
	int64_t to;
	double charge;
} seed_t;

/* What is asked, and what was answered. */
typedef struct {
	uint32_t tres_id;
	int64_t window;		/* its width when we began */
	int64_t start;		/* of the window, a whole hour */
	int64_t since;		/* the ledger's own charges begin */
	int64_t rolled;		/* slurmdbd's hours end */
	credit_t credit;
	seed_t *seeds;
	size_t count;
	size_t room;
} seeding_t;

static int _note_seed(seeding_t *seeding, const seed_t *seed)
{
	if (seeding->count == seeding->room) {
		size_t more = seeding->room ? seeding->room * 2 : 1024;
		seed_t *moved = realloc(seeding->seeds, more * sizeof(*moved));

		if (!moved)
			return -1;
		seeding->seeds = moved;
		seeding->room = more;
	}
	seeding->seeds[seeding->count++] = *seed;
	return 0;
}

/* One association's hours. */
static int _seed_assoc(slurmdb_assoc_rec_t *assoc, seeding_t *seeding)
{
	sb_list_itr_t *itr;
	slurmdb_accounting_rec_t *row;
	uint32_t id;
	int rc = 0;

	/* Rows of accounts repeat those of their users. */
	if (!assoc->user || !assoc->accounting_list)
		return 0;
	id = records_credited(&seeding->credit, assoc->id, assoc->acct);
	itr = list_iterator_create(assoc->accounting_list);
	while (!rc && (row = list_next(itr))) {
		seed_t seed = {
			.assoc_id = id,
			.from = row->period_start,
			.to = row->period_start + HOUR,
			.charge = row->alloc_secs,
		};

		/* slurmdbd may sum up another hour while we ask: its jobs are
		 * asked for. */
		if ((row->tres_rec.id == seeding->tres_id) &&
		    (seed.to <= seeding->rolled))
			rc = _note_seed(seeding, &seed);
	}
	list_iterator_destroy(itr);
	return rc;
}

static int _seed_chunk(void *conn, seeding_t *seeding, time_t start)
{
	sb_list_t list = dbd_get_usage(conn, start, start + CHUNK);
	sb_list_itr_t *itr;
	slurmdb_assoc_rec_t *assoc;
	int rc = 0;

	if (!list)
		return -1;
	itr = list_iterator_create(list);
	while (!rc && (assoc = list_next(itr)))
		rc = _seed_assoc(assoc, seeding);
	list_iterator_destroy(itr);
	FREE_NULL_LIST(list);
	return rc;
}

/* The part of a record that lies before our own charges and behind slurmdbd's
 * hours. */
static int _seed_record(seeding_t *seeding, const record_t *record)
{
	const sb_attempt_t *attempt = &record->attempt;
	seed_t seed = {
		.assoc_id = attempt->assoc_id,
		.from = MAX(record->begin, seeding->rolled),
		.to = seeding->since,
	};

	if (attempt->end)
		seed.to = MIN(seed.to, attempt->end);
	if (!attempt->start || (seed.from >= seed.to))
		return 0;
	seed.charge = attempt->rate * attempt->factor * (seed.to - seed.from);
	return _note_seed(seeding, &seed);
}

static int _seed_records(void *conn, seeding_t *seeding)
{
	records_t records;
	int rc;

	rc = records_get(conn, seeding->rolled, NULL, 0, &records);
	for (size_t i = 0; !rc && (i < records.count); i++)
		rc = _seed_record(seeding, &records.rows[i]);
	records_free(&records);
	return rc;
}

static int _ask(void *conn, seeding_t *seeding)
{
	seeding->rolled = dbd_get_rolled(conn, seeding->start, seeding->since);
	if (seeding->rolled < 0)
		return -1;
	/* The hour at the edge is ours. */
	seeding->rolled = MIN(seeding->rolled, seeding->since);
	for (time_t at = seeding->start; at < seeding->since; at += CHUNK) {
		if (budget_stopping() || _seed_chunk(conn, seeding, at))
			return -1;
	}
	if (seeding->rolled >= seeding->since)
		return 0;
	return _seed_records(conn, seeding);
}

/* RET: 0, or -1 without memory. Locks: ours. */
static int _apply_slice(sb_ledger_t *ledger, const seed_t *seeds, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		rc |= sb_ledger_seed(ledger, seeds[i].assoc_id, seeds[i].from,
				     seeds[i].to, seeds[i].charge);
	return rc;
}

static void _tell(const seeding_t *seeding, bool complete)
{
	time_t start = seeding->start;
	char since[32];
	double sum = 0;

	if (!complete) {
		error("priority/budget: no memory for all of slurmdbd's history: the window lacks a part of it");
		return;
	}
	for (size_t i = 0; i < seeding->count; i++)
		sum += seeding->seeds[i].charge;
	slurm_make_time_str(&start, since, sizeof(since));
	info("priority/budget: window filled from slurmdbd: %.0f TRES-hours since %s",
	     sum / HOUR, since);
}

/* Narrowed and widened again while slurmdbd was asked, the ring has forgotten
 * more than was asked for, and all that it was told meanwhile. Locks: ours. */
static bool _stands(const budget_t *budget, const seeding_t *seeding)
{
	return budget_seed_until(budget) == seeding->since;
}

/*
 * Put the answers into the ledger: all of them, before it is saved again
 * (budget_t.seeding), and a few at a time, since slurmctld waits for our lock
 * at a job's end. Or none: history.c asks again at once.
 */
static void _apply(const seeding_t *seeding)
{
	budget_t *budget = budget_lock();
	bool stands;
	int rc = 0;

	budget->seeding = true;
	for (size_t i = 0; !rc && (i < seeding->count) &&
	     _stands(budget, seeding); i += SLICE) {
		rc = _apply_slice(budget->ledger, &seeding->seeds[i],
				  MIN(SLICE, seeding->count - i));
		budget_unlock();
		budget = budget_lock();
	}
	budget->seeding = false;
	stands = _stands(budget, seeding);
	if (stands) {
		/* Widened meanwhile: what was before is still to be read. */
		budget->seeded = (budget->params->window <= seeding->window);
		budget->seed_until = budget->seeded ? 0 : seeding->start;
	}
	budget_unlock();
	if (stands)
		_tell(seeding, !rc);
}

/* The allocator puts off to sort what we have freed, a million rows, until it
 * is asked for much: let that not be with our lock held. */
static void _sort_freed(void)
{
	volatile char *much = malloc(MUCH);

	if (much)
		much[0] = 0;
	free((void *) much);
}

extern int seed_window(void *conn)
{
	budget_t *budget = budget_lock();
	seeding_t seeding = {
		.since = budget_seed_until(budget),
		.window = budget->params->window,
		.start = time(NULL) - budget->params->window,
	};
	int pos = budget->charge_pos, rc;

	budget_unlock();
	seeding.tres_id = records_tres_id(pos);
	seeding.start -= seeding.start % HOUR;
	rc = _ask(conn, &seeding);
	_sort_freed();
	if (!rc) {
		_apply(&seeding);
		/* Who switches looks at sshare at once. */
		loop_kick();
	}
	free(seeding.seeds);
	return rc;
}
