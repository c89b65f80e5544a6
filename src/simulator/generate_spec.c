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
	.debug = 0.003, .interactive = 0.03, .large = 0.2,
	.min_debug = 15 * SB_MINUTE, .min_interactive = 2 * SB_HOUR,
	.min_training = 4 * SB_HOUR, .min_large = 8 * SB_HOUR,
	.filler_limit = 12 * SB_HOUR, .season = 0.5, .rush = 0.5,
};

#define WORD(kind, field, min, max) \
	{ #field, kind, offsetof(generate_t, field), min, max }

/* What a preset changes. */
static void be_s1(generate_t *spec)
{
	(void)spec;
}

static void be_s2(generate_t *spec)
{
	spec->owed = 0.94;
	spec->demand = 2.8;
}

static void be_mixed(generate_t *spec)
{
	be_s2(spec);
	spec->days = 14;
	spec->gpus = 256;
	spec->node_cpus = 128;
	spec->node_mem = 2 * 1024 * 1024;
	spec->cpu_heavy = spec->mem_heavy = spec->cpu_only = 0.2;
}

static const struct {
	const char *name;
	void (*be)(generate_t *spec);
} presets[] = {
	{ "month-s1", be_s1 }, { "month-s2", be_s2 }, { "mixed", be_mixed },
};
#define PRESETS (sizeof(presets) / sizeof(*presets))

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
	WORD(WORDS_COUNT, node_cpus, 0, 2048),
	WORD(WORDS_COUNT, node_mem, 0, 1 << 28),
	WORD(WORDS_REAL, cpu_heavy, 0, 1),
	WORD(WORDS_REAL, mem_heavy, 0, 1),
	WORD(WORDS_REAL, cpu_only, 0, 1),
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
	if (spec->cpu_heavy + spec->mem_heavy + spec->cpu_only > 1)
		return sb_err_set(err, "cpu_heavy, mem_heavy and cpu_only are more than all teams");
	if (spec->cpu_heavy + spec->cpu_only > 0 && !spec->node_cpus)
		return sb_err_set(err, "cpu_heavy and cpu_only: nodes have no CPUs (node_cpus=, or CPUs= in --nodes)");
	if (spec->mem_heavy > 0 && !(spec->node_cpus && spec->node_mem))
		return sb_err_set(err, "mem_heavy: nodes have no CPUs and memory (node_cpus= and node_mem=, or in --nodes)");
	if (spec->node_mem && !spec->node_cpus)
		return sb_err_set(err, "node_mem goes with node_cpus only");
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
	size_t len = strcspn(text, ","), preset = 0;

	*spec = month;
	while (preset < PRESETS &&
	       (strlen(presets[preset].name) != len ||
		memcmp(text, presets[preset].name, len)))
		preset++;
	if (preset < PRESETS)
		presets[preset].be(spec);
	else if (!memchr(text, '=', len))
		return sb_err_set(err, "begins with month-s1, month-s2, mixed or WORD=VALUE");
	else
		len = 0;
	text += len;
	text += *text == ',';
	if (words_parse(text, words, WORDS, spec, err))
		return -1;
	return generate_check(spec, err);
}
