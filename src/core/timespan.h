/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timespan - Slurm's time strings and unit suffixes <-> seconds.
 *
 * Forms (those of sbatch --time): minutes, minutes:seconds,
 * hours:minutes:seconds, days-hours, days-hours:minutes,
 * days-hours:minutes:seconds; or a whole number with a unit: 90s 15m 4h 2d
 * (either case). Digits only: no sign, no blank, no fraction, no UNLIMITED.
 * Fields other than the first must be in range (minutes, seconds < 60,
 * hours < 24 behind days), as a typing error would otherwise pass silently.
 */
#ifndef SB_CORE_TIMESPAN_H
#define SB_CORE_TIMESPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Room for any text that sb_timespan_format() makes. */
#define SB_TIMESPAN_TEXT 32

/*
 * IN text, len: the string, needs no terminator.
 * OUT seconds: 0 .. SB_TIMESPAN_MAX; unchanged on error.
 * RET: 0, or -1 with err saying what is wrong with the text and what is
 * allowed (the caller adds the name of the word it belongs to).
 */
extern int sb_timespan_parse(const char *text, size_t len, int64_t *seconds,
			     sb_err_t *err);

/*
 * Seconds as Slurm shows them, without leading zeros in the first field:
 * "15:00", "8:00:00", "7-00:00:00", "0:30", "0:00". Negative reads as 0.
 * RET: buf.
 */
extern char *sb_timespan_format(int64_t seconds, char *buf, size_t size);

/*
 * A word that people write behind a number for a unit that is not minutes: s,
 * sec, hours, days and such, in any case.
 * IN text: len bytes, need not end in NUL.
 */
extern bool sb_timespan_is_unit(const char *text, size_t len);

#endif
