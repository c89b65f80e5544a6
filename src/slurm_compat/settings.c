/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settings.h"

static const char *name;	/* of the plugin */
static sb_params_t *params;
static char *text;		/* that was read last, good or bad */

static void _remember(void)
{
	xfree(text);
	text = xstrdup(compat_priority_params());
}

extern int settings_load(const char *plugin)
{
	sb_err_t err;

	name = plugin;
	settings_free();
	_remember();
	params = sb_params_parse(text, &err);
	if (params)
		return SLURM_SUCCESS;
	error("%s: PriorityParameters: %s", name, err.text);
	return SLURM_ERROR;
}

extern void settings_free(void)
{
	sb_params_destroy(params);
	params = NULL;
	xfree(text);
}

extern const sb_params_t *settings_get(void)
{
	return params;
}

extern bool settings_are_stale(void)
{
	return xstrcmp(text, compat_priority_params()) != 0;
}

extern void settings_refresh(void)
{
	sb_params_t *fresh;
	sb_err_t err;

	if (!settings_are_stale())
		return;
	_remember();
	fresh = sb_params_parse(text, &err);
	if (!fresh) {
		error("%s: PriorityParameters: %s; the settings in force stay",
		      name, err.text);
		return;
	}
	sb_params_destroy(params);
	params = fresh;
}
