/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "sacct_row.h"
#include "timespan.h"
#include "workload.h"

enum {
	JOB_ID_RAW, JOB_ID, CLUSTER, ACCOUNT, USER, SUBMIT, ELIGIBLE, START,
	END, ELAPSED, ELAPSED_RAW, LIMIT, LIMIT_RAW, STATE, ALLOC_TRES,
	REQ_TRES, ALLOC_NODES, NNODES, COMMENT, SUBMIT_LINE, COLUMNS
};

static const cell_column_t known[COLUMNS] = {
	[JOB_ID_RAW] = { "JobIDRaw", false },
	[JOB_ID] = { "JobID", false },
	[CLUSTER] = { "Cluster", false },
	[ACCOUNT] = { "Account", true },
	[USER] = { "User", false },
	[SUBMIT] = { "Submit", true },
	[ELIGIBLE] = { "Eligible", false },
	[START] = { "Start", true },
	[END] = { "End", false },
	[ELAPSED] = { "Elapsed", false },
	[ELAPSED_RAW] = { "ElapsedRaw", false },
	[LIMIT] = { "Timelimit", false },
	[LIMIT_RAW] = { "TimelimitRaw", false },
	[STATE] = { "State", true },
	[ALLOC_TRES] = { "AllocTRES", true },
	[REQ_TRES] = { "ReqTRES", false },
	[ALLOC_NODES] = { "AllocNodes", false },
	[NNODES] = { "NNodes", false },
	[COMMENT] = { "Comment", false },
	[SUBMIT_LINE] = { "SubmitLine", false },
};

/* States as sacct names them; "CANCELLED by 1000" begins with one. */
static const struct {
	const char *name;
	sacct_state_t state;
} states[] = {
	{ "BOOT_FAIL", SACCT_ENDED }, { "CANCELLED", SACCT_ENDED },
	{ "COMPLETED", SACCT_ENDED }, { "COMPLETING", SACCT_RUNNING },
	{ "CONFIGURING", SACCT_RUNNING }, { "DEADLINE", SACCT_ENDED },
	{ "FAILED", SACCT_ENDED }, { "LAUNCH_FAILED", SACCT_ENDED },
	{ "NODE_FAIL", SACCT_ENDED }, { "OUT_OF_MEMORY", SACCT_ENDED },
	{ "PENDING", SACCT_WAITING }, { "POWER_UP_NODE", SACCT_RUNNING },
	{ "PREEMPTED", SACCT_ENDED }, { "RECONFIG_FAIL", SACCT_ENDED },
	{ "REQUEUED", SACCT_ENDED }, { "REQUEUE_FED", SACCT_WAITING },
	{ "REQUEUE_HOLD", SACCT_WAITING }, { "RESIZING", SACCT_ENDED },
	{ "RESV_DEL_HOLD", SACCT_WAITING }, { "REVOKED", SACCT_ELSEWHERE },
	{ "RUNNING", SACCT_RUNNING }, { "SIGNALING", SACCT_RUNNING },
	{ "SPECIAL_EXIT", SACCT_WAITING }, { "STAGE_OUT", SACCT_RUNNING },
	{ "STOPPED", SACCT_RUNNING }, { "SUSPENDED", SACCT_RUNNING },
	{ "TIMEOUT", SACCT_ENDED },
};

/* A line that is being read. */
typedef struct {
	sacct_columns_t *columns;
	char *fields[CELLS_MAX];
	fault_t *fault;
} line_t;

static const char *text_of(const line_t *line, int column)
{
	return cell_text(&line->columns->header, line->fields, column);
}

/* RET: -1 with a fault; or 0 when there is no reason for one. */
static int judge(const line_t *line, int column, const char *reason)
{
	const char *text = text_of(line, column);

	return reason ? fault_set(line->fault, known[column].name, reason,
				  text, strlen(text)) : 0;
}

/* ---------------------------------------------------------------- header */

extern int sacct_row_header(sacct_columns_t *columns, char *line,
			    fault_t *fault)
{
	static const int either[][2] = {
		{ JOB_ID_RAW, JOB_ID }, { ELAPSED, ELAPSED_RAW },
	};
	const char *reason, *bad;
	char *names[CELLS_MAX];
	size_t count;

	memset(columns, 0, sizeof(*columns));
	count = cell_split(line, '|', names);
	/* sacct -p ends each line with a separator. */
	if (count > 1 && count <= CELLS_MAX && !*names[count - 1])
		count--;
	reason = cell_header(names, count, known, COLUMNS, false,
			      &columns->header, &bad);
	if (reason)
		return fault_set(fault, NULL, reason, bad,
				 bad ? strlen(bad) : 0);
	for (size_t i = 0; i < sizeof(either) / sizeof(*either); i++) {
		const char *name = known[either[i][0]].name;

		if (columns->header.where[either[i][0]] < 0 &&
		    columns->header.where[either[i][1]] < 0)
			return fault_set(fault, NULL,
					 "the header has no such column",
					 name, strlen(name));
	}
	return 0;
}

extern bool sacct_row_declares(const sacct_columns_t *columns)
{
	return columns->header.where[COMMENT] >= 0;
}

/* ---------------------------------------------------------------- ids */

/* FNV-1a: ids that are no numbers. The top bit keeps them apart from those. */
static uint64_t key_of(const char *text, size_t len)
{
	uint64_t hash = 14695981039346656037U;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211U;
	return hash | 1ULL << 63;
}

/* Behind the number: "_7", "_[1-4,8%2]", "+1". RET: NULL, or wrong. */
static const char *take_suffix(const char *text, sacct_row_t *row)
{
	const char *digits = text + 1;

	row->component = *text == '+';
	if (*text == '_' && text[1] == '[') {
		digits = strchr(text, ']');
		return digits && !digits[1] ? NULL :
			"is an array without its closing bracket";
	}
	if ((*text != '_' && *text != '+') || !*digits ||
	    strspn(digits, "0123456789") != strlen(digits))
		return "is no job id";
	return NULL;
}

/* "123", "123_4", "123_[4-9%2]", "123+0", and steps: "123.batch". */
static const char *take_id(const char *text, sacct_row_t *row)
{
	size_t len = strspn(text, "0123456789");
	int64_t number;
	char digits[24];
	const char *reason;

	if (!len)
		return *text ? "is no job id" : "is empty";
	if (len >= sizeof(digits))
		return "is too large";
	memcpy(digits, text, len);
	digits[len] = '\0';
	reason = cell_whole(digits, UINT32_MAX, &number);
	if (reason)
		return reason;
	if (!number)
		return "must not be 0";
	row->id = (uint32_t)number;
	row->key = row->id;
	if (!text[len])
		return NULL;
	if (strchr(text + len, '.')) {
		row->step = true;
		return NULL;
	}
	row->id = 0;
	row->key = key_of(text, strlen(text));
	return take_suffix(text + len, row);
}

/* JobIDRaw has a number for each task; JobID says what is a component. */
static int take_ids(const line_t *line, sacct_row_t *row)
{
	bool raw = line->columns->header.where[JOB_ID_RAW] >= 0;

	if (line->columns->header.where[JOB_ID] >= 0 &&
	    judge(line, JOB_ID, take_id(text_of(line, JOB_ID), row)))
		return -1;
	if (!raw || row->step)
		return 0;
	return judge(line, JOB_ID_RAW, take_id(text_of(line, JOB_ID_RAW), row));
}

/* ---------------------------------------------------------------- times */

static int take_state(const line_t *line, sacct_row_t *row)
{
	const char *text = text_of(line, STATE);
	size_t len = strcspn(text, " +");

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (strlen(states[i].name) == len &&
		    !memcmp(states[i].name, text, len)) {
			row->state = states[i].state;
			return 0;
		}
	}
	return judge(line, STATE, *text ? "is no state of a job" : "is empty");
}

static int take_elapsed(const line_t *line, sacct_row_t *row)
{
	const char *text = text_of(line, ELAPSED_RAW);
	const char *reason;

	if (*text) {
		reason = cell_whole(text, WORKLOAD_TIME_MAX, &row->elapsed);
		return judge(line, ELAPSED_RAW, reason);
	}
	text = text_of(line, ELAPSED);
	/* Without a colon a bare number is minutes for timespan. */
	if (!strchr(text, ':') ||
	    sb_timespan_parse(text, strlen(text), &row->elapsed, NULL))
		return judge(line, ELAPSED, *text ?
			     "is no time like 1-02:03:04" : "is empty");
	return 0;
}

static int take_limit(const line_t *line, sacct_row_t *row)
{
	int column = *text_of(line, LIMIT_RAW) ? LIMIT_RAW : LIMIT;
	const char *text = text_of(line, column);

	row->limit = WORKLOAD_UNKNOWN;
	if (!*text || !strcmp(text, "Partition_Limit"))
		return 0;
	if (!strcmp(text, "UNLIMITED")) {
		row->limit = WORKLOAD_TIME_MAX;
		return 0;
	}
	/* Timelimit has colons, TimelimitRaw is minutes. */
	if (isalpha((unsigned char)text[strlen(text) - 1]) ||
	    (column == LIMIT && !strchr(text, ':')) ||
	    sb_timespan_parse(text, strlen(text), &row->limit, NULL))
		return judge(line, column, "is no time limit");
	return 0;
}

/* Which of the instants that texts can mean fit together: they follow each
 * other, and the run is as long as sacct says. 0 where there is no time. */
static void choose(const zone_time_t times[4], int64_t elapsed,
		   int64_t best[4])
{
	int64_t least = INT64_MAX;

	for (int pick = 0; pick < 16; pick++) {
		int64_t at[4], error = 0, before = 0;
		bool legal = true;

		for (int i = 0; i < 4; i++) {
			int which = pick >> (3 - i) & 1;

			at[i] = 0;
			if (!times[i].count ? which : which >= times[i].count)
				legal = false;
			else if (times[i].count)
				at[i] = times[i].when[which];
			if (at[i] && at[i] < before)
				error += before - at[i];
			before = at[i] ? at[i] : before;
		}
		if (at[2] && at[3])
			error += llabs(at[3] - at[2] - elapsed);
		if (legal && error < least) {
			least = error;
			memcpy(best, at, sizeof(at));
		}
	}
}

static int take_times(const line_t *line, sacct_row_t *row)
{
	static const int from[4] = { SUBMIT, ELIGIBLE, START, END };
	zone_time_t times[4];
	int64_t at[4] = { 0 };

	for (int i = 0; i < 4; i++) {
		if (judge(line, from[i], zone_parse(&line->columns->zone,
						    text_of(line, from[i]),
						    &times[i])))
			return -1;
	}
	if (!times[0].count)
		return judge(line, SUBMIT, "is not known");
	choose(times, row->elapsed, at);
	if (at[2] && at[3] && at[3] < at[2])
		return judge(line, END, "is before Start");
	if (!at[2] && row->elapsed)
		return judge(line, START, "is not known, yet it ran");
	row->ready = at[1] > at[0] ? at[1] : at[0];
	/* One that was cancelled while it waited has a Start, the same as its
	 * End, and was allocated nothing. */
	row->start = row->elapsed || *text_of(line, ALLOC_TRES) ? at[2] : 0;
	/* An array's task or a requeued job can be eligible in the books only
	 * after it started. */
	if (row->start && row->ready > row->start)
		row->ready = at[0] < row->start ? at[0] : row->start;
	return 0;
}

/* ---------------------------------------------------------------- the rest */

static int take_tres(const line_t *line, sacct_row_t *row)
{
	int column = *text_of(line, ALLOC_TRES) ? ALLOC_TRES : REQ_TRES;
	const char *bad, *text;
	size_t len;
	const char *reason = tres_parse(text_of(line, column), &row->tres,
					&bad, &len);
	int64_t nodes = row->tres.nodes;

	if (reason)
		return fault_set(line->fault, known[column].name, reason, bad,
				 len);
	column = *text_of(line, ALLOC_NODES) ? ALLOC_NODES : NNODES;
	text = text_of(line, column);
	if (*text && !row->tres.nodes) {
		reason = cell_whole(text, WORKLOAD_NODES_MAX, &nodes);
		if (reason)
			return judge(line, column, reason);
	}
	row->nodes = (uint32_t)nodes;
	if (row->tres.gpus && row->nodes > row->tres.gpus)
		row->nodes = 0;		/* some of its nodes have none */
	return 0;
}

/* Slurm's own default for a comment is none; what is declared is policy. */
static int take_words(const line_t *line, sacct_row_t *row)
{
	static const int names[] = { CLUSTER, ACCOUNT, USER };
	const char *command = text_of(line, SUBMIT_LINE);
	sb_declaration_t decl;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (judge(line, names[i], cell_name(text_of(line, names[i]))))
			return -1;
	}
	row->cluster = text_of(line, CLUSTER);
	row->account = text_of(line, ACCOUNT);
	row->user = text_of(line, USER);
	row->bad_comment = sb_declaration_parse(text_of(line, COMMENT), &decl,
						NULL) != 0;
	row->min_runtime = decl.present ? decl.seconds : WORKLOAD_UNKNOWN;
	row->interactive = !strncmp(command, "salloc", strlen("salloc")) ||
		!strncmp(command, "srun", strlen("srun"));
	return 0;
}

extern int sacct_row_parse(sacct_columns_t *columns, char *text,
			   sacct_row_t *row, fault_t *fault)
{
	line_t line = { .columns = columns, .fault = fault };
	size_t count = cell_split(text, '|', line.fields);
	size_t want = columns->header.count;

	memset(row, 0, sizeof(*row));
	if (count == want + 1 && !*line.fields[want])
		count--;	/* sacct -p */
	if (count != want)
		return fault_set(fault, NULL, count < want ?
				 "fewer fields than the header has" :
				 "more fields than the header has (a '|' in a free text?)",
				 text, strlen(text));
	if (take_ids(&line, row) || row->step)
		return row->step ? 0 : -1;
	if (take_state(&line, row) || take_elapsed(&line, row) ||
	    take_limit(&line, row) || take_times(&line, row) ||
	    take_tres(&line, row) || take_words(&line, row))
		return -1;
	return 0;
}
