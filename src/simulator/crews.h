/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crews - the teams of a synthetic workload: their budgets, and what they ask
 * for. Inside of generate.
 */
#ifndef SB_SIM_CREWS_H
#define SB_SIM_CREWS_H

#include "dice.h"
#include "flavour.h"
#include "generate.h"

typedef struct {
	double budget;		/* part of capacity; all together 1 */
	double demand;		/* charged, in the same unit */
	double filler;		/* free, same */
	uint32_t program;
	flavour_t flavour;
	bool hungry;		/* asks for more than its budget */
	uint32_t first_user;	/* association; its users are in a row */
} crew_t;

typedef struct {
	crew_t *crews;
	uint32_t count;
} crews_t;

/* Draws the teams, and adds them to the tree. RET: NULL with err. */
extern crews_t *crews_create(const generate_t *spec, workload_t *workload,
			     dice_t *dice, sb_err_t *err);
/* NULL is legal. */
extern void crews_destroy(crews_t *crews);

#endif
