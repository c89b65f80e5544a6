/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * people - who holds GPUs that idle: per user of an account.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tally.h"

/* RET: the person, added when new; NULL without memory. */
static report_person_t *find_person(report_t *report, const char *user,
				    int32_t account)
{
	char key[REPORT_NAME_MAX + 32];
	json_object *index;
	report_person_t person = { .account = account };

	snprintf(key, sizeof(key), "%d %s", account, user);
	if (json_object_object_get_ex(report->people_index, key, &index))
		return &report->people[json_object_get_int64(index)];
	if (report_grow((void **) &report->people, &report->person_room,
			report->person_count, sizeof(person)))
		return NULL;
	person.user = strndup(user, REPORT_NAME_MAX);
	index = json_object_new_int64((int64_t) report->person_count);
	if (!person.user || !index ||
	    json_object_object_add(report->people_index, key, index)) {
		free(person.user);
		json_object_put(index);
		return NULL;
	}
	report->people[report->person_count] = person;
	return &report->people[report->person_count++];
}

extern int report_people_add(report_t *report, const report_run_t *run,
			     int64_t ran, double time, sb_err_t *err)
{
	const report_options_t *options = &report->options;
	bool known = run->usage >= 0;
	report_person_t *person;

	if (options->idle_time <= 0 || ran < options->idle_time)
		return 0;
	if (known ? run->usage > options->idle_usage : !run->interactive)
		return 0;
	person = find_person(report, run->user ? run->user : "(unknown)",
			     run->account >= 0 ? run->account : report->nobody);
	if (!person)
		return sb_err_set(err, "out of memory");
	if (!known) {
		person->unseen++;
		person->unseen_time += time;
		return 0;
	}
	person->idle++;
	person->idle_time += time;
	if (ran > person->longest)
		person->longest = ran;
	return 0;
}
