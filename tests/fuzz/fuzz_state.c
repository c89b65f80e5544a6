/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state file: any bytes give a sound ledger or an error. Size and checksum
 * are mended first, or nothing behind them would ever be reached; as they are
 * they are tried as well.
 */
#include <math.h>

#include "bytes.h"
#include "fuzz.h"
#include "state.h"

#define VERSION_AT 8
#define SIZE_AT 12
#define HEAD 20
#define TAIL 8

static void put_u64(uint8_t *at, uint64_t value)
{
	for (unsigned i = 0; i < 8; i++)
		at[i] = value >> (8 * i);
}

/* A pass with one attempt, and what is asked for at any time. */
static void use(sb_ledger_t *ledger)
{
	int64_t now = sb_ledger_last_pass(ledger) + 60;
	sb_attempt_t attempt = {
		.job_id = 1,
		.assoc_id = 1,
		.start = now - 30,
		.rate = 8,
		.factor = 1,
		.left = 60,
	};
	sb_window_shape_t wider = sb_window_shape(8 * SB_DAY);

	sb_ledger_begin(ledger, now);
	MUST(!sb_ledger_observe(ledger, &attempt));
	MUST(!sb_ledger_end(ledger, NULL));
	MUST(sb_ledger_check(ledger));
	MUST(isfinite(sb_ledger_usage(ledger, 1, now)));
	MUST(!sb_ledger_inherit(ledger, 1, 2));
	sb_ledger_forget(ledger, now - 10);
	MUST(!sb_ledger_reshape(ledger, &wider));
	MUST(sb_ledger_check(ledger));
}

static void try(const uint8_t *data, size_t size)
{
	sb_state_info_t info, again;
	sb_err_t err = { "" };
	sb_ledger_t *ledger = sb_state_decode(data, size, &info, &err), *same;
	uint8_t *written;
	size_t written_size;

	if (!ledger) {
		fuzz_printable(&err);
		return;
	}
	MUST(sb_ledger_check(ledger));
	MUST(!sb_state_encode(ledger, &info, &written, &written_size, &err));
	same = sb_state_decode(written, written_size, &again, &err);
	MUST(same);
	MUST(!strcmp(info.cluster, again.cluster));
	sb_ledger_destroy(same);
	free(written);
	use(ledger);
	sb_ledger_destroy(ledger);
}

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = (uint8_t *) fuzz_text(data, size);
	uint8_t version = (size > VERSION_AT && copy[VERSION_AT] == 2) ? 2 : 1;

	try(copy, size);
	if (size >= HEAD + TAIL) {
		memcpy(copy, "SBUDGET\n\0\0\0\0", SIZE_AT);
		copy[VERSION_AT] = version;
		put_u64(copy + SIZE_AT, size);
		put_u64(copy + size - TAIL, sb_crc64(copy, size - TAIL));
		try(copy, size);
	}
	free(copy);
	return 0;
}
