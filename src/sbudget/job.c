/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* asprintf() */
#include <ctype.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "job.h"
#include "text.h"

static char *_copy(const char *text)
{
	return strdup(text ? text : "");
}

extern int32_t *job_copy_ranges(const int32_t *ranges)
{
	size_t count = 0;
	int32_t *copy;

	if (!ranges || (ranges[0] < 0))
		return NULL;
	while (ranges[count] >= 0)
		count++;
	copy = malloc((count + 1) * sizeof(*copy));
	if (copy)
		memcpy(copy, ranges, (count + 1) * sizeof(*copy));
	return copy;
}

static job_kind_t _kind(uint32_t state)
{
	if (state & JOB_COMPLETING)
		return JOB_IS_OVER;
	switch (state & JOB_STATE_BASE) {
	case JOB_PENDING:
		return JOB_IS_WAITING;
	case JOB_RUNNING:
		return JOB_IS_RUNNING;
	case JOB_SUSPENDED:
		return JOB_IS_SUSPENDED;
	}
	return JOB_IS_OVER;
}

static char *_label(const slurm_job_info_t *info)
{
	char *label = NULL;
	int rc;

	if (info->array_job_id && info->array_task_str &&
	    *info->array_task_str)
		rc = asprintf(&label, "%u_[%s]", info->array_job_id,
			      info->array_task_str);
	else if (info->array_job_id && (info->array_task_id != NO_VAL))
		rc = asprintf(&label, "%u_%u", info->array_job_id,
			      info->array_task_id);
	else if (info->het_job_id)
		rc = asprintf(&label, "%u+%u", info->het_job_id,
			      info->het_job_offset);
	else
		rc = asprintf(&label, "%u", info->job_id);
	return (rc < 0) ? NULL : label;
}

static char *_user(const slurm_job_info_t *info)
{
	const struct passwd *entry;
	char *text = NULL;

	if (info->user_name && *info->user_name)
		return strdup(info->user_name);
	entry = getpwuid(info->user_id);
	if (entry)
		return strdup(entry->pw_name);
	return (asprintf(&text, "%u", info->user_id) < 0) ? NULL : text;
}

static int64_t _ran(const slurm_job_info_t *info, int64_t now)
{
	if ((info->job_state & JOB_STATE_BASE) == JOB_SUSPENDED)
		return info->pre_sus_time;
	if (info->suspend_time)
		return now - info->suspend_time + info->pre_sus_time;
	return (info->start_time && (now > info->start_time)) ?
		now - info->start_time : 0;
}

/* The cap on its declaration: of several partitions the strictest. */
static int64_t _cap(const sb_params_t *params, const char *partitions)
{
	int64_t cap = INT64_MAX;

	while (partitions && *partitions) {
		size_t length = strcspn(partitions, ",");
		char name[SB_NAME_MAX];
		int64_t one;

		snprintf(name, sizeof(name), "%.*s", (int) length, partitions);
		one = sb_params_cap(params, name);
		cap = (one < cap) ? one : cap;
		partitions += length + (partitions[length] == ',');
	}
	return (cap == INT64_MAX) ? sb_params_cap(params, NULL) : cap;
}

static bool _is_exempt(const queue_t *queue, const char *partition)
{
	const part_t *part = partition ?
		queue_part(queue, partition, strlen(partition)) : NULL;

	return part && part->exempt;
}

/* What is locked in for this run, or what the comment would give. */
static void _read_contract(job_t *job, const slurm_job_info_t *info,
			   const cluster_t *cluster)
{
	sb_contract_t old;
	int rc = sb_contract_from_token(info->system_comment, &old, NULL);
	bool started = job->kind != JOB_IS_WAITING;
	int64_t limit = ((info->time_limit == NO_VAL) ||
			 (info->time_limit == INFINITE)) ?
		-1 : (int64_t) info->time_limit * 60;

	job->is_signed = !rc && started && (old.start == info->start_time);
	if (job->is_signed)
		job->contract = old;
	else
		job->malformed = sb_contract_sign(
			cluster->params, info->comment,
			_cap(cluster->params, info->partition), limit, true,
			started ? info->start_time : 0, rc ? 0 : old.evictions,
			&job->contract, NULL);
	if (!rc && old.evicted[0]) {
		memcpy(job->contract.evicted, old.evicted, sizeof(old.evicted));
		job->told = true;
	}
}

static double _usage_factor(const cluster_t *cluster, const char *qos)
{
	for (size_t i = 0; qos && (i < cluster->qos_count); i++) {
		if (!strcmp(cluster->qos[i].name, qos) &&
		    (cluster->qos[i].usage_factor >= 0))
			return cluster->qos[i].usage_factor;
	}
	return 1;
}

/* As priority/budget charges. */
static double _rate(const job_t *job, const slurm_job_info_t *info,
		    const cluster_t *cluster)
{
	const char *tres = cluster->params->charge_tres;
	double rate = 0;

	if ((job->kind == JOB_IS_SUSPENDED) && !strcmp(tres, "cpu"))
		return 0;
	if (!text_tres(info->tres_alloc_str, tres, &rate))
		return 0;
	return rate * _usage_factor(cluster, info->qos) *
	       sb_contract_charge(&job->contract, cluster->params);
}

static double _size(const char *tres, const cluster_t *cluster)
{
	double size = 0;

	if (text_tres(tres, "gres/gpu", &size) && size)
		return size;
	/* As in preempt/minruntime, for jobs without GPUs. */
	if (cluster->has_gpus)
		return 0;
	(void) text_tres(tres, "billing", &size);
	return size;
}

static double _weight(const char *tres, double size)
{
	double billing = 0;

	if (!size)
		(void) text_tres(tres, "billing", &billing);
	return size ? size : billing;
}

static void _make_party(job_t *job, const slurm_job_info_t *info,
			const queue_t *queue)
{
	bool started = job->kind != JOB_IS_WAITING;

	job->party = (sb_party_t) {
		.node = -1,
		.class = job->contract.class,
		.funded = true,
		.nodes = info->num_nodes,
		.gpus = _weight(job->tres, job->size),
		.min_runtime = job->contract.granted,
		.interactive = !info->batch_flag,
	};
	if (!started)
		return;
	job->party.min_runtime = (job->contract.declared > 0) ?
		job->contract.declared : 0;
	job->party.protected_left = job->left;
	job->party.ran = job->ran;
	job->party.exempt = _is_exempt(queue, info->partition);
	job->party.requeueable = info->batch_flag && info->requeue;
}

static bool _is_ready(const slurm_job_info_t *info, int64_t now)
{
	return info->priority && info->eligible_time &&
	       (info->eligible_time <= now) &&
	       ((info->state_reason == WAIT_NO_REASON) ||
		(info->state_reason == WAIT_RESOURCES) ||
		(info->state_reason == WAIT_PRIORITY));
}

extern int job_fill(job_t *job, const slurm_job_info_t *info,
		    const queue_t *queue, const cluster_t *cluster)
{
	bool started;

	*job = (job_t) {
		.id = info->job_id,
		.label = _label(info),
		.kind = _kind(info->job_state),
		.account = _copy(info->account),
		.user = _user(info),
		.partition = _copy(info->partition),
		.name = _copy(info->name),
		.nodes = _copy(info->nodes),
		.reason = api_reason(info),
		.state = api_state(info),
		.assoc_id = info->assoc_id,
		.priority = info->priority,
		.tasks = text_tasks(info->array_task_str),
		.submit = info->submit_time,
		.node_ranges = job_copy_ranges(info->node_inx),
	};
	started = job->kind != JOB_IS_WAITING;
	job->tres = _copy(started ? info->tres_alloc_str : info->tres_req_str);
	job->start = started ? info->start_time : 0;
	job->size = _size(job->tres, cluster);
	_read_contract(job, info, cluster);
	if (started) {
		job->ran = _ran(info, cluster->now);
		job->exempt_until = info->preemptable_time;
		job->rate = (job->kind == JOB_IS_OVER) ? 0 :
			_rate(job, info, cluster);
		job->left = cluster->contracts ?
			sb_contract_left(&job->contract, job->ran) : 0;
	} else {
		job->ready = _is_ready(info, cluster->now);
	}
	_make_party(job, info, queue);
	return (job->label && job->user && job->tres) ? 0 : -1;
}

extern void job_free(job_t *job)
{
	free(job->label);
	free(job->account);
	free(job->user);
	free(job->partition);
	free(job->name);
	free(job->nodes);
	free(job->tres);
	free(job->node_ranges);
}

/* "12_7" against "12_[4-9%2]" */
static bool _is_task_of(const job_t *job, const char *label)
{
	const char *bracket = strstr(job->label, "_[");
	size_t prefix = bracket ? (size_t) (bracket - job->label) + 1 : 0;
	unsigned long task, first, last;
	char *at;

	if (!bracket || strncmp(job->label, label, prefix) ||
	    !isdigit((unsigned char) label[prefix]))
		return false;
	task = strtoul(label + prefix, NULL, 10);
	at = job->label + prefix + 1;
	while (isdigit((unsigned char) *at)) {
		first = last = strtoul(at, &at, 10);
		if (*at == '-')
			last = strtoul(at + 1, &at, 10);
		if ((task >= first) && (task <= last))
			return true;
		at += strcspn(at, ",]");
		at += *at == ',';
	}
	return false;
}

extern bool job_is_called(const job_t *job, const char *label)
{
	char *end;
	unsigned long id = strtoul(label, &end, 10);

	return !strcmp(job->label, label) || (!*end && (job->id == id)) ||
	       _is_task_of(job, label);
}
