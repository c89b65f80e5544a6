/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "src/board/board.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/contracts.h"
#include "src/slurm_compat/settings.h"

#include "lockin.h"
#include "roll.h"

/* FNV-1a; 1 for no comment at all. */
static uint32_t _hash(const char *text)
{
	uint32_t hash = 2166136261U;

	if (!text)
		return 1;
	for (; *text; text++)
		hash = (hash ^ (unsigned char) *text) * 16777619U;
	return hash;
}

/* A job that is requeued may start again in the same second. */
static bool _is_signed(const job_record_t *job_ptr, const pact_t *pact)
{
	return pact && pact->is_signed &&
	       (pact->contract.start == job_ptr->start_time) &&
	       (pact->restarts == job_ptr->restart_cnt);
}

extern bool lockin_due(const job_record_t *job_ptr, const pact_t *pact)
{
	return !_is_signed(job_ptr, pact) ||
	       (pact->comment_hash != _hash(job_ptr->comment));
}

extern bool lockin_seems_due(const job_record_t *job_ptr, const pact_t *pact)
{
	return !_is_signed(job_ptr, pact) ||
	       ((pact->comment != job_ptr->comment) &&
		(pact->comment_hash != _hash(job_ptr->comment)));
}

/* "2026-11-29T17:00:00", when the job is or was past its minimum if nothing
 * suspends it. */
static void _until(const job_record_t *job_ptr, const sb_contract_t *contract,
		   char *buffer, size_t size)
{
	time_t now = time(NULL);
	time_t until = now - contracts_ran(job_ptr, now) + contract->granted;
	struct tm tm;

	buffer[0] = '\0';
	if (contract->granted && localtime_r(&until, &tm))
		(void) strftime(buffer, size, "%Y-%m-%dT%H:%M:%S", &tm);
}

extern void lockin_write(job_record_t *job_ptr, const pact_t *pact)
{
	char until[32];
	char *comment;

	_until(job_ptr, &pact->contract, until, sizeof(until));
	comment = sb_contract_to_token(job_ptr->system_comment,
				       &pact->contract,
				       until[0] ? until : NULL);
	if (!comment)
		return;
	if (xstrcmp(comment, job_ptr->system_comment)) {
		xfree(job_ptr->system_comment);
		job_ptr->system_comment = xstrdup(comment);
		compat_job_updated(time(NULL));
		schedule_job_save();
	}
	free(comment);
}

static bool _is_funded(uint32_t assoc_id)
{
	const sb_board_t *board = sb_board_enter();
	bool funded = !board || sb_board_find(board, assoc_id)->funded;

	sb_board_leave();
	return funded;
}

/* What an earlier signature of this attempt says (slurmctld was restarted), or
 * a new one. Evictions are counted over all attempts. IN pact: of the attempt
 * before, if there is one that is known. */
static void _first_signature(job_record_t *job_ptr, pact_t *pact)
{
	sb_contract_t *contract = &pact->contract;
	sb_contract_t old = { 0 };
	int rc = sb_contract_from_token(job_ptr->system_comment, &old, NULL);
	bool is_older = pact->is_signed && (contract->start == old.start);

	if (!rc && (old.start == job_ptr->start_time) && !is_older) {
		*contract = old;
		return;
	}
	contracts_sign(job_ptr, settings_get(), _is_funded(job_ptr->assoc_id),
		       job_ptr->start_time, rc ? 0 : old.evictions, contract);
	if (!rc)
		memcpy(contract->evicted, old.evicted,
		       sizeof(contract->evicted));
}

extern pact_t *lockin_sign(job_record_t *job_ptr)
{
	pact_t *pact = pacts_add(job_ptr->job_id);

	if (!pact)
		return NULL;
	if (!_is_signed(job_ptr, pact)) {
		_first_signature(job_ptr, pact);
		pact->is_signed = true;
		pact->restarts = job_ptr->restart_cnt;
		pact->blocked = 0;
	}
	pact->comment_hash = _hash(job_ptr->comment);
	pact->comment = job_ptr->comment;
	pact->interactive = !job_ptr->batch_flag;
	pact->nodes = job_ptr->node_cnt;
	if (sb_contract_lower(&pact->contract, job_ptr->comment))
		roll_forget(job_ptr->job_id);
	lockin_write(job_ptr, pact);
	return pact;
}
