/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static const struct {
	const char *name;
	size_t offset;
	long least;
	long most;
} numbers[] = {
	{ "jobs", offsetof(options_t, jobs), 1, 2000000 },
	{ "running", offsetof(options_t, running), 0, 1000000 },
	{ "assocs", offsetof(options_t, assocs), 3, 1000000 },
	{ "depth", offsetof(options_t, depth), 2, 15 },
	{ "siblings", offsetof(options_t, siblings), 0, 1000000 },
	{ "tres", offsetof(options_t, tres), 5, 64 },
	{ "qos", offsetof(options_t, qos), 1, 32 },
	{ "partitions", offsetof(options_t, partitions), 1, 32 },
	{ "nodes", offsetof(options_t, nodes), 1, 100000 },
	{ "window", offsetof(options_t, window), 60, 366L * 86400 },
	{ "unique", offsetof(options_t, unique), 0, 100 },
	{ "rounds", offsetof(options_t, rounds), 1, 10000 },
	{ "calls", offsetof(options_t, calls), 1, 1000000000 },
	{ "hours", offsetof(options_t, hours), 0, 8784 },
};

static const struct {
	const char *name;
	size_t offset;
} texts[] = {
	{ "only", offsetof(options_t, only) },
	{ "what", offsetof(options_t, what) },
	{ "plugins", offsetof(options_t, plugins) },
	{ "dir", offsetof(options_t, dir) },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool set_number(options_t *options, size_t i, const char *value)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (*end || (end == value) || (number < numbers[i].least) ||
	    (number > numbers[i].most)) {
		fprintf(stderr, "bench: %s=%s; allowed: %ld to %ld\n",
			numbers[i].name, value, numbers[i].least,
			numbers[i].most);
		return false;
	}
	*(long *) ((char *) options + numbers[i].offset) = number;
	return true;
}

static bool is_name(const char *word, const char *name, const char **value)
{
	size_t length = strlen(name);

	if (strncmp(word, name, length) || (word[length] != '='))
		return false;
	*value = word + length + 1;
	return true;
}

static bool read_word(const char *word, options_t *options)
{
	const char *value;

	for (size_t i = 0; i < COUNT(numbers); i++) {
		if (is_name(word, numbers[i].name, &value))
			return set_number(options, i, value);
	}
	for (size_t i = 0; i < COUNT(texts); i++) {
		if (is_name(word, texts[i].name, &value)) {
			*(const char **) ((char *) options +
					  texts[i].offset) = value;
			return true;
		}
	}
	fprintf(stderr, "bench: unknown word %s\n", word);
	return false;
}

extern bool options_read(int argc, char **argv, options_t *options)
{
	*options = (options_t) {
		.jobs = 100000, .running = 20000, .assocs = 10000, .depth = 4,
		.tres = 7, .qos = 4, .partitions = 2, .nodes = 1000,
		.window = 7 * 86400, .unique = 25, .rounds = 11,
		.calls = 2000000, .what = "all",
	};
	for (int i = 1; i < argc; i++) {
		if (!read_word(argv[i], options))
			return false;
	}
	if (options->plugins && options->dir)
		return true;
	fprintf(stderr, "bench: plugins= and dir= are needed\n");
	return false;
}
