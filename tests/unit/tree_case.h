/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_case - nodes of a tree as its tests write them.
 */
#ifndef TEST_TREE_CASE_H
#define TEST_TREE_CASE_H

#include <check.h>

#include "tree.h"

#define P SB_SHARES_PARENT

typedef sb_tree_node_t node_t;

static inline node_t account(int32_t parent, uint32_t shares)
{
	return (node_t) { .parent = parent, .shares = shares };
}

static inline node_t user(int32_t parent, uint32_t shares, uint64_t usage)
{
	return (node_t) { .parent = parent, .shares = shares, .user = true,
			  .own_usage = usage };
}

/* RET: number of ranks. */
static inline uint32_t compute(node_t *nodes, size_t count, double cap,
			       double burst)
{
	sb_err_t err = { "" };
	uint32_t ranks = 0;

	ck_assert_msg(!sb_tree_compute(nodes, count, cap, burst, &ranks, &err),
		      "%s", err.text);
	return ranks;
}

#endif
