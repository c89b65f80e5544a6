/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts - how much of each running job the usage of its associations and QOS
 * holds already (limits.h). With it a pass over all jobs can let others in
 * between: what one of them sees then is right for every job, before and
 * behind the place where the pass stands.
 *
 * Under assoc_mgr's assoc W.
 */
#ifndef SB_COUNTS_H
#define SB_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct {
	uint32_t job_id;
	uint32_t pass;		/* or recount, that has seen it last; never 0 */
	time_t charged_to;	/* used wall time and TRES are charged up to
				 * here */
	uint64_t over;		/* seconds of its time limit that were taken
				 * off its run seconds */
	uint64_t what;		/* what it was counted by: limit, QOS, ... */
} count_t;

/* A run has no other name than its job, as its start moves when its nodes had
 * to boot. Where limits are enforced its end is told before the job can begin
 * once more, or this is the run of a job that the sums no longer follow. */

/* RET: the entry of the job's run, NULL: there is none. Until the next call
 * that changes the table. */
extern count_t *counts_find(uint32_t job_id);
/* RET: the same, a new one of zeros when there is none; NULL without memory. */
extern count_t *counts_add(uint32_t job_id);
extern void counts_remove(uint32_t job_id);

/* RET: it holds of each run that this pass has seen. */
extern bool counts_all(uint32_t pass, bool (*holds)(const count_t *count));
/* Forget runs that this pass has not seen. RET: there were any that nobody has
 * removed. */
extern bool counts_sweep(uint32_t pass);
/* No run is charged beyond this instant. */
extern void counts_rewind(time_t now);
extern void counts_free(void);

#endif
