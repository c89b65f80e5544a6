/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "read.h"
#include "cell.h"

enum {
	JOB_ID, SUBMIT, WAIT, RUNTIME, LIMIT, MIN_RUNTIME, CHECKPOINT, GPUS,
	NODES, ACCOUNT, USER, STATE, TYPE, CPUS, MEMORY, COLUMNS
};

static const cell_column_t columns[COLUMNS] = {
	[JOB_ID] = { "job_id", false },
	[SUBMIT] = { "submit_s", true },
	[WAIT] = { "wait_s", false },
	[RUNTIME] = { "runtime_s", true },
	[LIMIT] = { "timelimit_s", false },
	[MIN_RUNTIME] = { "min_runtime_s", false },
	[CHECKPOINT] = { "checkpoint_s", false },
	[GPUS] = { "gpus", true },
	[NODES] = { "nodes", false },
	[ACCOUNT] = { "account", false },
	[USER] = { "user", false },
	[STATE] = { "state", false },
	[TYPE] = { "gpu_type", false },
	[CPUS] = { "cpus", false },
	[MEMORY] = { "mem_mb", false },
};

/* A line that is being read. */
typedef struct {
	const cell_header_t *header;
	char *const *fields;
	fault_t *fault;
} line_t;

/* RET: 0 and the number, `missing` when the field is empty or not there; -1
 * with a fault. */
static int take(const line_t *line, int column, int64_t max, int64_t missing,
		int64_t *value)
{
	const char *text = cell_text(line->header, line->fields, column);
	const char *reason;

	*value = missing;
	if (!*text && !columns[column].needed)
		return 0;
	reason = cell_whole(text, max, value);
	return reason ? fault_set(line->fault, columns[column].name, reason,
				  text, strlen(text)) : 0;
}

static int take_name(const line_t *line, int column, const char **name)
{
	const char *reason;

	*name = cell_text(line->header, line->fields, column);
	reason = cell_name(*name);
	return reason ? fault_set(line->fault, columns[column].name, reason,
				  *name, strlen(*name)) : 0;
}

/* Everything but names. */
static int take_numbers(const line_t *line, workload_job_t *job)
{
	int64_t id, gpus, nodes, cpus, mem;

	if (take(line, JOB_ID, UINT32_MAX, WORKLOAD_UNKNOWN, &id) ||
	    take(line, SUBMIT, INT64_MAX / 4, 0, &job->submit) ||
	    take(line, WAIT, WORKLOAD_TIME_MAX, WORKLOAD_UNKNOWN,
		 &job->wait) ||
	    take(line, RUNTIME, WORKLOAD_TIME_MAX, 0, &job->runtime) ||
	    take(line, LIMIT, WORKLOAD_TIME_MAX, WORKLOAD_UNKNOWN,
		 &job->limit) ||
	    take(line, MIN_RUNTIME, WORKLOAD_TIME_MAX, WORKLOAD_UNKNOWN,
		 &job->min_runtime) ||
	    take(line, CHECKPOINT, WORKLOAD_TIME_MAX, WORKLOAD_UNKNOWN,
		 &job->checkpoint) ||
	    take(line, GPUS, WORKLOAD_GPUS_MAX, 0, &gpus) ||
	    take(line, NODES, WORKLOAD_NODES_MAX, 0, &nodes) ||
	    take(line, CPUS, WORKLOAD_CPUS_MAX, 0, &cpus) ||
	    take(line, MEMORY, (int64_t)WORKLOAD_MEM_MAX, 0, &mem))
		return -1;
	job->id = (uint32_t)id;
	job->gpus = (uint32_t)gpus;
	job->nodes = (uint32_t)nodes;
	job->cpus = (uint32_t)cpus;
	job->mem_mb = (uint64_t)mem;
	if (gpus && nodes > gpus)
		return fault_set(line->fault, columns[NODES].name,
				 "more nodes than GPUs", NULL, 0);
	if (cpus && nodes > cpus)
		return fault_set(line->fault, columns[NODES].name,
				 "more nodes than CPUs", NULL, 0);
	return id == WORKLOAD_UNKNOWN;	/* 1: has no id of its own */
}

static int take_job(reader_t *reader, const line_t *line)
{
	workload_job_t job = { .type = -1, .requeueable = true };
	const char *account, *user, *type;
	int rc = take_numbers(line, &job);

	if (rc < 0 || take_name(line, ACCOUNT, &account) ||
	    take_name(line, USER, &user) || take_name(line, TYPE, &type))
		return tally_fault(reader->tally, reader->source, line->fault,
				   reader->err);
	if (rc)
		job.id = (uint32_t)reader->workload->job_count + 1;
	if (*type) {
		job.type = workload_type(reader->workload, type, reader->err);
		if (job.type < 0)
			return -1;
	}
	if (reader_user(reader, account, user, &job.assoc))
		return -1;
	return reader_job(reader, &job, columns[JOB_ID].name);
}

/* The header is no line that could be left out. */
static int take_header(reader_t *reader, cell_header_t *header)
{
	char *line, *names[CELLS_MAX];
	const char *reason, *bad;
	fault_t fault;
	tally_t strict = { .lenient = false };
	size_t len;
	int rc = reader_line(reader, &strict, &line, &len);

	if (rc < 0)
		return -1;
	if (!rc)
		return sb_err_set(reader->err, "%s: is empty",
				  source_name(reader->source));
	reason = cell_header(names, cell_split(line, ',', names), columns,
			      COLUMNS, true, header, &bad);
	if (!reason)
		return 0;
	fault_set(&fault, NULL, reason, bad, bad ? strlen(bad) : 0);
	return tally_fault(&strict, reader->source, &fault, reader->err);
}

static int take_line(reader_t *reader, const cell_header_t *header,
		     char *text)
{
	char *fields[CELLS_MAX];
	fault_t fault;
	line_t line = { .header = header, .fields = fields, .fault = &fault };
	size_t count;

	if (strchr(text, '"')) {
		fault_set(&fault, NULL, "quotes are not understood", text,
			  strlen(text));
		return tally_fault(reader->tally, reader->source, &fault,
				   reader->err);
	}
	count = cell_split(text, ',', fields);
	if (count == header->count)
		return take_job(reader, &line);
	fault_set(&fault, NULL, count < header->count ?
		  "fewer fields than the header has" :
		  "more fields than the header has", text, strlen(text));
	return tally_fault(reader->tally, reader->source, &fault, reader->err);
}

extern workload_t *read_trace(source_t *source, tally_t *tally, sb_err_t *err)
{
	reader_t reader;
	cell_header_t header;
	char *line;
	size_t len;
	int rc;

	if (reader_begin(&reader, source, tally, err))
		return NULL;
	rc = take_header(&reader, &header);
	while (!rc && (rc = reader_line(&reader, tally, &line, &len)) > 0)
		rc = len ? take_line(&reader, &header, line) : 0;
	return reader_end(&reader, rc);
}
