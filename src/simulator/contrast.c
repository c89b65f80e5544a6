/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sb_config.h"

#include "comparison.h"
#include "contrast.h"
#include "describe.h"
#include "print.h"
#include "save.h"

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

/* Names of runs, then what is known of them. OUT rows: so many are filled.
 * RET: 0, or -1 with err; print_free() either way. */
static int make_grid(const contrast_t *contrast, print_grid_t *grid,
		     size_t *rows, sb_err_t *err)
{
	int rc = print_begin(grid, MEASURES + 1, contrast->count + 1);

	*rows = 1;
	for (size_t run = 0; !rc && run < contrast->count; run++)
		rc = print_set(grid, 0, run + 1, contrast->runs[run].label);
	for (int m = 0; !rc && m < MEASURES; m++) {
		if (is_known(contrast, (measure_t)m))
			rc = fill(contrast, grid, (*rows)++, (measure_t)m);
	}
	return rc ? sb_err_set(err, "no memory") : 0;
}

static int print_table(const contrast_t *contrast, sb_err_t *err)
{
	print_grid_t grid;
	size_t rows;
	int rc = make_grid(contrast, &grid, &rows, err);

	if (!rc) {
		grid.rows = rows;
		print_workload(contrast->load);
		if (contrast->cli->seeds > 1)
			printf("Means of %u seeds +- their standard error\n",
			       contrast->cli->seeds);
		putchar('\n');
		print_grid(&grid);
		print_notes(contrast->load);
		grid.rows = MEASURES + 1;
	}
	print_free(&grid);
	return rc;
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

/* RET: a new object; NULL without memory. */
static json_object *report_of(const contrast_t *contrast, size_t run,
			      uint32_t seed)
{
	const pool_answer_t *answer =
		&contrast->answers[run * contrast->cli->seeds + seed];
	size_t head = MEASURES * sizeof(double);
	json_tokener *tokener = json_tokener_new();
	json_object *report = NULL;

	if (tokener && answer->size > head)
		report = json_tokener_parse_ex(tokener, answer->data + head,
					       (int)(answer->size - head));
	if (tokener)
		json_tokener_free(tokener);
	return report;
}

static json_object *reports_of(const contrast_t *contrast, size_t run)
{
	json_object *list = json_object_new_array();

	for (uint32_t s = 0; s < contrast->cli->seeds; s++)
		json_object_array_add(list, report_of(contrast, run, s));
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

/* ---------------------------------------------------------------- page */

typedef struct {
	const contrast_t *contrast;
	report_comparison_t comparison;
} leaf_t;

static int write_page(void *arg, save_t *save, sb_err_t *err)
{
	const leaf_t *leaf = arg;
	char foot[DESCRIBE_FOOT_SIZE], subtitle[64];
	report_page_t page = {
		.title = "Simulated GPU budgets", .subtitle = subtitle,
		.made = describe_foot(leaf->contrast->load, foot, sizeof(foot)),
	};

	snprintf(subtitle, sizeof(subtitle), "%zu run%s side by side",
		 leaf->comparison.count, leaf->comparison.count == 1 ? "" : "s");
	page.chart = report_chart(&page.chart_size);
	return report_comparison_html(&leaf->comparison, &page, save_put, save,
				      err);
}

/* Behind the row of names. */
static int save_sides(const contrast_t *contrast, const report_side_t *sides,
		      const print_grid_t *grid, size_t rows, sb_err_t *err)
{
	uint32_t seeds = contrast->cli->seeds;
	char note[160];
	leaf_t leaf = {
		.contrast = contrast,
		.comparison = {
			.sides = sides, .count = contrast->count,
			.cells = (const char *const *)grid->cells +
				 grid->columns,
			.rows = rows - 1, .note = seeds > 1 ? note : NULL,
		},
	};

	snprintf(note, sizeof(note), "In this table means of %u seeds +- their standard error; all below is of the first seed, %llu.",
		 seeds, (unsigned long long)contrast->cli->seed);
	return save_page(contrast->cli->html, write_page, &leaf, err);
}

static int print_page(const contrast_t *contrast, sb_err_t *err)
{
	report_side_t *sides = calloc(contrast->count, sizeof(*sides));
	print_grid_t grid;
	size_t rows, made = 0;
	int rc = make_grid(contrast, &grid, &rows, err);

	for (; sides && made < contrast->count; made++) {
		sides[made] = (report_side_t) {
			.name = contrast->runs[made].label[0] ?
				contrast->runs[made].label :
				settings_policy(&contrast->runs[made]),
			.taken = report_of(contrast, made, 0),
		};
		if (!sides[made].taken)
			break;
	}
	if (!rc)
		rc = sides && made == contrast->count ?
			save_sides(contrast, sides, &grid, rows, err) :
			sb_err_set(err, "no memory");
	for (size_t i = 0; i < made; i++)
		json_object_put(sides[i].taken);
	free(sides);
	print_free(&grid);
	return rc;
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
		return cli->html ? print_page(&contrast, err) :
			print_table(&contrast, err);
	return 0;
}
