/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger - who has used what: attempts of jobs in, usage in the window out.
 *
 * An attempt is one run of a job, named by (job_id, start). It is charged
 *     rate x factor x seconds
 * over exactly [start, end), to its association, once: as the host shows the
 * attempt again and again, the ledger charges what has come since. A later
 * look may correct an earlier one (an end before what was charged is taken
 * back; a resize charges the old rate up to the moment of the resize).
 *
 * A pass is one look at all attempts the host knows: begin, observe each,
 * end. An open attempt that a pass did not show has vanished (purged, or
 * requeued between two passes): it stays charged up to the last pass and is
 * unsettled until sb_ledger_settle() tells its end.
 *
 * Also kept here: committed (remaining protection) and running rate per
 * association. They are recomputed as sums over open attempts at every pass,
 * never counted up and down, so that nothing can leak.
 *
 * All times are epoch seconds, all rates charged TRES (already multiplied by
 * the QOS UsageFactor), all charges TRES-seconds. Not thread safe: the owner
 * locks. Allocation failure loses no charge: the call returns -1 and may be
 * repeated.
 */
#ifndef SB_CORE_LEDGER_H
#define SB_CORE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "window.h"

typedef struct {
	uint32_t job_id;
	uint32_t assoc_id;	/* 0: no association, charged to nobody */
	int64_t start;
	int64_t end;		/* 0 while it holds its allocation */
	int64_t resized;	/* last change of its allocation, 0: none */
	double rate;		/* TRES x UsageFactor now */
	double factor;		/* 1, or unallocated_charge */
	int64_t left;		/* seconds of protection left, 0: none */
	bool suspended;		/* holds its allocation but is stopped */
} sb_attempt_t;

typedef struct sb_ledger sb_ledger_t;

/* IN since: nothing before this instant is charged (history up to it comes
 * from elsewhere: sb_ledger_seed()); 0 charges attempts from their start. */
extern sb_ledger_t *sb_ledger_create(const sb_window_shape_t *shape,
				     int64_t since);
extern void sb_ledger_destroy(sb_ledger_t *ledger);

extern const sb_window_shape_t *sb_ledger_shape(const sb_ledger_t *ledger);
/* End of the last complete pass, or `since` before the first. */
extern int64_t sb_ledger_last_pass(const sb_ledger_t *ledger);

/*
 * A pass. `now` may be before the last pass (the clock was set back): nothing
 * is charged twice, and nothing is taken back for that reason alone.
 * An attempt that is new to the ledger and ended at or before the last pass
 * was charged then and is ignored; one that is still open or ended later is
 * charged from max(start, last pass) when it had started before the last pass
 * of a loaded ledger, else from its start.
 */
extern void sb_ledger_begin(sb_ledger_t *ledger, int64_t now);
extern int sb_ledger_observe(sb_ledger_t *ledger, const sb_attempt_t *attempt);
extern int sb_ledger_end(sb_ledger_t *ledger, sb_err_t *err);

/* Outside a pass: the host says that an attempt just ended. Exact; a pass
 * that collected its data before this call does not reopen it. */
extern int sb_ledger_close(sb_ledger_t *ledger, const sb_attempt_t *attempt);

/* Attempts whose end is unknown. *cursor starts as 0. RET: false at the end. */
extern bool sb_ledger_unsettled(const sb_ledger_t *ledger, size_t *cursor,
				sb_attempt_t *attempt, int64_t *charged_until);

/*
 * A record from the accounting database: attempt.end must be set.
 * Known and settled: ignored. Known and unsettled: brought to exactly
 * [start, end) and settled. Unknown and inside (gap_from, gap_to]: charged
 * for its part in [gap_from, ...), where the gap is what this ledger did not
 * see (0, 0: no gap).
 */
extern int sb_ledger_settle(sb_ledger_t *ledger, const sb_attempt_t *attempt,
			    int64_t gap_from, int64_t gap_to);
/* Give up on unsettled attempts that vanished before this instant, and forget
 * closed ones that ended before it. */
extern void sb_ledger_forget(sb_ledger_t *ledger, int64_t before);

/* History: `charge` of an association, spread over [from, to). */
extern int sb_ledger_seed(sb_ledger_t *ledger, uint32_t assoc_id, int64_t from,
			  int64_t to, double charge);

/* Usage of one association in the window at `now`; committed; running rate.
 * 0 for an unknown one. */
extern double sb_ledger_usage(const sb_ledger_t *ledger, uint32_t assoc_id,
			      int64_t now);
extern double sb_ledger_committed(const sb_ledger_t *ledger,
				  uint32_t assoc_id);
extern double sb_ledger_running(const sb_ledger_t *ledger, uint32_t assoc_id);

/* The association is gone: its history goes to `heir` (0: is dropped), and so
 * do its open attempts. */
extern int sb_ledger_inherit(sb_ledger_t *ledger, uint32_t assoc_id,
			     uint32_t heir);
/* The admin reset its usage: history is cleared, running attempts are charged
 * from now on. */
extern void sb_ledger_reset(sb_ledger_t *ledger, uint32_t assoc_id);

/* Another window width, history kept as far as it reaches. RET: 0, or -1 and
 * nothing changed. */
extern int sb_ledger_reshape(sb_ledger_t *ledger,
			     const sb_window_shape_t *shape);

/* Associations with history, by ascending id. *cursor starts as 0 and is the
 * last id given. RET: false at the end. */
extern bool sb_ledger_next_assoc(const sb_ledger_t *ledger, uint32_t *cursor,
				 const sb_window_t **window);
/* Open and unsettled attempts, in a fixed order; *cursor starts as 0. */
extern bool sb_ledger_next_attempt(const sb_ledger_t *ledger, size_t *cursor,
				   sb_attempt_t *attempt,
				   int64_t *charged_until, bool *unsettled);
/* For the loader of a state: put back what the two walks gave. */
extern int sb_ledger_restore_bucket(sb_ledger_t *ledger, uint32_t assoc_id,
				    int64_t bucket, double charge);
extern int sb_ledger_restore_attempt(sb_ledger_t *ledger,
				     const sb_attempt_t *attempt,
				     int64_t charged_until, bool unsettled);
extern void sb_ledger_restore_pass(sb_ledger_t *ledger, int64_t last_pass);

/* RET: true when all invariants hold: windows valid; committed and running
 * equal the sums over open attempts. */
extern bool sb_ledger_check(const sb_ledger_t *ledger);

#endif
