/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sb_config.h"

#include "cli.h"
#include "cell.h"

enum {
	OPT_SACCT = 256, OPT_SWF, OPT_TRACE, OPT_GENERATE, OPT_NODES, OPT_PLAN,
	OPT_POLICY, OPT_SET, OPT_SCHED, OPT_MODEL, OPT_UNTIL, OPT_TZ, OPT_HTML,
	OPT_JSON, OPT_CSV, OPT_ATTEMPTS, OPT_COMPARE, OPT_SWEEP, OPT_SEED,
	OPT_SEEDS, OPT_RESERVATION, OPT_LENIENT, OPT_PROGRESS, OPT_HELP,
	OPT_USAGE
};

static const struct option words[] = {
	{ "sacct", required_argument, NULL, OPT_SACCT },
	{ "swf", required_argument, NULL, OPT_SWF },
	{ "trace", required_argument, NULL, OPT_TRACE },
	{ "generate", required_argument, NULL, OPT_GENERATE },
	{ "nodes", required_argument, NULL, OPT_NODES },
	{ "plan", required_argument, NULL, OPT_PLAN },
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "set", required_argument, NULL, OPT_SET },
	{ "sched", required_argument, NULL, OPT_SCHED },
	{ "model", required_argument, NULL, OPT_MODEL },
	{ "reservation", required_argument, NULL, OPT_RESERVATION },
	{ "until", required_argument, NULL, OPT_UNTIL },
	{ "tz", required_argument, NULL, OPT_TZ },
	{ "html", required_argument, NULL, OPT_HTML },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "attempts", optional_argument, NULL, OPT_ATTEMPTS },
	{ "compare", required_argument, NULL, OPT_COMPARE },
	{ "sweep", required_argument, NULL, OPT_SWEEP },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "seeds", required_argument, NULL, OPT_SEEDS },
	{ "jobs", required_argument, NULL, 'j' },
	{ "lenient", no_argument, NULL, OPT_LENIENT },
	{ "long", no_argument, NULL, 'l' },
	{ "progress", no_argument, NULL, OPT_PROGRESS },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "usage", no_argument, NULL, OPT_USAGE },
	{ NULL, 0, NULL, 0 }
};

static const char usage_text[] =
"Usage: sbudget-sim {--sacct|--swf|--trace} FILE --nodes NODES [options]\n"
"       sbudget-sim --generate SPEC [--nodes NODES] [options]\n";

static const char try_text[] =
"Try \"sbudget-sim --help\" for more information\n";

static const char help_text[] =
"Workload (FILE may be -, and be compressed by gzip):\n"
"      --sacct=FILE         what sacct -P printed, with its header\n"
"      --swf=FILE           Standard Workload Format\n"
"      --trace=FILE         CSV: submit_s,runtime_s,gpus,...\n"
"      --generate=SPEC      made up: month-s1, month-s2, mixed, or WORDS\n"
"      --lenient            leave bad lines out, and count them\n"
"      --tz=ZONE            time zone of sacct's times (default: TZ)\n"
"      --model=LIST         how to fill in what a trace lacks; none: not\n"
"      --plan=FILE          budgets, see budget-plan(5)\n"
"\n"
"Cluster and policy:\n"
"      --nodes=NODES        64x8 or 64x8:h100,16x8:b200@1.5, with CPUs and\n"
"                           memory 64x8:h100:CPUs=128:RealMemory=2T\n"
"      --policy=POLICY      budget (default), multifactor, multifactor-qos,\n"
"                           fifo or priority\n"
"      --set=LIST           PriorityParameters\n"
"      --sched=LIST         SchedulerParameters, and kill_time=30s and such\n"
"      --reservation=LIST   StartTime=TIME,Duration=TIME,NodeCnt=N,Accounts=A\n"
"      --until=TIME         replay so long; end: until all jobs have ended\n"
"\n"
"Several runs, side by side:\n"
"      --compare V...       POLICY, POLICY:LIST or LIST, one column each\n"
"      --sweep=WORD=RANGE   FROM..TO, FROM..TO/COUNT or A,B,C\n"
"      --seed=N             of all that is made up (default 1)\n"
"      --seeds=N            N seeds from there on: mean and standard error\n"
"  -j, --jobs=N             at a time (default: one for each CPU)\n"
"\n"
"Output:\n"
"      --json, --csv        for programs\n"
"      --html=FILE          a page with charts, several runs side by side\n"
"      --attempts[=FILE]    when each job ran, as CSV, of one run; with FILE\n"
"                           there, and the rest as well\n"
"  -l, --long               all tables; in JSON the hours too\n"
"      --progress           how far it is, on stderr, not only at a terminal\n"
"  -V, --version            version\n"
"      --help, --usage      this text, or its first lines\n"
"\n"
"Exit status: 0 done, 1 error, 2 wrong usage.  See sbudget-sim(1).\n";

static void say(const char *fmt, va_list ap)
{
	fprintf(stderr, "sbudget-sim: error: ");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

extern int cli_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	return EXIT_ERROR;
}

extern int cli_complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	fputs(try_text, stderr);
	return EXIT_USAGE;
}

/* RET: 0, or EXIT_USAGE after saying why. */
static int take_source(cli_t *cli, cli_source_t source, const char *input)
{
	if (cli->source)
		return cli_complain("one of --sacct, --swf, --trace and --generate");
	cli->source = source;
	cli->input = input;
	return 0;
}

static int take_number(const char *option, const char *text, int64_t min,
		       int64_t max, int64_t *number)
{
	const char *reason = cell_whole(text, max, number);

	if (!reason && *number >= min)
		return 0;
	return cli_complain("--%s: must be a whole number from %lld to %lld",
			    option, (long long)min, (long long)max);
}

static int add(const char **list, size_t *count, size_t max,
	       const char *option, const char *text)
{
	if (*count == max)
		return cli_complain("--%s: no more than %zu of them", option,
				    max);
	list[(*count)++] = text;
	return 0;
}

/* RET: where the word of an option goes, or NULL. */
static const char **word_of(cli_t *cli, int option)
{
	switch (option) {
	case OPT_NODES:
		return &cli->nodes;
	case OPT_PLAN:
		return &cli->plan;
	case OPT_POLICY:
		return &cli->policy;
	case OPT_SET:
		return &cli->set;
	case OPT_SCHED:
		return &cli->sched;
	case OPT_MODEL:
		return &cli->model;
	case OPT_UNTIL:
		return &cli->until;
	case OPT_TZ:
		return &cli->zone;
	case OPT_HTML:
		return &cli->html;
	}
	return NULL;
}

static bool *flag_of(cli_t *cli, int option)
{
	switch (option) {
	case OPT_JSON:
		return &cli->json;
	case OPT_CSV:
		return &cli->csv;
	case OPT_LENIENT:
		return &cli->lenient;
	case OPT_PROGRESS:
		return &cli->progress;
	case 'l':
		return &cli->longer;
	}
	return NULL;
}

static int take_count(cli_t *cli, int option, const char *text)
{
	int64_t number = 0;

	switch (option) {
	case OPT_SEED:
		if (take_number("seed", text, 0, INT64_MAX - CLI_SEEDS_MAX,
				&number))
			return EXIT_USAGE;
		cli->seed = (uint64_t)number;
		return 0;
	case OPT_SEEDS:
		if (take_number("seeds", text, 1, CLI_SEEDS_MAX, &number))
			return EXIT_USAGE;
		cli->seeds = (uint32_t)number;
		return 0;
	default:
		if (take_number("jobs", text, 1, CLI_WORKERS_MAX, &number))
			return EXIT_USAGE;
		cli->workers = (uint32_t)number;
		return 0;
	}
}

/* RET: 0, or EXIT_USAGE after saying why. */
static int take(cli_t *cli, int option, const char *argument)
{
	const char **word = word_of(cli, option);
	bool *flag = flag_of(cli, option);

	if (word || flag) {
		if (word)
			*word = argument;
		else
			*flag = true;
		return 0;
	}
	switch (option) {
	case OPT_SACCT:
		return take_source(cli, CLI_SACCT, argument);
	case OPT_SWF:
		return take_source(cli, CLI_SWF, argument);
	case OPT_TRACE:
		return take_source(cli, CLI_TRACE, argument);
	case OPT_GENERATE:
		return take_source(cli, CLI_GENERATE, argument);
	case OPT_ATTEMPTS:
		cli->attempts = !argument;
		cli->journal = argument;
		return 0;
	case OPT_COMPARE:
		return add(cli->variants, &cli->variant_count,
			   CLI_VARIANTS_MAX, "compare", argument);
	case OPT_SWEEP:
		return add(cli->sweeps, &cli->sweep_count, CLI_SWEEPS_MAX,
			   "sweep", argument);
	case OPT_RESERVATION:
		return add(cli->reservations, &cli->reservation_count,
			   CLI_RESERVATIONS_MAX, "reservation", argument);
	case OPT_SEED:
	case OPT_SEEDS:
	case 'j':
		return take_count(cli, option, argument);
	}
	fputs(try_text, stderr);
	return EXIT_USAGE;
}

/* Options one by one may be right, and not together. */
static int check(const cli_t *cli)
{
	if (!cli->source)
		return cli_complain("no workload: --sacct, --swf, --trace or --generate");
	if (!cli->nodes && cli->source != CLI_GENERATE)
		return cli_complain("--nodes: how many nodes of how many GPUs, as 80x8?");
	if (cli->json + cli->csv + cli->attempts + (cli->html != NULL) > 1)
		return cli_complain("one of --json, --csv, --html and --attempts");
	if ((cli->attempts || cli->journal) &&
	    (cli->variant_count + cli->sweep_count || cli->seeds > 1))
		return cli_complain("--attempts is of one run");
	if (cli->seeds > 1 && !strcmp(cli->input, "-"))
		return cli_complain("--seeds reads its file again and again, not -");
	return 0;
}

/* What follows the options of --compare belongs to it. */
static int take_rest(cli_t *cli, int argc, char **argv)
{
	for (int i = optind; i < argc; i++) {
		if (!cli->variant_count)
			return cli_complain("\"%s\" is no option", argv[i]);
		if (add(cli->variants, &cli->variant_count, CLI_VARIANTS_MAX,
			"compare", argv[i]))
			return EXIT_USAGE;
	}
	return 0;
}

extern cli_next_t cli_parse(cli_t *cli, int argc, char **argv)
{
	int option;

	*cli = (cli_t) { .seed = 1, .seeds = 1 };
	while ((option = getopt_long(argc, argv, "j:lV", words, NULL)) >= 0) {
		switch (option) {
		case OPT_HELP:
		case OPT_USAGE:
			fputs(usage_text, stdout);
			if (option == OPT_HELP)
				printf("\n%s", help_text);
			return CLI_DONE;
		case 'V':
			printf("sbudget-sim %s\n", PACKAGE_VERSION);
			return CLI_DONE;
		}
		if (take(cli, option, optarg))
			return CLI_BAD;
	}
	return take_rest(cli, argc, argv) || check(cli) ? CLI_BAD : CLI_RUN;
}
