/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outages - what the cluster had, and what of it was out of service, as
 * slurmdbd's events tell: the capacity of a report.
 *
 * slurmdbd hears that a node drains when its last job has left, or, when it was
 * away meanwhile, as it comes back; what jobs still have then is no time that
 * the node could not be used. Which nodes drain now, and since when, slurmctld
 * knows. slurmctld's own outages count for nothing: jobs run on through them.
 */
#ifndef SB_OUTAGES_H
#define SB_OUTAGES_H

#include <stddef.h>
#include <stdint.h>

#include "cluster.h"
#include "report.h"
#include "slurm_api.h"

typedef struct {
	struct outage *rows;	/* draining: by node, then time; disjoint */
	size_t count;
	struct outage_use *uses;
	size_t use_count, use_room;
} outages_t;

/*
 * Take over events. What is out for sure goes into the report at once.
 * IN events: NULL: not known.
 * IN tres: the number of what is counted, see api_tres_id().
 * IN until: the end of what goes on.
 * RET: 0, or -1 with err.
 */
extern int outages_fill(outages_t *outages, const cluster_t *cluster,
			api_list_t events, const char *tres,
			int64_t until, report_t *report, sb_err_t *err);

/*
 * A run: which of its nodes drained meanwhile?
 * IN gpus: of all its nodes together.
 * OUT drained: seconds that at least about one of them did.
 * RET: 0, or -1 without memory.
 */
extern int outages_add_run(outages_t *outages, const char *nodes,
			   int64_t start, int64_t end, double gpus,
			   int64_t *drained);

/* Once all runs are known: what nobody had of draining nodes goes into the
 * report. RET: 0, or -1 with err. */
extern int outages_finish(outages_t *outages, report_t *report, sb_err_t *err);

extern void outages_free(outages_t *outages);

#endif
