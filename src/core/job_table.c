/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "job_table.h"

#define FIRST_ROOM 512		/* rows, a power of 2 */
#define ROOM_MAX (SIZE_MAX / 2 < UINT32_MAX ? SIZE_MAX / 2 : UINT32_MAX / 2)
#define CACHE_LINE 64

static uint32_t job_of(const sb_job_table_t *table, size_t i)
{
	uint32_t job_id;

	memcpy(&job_id, table->rows + i * table->width, sizeof(job_id));
	return job_id;
}

static size_t slot_of(const sb_job_table_t *table, uint32_t job_id)
{
	size_t mask = table->room * 2 - 1;
	size_t slot = (job_id * 2654435761U) & mask;

	while (table->slots[slot] &&
	       job_of(table, table->slots[slot] - 1) != job_id)
		slot = (slot + 1) & mask;
	return slot;
}

static int table_alloc(sb_job_table_t *table, size_t room)
{
	*table = (sb_job_table_t) { .width = table->width };
	if (room > ROOM_MAX || room > SIZE_MAX / table->width)
		return -1;
	table->rows = aligned_alloc(CACHE_LINE, room * table->width);
	table->slots = calloc(room * 2, sizeof(*table->slots));
	if (!table->rows || !table->slots) {
		sb_job_table_free(table);
		return -1;
	}
	table->room = room;
	return 0;
}

/* The row is not in the table, and there is room. */
static void *append(sb_job_table_t *table, uint32_t job_id)
{
	table->slots[slot_of(table, job_id)] = (uint32_t) (table->used + 1);
	return sb_job_table_row(table, table->used++);
}

/* Into a table of another size, only what stays (NULL: all). RET: 0, or -1
 * without memory and nothing changed. */
static int rebuild(sb_job_table_t *table, size_t room,
		   bool (*stays)(const void *row, uint32_t arg), uint32_t arg)
{
	sb_job_table_t fresh = { .width = table->width };

	if (table_alloc(&fresh, room))
		return -1;
	for (size_t i = 0; i < table->used; i++) {
		const void *row = sb_job_table_row(table, i);

		if (!stays || stays(row, arg))
			memcpy(append(&fresh, job_of(table, i)), row,
			       table->width);
	}
	sb_job_table_free(table);
	*table = fresh;
	return 0;
}

extern void *sb_job_table_find(const sb_job_table_t *table, uint32_t job_id)
{
	size_t slot;

	if (!table->used || !job_id)
		return NULL;
	slot = slot_of(table, job_id);
	return table->slots[slot] ?
	       sb_job_table_row(table, table->slots[slot] - 1) : NULL;
}

extern void *sb_job_table_add(sb_job_table_t *table, uint32_t job_id)
{
	void *row = sb_job_table_find(table, job_id);

	if (row || !job_id)
		return row;
	if (table->used == table->room &&
	    rebuild(table, table->room ? table->room * 2 : FIRST_ROOM, NULL,
		    0))
		return NULL;
	row = append(table, job_id);
	memset(row, 0, table->width);
	memcpy(row, &job_id, sizeof(job_id));
	return row;
}

extern void sb_job_table_sweep(sb_job_table_t *table,
			       bool (*stays)(const void *row, uint32_t arg),
			       uint32_t arg)
{
	size_t gone = 0, room = FIRST_ROOM;

	for (size_t i = 0; i < table->used; i++)
		gone += !stays(sb_job_table_row(table, i), arg);
	/* Few are worth keeping. */
	if (gone <= FIRST_ROOM / 2 || gone < table->used / 8)
		return;
	while (room < table->used - gone)
		room *= 2;
	(void) rebuild(table, room, stays, arg);
}

extern void sb_job_table_clear(sb_job_table_t *table)
{
	if (table->used)
		memset(table->slots, 0,
		       table->room * 2 * sizeof(*table->slots));
	table->used = 0;
}

extern void sb_job_table_free(sb_job_table_t *table)
{
	free(table->rows);
	free(table->slots);
	*table = (sb_job_table_t) { .width = table->width };
}
