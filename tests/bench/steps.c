/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* RTLD_NEXT, pthread_getname_np() */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "holds.h"
#include "steps.h"

#define THREADS 8
#define PATIENCE 60		/* seconds */

typedef struct {
	pthread_t thread;
	sem_t go;
	sem_t done;
	bool watch;
	step_t step;
} stepper_t;

static stepper_t steppers[THREADS];
static atomic_int stepper_count;
static bool stepping;
static __thread stepper_t *me;

static double _clock(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static stepper_t *_enroll(void)
{
	int i = atomic_fetch_add(&stepper_count, 1);
	stepper_t *stepper = &steppers[i];

	if (i >= THREADS)
		_exit(3);
	(void) sem_init(&stepper->go, 0, 0);
	(void) sem_init(&stepper->done, 0, 0);
	stepper->thread = pthread_self();
	return stepper;
}

static void _stand(void)
{
	holds_watch_me(false);
	if (!me)
		me = _enroll();
	else {
		me->step.cpu = _clock(CLOCK_THREAD_CPUTIME_ID) - me->step.cpu;
		me->step.wall = _clock(CLOCK_MONOTONIC) - me->step.wall;
	}
	(void) sem_post(&me->done);
	while (sem_wait(&me->go))
		;
	holds_watch_me(me->watch);
	me->step.wall = _clock(CLOCK_MONOTONIC);
	me->step.cpu = _clock(CLOCK_THREAD_CPUTIME_ID);
}

extern int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock,
				  const struct timespec *until)
{
	static int (*real)(pthread_cond_t *, pthread_mutex_t *,
			   const struct timespec *);

	if (!real)
		*(void **) &real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
	if (!stepping)
		return real(cond, lock, until);
	pthread_mutex_unlock(lock);
	_stand();
	pthread_mutex_lock(lock);
	return ETIMEDOUT;
}

extern void steps_begin(void)
{
	stepping = true;
}

static stepper_t *_find(const char *name)
{
	char is[16];

	/* Who made it names it, a moment later. */
	for (int i = 0; i < stepper_count; i++) {
		if (steppers[i].thread &&
		    !pthread_getname_np(steppers[i].thread, is, sizeof(is)) &&
		    !strcmp(is, name))
			return &steppers[i];
	}
	return NULL;
}

extern bool steps_wait(const char *name)
{
	stepper_t *stepper = NULL;

	for (int i = 0; (i < PATIENCE * 1000) && !(stepper = _find(name)); i++)
		(void) usleep(1000);
	if (!stepper)
		return false;
	while (sem_wait(&stepper->done))
		;
	return true;
}

extern bool steps_run(const char *name, bool watch, step_t *step)
{
	stepper_t *stepper = _find(name);

	if (!stepper)
		return false;
	stepper->watch = watch;
	(void) sem_post(&stepper->go);
	while (sem_wait(&stepper->done))
		;
	*step = stepper->step;
	return true;
}
