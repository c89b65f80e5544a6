/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PriorityParameters: a list is refused by name, or is what its own text says. */
#include "fuzz.h"
#include "params.h"

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char shown[1 << 19], again[1 << 19];
	char *text = fuzz_text(data, size);
	sb_err_t err = { "" };
	sb_params_t *params = sb_params_parse(text, &err), *same;

	free(text);
	if (!params) {
		fuzz_printable(&err);
		return 0;
	}
	MUST(params->window >= SB_WINDOW_MIN && params->window <= SB_WINDOW_MAX);
	MUST(params->min_runtime_default <= params->min_runtime_max);
	MUST(params->preempt_margin >= 0 &&
	     params->preempt_margin <= SB_PREEMPT_MARGIN_MAX);
	MUST(params->unallocated_charge >= 0 &&
	     params->unallocated_charge <= 1);
	MUST(params->cap_count <= SB_PARTITION_CAPS_MAX);
	MUST(sb_params_format(params, shown, sizeof(shown)));
	/* The list of all settings may be longer than what is read. */
	if (strlen(shown) <= SB_PARAMS_MAX) {
		same = sb_params_parse(shown, &err);
		MUST(same);
		MUST(sb_params_format(same, again, sizeof(again)));
		MUST(!strcmp(shown, again));
		sb_params_destroy(same);
	}
	sb_params_destroy(params);
	return 0;
}
