/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* RTLD_NEXT, dl_iterate_phdr() */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "src/slurm_compat/compat.h"

#include "holds.h"

/* Locks that one thread holds at a time, at most. */
#define DEPTH 32

typedef struct {
	const void *lock;
	hold_kind_t kind;
	double since;
	double since_cpu;
} held_t;

static int (*real_rdlock)(pthread_rwlock_t *);
static int (*real_wrlock)(pthread_rwlock_t *);
static int (*real_rwunlock)(pthread_rwlock_t *);
static int (*real_lock)(pthread_mutex_t *);
static int (*real_unlock)(pthread_mutex_t *);

static const void *job_lock, *assoc_lock;
static const void *calibrated;
static const char *plugin_begin, *plugin_end;
static hold_t holds[HOLD_KINDS];
static void (*between)(void);

static __thread bool watched;
static __thread held_t held[DEPTH];
static __thread int depth;

static void *_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void _resolve(void)
{
	*(void **) &real_rdlock = _next("pthread_rwlock_rdlock");
	*(void **) &real_wrlock = _next("pthread_rwlock_wrlock");
	*(void **) &real_rwunlock = _next("pthread_rwlock_unlock");
	*(void **) &real_lock = _next("pthread_mutex_lock");
	*(void **) &real_unlock = _next("pthread_mutex_unlock");
}

static double _clock(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void _took(const void *lock, hold_kind_t kind)
{
	if (depth == DEPTH)
		return;
	held[depth++] = (held_t) {
		.lock = lock,
		.kind = kind,
		.since = _clock(CLOCK_MONOTONIC),
		.since_cpu = _clock(CLOCK_THREAD_CPUTIME_ID),
	};
}

static void _gives(const void *lock)
{
	double wall, cpu;
	hold_t *hold;
	int i = depth - 1;

	while ((i >= 0) && (held[i].lock != lock))
		i--;
	if (i < 0)
		return;
	wall = _clock(CLOCK_MONOTONIC) - held[i].since;
	cpu = _clock(CLOCK_THREAD_CPUTIME_ID) - held[i].since_cpu;
	hold = &holds[held[i].kind];
	hold->total += wall;
	hold->total_cpu += cpu;
	hold->longest = MAX(hold->longest, wall);
	hold->longest_cpu = MAX(hold->longest_cpu, cpu);
	hold->count++;
	depth--;
	memmove(&held[i], &held[i + 1], (depth - i) * sizeof(held[0]));
}

static void _took_rwlock(const void *lock, bool write)
{
	if (lock == job_lock)
		_took(lock, write ? HOLD_JOB_WRITE : HOLD_JOB_READ);
	else if (lock == assoc_lock)
		_took(lock, write ? HOLD_ASSOC_WRITE : HOLD_ASSOC_READ);
}

extern int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	int rc = real_rdlock(lock);

	if (watched)
		_took_rwlock(lock, false);
	return rc;
}

extern int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	int rc = real_wrlock(lock);

	calibrated = lock;
	if (watched)
		_took_rwlock(lock, true);
	return rc;
}

/* What it does itself is not watched. */
static void _between(void)
{
	watched = false;
	between();
	watched = true;
}

extern int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	int rc;

	if (watched)
		_gives(lock);
	rc = real_rwunlock(lock);
	if (watched && between && (lock == job_lock))
		_between();
	return rc;
}

static bool _is_own(const void *lock)
{
	return ((const char *) lock >= plugin_begin) &&
	       ((const char *) lock < plugin_end);
}

extern int pthread_mutex_lock(pthread_mutex_t *lock)
{
	int rc = real_lock(lock);

	if (watched && _is_own(lock))
		_took(lock, HOLD_OWN);
	return rc;
}

extern int pthread_mutex_unlock(pthread_mutex_t *lock)
{
	if (watched && _is_own(lock))
		_gives(lock);
	return real_unlock(lock);
}

extern void holds_calibrate(void)
{
	slurmctld_lock_t job = { .job = WRITE_LOCK };
	assoc_mgr_lock_t assoc = { .assoc = WRITE_LOCK };

	lock_slurmctld(job);
	job_lock = calibrated;
	unlock_slurmctld(job);
	assoc_mgr_lock(&assoc);
	assoc_lock = calibrated;
	assoc_mgr_unlock(&assoc);
}

static int _find_plugin(struct dl_phdr_info *info, size_t size, void *name)
{
	(void) size;
	if (!strstr(info->dlpi_name, name))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if ((part->p_type != PT_LOAD) || !(part->p_flags & PF_W))
			continue;
		plugin_begin = (const char *) info->dlpi_addr + part->p_vaddr;
		plugin_end = plugin_begin + part->p_memsz;
	}
	return 1;
}

extern void holds_watch_plugin(const char *name)
{
	(void) dl_iterate_phdr(_find_plugin, (void *) name);
}

extern void holds_watch_me(bool on)
{
	watched = on;
	depth = 0;
}

extern void holds_between(void (*act)(void))
{
	between = act;
}

extern void holds_clear(void)
{
	memset(holds, 0, sizeof(holds));
}

extern void holds_get(hold_t *copy)
{
	memcpy(copy, holds, sizeof(holds));
}

extern const char *holds_name(hold_kind_t kind)
{
	static const char *const names[HOLD_KINDS] = {
		"job_write", "job_read", "assoc_write", "assoc_read",
		"own_mutex",
	};

	return names[kind];
}
