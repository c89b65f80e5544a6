/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "journal.h"

extern void journal_begin(FILE *file)
{
	fputs("job_id,attempt,eligible_s,start_s,end_s,nodes,gpus,outcome,by,standing\n",
	      file);
}

extern void journal_run(FILE *file, const workload_t *workload,
			const engine_run_t *run)
{
	fprintf(file, "%" PRIu32 ",%" PRIu32 ",%" PRId64 ",",
		workload->jobs[run->job].id, run->attempt, run->eligible);
	if (run->start >= 0)
		fprintf(file, "%" PRId64 ",%" PRId64, run->start, run->end);
	else
		fputc(',', file);
	fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%s,", run->nodes, run->gpus,
		run->refused ? "refused" : engine_end_name(run->outcome));
	if (run->by != ENGINE_NONE)
		fprintf(file, "%" PRIu32, workload->jobs[run->by].id);
	fputc(',', file);
	if (run->standing >= 0)
		fprintf(file, "%.4g", run->standing);
	fputc('\n', file);
}
