/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/slurm_compat/compat.h"

#include "recount.h"
#include "span.h"

extern bool span_counts(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

/* RET: how much of a TRES the job has that limits count. */
static uint64_t _tres_count(const span_t *span, int i)
{
	if ((i == TRES_ARRAY_ENERGY) || (span->tres[i] == NO_CONSUME_VAL64))
		return 0;
	return span->tres[i];
}

/* IN run_secs: may be shorter than the others, as slurmctld forgets to lengthen
 * those of a QOS per account. name: of these in a recount. */
static void _count_run_secs(uint64_t *run_secs, uint64_t name,
			    const span_t *span)
{
	int count;

	if (!span_counts() || !span->tres || !run_secs)
		return;
	count = MIN(slurmctld_tres_cnt, xsize(run_secs) / sizeof(*run_secs));
	if (span->anew) {
		count = MIN(count, recount_width());
		if (!(run_secs = recount_sums(name)))
			return;
	}
	for (int i = 0; i < count; i++) {
		uint64_t seconds = span->run_secs * _tres_count(span, i);

		/* Less than that is there when limit or factor have been
		 * edited: the next pass puts it right. */
		if (span->less)
			run_secs[i] -= MIN(run_secs[i], seconds);
		else
			run_secs[i] += seconds;
	}
}

static void _add_tres(long double *raw, double wall, const span_t *span)
{
	if (!span_counts() || !span->tres || span->anew)
		return;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		raw[i] += (long double) wall * _tres_count(span, i);
}

static void _add_qos(slurmdb_qos_rec_t *qos, const span_t *span,
		     const job_record_t *job_ptr)
{
	double wall = (qos->flags & QOS_FLAG_NO_DECAY) ? span->wall_plain :
		span->wall;
	uint64_t *account, *user;

	qos->usage->grp_used_wall += wall;
	qos->usage->usage_raw += (long double) wall * span->billing;
	_add_tres(qos->usage->usage_tres_raw, wall, span);
	_count_run_secs(qos->usage->grp_used_tres_run_secs, RECOUNT_QOS(qos),
			span);
	if (!span_counts())
		return;
	/* Newer releases count them per account and user as well. */
	compat_qos_run_secs(qos, job_ptr, &account, &user);
	_count_run_secs(account, RECOUNT_USED(account), span);
	_count_run_secs(user, RECOUNT_USED(user), span);
}

static void _add_assoc(slurmdb_assoc_rec_t *assoc, const span_t *span)
{
	assoc->usage->grp_used_wall += span->wall;
	_add_tres(assoc->usage->usage_tres_raw, span->wall, span);
	_count_run_secs(assoc->usage->grp_used_tres_run_secs,
			RECOUNT_ASSOC(assoc), span);
}

extern void span_add(const job_record_t *job_ptr, const span_t *span)
{
	slurmdb_qos_rec_t *qos = job_ptr->qos_ptr;
	slurmdb_qos_rec_t *part_qos = job_ptr->part_ptr ?
		job_ptr->part_ptr->qos_ptr : NULL;

	if (qos)
		_add_qos(qos, span, job_ptr);
	if (part_qos && (part_qos != qos))
		_add_qos(part_qos, span, job_ptr);
	for (slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		_add_assoc(assoc, span);
}
