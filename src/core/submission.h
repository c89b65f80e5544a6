/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submission - may a job be submitted, or changed, with this declaration, and
 * what is its user told?
 *
 * Whoever submits is told at once what could never be kept: a declaration that
 * cannot be read, one over min_runtime_max of a partition, one over the time
 * limit, or none at all under undeclared=reject. Nobody is above these rules:
 * an administrator's job that is promised too much is a promise broken.
 */
#ifndef SB_CORE_SUBMISSION_H
#define SB_CORE_SUBMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"
#include "err.h"
#include "params.h"

/* Time limits other than seconds from 0 on. */
#define SB_TIME_UNLIMITED (-1)
#define SB_TIME_UNSET (-2)

/* A partition that a job may run in. */
typedef struct {
	const char *name;	/* may be NULL */
	int64_t time_limit;	/* what it gives a job that sets none, seconds
				 * or SB_TIME_UNLIMITED */
	bool exempt;		/* preemption is off in it */
} sb_request_part_t;

/* A job as it is asked for. */
typedef struct {
	const char *comment;	/* NULL: none */
	const sb_request_part_t *parts;
	size_t part_count;	/* 0: unknown, the general cap counts */
	int64_t time_limit;	/* seconds, or one of SB_TIME_* */
	bool requeueable;
	bool preempts;		/* something acts on contracts here: a job may
				 * lose its place */
} sb_request_t;

typedef enum {
	SB_ANSWER_YES,
	SB_ANSWER_MALFORMED,	/* cannot be read */
	SB_ANSWER_OVER,		/* a cap or a time limit */
	SB_ANSWER_MISSING,	/* undeclared=reject */
	SB_ANSWER_RAISED	/* runs already: its minimum may only go down */
} sb_answer_t;

/*
 * A new job.
 * Of several partitions the strictest counts, as it is not known yet where the
 * job will run; so it is with time limits.
 * OUT message: why not, naming the word, its value and what is allowed. With
 * SB_ANSWER_YES a note to the user, or empty: a job that cannot be requeued
 * loses its work when it is preempted, which its user should know in time.
 */
extern sb_answer_t sb_submission_check(const sb_params_t *params,
				       const sb_request_t *request,
				       sb_err_t *message);

/*
 * An update, from what the job asks for to what it would ask for then.
 * What the update leaves alone is not judged: a job that was taken under other
 * settings can still get another name.
 * IN contract: of a job that has started, as it was last signed; NULL for a
 * job that waits. A job that runs may declare up to what it declared at its
 * start (what it was granted, when that was nothing or has been lowered since);
 * a shorter time limit is its own affair.
 * OUT message: why not; else empty.
 */
extern sb_answer_t sb_submission_change(const sb_params_t *params,
					const sb_request_t *before,
					const sb_request_t *after,
					const sb_contract_t *contract,
					sb_err_t *message);

#endif
