/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json - put values into json-c objects, for files of this directory.
 */
#ifndef SB_REPORT_JSON_H
#define SB_REPORT_JSON_H

#include "sheet.h"

/* Add a member; the value is taken over, also on failure. IN value: NULL:
 * null. RET: 0, or -1 without memory. */
extern int report_json_put(json_object *object, const char *name,
			   json_object *value);
/* IN value: NAN: null. IN decimals: as written. */
extern int report_json_real(json_object *object, const char *name,
			    double value, int decimals);
/* As report_clean() leaves it: JSON is UTF-8. */
extern int report_json_text(json_object *object, const char *name,
			    const char *text);
/* RET: a new object of the totals, NULL without memory. */
extern json_object *report_json_totals(const report_t *report);

#endif
