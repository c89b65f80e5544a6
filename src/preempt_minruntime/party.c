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

extern void party_running(const sb_board_t *board, const job_record_t *job_ptr,
			  const pact_t *pact, time_t now, sb_party_t *party)
{
	int64_t ran = contracts_ran(job_ptr, now);

	*party = (sb_party_t) {
		.class = pact->contract.class,
		.nodes = job_ptr->node_cnt,
		.gpus = _size(job_ptr->tres_alloc_cnt),
		.min_runtime = MAX(0, pact->contract.declared),
		.protected_left = sb_contract_left(&pact->contract, ran),
		.ran = ran,
		.exempt = job_ptr->part_ptr &&
			(job_ptr->part_ptr->preempt_mode == PREEMPT_MODE_OFF),
		.interactive = !job_ptr->batch_flag,
		.requeueable = job_ptr->batch_flag && job_ptr->details &&
			job_ptr->details->requeue,
	};
	_place(board, job_ptr, party);
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
