/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sb_config.h"

#include "command.h"

static const struct {
	const char *name;
	int (*run)(const options_t *opts);
} commands[] = {
	{ "show", show_command },
	{ "jobs", jobs_command },
	{ "why", why_command },
	{ "plan", plan_command },
	{ "report", report_command },
	{ "metrics", metrics_command },
};

extern bool command_listed(const char *list, const char *text)
{
	size_t length;

	for (; list && *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		if ((strlen(text) == length) && !memcmp(list, text, length))
			return true;
	}
	return !list;
}

static void _describe(const cluster_t *cluster, json_object *object)
{
	json_object *notes = json_object_new_array();

	for (size_t i = 0; i < cluster->note_count; i++)
		json_object_array_add(notes,
			json_object_new_string(cluster->notes[i]));
	json_object_object_add(object, "cluster",
			       json_object_new_string(cluster->name));
	json_object_object_add(object, "time",
			       json_object_new_int64(cluster->now));
	json_object_object_add(object, "notes", notes);
}

extern int command_print_json(const cluster_t *cluster, const char *name,
			      json_object *body)
{
	json_object *object = json_object_new_object();

	json_object_object_add(object, "sbudget",
			       json_object_new_string(PACKAGE_VERSION));
	if (cluster)
		_describe(cluster, object);
	json_object_object_add(object, name, body);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
	return EXIT_OK;
}

static int _run(options_t *opts)
{
	const char *name = opts->argc ? opts->argv[0] : "show";

	if (opts->argc) {
		opts->argc--;
		opts->argv++;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (!strcmp(commands[i].name, name))
			return commands[i].run(opts);
	}
	return options_complain("there is no command \"%s\"", name);
}

/* All requests go to another cluster from now on. */
static int _choose_cluster(const char *names)
{
	api_list_t clusters = api_clusters(names);

	/* It has said why. */
	if (!clusters)
		return cluster_fail("no cluster \"%s\"", names);
	if (slurm_list_count(clusters) != 1)
		return options_complain("-M takes one cluster");
	working_cluster_rec = slurm_list_pop(clusters);
	slurm_list_destroy(clusters);
	return EXIT_OK;
}

/* Without a slurm.conf slurm_init() ends the program. */
static bool _needs_slurm(const options_t *opts)
{
	return !opts->offline &&
	       !(opts->format && !strcmp(opts->format, "help"));
}

extern int main(int argc, char **argv)
{
	options_t opts;
	int rc = EXIT_OK;

	switch (options_parse(&opts, argc, argv)) {
	case OPTIONS_DONE:
		return EXIT_OK;
	case OPTIONS_BAD:
		return EXIT_USAGE;
	case OPTIONS_RUN:
		break;
	}
	if (_needs_slurm(&opts))
		slurm_init(NULL);
	if (opts.clusters)
		rc = _choose_cluster(opts.clusters);
	if (rc == EXIT_OK)
		rc = _run(&opts);
	if (working_cluster_rec)
		slurmdb_destroy_cluster_rec(working_cluster_rec);
	if (fflush(stdout) || ferror(stdout))
		rc = cluster_fail("cannot write");
	return rc;
}
