/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holds - how long locks are held: pthread's lock functions, watched.
 *
 * This library is preloaded, so that slurmctld, libslurmfull and the plugins
 * all lock through it. What is watched: slurmctld's job lock, assoc_mgr's
 * association lock, and mutexes that live in a plugin of the given name.
 */
#ifndef BENCH_HOLDS_H
#define BENCH_HOLDS_H

#include <stdbool.h>

typedef enum {
	HOLD_JOB_WRITE,
	HOLD_JOB_READ,
	HOLD_ASSOC_WRITE,
	HOLD_ASSOC_READ,
	HOLD_OWN,		/* a mutex of the plugin */
	HOLD_KINDS
} hold_kind_t;

/* Milliseconds, of wall time and of the holder's CPU time: on a busy machine
 * the one contains the time that others had the CPU. */
typedef struct {
	double total;
	double total_cpu;
	double longest;
	double longest_cpu;
	double count;
} hold_t;

/* Find out where slurmctld's locks are. Before anything is watched. */
extern void holds_calibrate(void);

/* The plugin whose mutexes are watched too: part of its file's name. */
extern void holds_watch_plugin(const char *name);

/* Only threads that asked are watched. */
extern void holds_watch_me(bool on);

/* Called whenever a watched thread has given the job lock up; NULL: nothing. */
extern void holds_between(void (*act)(void));

extern void holds_clear(void);
/* IN holds: HOLD_KINDS of them. */
extern void holds_get(hold_t *holds);

extern const char *holds_name(hold_kind_t kind);

#endif
