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
 * Also told from here: committed (remaining protection) and running rate per
 * association. Both are sums over its open attempts at the moment of the
 * question, never counted up and down, so that nothing can leak.
 *
 * All times are epoch seconds, all rates charged TRES (already multiplied by
 * the QOS UsageFactor), all charges TRES-seconds. With whole rates every sum is
 * exact up to 2^53. Not thread safe: the owner locks, readers too. Allocation
 * failure loses no charge: the call returns -1 and may be repeated.
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
	int64_t start;		/* > 0, else the attempt is ignored */
	int64_t end;		/* 0 while it holds its allocation; never a
				 * planned end */
	int64_t resized;	/* last change of its allocation, 0: none */
	double rate;		/* TRES x UsageFactor now */
	double factor;		/* 1, or unallocated_charge: what the first
				 * look at the attempt said stands */
	int64_t left;		/* seconds of protection left, 0: none */
	bool suspended;		/* holds its allocation but is stopped: it is
				 * charged and counts as running all the same,
				 * as nobody else can have its GPUs (slurmdbd
				 * takes suspended time off CPUs only) */
	bool in_full;		/* its contract is signed, and not as free */
} sb_attempt_t;

typedef struct sb_ledger sb_ledger_t;

/* IN since: nothing before this instant is charged (history up to it comes
 * from elsewhere: sb_ledger_seed()); 0 charges attempts from their start. */
extern sb_ledger_t *sb_ledger_create(const sb_window_shape_t *shape,
				     int64_t since);
extern void sb_ledger_destroy(sb_ledger_t *ledger);

/* RET: a ledger of its own with the same content, or NULL without memory. A
 * few milliseconds for a large one: who holds a lock encodes a copy later. */
extern sb_ledger_t *sb_ledger_copy(const sb_ledger_t *ledger);

extern const sb_window_shape_t *sb_ledger_shape(const sb_ledger_t *ledger);
/* End of the last complete pass, or `since` before the first. */
extern int64_t sb_ledger_last_pass(const sb_ledger_t *ledger);

/*
 * A pass. `now` may be before the last pass (the clock was set back): nothing
 * is charged twice, and nothing is taken back for that reason alone. A `since`
 * behind `now` counts as `now`. What was
 * charged more than a window's width ahead of `now` is dropped: the clock had
 * run away, and nothing else could be charged until time has caught up.
 *
 * An attempt that is new to the ledger and ended at or before `since`, or what
 * sb_ledger_forget() was told, was charged then and is ignored. Any other is
 * charged from its start, or from `since` (the last pass of a ledger that was
 * loaded) where that is later.
 *
 * What changes between two looks counts
 *   rate: from `resized` where that moved, else from the last charge on; the
 *     first look has no older rate to charge;
 *   factor: never, the first look's stands; but a contract that was signed
 *     after it, as one that is charged in full, counts from the start: between
 *     the two its user may have edited what both read;
 *   assoc_id: from the last charge on; 0 (the host lost sight of the
 *     association) leaves the attempt with the one it had;
 *   end: exactly. An end that is still to come is charged up to now. No end,
 *     two passes or more after one was told: the host has lost it in a crash,
 *     and the attempt goes on.
 */
extern void sb_ledger_begin(sb_ledger_t *ledger, int64_t now);
extern int sb_ledger_observe(sb_ledger_t *ledger, const sb_attempt_t *attempt);
/* RET: 0, or -1 with err (no pass was begun, no memory). */
extern int sb_ledger_end(sb_ledger_t *ledger, sb_err_t *err);

/* At any time: the host says that an attempt just ended, at attempt.end.
 * Exact; a pass that collected its data before this call does not reopen it. */
extern int sb_ledger_close(sb_ledger_t *ledger, const sb_attempt_t *attempt);

/* Attempts whose end is unknown. *cursor starts as 0. OUT gone: when the host
 * did not show it any more, never before charged_until: of a restored ledger
 * its last pass, if it was so then. RET: false at the end. */
extern bool sb_ledger_unsettled(const sb_ledger_t *ledger, size_t *cursor,
				sb_attempt_t *attempt, int64_t *charged_until,
				int64_t *gone);

/*
 * A record from the accounting database: attempt.end must be set.
 * Known and open or settled: ignored. Known and unsettled: brought to exactly
 * [start, end), at the rate it was seen with unless it was resized after the
 * last charge, and settled. Unknown and ended inside (gap_from, gap_to]:
 * charged for its part in [gap_from, ...), whatever `since` says, where the gap
 * is what this ledger did not see (0, 0: no gap).
 */
extern int sb_ledger_settle(sb_ledger_t *ledger, const sb_attempt_t *attempt,
			    int64_t gap_from, int64_t gap_to);
/* Of each record, with or without an end, before it is settled. RET: not yet:
 * the host showed the attempt beyond this end, so it has forgotten it in a
 * crash, and will tell the database another. True until passes have gone on for
 * SB_PATIENCE since the first record came: then the host did not live to tell
 * it. False of an attempt that is not known or not unsettled. */
extern bool sb_ledger_doubts(sb_ledger_t *ledger, const sb_attempt_t *record);
/* RET: the attempt is known: it would be no news to sb_ledger_settle(). */
extern bool sb_ledger_knows(const sb_ledger_t *ledger, uint32_t job_id,
			    int64_t start);
/* As long as records that ended after this instant may come as news, attempts
 * that did are not forgotten, and are part of the walk. 0: none may come. */
extern void sb_ledger_keep(sb_ledger_t *ledger, int64_t after);
/* Give up on unsettled attempts that vanished before this instant, and forget
 * closed ones that ended before it and not after the last pass. */
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
 * do its attempts, for as long as the host shows them with the association
 * that it showed last (or with none). */
extern int sb_ledger_inherit(sb_ledger_t *ledger, uint32_t assoc_id,
			     uint32_t heir);
/* The admin reset its usage: history is cleared, running attempts are charged
 * from the last pass on. */
extern void sb_ledger_reset(sb_ledger_t *ledger, uint32_t assoc_id);

/* Another window width, history kept as far as it reaches. RET: 0, or -1 and
 * nothing changed. */
extern int sb_ledger_reshape(sb_ledger_t *ledger,
			     const sb_window_shape_t *shape);

/* Associations with history, by ascending id. *cursor starts as 0 and is the
 * last id given. RET: false at the end. */
extern bool sb_ledger_next_assoc(const sb_ledger_t *ledger, uint32_t *cursor,
				 const sb_window_t **window);

/* An attempt and what of it was charged: what a state has to keep. */
typedef struct {
	sb_attempt_t attempt;	/* as it was shown last */
	uint32_t payer;		/* association that is charged, 0: none */
	int64_t from;		/* charged are [from, until), */
	int64_t until;
	int64_t rate_from;	/* from here on at its rate x factor, */
	double charge_before;	/* and at this one before */
	bool unsettled;		/* vanished: its end is unknown */
} sb_charged_t;

/* Attempts that a later look or record may still show in need of a charge: open
 * ones, unsettled ones, and those that ended after the last pass less
 * SB_HINDSIGHT or after what sb_ledger_keep() was told (a ledger that does not
 * know them would charge them once more, or too late). In a fixed order;
 * *cursor starts as 0. */
extern bool sb_ledger_next_attempt(const sb_ledger_t *ledger, size_t *cursor,
				   sb_charged_t *charged);

/*
 * For the loader of a state: put back what the two walks gave, the last pass
 * first, buckets of an association in ascending order, attempts in any; then
 * the end, which finds those that are twice the same. RET: 0, or -1 with err:
 * out of range, out of order, twice the same, no memory. Up to the end, and
 * after an error, the ledger is fit for nothing but the walks and destroy.
 */
extern void sb_ledger_restore_pass(sb_ledger_t *ledger, int64_t last_pass);
extern int sb_ledger_restore_bucket(sb_ledger_t *ledger, uint32_t assoc_id,
				    int64_t bucket, double charge,
				    sb_err_t *err);
extern int sb_ledger_restore_attempt(sb_ledger_t *ledger,
				     const sb_charged_t *charged,
				     sb_err_t *err);
extern int sb_ledger_restore_end(sb_ledger_t *ledger, sb_err_t *err);

/* RET: true when all invariants hold: windows valid, each attempt once with its
 * job and its association, intervals in order, sums finite. O(n). */
extern bool sb_ledger_check(const sb_ledger_t *ledger);

#endif
