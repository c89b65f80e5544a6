/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay - a target's corpus without libFuzzer: every file of the directories
 * that are named, else of corpus/NAME below $srcdir, and each file cut short.
 */
#include <dirent.h>
#include <limits.h>

#include "fuzz.h"

/* More than any file of a corpus. */
#define INPUT_MAX (1 << 20)

static uint8_t input[INPUT_MAX];

static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file) {
		perror(path);
		return -1;
	}
	size = fread(input, 1, sizeof(input), file);
	fclose(file);
	(void) LLVMFuzzerTestOneInput(input, size);
	for (size_t cut = size; cut > 0; cut = cut * 7 / 8)
		(void) LLVMFuzzerTestOneInput(input, cut);
	return 0;
}

static int replay(const char *directory)
{
	DIR *list = opendir(directory);
	struct dirent *entry;
	char path[PATH_MAX];
	int count = 0, rc = 0;

	if (!list) {
		perror(directory);
		return -1;
	}
	while ((entry = readdir(list))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory,
			 entry->d_name);
		rc |= replay_file(path);
		count++;
	}
	closedir(list);
	printf("%s: %d inputs\n", directory, count);
	return rc || !count;
}

extern int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/'), *srcdir = getenv("srcdir");
	char path[PATH_MAX];
	int rc = 0;

	for (int i = 1; i < argc; i++)
		rc |= replay(argv[i]);
	if (argc > 1)
		return rc != 0;
	name = strstr(name ? name : argv[0], "fuzz_");
	snprintf(path, sizeof(path), "%s/corpus/%s", srcdir ? srcdir : ".",
		 name ? name + strlen("fuzz_") : "");
	return replay(path) != 0;
}
