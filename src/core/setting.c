/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "setting.h"
#include "timespan.h"

/* Digits before and behind the point: without the point the number stays below
 * 2^53, so that one division rounds it correctly. */
#define WHOLE_DIGITS 6
#define FRACTION_DIGITS 9
#define FRACTION_UNIT 1000000000LL

/* Most choices of one word. */
#define CHOICES_MAX 3

/* Widths of what an error quotes, so that name, value and what is allowed
 * still fit into one sentence. */
#define SHOWN_NAME 33
#define SHOWN_VALUE 25

typedef struct word word_t;

/* What a word's setter gets. */
typedef struct {
	const word_t *word;
	const sb_member_t *member;
	void *field;		/* of the settings, at word->offset */
} setting_t;

struct word {
	const char *name;
	size_t offset, size;
	int (*set)(sb_params_t *params, const setting_t *setting,
		   sb_err_t *err);
	/* Write the value; text has room for SB_NAME_MAX. */
	void (*show)(const word_t *word, const void *field, char *text);
	double min, max;
	bool or_zero;		/* 0 is legal too, though below min */
	const char *choices[CHOICES_MAX];
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* In any case, by ASCII alone: Slurm's locale must not change the words. */
static bool same_word(sb_span_t span, const char *word)
{
	if (strlen(word) != span.len)
		return false;
	for (size_t i = 0; i < span.len; i++) {
		if (lower(span.at[i]) != word[i])
			return false;
	}
	return true;
}

/* RET: -1, with err as `word[@partition]=value: what`. */
__attribute__((format(printf, 3, 4)))
static int refuse(sb_err_t *err, const setting_t *setting, const char *fmt,
		  ...)
{
	sb_span_t partition = setting->member->partition;
	sb_span_t value = setting->member->value;
	char name[SHOWN_NAME], shown[SHOWN_VALUE], what[SB_ERR_SIZE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	sb_err_quote(name, sizeof(name), partition.at, partition.len);
	sb_err_quote(shown, sizeof(shown), value.at, value.len);
	return sb_err_set(err, "%s%s%s=%s: %s", setting->word->name,
			  partition.at ? "@" : "", name, shown, what);
}

static void show_time(const word_t *word, const void *field, char *text)
{
	(void)word;
	sb_timespan_format(*(const int64_t *)field, text, SB_NAME_MAX);
}

/* The time of a setting, in the range of its word. */
static int read_time(const setting_t *setting, int64_t *seconds, sb_err_t *err)
{
	int64_t min = (int64_t)setting->word->min;
	int64_t max = (int64_t)setting->word->max, value = 0;
	sb_span_t text = setting->member->value;
	char low[SB_TIMESPAN_TEXT], high[SB_TIMESPAN_TEXT];
	sb_err_t inner;

	sb_timespan_format(min, low, sizeof(low));
	sb_timespan_format(max, high, sizeof(high));
	if (sb_timespan_parse(text.at, text.len, &value, &inner))
		return refuse(err, setting, "%s; allowed: %s to %s",
			      inner.text, low, high);
	if (value < min || value > max)
		return refuse(err, setting, "too %s; allowed: %s to %s",
			      value < min ? "short" : "long", low, high);
	*seconds = value;
	return 0;
}

static int set_time(sb_params_t *params, const setting_t *setting,
		    sb_err_t *err)
{
	(void)params;
	return read_time(setting, setting->field, err);
}

static int set_min_runtime_max(sb_params_t *params, const setting_t *setting,
			       sb_err_t *err)
{
	sb_span_t name = setting->member->partition;
	int64_t seconds;
	sb_err_t inner;

	if (!name.at)
		return set_time(params, setting, err);
	if (read_time(setting, &seconds, err))
		return -1;
	if (sb_params_add_cap(params, name.at, name.len, seconds, &inner))
		return refuse(err, setting, "%s", inner.text);
	return 0;
}

/* Digits[.digits], whatever the locale's point; in units of 1e-9. RET: -1: no
 * such number. */
static long long read_decimal(sb_span_t value)
{
	long long units = 0;
	size_t whole = 0, digits = 0, i;

	for (i = 0; i < value.len; i++) {
		char c = value.at[i];

		if (c == '.' && !whole && digits) {
			whole = digits;
			continue;
		}
		if (!is_digit(c) ||
		    digits == whole + (whole ? FRACTION_DIGITS : WHOLE_DIGITS))
			return -1;
		units = units * 10 + (c - '0');
		digits++;
	}
	if (!digits || (whole && digits == whole))
		return -1;
	if (!whole)
		whole = digits;
	for (; digits < whole + FRACTION_DIGITS; digits++)
		units *= 10;
	return units;
}

/* As read_decimal() reads it back. */
static void write_decimal(double value, char text[SB_NAME_MAX])
{
	long long units = (long long)(value * FRACTION_UNIT + 0.5);
	size_t len;

	snprintf(text, SB_NAME_MAX, "%lld.%09lld", units / FRACTION_UNIT,
		 units % FRACTION_UNIT);
	for (len = strlen(text); text[len - 1] == '0'; len--)
		;
	text[text[len - 1] == '.' ? len - 1 : len] = '\0';
}

static int refuse_number(sb_err_t *err, const setting_t *setting,
			 const char *why)
{
	char low[SB_NAME_MAX], high[SB_NAME_MAX];

	write_decimal(setting->word->min, low);
	write_decimal(setting->word->max, high);
	return refuse(err, setting, "%s; allowed: %s%s to %s", why,
		      setting->word->or_zero ? "0 (off), or " : "", low, high);
}

static int set_number(sb_params_t *params, const setting_t *setting,
		      sb_err_t *err)
{
	const word_t *word = setting->word;
	long long units = read_decimal(setting->member->value);
	double value = (double)units / FRACTION_UNIT;

	(void)params;
	if (units < 0)
		return refuse_number(err, setting, "not a number");
	if ((value < word->min || value > word->max) &&
	    (units || !word->or_zero))
		return refuse_number(err, setting, "out of range");
	*(double *)setting->field = value;
	return 0;
}

static void show_number(const word_t *word, const void *field, char *text)
{
	double value = *(const double *)field;

	write_decimal(value > 0 && value <= word->max ? value : 0, text);
}

static int set_count(sb_params_t *params, const setting_t *setting,
		     sb_err_t *err)
{
	const word_t *word = setting->word;
	sb_span_t value = setting->member->value;
	const char *at = value.at, *end = at + value.len;
	double count = 0;

	(void)params;
	while (at < end && is_digit(*at) && count <= word->max)
		count = count * 10 + (*at++ - '0');
	if (!value.len || at < end || count < word->min || count > word->max)
		return refuse(err, setting, "allowed: a whole number, %.0f to "
			      "%.0f", word->min, word->max);
	*(uint32_t *)setting->field = (uint32_t)count;
	return 0;
}

static void show_count(const word_t *word, const void *field, char *text)
{
	(void)word;
	snprintf(text, SB_NAME_MAX, "%u", *(const uint32_t *)field);
}

static int set_choice(sb_params_t *params, const setting_t *setting,
		      sb_err_t *err)
{
	const char *const *choices = setting->word->choices;
	unsigned choice = 0;

	(void)params;
	while (choice < CHOICES_MAX && choices[choice] &&
	       !same_word(setting->member->value, choices[choice]))
		choice++;
	if (choice == CHOICES_MAX || !choices[choice])
		return refuse(err, setting, "allowed: %s, %s%s%s", choices[0],
			      choices[1], choices[2] ? ", " : "",
			      choices[2] ? choices[2] : "");
	if (setting->word->size == sizeof(bool))
		*(bool *)setting->field = choice;
	else
		memcpy(setting->field, &choice, sizeof(choice));
	return 0;
}

static void show_choice(const word_t *word, const void *field, char *text)
{
	unsigned choice;

	if (word->size == sizeof(bool))
		choice = *(const bool *)field;
	else
		memcpy(&choice, field, sizeof(choice));
	snprintf(text, SB_NAME_MAX, "%s",
		 choice < CHOICES_MAX && word->choices[choice] ?
		 word->choices[choice] : word->choices[0]);
}

/* Whether the cluster tracks it is for the host to say. */
static int set_tres(sb_params_t *params, const setting_t *setting,
		    sb_err_t *err)
{
	sb_span_t value = setting->member->value;

	(void)params;
	if (value.len >= SB_NAME_MAX)
		return refuse(err, setting, "%zu bytes long; allowed: %d",
			      value.len, SB_NAME_MAX - 1);
	for (size_t i = 0; i < value.len; i++) {
		char c = lower(value.at[i]);

		if (!is_digit(c) && !(c >= 'a' && c <= 'z') &&
		    !strchr("/:_-.", c))
			return refuse(err, setting, "not a TRES name; allowed: "
				      "a name like billing or gres/gpu:h100");
	}
	memset(setting->field, 0, SB_NAME_MAX);
	memcpy(setting->field, value.at, value.len);
	return 0;
}

static void show_tres(const word_t *word, const void *field, char *text)
{
	(void)word;
	snprintf(text, SB_NAME_MAX, "%s", (const char *)field);
}

#define MEMBER(word, field) .name = (word), \
	.offset = offsetof(sb_params_t, field), \
	.size = sizeof(((sb_params_t *)NULL)->field)
#define FIELD(field) MEMBER(#field, field)
#define TIME(low, high) .set = set_time, .show = show_time, \
	.min = (low), .max = (high)
#define NUMBER(low, high) .set = set_number, .show = show_number, \
	.min = (low), .max = (high)
/* In the order of the field's values: 0 (false), 1, 2. */
#define CHOICE(...) .set = set_choice, .show = show_choice, \
	.choices = { __VA_ARGS__ }

static const word_t words[] = {
	{ FIELD(window), TIME(SB_WINDOW_MIN, SB_WINDOW_MAX) },
	{ FIELD(charge_tres), .set = set_tres, .show = show_tres },
	{ FIELD(unallocated_charge), NUMBER(0, 1) },
	{ FIELD(commitment), CHOICE("no", "yes") },
	{ FIELD(order), CHOICE("budget", "weighted") },
	{ FIELD(min_runtime_max), .set = set_min_runtime_max,
	  .show = show_time, .max = SB_SETTING_TIME_MAX },
	{ FIELD(min_runtime_default), TIME(0, SB_SETTING_TIME_MAX) },
	{ FIELD(undeclared), CHOICE("charge", "free", "reject") },
	{ MEMBER("preempt", preempt_shadow), CHOICE("on", "shadow") },
	{ FIELD(preempt_by), CHOICE("budget", "qos", "partition") },
	{ FIELD(preempt_margin), NUMBER(0, SB_PREEMPT_MARGIN_MAX) },
	{ FIELD(burst), NUMBER(SB_BURST_MIN, SB_BURST_MAX), .or_zero = true },
	{ FIELD(gang_nodes), .set = set_count, .show = show_count,
	  .min = 1, .max = SB_GANG_NODES_MAX },
	{ FIELD(gang_wait), TIME(0, SB_SETTING_TIME_MAX) },
	{ FIELD(debug_runtime), TIME(0, SB_SETTING_TIME_MAX) },
	{ FIELD(protect_growth), NUMBER(1, SB_PROTECT_GROWTH_MAX) },
	{ MEMBER("not_requeueable", not_requeueable_spare),
	  CHOICE("cancel", "spare") },
	{ FIELD(drain_requeue), CHOICE("no", "yes") },
};

#define WORDS (sizeof(words) / sizeof(words[0]))

static_assert(WORDS <= 64, "params.c keeps what it has seen in 64 bits");
static_assert(sizeof(sb_order_kind_t) == sizeof(unsigned) &&
	      sizeof(bool) != sizeof(unsigned), "set_choice() tells by size");

static int refuse_unknown(sb_span_t name, sb_err_t *err)
{
	char shown[SHOWN_NAME], list[SB_ERR_SIZE] = "";
	char *end = list;

	sb_err_quote(shown, sizeof(shown), name.at, name.len);
	for (size_t i = 0; i < WORDS; i++) {
		if (sb_err_distance(name.at, name.len, words[i].name) < 2)
			return sb_err_set(err, "unknown word \"%s\", did you "
					  "mean \"%s\"?", shown,
					  words[i].name);
		if (end + strlen(words[i].name) + 1 < list + sizeof(list))
			end += sprintf(end, " %s", words[i].name);
	}
	return sb_err_set(err, "unknown word \"%s\"; allowed:%s", shown, list);
}

extern size_t sb_setting_count(void)
{
	return WORDS;
}

extern const char *sb_setting_name(size_t number)
{
	return words[number].name;
}

extern int sb_setting_find(sb_span_t name, sb_err_t *err)
{
	for (size_t i = 0; i < WORDS; i++) {
		if (same_word(name, words[i].name))
			return (int)i;
	}
	return refuse_unknown(name, err);
}

extern int sb_setting_apply(size_t number, sb_params_t *params,
			    const sb_member_t *member, bool seen,
			    sb_err_t *err)
{
	const word_t *word = &words[number];
	setting_t setting = { .word = word, .member = member,
			      .field = (char *)params + word->offset };

	if (!member->value.len)
		return refuse(err, &setting, "no value; write %s=VALUE",
			      word->name);
	if (member->partition.at && word->set != set_min_runtime_max)
		return refuse(err, &setting, "only min_runtime_max may name a "
			      "partition");
	if (!member->partition.at && seen)
		return refuse(err, &setting, "the word comes twice");
	return word->set(params, &setting, err);
}

extern char *sb_setting_show(size_t number, const sb_params_t *params,
			     char text[SB_NAME_MAX])
{
	const word_t *word = &words[number];

	word->show(word, (const char *)params + word->offset, text);
	return text;
}
