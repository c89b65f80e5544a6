/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comments, which users write: a byte of settings, the comment at the start, a
 * NUL, the comment after an edit. No declaration gives more than the cap, no
 * edit raises a grant or changes who pays.
 */
#include "contract.h"
#include "fuzz.h"
#include "submission.h"

#define CAP 3600
#define LIMIT 1800

static void submit(const sb_params_t *params, const char *comment)
{
	sb_request_part_t part = { .name = "p", .time_limit = LIMIT };
	sb_request_t request = {
		.comment = comment,
		.parts = &part,
		.part_count = 1,
		.time_limit = SB_TIME_UNSET,
		.preempts = true,
	};
	sb_err_t message = { "" };

	if (sb_submission_check(params, &request, &message) != SB_ANSWER_YES)
		fuzz_printable(&message);
}

static void change(const sb_params_t *params, const char *before,
		   const char *after, sb_contract_t *contract)
{
	sb_request_t was = { .comment = before, .time_limit = LIMIT };
	sb_request_t will = { .comment = after, .time_limit = LIMIT };
	sb_contract_t signed_then = *contract;
	sb_err_t message = { "" };

	if (sb_submission_change(params, &was, &will, contract, &message) !=
	    SB_ANSWER_YES)
		fuzz_printable(&message);
	(void) sb_contract_lower(contract, after);
	MUST(contract->granted <= signed_then.granted);
	MUST(contract->granted >= 0);
	MUST(contract->class == signed_then.class);
	MUST(contract->declared == signed_then.declared);
	MUST(sb_contract_charge(contract, params) ==
	     sb_contract_charge(&signed_then, params));
}

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sb_params_t *params = sb_params_create();
	char *text = fuzz_text(data + (size > 0), size - (size > 0));
	const char *after = text;
	sb_contract_t contract;
	sb_err_t err = { "" };

	if (!params || !size)
		goto out;
	params->undeclared = data[0] % 3;
	params->protect_growth = data[0] & 4 ? 2 : 1;
	params->min_runtime_default = data[0] & 8 ? 600 : 0;
	if (strlen(text) + 1 < size)
		after = text + strlen(text) + 1;
	if (sb_contract_sign(params, text, CAP, data[0] & 16 ? LIMIT : -1,
			     !(data[0] & 32), 1790000000, data[0] >> 6,
			     &contract, &err))
		fuzz_printable(&err);
	MUST(contract.granted >= 0);
	MUST(contract.granted <= (data[0] & 4 ? CAP * 8 : CAP));
	MUST(!(data[0] & 16) || contract.granted <= LIMIT);
	MUST(!(data[0] & 32) || contract.granted == 0);
	MUST(contract.class != SB_CLASS_UNALLOCATED || contract.granted == 0);
	submit(params, text);
	change(params, text, after, &contract);
out:
	free(text);
	sb_params_destroy(params);
	return 0;
}
