/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>

#include "src/board/board.h"
#include "src/core/timespan.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/contracts.h"

#include "eviction.h"
#include "lockin.h"
#include "rules.h"

/* From this eviction of one job on it is said that it makes no progress. */
#define TOO_OFTEN 3

#define BRANCH_TEXT 64

static uint32_t preemptor_id;	/* under job W */

/* What both texts tell. */
typedef struct {
	char victim[BRANCH_TEXT];	/* "b2:1.250" */
	char preemptor[BRANCH_TEXT];
	char ran[SB_TIMESPAN_TEXT];
	char minimum[SB_TIMESPAN_TEXT];
	sb_verdict_t verdict;
} story_t;

extern void eviction_asked_for(const job_record_t *preemptor)
{
	preemptor_id = preemptor->job_id;
}

/* A name in a token and a log line: nothing that could end either. */
static void _clean(char *text)
{
	for (; *text; text++) {
		if (!isalnum((unsigned char) *text) &&
		    !strchr("_-./+@", *text))
			*text = '?';
	}
}

/* RET: name of the association at this place of the board. */
static void _branch_name(const sb_board_t *board, int32_t node, char *name,
			 size_t size)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	slurmdb_assoc_rec_t key = { 0 }, *assoc = NULL;

	strlcpy(name, "-", size);
	if (!board || (node < 0))
		return;
	key.id = board->ids[node];
	assoc_mgr_lock(&locks);
	if (!assoc_mgr_fill_in_assoc(acct_db_conn, &key, 0, &assoc, true) &&
	    assoc)
		strlcpy(name, assoc->user ? assoc->user : assoc->acct, size);
	assoc_mgr_unlock(&locks);
	_clean(name);
}

/* Where no branches were compared, the jobs' accounts tell who they are. */
static void _branch_text(const sb_board_t *board, int32_t node, double ratio,
			 const job_record_t *job_ptr, char *text)
{
	char name[BRANCH_TEXT - 16];

	if (board && (node < 0)) {
		node = sb_board_index(board, job_ptr->assoc_id);
		if ((node >= 0) && (board->nodes[node].parent >= 0))
			node = board->nodes[node].parent;
		if (node >= 0)
			ratio = board->nodes[node].ratio_window;
	}
	_branch_name(board, node, name, sizeof(name));
	snprintf(text, BRANCH_TEXT, "%s:%.3f", name, MIN(ratio, 1e6));
}

static void _tell(job_record_t *victim, job_record_t *preemptor, time_t now,
		  story_t *story)
{
	sb_grounds_t grounds = {
		.branch_preemptee = SB_NO_NODE,
		.branch_preemptor = SB_NO_NODE,
	};
	const pact_t *pact;
	const sb_board_t *board;

	story->verdict = rules_verdict(victim, preemptor, now, &grounds);
	board = sb_board_enter();
	_branch_text(board, grounds.branch_preemptee, grounds.ratio_preemptee,
		     victim, story->victim);
	_branch_text(board, grounds.branch_preemptor, grounds.ratio_preemptor,
		     preemptor, story->preemptor);
	sb_board_leave();
	pact = pacts_find(victim->job_id);
	sb_timespan_format(contracts_ran(victim, now), story->ran,
			   sizeof(story->ran));
	sb_timespan_format(pact ? pact->contract.granted : 0, story->minimum,
			   sizeof(story->minimum));
}

/*
 * Who sees the victim need not be one who may see the preemptor: by
 * PrivateData its id and its branch stay out of the victim's record. The log
 * has them. Locks: conf R.
 */
static void _hide(const job_record_t *victim, const job_record_t *preemptor,
		  uint32_t *by, const char **branch)
{
	uint16_t private = slurm_conf.private_data;

	*by = preemptor->job_id;
	if (victim->user_id == preemptor->user_id)
		return;
	if (private & PRIVATE_DATA_JOBS)
		*by = 0;
	if (private & (PRIVATE_DATA_JOBS | PRIVATE_DATA_USAGE |
		       PRIVATE_DATA_ACCOUNTS | PRIVATE_DATA_USERS))
		*branch = "-:0.000";
}

static void _write_note(job_record_t *victim, const job_record_t *preemptor,
			const story_t *story, time_t now)
{
	pact_t *pact = pacts_find(victim->job_id);
	const char *branch = story->preemptor;
	char when[32] = "";
	struct tm tm;
	uint32_t by;

	if (!pact)
		return;
	_hide(victim, preemptor, &by, &branch);
	if (localtime_r(&now, &tm))
		(void) strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", &tm);
	if (pact->contract.evictions < UINT32_MAX)
		pact->contract.evictions++;
	snprintf(pact->contract.evicted, sizeof(pact->contract.evicted),
		 "%s,%s,by-JobId=%u,%s,from,%s", when,
		 sb_verdict_name(story->verdict), by, branch, story->victim);
	lockin_write(victim, pact);
	if (pact->contract.evictions == TOO_OFTEN)
		info("preempt/minruntime: %pJ has been preempted %u times: if it makes no progress it needs a longer min-runtime, or checkpoints",
		     victim, pact->contract.evictions);
}

extern void eviction_note(job_record_t *victim, time_t now)
{
	job_record_t *preemptor = find_job_record(preemptor_id);
	story_t story;

	/* On borrowed reservation time, say: not by our word. */
	if (!preemptor || (preemptor == victim))
		return;
	_tell(victim, preemptor, now, &story);
	info("preempt/minruntime: %pJ is preempted by %pJ: %s; %s takes from %s; it ran %s, its minimum was %s",
	     victim, preemptor, sb_verdict_name(story.verdict),
	     story.preemptor, story.victim, story.ran, story.minimum);
	_write_note(victim, preemptor, &story, now);
}

extern void eviction_shadow(job_record_t *victim, job_record_t *preemptor,
			    time_t now)
{
	pact_t *pact = pacts_find(victim->job_id);
	story_t story;

	if (!pact || pact->shadowed)
		return;
	_tell(victim, preemptor, now, &story);
	pact = pacts_find(victim->job_id);
	if (!pact)
		return;
	pact->shadowed = true;
	info("preempt/minruntime: shadow: %pJ would be preempted by %pJ: %s; %s takes from %s; it ran %s, its minimum was %s",
	     victim, preemptor, sb_verdict_name(story.verdict),
	     story.preemptor, story.victim, story.ran, story.minimum);
}
