/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state - a ledger <-> bytes.
 *
 * Versioned, checksummed, total: any bytes give a ledger or an error, never a
 * crash, an endless loop or an allocation out of proportion to the input. The
 * format of each version is frozen in doc/formats.md; a file of every version
 * ever released is kept in the tests. Little endian, whatever the machine.
 */
#ifndef SB_CORE_STATE_H
#define SB_CORE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "ledger.h"

/* What a state says beside the ledger. */
typedef struct {
	char cluster[128];	/* ClusterName it belongs to */
	char charge_tres[SB_NAME_MAX];
	int64_t written;	/* epoch seconds */
	bool seeded;		/* history from slurmdbd is in */
	int64_t gap_from;	/* what ended after this may be missing, and is
				 * to be read from slurmdbd; so is all history
				 * before it unless seeded; 0: nothing */
	int64_t seed_until;	/* not seeded: of a window that was widened all
				 * before this is to be read, in place of all
				 * before gap_from; 0: it was not */
} sb_state_info_t;

/* OUT data, size: malloc'ed, owned by the caller. RET: 0 or -1 with err. */
extern int sb_state_encode(const sb_ledger_t *ledger,
			   const sb_state_info_t *info, uint8_t **data,
			   size_t *size, sb_err_t *err);

/*
 * RET: a new ledger in the window shape that was written (the caller
 * reshapes), or NULL with err: not a state, cut short, checksum, a newer
 * version, values out of range. The caller compares cluster and charge_tres.
 */
extern sb_ledger_t *sb_state_decode(const uint8_t *data, size_t size,
				    sb_state_info_t *info, sb_err_t *err);

#endif
