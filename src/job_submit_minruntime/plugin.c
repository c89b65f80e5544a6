/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_submit/minruntime - entry points. No decision is taken here.
 */
#include "src/slurm_compat/compat.h"
#include "src/slurm_compat/guard.h"
#include "src/slurm_compat/job_submit_compat.h"
#include "src/slurm_compat/settings.h"

#include "check.h"

#define SB_EXPORT extern __attribute__((visibility("default")))

SB_EXPORT const char plugin_name[];
SB_EXPORT const char plugin_type[];
SB_EXPORT const uint32_t plugin_version;

const char plugin_name[] = "Job submit minimum runtime";
const char plugin_type[] = "job_submit/minruntime";
const uint32_t plugin_version = SB_PLUGIN_VERSION;

SB_EXPORT int init(void);
SB_EXPORT int init(void)
{
	guard_reset();
	if (settings_load(plugin_type) != SLURM_SUCCESS)
		return SLURM_ERROR;
	debug("%s loaded", plugin_name);
	return SLURM_SUCCESS;
}

SB_EXPORT SB_FINI_TYPE fini(void);
SB_EXPORT SB_FINI_TYPE fini(void)
{
	settings_free();
	SB_FINI_RETURN;
}

/* Locks: conf R, job R (W for a het job of salloc or srun), node R, part R,
 * fed R; no assoc lock. */
SB_EXPORT int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid,
			 char **err_msg);
SB_EXPORT int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid,
			 char **err_msg)
{
	(void) submit_uid;
	return check_submit(job_desc, err_msg);
}

/* Locks: conf R, job W, node W, part R, fed R; no assoc lock. Up to 22.05 it
 * is not known yet whether this user may change the job at all. */
#if SB_MODIFY_ERR_MSG
SB_EXPORT int job_modify(job_desc_msg_t *job_desc, job_record_t *job_ptr,
			 uint32_t submit_uid, char **err_msg);
SB_EXPORT int job_modify(job_desc_msg_t *job_desc, job_record_t *job_ptr,
			 uint32_t submit_uid, char **err_msg)
{
	(void) submit_uid;
	return check_modify(job_desc, job_ptr, err_msg);
}
#else
SB_EXPORT int job_modify(job_desc_msg_t *job_desc, job_record_t *job_ptr,
			 uint32_t submit_uid);
SB_EXPORT int job_modify(job_desc_msg_t *job_desc, job_record_t *job_ptr,
			 uint32_t submit_uid)
{
	(void) submit_uid;
	return check_modify(job_desc, job_ptr, NULL);
}
#endif
