/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generate_spec - the text of --generate -> what to generate.
 */
#include <stddef.h>
#include <string.h>

#include "generate.h"
#include "limits.h"
#include "words.h"

/* Demand of more jobs than this is a typing error. */
#define DEMAND_MAX 20

static const generate_t month = {
	.days = 30, .gpus = 1024, .node_gpus = 8,
	.programs = 4, .teams = 15, .users = 10,
	.owed = 0.71, .demand = 2.2, .free = 0.6,
	.debug = 0.003, .interactive = 0.03, .large = 0.2, .largest = 512,
	.min_debug = 15 * SB_MINUTE, .min_interactive = 2 * SB_HOUR,
	.min_training = 4 * SB_HOUR, .min_large = 8 * SB_HOUR,
	.filler_limit = 12 * SB_HOUR, .season = 0.5, .rush = 0.5,
};

#define WORD(kind, field, min, max) \
	{ #field, kind, offsetof(generate_t, field), min, max }

static const words_t words[] = {
	WORD(WORDS_COUNT, days, 1, 366),
	WORD(WORDS_COUNT, gpus, 1, 1000000),
	WORD(WORDS_COUNT, node_gpus, 1, 64),
	WORD(WORDS_COUNT, programs, 1, 1000),
	WORD(WORDS_COUNT, teams, 1, 10000),
	WORD(WORDS_COUNT, users, 1, 1000),
	WORD(WORDS_REAL, owed, 0, 1),
	WORD(WORDS_REAL, demand, 0, DEMAND_MAX),
	WORD(WORDS_REAL, free, 0, 1),
	WORD(WORDS_REAL, debug, 0, 1),
	WORD(WORDS_REAL, interactive, 0, 1),
	WORD(WORDS_REAL, large, 0, 1),
	WORD(WORDS_COUNT, largest, 8, 1000000),
	WORD(WORDS_TIME, min_debug, SB_MINUTE, SB_DAY),
	WORD(WORDS_TIME, min_interactive, 0, 30 * SB_DAY),
	WORD(WORDS_TIME, min_training, 0, 30 * SB_DAY),
	WORD(WORDS_TIME, min_large, 0, 30 * SB_DAY),
	WORD(WORDS_TIME, filler_limit, SB_MINUTE, 30 * SB_DAY),
	WORD(WORDS_REAL, season, 0, 1),
	WORD(WORDS_REAL, rush, 0, 3),
};

extern int generate_check(const generate_t *spec, sb_err_t *err)
{
	if (spec->teams < spec->programs)
		return sb_err_set(err, "teams=%u: no fewer than programs (%u)",
				  spec->teams, spec->programs);
	if (spec->debug + spec->interactive + spec->large > 1)
		return sb_err_set(err, "debug, interactive and large are more than all");
	if (spec->largest > spec->gpus)
		return sb_err_set(err, "largest=%u: the cluster has %u GPUs",
				  spec->largest, spec->gpus);
	if (spec->demand * (1 - spec->free) < spec->owed)
		return sb_err_set(err, "owed=%g: charged demand is %g of capacity (demand x (1 - free)) and cannot be less",
				  spec->owed, spec->demand * (1 - spec->free));
	if (!(spec->owed > 0) && spec->demand * (1 - spec->free) > 0)
		return sb_err_set(err, "owed=0: with charged demand, some team is owed something");
	return 0;
}

#define WORDS (sizeof(words) / sizeof(*words))

extern bool generate_knows(const char *name, size_t len)
{
	return words_find(name, len, words, WORDS) >= 0;
}

extern int generate_change(generate_t *spec, const char *name, size_t name_len,
			   const char *value, size_t value_len, sb_err_t *err)
{
	return words_set(name, name_len, value, value_len, words, WORDS, spec,
			 err);
}

extern int generate_parse(const char *text, generate_t *spec, sb_err_t *err)
{
	size_t len = strcspn(text, ",");

	*spec = month;
	if (len == strlen("month-s2") && !memcmp(text, "month-s2", len)) {
		spec->owed = 0.94;
		spec->demand = 2.8;
	} else if (len != strlen("month-s1") ||
		   memcmp(text, "month-s1", len)) {
		if (!memchr(text, '=', len))
			return sb_err_set(err, "begins with month-s1, month-s2 or WORD=VALUE");
		len = 0;
	}
	text += len;
	text += *text == ',';
	if (words_parse(text, words, WORDS, spec, err))
		return -1;
	return generate_check(spec, err);
}
