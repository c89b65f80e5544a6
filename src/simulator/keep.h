/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keep - the texts of --reservation -> reservations, in the words of scontrol
 * create reservation: "StartTime=8h,Duration=12:00:00,NodeCnt=64,
 * Accounts=team01" and Created=TIME (default 0). Times are since the first
 * moment of the workload.
 */
#ifndef SB_SIM_KEEP_H
#define SB_SIM_KEEP_H

#include "engine.h"

#define KEEP_MAX 64

typedef struct {
	engine_reservation_t list[KEEP_MAX];
	size_t count;
} keep_t;

/* Append one. IN workload: has its accounts; NULL: the text is checked, but
 * for the account. RET: 0, or -1 with err. */
extern int keep_add(keep_t *keep, const char *text,
		    const workload_t *workload, sb_err_t *err);

#endif
