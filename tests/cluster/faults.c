/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults - preloaded into slurmctld: a clock that can be set and a disk that
 * fails, at the word of a test.
 *
 * SB_FAULTS names a file of 64 bytes, mapped, that the test writes in place:
 * 0..19 seconds that the clock is ahead, decimal; 20..39 what befalls the next
 * write of a file below SB_FAULTS_DIR whose name begins with the text of
 * 40..63 (empty: any):
 *
 *	full		ENOSPC at every write
 *	readonly	EROFS at every open
 *	die-write	kill -9 in the middle of the write
 *	die-fsync	kill -9 before fsync
 *	die-link	kill -9 before the old file is kept
 *	die-rename	kill -9 before the rename
 *	die-renamed	kill -9 behind it
 *
 * A wait for an instant of the wall clock waits until this clock is there, as
 * with Linux when somebody sets the clock, and unlike with libfaketime.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define OFFSET_AT 0
#define FAULT_AT 20
#define NAME_AT 40
#define CONTROL_SIZE 64
#define FD_MAX 4096
/* How often a waiting thread looks at the clock, nanoseconds. */
#define SLICE 50000000L
#define SECOND 1000000000L
/* An instant below this, seconds, is one of the monotonic clock. */
#define BOOT_MAX 1000000000L

static const char *control;
static const char *directory;
static bool watched[FD_MAX];	/* file descriptors of our directory */

#define REAL(name, ...) \
	static __typeof__(&name) real; \
	if (!real) \
		*(void **) &real = dlsym(RTLD_NEXT, #name)

__attribute__((constructor))
static void start(void)
{
	const char *path = getenv("SB_FAULTS");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *map;

	directory = getenv("SB_FAULTS_DIR");
	if (fd < 0)
		return;
	map = mmap(NULL, CONTROL_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (map != MAP_FAILED)
		control = map;
	(void) close(fd);
}

static time_t offset(void)
{
	return control ? atol(control + OFFSET_AT) : 0;
}

static bool is_fault(const char *word)
{
	size_t size = strlen(word);

	return control && !strncmp(control + FAULT_AT, word, size) &&
	       control[FAULT_AT + size] == ' ';
}

static bool is_watched(const char *path)
{
	size_t size = directory ? strlen(directory) : 0;
	const char *name = control ? control + NAME_AT : NULL;

	if (!size || !name || strncmp(path, directory, size) ||
	    path[size] != '/')
		return false;
	return !strncmp(path + size + 1, name, strcspn(name, " "));
}

static void die(void)
{
	(void) kill(getpid(), SIGKILL);
	for (;;)
		(void) pause();
}

extern int clock_gettime(clockid_t clock, struct timespec *at)
{
	REAL(clock_gettime);
	int rc = real(clock, at);

	/* Slurm 24.11 to 25.11 look at CLOCK_TAI, which is set with them. */
	if (!rc && (clock == CLOCK_REALTIME ||
		    clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI))
		at->tv_sec += offset();
	return rc;
}

extern time_t time(time_t *at)
{
	struct timespec now;

	/* As the kernel's, it lags behind the clock. */
	(void) clock_gettime(CLOCK_REALTIME_COARSE, &now);
	if (at)
		*at = now.tv_sec;
	return now.tv_sec;
}

extern int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
	struct timespec now;

	(void) zone;
	(void) clock_gettime(CLOCK_REALTIME, &now);
	at->tv_sec = now.tv_sec;
	at->tv_usec = now.tv_nsec / 1000;
	return 0;
}

/* Nanoseconds until this clock shows `at`. */
static long left(const struct timespec *at)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_REALTIME, &now);
	if (at->tv_sec - now.tv_sec > 1000000)
		return 1000000 * SECOND;
	return (at->tv_sec - now.tv_sec) * SECOND + at->tv_nsec - now.tv_nsec;
}

extern int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *at)
{
	REAL(pthread_cond_timedwait);
	struct timespec until;
	long rest;
	int rc;

	if (at->tv_sec < BOOT_MAX)
		return real(cond, mutex, at);
	while ((rest = left(at)) > 0) {
		(void) clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec -= offset();
		until.tv_nsec += rest < SLICE ? rest : SLICE;
		until.tv_sec += until.tv_nsec / SECOND;
		until.tv_nsec %= SECOND;
		rc = real(cond, mutex, &until);
		if (rc != ETIMEDOUT)
			return rc;
	}
	return ETIMEDOUT;
}

static int opened(int fd, const char *path, int flags)
{
	if (fd >= 0 && fd < FD_MAX)
		watched[fd] = (flags & O_ACCMODE) != O_RDONLY &&
			      is_watched(path);
	return fd;
}

static bool is_refused(const char *path, int flags)
{
	if ((flags & O_ACCMODE) == O_RDONLY || !is_fault("readonly") ||
	    !is_watched(path))
		return false;
	errno = EROFS;
	return true;
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & O_CREAT ? va_arg(args, mode_t) : 0;
}

#define OPEN(name) \
extern int name(const char *path, int flags, ...) \
{ \
	REAL(name); \
	mode_t mode; \
	va_list args; \
	va_start(args, flags); \
	mode = mode_of(flags, args); \
	va_end(args); \
	if (is_refused(path, flags)) \
		return -1; \
	return opened(real(path, flags, mode), path, flags); \
}

OPEN(open)
OPEN(open64)

extern int creat(const char *path, mode_t mode)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

extern int creat64(const char *path, mode_t mode)
{
	return open64(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

static bool is_watched_fd(int fd)
{
	return fd >= 0 && fd < FD_MAX && watched[fd];
}

extern ssize_t write(int fd, const void *data, size_t size)
{
	REAL(write);

	if (is_watched_fd(fd) && is_fault("full")) {
		errno = ENOSPC;
		return -1;
	}
	if (is_watched_fd(fd) && is_fault("die-write")) {
		(void) real(fd, data, size / 2);
		die();
	}
	return real(fd, data, size);
}

extern int fsync(int fd)
{
	REAL(fsync);

	if (is_watched_fd(fd) && is_fault("die-fsync"))
		die();
	return real(fd);
}

extern int close(int fd)
{
	REAL(close);

	if (fd >= 0 && fd < FD_MAX)
		watched[fd] = false;
	return real(fd);
}

extern int link(const char *from, const char *to)
{
	REAL(link);

	if (is_fault("die-link") && is_watched(from))
		die();
	return real(from, to);
}

extern int rename(const char *from, const char *to)
{
	REAL(rename);
	bool here = is_watched(from);
	int rc;

	if (here && is_fault("die-rename"))
		die();
	rc = real(from, to);
	if (here && is_fault("die-renamed"))
		die();
	return rc;
}
