/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priority/budget - entry points. No decision is taken here.
 *
 * slurmctld and sshare load this file. In sshare there is nothing to do, and
 * nothing may be printed.
 */
#include <math.h>

#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/guard.h"
#include "src/slurm_compat/host.h"
#include "src/slurm_compat/renew.h"

#include "budget.h"
#include "decay.h"
#include "history.h"
#include "jobs.h"
#include "limits.h"
#include "loop.h"
#include "priorities.h"
#include "stock.h"

#define SB_EXPORT extern __attribute__((visibility("default")))

SB_EXPORT const char plugin_name[];
SB_EXPORT const char plugin_type[];
SB_EXPORT const uint32_t plugin_version;

const char plugin_name[] = "Priority BUDGET plugin";
const char plugin_type[] = "priority/budget";
const uint32_t plugin_version = SB_PLUGIN_VERSION;

/* This slurmctld ran before, and goes on after a reconfigure that failed. */
static bool resumed;

static bool _fair_share(void)
{
	budget_t *budget = budget_lock();
	bool weighted = budget->params->order == SB_ORDER_WEIGHTED;

	budget_unlock();
	return weighted;
}

/* What has no effect, or a surprising one, is said once at start. */
static void _advise(void)
{
	if (slurm_conf.priority_flags & PRIORITY_FLAGS_FAIR_TREE)
		;
	else
		info("priority/budget: PriorityFlags=NO_FAIR_TREE changes only what sshare shows; ranks are hierarchical all the same");
	if (!slurm_conf.priority_weight_fs)
		info("priority/budget: PriorityWeightFairshare is 0: sprio will not show the rank's column; any other value shows it");
}

/* The stock plugin reads slurm_conf, and part of it is changed for that moment.
 * Locks: those of init(), which are none or all of slurmctld's. */
static void _configure_stock(void)
{
	slurmctld_lock_t locks = { .conf = WRITE_LOCK };
	bool unlocked = !SB_HAVE_RECOVER && !compat_inits_early();

	if (unlocked)
		lock_slurmctld(locks);
	stock_configure(_fair_share());
	if (unlocked)
		unlock_slurmctld(locks);
}

static int _prepare(void)
{
	if (!slurm_with_slurmdbd() || !assoc_mgr_root_assoc) {
		error("priority/budget: budgets are associations of slurmdbd: AccountingStorageType=accounting_storage/slurmdbd and its data are needed");
		return SLURM_ERROR;
	}
	if ((budget_configure() != SLURM_SUCCESS) ||
	    !guard_check_host() ||
	    (stock_load() != SLURM_SUCCESS))
		return SLURM_ERROR;
	assoc_mgr_root_assoc->usage->usage_efctv = 1;
	_configure_stock();
	return budget_recover();
}

/* Slurm's jobs are known. Locks: none held. */
static int _begin(void)
{
	if (!loop_begin())
		return SLURM_ERROR;
	loop_start(true);
	history_start();
	return SLURM_SUCCESS;
}

/* With all of slurmctld's locks held: the thread begins when they are free. */
static void _begin_later(void)
{
	loop_start(false);
	history_start();
}

SB_EXPORT int init(void);
SB_EXPORT SB_FINI_TYPE fini(void);

SB_EXPORT int init(void)
{
	if (!in_slurmctld())
		return SLURM_SUCCESS;

	host_read();
	budget_stop(false);
	guard_reset();
	resumed = renew_pointers();
	if (_prepare() != SLURM_SUCCESS) {
		stock_unload();
		budget_destroy();
		return SLURM_ERROR;
	}
	limits_start();
	if (compat_inits_early())
		_begin_later();
	else if (!SB_HAVE_RECOVER && (_begin() != SLURM_SUCCESS))
		return SLURM_ERROR;
	_advise();
	debug("%s loaded", plugin_name);
	return SLURM_SUCCESS;
}

SB_EXPORT SB_FINI_TYPE fini(void)
{
	if (!in_slurmctld())
		SB_FINI_RETURN;

	budget_stop(true);
	history_stop();
	loop_stop();
	limits_stop();
	stock_unload();
	budget_destroy();
	host_forget();
	SB_FINI_RETURN;
}

#if SB_HAVE_THREAD_START
SB_EXPORT void priority_p_thread_start(void);
SB_EXPORT void priority_p_thread_start(void)
{
	/* Still too early for a pass: recover comes when no lock is held. */
}
#endif

#if SB_HAVE_RECOVER
SB_EXPORT uint32_t priority_p_recover(uint32_t prio_boost);
SB_EXPORT uint32_t priority_p_recover(uint32_t prio_boost)
{
	(void) prio_boost;
	/* slurmctld knows no failure here. At a reconfigure it is the new
	 * process that ends, and the old one goes on as it did before. */
	if ((_begin() != SLURM_SUCCESS) && !resumed)
		fatal("priority/budget: not the slurmctld it was built for");
	return 0;
}
#endif

SB_EXPORT uint32_t priority_p_set(uint32_t last_prio, job_record_t *job_ptr);
SB_EXPORT uint32_t priority_p_set(uint32_t last_prio, job_record_t *job_ptr)
{
	/* Not our layout: first come, first served, and nothing touched. */
	if (loop_broken() || !guard_check_job(job_ptr))
		return (last_prio > 1) ? last_prio - 1 : 1;
	return priorities_set(job_ptr, time(NULL));
}

SB_EXPORT void priority_p_reconfig(bool assoc_clear);
SB_EXPORT void priority_p_reconfig(bool assoc_clear)
{
	/* scontrol reconfigure calls without a lock, `scontrol setdebugflags`
	 * with all of them. */
	slurmctld_lock_t locks = { .conf = WRITE_LOCK };

	if (!in_slurmctld() || loop_broken())
		return;
	if (assoc_clear)
		lock_slurmctld(locks);
	host_read();
	(void) budget_configure();
	stock_configure(_fair_share());
	if (assoc_clear)
		unlock_slurmctld(locks);
	decay_configure();
	if (assoc_clear)
		limits_recount();
	loop_kick();
}

SB_EXPORT void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *assoc);
SB_EXPORT void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *assoc)
{
	/* Set for all associations at every pass. One that is newer than the
	 * last pass has used nothing. */
	assoc->usage->usage_norm = 0;
	assoc->usage->usage_efctv = 0;
}

#if SB_HAVE_CALC_FS_FACTOR
SB_EXPORT double priority_p_calc_fs_factor(long double usage_efctv,
					   long double shares_norm);
SB_EXPORT double priority_p_calc_fs_factor(long double usage_efctv,
					   long double shares_norm)
{
	/* Only for sshare under NO_FAIR_TREE, which cannot see ranks: the
	 * classic curve of the ratio. */
	if ((shares_norm <= 0) || fuzzy_equal(usage_efctv, NO_VAL))
		return 0;
	return pow(2.0, -(double) (usage_efctv / shares_norm));
}
#endif

SB_EXPORT sb_list_t priority_p_get_priority_factors_list(SB_FACTORS_PARAMS);
SB_EXPORT sb_list_t priority_p_get_priority_factors_list(SB_FACTORS_PARAMS)
{
	slurmctld_lock_t locks = { .job = READ_LOCK, .part = READ_LOCK };
	sb_list_t list;

	if (loop_broken())
		return NULL;
	list = stock_factors_list(SB_FACTORS_ARGS);
	if (!SB_FACTORS_CALLER_LOCKS)
		lock_slurmctld(locks);
	priorities_fix_list(list);
	if (!SB_FACTORS_CALLER_LOCKS)
		unlock_slurmctld(locks);
	return list;
}

SB_EXPORT void priority_p_job_end(job_record_t *job_ptr);
SB_EXPORT void priority_p_job_end(job_record_t *job_ptr)
{
	time_t now = time(NULL);

	if (loop_broken())
		return;
	if (!guard_check_job(job_ptr)) {
		/* Whoever that was, its run seconds stay. */
		limits_recount();
		return;
	}
	limits_end(job_ptr, now);
	jobs_close(job_ptr, now);
}
