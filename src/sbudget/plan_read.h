/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_read - JSON values -> a plan, field by field. Inside of plan: only
 * plan.c, plan_read.c and field.h include it.
 */
#ifndef SB_PLAN_READ_H
#define SB_PLAN_READ_H

#include <json-c/json.h>
#include <stdarg.h>

#include "plan.h"

/* Longest path of a key of ours. */
#define PLAN_PATH 128

/* Fill in cluster, entries and names. RET: 0, or -1 with err. */
extern int plan_read(plan_t *plan, json_object *root, int64_t window,
		     sb_err_t *err);

/* err = line, path and sentence. RET: -1. */
extern int plan_vcomplain(const plan_t *plan, const char *path, sb_err_t *err,
			  const char *fmt, va_list ap);

/* Order of names: by account, an account before its users. */
extern int plan_compare_names(const char *account_a, const char *user_a,
			      const char *account_b, const char *user_b);

#endif
