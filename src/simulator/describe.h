/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe - what was replayed and how, as JSON.
 */
#ifndef SB_SIM_DESCRIBE_H
#define SB_SIM_DESCRIBE_H

#include <json-c/json.h>

#include "load.h"
#include "settings.h"

/* {"run", "policy", "parameters", "seed"}. RET: a new object. */
extern json_object *describe_run(const settings_t *run);
/* null for what is not finite. */
extern void describe_real(json_object *object, const char *name, double value);
/* {"sbudget_sim": VERSION, "workload": {...}, "runs": [...]} to standard
 * output. Takes over runs. */
extern void describe_print(const load_t *load, json_object *runs);

/* What was assumed belongs to every copy of a page: its foot, cut to size.
 * RET: text. */
#define DESCRIBE_FOOT_SIZE 8192
extern const char *describe_foot(const load_t *load, char *text, size_t size);

#endif
