/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/board/board.h"
#include "src/slurm_compat/contracts.h"

#include "classes.h"
#include "party.h"

#define ROOM_MIN 1024		/* a power of 2 */
#define ROOM_MAX (1U << 24)
#define TURN_MAX (1U << 28)

/* Numbers of waiting jobs lie close together: a job's place is its number. Two
 * of one place take it from each other, and are read anew. */
typedef struct {
	uint32_t job_id;
	uint32_t turn : 28;	/* in which it was read */
	uint32_t class : 4;
} slot_t;

/* Under job W. */
static slot_t *slots;
static uint32_t room;		/* a power of 2 */
static uint32_t turn = 1;
static uint64_t serial;		/* of the board that was read */

/* RET: smaller goes first. */
static uint32_t _read_class(const job_record_t *job_ptr)
{
	const sb_board_t *board = sb_board_enter();
	sb_party_t party;
	uint32_t class;

	party_waiting(board, job_ptr, NULL, &party);
	class = sb_policy_queue_class(&party);
	sb_board_leave();
	return class;
}

static void _begin_turn(void)
{
	uint32_t wanted = ROOM_MIN;
	size_t jobs = job_list ? list_count(job_list) : 0;
	slot_t *fresh;

	serial = sb_board_serial();
	while ((wanted < jobs) && (wanted < ROOM_MAX))
		wanted *= 2;
	if ((++turn < TURN_MAX) && (wanted <= room))
		return;
	/* Without memory every class is read every time. */
	fresh = calloc(wanted, sizeof(*fresh));
	free(slots);
	slots = fresh;
	room = fresh ? wanted : 0;
	turn = 1;
}

static uint32_t _class(const job_queue_rec_t *rec)
{
	slot_t *slot = slots ? &slots[rec->job_id & (room - 1)] : NULL;

	if (slot && (slot->job_id == rec->job_id) && (slot->turn == turn))
		return slot->class;
	if (!slot)
		return _read_class(rec->job_ptr);
	*slot = (slot_t) {
		.job_id = rec->job_id,
		.turn = turn,
		.class = _read_class(rec->job_ptr),
	};
	return slot->class;
}

extern bool classes_before(const job_queue_rec_t *a, const job_queue_rec_t *b)
{
	if (!slots || (serial != sb_board_serial()))
		_begin_turn();
	return _class(a) < _class(b);
}

extern void classes_forget(void)
{
	/* No board has this number: the next question begins a turn. */
	serial = UINT64_MAX;
}

extern void classes_free(void)
{
	free(slots);
	slots = NULL;
	room = 0;
	turn = 1;
	serial = 0;
}
