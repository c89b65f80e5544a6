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

extern void party_place(const sb_board_t *board, const job_record_t *job_ptr,
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

static bool _is_exempt(const job_record_t *job_ptr)
{
	return job_ptr->part_ptr &&
	       compat_mode_off(job_ptr->part_ptr->preempt_mode);
}

/* Whether it can stands far from everything else: looked at if it matters. */
static bool _may_be_requeued(const job_record_t *job_ptr)
{
	return !settings_get()->not_requeueable_spare ||
	       (job_ptr->batch_flag && job_ptr->details &&
		job_ptr->details->requeue);
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
		.exempt = _is_exempt(job_ptr),
		.interactive = pact->interactive,
		.requeueable = _may_be_requeued(job_ptr),
	};
	party_place(board, job_ptr, party);
}

/* What suspensions do not count is only ever more: as long as the row alone
 * says that there is some left, the job is not read. */
static int64_t _rolled_left(const job_record_t *job_ptr,
			    const roll_row_t *row, time_t now)
{
	int64_t left = row->granted - (now - (int64_t) row->start);

	if (!row->granted || (left > 0))
		return row->granted ? left : 0;
	return MAX(0, row->granted - contracts_ran(job_ptr, now));
}

extern void party_rolled(const job_record_t *job_ptr, const roll_row_t *row,
			 time_t now, sb_party_t *party)
{
	*party = (sb_party_t) {
		.node = row->node,
		.class = row->unallocated ? SB_CLASS_UNALLOCATED :
			 SB_CLASS_ALLOCATED,
		.funded = row->funded,
		.min_runtime = row->min_runtime,
		.protected_left = _rolled_left(job_ptr, row, now),
		.exempt = _is_exempt(job_ptr),
		.requeueable = _may_be_requeued(job_ptr),
	};
}

extern void party_measure(const job_record_t *job_ptr, time_t now,
			  sb_party_t *party)
{
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
	party_place(board, job_ptr, party);
}
