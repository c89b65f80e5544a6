/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/slurm_compat/host.h"

#include "statefile.h"

/* More than any state of ours can be. */
#define STATEFILE_MAX (1U << 30)
/* A disk that spoils every state must not fill up with them. */
#define BAD_MAX 9

static char *_path(const char *name, const char *suffix)
{
	return xstrdup_printf("%s/%s%s", host_get().state_dir, name,
			      suffix);
}

static int _write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t done = write(fd, data, size);

		if ((done < 0) && (errno == EINTR))
			continue;
		if (done <= 0)
			return -1;
		data += done;
		size -= done;
	}
	return fsync(fd);
}

static int _write_new(const char *path, const void *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int rc;

	if (fd < 0)
		return -1;
	rc = _write_all(fd, data, size);
	if (close(fd) < 0)
		rc = -1;
	return rc;
}

/* Make the renames last. */
static void _sync_directory(void)
{
	int fd = open(host_get().state_dir,
		      O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void) fsync(fd);
	(void) close(fd);
}

static int _replace(const char *new_path, const char *path,
		    const char *old_path)
{
	/* There may be none but the old one, which is then worth keeping. */
	if (link(path, old_path) && (errno == EEXIST)) {
		(void) unlink(old_path);
		(void) link(path, old_path);
	}
	return rename(new_path, path);
}

extern int statefile_write(statefile_t *file, const void *data, size_t size)
{
	char *path = _path(file->name, "");
	char *old_path = _path(file->name, ".old");
	char *new_path = _path(file->name, ".new");
	int rc = SLURM_ERROR;

	lock_state_files();
	if (!_write_new(new_path, data, size) &&
	    !_replace(new_path, path, old_path)) {
		_sync_directory();
		file->in_trouble = false;
		rc = SLURM_SUCCESS;
	} else if (!file->in_trouble) {
		error("priority/budget: cannot write %s: %m; %s", path,
		      file->loss);
		file->in_trouble = true;
	}
	if (rc != SLURM_SUCCESS)
		(void) unlink(new_path);
	unlock_state_files();
	xfree(path);
	xfree(old_path);
	xfree(new_path);
	return rc;
}

static int _read_all(int fd, char *data, size_t size)
{
	while (size) {
		ssize_t done = read(fd, data, size);

		if ((done < 0) && (errno == EINTR))
			continue;
		if (done <= 0)
			return -1;
		data += done;
		size -= done;
	}
	return 0;
}

extern int statefile_read(const char *name, char **data, uint32_t *size)
{
	char *path = _path(name, "");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	int rc = SLURM_ERROR;

	xfree(path);
	*data = NULL;
	if (fd < 0)
		return SLURM_ERROR;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) &&
	    (info.st_size <= STATEFILE_MAX)) {
		*size = info.st_size;
		*data = xmalloc(info.st_size + 1);
		if (!_read_all(fd, *data, *size))
			rc = SLURM_SUCCESS;
	} else
		errno = EINVAL;
	if (rc != SLURM_SUCCESS)
		xfree(*data);
	(void) close(fd);
	return rc;
}

/* RET: it has another name now, which was not taken. */
static bool _move(const char *path, const char *to)
{
	if (link(path, to))
		return false;
	(void) unlink(path);
	return true;
}

extern void statefile_set_aside(const char *name)
{
	char *path = _path(name, ""), *bad_path = NULL;
	bool moved = false;

	lock_state_files();
	for (int i = 1; !moved && (i <= BAD_MAX); i++) {
		xfree(bad_path);
		bad_path = (i == 1) ? _path(name, ".bad") :
			xstrdup_printf("%s.bad.%d", path, i);
		moved = _move(path, bad_path);
		if (!moved && (errno != EEXIST))
			break;
	}
	if (moved)
		info("priority/budget: it is kept as %s", bad_path);
	else
		error("priority/budget: cannot keep %s: %m; it will be overwritten",
		      path);
	unlock_state_files();
	xfree(path);
	xfree(bad_path);
}
