/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/common/node_conf.h"
#include "src/slurm_compat/compat.h"

#include "database.h"
#include "release.h"
#include "state.h"

/* Declarations that many jobs share. */
static const char *const comments[] = {
	"min-runtime=4h", "min-runtime=0", "min-runtime=1h run", NULL,
	"min-runtime=30m,exp", "sweep 7", "min-runtime=0 bulk",
	"{\"min-runtime\": \"2h\"}",
};

/* No header has it. */
extern time_t control_time;

static uint32_t _random(void)
{
	static uint64_t seed = 0x9e3779b97f4a7c15ULL;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed >> 32;
}

static bool _write_conf(const options_t *options, const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return false;
	fprintf(file, "ClusterName=bench\nSlurmctldHost=localhost\n"
		"SlurmUser=root\nAuthType=auth/none\nCredType=cred/none\n"
		"StateSaveLocation=%s\nPluginDir=%s\n"
		"AccountingStorageType=accounting_storage/slurmdbd\n"
		"AccountingStorageHost=localhost\n"
		"AccountingStoragePort=9\n"
		"AccountingStorageEnforce=limits,qos\n"
		"AccountingStorageTRES=gres/gpu\nGresTypes=gpu\n"
		"SelectType=select/linear\nMinJobAge=300\n"
		"MaxJobCount=%ld\nMaxArraySize=4000001\n"
		"PriorityType=priority/multifactor\n"
		"PriorityDecayHalfLife=7-0\nPriorityCalcPeriod=5\n"
		"PriorityMaxAge=7-0\nPriorityWeightAge=1000\n"
		"PriorityWeightFairshare=100000\nPriorityWeightJobSize=1000\n"
		"PriorityWeightPartition=1000\nPriorityWeightQOS=2000\n"
		"PriorityWeightTRES=CPU=500,GRES/gpu=500\n"
		"PriorityParameters=window=%ld\n"
		"PreemptMode=REQUEUE\nPreemptType=preempt/qos\n"
		"NodeName=n[1-%ld] CPUs=64 RealMemory=1000\n",
		options->dir, options->plugins,
		(options->jobs + options->running) * 2 + 1000,
		options->window / 60, options->nodes);
	for (long i = 1; i <= options->partitions; i++)
		fprintf(file, "PartitionName=p%ld Nodes=ALL\n", i);
	return !fclose(file);
}

static bool _read_conf(const options_t *options)
{
	log_options_t log_options = LOG_OPTS_STDERR_ONLY;
	char *path = xstrdup_printf("%s/slurm.conf", options->dir);
	bool written = _write_conf(options, path);

	log_options.stderr_level = LOG_LEVEL_ERROR;
	(void) log_init("slurmctld", log_options, SYSLOG_FACILITY_DAEMON, NULL);
	(void) setenv("SLURM_CONF", path, 1);
	if (written)
		(void) slurm_conf_init(path);
	xfree(path);
	accounting_enforce = slurm_conf.accounting_storage_enforce;
	return written;
}

static void _create_partitions(const options_t *options)
{
	init_node_conf();
	build_all_nodeline_info(true, slurmctld_tres_cnt);
	init_part_conf();
	for (long i = 1; i <= options->partitions; i++) {
		char *name = xstrdup_printf("p%ld", i);
		part_record_t *part_ptr = release_create_part(name);

		part_ptr->priority_tier = i;
		part_ptr->priority_job_factor = i * 10;
		part_ptr->norm_priority = (double) i / options->partitions;
		part_ptr->node_bitmap = bit_alloc(node_record_count);
		bit_nset(part_ptr->node_bitmap, 0, node_record_count - 1);
		xfree(name);
	}
}

/* The array that all jobs are split from: slurmctld makes a record, and puts
 * it into its tables, for no other caller. */
static job_record_t *_create_meta(const options_t *options)
{
	job_record_t *meta = xmalloc(sizeof(*meta));
	long count = options->jobs + options->running + 10;

	meta->magic = JOB_MAGIC;
	meta->job_id = meta->array_job_id = NO_VAL;
	meta->array_task_id = 0;
	meta->details = xmalloc(sizeof(*meta->details));
	meta->details->magic = DETAILS_MAGIC;
	meta->details->submit_time = time(NULL);
	meta->details->nice = NICE_OFFSET;
	meta->details->min_cpus = 8;
	meta->details->num_tasks = 1;
	meta->details->requeue = 1;
	meta->prio_factors = xmalloc(sizeof(*meta->prio_factors));
	meta->site_factor = NICE_OFFSET;
	meta->step_list = list_create(NULL);
	meta->batch_flag = 1;
	meta->billable_tres = (double) NO_VAL;
	meta->job_state = JOB_PENDING;
	meta->priority = 1;
	meta->limit_set.tres = xcalloc(slurmctld_tres_cnt, sizeof(uint16_t));
	meta->tres_req_cnt = xcalloc(slurmctld_tres_cnt, sizeof(uint64_t));
	meta->array_recs = xmalloc(sizeof(*meta->array_recs));
	meta->array_recs->task_cnt = count;
	meta->array_recs->task_id_bitmap = bit_alloc(count);
	return meta;
}

static slurmdb_assoc_rec_t *_any_user(slurmdb_assoc_rec_t **users,
				      size_t count)
{
	/* Few users have most of the jobs. */
	double part = (_random() & 0xffff) / 65536.0;

	return users[(size_t) (part * part * count)];
}

static void _place(job_record_t *job_ptr, slurmdb_assoc_rec_t *assoc,
		   const options_t *options)
{
	long part = 1 + _random() % options->partitions;
	uint32_t qos = 1 + _random() % options->qos;
	const char *comment = comments[_random() % 8];
	char name[16];

	snprintf(name, sizeof(name), "p%ld", part);
	job_ptr->assoc_id = assoc->id;
	job_ptr->assoc_ptr = assoc;
	job_ptr->user_id = assoc->uid;
	job_ptr->account = xstrdup(assoc->acct);
	job_ptr->partition = xstrdup(name);
	job_ptr->part_ptr = find_part_record(name);
	job_ptr->qos_id = qos;
	job_ptr->qos_ptr = list_find_first(assoc_mgr_qos_list,
					   slurmdb_find_qos_in_list, &qos);
	job_ptr->time_limit = 1440;
	if (comment && (_random() % 100 < options->unique))
		job_ptr->comment = xstrdup_printf("%s%s run-%08x", comment,
						  comment[0] == '{' ? "" : ";",
						  _random());
	else
		job_ptr->comment = xstrdup(comment);
}

/* 1 to 8 GPUs. */
static void _size(job_record_t *job_ptr, int gpu_pos)
{
	uint64_t gpus = 1 << (_random() % 4);
	uint64_t *tres = job_ptr->tres_req_cnt;

	tres[TRES_ARRAY_CPU] = gpus * 8;
	tres[TRES_ARRAY_MEM] = gpus * 1000;
	tres[TRES_ARRAY_NODE] = 1;
	tres[TRES_ARRAY_BILLING] = gpus;
	if (gpu_pos >= 0)
		tres[gpu_pos] = gpus;
	job_ptr->details->min_nodes = 1;
	job_ptr->details->begin_time = time(NULL) - _random() % 86400;
	job_ptr->details->accrue_time = job_ptr->details->begin_time;
	job_ptr->state_reason = WAIT_PRIORITY;
}

extern void state_start(job_record_t *job_ptr, const options_t *options,
			time_t start)
{
	job_ptr->job_state = JOB_RUNNING;
	job_ptr->start_time = start;
	job_ptr->end_time = job_ptr->start_time + job_ptr->time_limit * 60;
	job_ptr->tres_alloc_cnt = job_ptr->tres_req_cnt;
	job_ptr->tres_req_cnt = xcalloc(slurmctld_tres_cnt, sizeof(uint64_t));
	memcpy(job_ptr->tres_req_cnt, job_ptr->tres_alloc_cnt,
	       slurmctld_tres_cnt * sizeof(uint64_t));
	job_ptr->billable_tres = job_ptr->tres_alloc_cnt[TRES_ARRAY_BILLING];
	job_ptr->node_cnt = 1;
	job_ptr->node_bitmap = bit_alloc(node_record_count);
	bit_set(job_ptr->node_bitmap, _random() % options->nodes);
	job_ptr->job_resrcs = create_job_resources();
	job_ptr->job_resrcs->node_bitmap = bit_copy(job_ptr->node_bitmap);
	job_ptr->details->accrue_time = 0;
	release_job_begin(job_ptr);
}

static slurmdb_assoc_rec_t **_collect_users(size_t *count)
{
	slurmdb_assoc_rec_t **users = xcalloc(list_count(assoc_mgr_assoc_list),
					      sizeof(*users));
	sb_list_itr_t *itr = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *assoc;

	while ((assoc = list_next(itr))) {
		if (assoc->user)
			users[(*count)++] = assoc;
	}
	list_iterator_destroy(itr);
	return users;
}

static int _is_it(void *item, void *key)
{
	return item == key;
}

static void _create_jobs(const options_t *options, state_t *state)
{
	long left = options->jobs + options->running;
	size_t users_count = 0;
	slurmdb_assoc_rec_t **users = _collect_users(&users_count);
	job_record_t *meta = _create_meta(options);
	int gpu_pos = compat_find_tres("gres/gpu");

	state->pending = xcalloc(options->jobs, sizeof(job_record_t *));
	state->running = xcalloc(options->running + 1, sizeof(job_record_t *));
	init_job_conf();
	rehash_jobs();
	for (; left; left--) {
		job_record_t *job_ptr = meta;

		meta = release_split(job_ptr);
		job_ptr->array_job_id = 0;
		job_ptr->array_task_id = NO_VAL;
		meta->array_task_id = 0;
		_place(job_ptr, _any_user(users, users_count), options);
		_size(job_ptr, gpu_pos);
		/* Running ones stand among those that wait. */
		if ((_random() % left) <
		    (options->running - state->running_count)) {
			state_start(job_ptr, options,
				    time(NULL) - 1 - _random() % 80000);
			state->running[state->running_count++] = job_ptr;
		} else
			state->pending[state->pending_count++] = job_ptr;
	}
	/* Of the array there is nothing left. */
	(void) list_remove_first(job_list, _is_it, meta);
	xfree(users);
}

/* The first of all was not made by slurmctld, and is not in its list. */
static void _adopt_first(state_t *state)
{
	job_record_t *first = state->pending[0];

	if (state->running_count &&
	    (!first || (state->running[0]->job_id < first->job_id)))
		first = state->running[0];
	(void) list_prepend(job_list, first);
}

extern bool state_create(const options_t *options, state_t *state)
{
	static time_t save_thread = 1;

	memset(state, 0, sizeof(*state));
	if (!_read_conf(options) || !release_load() || !database_load(options))
		return false;
	control_time = time(NULL);
	slurmctld_config.scheduling_disabled = true;
	/* As one that has read its state and is in control. */
	slurmctld_config.thread_id_save = (pthread_t) save_thread;
	_create_partitions(options);
	_create_jobs(options, state);
	_adopt_first(state);
	last_job_update = time(NULL);
	return true;
}
