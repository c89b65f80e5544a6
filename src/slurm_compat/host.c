/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static host_t host;
static char *cluster;
static char *state_dir;
static char *dbd_host;

static void _read_strings(void)
{
	cluster = xstrdup(slurm_conf.cluster_name);
	state_dir = xstrdup(slurm_conf.state_save_location);
	dbd_host = xstrdup(slurm_conf.accounting_storage_host);
	host.cluster = cluster;
	host.state_dir = state_dir;
	host.dbd_host = dbd_host;
}

extern void host_read(void)
{
	slurm_mutex_lock(&lock);
	if (!host.cluster)
		_read_strings();
	host.dbd_port = slurm_conf.accounting_storage_port;
	host.msg_timeout = slurm_conf.msg_timeout;
	host.min_job_age = slurm_conf.min_job_age;
	host.calc_period = slurm_conf.priority_calc_period;
	host.decay_hl = slurm_conf.priority_decay_hl;
	host.reset_period = slurm_conf.priority_reset_period;
	slurm_mutex_unlock(&lock);
}

extern host_t host_get(void)
{
	host_t copy;

	slurm_mutex_lock(&lock);
	copy = host;
	slurm_mutex_unlock(&lock);
	return copy;
}

extern void host_forget(void)
{
	slurm_mutex_lock(&lock);
	xfree(cluster);
	xfree(state_dir);
	xfree(dbd_host);
	memset(&host, 0, sizeof(host));
	slurm_mutex_unlock(&lock);
}
