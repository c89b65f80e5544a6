/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/contracts.h"
#include "src/slurm_compat/settings.h"

#include "party.h"

/* What counts as size where a job has no GPU. */
static double _size(const uint64_t *tres)
{
	static int gpu_pos = -2;

	/* Positions of TRES stay as they are while slurmctld runs. */
	if (gpu_pos == -2)
		gpu_pos = compat_find_tres("gres/gpu");
	if (!tres)
		return 0;
	if ((gpu_pos >= 0) && tres[gpu_pos] &&
	    (tres[gpu_pos] != NO_CONSUME_VAL64))
		return tres[gpu_pos];
	return tres[TRES_ARRAY_BILLING];
}

static void _place(const sb_board_t *board, const job_record_t *job_ptr,
		   sb_party_t *party)
{
	party->node = SB_NO_NODE;
	party->funded = true;
	if (!board)
		return;
	party->node = sb_board_index(board, job_ptr->assoc_id);
	party->funded = (party->node != SB_NO_NODE) &&
			board->nodes[party->node].funded;
}

/* Whether it can be requeued stands far from everything else. */
static bool _is_requeueable(const job_record_t *job_ptr)
{
	return job_ptr->batch_flag && job_ptr->details &&
	       job_ptr->details->requeue;
}

extern void party_victim(const sb_board_t *board, const job_record_t *job_ptr,
			 const pact_t *pact, time_t now, sb_party_t *party)
{
	/* Every field of the job record that is read here is one that has to
	 * come from memory: so what may is read in the pact. */
	*party = (sb_party_t) {
		.class = pact->contract.class,
		.nodes = pact->nodes,
		.min_runtime = MAX(0, pact->contract.declared),
		.protected_left = !pact->contract.granted ? 0 :
			sb_contract_left(&pact->contract,
					 contracts_ran(job_ptr, now)),
		.exempt = job_ptr->part_ptr &&
			compat_mode_off(job_ptr->part_ptr->preempt_mode),
		.interactive = pact->interactive,
		.requeueable = !settings_get()->not_requeueable_spare ||
			       _is_requeueable(job_ptr),
	};
	if (board && (pact->board == board->serial)) {
		party->node = pact->node;
		party->funded = (pact->node != SB_NO_NODE) &&
				board->nodes[pact->node].funded;
	} else
		_place(board, job_ptr, party);
}

extern void party_running(const sb_board_t *board, const job_record_t *job_ptr,
			  const pact_t *pact, time_t now, sb_party_t *party)
{
	party_victim(board, job_ptr, pact, now, party);
	party->ran = contracts_ran(job_ptr, now);
	party->gpus = _size(job_ptr->tres_alloc_cnt);
}

extern void party_waiting(const sb_board_t *board, const job_record_t *job_ptr,
			  const pact_t *pact, sb_party_t *party)
{
	const sb_params_t *params = settings_get();
	sb_contract_t contract;

	/* What it would be granted if it started now. */
	contracts_sign(job_ptr, params, true, 0, 0, &contract);
	*party = (sb_party_t) {
		.class = contract.class,
		.nodes = job_ptr->details ? job_ptr->details->min_nodes : 1,
		.gpus = _size(job_ptr->tres_req_cnt),
		.min_runtime = contract.granted,
		.interactive = !job_ptr->batch_flag,
		.blocked_wait = pact ? pact->blocked : 0,
	};
	_place(board, job_ptr, party);
}
