/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options - the command line, with Slurm's manners.
 */
#ifndef SB_OPTIONS_H
#define SB_OPTIONS_H

#include <stdbool.h>

/* Exit codes, as sbudget(1) promises. */
#define EXIT_OK 0
#define EXIT_ERROR 1
#define EXIT_USAGE 2

typedef struct {
	bool all;		/* -a: users too */
	bool noheader;		/* -h, -n */
	bool longer;		/* -l */
	bool parsable;		/* -p: '|' behind each field */
	bool parsable2;		/* -P: and none at the end */
	bool json;
	bool csv;		/* --csv */
	bool yes;		/* apply without asking */
	bool offline;		/* check without a cluster */
	bool no_usage;		/* --no-usage */
	const char *format;	/* -o */
	const char *clusters;	/* -M */
	const char *account;	/* -A */
	const char *user;	/* -u */
	const char *at;		/* --at DATE */
	const char *expect;	/* --expect FINGERPRINT */
	const char *output;	/* --output FILE */
	const char *from, *to;	/* --from DATE, --to DATE */
	const char *html;	/* --html FILE */
	const char *sheet;	/* --sheet LIST */
	int argc;		/* what follows the options: command, ... */
	char **argv;
} options_t;

/* What there is to do after parsing. */
typedef enum {
	OPTIONS_RUN,
	OPTIONS_DONE,		/* --help and the like have been answered */
	OPTIONS_BAD		/* and it has been said why */
} options_next_t;

/* Fills in opts; texts point into argv, which is permuted. */
extern options_next_t options_parse(options_t *opts, int argc, char **argv);

/* RET: output is for a person at a terminal: bars and colours welcome. */
extern bool options_pretty(const options_t *opts);

/* Say on stderr what is wrong with the command line. RET: EXIT_USAGE. */
extern int options_complain(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
