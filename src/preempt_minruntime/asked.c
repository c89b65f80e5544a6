/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/slurm_compat/settings.h"

#include "asked.h"
#include "pacts.h"
#include "party.h"

enum { UNKNOWN, NEVER, MAYBE };

static struct {
	uint32_t job_id;	/* 0: nobody */
	const char *comment;	/* where it stood; not to be read */
	uint64_t serial;	/* of the board, 0: none */
	sb_party_t party;
	uint8_t *answers;	/* by node of the board */
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
	size_t count = board ? board->count : 0;

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

static uint8_t _answer(uint64_t serial, int32_t node,
		       const job_record_t *job_ptr)
{
	const sb_board_t *board = sb_board_enter();
	sb_tree_view_t tree = { 0 };
	uint8_t answer = MAYBE;

	if (board && (board->serial == serial) && (node >= 0) &&
	    ((uint32_t) node < board->count)) {
		tree.nodes = board->nodes;
		tree.count = board->count;
		if (sb_policy_never(settings_get(), tree, node,
				    asked_party(board, job_ptr)))
			answer = NEVER;
		if ((size_t) node < asked.room)
			asked.answers[node] = answer;
	}
	sb_board_leave();
	return answer;
}

extern bool asked_never(uint64_t serial, int32_t node,
			const job_record_t *job_ptr)
{
	if (_is_asked(serial, job_ptr) && (node >= 0) &&
	    ((size_t) node < asked.room) && (asked.answers[node] != UNKNOWN))
		return asked.answers[node] == NEVER;
	return _answer(serial, node, job_ptr) == NEVER;
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
