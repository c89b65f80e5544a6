/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sb_config.h"

#include "options.h"

enum {
	OPT_AT = 256, OPT_CSV, OPT_EXPECT, OPT_FROM, OPT_HELP, OPT_HTML,
	OPT_JSON, OPT_NO_USAGE, OPT_OFFLINE, OPT_OUTPUT, OPT_SHEET, OPT_TO,
	OPT_USAGE, OPT_YES
};

static const struct option words[] = {
	{ "account", required_argument, NULL, 'A' },
	{ "accounts", required_argument, NULL, 'A' },
	{ "all", no_argument, NULL, 'a' },
	{ "at", required_argument, NULL, OPT_AT },
	{ "clusters", required_argument, NULL, 'M' },
	{ "cluster", required_argument, NULL, 'M' },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "expect", required_argument, NULL, OPT_EXPECT },
	{ "format", required_argument, NULL, 'o' },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "html", required_argument, NULL, OPT_HTML },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "long", no_argument, NULL, 'l' },
	{ "no-usage", no_argument, NULL, OPT_NO_USAGE },
	{ "noheader", no_argument, NULL, 'h' },
	{ "offline", no_argument, NULL, OPT_OFFLINE },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "parsable", no_argument, NULL, 'p' },
	{ "parsable2", no_argument, NULL, 'P' },
	{ "sheet", required_argument, NULL, OPT_SHEET },
	{ "to", required_argument, NULL, OPT_TO },
	{ "usage", no_argument, NULL, OPT_USAGE },
	{ "user", required_argument, NULL, 'u' },
	{ "users", required_argument, NULL, 'u' },
	{ "version", no_argument, NULL, 'V' },
	{ "yes", no_argument, NULL, OPT_YES },
	{ NULL, 0, NULL, 0 }
};

static const char usage_text[] =
"Usage: sbudget [-ahlnpP] [-A account] [-M cluster] [-o format] [-u user]\n"
"               [--json] [command [argument...]]\n";

static const char try_text[] =
"Try \"sbudget --help\" for more information\n";

static const char help_text[] =
"Commands:\n"
"  show [ACCOUNT]           budgets, usage and who is served next (default)\n"
"  jobs [JOBID...]          what protects running jobs, and who waits\n"
"  why JOBID                why a job waits, runs or was preempted\n"
"  plan check FILE          is this plan of budgets valid?\n"
"  plan diff FILE           what would it change?\n"
"  plan apply FILE          set it in slurmdbd, all or nothing\n"
"  plan export              write the present budgets as a plan\n"
"  report                   what was delivered of what was owed\n"
"  metrics                  figures for a monitoring system\n"
"\n"
"Options:\n"
"  -a, --all                users too, not accounts alone\n"
"  -A, --account=LIST       only these accounts\n"
"      --at=DATE            plan: as of this date (YYYY-MM-DD[THH:MM[:SS]])\n"
"      --csv                report: one sheet, teams or that of --sheet\n"
"      --expect=TREE        plan apply: only if the tree is still this one\n"
"      --from=DATE          report: from then on; 30 days before --to\n"
"  -h, -n, --noheader       no header\n"
"      --html=FILE          report: a page with charts\n"
"      --json               JSON\n"
"  -l, --long               more columns\n"
"  -M, --clusters=NAME      another cluster\n"
"  -o, --format=LIST        columns, as NAME[%[-]WIDTH]; \"help\" lists them\n"
"      --no-usage           report: not how busy GPUs were, which takes longest\n"
"      --offline            plan check: without a cluster\n"
"      --output=FILE        plan export, metrics: write there, at once\n"
"  -p, --parsable           '|' behind each field\n"
"  -P, --parsable2          '|' between fields\n"
"      --sheet=LIST         report: only these tables\n"
"      --to=DATE            report: until then; the last full hour\n"
"  -u, --user=LIST          only these users\n"
"  -V, --version            version\n"
"      --yes                plan apply: do not ask\n"
"      --help, --usage      this text, or its first lines\n"
"\n"
"Exit status: 0 done, 1 error, 2 wrong usage.  See sbudget(1).\n";

extern int options_complain(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "sbudget: error: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\n%s", try_text);
	return EXIT_USAGE;
}

static options_next_t _tell(bool all)
{
	fputs(usage_text, stdout);
	if (all)
		printf("\n%s", help_text);
	return OPTIONS_DONE;
}

/* RET: the field that an option without a word sets, or NULL. */
static bool *_flag(options_t *opts, int option)
{
	switch (option) {
	case 'a':
		return &opts->all;
	case 'h':
	case 'n':
		return &opts->noheader;
	case 'l':
		return &opts->longer;
	case 'p':
		return &opts->parsable;
	case 'P':
		return &opts->parsable2;
	case OPT_CSV:
		return &opts->csv;
	case OPT_JSON:
		return &opts->json;
	case OPT_NO_USAGE:
		return &opts->no_usage;
	case OPT_OFFLINE:
		return &opts->offline;
	case OPT_YES:
		return &opts->yes;
	}
	return NULL;
}

/* The same for one with a word. */
static const char **_word(options_t *opts, int option)
{
	switch (option) {
	case 'A':
		return &opts->account;
	case 'M':
		return &opts->clusters;
	case 'o':
		return &opts->format;
	case 'u':
		return &opts->user;
	case OPT_AT:
		return &opts->at;
	case OPT_EXPECT:
		return &opts->expect;
	case OPT_FROM:
		return &opts->from;
	case OPT_HTML:
		return &opts->html;
	case OPT_OUTPUT:
		return &opts->output;
	case OPT_SHEET:
		return &opts->sheet;
	case OPT_TO:
		return &opts->to;
	}
	return NULL;
}

/* RET: false: no option of ours, as getopt_long() has said. */
static bool _set(options_t *opts, int option, const char *argument)
{
	bool *flag = _flag(opts, option);
	const char **word = _word(opts, option);

	if (flag)
		*flag = true;
	else if (word)
		*word = argument;
	return flag || word;
}

extern options_next_t options_parse(options_t *opts, int argc, char **argv)
{
	int option;

	memset(opts, 0, sizeof(*opts));
	while ((option = getopt_long(argc, argv, "aA:hlM:no:pPu:V", words,
				     NULL)) >= 0) {
		switch (option) {
		case OPT_HELP:
		case OPT_USAGE:
			return _tell(option == OPT_HELP);
		case 'V':
			printf("sbudget %s\n", PACKAGE_VERSION);
			return OPTIONS_DONE;
		}
		if (!_set(opts, option, optarg)) {
			fputs(try_text, stderr);
			return OPTIONS_BAD;
		}
	}
	opts->argc = argc - optind;
	opts->argv = argv + optind;
	return OPTIONS_RUN;
}

extern bool options_pretty(const options_t *opts)
{
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !opts->json && !opts->parsable &&
	       !opts->parsable2 && !getenv("NO_COLOR") && terminal &&
	       strcmp(terminal, "dumb");
}
