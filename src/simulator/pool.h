/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool - pieces of work in processes of their own, some at a time; what they
 * come to is the same, and in the same order, however many there are.
 */
#ifndef SB_SIM_POOL_H
#define SB_SIM_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Most that one piece may answer, bytes. */
#define POOL_ANSWER_MAX (256 * 1024 * 1024)

typedef struct {
	char *data;		/* of the pool */
	size_t size;
} pool_answer_t;

typedef struct {
	/* In a process of its own: do piece `index`. RET: 0 and an answer
	 * (malloc()), or -1 with err. */
	int (*work)(void *arg, size_t index, pool_answer_t *answer,
		    sb_err_t *err);
	/* In ours: so many are done. May be NULL. */
	void (*tell)(void *arg, size_t done, size_t count);
	void *arg;
} pool_t;

/*
 * Do `count` pieces, at most `workers` at a time (at least 1).
 * OUT answers: count of them, pool_free() all.
 * RET: 0, or -1 with err of the first piece that failed; those that run are
 * ended.
 */
extern int pool_run(const pool_t *pool, size_t count, uint32_t workers,
		    pool_answer_t *answers, sb_err_t *err);
extern void pool_free(pool_answer_t *answers, size_t count);

/* RET: how many CPUs this process may use. */
extern uint32_t pool_cpus(void);

#endif
