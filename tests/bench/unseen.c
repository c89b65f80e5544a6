/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/slurm_compat/compat.h"

#include "edits.h"
#include "unseen.h"

/* Its association was deleted: slurmctld does not go on to the plugin. */
static void _end_untold(void)
{
	job_record_t *job_ptr = edits_any();

	edits_leave(job_ptr);
	job_ptr->job_state = JOB_COMPLETE;
	job_ptr->end_time = time(NULL);
}

/* As backfill does with one limit, to give it another uncounted (--time-min). */
static job_record_t *_start_cut(void)
{
	job_record_t *job_ptr = edits_start();

	job_ptr->time_min = 1;
	job_ptr->time_limit = job_ptr->time_limit / 2 + 1;
	return job_ptr;
}

static void _cut(void)
{
	(void) _start_cut();
}

static void _cut_and_end(void)
{
	job_record_t *job_ptr = _start_cut();

	edits_leave(job_ptr);
	edits_end(job_ptr);
}

static job_record_t *tried;

/* Its partition gets another QOS than it has: all jobs there are counted anew. */
static void _prepare_try(void)
{
	tried = edits_start();
	edits_leave(tried);
	edits_end(tried);
	tried->part_ptr->qos_ptr = edits_other_qos(tried);
}

/* 26.05 tries a part of a heterogeneous job at its submission: in sums of its
 * own, but for those of its partition's QOS. */
static void _try(void)
{
	job_record_t *job_ptr = tried;
	uint64_t *run_secs;

	job_ptr->job_state = JOB_PENDING;
	job_ptr->start_time = 0;
	job_ptr->end_time_exp = 0;
	run_secs = job_ptr->part_ptr->qos_ptr->usage->grp_used_tres_run_secs;
	run_secs[TRES_ARRAY_BILLING] += 1000;
	priority_g_job_end(job_ptr);
}

/* What deleted users had, the next edit of the tree would add once more. */
static void _leave_in_leaf(void)
{
	slurmdb_assoc_rec_t *account =
		edits_any()->assoc_ptr->usage->parent_assoc_ptr;

	if (!account->leaf_usage)
		account->leaf_usage =
			slurmdb_create_assoc_usage(slurmctld_tres_cnt);
	account->leaf_usage->grp_used_tres_run_secs[TRES_ARRAY_CPU] = 1000;
	/* Have it counted anew. */
	edits_any()->resize_time++;
}

/* Not its user's association: slurmctld counts it nowhere. */
static job_record_t *stranger;

static void _estrange(void)
{
	stranger = edits_any();
	edits_leave(stranger);
	stranger->user_id++;
}

/* It is again, and the job ends. */
static void _end_stranger(void)
{
	stranger->user_id--;
	edits_end(stranger);
}

static const struct {
	const char *name;
	void (*act)(void);
} acts[] = {
	{ "untold", _end_untold },
	{ "cut", _cut },
	{ "cut_ended", _cut_and_end },
	{ "partition", _prepare_try },
	{ "tried", _try },
	{ "leaf", _leave_in_leaf },
	{ "stranger", _estrange },
	{ "stranger_ended", _end_stranger },
};

#define COUNT (sizeof(acts) / sizeof(acts[0]))

extern const char *unseen_name(int number)
{
	return ((size_t) number < COUNT) ? acts[number].name : NULL;
}

extern void unseen_do(int number)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };

	lock_slurmctld(locks);
	acts[number].act();
	unlock_slurmctld(locks);
}
