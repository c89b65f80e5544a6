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

typedef struct {
	const sb_params_t *params;
	int64_t cap;
} strictest_t;

static int _stricter(void *item, void *arg)
{
	const part_record_t *part_ptr = item;
	strictest_t *strictest = arg;
	int64_t cap = sb_params_cap(strictest->params, part_ptr->name);

	strictest->cap = MIN(strictest->cap, cap);
	return 0;
}

static int64_t _cap(const job_record_t *job_ptr, const sb_params_t *params)
{
	strictest_t strictest = { .params = params, .cap = INT64_MAX };

	if (!job_ptr->part_ptr)
		return sb_params_cap(params, NULL);
	if (!job_ptr->part_ptr_list || !IS_JOB_PENDING(job_ptr))
		return sb_params_cap(params, job_ptr->part_ptr->name);
	(void) list_for_each_ro(job_ptr->part_ptr_list, _stricter, &strictest);
	return strictest.cap;
}

extern void contracts_sign(const job_record_t *job_ptr,
			   const sb_params_t *params, bool funded,
			   int64_t start, uint32_t evictions,
			   sb_contract_t *contract)
{
	(void) sb_contract_sign(params, job_ptr->comment,
				_cap(job_ptr, params), _time_limit(job_ptr),
				funded, start, evictions, contract, NULL);
}

extern void contracts_read(const job_record_t *job_ptr,
			   const sb_params_t *params, sb_contract_t *contract)
{
	if (job_ptr->system_comment &&
	    !sb_contract_from_token(job_ptr->system_comment, contract, NULL) &&
	    (contract->start == job_ptr->start_time))
		return;
	contracts_sign(job_ptr, params, true, job_ptr->start_time, 0,
		       contract);
}

extern int64_t contracts_ran(const job_record_t *job_ptr, time_t now)
{
	if (IS_JOB_SUSPENDED(job_ptr))
		return job_ptr->pre_sus_time;
	if (job_ptr->suspend_time)
		return now - job_ptr->suspend_time + job_ptr->pre_sus_time;
	return now - job_ptr->start_time;
}
