/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* asprintf() */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster.h"
#include "file.h"

/* A pipe or device is written to, never replaced: /dev/stdout has to stay. */
static bool _is_special(const char *name)
{
	struct stat status;

	return !stat(name, &status) && !S_ISREG(status.st_mode);
}

extern int file_open(file_t *file, const char *name)
{
	int descriptor;

	memset(file, 0, sizeof(*file));
	if (!name || !strcmp(name, "-")) {
		file->stream = stdout;
		return 0;
	}
	file->name = name;
	if (_is_special(name)) {
		file->stream = fopen(name, "w");
		if (!file->stream)
			cluster_fail("cannot write %s: %s", name,
				     strerror(errno));
		return file->stream ? 0 : -1;
	}
	if (asprintf(&file->fresh, "%s.XXXXXX", name) < 0)
		file->fresh = NULL;
	descriptor = file->fresh ? mkstemp(file->fresh) : -1;
	file->stream = (descriptor >= 0) ? fdopen(descriptor, "w") : NULL;
	if (file->stream)
		return 0;
	cluster_fail("cannot write %s: %s", name, strerror(errno));
	if (descriptor >= 0) {
		close(descriptor);
		unlink(file->fresh);
	}
	free(file->fresh);
	return -1;
}

extern int file_close(file_t *file)
{
	mode_t mask = umask(0);
	int rc = ferror(file->stream) | fflush(file->stream);

	umask(mask);
	if (!file->name)
		return rc ? -1 : 0;
	/* Readable as any new file, not as mkstemp() leaves it. */
	if (file->fresh) {
		rc |= fchmod(fileno(file->stream), 0666 & ~mask);
		rc |= fsync(fileno(file->stream));
	}
	rc |= fclose(file->stream);
	if (!rc && file->fresh)
		rc = rename(file->fresh, file->name);
	if (rc)
		cluster_fail("cannot write %s: %s", file->name,
			     strerror(errno));
	if (rc && file->fresh)
		unlink(file->fresh);
	free(file->fresh);
	return rc ? -1 : 0;
}

extern void file_abandon(file_t *file)
{
	if (!file->name)
		return;
	fclose(file->stream);
	if (file->fresh)
		unlink(file->fresh);
	free(file->fresh);
}
