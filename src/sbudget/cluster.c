/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster.h"
#include "text.h"

extern int cluster_fail(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "sbudget: error: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return EXIT_FAILURE;
}

static int _unreachable(const char *what)
{
	cluster_fail("cannot get %s from slurmctld: %s", what,
		     slurm_strerror(errno));
	return -1;
}

static int _no_memory(void)
{
	cluster_fail("no memory for what slurmctld tells");
	return -1;
}

static void _note(cluster_t *cluster, const char *text)
{
	if (cluster->note_count < CLUSTER_NOTES)
		cluster->notes[cluster->note_count++] = text;
}

/* Whom PrivateData does not concern, as far as we can tell. */
static bool _sees_all(const slurm_conf_t *conf)
{
	return (getuid() == 0) || (getuid() == conf->slurm_user_id);
}

static int _take_conf(cluster_t *cluster, const slurm_conf_t *conf)
{
	sb_err_t err;

	cluster->name = strdup(conf->cluster_name ? conf->cluster_name : "");
	cluster->priority_type =
		strdup(conf->priority_type ? conf->priority_type : "");
	cluster->preempt_type =
		strdup(conf->preempt_type ? conf->preempt_type : "");
	if (!cluster->name || !cluster->priority_type ||
	    !cluster->preempt_type)
		return _no_memory();
	cluster->budgets = !strcmp(cluster->priority_type, "priority/budget");
	cluster->contracts =
		!strcmp(cluster->preempt_type, "preempt/minruntime");
	cluster->own_jobs = (conf->private_data & PRIVATE_DATA_JOBS) &&
			    !_sees_all(conf);
	cluster->comments = api_stores_comments(conf);
	cluster->params = sb_params_parse(conf->priority_params, &err);
	if (!cluster->params) {
		/* Without our plugins the text is somebody else's. */
		if (cluster->budgets || cluster->contracts) {
			cluster_fail("PriorityParameters: %s", err.text);
			return -1;
		}
		cluster->params = sb_params_create();
	}
	return cluster->params ? 0 : _no_memory();
}

static int _load_conf(cluster_t *cluster)
{
	slurm_conf_t *conf = NULL;
	int rc;

	if (slurm_load_ctl_conf(0, &conf))
		return _unreachable("its configuration");
	rc = _take_conf(cluster, conf);
	api_free_conf(conf);
	return rc;
}

static int _take_qos(void *item, void *arg)
{
	const slurmdb_qos_rec_t *rec = item;
	cluster_t *cluster = arg;

	cluster->qos[cluster->qos_count++] = (qos_t) {
		.name = strdup(rec->name ? rec->name : ""),
		.usage_factor = rec->usage_factor,
	};
	return 0;
}

static int _load_assocs(cluster_t *cluster)
{
	assoc_mgr_info_request_msg_t request = {
		.flags = ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_QOS,
	};
	assoc_mgr_info_msg_t *msg = NULL;
	int rc;

	if (slurm_load_assoc_mgr_info(&request, &msg) || !msg)
		return _unreachable("associations");
	rc = assocs_fill(&cluster->assocs, msg->assoc_list);
	cluster->qos = calloc((msg->qos_list ?
			       slurm_list_count(msg->qos_list) : 0) + 1,
			      sizeof(*cluster->qos));
	if (!rc && cluster->qos)
		(void) api_for_each(msg->qos_list, _take_qos, cluster);
	slurm_free_assoc_mgr_info_msg(msg);
	cluster->partial = !cluster->assocs.whole;
	return (rc || !cluster->qos) ? _no_memory() : 0;
}

static int _take_node(cluster_t *cluster, const node_info_t *node)
{
	double count;

	if (text_tres(node->tres_fmt_str, cluster->params->charge_tres,
		      &count))
		cluster->capacity += count;
	if (text_tres(node->tres_fmt_str, "gres/gpu", &count))
		cluster->gpus += count;
	if (!(node->node_state & NODE_STATE_DRAIN) || !node->name)
		return 0;
	cluster->drains[cluster->drain_count] =
		(drain_t) { strdup(node->name), node->reason_time };
	return cluster->drains[cluster->drain_count++].node ? 0 : -1;
}

static int _load_nodes(cluster_t *cluster)
{
	node_info_msg_t *msg = NULL;
	int rc = 0;

	if (slurm_load_node(0, &msg, SHOW_ALL))
		return _unreachable("nodes");
	cluster->drains = calloc(msg->record_count + 1,
				 sizeof(*cluster->drains));
	rc = cluster->drains ? 0 : -1;
	for (uint32_t i = 0; !rc && (i < msg->record_count); i++)
		rc = _take_node(cluster, &msg->node_array[i]);
	slurm_free_node_info_msg(msg);
	cluster->has_gpus = cluster->gpus > 0;
	if (!cluster->has_gpus)
		cluster->gpus = cluster->capacity;
	return rc ? _no_memory() : 0;
}

static int _load_parts(cluster_t *cluster)
{
	partition_info_msg_t *msg = NULL;
	int rc;

	if (slurm_load_partitions(0, &msg, SHOW_ALL))
		return _unreachable("partitions");
	rc = queue_fill_parts(&cluster->queue, msg);
	slurm_free_partition_info_msg(msg);
	return rc ? _no_memory() : 0;
}

static int _load_jobs(cluster_t *cluster)
{
	job_info_msg_t *msg = NULL;
	int rc;

	/* All tasks of an array, not "1-9,..." */
	setenv("SLURM_BITSTR_LEN", "0", 1);
	if (slurm_load_jobs(0, &msg, SHOW_ALL | SHOW_DETAIL))
		return _unreachable("jobs");
	rc = queue_fill_jobs(&cluster->queue, cluster, msg);
	slurm_free_job_info_msg(msg);
	return rc ? _no_memory() : 0;
}

/* What a job has and wants goes to its association and all above. */
static void _add_up(cluster_t *cluster, const job_t *job)
{
	assocs_t *assocs = &cluster->assocs;
	int32_t node = assocs_index(assocs, job->assoc_id);

	for (int depth = 0; (node >= 0) && (depth <= SB_TREE_DEPTH_MAX);
	     node = assocs->nodes[node].parent, depth++) {
		assoc_t *row = &assocs->rows[node];

		if (job->kind == JOB_IS_WAITING) {
			row->pending += job->size * job->tasks;
			continue;
		}
		row->running += job->size;
		if (job->contract.class == SB_CLASS_UNALLOCATED)
			row->unallocated += job->size;
	}
}

static void _add_up_all(cluster_t *cluster)
{
	for (size_t i = 0; i < cluster->queue.count; i++) {
		const job_t *job = &cluster->queue.jobs[i];
		int32_t node = assocs_index(&cluster->assocs, job->assoc_id);

		if (job->kind == JOB_IS_OVER)
			continue;
		_add_up(cluster, job);
		if (node < 0)
			continue;
		cluster->assocs.nodes[node].own_running += job->rate;
		if (cluster->params->commitment &&
		    (job->contract.class != SB_CLASS_UNALLOCATED))
			cluster->assocs.nodes[node].own_committed +=
				job->rate * sb_contract_left(&job->contract,
							     job->ran);
	}
}

static void _add_notes(cluster_t *cluster)
{
	if (!cluster->budgets)
		_note(cluster, "PriorityType is not priority/budget: usage is "
		      "what that plugin keeps, and decays");
	if (!cluster->contracts)
		_note(cluster, "PreemptType is not preempt/minruntime: no "
		      "minimum runtime is protected");
	if (cluster->partial)
		_note(cluster, "PrivateData=usage: only what you may see");
	if (cluster->own_jobs)
		_note(cluster, "PrivateData=jobs: jobs that you may not see "
		      "are left out");
	if (cluster->params->preempt_shadow && cluster->contracts)
		_note(cluster, "preempt=shadow: decisions are logged, nothing "
		      "is preempted");
	if (!(cluster->capacity > 0))
		_note(cluster, "the capacity of the cluster is unknown");
}

static int _load_all(cluster_t *cluster)
{
	sb_err_t err = { "no memory" };

	if (_load_conf(cluster) || _load_assocs(cluster) ||
	    _load_nodes(cluster) || _load_parts(cluster) ||
	    _load_jobs(cluster))
		return -1;
	_add_up_all(cluster);
	if (assocs_compute(&cluster->assocs, cluster->capacity,
			   cluster->params->burst, cluster->budgets, &err)) {
		cluster_fail("associations: %s", err.text);
		return -1;
	}
	queue_settle(&cluster->queue, cluster);
	_add_notes(cluster);
	return 0;
}

extern cluster_t *cluster_load(void)
{
	cluster_t *cluster = calloc(1, sizeof(*cluster));

	if (!cluster) {
		(void) _no_memory();
		return NULL;
	}
	cluster->now = time(NULL);
	if (_load_all(cluster)) {
		cluster_destroy(cluster);
		return NULL;
	}
	return cluster;
}

extern void cluster_destroy(cluster_t *cluster)
{
	if (!cluster)
		return;
	for (size_t i = 0; i < cluster->qos_count; i++)
		free(cluster->qos[i].name);
	free(cluster->qos);
	for (size_t i = 0; i < cluster->drain_count; i++)
		free(cluster->drains[i].node);
	free(cluster->drains);
	queue_free(&cluster->queue);
	assocs_free(&cluster->assocs);
	sb_params_destroy(cluster->params);
	free(cluster->name);
	free(cluster->priority_type);
	free(cluster->preempt_type);
	free(cluster);
}

extern int cluster_check_accounts(const cluster_t *cluster, const char *list)
{
	while (list && *list) {
		size_t length = strcspn(list, ",");
		char *name = strndup(list, length);

		if (!name)
			return cluster_fail("no memory for the accounts");
		if (assocs_find(&cluster->assocs, name, NULL) < 0) {
			cluster_fail("there is no account \"%s\"%s", name,
				     cluster->partial ?
				     " that you may see" : "");
			free(name);
			return EXIT_FAILURE;
		}
		free(name);
		list += length + (list[length] == ',');
	}
	return EXIT_SUCCESS;
}

extern const char *cluster_counted(const cluster_t *cluster)
{
	return cluster->has_gpus ? "GPU" : cluster->params->charge_tres;
}

extern const char *cluster_unit(const cluster_t *cluster)
{
	const char *tres = cluster->params->charge_tres;

	/* A GPU that is billed as 1 is what people call a GPU-hour. */
	if (!strcmp(tres, "gres/gpu") ||
	    (cluster->has_gpus && (cluster->gpus == cluster->capacity)))
		return "GPU";
	return tres;
}

extern sb_tree_view_t cluster_tree(const cluster_t *cluster)
{
	sb_tree_view_t view = { 0 };

	if (cluster->assocs.whole) {
		view.nodes = cluster->assocs.nodes;
		view.count = cluster->assocs.count;
	}
	return view;
}

extern void cluster_print_notes(const cluster_t *cluster)
{
	for (size_t i = 0; i < cluster->note_count; i++)
		fprintf(stderr, "sbudget: %s\n", cluster->notes[i]);
}
