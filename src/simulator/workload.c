/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"
#include "workload.h"

/* Longest sentence of a note. */
#define NOTE_SIZE 400

/* ---------------------------------------------------------------- growth */

/*
 * Room for one more behind count: arrays double when count reaches a power of
 * two, so that no capacity has to be kept beside it.
 * RET: the array, or NULL without memory (the old one is still there).
 */
static void *grown(void *array, size_t count, size_t size)
{
	size_t room = count ? count * 2 : 1;

	if (array && (count & (count - 1)))
		return array;
	if (room > SIZE_MAX / size)
		return NULL;
	return realloc(array, room * size);
}

extern workload_t *workload_create(void)
{
	workload_t *workload = calloc(1, sizeof(*workload));

	if (workload &&
	    workload_assoc(workload, SB_NO_PARENT, "root", false, NULL) < 0) {
		workload_destroy(workload);
		workload = NULL;
	}
	return workload;
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

extern void workload_destroy(workload_t *workload)
{
	if (!workload)
		return;
	for (size_t i = 0; i < workload->assoc_count; i++)
		free(workload->assocs[i].name);
	free(workload->assocs);
	free(workload->jobs);
	free_texts(workload->types, workload->type_count);
	free_texts(workload->notes, workload->note_count);
	free(workload->slots);
	free(workload);
}

/* ---------------------------------------------------------------- names */

/* FNV-1a over parent and name. */
static uint64_t hash_of(int32_t parent, const char *name)
{
	uint64_t hash = 14695981039346656037U;

	for (int shift = 0; shift < 32; shift += 8)
		hash = (hash ^ ((uint32_t)parent >> shift & 0xff)) *
			1099511628211U;
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211U;
	return hash;
}

/* Where an association stands in slots, or would: a slot holds index + 1. */
static size_t slot_of(const workload_t *workload, int32_t parent,
		      const char *name)
{
	size_t mask = workload->slot_count - 1;
	size_t slot = hash_of(parent, name) & mask;

	for (; workload->slots[slot]; slot = (slot + 1) & mask) {
		const workload_assoc_t *assoc =
			&workload->assocs[workload->slots[slot] - 1];

		if (assoc->parent == parent && !strcmp(assoc->name, name))
			break;
	}
	return slot;
}

/* At most half of the slots are taken. */
static int reserve_slot(workload_t *workload)
{
	size_t count = workload->slot_count ? workload->slot_count * 2 : 64;
	uint32_t *slots;

	if (workload->slot_count > 2 * workload->assoc_count)
		return 0;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return -1;
	free(workload->slots);
	workload->slots = slots;
	workload->slot_count = count;
	for (size_t i = 0; i < workload->assoc_count; i++) {
		const workload_assoc_t *assoc = &workload->assocs[i];

		slots[slot_of(workload, assoc->parent, assoc->name)] =
			(uint32_t)i + 1;
	}
	return 0;
}

static int32_t add_assoc(workload_t *workload, int32_t parent,
			 const char *name, bool user, sb_err_t *err)
{
	size_t count = workload->assoc_count;
	workload_assoc_t *assocs = grown(workload->assocs, count,
					 sizeof(*assocs));
	char *copy = strdup(name);

	if (assocs)
		workload->assocs = assocs;
	if (!assocs || !copy) {
		free(copy);
		return sb_err_set(err, "no memory");
	}
	assocs[count] = (workload_assoc_t) {
		.name = copy, .parent = parent, .shares = 1, .user = user,
	};
	workload->slots[slot_of(workload, parent, name)] = (uint32_t)count + 1;
	workload->assoc_count++;
	return (int32_t)count;
}

extern int32_t workload_assoc(workload_t *workload, int32_t parent,
			      const char *name, bool user, sb_err_t *err)
{
	uint32_t found;

	if (!name || !*name)
		return sb_err_set(err, "an account or user without a name");
	if (workload->assoc_count &&
	    (parent < 0 || (size_t)parent >= workload->assoc_count ||
	     workload->assocs[parent].user))
		return sb_err_set(err, "nothing can be below a user");
	if (reserve_slot(workload))
		return sb_err_set(err, "no memory");
	found = workload->slots[slot_of(workload, parent, name)];
	if (found && workload->assocs[found - 1].user == user)
		return (int32_t)found - 1;
	if (found)
		return sb_err_set(err, "the same name is a user and an account of one parent");
	if (workload->assoc_count >= WORKLOAD_ASSOCS_MAX)
		return sb_err_set(err, "more than %d accounts and users",
				  WORKLOAD_ASSOCS_MAX);
	return add_assoc(workload, parent, name, user, err);
}

extern int16_t workload_type(workload_t *workload, const char *name,
			     sb_err_t *err)
{
	size_t count = workload->type_count;
	char **types, *copy;

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(workload->types[i], name))
			return (int16_t)i;
	}
	if (count >= WORKLOAD_TYPES_MAX)
		return (int16_t)sb_err_set(err, "more than %d types of GPUs",
					   WORKLOAD_TYPES_MAX);
	types = grown(workload->types, count, sizeof(*types));
	copy = strdup(name);
	if (types)
		workload->types = types;
	if (!types || !copy) {
		free(copy);
		return (int16_t)sb_err_set(err, "no memory");
	}
	types[workload->type_count++] = copy;
	return (int16_t)count;
}

extern int workload_note(workload_t *workload, const char *fmt, ...)
{
	size_t count = workload->note_count;
	char **notes = grown(workload->notes, count, sizeof(*notes));
	char text[NOTE_SIZE], *copy;
	va_list ap;

	if (notes)
		workload->notes = notes;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	copy = strdup(text);
	if (!notes || !copy) {
		free(copy);
		return -1;
	}
	notes[workload->note_count++] = copy;
	return 0;
}

extern int workload_count(workload_t *workload, size_t count, const char *one,
			  const char *many)
{
	return count ? workload_note(workload, "%zu %s", count,
				     count == 1 ? one : many) : 0;
}

/* ---------------------------------------------------------------- jobs */

extern int workload_add(workload_t *workload, const workload_job_t *job,
			sb_err_t *err)
{
	size_t count = workload->job_count;
	workload_job_t *jobs;

	if (job->assoc >= workload->assoc_count ||
	    !workload->assocs[job->assoc].user)
		return sb_err_set(err, "job %u belongs to no user of the tree",
				  job->id);
	if (count >= WORKLOAD_JOBS_MAX)
		return sb_err_set(err, "more than %d jobs", WORKLOAD_JOBS_MAX);
	jobs = grown(workload->jobs, count, sizeof(*jobs));
	if (!jobs)
		return sb_err_set(err, "no memory");
	workload->jobs = jobs;
	jobs[count] = *job;
	workload->job_count++;
	return 0;
}

static int by_submit(const void *a, const void *b)
{
	const workload_job_t *one = a, *two = b;

	if (one->submit != two->submit)
		return one->submit < two->submit ? -1 : 1;
	return one->id < two->id ? -1 : one->id > two->id;
}

extern void workload_sort(workload_t *workload)
{
	if (workload->job_count)
		qsort(workload->jobs, workload->job_count,
		      sizeof(*workload->jobs), by_submit);
}
