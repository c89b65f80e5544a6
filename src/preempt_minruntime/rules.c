/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/board/board.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/settings.h"

#include "asked.h"
#include "lockin.h"
#include "party.h"
#include "roll.h"
#include "rules.h"

/* As in Slurm's preempt/qos: the preemptor's QOS lists the other one, or the
 * same QOS preempts within itself by priority; PRIORITY wants that in both. */
static bool _qos_allows(const job_record_t *preemptee,
			const job_record_t *preemptor,
			const slurmdb_qos_rec_t *taker)
{
	const slurmdb_qos_rec_t *victim = preemptee->qos_ptr;
	bool higher = preemptor->priority > preemptee->priority;
	uint16_t mode = slurm_conf.preempt_mode;

	if (!victim || !taker)
		return false;
	mode |= taker->preempt_mode;
	if (victim->id == taker->id)
		return (mode & PREEMPT_MODE_WITHIN) && higher;
	return taker->preempt_bitstr &&
	       bit_test(taker->preempt_bitstr, victim->id) &&
	       (!(mode & SB_MODE_PRIORITY) || higher);
}

/* As in Slurm's preempt/partition_prio: the higher tier, and with PRIORITY no
 * lower priority. */
static bool _partition_allows(const job_record_t *preemptee,
			      const job_record_t *preemptor,
			      const part_record_t *taker)
{
	uint16_t mode = slurm_conf.preempt_mode;

	if (!preemptee->part_ptr || !taker)
		return false;
	if (taker->preempt_mode != NO_VAL16)
		mode |= taker->preempt_mode;
	if ((mode & SB_MODE_PRIORITY) &&
	    (preemptor->priority < preemptee->priority))
		return false;
	return taker->priority_tier > preemptee->part_ptr->priority_tier;
}

static sb_verdict_t _stock_verdict(const sb_party_t *victim,
				   const job_record_t *preemptee,
				   const job_record_t *preemptor)
{
	const sb_params_t *params = settings_get();
	sb_verdict_t why;
	bool allowed;

	if (sb_policy_spared(params, victim, &why))
		return why;
	if (params->preempt_by == SB_PREEMPT_BY_QOS)
		allowed = _qos_allows(preemptee, preemptor,
				      preemptor->qos_ptr);
	else
		allowed = _partition_allows(preemptee, preemptor,
					    preemptor->part_ptr);
	return allowed ? SB_MAY_RULE : SB_NOT_RULE;
}

static sb_verdict_t _verdict(const sb_board_t *board, const pact_t *pact,
			     const job_record_t *preemptee,
			     job_record_t *preemptor,
			     const sb_party_t *taker, time_t now,
			     sb_grounds_t *grounds)
{
	const sb_params_t *params = settings_get();
	sb_tree_view_t tree = { 0 };
	sb_party_t victim;

	party_victim(board, preemptee, pact, now, &victim);
	if (params->preempt_by != SB_PREEMPT_BY_BUDGET)
		return _stock_verdict(&victim, preemptee, preemptor);
	if (board) {
		tree.nodes = board->nodes;
		tree.count = board->count;
	}
	return sb_policy_may_preempt(params, tree, &victim, taker, grounds);
}

extern sb_verdict_t rules_verdict(job_record_t *preemptee,
				  job_record_t *preemptor, time_t now,
				  sb_grounds_t *grounds)
{
	const pact_t *pact = pacts_find(preemptee->job_id);
	const sb_board_t *board;
	sb_verdict_t verdict;

	if (lockin_seems_due(preemptee, pact))
		pact = lockin_sign(preemptee);
	/* Without memory nobody knows what was promised. */
	if (!pact)
		return SB_NOT_PROTECTED;
	board = sb_board_enter();
	verdict = _verdict(board, pact, preemptee, preemptor,
			   asked_party(board, preemptor), now, grounds);
	sb_board_leave();
	return verdict;
}

typedef struct {
	const job_record_t *preemptee;
	const job_record_t *preemptor;
} pair_t;

static int _find_allowed_qos(void *qos, void *arg)
{
	const pair_t *pair = arg;

	return _qos_allows(pair->preemptee, pair->preemptor, qos);
}

static int _find_allowed_partition(void *part_ptr, void *arg)
{
	const pair_t *pair = arg;

	return _partition_allows(pair->preemptee, pair->preemptor, part_ptr);
}

/* While slurmctld tries a waiting job in one place after the other, the job
 * shows that place; between its passes any of them may be the right one. */
static bool _allowed_elsewhere(const job_record_t *preemptee,
			       const job_record_t *preemptor)
{
	pair_t pair = { preemptee, preemptor };
	bool by_qos = settings_get()->preempt_by == SB_PREEMPT_BY_QOS;
	sb_list_t places = by_qos ? compat_qos_list(preemptor) :
		preemptor->part_ptr_list;

	return places && list_find_first_ro(places, by_qos ?
					    _find_allowed_qos :
					    _find_allowed_partition, &pair);
}

/* RET: serial number of the board that verdicts are read on, 0: other rules
 * hold, or there is none. */
static uint64_t _serial(void)
{
	return (settings_get()->preempt_by == SB_PREEMPT_BY_BUDGET) ?
	       sb_board_serial() : 0;
}

extern bool rules_refuse(const job_record_t *preemptee,
			 const job_record_t *preemptor)
{
	uint64_t serial = _serial();
	const roll_row_t *row = serial ? roll_next(preemptee, serial) : NULL;

	return row && (asked_outlook(serial, row->node, row->unallocated,
				     preemptor) == SB_OUTLOOK_NEVER);
}

/* OUT allow: the answer, when the roll has it. RET: it has. */
static bool _roll_tells(const job_record_t *preemptee,
			const job_record_t *preemptor, bool *allow)
{
	uint64_t serial = _serial();
	const roll_row_t *row = serial ? roll_find(preemptee, serial) : NULL;
	sb_outlook_t outlook;
	sb_party_t victim;

	if (!row)
		return false;
	outlook = asked_outlook(serial, row->node, row->unallocated,
				preemptor);
	*allow = false;
	if (outlook == SB_OUTLOOK_UNLESS_SPARED) {
		party_rolled(preemptee, row, time(NULL), &victim);
		*allow = !sb_policy_spared(settings_get(), &victim, NULL);
	}
	if (*allow && !roll_is_run(row, preemptee))
		return false;
	return outlook != SB_OUTLOOK_DEPENDS;
}

extern bool rules_allow(job_record_t *preemptee, job_record_t *preemptor)
{
	bool allow;

	if (_roll_tells(preemptee, preemptor, &allow))
		return allow;
	return sb_verdict_may(rules_verdict(preemptee, preemptor, time(NULL),
					    NULL));
}

extern bool rules_would_allow(const job_record_t *preemptee,
			      job_record_t *preemptor, time_t now)
{
	const pact_t *pact = pacts_find(preemptee->job_id);
	const sb_board_t *board;
	sb_verdict_t verdict;
	sb_party_t taker;

	if (lockin_due(preemptee, pact))
		return false;
	board = sb_board_enter();
	party_waiting(board, preemptor, pacts_find(preemptor->job_id), &taker);
	verdict = _verdict(board, pact, preemptee, preemptor, &taker, now,
			   NULL);
	sb_board_leave();
	return sb_verdict_may(verdict) ||
	       ((verdict == SB_NOT_RULE) &&
		_allowed_elsewhere(preemptee, preemptor));
}

/* As Slurm's plugins of those names: class first, then size. */
static uint32_t _stock_prio(const job_record_t *job_ptr)
{
	uint32_t class = 0;

	if (settings_get()->preempt_by == SB_PREEMPT_BY_PARTITION)
		class = job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier :
			0;
	else if (job_ptr->qos_ptr)
		class = MIN(job_ptr->qos_ptr->priority, 0xffff);
	return class << 16 | MIN(job_ptr->node_cnt, 0xffff);
}

/* As the roll has it, or else the job itself. RET: false: nobody knows what it
 * was promised. */
static bool _running(const sb_board_t *board, const job_record_t *job_ptr,
		     time_t now, sb_party_t *party)
{
	const roll_row_t *row = NULL;
	const pact_t *pact;

	if (board)
		row = roll_next(job_ptr, board->serial);
	if (board && (!row || (row->job_id != job_ptr->job_id)))
		row = roll_find(job_ptr, board->serial);
	if (row) {
		roll_hurry();
		party_rolled(job_ptr, row, now, party);
	} else {
		pact = pacts_find(job_ptr->job_id);
		if (!pact)
			return false;
		party_victim(board, job_ptr, pact, now, party);
	}
	party_measure(job_ptr, now, party);
	return true;
}

extern uint32_t rules_victim_prio(job_record_t *job_ptr, time_t now)
{
	uint32_t prio = UINT32_MAX;
	const sb_board_t *board;
	sb_party_t party;

	/* It goes already, after its grace time. Costs change meanwhile, and
	 * another one would have to go as well. */
	if (job_ptr->preempt_time)
		return 0;
	if (settings_get()->preempt_by != SB_PREEMPT_BY_BUDGET)
		return _stock_prio(job_ptr);
	board = sb_board_enter();
	if (_running(board, job_ptr, now, &party)) {
		sb_tree_view_t tree = { 0 };

		if (board)
			tree = (sb_tree_view_t) { board->nodes, board->count };
		prio = sb_policy_victim_prio(tree, &party);
	}
	sb_board_leave();
	return prio;
}

/* REQUEUE for what would be suspended: mode_check() has refused that
 * for the cluster, a partition or QOS may still say so. */
static uint16_t _usable(uint16_t mode)
{
	mode &= ~SB_MODE_FLAGS;
	return (mode & PREEMPT_MODE_SUSPEND) ? PREEMPT_MODE_REQUEUE : mode;
}

extern uint16_t rules_mode(const job_record_t *job_ptr)
{
	const sb_params_t *params = settings_get();

	if (!job_ptr)
		return _usable(slurm_conf.preempt_mode);
	if (params->preempt_by == SB_PREEMPT_BY_QOS) {
		if (job_ptr->qos_ptr && job_ptr->qos_ptr->preempt_mode)
			return _usable(job_ptr->qos_ptr->preempt_mode);
	} else if (job_ptr->part_ptr &&
		   (job_ptr->part_ptr->preempt_mode != NO_VAL16))
		return _usable(job_ptr->part_ptr->preempt_mode);
	return _usable(slurm_conf.preempt_mode);
}

extern uint32_t rules_grace_time(const job_record_t *job_ptr)
{
	if (settings_get()->preempt_by == SB_PREEMPT_BY_QOS)
		return job_ptr->qos_ptr ? job_ptr->qos_ptr->grace_time : 0;
	return job_ptr->part_ptr ? job_ptr->part_ptr->grace_time : 0;
}
