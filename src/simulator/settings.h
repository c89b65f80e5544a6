/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings - what one replay is run with: policy, PriorityParameters,
 * scheduler, and what is generated. A list of word=value says all of it, so
 * that --compare and --sweep can change any of it.
 *
 * Words: policy=NAME; those of PriorityParameters; those of
 * SchedulerParameters that the engine has, in Slurm's units; those of the
 * engine's other options; charge=gpu|sum|max|drf, and weights=LIST, where LIST
 * is that of TRESBillingWeights, commas and all; count=gpu|dominant; with
 * --generate those of its SPEC. A later word replaces an earlier one.
 */
#ifndef SB_SIM_SETTINGS_H
#define SB_SIM_SETTINGS_H

#include "engine.h"
#include "generate.h"

/* Longest list of PriorityParameters. */
#define SETTINGS_PARAMS_MAX 4096
/* Longest name of a run. */
#define SETTINGS_LABEL_MAX 96

typedef struct {
	char label[SETTINGS_LABEL_MAX];	/* what it is called in tables */
	engine_options_t engine;	/* pools and params are set later */
	int64_t bf_window;		/* minutes, as in Slurm */
	bool count_dominant;	/* reports count thousandths of a GPU's worth
				 * of dominant shares, not GPUs */
	char params[SETTINGS_PARAMS_MAX];	/* PriorityParameters */
	bool generates;
	generate_t generate;
	uint64_t seed;
} settings_t;

/* The engine's defaults. IN generate: NULL: nothing is generated. */
extern void settings_begin(settings_t *settings, const generate_t *generate,
			   uint64_t seed);

/* Change what a list names. RET: 0, or -1 with err, half done. */
extern int settings_add(settings_t *settings, const char *list,
			sb_err_t *err);

/* "POLICY", "POLICY:LIST" or "LIST"; the text becomes the label. RET: as
 * above. */
extern int settings_variant(settings_t *settings, const char *text,
			    sb_err_t *err);

/* RET: the PriorityParameters (sb_params_destroy()), NULL with err. */
extern sb_params_t *settings_params(const settings_t *settings,
				    sb_err_t *err);

/* RET: "multifactor-qos" and the like; never NULL. */
extern const char *settings_policy(const settings_t *settings);

#endif
