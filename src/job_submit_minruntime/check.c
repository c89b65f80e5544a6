/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>

#include "src/core/submission.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/contracts.h"
#include "src/slurm_compat/guard.h"
#include "src/slurm_compat/job_submit_compat.h"
#include "src/slurm_compat/settings.h"

#include "check.h"

/* Longest list of partitions that is looked at; Slurm refuses longer ones,
 * after us. */
#define PARTITIONS_MAX 1024

/* For settings_get(): newer releases submit jobs side by side. */
static pthread_mutex_t settings_lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t _seconds(uint32_t minutes)
{
	if (minutes == NO_VAL)
		return SB_TIME_UNSET;
	if (minutes == INFINITE)
		return SB_TIME_UNLIMITED;
	return (int64_t) minutes * 60;
}

/* What the partition gives a job that sets no time limit. 0: Slurm refuses
 * such a job itself. */
static int64_t _default_limit(const part_record_t *part_ptr)
{
	uint32_t minutes = part_ptr->default_time;

	if (minutes == NO_VAL)
		minutes = part_ptr->max_time;
	return minutes ? _seconds(minutes) : SB_TIME_UNLIMITED;
}

static void _add_part(sb_request_t *request, sb_request_part_t *parts,
		      const part_record_t *part_ptr)
{
	/* Slurm itself says that there is no such partition. */
	if (!part_ptr)
		return;
	parts[request->part_count++] = (sb_request_part_t) {
		.name = part_ptr->name,
		.time_limit = _default_limit(part_ptr),
		.exempt = compat_mode_off(part_ptr->preempt_mode),
	};
}

/* IN names: separated by commas, may be NULL.
 * RET: array to be given to xfree(), names in it last as long as part R. */
static sb_request_part_t *_find_parts(const char *names, sb_request_t *request)
{
	sb_request_part_t *parts;
	char *copy, *name, *rest = NULL;
	int count = 1;

	request->part_count = 0;
	request->parts = NULL;
	if (!names || (strnlen(names, PARTITIONS_MAX + 1) > PARTITIONS_MAX))
		return NULL;
	for (const char *at = names; *at; at++)
		count += *at == ',';
	parts = xcalloc(count, sizeof(*parts));
	copy = xstrdup(names);
	for (name = strtok_r(copy, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest))
		_add_part(request, parts, find_part_record(name));
	xfree(copy);
	request->parts = parts;
	return parts;
}

/* As slurmctld will choose when none is named. */
static const char *_part_names(const job_desc_msg_t *job_desc)
{
	slurmctld_resv_t *resv_ptr = NULL;

	if (job_desc->partition)
		return job_desc->partition;
	if (job_desc->reservation && job_desc->reservation[0])
		resv_ptr = find_resv_name(job_desc->reservation);
	if (resv_ptr && resv_ptr->part_ptr)
		return resv_ptr->part_ptr->name;
	return default_part_loc ? default_part_loc->name : NULL;
}

/* Only the first component of a batch het job has the script; salloc and srun
 * wait at a port. */
static bool _is_batch(const job_desc_msg_t *job_desc)
{
	if (job_desc->script)
		return true;
	return job_desc->het_job_offset && !job_desc->alloc_resp_port &&
	       (job_desc->het_job_offset != NO_VAL);
}

static bool _is_requeueable(const job_desc_msg_t *job_desc)
{
	if (!_is_batch(job_desc))
		return false;
	return (job_desc->requeue == NO_VAL16) ? slurm_conf.job_requeue :
		job_desc->requeue;
}

static int _code(sb_answer_t answer)
{
	switch (answer) {
	case SB_ANSWER_YES:
		return SLURM_SUCCESS;
	case SB_ANSWER_MALFORMED:
		return ESLURM_INVALID_TIME_VALUE;
	case SB_ANSWER_OVER:
	case SB_ANSWER_MISSING:
		return ESLURM_INVALID_TIME_LIMIT;
	case SB_ANSWER_RAISED:
		return ESLURM_JOB_NOT_PENDING;
	}
	return SLURM_ERROR;
}

/* Other plugins may have said something before. */
static void _tell(char **err_msg, const sb_err_t *message)
{
	if (message->text[0])
		xstrfmtcat(*err_msg, "%s%s", *err_msg ? "\n" : "",
			   message->text);
}

extern int check_submit(job_desc_msg_t *job_desc, char **err_msg)
{
	sb_request_t request = { 0 };
	sb_request_part_t *parts;
	sb_answer_t answer;
	sb_err_t message;

	if (!guard_check_desc(job_desc))
		return SLURM_SUCCESS;
	request.comment = job_desc->comment;
	request.time_limit = _seconds(job_desc->time_limit);
	request.requeueable = _is_requeueable(job_desc);
	request.preempts = !xstrcmp(slurm_conf.preempt_type,
				    "preempt/minruntime");
	parts = _find_parts(_part_names(job_desc), &request);
	slurm_mutex_lock(&settings_lock);
	settings_refresh();
	answer = sb_submission_check(settings_get(), &request, &message);
	slurm_mutex_unlock(&settings_lock);
	xfree(parts);
	_tell(err_msg, &message);
	return _code(answer);
}

static sb_answer_t _ask_change(const job_record_t *job_ptr,
			       const sb_request_t *before,
			       const sb_request_t *after, sb_err_t *message)
{
	bool started = IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr);
	const sb_params_t *params;
	sb_contract_t contract;
	sb_answer_t answer;

	slurm_mutex_lock(&settings_lock);
	settings_refresh();
	params = settings_get();
	if (started)
		(void) contracts_read(job_ptr, params, &contract);
	answer = sb_submission_change(params, before, after,
				      started ? &contract : NULL, message);
	slurm_mutex_unlock(&settings_lock);
	return answer;
}

extern int check_modify(job_desc_msg_t *job_desc, job_record_t *job_ptr,
			char **err_msg)
{
	sb_request_t before = { 0 }, after;
	sb_request_part_t *old_parts, *new_parts = NULL;
	sb_answer_t answer;
	sb_err_t message;

	if (!guard_check_desc(job_desc) || !guard_check_job(job_ptr))
		return SLURM_SUCCESS;
	before.comment = job_ptr->comment;
	before.time_limit = _seconds(job_ptr->time_limit);
	old_parts = _find_parts(job_ptr->partition, &before);
	after = before;
	if (job_desc->comment)
		after.comment = job_desc->comment;
	if (job_desc->time_limit != NO_VAL)
		after.time_limit = _seconds(job_desc->time_limit);
	if (job_desc->partition)
		new_parts = _find_parts(job_desc->partition, &after);

	answer = _ask_change(job_ptr, &before, &after, &message);
	xfree(old_parts);
	xfree(new_parts);
	if (err_msg)
		_tell(err_msg, &message);
	else if (answer != SB_ANSWER_YES)
		verbose("job_submit/minruntime: update of %pJ refused: %s",
			job_ptr, message.text);
	return _code(answer);
}
