/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SystemComment, which other plugins write too: whatever stands there, a token
 * that is put in is read back as it was.
 */
#include "contract.h"
#include "fuzz.h"

static void same(const sb_contract_t *a, const sb_contract_t *b)
{
	MUST(a->class == b->class);
	MUST(a->declared == b->declared);
	MUST(a->granted == b->granted);
	MUST(a->why == b->why);
	MUST(a->start == b->start);
	MUST(a->evictions == b->evictions);
	MUST(!strcmp(a->evicted, b->evicted));
}

static void put(const char *text, const sb_contract_t *contract)
{
	sb_contract_t back;
	sb_err_t err = { "" };
	char *with = sb_contract_to_token(text, contract,
					  "2026-11-29T17:00:00");
	char *twice;

	MUST(with);
	MUST(!sb_contract_from_token(with, &back, &err));
	same(contract, &back);
	/* Its place is found again, nothing grows. */
	twice = sb_contract_to_token(with, contract, "2026-11-29T17:00:00");
	MUST(twice && !strcmp(twice, with));
	free(twice);
	free(with);
}

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	sb_contract_t contract = { 0 };
	const sb_contract_t ours = {
		.class = SB_CLASS_ALLOCATED,
		.declared = 7200,
		.granted = 3600,
		.why = SB_GRANT_CAPPED,
		.start = 1790000000,
		.evictions = 2,
		.evicted = "2026-11-29T16:00:00,rule,by-JobId=7",
	};
	sb_err_t err = { "" };
	int rc = sb_contract_from_token(text, &contract, &err);

	if (rc < 0)
		fuzz_printable(&err);
	if (!rc) {
		MUST(contract.granted >= 0);
		put(text, &contract);
	}
	put(text, &ours);
	free(text);
	return 0;
}
