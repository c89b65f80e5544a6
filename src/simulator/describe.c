/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sb_config.h"

#include "describe.h"

extern json_object *describe_run(const settings_t *run)
{
	json_object *object = json_object_new_object();

	json_object_object_add(object, "run",
			       json_object_new_string(run->label));
	json_object_object_add(object, "policy",
			       json_object_new_string(settings_policy(run)));
	json_object_object_add(object, "parameters",
			       json_object_new_string(run->params));
	json_object_object_add(object, "seed",
			       json_object_new_int64((int64_t)run->seed));
	return object;
}

extern void describe_real(json_object *object, const char *name, double value)
{
	json_object_object_add(object, name, isfinite(value) ?
			       json_object_new_double(value) : NULL);
}

static json_object *describe_workload(const load_t *load)
{
	const workload_t *workload = load->workload;
	json_object *object = json_object_new_object();
	json_object *notes = json_object_new_array();
	json_object *skipped = json_object_new_array();
	char row[256];

	for (size_t i = 0; i < workload->note_count; i++)
		json_object_array_add(notes,
			json_object_new_string(workload->notes[i]));
	for (size_t i = 0; i < load->tally.row_count; i++)
		json_object_array_add(skipped, json_object_new_string(
			tally_text(&load->tally.rows[i], row, sizeof(row))));
	json_object_object_add(object, "jobs", json_object_new_int64(
				       (int64_t)workload->job_count));
	json_object_object_add(object, "gpus", json_object_new_int64(
				       (int64_t)load->nodes.gpus));
	json_object_object_add(object, "origin",
			       json_object_new_int64(workload->origin));
	json_object_object_add(object, "skipped", json_object_new_int64(
				       (int64_t)load->tally.total));
	json_object_object_add(object, "skipped_by_reason", skipped);
	json_object_object_add(object, "notes", notes);
	return object;
}

extern void describe_print(const load_t *load, json_object *runs)
{
	json_object *object = json_object_new_object();

	json_object_object_add(object, "sbudget_sim",
			       json_object_new_string(PACKAGE_VERSION));
	json_object_object_add(object, "workload", describe_workload(load));
	json_object_object_add(object, "runs", runs);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

/* What was assumed belongs to every copy of the page. */
extern const char *describe_foot(const load_t *load, char *text, size_t size)
{
	const workload_t *workload = load->workload;
	size_t used = (size_t)snprintf(text, size,
				       "sbudget-sim " PACKAGE_VERSION);

	if (load->tally.total)
		used += (size_t)snprintf(text + used, size - used,
					 load->tally.total == 1 ?
					 "; %zu line was left out" :
					 "; %zu lines were left out",
					 load->tally.total);
	for (size_t i = 0; i < workload->note_count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "; %s",
					 workload->notes[i]);
	return text;
}
