/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "crews.h"

/* Budgets of teams: deviation of the logarithm. */
#define BUDGET_SIGMA 0.5
/* Shares of all teams together. */
#define SHARES 10000
/* Part of what is owed that hungry teams have. */
#define HUNGRY 0.6
/* A modest team asks for this part of its budget, before scaling. */
#define MODEST_MIN 0.3
/* The most that one asks for which is called modest. */
#define MODEST_MAX 0.98

static void draw_budgets(crews_t *crews, const generate_t *spec, dice_t *dice)
{
	double sum = 0;

	for (uint32_t i = 0; i < crews->count; i++) {
		crew_t *crew = &crews->crews[i];

		crew->program = i % spec->programs;
		crew->budget = dice_around(dice, 1, BUDGET_SIGMA);
		crew->filler = dice_around(dice, 1, BUDGET_SIGMA);
		crew->demand = MODEST_MIN + (1 - MODEST_MIN) * dice_real(dice);
		sum += crew->budget;
	}
	for (uint32_t i = 0; i < crews->count; i++)
		crews->crews[i].budget /= sum;
}

/* Enough teams, in an order of chance, that their budgets are the part of
 * `owed` which hungry teams have. RET: their budgets. */
static double choose_hungry(crews_t *crews, double owed, double charged,
			    dice_t *dice)
{
	double has = 0, want = HUNGRY * owed;
	uint32_t at = dice_below(dice, crews->count);

	/* Nobody can owe a part of capacity to teams of less. */
	if (owed > MODEST_MAX)
		want = owed;
	for (uint32_t i = 0; i < crews->count && has < want; i++) {
		crew_t *crew = &crews->crews[(at + i) % crews->count];

		/* Not over it: then owed could not be met. */
		if (has + crew->budget > owed)
			continue;
		crew->hungry = true;
		has += crew->budget;
	}
	/* All are too big: one of them is, all the same. */
	if (!(has > 0) && charged > owed) {
		crews->crews[at].hungry = true;
		has = crews->crews[at].budget;
	}
	return has;
}

/* Modest teams ask for `want` together, each less than its budget: those that
 * would not are held there, and the others ask for more. */
static double scale_modest(crews_t *crews, double want)
{
	double asks = 0;

	for (int round = 0; round < 20; round++) {
		double free = 0, held = 0, times;

		for (uint32_t i = 0; i < crews->count; i++) {
			const crew_t *crew = &crews->crews[i];
			double part = crew->budget * crew->demand;

			if (crew->hungry)
				continue;
			if (crew->demand >= MODEST_MAX)
				held += part;
			else
				free += part;
		}
		times = free > 0 && want > held ? (want - held) / free :
			free > 0 ? want / (free + held) : 1;
		asks = 0;
		for (uint32_t i = 0; i < crews->count; i++) {
			crew_t *crew = &crews->crews[i];

			if (crew->hungry)
				continue;
			if (crew->demand < MODEST_MAX || want <= held)
				crew->demand *= times;
			if (crew->demand > MODEST_MAX)
				crew->demand = MODEST_MAX;
			asks += crew->budget * crew->demand;
		}
		if (fabs(asks - want) < 1e-9)
			break;
	}
	return asks;
}

/* From parts of budgets to parts of capacity. */
static void settle(crews_t *crews, const generate_t *spec, double hungry,
		   double modest)
{
	double charged = spec->demand * (1 - spec->free), filler = 0;
	double times = hungry > 0 ? (charged - modest) / hungry : 0;

	for (uint32_t i = 0; i < crews->count; i++)
		filler += crews->crews[i].filler;
	for (uint32_t i = 0; i < crews->count; i++) {
		crew_t *crew = &crews->crews[i];

		crew->demand = crew->budget * (crew->hungry ? times :
					       crew->demand);
		crew->filler *= spec->demand * spec->free / filler;
	}
}

static int add_team(crews_t *crews, uint32_t index, const generate_t *spec,
		    workload_t *workload, sb_err_t *err)
{
	crew_t *crew = &crews->crews[index];
	char name[32];
	int32_t program, team;

	snprintf(name, sizeof(name), "program%u", crew->program + 1);
	program = workload_assoc(workload, 0, name, false, err);
	snprintf(name, sizeof(name), "team%02u%s", index + 1,
		 flavour_suffix(crew->flavour));
	team = program < 0 ? -1 :
		workload_assoc(workload, program, name, false, err);
	if (team < 0)
		return -1;
	workload->assocs[team].shares =
		(uint32_t)lround(crew->budget * SHARES) + 1;
	for (uint32_t i = 0; i < spec->users; i++) {
		int32_t user;

		snprintf(name, sizeof(name), "user%02u-%02u", index + 1,
			 i + 1);
		user = workload_assoc(workload, team, name, true, err);
		if (user < 0)
			return -1;
		if (!i)
			crew->first_user = (uint32_t)user;
	}
	return 0;
}

/* A program has what its teams have. */
static void add_up(workload_t *workload)
{
	for (size_t i = 1; i < workload->assoc_count; i++) {
		workload_assoc_t *assoc = &workload->assocs[i];

		if (assoc->parent == 0)
			assoc->shares = 0;
	}
	for (size_t i = 1; i < workload->assoc_count; i++) {
		const workload_assoc_t *assoc = &workload->assocs[i];

		if (assoc->parent > 0 && !assoc->user)
			workload->assocs[assoc->parent].shares +=
				assoc->shares;
	}
}

/* The last that is drawn: teams without are the same with it and without. */
static int draw_flavours(crews_t *crews, const generate_t *spec, dice_t *dice,
			 sb_err_t *err)
{
	flavour_t *flavours = calloc(crews->count, sizeof(*flavours));
	int rc = flavours ? flavour_draw(spec, dice, flavours) : -1;

	for (uint32_t i = 0; !rc && i < crews->count; i++)
		crews->crews[i].flavour = flavours[i];
	free(flavours);
	return rc ? sb_err_set(err, "no memory") : 0;
}

extern crews_t *crews_create(const generate_t *spec, workload_t *workload,
			     dice_t *dice, sb_err_t *err)
{
	crews_t *crews = calloc(1, sizeof(*crews));
	double hungry, modest;

	if (crews)
		crews->crews = calloc(spec->teams, sizeof(*crews->crews));
	if (!crews || !crews->crews) {
		sb_err_set(err, "no memory");
		crews_destroy(crews);
		return NULL;
	}
	crews->count = spec->teams;
	draw_budgets(crews, spec, dice);
	hungry = choose_hungry(crews, spec->owed,
			       spec->demand * (1 - spec->free), dice);
	modest = scale_modest(crews, spec->owed > hungry ?
			      spec->owed - hungry : 0);
	settle(crews, spec, hungry, modest);
	if (draw_flavours(crews, spec, dice, err)) {
		crews_destroy(crews);
		return NULL;
	}
	for (uint32_t i = 0; i < crews->count; i++) {
		if (add_team(crews, i, spec, workload, err)) {
			crews_destroy(crews);
			return NULL;
		}
	}
	add_up(workload);
	return crews;
}

extern void crews_destroy(crews_t *crews)
{
	if (!crews)
		return;
	free(crews->crews);
	free(crews);
}
