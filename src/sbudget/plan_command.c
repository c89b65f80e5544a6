/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_command - `sbudget plan check|diff|apply|export'.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan_command.h"
#include "text.h"

/* RET: the file's bytes, at most one more than a plan may have; NULL after
 * saying why. "-" is standard input. */
static char *_read_file(const char *name, size_t *size)
{
	FILE *file = strcmp(name, "-") ? fopen(name, "r") : stdin;
	char *text;

	if (!file) {
		cluster_fail("%s: %s", name, strerror(errno));
		return NULL;
	}
	text = malloc(PLAN_SIZE_MAX + 1);
	if (text) {
		*size = fread(text, 1, PLAN_SIZE_MAX + 1, file);
		if (ferror(file)) {
			cluster_fail("%s: %s", name, strerror(errno));
			free(text);
			text = NULL;
		}
	} else {
		cluster_fail("no memory");
	}
	if (file != stdin)
		fclose(file);
	return text;
}

static int64_t _window(const plan_case_t *one)
{
	return one->cluster ? one->cluster->params->window :
		SB_WINDOW_DEFAULT;
}

static int _load_plan(plan_case_t *one)
{
	sb_err_t err;
	size_t size;
	char *text = _read_file(one->file, &size);

	if (!text)
		return EXIT_ERROR;
	one->plan = plan_parse(text, size, _window(one), &err);
	free(text);
	if (!one->plan)
		return cluster_fail("%s: %s", one->file, err.text);
	return EXIT_OK;
}

static int _bind_plan(plan_case_t *one)
{
	sb_err_t err;

	if (plan_bind(one->plan, one->cluster->name, &one->cluster->assocs,
		      _window(one), one->when, &one->changes, &err))
		return cluster_fail("%s: %s", one->file, err.text);
	return EXIT_OK;
}

static int _check(const plan_case_t *one)
{
	if (one->opts->json) {
		json_object *result = json_object_new_object();

		json_object_object_add(result, "valid",
				       json_object_new_boolean(true));
		json_object_object_add(result, "accounts",
			json_object_new_int64(one->plan->count));
		json_object_object_add(result, "changes",
			json_object_new_int64(one->changes.count));
		return command_print_json(one->cluster, "plan", result);
	}
	printf("%s: valid, %zu account%s", one->file, one->plan->count,
	       (one->plan->count == 1) ? "" : "s");
	if (one->cluster)
		printf(", %zu to change", one->changes.count);
	printf(".\n");
	return EXIT_OK;
}

/* An invalid plan is told before anything else is done, and without a cluster
 * where that is possible. */
static int _run(plan_case_t *one, const char *name)
{
	int rc;

	if (!one->opts->offline) {
		one->cluster = cluster_load();
		if (!one->cluster)
			return EXIT_ERROR;
	}
	rc = _load_plan(one);
	if ((rc == EXIT_OK) && one->cluster)
		rc = _bind_plan(one);
	if (rc != EXIT_OK)
		return rc;
	if (!strcmp(name, "check"))
		return _check(one);
	if (!strcmp(name, "diff"))
		return plan_diff(one);
	return plan_apply(one);
}

static bool _is_known(const char *name)
{
	return !strcmp(name, "check") || !strcmp(name, "diff") ||
	       !strcmp(name, "apply");
}

extern int plan_command(const options_t *opts)
{
	plan_case_t one = { .opts = opts, .when = time(NULL) };
	int rc;

	if (!opts->argc)
		return options_complain("plan takes check, diff, apply or export");
	if (!strcmp(opts->argv[0], "export"))
		return plan_export(opts);
	if (!_is_known(opts->argv[0]))
		return options_complain("there is no command \"plan %s\"",
					opts->argv[0]);
	if (opts->argc != 2)
		return options_complain("plan %s takes one file",
					opts->argv[0]);
	if (opts->offline && strcmp(opts->argv[0], "check"))
		return options_complain("--offline is for plan check");
	if (opts->at && text_moment(opts->at, time(NULL), &one.when))
		return options_complain("--at \"%s\": not a date: " TEXT_MOMENT,
					opts->at);
	one.file = opts->argv[1];
	rc = _run(&one, opts->argv[0]);
	plan_changes_free(&one.changes);
	plan_destroy(one.plan);
	cluster_destroy(one.cluster);
	return rc;
}
