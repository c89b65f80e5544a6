/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/slurm_compat/settings.h"

#include "asked.h"
#include "pacts.h"
#include "party.h"

#define UNKNOWN UINT8_MAX

static struct {
	uint32_t job_id;	/* 0: nobody */
	const char *comment;	/* where it stood; not to be read */
	uint64_t serial;	/* of the board, 0: none */
	sb_party_t party;
	uint8_t *answers;	/* sb_outlook_t or UNKNOWN, two by node of the
				 * board: of others, of unallocated jobs */
	size_t room;
} asked;

static bool _is_asked(uint64_t serial, const job_record_t *job_ptr)
{
	return (asked.job_id == job_ptr->job_id) &&
	       (asked.comment == job_ptr->comment) &&
	       (asked.serial == serial);
}

/* Without memory nothing is kept. */
static void _clear_answers(const sb_board_t *board)
{
	size_t count = board ? (size_t) board->count * 2 : 0;

	if (count > asked.room) {
		free(asked.answers);
		asked.answers = malloc(count);
		asked.room = asked.answers ? count : 0;
	}
	if (asked.answers)
		memset(asked.answers, UNKNOWN, asked.room);
}

extern const sb_party_t *asked_party(const sb_board_t *board,
				     const job_record_t *job_ptr)
{
	uint64_t serial = board ? board->serial : 0;

	if (_is_asked(serial, job_ptr))
		return &asked.party;
	party_waiting(board, job_ptr, pacts_find(job_ptr->job_id),
		      &asked.party);
	asked.job_id = job_ptr->job_id;
	asked.comment = job_ptr->comment;
	asked.serial = serial;
	_clear_answers(board);
	return &asked.party;
}

static sb_outlook_t _outlook(uint64_t serial, int32_t node, bool unallocated,
			     const job_record_t *job_ptr)
{
	const sb_board_t *board = sb_board_enter();
	sb_outlook_t outlook = SB_OUTLOOK_DEPENDS;
	size_t place = (size_t) node * 2 + unallocated;

	if (board && (board->serial == serial) &&
	    ((uint32_t) node < board->count)) {
		sb_tree_view_t tree = { board->nodes, board->count };

		outlook = sb_policy_outlook(settings_get(), tree, node,
					    unallocated,
					    asked_party(board, job_ptr));
		if (place < asked.room)
			asked.answers[place] = outlook;
	}
	sb_board_leave();
	return outlook;
}

extern sb_outlook_t asked_outlook(uint64_t serial, int32_t node,
				  bool unallocated,
				  const job_record_t *job_ptr)
{
	size_t place = (size_t) node * 2 + unallocated;

	if (node < 0)
		return SB_OUTLOOK_DEPENDS;
	if (_is_asked(serial, job_ptr) && (place < asked.room) &&
	    (asked.answers[place] != UNKNOWN))
		return asked.answers[place];
	return _outlook(serial, node, unallocated, job_ptr);
}

extern void asked_forget(void)
{
	asked.job_id = 0;
}

extern void asked_free(void)
{
	free(asked.answers);
	memset(&asked, 0, sizeof(asked));
}
