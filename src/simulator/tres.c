/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

#include "tres.h"
#include "workload.h"

/* Largest count of any TRES: more is no number of a cluster. */
#define COUNT_MAX 1e15

/* A member of the list that is being read. */
typedef struct {
	const char *name;
	size_t name_len;
	double count;
} member_t;

static bool named(const member_t *member, const char *name)
{
	return member->name_len == strlen(name) &&
		!memcmp(member->name, name, member->name_len);
}

/* Times which the number is meant; 0: no unit. */
static double unit_of(char c)
{
	static const char units[] = "KMGTP";
	const char *unit = c ? strchr(units, c) : NULL;
	double times = 1;

	if (!unit)
		return 0;
	for (; unit >= units; unit--)
		times *= 1024;
	return times;
}

/*
 * "8", "1.50G", "512Gn" (of each node: sacct's older form).
 * OUT unit: 0 without one. RET: NULL, or what is wrong.
 */
static const char *take_count(const char *text, size_t len, double *count,
			      double *unit)
{
	double sum = 0, scale = 0;
	size_t at = 0;

	for (; at < len; at++) {
		if (text[at] == '.' && at && !scale) {
			scale = 1;
			continue;
		}
		if (text[at] < '0' || text[at] > '9')
			break;
		sum = sum * 10 + (text[at] - '0');
		scale *= 10;
		if (sum > COUNT_MAX || scale > COUNT_MAX)
			return "a count that is too large";
	}
	if (!at)
		return "a resource without a whole number";
	*count = scale ? sum / scale : sum;
	*unit = at < len ? unit_of(text[at]) : 0;
	at += *unit > 0;
	if (at < len && (text[at] == 'n' || text[at] == 'c'))
		at++;
	return at < len ? "a resource with an unknown unit" : NULL;
}

static const char *take_gpus(const member_t *member, tres_t *tres,
			     double *typed)
{
	const char *type = member->name + strlen("gres/gpu:");
	size_t len = member->name_len - strlen("gres/gpu:");

	if (!len || len >= TRES_TYPE_SIZE)
		return "a type of GPU without a name, or with too long a one";
	for (size_t i = 0; i < len; i++) {
		if (!isgraph((unsigned char)type[i]))
			return "a type of GPU with an odd character";
	}
	/* Of two types neither is asked for. */
	if (*typed > 0 && (strlen(tres->type) != len ||
			   memcmp(tres->type, type, len)))
		tres->type[0] = '\0';
	else {
		memcpy(tres->type, type, len);
		tres->type[len] = '\0';
	}
	*typed += member->count;
	return *typed > WORKLOAD_GPUS_MAX ? "more GPUs than any job has" :
		NULL;
}

static const char *take_member(const member_t *member, double unit,
			       tres_t *tres, double *typed)
{
	if (named(member, "mem")) {
		double mem_mb = unit ? member->count * unit / (1024 * 1024) :
			member->count;

		if (mem_mb > (double)WORKLOAD_MEM_MAX)
			return "more memory than any job has";
		tres->mem_mb = (uint64_t)mem_mb;
		return NULL;
	}
	if (member->name_len >= strlen("gres/gpu:") &&
	    !memcmp(member->name, "gres/gpu:", strlen("gres/gpu:")))
		return take_gpus(member, tres, typed);
	if (named(member, "gres/gpu")) {
		if (member->count > WORKLOAD_GPUS_MAX)
			return "more GPUs than any job has";
		tres->gpus = (uint32_t)member->count;
	} else if (named(member, "node")) {
		if (member->count > WORKLOAD_NODES_MAX)
			return "more nodes than Slurm knows";
		tres->nodes = (uint32_t)member->count;
	} else if (named(member, "cpu")) {
		if (member->count > WORKLOAD_CPUS_MAX)
			return "more CPUs than any job has";
		tres->cpus = (uint32_t)member->count;
	}
	return NULL;
}

/* One member. RET: NULL, or what is wrong. */
static const char *take(const char *text, size_t len, tres_t *tres,
			double *typed)
{
	const char *equals = memchr(text, '=', len);
	member_t member = { .name = text };
	const char *reason;
	double unit;

	if (!equals || equals == text)
		return "a resource that is not NAME=COUNT";
	member.name_len = (size_t)(equals - text);
	reason = take_count(equals + 1, len - member.name_len - 1,
			    &member.count, &unit);
	if (reason)
		return reason;
	if (unit && !named(&member, "mem"))
		member.count *= unit;
	return take_member(&member, unit, tres, typed);
}

extern const char *tres_parse(const char *text, tres_t *tres, const char **bad,
			      size_t *len)
{
	double typed = 0;

	memset(tres, 0, sizeof(*tres));
	for (*len = 0; *text; text += *len + (text[*len] == ',')) {
		const char *reason;

		*bad = text;
		*len = strcspn(text, ",");
		reason = take(text, *len, tres, &typed);
		if (reason)
			return reason;
	}
	if (typed > tres->gpus)
		tres->gpus = (uint32_t)typed;
	return NULL;
}
