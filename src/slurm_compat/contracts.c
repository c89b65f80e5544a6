/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contracts.h"

/* Comments read lately, by this thread: a queue of 100,000 jobs has a few
 * dozen different ones, and a look at all reads them anew. */
#define CACHE_SLOTS 256		/* a power of 2 */
#define CACHE_TEXT 232

typedef struct {
	bool used;
	bool malformed;
	sb_declaration_t declaration;
	char comment[CACHE_TEXT];
} cached_t;

/* RET: hash and length of a comment that fits, 0 length: none or too long. */
static uint32_t _hash(const char *comment, size_t *length)
{
	uint32_t hash = 2166136261U;
	size_t i;

	for (i = 0; comment[i] && (i < CACHE_TEXT); i++)
		hash = (hash ^ (unsigned char) comment[i]) * 16777619U;
	*length = (i < CACHE_TEXT) ? i : 0;
	return hash;
}

/* RET: what sb_declaration_parse() would. */
static bool _is_malformed(const char *comment, sb_declaration_t *declaration)
{
	static _Thread_local cached_t cache[CACHE_SLOTS];
	cached_t *cached;
	size_t length = 0;
	uint32_t hash;

	if (!comment || !comment[0])
		return sb_declaration_parse(NULL, declaration, NULL);
	hash = _hash(comment, &length);
	if (!length)
		return sb_declaration_parse(comment, declaration, NULL);
	cached = &cache[hash & (CACHE_SLOTS - 1)];
	if (!cached->used || strcmp(cached->comment, comment)) {
		cached->malformed = sb_declaration_parse(
			comment, &cached->declaration, NULL);
		memcpy(cached->comment, comment, length + 1);
		cached->used = true;
	}
	*declaration = cached->declaration;
	return cached->malformed;
}

extern bool contracts_unallocated(const job_record_t *job_ptr,
				  bool free_undeclared)
{
	sb_declaration_t declaration;

	if (_is_malformed(job_ptr->comment, &declaration) ||
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
	sb_declaration_t declaration;
	bool malformed = _is_malformed(job_ptr->comment, &declaration);

	sb_contract_grant(params, &declaration, malformed,
			  _cap(job_ptr, params), _time_limit(job_ptr), funded,
			  start, evictions, contract);
}

extern bool contracts_read(const job_record_t *job_ptr,
			   const sb_params_t *params, sb_contract_t *contract)
{
	if (job_ptr->system_comment &&
	    !sb_contract_from_token(job_ptr->system_comment, contract, NULL) &&
	    (contract->start == job_ptr->start_time))
		return true;
	contracts_sign(job_ptr, params, true, job_ptr->start_time, 0,
		       contract);
	return false;
}

extern int64_t contracts_ran(const job_record_t *job_ptr, time_t now)
{
	if (IS_JOB_SUSPENDED(job_ptr))
		return job_ptr->pre_sus_time;
	if (job_ptr->suspend_time)
		return now - job_ptr->suspend_time + job_ptr->pre_sus_time;
	return now - job_ptr->start_time;
}
