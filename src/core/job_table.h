/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_table - what is known of each job, by its number.
 *
 * Rows stand in the order in which they were added: who adds in the order of
 * the host's job list, and asks in that order, goes through memory in one
 * direction and finds each row right behind the one before.
 *
 * Not thread safe: the owner locks, readers too (no read changes anything).
 */
#ifndef SB_CORE_JOB_TABLE_H
#define SB_CORE_JOB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row is a struct whose first member is its uint32_t job id. The first row
 * begins with a cache line. */
typedef struct {
	size_t width;		/* of a row, bytes */
	unsigned char *rows;
	size_t room;		/* a power of 2, or 0 */
	size_t used;
	uint32_t *slots;	/* 2 * room of them: number of a row, from 1;
				 * 0: free */
} sb_job_table_t;

/* An empty table of rows of this type. */
#define SB_JOB_TABLE(type) { .width = sizeof(type) }

/* RET: the i-th row, i < used. */
static inline void *sb_job_table_row(const sb_job_table_t *table, size_t i)
{
	return table->rows + i * table->width;
}

/* RET: the job's row, NULL when there is none (there is none of job 0). It
 * stands until the next add, sweep or free. */
extern void *sb_job_table_find(const sb_job_table_t *table, uint32_t job_id);
/* RET: the same, a new one of zeros when there is none; NULL without memory,
 * and of job 0. */
extern void *sb_job_table_add(sb_job_table_t *table, uint32_t job_id);

/* Drop the rows that do not stay, when they are worth it: an eighth of all. The
 * others keep their order. Without memory all stay. */
extern void sb_job_table_sweep(sb_job_table_t *table,
			       bool (*stays)(const void *row, uint32_t arg),
			       uint32_t arg);
/* No rows any more; the memory is kept. */
extern void sb_job_table_clear(sb_job_table_t *table);
/* An empty table again. */
extern void sb_job_table_free(sb_job_table_t *table);

#endif
