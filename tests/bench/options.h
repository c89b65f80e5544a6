/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options - sizes of the synthetic state and what is measured, as words
 * name=value.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>

typedef struct {
	long jobs;		/* that wait */
	long running;
	long assocs;		/* with accounts and root */
	long depth;		/* levels below root, the users' one included */
	long siblings;		/* per account; 0: as assocs and depth want */
	long tres;		/* tracked ones, billing and the usual included */
	long qos;
	long partitions;
	long nodes;
	long window;		/* seconds */
	long unique;		/* per cent of jobs whose comment nobody else
				 * has */
	long rounds;		/* alternating runs */
	long calls;		/* of preemptable() and the like per round */
	long hours;		/* of history for seeding; 0: none */
	const char *only;	/* "stock" or "ours"; NULL: both */
	const char *what;	/* "all", or one measurement */
	const char *plugins;	/* PluginDir, ours first */
	const char *dir;	/* scratch directory */
} options_t;

/* RET: true, or false after a message. */
extern bool options_read(int argc, char **argv, options_t *options);

#endif
