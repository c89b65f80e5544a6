/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/board/board.h"
#include "src/slurm_compat/contracts.h"

#include "classes.h"
#include "party.h"

#define ROOM_MIN 1024		/* a power of 2 */
#define ROOM_MAX (1U << 24)
#define TURN_MAX (1U << 27)	/* half of what fits */

/* Numbers of waiting jobs lie close together: a job's place is its number. Two
 * of one place take it from each other, and are read anew. */
typedef struct {
	uint32_t job_id;
	uint32_t turn : 28;	/* in which it was read */
	uint32_t class : 2;	/* sb_policy_queue_class() */
	uint32_t kind : 2;	/* sb_class_t: what the comment says */
} slot_t;

/* Under the job lock, R of the look and W of the scheduler. */
static slot_t *slots;
static uint64_t *hashes;	/* of the comments that were read; as many */
static uint32_t room;		/* a power of 2 */
static uint32_t turn = 1;
static uint64_t funding;	/* that of the board when the turn began */

/* FNV-1a. */
static uint64_t _hash(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; text && *text; text++)
		hash = (hash ^ (unsigned char) *text) * 0x100000001b3ULL;
	return hash;
}

/* A comment is edited now and then: one that reads as before is not taken apart
 * again, which would take microseconds, for each of 100,000 jobs. */
static slot_t _read(const job_record_t *job_ptr, const slot_t *old,
		    uint64_t *old_hash)
{
	const sb_board_t *board = sb_board_enter();
	uint64_t hash = _hash(job_ptr->comment);
	slot_t slot = { .job_id = job_ptr->job_id, .turn = turn };
	sb_party_t party = { 0 };

	if (old && (old->job_id == slot.job_id) && (*old_hash == hash)) {
		party.class = old->kind;
		party_place(board, job_ptr, &party);
	} else
		party_waiting(board, job_ptr, NULL, &party);
	slot.kind = party.class;
	slot.class = sb_policy_queue_class(&party);
	if (old)
		*old_hash = hash;
	sb_board_leave();
	return slot;
}

/* Without memory every class is read every time, until there is some. */
static void _make_room(void)
{
	uint32_t wanted = ROOM_MIN;
	size_t jobs = job_list ? list_count(job_list) : 0;

	while ((wanted < jobs) && (wanted < ROOM_MAX))
		wanted *= 2;
	if ((turn < TURN_MAX) && (wanted <= room))
		return;
	classes_free();
	slots = calloc(wanted, sizeof(*slots));
	hashes = calloc(wanted, sizeof(*hashes));
	if (!slots || !hashes)
		classes_free();
	else
		room = wanted;
}

static slot_t *_slot(uint32_t job_id)
{
	return slots ? &slots[job_id & (room - 1)] : NULL;
}

static uint32_t _class(const job_queue_rec_t *rec)
{
	slot_t *slot = _slot(rec->job_id);

	if (slot && (slot->job_id == rec->job_id) && (slot->turn >= turn))
		return slot->class;
	if (!slot)
		return _read(rec->job_ptr, NULL, NULL).class;
	*slot = _read(rec->job_ptr, slot, &hashes[slot - slots]);
	return slot->class;
}

extern bool classes_before(const job_queue_rec_t *a, const job_queue_rec_t *b)
{
	uint64_t now = sb_board_funding();

	if (!slots)
		_make_room();
	/* The look under way has read some for the next turn. */
	if (funding != now) {
		funding = now;
		turn += 2;
	}
	return _class(a) < _class(b);
}

extern void classes_begin(void)
{
	_make_room();
}

extern void classes_note(const job_record_t *job_ptr)
{
	slot_t *slot = _slot(job_ptr->job_id);

	if (!slot)
		return;
	*slot = _read(job_ptr, slot, &hashes[slot - slots]);
	slot->turn = turn + 1;
}

extern void classes_end(void)
{
	turn++;
}

extern void classes_forget(void)
{
	if (slots)
		memset(slots, 0, room * sizeof(*slots));
}

extern void classes_free(void)
{
	free(slots);
	free(hashes);
	slots = NULL;
	hashes = NULL;
	room = 0;
	turn = 1;
}
