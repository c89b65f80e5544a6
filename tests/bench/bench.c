/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench - the plugins inside the real slurmctld, side by side.
 *
 *	ld.so --preload .../bench.so slurmctld plugins=DIR:DIR dir=DIR [NAME=VALUE...]
 *
 * Preloaded into slurmctld's program, this library runs instead of its main():
 * all of slurmctld's functions and tables are there, and no daemon. It makes
 * the state once and forks: one child has the stock plugins over it, the other
 * ours, and both measure in turn when the parent says so. Result: JSON.
 */
#define _GNU_SOURCE		/* RTLD_NEXT */
#include <dlfcn.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "holds.h"
#include "options.h"
#include "samples.h"
#include "state.h"
#include "subject.h"

/* Microseconds between two measurements of one kind: accounting counts whole
 * seconds, and a pass without any is none. */
#define PAUSE 1100000
/* Instead of the number of a measurement. */
#define QUIT (-1)

typedef enum { STOCK, OURS, SUBJECTS } which_t;

typedef struct {
	pid_t pid;
	int command;
	int answer;
} child_t;

static const char *const subject_names[SUBJECTS] = { "stock", "ours" };
static options_t options;
static state_t state;
static child_t children[SUBJECTS];

/* What one measurement has given so far. */
static samples_t series[SUBJECTS][FIGURES], ratios[FIGURES];
static figures_t last[SUBJECTS];

static void serve(which_t which, int command, int answer)
{
	figures_t figures = { 0 };
	int number = 0;

	(void) prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!subject_load(which == OURS, &options, &state))
		_exit(2);
	do {
		if (write(answer, &figures, sizeof(figures)) !=
		    sizeof(figures))
			break;
		if (read(command, &number, sizeof(number)) != sizeof(number))
			break;
		if (number == QUIT)
			break;
		if (!subject_measure(number, &figures))
			figures.count = 0;
	} while (1);
	_exit(0);
}

static int hear(which_t which)
{
	size_t have = 0;

	while (have < sizeof(last[which])) {
		ssize_t got = read(children[which].answer,
				   (char *) &last[which] + have,
				   sizeof(last[which]) - have);

		if (got <= 0) {
			fprintf(stderr, "bench: %s has died\n",
				subject_names[which]);
			return -1;
		}
		have += (size_t) got;
	}
	return 0;
}

static int start(which_t which)
{
	int command[2], answer[2];

	if (pipe(command) || pipe(answer))
		return -1;
	fflush(NULL);
	children[which].pid = fork();
	if (!children[which].pid)
		serve(which, command[0], answer[1]);
	(void) close(command[0]);
	(void) close(answer[1]);
	children[which].command = command[1];
	children[which].answer = answer[0];
	return hear(which);
}

static bool takes_part(which_t which)
{
	return !options.only || !strcmp(options.only, subject_names[which]);
}

static int measure(which_t which, int number)
{
	if (write(children[which].command, &number, sizeof(number)) !=
	    sizeof(number))
		return -1;
	return hear(which);
}

static void note(bool both)
{
	for (int w = 0; w < SUBJECTS; w++) {
		for (int i = 0; i < last[w].count; i++)
			samples_add(&series[w][i], last[w].rows[i].value);
	}
	for (int i = 0; both && (i < last[OURS].count) &&
	     (i < last[STOCK].count); i++) {
		if (last[STOCK].rows[i].value > 0)
			samples_add(&ratios[i], last[OURS].rows[i].value /
				    last[STOCK].rows[i].value);
	}
}

static int run(int number)
{
	bool once = subject_once(number);

	for (int w = 0; w < SUBJECTS; w++)
		last[w].count = 0;
	/* The first one warms up what the fork has made cold. */
	for (long round = once - 1; round < (once ? 1 : options.rounds);
	     round++) {
		for (int i = 0; i < SUBJECTS; i++) {
			/* Nobody is always the first. */
			int w = (i + round) & 1;

			if (takes_part(w) && measure(w, number))
				return -1;
		}
		if (!last[OURS].count && !last[STOCK].count)
			break;
		if (round >= 0)
			note(takes_part(OURS) && takes_part(STOCK));
		/* Only passes count seconds; their figures are many. */
		if (MAX(last[OURS].count, last[STOCK].count) > 4)
			(void) usleep(PAUSE);
	}
	return 0;
}

static struct json_object *summary(samples_t *samples)
{
	static const struct {
		const char *name;
		double part;
	} parts[] = {
		{ "median", 0.5 }, { "min", 0 }, { "p25", 0.25 },
		{ "p75", 0.75 }, { "max", 1 },
	};
	struct json_object *object = json_object_new_object();
	char text[32];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		double value = samples_quantile(samples, parts[i].part);

		snprintf(text, sizeof(text), "%.6g", value);
		json_object_object_add(object, parts[i].name,
				       json_object_new_double_s(value, text));
	}
	json_object_object_add(object, "n",
			       json_object_new_int64((int64_t) samples->count));
	return object;
}

static struct json_object *report(void)
{
	struct json_object *object = json_object_new_object();
	const figures_t *names = last[OURS].count ? &last[OURS] : &last[STOCK];

	for (int i = 0; i < names->count; i++) {
		struct json_object *row = json_object_new_object();

		for (int w = 0; w < SUBJECTS; w++) {
			if (series[w][i].count)
				json_object_object_add(row, subject_names[w],
					summary(&series[w][i]));
			samples_free(&series[w][i]);
		}
		if (ratios[i].count)
			json_object_object_add(row, "ratio",
					       summary(&ratios[i]));
		samples_free(&ratios[i]);
		json_object_object_add(object, names->rows[i].name, row);
	}
	return object;
}

static struct json_object *sizes(void)
{
	struct json_object *object = json_object_new_object();

#define SIZE(name) json_object_object_add(object, #name, \
	json_object_new_int64(options.name))
	SIZE(jobs);
	SIZE(running);
	SIZE(assocs);
	SIZE(depth);
	SIZE(siblings);
	SIZE(tres);
	SIZE(qos);
	SIZE(partitions);
	SIZE(nodes);
	SIZE(window);
	SIZE(unique);
	SIZE(rounds);
	SIZE(calls);
	SIZE(hours);
#undef SIZE
	json_object_object_add(object, "slurm",
			       json_object_new_string(SLURM_VERSION_STRING));
	return object;
}

static void end(void)
{
	int number = QUIT;

	for (int w = 0; w < SUBJECTS; w++) {
		if (!takes_part(w))
			continue;
		if (write(children[w].command, &number, sizeof(number)) !=
		    sizeof(number))
			(void) kill(children[w].pid, SIGKILL);
		(void) waitpid(children[w].pid, NULL, 0);
	}
}

static int bench(int argc, char **argv, char **env)
{
	struct json_object *object = json_object_new_object();
	const char *name;
	int rc = 0;

	(void) env;
	unsetenv("LD_PRELOAD");
	if (!options_read(argc, argv, &options))
		return 2;
	if (!state_create(&options, &state)) {
		fprintf(stderr, "bench: no state\n");
		return 1;
	}
	holds_calibrate();
	json_object_object_add(object, "sizes", sizes());
	for (int w = 0; w < SUBJECTS; w++) {
		if (takes_part(w) && start(w))
			return 1;
	}
	for (int i = 0; !rc && (name = subject_measurement(i)); i++) {
		if (strcmp(options.what, "all") && !strstr(options.what, name))
			continue;
		rc = run(i);
		if (last[OURS].count || last[STOCK].count)
			json_object_object_add(object, name, report());
	}
	end();
	printf("%s\n", json_object_to_json_string_ext(object,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED));
	json_object_put(object);
	return rc ? 1 : 0;
}

/* slurmctld's own main() is never called. */
extern int __libc_start_main(int (*main)(int, char **, char **), int argc,
			     char **argv, void (*init)(void),
			     void (*fini)(void), void (*rtld_fini)(void),
			     void *stack_end);
extern int __libc_start_main(int (*main)(int, char **, char **), int argc,
			     char **argv, void (*init)(void),
			     void (*fini)(void), void (*rtld_fini)(void),
			     void *stack_end)
{
	int (*real)(int (*)(int, char **, char **), int, char **,
		    void (*)(void), void (*)(void), void (*)(void), void *);

	(void) main;
	*(void **) &real = dlsym(RTLD_NEXT, "__libc_start_main");
	return real(bench, argc, argv, init, fini, rtld_fini, stack_end);
}
