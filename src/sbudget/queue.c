/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* qsort_r() */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "queue.h"

extern int queue_fill_parts(queue_t *queue, const partition_info_msg_t *msg)
{
	queue->parts = calloc(msg->record_count + 1, sizeof(*queue->parts));
	if (!queue->parts)
		return -1;
	for (uint32_t i = 0; i < msg->record_count; i++) {
		const partition_info_t *info = &msg->partition_array[i];

		queue->parts[queue->part_count] = (part_t) {
			.name = strdup(info->name ? info->name : ""),
			.exempt = (info->preempt_mode & ~API_MODE_FLAGS) ==
				  PREEMPT_MODE_OFF,
			.tier = info->priority_tier,
			.node_ranges = job_copy_ranges(info->node_inx),
		};
		if (!queue->parts[queue->part_count++].name)
			return -1;
	}
	return 0;
}

extern const part_t *queue_part(const queue_t *queue, const char *name,
				size_t length)
{
	for (size_t i = 0; i < queue->part_count; i++) {
		if ((strlen(queue->parts[i].name) == length) &&
		    !memcmp(queue->parts[i].name, name, length))
			return &queue->parts[i];
	}
	return NULL;
}

extern int queue_fill_jobs(queue_t *queue, const cluster_t *cluster,
			   const job_info_msg_t *msg)
{
	queue->jobs = calloc(msg->record_count + 1, sizeof(*queue->jobs));
	if (!queue->jobs)
		return -1;
	for (uint32_t i = 0; i < msg->record_count; i++) {
		job_t *job = &queue->jobs[queue->count++];

		if (job_fill(job, &msg->job_array[i], queue, cluster))
			return -1;
	}
	return 0;
}

static uint16_t _tier(const queue_t *queue, const char *partitions)
{
	uint16_t best = 0;

	while (*partitions) {
		size_t length = strcspn(partitions, ",");
		const part_t *part = queue_part(queue, partitions, length);

		if (part && (part->tier > best))
			best = part->tier;
		partitions += length + (partitions[length] == ',');
	}
	return best;
}

/* As slurmctld sorts its queue with preempt/minruntime. */
static int _compare(const void *a, const void *b, void *arg)
{
	const job_t *one = a, *two = b;
	uint16_t tier_one, tier_two;

	if ((one->kind == JOB_IS_WAITING) != (two->kind == JOB_IS_WAITING))
		return (one->kind == JOB_IS_WAITING) ? -1 : 1;
	if (one->kind == JOB_IS_WAITING) {
		if (sb_policy_queue_before(&one->party, &two->party))
			return -1;
		if (sb_policy_queue_before(&two->party, &one->party))
			return 1;
		tier_one = _tier(arg, one->partition);
		tier_two = _tier(arg, two->partition);
		if (tier_one != tier_two)
			return (tier_one > tier_two) ? -1 : 1;
		if (one->priority != two->priority)
			return (one->priority > two->priority) ? -1 : 1;
	}
	return (one->id < two->id) ? -1 : one->id > two->id;
}

extern void queue_settle(queue_t *queue, const cluster_t *cluster)
{
	queue->waiting = 0;
	for (size_t i = 0; i < queue->count; i++) {
		job_t *job = &queue->jobs[i];
		int32_t node = assocs_index(&cluster->assocs, job->assoc_id);

		queue->waiting += job->kind == JOB_IS_WAITING;
		job->party.node = node;
		if (node < 0)
			continue;
		job->party.funded = cluster->assocs.nodes[node].funded;
		/* What it will be refused when it starts. */
		if (!job->is_signed && !job->party.funded) {
			job->left = job->party.protected_left = 0;
			if (job->contract.granted)
				job->contract.why = SB_GRANT_UNFUNDED;
			job->contract.granted = 0;
		}
	}
	qsort_r(queue->jobs, queue->count, sizeof(*queue->jobs), _compare,
		queue);
}

extern void queue_free(queue_t *queue)
{
	for (size_t i = 0; i < queue->count; i++)
		job_free(&queue->jobs[i]);
	for (size_t i = 0; i < queue->part_count; i++) {
		free(queue->parts[i].name);
		free(queue->parts[i].node_ranges);
	}
	free(queue->jobs);
	free(queue->parts);
	memset(queue, 0, sizeof(*queue));
}

extern const job_t *queue_find(const queue_t *queue, const char *label)
{
	for (size_t i = 0; i < queue->count; i++) {
		if (job_is_called(&queue->jobs[i], label))
			return &queue->jobs[i];
	}
	return NULL;
}

extern uint32_t queue_place(const queue_t *queue, const job_t *job)
{
	uint32_t place = 0;

	if (!job->ready)
		return 0;
	for (const job_t *other = queue->jobs; other < job; other++)
		place += other->ready ? other->tasks : 0;
	return place + 1;
}

extern uint32_t queue_ready(const queue_t *queue)
{
	uint32_t count = 0;

	for (size_t i = 0; i < queue->waiting; i++)
		count += queue->jobs[i].ready ? queue->jobs[i].tasks : 0;
	return count;
}
