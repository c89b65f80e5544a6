/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "save.h"

extern int save_put(void *arg, const char *text, size_t len)
{
	save_t *save = arg;

	if (fwrite(text, 1, len, save->file) == len)
		return 0;
	if (!save->error)
		save->error = errno;
	return -1;
}

/* /dev/null has to stay. */
static bool is_special(const char *name)
{
	struct stat status;

	return !stat(name, &status) && !S_ISREG(status.st_mode);
}

static int save_stdout(int (*make)(void *, save_t *, sb_err_t *), void *arg,
		       sb_err_t *err)
{
	save_t save = { .file = stdout };
	int rc = make(arg, &save, err);

	return save.error ? sb_err_set(err, "cannot write: %s",
				       strerror(save.error)) : rc;
}

/* RET: 0, or -1 with err. The file is closed. */
static int save_file(save_t *save, const char *name,
		     int (*make)(void *, save_t *, sb_err_t *), void *arg,
		     sb_err_t *err)
{
	int rc = make(arg, save, err);

	if (fclose(save->file) && !save->error)
		save->error = errno;
	return save->error ? sb_err_set(err, "%s: %s", name,
					strerror(save->error)) : rc;
}

extern int save_page(const char *name,
		     int (*make)(void *arg, save_t *save, sb_err_t *err),
		     void *arg, sb_err_t *err)
{
	size_t size = strlen(name) + sizeof(".new");
	bool special = is_special(name);
	save_t save = { .file = NULL };
	char *fresh;
	int rc;

	if (!strcmp(name, "-"))
		return save_stdout(make, arg, err);
	fresh = malloc(size);
	if (fresh) {
		snprintf(fresh, size, "%s%s", name, special ? "" : ".new");
		save.file = fopen(fresh, "w");
	}
	if (!save.file) {
		rc = sb_err_set(err, "%s: %s", name, strerror(errno));
		free(fresh);
		return rc;
	}
	rc = save_file(&save, name, make, arg, err);
	if (!rc && !special && rename(fresh, name))
		rc = sb_err_set(err, "%s: %s", name, strerror(errno));
	if (rc && !special)
		unlink(fresh);
	free(fresh);
	return rc;
}
