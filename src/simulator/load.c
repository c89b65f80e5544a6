/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "budgets.h"
#include "load.h"
#include "models.h"
#include "read.h"
#include "replay.h"
#include "timespan.h"

#define SECONDS_OF_DAY 86400
/* Longest path of a zone's file. */
#define PATH_SIZE 4096

/* ---------------------------------------------------------------- zone */

/* "CET-1CEST": letters and an offset, that need no file. */
static bool is_posix_zone(const char *zone)
{
	size_t letters = 0;

	while (isalpha((unsigned char)zone[letters]))
		letters++;
	zone += letters;
	zone += *zone == '+' || *zone == '-';
	return letters >= 3 && isdigit((unsigned char)*zone);
}

/* The C library takes any name, and means UTC by those it does not know. */
extern int load_zone(const char *zone, sb_err_t *err)
{
	const char *directory = getenv("TZDIR");
	char path[PATH_SIZE], shown[64];

	snprintf(path, sizeof(path), "%s/%s",
		 directory ? directory : "/usr/share/zoneinfo", zone);
	if (!*zone || (!is_posix_zone(zone) && strcmp(zone, "UTC") &&
		       (strstr(zone, "..") || access(path, R_OK))))
		return sb_err_set(err, "--tz: there is no time zone \"%s\", as Europe/Berlin or CET-1CEST,M3.5.0,M10.5.0/3",
				  sb_err_quote(shown, sizeof(shown), zone,
					       strlen(zone)));
	if (setenv("TZ", zone, 1))
		return sb_err_set(err, "no memory");
	tzset();
	return 0;
}

/* ---------------------------------------------------------------- plan */

static char *slurp(FILE *file, size_t *size)
{
	char *text = malloc(PLAN_SIZE_MAX + 1);

	*size = text ? fread(text, 1, PLAN_SIZE_MAX + 1, file) : 0;
	return text;
}

extern plan_t *load_plan(const char *path, int64_t window, sb_err_t *err)
{
	bool stdin_too = !strcmp(path, "-");
	FILE *file = stdin_too ? stdin : fopen(path, "r");
	plan_t *plan = NULL;
	sb_err_t why = { "" };
	size_t size;
	char *text;

	if (!file) {
		sb_err_set(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	text = slurp(file, &size);
	if (!text)
		sb_err_set(err, "no memory");
	else if (ferror(file))
		sb_err_set(err, "%s: %s", path, strerror(errno));
	else if (!(plan = plan_parse(text, size, window, &why)))
		sb_err_set(err, "%s: %s", path, why.text);
	free(text);
	if (!stdin_too)
		fclose(file);
	return plan;
}

/* ---------------------------------------------------------------- workload */

static workload_t *read_input(const cli_t *cli, tally_t *tally, sb_err_t *err)
{
	source_t *source = source_open(cli->input, err);
	workload_t *workload = NULL;

	if (!source)
		return NULL;
	tally->lenient = cli->lenient;
	switch (cli->source) {
	case CLI_SACCT:
		workload = read_sacct(source, tally, err);
		break;
	case CLI_SWF:
		workload = read_swf(source, tally, err);
		break;
	case CLI_TRACE:
	case CLI_GENERATE:
	case CLI_NONE:
		workload = read_trace(source, tally, err);
		break;
	}
	source_close(source);
	return workload;
}

/* "64x8" for 512 GPUs; a cluster that is smaller than a node is one. */
static int default_nodes(const generate_t *spec, nodes_t *nodes, sb_err_t *err)
{
	char text[80];
	uint32_t gpus = spec->node_gpus < spec->gpus ? spec->node_gpus :
		spec->gpus;

	int len = snprintf(text, sizeof(text), "%ux%u",
			   (spec->gpus + gpus - 1) / gpus, gpus);

	if (spec->node_cpus)
		len += snprintf(text + len, sizeof(text) - (size_t)len,
				":CPUs=%u", spec->node_cpus);
	if (spec->node_mem)
		snprintf(text + len, sizeof(text) - (size_t)len,
			 ":RealMemory=%u", spec->node_mem);
	return nodes_parse(text, NULL, nodes, err);
}

/* A made-up workload is for the cluster that it is to run on. */
static int generate(const cli_t *cli, const settings_t *settings, load_t *load,
		    sb_err_t *err)
{
	generate_t spec = settings->generate;

	if (cli->nodes) {
		if (nodes_parse(cli->nodes, NULL, &load->nodes, err))
			return -1;
		spec.gpus = (uint32_t)load->nodes.gpus;
		spec.node_gpus = load->nodes.most;
		spec.node_cpus = load->nodes.cpus;
		spec.node_mem = load->nodes.mem_mb;
	} else if (default_nodes(&spec, &load->nodes, err)) {
		return -1;
	}
	if (generate_check(&spec, err))
		return -1;
	load->workload = generate_workload(&spec, settings->seed, err);
	load->until = spec.days * (int64_t)SECONDS_OF_DAY;
	return load->workload ? 0 : -1;
}

/* RET: jobs of types that nodes have not. */
static size_t count_strangers(const load_t *load)
{
	const workload_t *workload = load->workload;
	bool there[WORKLOAD_TYPES_MAX] = { false };
	size_t strangers = 0;

	for (size_t i = 0; i < load->nodes.count; i++) {
		if (load->nodes.pools[i].type >= 0)
			there[load->nodes.pools[i].type] = true;
	}
	for (size_t i = 0; i < workload->job_count; i++) {
		int16_t type = workload->jobs[i].type;

		strangers += type >= 0 && !there[type];
	}
	return strangers;
}

/* Who names no types for nodes does not want to hear of them: sacct tells
 * what a job got, not what it asked for. */
static int match_types(load_t *load, sb_err_t *err)
{
	workload_t *workload = load->workload;
	size_t strangers = count_strangers(load);
	bool typed = false;
	int rc = 0;

	for (size_t i = 0; i < load->nodes.count; i++)
		typed = typed || load->nodes.pools[i].type >= 0;
	for (size_t i = 0; !typed && i < workload->job_count; i++)
		workload->jobs[i].type = -1;
	if (typed)
		rc = workload_count(workload, strangers, "job has GPUs of a type that --nodes does not name, and is refused",
				    "jobs have GPUs of a type that --nodes does not name, and are refused");
	else if (strangers)
		rc = workload_note(workload, "--nodes names no types of GPUs, so those of %zu job%s are left aside",
				   strangers, strangers == 1 ? "" : "s");
	return rc ? sb_err_set(err, "no memory") : 0;
}

/* Where nodes have CPUs: who does not say how many he needs. */
static int note_hosts(load_t *load, sb_err_t *err)
{
	workload_t *workload = load->workload;
	size_t cpus = 0, mem = 0;

	for (size_t i = 0; i < workload->job_count; i++) {
		cpus += !workload->jobs[i].cpus;
		mem += !workload->jobs[i].mem_mb;
	}
	if (!load->nodes.mem_mb)
		mem = 0;
	if (!load->nodes.cpus || !(cpus + mem))
		return 0;
	return workload_note(workload, "CPUs of %zu job%s and memory of %zu are not known: they have what goes with their GPUs (or CPUs), the same part of a node",
			     cpus, cpus == 1 ? "" : "s", mem) ? sb_err_set(err, "no memory") : 0;
}

static int read_whole(const cli_t *cli, load_t *load, sb_err_t *err)
{
	/* What nodes have decides which jobs there are. */
	if (nodes_parse(cli->nodes, NULL, &load->nodes, err))
		return -1;
	load->tally.cpu_jobs = load->nodes.cpus > 0;
	load->workload = read_input(cli, &load->tally, err);
	if (!load->workload ||
	    nodes_parse(cli->nodes, load->workload, &load->nodes, err))
		return -1;
	load->until = replay_until(load->workload);
	return match_types(load, err);
}

/* Equal budgets are an assumption as well. */
static int set_budgets(const settings_t *settings, const plan_t *plan,
		       load_t *load, sb_err_t *err)
{
	sb_params_t *params;
	int rc;

	if (!plan && settings->generates)
		return 0;
	if (!plan)
		return workload_note(load->workload, "no plan: all accounts have the same budget") ?
			sb_err_set(err, "no memory") : 0;
	params = settings_params(settings, err);
	if (!params)
		return -1;
	rc = budgets_apply(load->workload, plan, params->window, err);
	sb_params_destroy(params);
	return rc;
}

static int set_reservations(const cli_t *cli, load_t *load, sb_err_t *err)
{
	sb_err_t why = { "" };
	uint64_t nodes = 0;

	for (size_t i = 0; i < load->nodes.count; i++)
		nodes += load->nodes.pools[i].nodes;
	for (size_t i = 0; i < cli->reservation_count; i++) {
		if (keep_add(&load->keep, cli->reservations[i],
			     load->workload, &why))
			return sb_err_set(err, "--reservation: %s", why.text);
		if (load->keep.list[i].nodes > nodes)
			return sb_err_set(err, "--reservation: NodeCnt=%u: the cluster has %llu",
					  load->keep.list[i].nodes,
					  (unsigned long long)nodes);
	}
	return 0;
}

extern int load_until(const char *text, int64_t *until, sb_err_t *err)
{
	*until = 0;
	if (!strcmp(text, "end"))
		return 0;
	if (sb_timespan_parse(text, strlen(text), until, err))
		return -1;
	return *until ? 0 : sb_err_set(err, "0 is nothing to replay");
}

extern int load_workload(const cli_t *cli, const settings_t *settings,
			 const plan_t *plan, load_t *load, sb_err_t *err)
{
	models_t models;
	int rc;

	memset(load, 0, sizeof(*load));
	if (models_parse(cli->model ? cli->model : "", &models, err))
		return -1;
	rc = settings->generates ? generate(cli, settings, load, err) :
		read_whole(cli, load, err);
	if (!rc)
		rc = note_hosts(load, err);
	if (!rc)
		rc = models_apply(load->workload, &models, settings->seed,
				  err);
	if (!rc)
		rc = set_budgets(settings, plan, load, err);
	if (!rc)
		rc = set_reservations(cli, load, err);
	if (!rc && cli->until)
		rc = load_until(cli->until, &load->until, err);
	if (rc)
		load_free(load);
	return rc;
}

extern void load_free(load_t *load)
{
	workload_destroy(load->workload);
	load->workload = NULL;
}
