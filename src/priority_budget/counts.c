/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/core/job_table.h"

#include "counts.h"

static sb_job_table_t counts = SB_JOB_TABLE(count_t);

extern count_t *counts_find(uint32_t job_id)
{
	count_t *count = sb_job_table_find(&counts, job_id);

	return (count && count->pass) ? count : NULL;
}

extern count_t *counts_add(uint32_t job_id)
{
	return sb_job_table_add(&counts, job_id);
}

/* The row stays in the way of others until the next sweep: no pass is 0, so
 * nobody finds it. */
static void _blank(count_t *count)
{
	*count = (count_t) { .job_id = count->job_id };
}

extern void counts_remove(uint32_t job_id)
{
	count_t *count = sb_job_table_find(&counts, job_id);

	if (count)
		_blank(count);
}

extern bool counts_all(uint32_t pass, bool (*holds)(const count_t *count))
{
	for (size_t i = 0; i < counts.used; i++) {
		const count_t *count = sb_job_table_row(&counts, i);

		if ((count->pass == pass) && !holds(count))
			return false;
	}
	return true;
}

static bool _stays(const void *row, uint32_t pass)
{
	return ((const count_t *) row)->pass == pass;
}

extern bool counts_sweep(uint32_t pass)
{
	bool lost = false;

	for (size_t i = 0; i < counts.used; i++) {
		count_t *count = sb_job_table_row(&counts, i);

		if (_stays(count, pass))
			continue;
		lost |= count->pass != 0;
		_blank(count);
	}
	sb_job_table_sweep(&counts, _stays, pass);
	return lost;
}

extern void counts_rewind(time_t now)
{
	for (size_t i = 0; i < counts.used; i++) {
		count_t *count = sb_job_table_row(&counts, i);

		if (count->charged_to > now)
			count->charged_to = now;
	}
}

extern void counts_free(void)
{
	sb_job_table_free(&counts);
}
