/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "caps.h"

static char *said;	/* names, NULL: none was missing */

extern void caps_check(const sb_params_t *params, const char *plugin)
{
	char *missing = NULL;

	for (size_t i = 0; i < params->cap_count; i++) {
		if (!find_part_record(params->caps[i].partition))
			xstrfmtcat(missing, "%s%s", missing ? "," : "",
				   params->caps[i].partition);
	}
	if (missing && xstrcmp(missing, said))
		info("%s: min_runtime_max@%s: there is no such partition, and nothing is capped by it",
		     plugin, missing);
	xfree(said);
	said = missing;
}

extern void caps_forget(void)
{
	xfree(said);
}
