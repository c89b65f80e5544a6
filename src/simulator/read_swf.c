/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_swf - the Standard Workload Format, as its definition has it:
 * https://www.cs.huji.ac.il/labs/parallel/workload/swf.html
 */
#include <stdio.h>
#include <string.h>

#include "cell.h"
#include "read.h"

/* In the order of the format. */
enum {
	NUMBER, SUBMIT, WAIT, RUN, PROCS, CPU_TIME, MEMORY, ASKED_PROCS,
	ASKED_TIME, ASKED_MEMORY, STATUS, USER, GROUP, EXECUTABLE, QUEUE,
	PARTITION, BEFORE, THINK, FIELDS
};

static const struct {
	const char *name;
	int64_t max;
	bool unknown;		/* -1 is legal */
	bool fraction;		/* so is a decimal point: cut off */
} fields[FIELDS] = {
	[NUMBER] = { "job number", UINT32_MAX, false, false },
	[SUBMIT] = { "submit time", WORKLOAD_TIME_MAX, false, false },
	[WAIT] = { "wait time", WORKLOAD_TIME_MAX, true, false },
	[RUN] = { "run time", WORKLOAD_TIME_MAX, true, false },
	[PROCS] = { "allocated processors", WORKLOAD_GPUS_MAX, true, false },
	[CPU_TIME] = { "average CPU time", INT64_MAX / 2, true, true },
	[MEMORY] = { "used memory", INT64_MAX / 2, true, true },
	[ASKED_PROCS] = { "requested processors", WORKLOAD_GPUS_MAX, true,
			  false },
	[ASKED_TIME] = { "requested time", WORKLOAD_TIME_MAX, true, false },
	[ASKED_MEMORY] = { "requested memory", INT64_MAX / 2, true, true },
	[STATUS] = { "status", 5, true, false },
	[USER] = { "user", UINT32_MAX, true, false },
	[GROUP] = { "group", UINT32_MAX, true, false },
	[EXECUTABLE] = { "executable", UINT32_MAX, true, false },
	[QUEUE] = { "queue", UINT32_MAX, true, false },
	[PARTITION] = { "partition", UINT32_MAX, true, false },
	[BEFORE] = { "preceding job", UINT32_MAX, true, false },
	[THINK] = { "think time", WORKLOAD_TIME_MAX, true, false },
};

/* Status of lines that tell of a part of a job, which has one of its own. */
#define PART_FIRST 2
#define PART_LAST 4

typedef struct {
	reader_t reader;
	size_t parts, unrun;	/* lines left out */
	int64_t start;		/* epoch, 0: not said */
} swf_t;

/* One field, in place. RET: NULL, or what is wrong. */
static const char *take(int field, char *text, int64_t *value)
{
	char *point = strchr(text, '.');

	if (!strcmp(text, "-1") || !strcmp(text, "-1.0") ||
	    !strcmp(text, "-1.00")) {
		*value = WORKLOAD_UNKNOWN;
		return fields[field].unknown ? NULL : "must be known";
	}
	if (point && fields[field].fraction) {
		if (strspn(point + 1, "0123456789") != strlen(point + 1))
			return "must be a number";
		*point = '\0';
	}
	return cell_whole(text, fields[field].max, value);
}

/* RET: the number of fields, one too many is enough. */
static int split(char *line, char *texts[FIELDS + 1])
{
	char *rest, *text = strtok_r(line, " \t", &rest);
	int count = 0;

	for (; text && count <= FIELDS; text = strtok_r(NULL, " \t", &rest))
		texts[count++] = text;
	return count;
}

static int take_fields(char *line, int64_t values[FIELDS], fault_t *fault)
{
	char *texts[FIELDS + 1];
	int count = split(line, texts);

	if (count != FIELDS)
		return fault_set(fault, NULL, count < FIELDS ?
				 "fewer than 18 fields" :
				 "more than 18 fields", NULL, 0);
	for (int i = 0; i < FIELDS; i++) {
		const char *reason = take(i, texts[i], &values[i]);

		if (reason)
			return fault_set(fault, fields[i].name, reason,
					 texts[i], strlen(texts[i]));
	}
	if (values[PROCS] <= 0)
		values[PROCS] = values[ASKED_PROCS];
	if (values[RUN] > 0 && values[PROCS] <= 0)
		return fault_set(fault, fields[PROCS].name,
				 "a job that ran on no processors", NULL, 0);
	return 0;
}

static int take_user(swf_t *swf, const int64_t *values, uint32_t *assoc)
{
	char account[24] = "", user[24] = "";

	if (values[GROUP] >= 0)
		snprintf(account, sizeof(account), "g%lld",
			 (long long)values[GROUP]);
	if (values[USER] >= 0)
		snprintf(user, sizeof(user), "u%lld",
			 (long long)values[USER]);
	return reader_user(&swf->reader, account, user, assoc);
}

/* KB of each processor -> MB of all. Nobody asks for more than the largest
 * number there is: it is cut off at what any job can have. */
static uint64_t memory_of(const int64_t *values)
{
	int64_t kb = values[ASKED_MEMORY] > 0 ? values[ASKED_MEMORY] :
		values[MEMORY];
	double mem_mb = kb > 0 ? (double)kb * (double)values[PROCS] / 1024 : 0;

	return mem_mb < (double)WORKLOAD_MEM_MAX ? (uint64_t)mem_mb :
		WORKLOAD_MEM_MAX;
}

static int take_line(swf_t *swf, char *line)
{
	int64_t values[FIELDS];
	workload_job_t job = {
		.type = -1, .requeueable = true,
		.min_runtime = WORKLOAD_UNKNOWN,
		.checkpoint = WORKLOAD_UNKNOWN,
	};
	fault_t fault;

	if (take_fields(line, values, &fault))
		return tally_fault(swf->reader.tally, swf->reader.source,
				   &fault, swf->reader.err);
	if (values[STATUS] >= PART_FIRST && values[STATUS] <= PART_LAST) {
		swf->parts++;
		return 0;
	}
	if (values[RUN] < 0) {
		swf->unrun++;
		return 0;
	}
	job.id = (uint32_t)values[NUMBER];
	job.submit = values[SUBMIT];
	job.wait = values[WAIT];
	job.runtime = values[RUN];
	job.limit = values[ASKED_TIME] > 0 ? values[ASKED_TIME] :
		WORKLOAD_UNKNOWN;
	job.gpus = values[PROCS] > 0 ? (uint32_t)values[PROCS] : 0;
	job.mem_mb = job.gpus ? memory_of(values) : 0;
	if (take_user(swf, values, &job.assoc))
		return -1;
	return reader_job(&swf->reader, &job, fields[NUMBER].name);
}

/* What header comments say that is of use. */
static int take_comment(swf_t *swf, const char *line)
{
	static const char label[] = "UnixStartTime:";
	const char *reason, *text = line + strspn(line, "; \t");
	char number[32];
	fault_t fault;
	size_t len;

	if (strncmp(text, label, strlen(label)))
		return 0;
	text += strlen(label);
	text += strspn(text, " \t");
	len = strcspn(text, " \t");
	snprintf(number, sizeof(number), "%.*s", len < 31 ? (int)len : 31,
		 text);
	reason = cell_whole(number, INT64_MAX / 4, &swf->start);
	if (!reason)
		return 0;
	fault_set(&fault, "UnixStartTime", reason, text, len);
	return tally_fault(swf->reader.tally, swf->reader.source, &fault,
			   swf->reader.err);
}

static int note(swf_t *swf)
{
	workload_t *workload = swf->reader.workload;
	int rc = workload_note(workload, "processors of the SWF file are taken for GPUs");

	if (!rc)
		rc = workload_count(workload, swf->parts, "line tells of a part of a job and was left out, the job was not",
				    "lines tell of parts of jobs and were left out, the jobs were not");
	if (!rc)
		rc = workload_count(workload, swf->unrun, "job never ran and was left out",
				    "jobs never ran and were left out");
	return rc ? sb_err_set(swf->reader.err, "no memory") : 0;
}

extern workload_t *read_swf(source_t *source, tally_t *tally, sb_err_t *err)
{
	swf_t swf = { .start = 0 };
	char *line;
	size_t len;
	int rc;

	if (reader_begin(&swf.reader, source, tally, err))
		return NULL;
	while ((rc = reader_line(&swf.reader, tally, &line, &len)) > 0) {
		line += strspn(line, " \t");
		rc = *line == ';' ? take_comment(&swf, line) :
			*line ? take_line(&swf, line) : 0;
		if (rc)
			break;
	}
	swf.reader.workload->origin = swf.start;
	return reader_end(&swf.reader, rc ? rc : note(&swf));
}
