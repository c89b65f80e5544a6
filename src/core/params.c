/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "setting.h"
#include "timespan.h"

/* The text that is being written. */
typedef struct {
	char *at;
	size_t left;
	bool full;
} out_t;

extern sb_params_t *sb_params_create(void)
{
	sb_params_t *params = calloc(1, sizeof(*params));

	if (!params)
		return NULL;
	params->window = SB_WINDOW_DEFAULT;
	strcpy(params->charge_tres, "billing");
	params->commitment = true;
	params->min_runtime_max = SB_MIN_RUNTIME_MAX_DEFAULT;
	params->preempt_margin = SB_PREEMPT_MARGIN_DEFAULT;
	params->burst = SB_BURST_DEFAULT;
	params->gang_nodes = SB_GANG_NODES_DEFAULT;
	params->gang_wait = SB_GANG_WAIT_DEFAULT;
	params->debug_runtime = SB_DEBUG_RUNTIME_DEFAULT;
	params->protect_growth = 1;
	params->drain_requeue = true;
	return params;
}

extern void sb_params_destroy(sb_params_t *params)
{
	if (!params)
		return;
	free(params->caps);
	free(params);
}

static sb_partition_cap_t *find_cap(const sb_params_t *params,
				    const char *name, size_t len)
{
	for (size_t i = 0; i < params->cap_count; i++) {
		sb_partition_cap_t *cap = &params->caps[i];

		if (strlen(cap->partition) == len &&
		    !memcmp(cap->partition, name, len))
			return cap;
	}
	return NULL;
}

static int grow_caps(sb_params_t *params)
{
	size_t count = params->cap_count;
	sb_partition_cap_t *caps;

	/* Full at 0 and at every power of two. */
	if (count & (count - 1))
		return 0;
	caps = realloc(params->caps, (count ? 2 * count : 1) * sizeof(*caps));
	if (!caps)
		return -1;
	params->caps = caps;
	return 0;
}

/* RET: true when it can stand in the list and be read back. */
static bool good_partition(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (name[i] <= ' ' || name[i] > '~' || strchr(",=@", name[i]))
			return false;
	}
	return len && len < SB_NAME_MAX;
}

extern int sb_params_add_cap(sb_params_t *params, const char *partition,
			     size_t len, int64_t seconds, sb_err_t *err)
{
	sb_partition_cap_t *cap;

	if (!good_partition(partition, len))
		return sb_err_set(err, "not a partition name; allowed: 1 to %d "
				  "printable ASCII bytes without blank, comma, "
				  "= and @", SB_NAME_MAX - 1);
	if (find_cap(params, partition, len))
		return sb_err_set(err, "the partition comes twice");
	if (params->cap_count >= SB_PARTITION_CAPS_MAX)
		return sb_err_set(err, "more than %d partitions",
				  SB_PARTITION_CAPS_MAX);
	if (grow_caps(params))
		return sb_err_set(err, "out of memory");

	cap = &params->caps[params->cap_count++];
	memset(cap, 0, sizeof(*cap));
	memcpy(cap->partition, partition, len);
	cap->seconds = seconds;
	return 0;
}

extern int64_t sb_params_cap(const sb_params_t *params, const char *partition)
{
	const sb_partition_cap_t *cap = partition ?
		find_cap(params, partition, strlen(partition)) : NULL;

	return cap ? cap->seconds : params->min_runtime_max;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static sb_span_t trim(const char *from, const char *to)
{
	while (from < to && is_blank(*from))
		from++;
	while (to > from && is_blank(to[-1]))
		to--;
	return (sb_span_t){ from, (size_t)(to - from) };
}

/* IN from, to: not blank. */
static sb_member_t take_apart(const char *from, const char *to)
{
	const char *equals = memchr(from, '=', (size_t)(to - from));
	sb_member_t member = { .name = trim(from, equals ? equals : to) };
	const char *name = member.name.at, *at;

	if (equals)
		member.value = trim(equals + 1, to);
	at = memchr(name, '@', member.name.len);
	if (at) {
		member.partition = trim(at + 1, name + member.name.len);
		member.name = trim(name, at);
	}
	return member;
}

static int apply(sb_params_t *params, const sb_member_t *member,
		 uint64_t *seen, sb_err_t *err)
{
	int number = sb_setting_find(member->name, err);
	uint64_t bit;

	if (number < 0)
		return -1;
	bit = 1ULL << number;
	if (sb_setting_apply((size_t)number, params, member, *seen & bit, err))
		return -1;
	if (!member->partition.at)
		*seen |= bit;
	return 0;
}

static int check_across(const sb_params_t *params, sb_err_t *err)
{
	char low[SB_TIMESPAN_TEXT], high[SB_TIMESPAN_TEXT];

	if (params->min_runtime_default <= params->min_runtime_max)
		return 0;
	sb_timespan_format(params->min_runtime_default, low, sizeof(low));
	sb_timespan_format(params->min_runtime_max, high, sizeof(high));
	return sb_err_set(err, "min_runtime_default=%s: above min_runtime_max; "
			  "allowed: 0:00 to %s", low, high);
}

static int parse_list(sb_params_t *params, const char *text, size_t len,
		      sb_err_t *err)
{
	const char *from = text, *end = text + len;
	uint64_t seen = 0;
	size_t number = 1;

	if (!trim(from, end).len)
		return 0;
	for (;; number++) {
		const char *to = memchr(from, ',', (size_t)(end - from));
		sb_member_t member;

		if (!to)
			to = end;
		if (!trim(from, to).len)
			return sb_err_set(err, "member %zu of the list is "
					  "empty: a comma too many", number);
		member = take_apart(from, to);
		if (apply(params, &member, &seen, err))
			return -1;
		if (to == end)
			break;
		from = to + 1;
	}
	return check_across(params, err);
}

extern sb_params_t *sb_params_parse(const char *text, sb_err_t *err)
{
	sb_params_t *params;
	size_t len = text ? strnlen(text, SB_PARAMS_MAX + 1) : 0;

	if (len > SB_PARAMS_MAX) {
		sb_err_set(err, "the list is longer than %d bytes",
			   SB_PARAMS_MAX);
		return NULL;
	}
	params = sb_params_create();
	if (!params) {
		sb_err_set(err, "out of memory");
		return NULL;
	}
	if (parse_list(params, text ? text : "", len, err)) {
		sb_params_destroy(params);
		return NULL;
	}
	return params;
}

__attribute__((format(printf, 2, 3)))
static void put(out_t *out, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (out->full)
		return;
	va_start(ap, fmt);
	n = vsnprintf(out->at, out->left, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= out->left) {
		out->full = true;
		return;
	}
	out->at += n;
	out->left -= (size_t)n;
}

extern char *sb_params_format(const sb_params_t *params, char *buf,
			      size_t size)
{
	out_t out = { .at = buf, .left = size };
	char text[SB_NAME_MAX];

	for (size_t i = 0; i < sb_setting_count(); i++)
		put(&out, "%s%s=%s", i ? "," : "", sb_setting_name(i),
		    sb_setting_show(i, params, text));
	for (size_t i = 0; i < params->cap_count; i++) {
		sb_timespan_format(params->caps[i].seconds, text,
				   sizeof(text));
		put(&out, ",min_runtime_max@%s=%s", params->caps[i].partition,
		    text);
	}
	return out.full ? NULL : buf;
}
