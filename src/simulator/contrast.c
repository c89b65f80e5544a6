/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sb_config.h"

#include "contrast.h"
#include "describe.h"
#include "print.h"

typedef struct {
	double mean, error;	/* standard error; NAN of one seed */
} figure_t;

typedef struct {
	const cli_t *cli;
	const settings_t *runs;
	size_t count;
	const load_t *load;
	const pool_answer_t *answers;
} contrast_t;

static double value_of(const contrast_t *contrast, size_t run, uint32_t seed,
		       measure_t measure)
{
	const pool_answer_t *answer =
		&contrast->answers[run * contrast->cli->seeds + seed];
	double value = NAN;
	size_t at = (size_t)measure * sizeof(value);

	if (at + sizeof(value) <= answer->size)
		memcpy(&value, answer->data + at, sizeof(value));
	return value;
}

/* Seeds that have nothing to tell are not counted. */
static figure_t figure_of(const contrast_t *contrast, size_t run,
			  measure_t measure)
{
	double sum = 0, squares = 0;
	figure_t figure = { NAN, NAN };
	uint32_t n = 0;

	for (uint32_t s = 0; s < contrast->cli->seeds; s++) {
		double value = value_of(contrast, run, s, measure);

		if (isnan(value))
			continue;
		sum += value;
		n++;
	}
	if (!n)
		return figure;
	figure.mean = sum / n;
	for (uint32_t s = 0; s < contrast->cli->seeds; s++) {
		double off = value_of(contrast, run, s, measure) - figure.mean;

		squares += isnan(off) ? 0 : off * off;
	}
	if (n > 1)
		figure.error = sqrt(squares / (n - 1) / n);
	return figure;
}

/* ---------------------------------------------------------------- table */

static int fill(const contrast_t *contrast, print_grid_t *grid, size_t row,
		measure_t measure)
{
	int rc = print_set(grid, row, 0, measure_column(measure)->head);

	for (size_t run = 0; !rc && run < contrast->count; run++) {
		figure_t figure = figure_of(contrast, run, measure);
		char mean[64], error[64], cell[160];

		measure_text(measure, figure.mean, mean, sizeof(mean));
		snprintf(cell, sizeof(cell), "%s", mean);
		if (!isnan(figure.error))
			snprintf(cell, sizeof(cell), "%s +- %s", mean,
				 measure_text(measure, figure.error, error,
					      sizeof(error)));
		rc = print_set(grid, row, run + 1, cell);
	}
	return rc;
}

/* RET: some run has it. */
static bool is_known(const contrast_t *contrast, measure_t measure)
{
	for (size_t run = 0; run < contrast->count; run++) {
		if (!isnan(figure_of(contrast, run, measure).mean))
			return true;
	}
	return false;
}

static int print_table(const contrast_t *contrast, sb_err_t *err)
{
	print_grid_t grid;
	size_t row = 1;
	int rc = print_begin(&grid, MEASURES + 1, contrast->count + 1);

	for (size_t run = 0; !rc && run < contrast->count; run++)
		rc = print_set(&grid, 0, run + 1, contrast->runs[run].label);
	for (int m = 0; !rc && m < MEASURES; m++) {
		if (is_known(contrast, (measure_t)m))
			rc = fill(contrast, &grid, row++, (measure_t)m);
	}
	if (!rc) {
		grid.rows = row;
		print_workload(contrast->load);
		if (contrast->cli->seeds > 1)
			printf("Means of %u seeds +- their standard error\n",
			       contrast->cli->seeds);
		putchar('\n');
		print_grid(&grid);
		print_notes(contrast->load);
	}
	grid.rows = MEASURES + 1;
	print_free(&grid);
	return rc ? sb_err_set(err, "no memory") : 0;
}

/* ---------------------------------------------------------------- CSV */

/* RFC 4180; a text that a spreadsheet would compute gets an apostrophe. */
static void put_quoted(const char *text)
{
	putchar('"');
	if (*text && strchr("=+-@", *text))
		putchar('\'');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

/* What is always told, and what is known. */
static bool is_told(const contrast_t *contrast, measure_t measure)
{
	return !measure_is_extra(measure) || is_known(contrast, measure);
}

static void print_csv(const contrast_t *contrast)
{
	bool errors = contrast->cli->seeds > 1;

	printf("run,policy,seeds");
	for (int m = 0; m < MEASURES; m++) {
		const char *name = measure_column((measure_t)m)->name;

		if (!is_told(contrast, (measure_t)m))
			continue;
		printf(",%s", name);
		if (errors)
			printf(",%s_se", name);
	}
	putchar('\n');
	for (size_t run = 0; run < contrast->count; run++) {
		put_quoted(contrast->runs[run].label);
		printf(",%s,%u", settings_policy(&contrast->runs[run]),
		       contrast->cli->seeds);
		for (int m = 0; m < MEASURES; m++) {
			figure_t figure = figure_of(contrast, run,
						    (measure_t)m);

			if (!is_told(contrast, (measure_t)m))
				continue;
			putchar(',');
			if (!isnan(figure.mean))
				printf("%.10g", figure.mean);
			if (errors)
				putchar(',');
			if (errors && !isnan(figure.error))
				printf("%.4g", figure.error);
		}
		putchar('\n');
	}
}

/* ---------------------------------------------------------------- JSON */

static json_object *reports_of(const contrast_t *contrast, size_t run)
{
	json_object *list = json_object_new_array();
	uint32_t seeds = contrast->cli->seeds;

	for (uint32_t s = 0; s < seeds; s++) {
		const pool_answer_t *answer =
			&contrast->answers[run * seeds + s];
		size_t head = MEASURES * sizeof(double);
		json_tokener *tokener = json_tokener_new();
		json_object *report = NULL;

		if (tokener && answer->size > head)
			report = json_tokener_parse_ex(tokener,
						       answer->data + head,
						       (int)(answer->size -
							     head));
		json_tokener_free(tokener);
		json_object_array_add(list, report);
	}
	return list;
}

static json_object *describe(const contrast_t *contrast, size_t run)
{
	json_object *object = describe_run(&contrast->runs[run]);
	json_object *means = json_object_new_object();
	json_object *errors = json_object_new_object();

	for (int m = 0; m < MEASURES; m++) {
		const char *name = measure_column((measure_t)m)->name;
		figure_t figure = figure_of(contrast, run, (measure_t)m);

		if (!is_told(contrast, (measure_t)m))
			continue;
		describe_real(means, name, figure.mean);
		describe_real(errors, name, figure.error);
	}
	json_object_object_add(object, "seeds", json_object_new_int64(
				       contrast->cli->seeds));
	json_object_object_add(object, "means", means);
	json_object_object_add(object, "standard_errors", errors);
	json_object_object_add(object, "reports", reports_of(contrast, run));
	return object;
}

static void print_json(const contrast_t *contrast)
{
	json_object *list = json_object_new_array();

	for (size_t run = 0; run < contrast->count; run++)
		json_object_array_add(list, describe(contrast, run));
	describe_print(contrast->load, list);
}

extern int contrast_print(const cli_t *cli, const settings_t *runs,
			  size_t count, const load_t *load,
			  const pool_answer_t *answers, sb_err_t *err)
{
	contrast_t contrast = {
		.cli = cli, .runs = runs, .count = count, .load = load,
		.answers = answers,
	};

	if (cli->json)
		print_json(&contrast);
	else if (cli->csv)
		print_csv(&contrast);
	else
		return print_table(&contrast, err);
	return 0;
}
