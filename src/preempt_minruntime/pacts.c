/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/core/job_table.h"

#include "pacts.h"

static sb_job_table_t pacts = SB_JOB_TABLE(pact_t);

extern pact_t *pacts_find(uint32_t job_id)
{
	return sb_job_table_find(&pacts, job_id);
}

extern pact_t *pacts_add(uint32_t job_id)
{
	return sb_job_table_add(&pacts, job_id);
}

static bool _stays(const void *row, uint32_t seen)
{
	return ((const pact_t *) row)->seen == seen;
}

extern void pacts_sweep(uint32_t seen)
{
	sb_job_table_sweep(&pacts, _stays, seen);
}

extern void pacts_free(void)
{
	sb_job_table_free(&pacts);
}
