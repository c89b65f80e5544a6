/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <math.h>
#include <unistd.h>

#include "src/slurm_compat/compat.h"

#include "stock.h"

#define STOCK_FILE "priority_multifactor.so"

static struct {
	void *handle;
	SB_FINI_TYPE (*fini)(void);
	uint32_t (*set)(uint32_t last_prio, job_record_t *job_ptr);
	void (*reconfig)(bool assoc_clear);
	int (*apply)(job_record_t *job_ptr, time_t *now);
	sb_list_t (*factors_list)(SB_FACTORS_PARAMS);
} stock;

/* RET: the first STOCK_FILE in PluginDir (a ':' list), xmalloc'ed, or NULL. */
static char *_find_file(void)
{
	char *dirs = xstrdup(slurm_conf.plugindir);
	char *last = NULL, *path = NULL;

	for (char *dir = strtok_r(dirs, ":", &last); dir;
	     dir = strtok_r(NULL, ":", &last)) {
		xfree(path);
		path = xstrdup_printf("%s/%s", dir, STOCK_FILE);
		if (!access(path, R_OK))
			break;
		xfree(path);
	}
	xfree(dirs);
	return path;
}

static void *_symbol(const char *name)
{
	void *symbol = dlsym(stock.handle, name);

	if (!symbol)
		error("priority/budget: %s has no %s", STOCK_FILE, name);
	return symbol;
}

static bool _version_fits(void)
{
	const uint32_t *version = _symbol("plugin_version");

	if (version && (*version == SB_PLUGIN_VERSION))
		return true;
	if (version)
		error("priority/budget: %s is of another Slurm release (0x%x, this is 0x%x)",
		      STOCK_FILE, *version, SB_PLUGIN_VERSION);
	return false;
}

static bool _resolve(void)
{
	*(void **) &stock.fini = _symbol("fini");
	*(void **) &stock.set = _symbol("priority_p_set");
	*(void **) &stock.reconfig = _symbol("priority_p_reconfig");
	*(void **) &stock.apply = _symbol("decay_apply_weighted_factors");
	*(void **) &stock.factors_list =
		_symbol("priority_p_get_priority_factors_list");
	return stock.fini && stock.set && stock.reconfig && stock.apply &&
	       stock.factors_list;
}

extern int stock_load(void)
{
	char *path = _find_file();
	int rc = SLURM_ERROR;

	if (!path) {
		error("priority/budget: no %s in PluginDir=%s; it is part of Slurm and does the factors other than fair share",
		      STOCK_FILE, slurm_conf.plugindir);
		return SLURM_ERROR;
	}
	stock.handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!stock.handle)
		error("priority/budget: cannot load %s: %s", path, dlerror());
	else if (_version_fits() && _resolve() &&
		 (compat_site_factor_init() == SLURM_SUCCESS))
		rc = SLURM_SUCCESS;
	xfree(path);
	if (rc != SLURM_SUCCESS)
		stock_unload();
	return rc;
}

extern void stock_unload(void)
{
	if (stock.handle && stock.fini)
		stock.fini();
	if (stock.handle)
		dlclose(stock.handle);
	memset(&stock, 0, sizeof(stock));
}

extern void stock_configure(bool fair_share)
{
	uint32_t weight_fs = slurm_conf.priority_weight_fs;
	uint32_t flags = slurm_conf.priority_flags;

	slurm_conf.priority_flags |= PRIORITY_FLAGS_FAIR_TREE;
	if (!fair_share)
		slurm_conf.priority_weight_fs = 0;
	stock.reconfig(false);
	slurm_conf.priority_weight_fs = weight_fs;
	slurm_conf.priority_flags = flags;
}

extern uint32_t stock_set(job_record_t *job_ptr)
{
	return stock.set(0, job_ptr);
}

extern uint32_t stock_weigh(job_record_t *job_ptr, time_t now)
{
	/* With a 1 below, a held job whose priority was an operator's would
	 * pass for one that has it still. */
	if (!IS_JOB_PENDING(job_ptr) || IS_JOB_POWER_UP_NODE(job_ptr) ||
	    job_ptr->direct_set_prio)
		return stock.set(0, job_ptr);
	/* This one leaves held jobs (0) alone and, with INCR_ONLY, everything
	 * above its result. */
	job_ptr->priority = 1;
	(void) stock.apply(job_ptr, &now);
	return job_ptr->priority;
}

extern sb_list_t stock_factors_list(SB_FACTORS_PARAMS)
{
	return stock.factors_list(SB_FACTORS_ARGS);
}

extern double stock_max_factors(void)
{
	double *tres_weights = slurm_get_tres_weight_array(
		slurm_conf.priority_weight_tres, slurmctld_tres_cnt, false);
	double sum = (double) slurm_conf.priority_weight_age +
		     slurm_conf.priority_weight_assoc +
		     slurm_conf.priority_weight_js +
		     slurm_conf.priority_weight_part +
		     slurm_conf.priority_weight_qos;

	for (int i = 0; tres_weights && (i < slurmctld_tres_cnt); i++)
		sum += fabs(tres_weights[i]);
	xfree(tres_weights);
	return sum;
}
