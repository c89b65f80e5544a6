/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_board - what a board's numbers promise to who has kept what he read.
 */
#include <check.h>

#include "src/board/board.h"
#include "suite.h"
#include "tree_case.h"

#define COUNT 3

/* Published: root with two users. RET: it. */
static const sb_board_t *publish(uint32_t last_id, uint32_t shares,
				 uint64_t usage)
{
	const uint32_t ids[COUNT] = { 1, 2, last_id };
	node_t nodes[COUNT] = {
		account(SB_NO_PARENT, 1),
		user(0, 1, 100),
		user(0, shares, usage),
	};
	uint32_t ranks = compute(nodes, COUNT, 8, 2);
	sb_params_t params = { 0 };
	sb_board_t *board = sb_board_create(ids, nodes, COUNT, ranks, 1,
					    &params);

	ck_assert_ptr_nonnull(board);
	sb_board_publish(board);
	return board;
}

START_TEST(nothing)
{
	ck_assert_ptr_null(sb_board_enter());
	sb_board_leave();
	ck_assert_uint_eq(sb_board_serial(), 0);
	ck_assert_uint_eq(sb_board_funding(), 0);
}
END_TEST

/* Each board has a serial number of its own; its funding is another only when
 * others are funded. */
START_TEST(numbers)
{
	static const struct {
		uint32_t last_id, shares;
		uint64_t usage;
		bool same;
	} boards[] = {
		{ 3, 1, 0, false },
		{ 3, 1, 0, true },
		{ 3, 1, 5000, true },	/* ranks move */
		{ 3, 9, 5000, true },	/* more of it */
		{ 3, 0, 5000, false },	/* no budget any more */
		{ 3, 0, 0, true },
		{ 4, 0, 0, false },	/* another association */
		{ 4, 1, 0, false },
	};
	uint64_t serial = 0, funding = 0;

	for (size_t i = 0; i < sizeof(boards) / sizeof(*boards); i++) {
		const sb_board_t *board = publish(boards[i].last_id,
						  boards[i].shares,
						  boards[i].usage);

		ck_assert_uint_ne(board->serial, serial);
		ck_assert_msg((board->funding == funding) == boards[i].same,
			      "board %zu", i);
		serial = board->serial;
		funding = board->funding;
		ck_assert_uint_eq(sb_board_serial(), serial);
		ck_assert_uint_eq(sb_board_funding(), funding);
	}
	sb_board_publish(NULL);
	ck_assert_uint_eq(sb_board_serial(), 0);
	ck_assert_uint_eq(sb_board_funding(), 0);
	/* The same behind nothing: nobody knows what was meanwhile. */
	ck_assert_uint_ne(publish(4, 1, 0)->funding, funding);
	sb_board_publish(NULL);
}
END_TEST

/* Who reads keeps his board, whatever is published. */
START_TEST(readers)
{
	const sb_board_t *board = publish(3, 1, 0);
	const sb_board_t *read = sb_board_enter();

	ck_assert_ptr_eq(read, board);
	(void) publish(4, 0, 0);
	sb_board_publish(NULL);
	ck_assert_uint_eq(read->ids[2], 3);
	ck_assert(read->nodes[2].funded);
	ck_assert_int_eq(sb_board_index(read, 3), 2);
	ck_assert_int_eq(sb_board_index(read, 4), SB_NO_NODE);
	ck_assert(!sb_board_find(read, 4)->funded);
	sb_board_leave();
	/* Frees those that were kept for him. */
	sb_board_publish(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("board");
	TCase *tcase = tcase_create("board");

	tcase_add_test(tcase, nothing);
	tcase_add_test(tcase, numbers);
	tcase_add_test(tcase, readers);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
