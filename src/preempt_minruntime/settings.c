/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settings.h"

static sb_params_t *params;
static char *text;		/* that was read last, good or bad */

static void _remember(void)
{
	xfree(text);
	text = xstrdup(compat_priority_params());
}

extern int settings_load(void)
{
	sb_err_t err;

	_remember();
	params = sb_params_parse(text, &err);
	if (params)
		return SLURM_SUCCESS;
	error("preempt/minruntime: PriorityParameters: %s", err.text);
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

extern void settings_refresh(void)
{
	sb_params_t *fresh;
	sb_err_t err;

	if (!xstrcmp(text, compat_priority_params()))
		return;
	_remember();
	fresh = sb_params_parse(text, &err);
	if (!fresh) {
		error("preempt/minruntime: PriorityParameters: %s; the settings in force stay",
		      err.text);
		return;
	}
	sb_params_destroy(params);
	params = fresh;
}

extern int settings_check_mode(void)
{
	uint16_t mode = slurm_conf.preempt_mode;

	if (mode == PREEMPT_MODE_OFF) {
		error("preempt/minruntime: PreemptMode=OFF preempts nothing; allowed: REQUEUE, CANCEL");
		return SLURM_ERROR;
	}
	if (mode & (PREEMPT_MODE_GANG | PREEMPT_MODE_SUSPEND)) {
		error("preempt/minruntime: PreemptMode=%s: the gang scheduler stops jobs without asking, so no minimum runtime could be kept; allowed: REQUEUE, CANCEL",
		      preempt_mode_string(mode));
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}
