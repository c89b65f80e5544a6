/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "limits.h"
#include "sweep.h"
#include "timespan.h"

/* ---------------------------------------------------------------- ranges */

/* One end of a range: a number, or a time when it looks like none. */
typedef struct {
	double value;
	bool time;
	bool fraction;
} bound_t;

static bool take_bound(const char *text, size_t len, bound_t *bound)
{
	char copy[SWEEP_VALUE_SIZE], *end;
	int64_t seconds;

	if (!len || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	*bound = (bound_t) { .fraction = strchr(copy, '.') != NULL };
	if (strspn(copy, "0123456789.") == len) {
		bound->value = strtod(copy, &end);
		return !*end && bound->value <= 1e12;
	}
	if (sb_timespan_parse(copy, len, &seconds, NULL))
		return false;
	bound->value = (double)seconds;
	bound->time = true;
	return true;
}

/* A time in its largest whole unit, "36h"; a number as it was written. */
static void show(const bound_t *like, double value, char *text)
{
	static const struct {
		int64_t seconds;
		char unit;
	} units[] = {
		{ SB_DAY, 'd' }, { SB_HOUR, 'h' }, { SB_MINUTE, 'm' },
		{ 1, 's' },
	};
	int64_t whole = (int64_t)llround(value);

	if (!like->time || !whole) {
		snprintf(text, SWEEP_VALUE_SIZE, like->fraction ? "%.4g" :
			 "%.0f", value);
		return;
	}
	/* Nobody sets 11:18:43: whole minutes, and whole hours of days. */
	if (whole >= 2 * SB_DAY)
		whole = (whole + SB_HOUR / 2) / SB_HOUR * SB_HOUR;
	else if (whole >= 10 * SB_MINUTE)
		whole = (whole + SB_MINUTE / 2) / SB_MINUTE * SB_MINUTE;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (whole % units[i].seconds)
			continue;
		snprintf(text, SWEEP_VALUE_SIZE, "%lld%c",
			 (long long)(whole / units[i].seconds), units[i].unit);
		return;
	}
}

static void cut(sweep_t *sweep, const bound_t *from, const bound_t *to,
		size_t count)
{
	bool factors = from->value > 0 &&
		to->value >= SWEEP_FACTOR * from->value;
	bound_t like = {
		.time = from->time || to->time,
		.fraction = from->fraction || to->fraction,
	};

	sweep->count = 0;
	for (size_t i = 0; i < count; i++) {
		double part = count > 1 ? (double)i / (double)(count - 1) : 0;
		double value = factors ?
			from->value * pow(to->value / from->value, part) :
			from->value + part * (to->value - from->value);

		show(&like, value, sweep->values[sweep->count]);
		/* Whole numbers that are close fall together. */
		if (!sweep->count || strcmp(sweep->values[sweep->count],
					    sweep->values[sweep->count - 1]))
			sweep->count++;
	}
}

static int refuse(const char *text, sb_err_t *err)
{
	char shown[64];

	sb_err_quote(shown, sizeof(shown), text, strlen(text));
	return sb_err_set(err, "--sweep: \"%s\" is not WORD=FROM..TO, WORD=FROM..TO/COUNT or WORD=A,B,C (1 to %d values)",
			  shown, SWEEP_VALUES_MAX);
}

static int take_range(const char *text, const char *values, const char *dots,
		      sweep_t *sweep, sb_err_t *err)
{
	const char *to = dots + 2, *slash = strchr(to, '/');
	size_t to_len = slash ? (size_t)(slash - to) : strlen(to);
	int64_t count = SWEEP_VALUES;
	bound_t from, until;

	if (!take_bound(values, (size_t)(dots - values), &from) ||
	    !take_bound(to, to_len, &until) || until.value < from.value ||
	    (slash && (cell_whole(slash + 1, SWEEP_VALUES_MAX, &count) ||
		       !count)))
		return refuse(text, err);
	/* "0..4h" is a time; "1..4h" could be minutes or hours. */
	if (from.time != until.time && from.value > 0)
		return refuse(text, err);
	cut(sweep, &from, &until, (size_t)count);
	return 0;
}

static int take_list(const char *text, const char *values, sweep_t *sweep,
		     sb_err_t *err)
{
	for (;;) {
		size_t len = strcspn(values, ",");

		if (!len || len >= SWEEP_VALUE_SIZE ||
		    sweep->count == SWEEP_VALUES_MAX)
			return refuse(text, err);
		memcpy(sweep->values[sweep->count], values, len);
		sweep->values[sweep->count++][len] = '\0';
		if (!values[len])
			return 0;
		values += len + 1;
	}
}

extern int sweep_parse(const char *text, sweep_t *sweep, sb_err_t *err)
{
	const char *equals = strchr(text, '=');
	const char *dots = equals ? strstr(equals, "..") : NULL;
	size_t len = equals ? (size_t)(equals - text) : 0;

	memset(sweep, 0, sizeof(*sweep));
	if (!len || len >= sizeof(sweep->name) || memchr(text, ',', len))
		return refuse(text, err);
	memcpy(sweep->name, text, len);
	return dots ? take_range(text, equals + 1, dots, sweep, err) :
		take_list(text, equals + 1, sweep, err);
}

/* ---------------------------------------------------------------- runs */

/* A run for each value of one sweep, of each run that there is. */
static settings_t *multiply(settings_t *runs, size_t *count,
			    const sweep_t *sweep, sb_err_t *err)
{
	size_t had = *count;
	settings_t *more;

	if (had * sweep->count > SWEEP_RUNS_MAX) {
		sb_err_set(err, "more than %d runs", SWEEP_RUNS_MAX);
		return NULL;
	}
	more = calloc(had * sweep->count, sizeof(*more));
	if (!more) {
		sb_err_set(err, "no memory");
		return NULL;
	}
	for (size_t i = 0; i < had * sweep->count; i++) {
		settings_t *run = &more[i];
		char word[128];
		size_t used;

		*run = runs[i / sweep->count];
		snprintf(word, sizeof(word), "%s=%s", sweep->name,
			 sweep->values[i % sweep->count]);
		if (settings_add(run, word, err)) {
			free(more);
			return NULL;
		}
		used = strlen(run->label);
		snprintf(run->label + used, sizeof(run->label) - used, "%s%s",
			 used ? " " : "", word);
	}
	*count = had * sweep->count;
	return more;
}

static settings_t *make_variants(const cli_t *cli, const settings_t *base,
				 size_t *count, sb_err_t *err)
{
	settings_t *runs;

	*count = cli->variant_count ? cli->variant_count : 1;
	runs = calloc(*count, sizeof(*runs));
	if (!runs) {
		sb_err_set(err, "no memory");
		return NULL;
	}
	runs[0] = *base;
	for (size_t i = 0; i < cli->variant_count; i++) {
		runs[i] = *base;
		if (settings_variant(&runs[i], cli->variants[i], err)) {
			free(runs);
			return NULL;
		}
	}
	return runs;
}

extern settings_t *sweep_runs(const cli_t *cli, const settings_t *base,
			      size_t *count, sb_err_t *err)
{
	settings_t *runs = make_variants(cli, base, count, err);

	for (size_t i = 0; runs && i < cli->sweep_count; i++) {
		settings_t *more = NULL;
		sweep_t sweep;

		if (!sweep_parse(cli->sweeps[i], &sweep, err))
			more = multiply(runs, count, &sweep, err);
		free(runs);
		runs = more;
	}
	for (size_t i = 0; runs && i < *count; i++) {
		sb_params_t *params = settings_params(&runs[i], err);

		if (!params) {
			free(runs);
			return NULL;
		}
		sb_params_destroy(params);
		if (!runs[i].label[0])
			snprintf(runs[i].label, sizeof(runs[i].label), "%s",
				 settings_policy(&runs[i]));
	}
	return runs;
}
