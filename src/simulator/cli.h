/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cli - the command line of sbudget-sim.
 */
#ifndef SB_SIM_CLI_H
#define SB_SIM_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes, as those of sbudget(1). */
#define EXIT_OK 0
#define EXIT_ERROR 1
#define EXIT_USAGE 2

/* Most variants of --compare, and --sweep options. */
#define CLI_VARIANTS_MAX 64
#define CLI_SWEEPS_MAX 4
/* Most reservations: those of keep.h. */
#define CLI_RESERVATIONS_MAX 64
/* Most seeds, and worker processes. */
#define CLI_SEEDS_MAX 1000
#define CLI_WORKERS_MAX 256

typedef enum { CLI_NONE, CLI_SACCT, CLI_SWF, CLI_TRACE,
	       CLI_GENERATE } cli_source_t;

/* Texts point into argv. */
typedef struct {
	cli_source_t source;
	const char *input;	/* file, "-", or SPEC */
	const char *nodes;	/* NULL: for --generate 8 GPUs a node */
	const char *plan;
	const char *policy, *set, *sched;
	const char *model;
	const char *until;
	const char *zone;
	const char *html;
	const char *journal;	/* file of --attempts, or NULL */
	const char *variants[CLI_VARIANTS_MAX];
	size_t variant_count;
	const char *sweeps[CLI_SWEEPS_MAX];
	size_t sweep_count;
	const char *reservations[CLI_RESERVATIONS_MAX];
	size_t reservation_count;
	uint64_t seed;
	uint32_t seeds;
	uint32_t workers;	/* 0: as many as there are CPUs */
	bool json, csv, attempts, lenient, progress, longer;
} cli_t;

typedef enum { CLI_RUN, CLI_DONE, CLI_BAD } cli_next_t;

/* Help and mistakes have been answered when it is not CLI_RUN. */
extern cli_next_t cli_parse(cli_t *cli, int argc, char **argv);

/* "sbudget-sim: error: ..." on stderr. RET: EXIT_ERROR; EXIT_USAGE, after a
 * hint where help is. */
extern int cli_fail(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));
extern int cli_complain(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
