/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "tally.h"

const report_options_t report_options_default = {
	.unit = "GPU",
	.debug = 15 * SB_MINUTE,
	.large_nodes = SB_GANG_NODES_DEFAULT,
	.cap = SB_MIN_RUNTIME_MAX_DEFAULT,
	.idle_time = 4 * SB_HOUR,
	.idle_usage = 0.05,
	.idle_repeat = 3,
	.classes_known = true,
};

static const char no_memory[] = "out of memory";

extern int report_grow(void **array, size_t *room, size_t count, size_t size)
{
	size_t more = *room ? *room * 2 : 16;
	void *grown;

	if (count < *room)
		return 0;
	if (more > SIZE_MAX / size)
		return -1;
	grown = realloc(*array, more * size);
	if (!grown)
		return -1;
	*array = grown;
	*room = more;
	return 0;
}

/* Append an account. RET: its index, or -1 with err. */
static int32_t add_row(report_t *report, const report_account_t *account,
		       sb_err_t *err)
{
	report_row_t *row;
	json_object *index = NULL;
	char *name = NULL;

	if (report->row_count >= INT32_MAX ||
	    report_grow((void **) &report->rows, &report->row_room,
			report->row_count, sizeof(*report->rows)))
		return sb_err_set(err, no_memory);
	name = strdup(account->name);
	index = json_object_new_int((int32_t) report->row_count);
	if (!name || !index ||
	    json_object_object_add(report->names, name, index)) {
		free(name);
		json_object_put(index);
		return sb_err_set(err, no_memory);
	}
	row = &report->rows[report->row_count];
	*row = (report_row_t) { .name = name, .parent = account->parent,
				.team = -1, .allocation = account->allocation,
				.is_team = account->team };
	if (row->parent >= 0) {
		row->depth = report->rows[row->parent].depth + 1;
		report->rows[row->parent].has_child = true;
	}
	return (int32_t) report->row_count++;
}

static int check_account(const report_account_t *account, size_t index,
			 sb_err_t *err)
{
	char quoted[SB_ERR_SIZE];
	size_t length = account->name ? strlen(account->name) : 0;

	if (!length || length > REPORT_NAME_MAX)
		return sb_err_set(err, "account %zu: its name is missing or "
				  "longer than %d bytes", index,
				  REPORT_NAME_MAX);
	sb_err_quote(quoted, sizeof(quoted), account->name, length);
	if (account->parent < REPORT_NO_PARENT ||
	    (account->parent >= 0 && (size_t) account->parent >= index))
		return sb_err_set(err, "account '%s': its parent does not come "
				  "before it", quoted);
	if (!(account->allocation >= 0 && account->allocation <= 1))
		return sb_err_set(err, "account '%s': an allocation is 0 to 1",
				  quoted);
	return 0;
}

/* Who is a team, and who belongs to which. */
static int mark_teams(report_t *report, sb_err_t *err)
{
	bool any = false;

	for (size_t i = 0; i < report->row_count; i++)
		any = any || report->rows[i].is_team;
	for (size_t i = 0; i < report->row_count; i++) {
		report_row_t *row = &report->rows[i];
		int32_t above = row->parent >= 0 ?
			report->rows[row->parent].team : -1;
		char quoted[SB_ERR_SIZE];

		if (!any)
			row->is_team = !row->has_child && row->allocation > 0;
		if (row->is_team && above >= 0)
			return sb_err_set(
				err, "team '%s' is inside of another team",
				sb_err_quote(quoted, sizeof(quoted), row->name,
					     strlen(row->name)));
		row->team = row->is_team ? (int32_t) i : above;
	}
	return 0;
}

static int check_period(int64_t from, int64_t until, sb_err_t *err)
{
	if (from < 0 || until > REPORT_TIME_MAX || until <= from)
		return sb_err_set(err, "the period is empty or out of range");
	if (until - from > (int64_t) REPORT_HOURS_MAX * SB_HOUR)
		return sb_err_set(err, "the period is longer than %d days",
				  REPORT_HOURS_MAX / 24);
	return 0;
}

static int open_report(report_t *report)
{
	const report_period_t *period = &report->period;

	report->names = json_object_new_object();
	report->people_index = json_object_new_object();
	report->unit = report_clean(report->options.unit ?
				    report->options.unit : "GPU");
	if (!report->names || !report->people_index || !report->unit)
		return -1;
	for (size_t c = 0; c < REPORT_CLASSES; c++)
		if (report_series_open(&report->running[c], period))
			return -1;
	return report_series_open(&report->pending, period) ||
	       report_series_open(&report->total, period) ||
	       report_series_open(&report->down, period) ||
	       report_series_open(&report->planned, period) ? -1 : 0;
}

extern report_t *report_create(int64_t from, int64_t until,
			       const report_account_t *accounts, size_t count,
			       const report_options_t *options, sb_err_t *err)
{
	report_t *report;

	if (check_period(from, until, err))
		return NULL;
	report = calloc(1, sizeof(*report));
	if (!report) {
		sb_err_set(err, no_memory);
		return NULL;
	}
	report->period = (report_period_t) {
		from, until, (size_t) ((until - from + SB_HOUR - 1) / SB_HOUR)
	};
	report->options = options ? *options : report_options_default;
	report->nobody = -1;
	if (open_report(report)) {
		sb_err_set(err, no_memory);
		goto fail;
	}
	for (size_t i = 0; i < count; i++)
		if (check_account(&accounts[i], i, err) ||
		    add_row(report, &accounts[i], err) < 0)
			goto fail;
	if (mark_teams(report, err))
		goto fail;
	return report;
fail:
	report_destroy(report);
	return NULL;
}

extern void report_destroy(report_t *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->row_count; i++) {
		free(report->rows[i].name);
		report_series_free(&report->rows[i].charged);
		report_series_free(&report->rows[i].pending);
	}
	for (size_t i = 0; i < report->person_count; i++)
		free(report->people[i].user);
	for (size_t c = 0; c < REPORT_CLASSES; c++)
		report_series_free(&report->running[c]);
	for (size_t s = 0; s < REPORT_SHEETS; s++)
		report_sheet_destroy(report->sheets[s]);
	report_series_free(&report->pending);
	report_series_free(&report->total);
	report_series_free(&report->down);
	report_series_free(&report->planned);
	report_waits_free(&report->waits);
	json_object_put(report->names);
	json_object_put(report->people_index);
	free(report->rows);
	free(report->order);
	free(report->people);
	free(report->bars);
	free(report->unit);
	free(report);
}

extern int32_t report_account(report_t *report, const char *name,
			      sb_err_t *err)
{
	report_account_t account = { .name = name, .parent = REPORT_NO_PARENT };
	json_object *index;

	if (check_account(&account, report->row_count, err))
		return REPORT_NO_ACCOUNT;
	if (json_object_object_get_ex(report->names, name, &index))
		return json_object_get_int(index);
	if (report->finished)
		return sb_err_set(err, "the report is finished");
	return add_row(report, &account, err);
}

extern int report_capacity(report_t *report, int64_t from, int64_t until,
			   uint32_t total, uint32_t down, uint32_t planned,
			   sb_err_t *err)
{
	if (report->finished)
		return sb_err_set(err, "the report is finished");
	if (from < 0 || until > REPORT_TIME_MAX || until < from ||
	    total > REPORT_GPUS_MAX || down > REPORT_GPUS_MAX ||
	    planned > REPORT_GPUS_MAX)
		return sb_err_set(err, "a capacity is out of range");
	report->capacity_known = report->capacity_known || total;
	if (!report_period_cut(&report->period, &from, &until))
		return 0;
	report_series_add(&report->total, &report->period, from, until, total);
	report_series_add(&report->down, &report->period, from, until, down);
	report_series_add(&report->planned, &report->period, from, until,
			  planned);
	return 0;
}

extern int report_preemption(report_t *report, uint64_t preemptor,
			     uint64_t preemptee, report_answer_t started,
			     sb_err_t *err)
{
	if (report->finished)
		return sb_err_set(err, "the report is finished");
	if (!preemptee)
		return sb_err_set(err, "a preemption of no job");
	if (!preemptor || (started != REPORT_YES && started != REPORT_NO))
		return 0;
	report->preemptors_known++;
	report->preemptors_started += started == REPORT_YES;
	return 0;
}

extern int report_bar(report_t *report, uint32_t lane, int32_t account,
		      int64_t from, int64_t until, sb_err_t *err)
{
	report_bar_t bar = { lane, account, from, until };

	if (report->finished)
		return sb_err_set(err, "the report is finished");
	if (account < REPORT_NO_ACCOUNT ||
	    (account >= 0 && (size_t) account >= report->row_count) ||
	    from < 0 || until < from || until > REPORT_TIME_MAX)
		return sb_err_set(err, "a bar is out of range");
	if (!report_period_cut(&report->period, &bar.from, &bar.until))
		return 0;
	if (report->bar_count >= REPORT_BARS_MAX || lane >= REPORT_LANES_MAX) {
		report->bars_dropped++;
		return 0;
	}
	if (!report->bars)
		report->bars = calloc(REPORT_BARS_MAX, sizeof(bar));
	if (!report->bars)
		return sb_err_set(err, no_memory);
	report->bars[report->bar_count++] = bar;
	return 0;
}

extern const report_totals_t *report_totals(const report_t *report)
{
	return report->ready ? &report->totals : NULL;
}
