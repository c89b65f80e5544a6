/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/board/board.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/settings.h"

#include "asked.h"
#include "lockin.h"
#include "party.h"
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

/* RET: place of a running job's association on the board of this number. */
static int32_t _node(pact_t *pact, const job_record_t *job_ptr,
		     uint64_t serial)
{
	const sb_board_t *board;

	if (pact->board == serial)
		return pact->node;
	board = sb_board_enter();
	pact->board = board ? board->serial : 0;
	pact->node = board ? sb_board_index(board, job_ptr->assoc_id) :
		SB_NO_NODE;
	sb_board_leave();
	return (pact->board == serial) ? pact->node : SB_NO_NODE;
}

/*
 * The scheduler asks about job after job, each a few kilobytes behind the one
 * before: what will be read of a later one is under way meanwhile. The pointer
 * is a hint that may be old: it is not followed.
 */
static void _hurry(const pact_t *pact)
{
	const job_record_t *ahead = pact->ahead;

	if (!ahead)
		return;
	__builtin_prefetch(&ahead->job_id);
	__builtin_prefetch(&ahead->job_state);
	__builtin_prefetch(&ahead->start_time);
	__builtin_prefetch(&ahead->comment);
	__builtin_prefetch(&ahead->part_ptr);
}

/* RET: the ratios alone say no, whatever else is true of the preemptee. */
static bool _is_out(const job_record_t *preemptee,
		    const job_record_t *preemptor)
{
	uint64_t serial = sb_board_serial();
	pact_t *pact = pacts_find(preemptee->job_id);

	if (!pact)
		return false;
	_hurry(pact);
	if (!serial ||
	    (settings_get()->preempt_by != SB_PREEMPT_BY_BUDGET) ||
	    (pact->contract.class == SB_CLASS_UNALLOCATED) ||
	    lockin_seems_due(preemptee, pact))
		return false;
	return asked_never(serial, _node(pact, preemptee, serial), preemptor);
}

extern bool rules_allow(job_record_t *preemptee, job_record_t *preemptor,
			time_t now)
{
	return !_is_out(preemptee, preemptor) &&
	       sb_verdict_may(rules_verdict(preemptee, preemptor, now, NULL));
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

extern uint32_t rules_victim_prio(job_record_t *job_ptr, time_t now)
{
	const pact_t *pact = pacts_find(job_ptr->job_id);
	sb_tree_view_t tree = { 0 };
	const sb_board_t *board;
	sb_party_t party;
	uint32_t prio;

	/* It goes already, after its grace time. Costs change meanwhile, and
	 * another one would have to go as well. */
	if (job_ptr->preempt_time)
		return 0;
	if (settings_get()->preempt_by != SB_PREEMPT_BY_BUDGET)
		return _stock_prio(job_ptr);
	if (!pact)
		return UINT32_MAX;
	_hurry(pact);
	board = sb_board_enter();
	if (board) {
		tree.nodes = board->nodes;
		tree.count = board->count;
	}
	party_running(board, job_ptr, pact, now, &party);
	prio = sb_policy_victim_prio(tree, &party);
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
