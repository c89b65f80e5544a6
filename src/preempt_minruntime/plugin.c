/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preempt/minruntime - entry points. No decision is taken here.
 *
 * settings_get() is guarded by slurmctld's job lock: R to read, W to change.
 */
#include "src/slurm_compat/caps.h"
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/guard.h"
#include "src/slurm_compat/preempt_compat.h"
#include "src/slurm_compat/settings.h"

#include "asked.h"
#include "classes.h"
#include "eviction.h"
#include "fallback.h"
#include "mode.h"
#include "pacts.h"
#include "roll.h"
#include "rules.h"
#include "watch.h"

#define SB_EXPORT extern __attribute__((visibility("default")))

SB_EXPORT const char plugin_name[];
SB_EXPORT const char plugin_type[];
SB_EXPORT const uint32_t plugin_version;

const char plugin_name[] = "Preempt by minimum runtime";
const char plugin_type[] = "preempt/minruntime";
const uint32_t plugin_version = SB_PLUGIN_VERSION;

SB_EXPORT int init(void);
SB_EXPORT int init(void)
{
	guard_reset();
	if ((mode_check() != SLURM_SUCCESS) ||
	    (settings_load(plugin_type) != SLURM_SUCCESS))
		return SLURM_ERROR;
	mode_advise();
	watch_start();
	verbose("%s loaded", plugin_type);
	return SLURM_SUCCESS;
}

SB_EXPORT SB_FINI_TYPE fini(void);
SB_EXPORT SB_FINI_TYPE fini(void)
{
	(void) watch_stop();
	fallback_stop();
	caps_forget();
	asked_free();
	classes_free();
	pacts_free();
	roll_free();
	settings_free();
	SB_FINI_RETURN;
}

SB_EXPORT bool preempt_p_job_preempt_check(job_queue_rec_t *preemptor,
					   job_queue_rec_t *preemptee);
SB_EXPORT bool preempt_p_job_preempt_check(job_queue_rec_t *preemptor,
					   job_queue_rec_t *preemptee)
{
	return guard_check_job(preemptor->job_ptr) &&
	       classes_before(preemptor, preemptee);
}

SB_EXPORT bool preempt_p_preemptable(job_record_t *preemptee,
				     job_record_t *preemptor);
SB_EXPORT bool preempt_p_preemptable(job_record_t *preemptee,
				     job_record_t *preemptor)
{
	/* Asked for every job in the list, waiting and finished ones too. */
	if (!guard_check_job(preemptor) ||
	    rules_refuse(preemptee, preemptor) ||
	    IS_JOB_COMPLETING(preemptee) ||
	    (!IS_JOB_RUNNING(preemptee) && !IS_JOB_SUSPENDED(preemptee)))
		return false;
	eviction_asked_for(preemptor);
	return rules_allow(preemptee, preemptor) &&
	       !settings_get()->preempt_shadow;
}

/* Slurm wants an answer about jobs that may not be touched, too. */
static uint16_t _mode(job_record_t *job_ptr)
{
	return rules_mode(guard_passed() ? job_ptr : NULL);
}

static uint32_t _prio(job_record_t *job_ptr)
{
	return guard_passed() ? rules_victim_prio(job_ptr, time(NULL)) : 0;
}

/* Asked once, when slurmctld has decided. */
static uint32_t _grace_time(job_record_t *job_ptr)
{
	if (!guard_passed())
		return 0;
	eviction_note(job_ptr, time(NULL));
	return rules_grace_time(job_ptr);
}

#if SB_PREEMPT_GET_DATA
SB_EXPORT int preempt_p_get_data(job_record_t *job_ptr,
				 slurm_preempt_data_type_t data_type,
				 void *data);
SB_EXPORT int preempt_p_get_data(job_record_t *job_ptr,
				 slurm_preempt_data_type_t data_type,
				 void *data)
{
	switch (data_type) {
	case PREEMPT_DATA_ENABLED:
		*(bool *) data = slurm_conf.preempt_mode != PREEMPT_MODE_OFF;
		break;
	case PREEMPT_DATA_MODE:
		*(uint16_t *) data = _mode(job_ptr);
		break;
	case PREEMPT_DATA_PRIO:
		*(uint32_t *) data = _prio(job_ptr);
		break;
	case PREEMPT_DATA_GRACE_TIME:
		*(uint32_t *) data = _grace_time(job_ptr);
		break;
	default:
		error("preempt/minruntime: unknown question %d", data_type);
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}
#else
SB_EXPORT uint16_t preempt_p_get_mode(job_record_t *job_ptr);
SB_EXPORT uint16_t preempt_p_get_mode(job_record_t *job_ptr)
{
	return _mode(job_ptr);
}

SB_EXPORT uint32_t preempt_p_get_prio(job_record_t *job_ptr);
SB_EXPORT uint32_t preempt_p_get_prio(job_record_t *job_ptr)
{
	return _prio(job_ptr);
}

SB_EXPORT uint32_t preempt_p_get_grace_time(job_record_t *job_ptr);
SB_EXPORT uint32_t preempt_p_get_grace_time(job_record_t *job_ptr)
{
	return _grace_time(job_ptr);
}
#endif
