/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contracts.h"

extern bool contracts_unallocated(const job_record_t *job_ptr,
				  bool free_undeclared)
{
	sb_declaration_t declaration;

	if (!job_ptr->comment)
		return free_undeclared;
	if (sb_declaration_parse(job_ptr->comment, &declaration, NULL) ||
	    !declaration.present)
		return free_undeclared;
	return !declaration.seconds;
}

static int64_t _time_limit(const job_record_t *job_ptr)
{
	if ((job_ptr->time_limit == NO_VAL) ||
	    (job_ptr->time_limit == INFINITE))
		return -1;
	return (int64_t) job_ptr->time_limit * 60;
}

extern void contracts_read(const job_record_t *job_ptr,
			   const sb_params_t *params, sb_contract_t *contract)
{
	const char *partition = job_ptr->part_ptr ? job_ptr->part_ptr->name :
		NULL;

	if (job_ptr->system_comment &&
	    !sb_contract_from_token(job_ptr->system_comment, contract, NULL) &&
	    (contract->start == job_ptr->start_time))
		return;
	(void) sb_contract_sign(params, job_ptr->comment,
				sb_params_cap(params, partition),
				_time_limit(job_ptr), true,
				job_ptr->start_time, 0, contract, NULL);
}

extern int64_t contracts_ran(const job_record_t *job_ptr, time_t now)
{
	if (IS_JOB_SUSPENDED(job_ptr))
		return job_ptr->pre_sus_time;
	if (job_ptr->suspend_time)
		return now - job_ptr->suspend_time + job_ptr->pre_sus_time;
	return now - job_ptr->start_time;
}
