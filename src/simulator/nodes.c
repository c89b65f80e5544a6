/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cell.h"
#include "nodes.h"

/* Longest number in a pool. */
#define NUMBER_SIZE 16

/* A pool that is being read. */
typedef struct {
	const char *text;	/* all of it, for errors */
	size_t len;
	workload_t *workload;
	engine_pool_t *pool;
	sb_err_t *err;
} taker_t;

static int refuse(const taker_t *taker)
{
	char shown[64];

	sb_err_quote(shown, sizeof(shown), taker->text, taker->len);
	return sb_err_set(taker->err, "\"%s\" is not NODESxGPUS[:TYPE][:CPUs=N][:RealMemory=MB][@WEIGHT], as 64x8:h100 or 64x8:CPUs=128:RealMemory=2T (1 to %d nodes of 1 to %d GPUs, or 0 with CPUs, to %d CPUs and 256T, weight over 0 to 1000)",
			  shown, ENGINE_NODES_MAX, ENGINE_NODE_GPUS_MAX,
			  ENGINE_NODE_CPUS_MAX);
}

/* A whole number that is all of the text. */
static bool take_whole(const char *text, size_t len, int64_t max,
		       int64_t *value)
{
	char digits[NUMBER_SIZE];

	if (len >= sizeof(digits))
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	return !cell_whole(digits, max, value);
}

/* "64x8" */
static bool take_size(const char *text, size_t len, engine_pool_t *pool)
{
	const char *x = memchr(text, 'x', len);
	int64_t nodes, gpus;

	if (!x || !take_whole(text, (size_t)(x - text), ENGINE_NODES_MAX,
			      &nodes) || !nodes ||
	    !take_whole(x + 1, (size_t)(text + len - x - 1),
			ENGINE_NODE_GPUS_MAX, &gpus))
		return false;
	pool->nodes = (uint32_t)nodes;
	pool->gpus = (uint32_t)gpus;
	return true;
}

static bool take_weight(const char *text, size_t len, double *weight)
{
	return len < NUMBER_SIZE && cell_real(text, len, weight) &&
	       *weight > 0 && *weight <= 1000;
}

static int take_type(const taker_t *taker, const char *text, size_t len)
{
	char name[64];

	for (size_t i = 0; i < len; i++) {
		if (!isgraph((unsigned char)text[i]))
			len = 0;
	}
	if (!len || len >= sizeof(name))
		return refuse(taker);
	if (!taker->workload)
		return 0;
	memcpy(name, text, len);
	name[len] = '\0';
	taker->pool->type = workload_type(taker->workload, name, taker->err);
	return taker->pool->type < 0 ? -1 : 0;
}

/* MB, or with a unit. */
static bool take_memory(const char *text, size_t len, uint32_t *mem_mb)
{
	int64_t times = 1, value;

	switch (len ? text[len - 1] : '\0') {
	case 'T': case 't':
		times *= 1024;
		/* fall through */
	case 'G': case 'g':
		times *= 1024;
		/* fall through */
	case 'M': case 'm':
		len--;
	}
	if (!take_whole(text, len, ENGINE_NODE_MEM_MAX / times, &value) ||
	    !value)
		return false;
	*mem_mb = (uint32_t)(value * times);
	return true;
}

static bool named(const char *text, size_t len, const char *name)
{
	return strlen(name) == len && !strncasecmp(name, text, len);
}

/* Behind a colon: "CPUs=128", "RealMemory=2T", or a type; each once. */
static int take_word(const taker_t *taker, const char *text, size_t len,
		     bool *typed)
{
	engine_pool_t *pool = taker->pool;
	const char *equals = memchr(text, '=', len);
	size_t name_len = equals ? (size_t)(equals - text) : len;
	size_t value_len = equals ? len - name_len - 1 : 0;
	int64_t cpus;

	if (!equals && !*typed && !pool->cpus && !pool->mem_mb) {
		*typed = true;
		return take_type(taker, text, len);
	}
	if (equals && named(text, name_len, "CPUs") && !pool->cpus &&
	    take_whole(equals + 1, value_len, ENGINE_NODE_CPUS_MAX, &cpus) &&
	    cpus) {
		pool->cpus = (uint32_t)cpus;
		return 0;
	}
	if (equals && named(text, name_len, "RealMemory") && !pool->mem_mb &&
	    take_memory(equals + 1, value_len, &pool->mem_mb))
		return 0;
	return refuse(taker);
}

static int take_pool(const taker_t *taker)
{
	const char *text = taker->text, *end = text + taker->len;
	const char *at = memchr(text, '@', taker->len);
	const char *words = at ? at : end, *colon;
	bool typed = false;

	*taker->pool = (engine_pool_t) { .type = -1, .weight = 1 };
	colon = memchr(text, ':', (size_t)(words - text));
	if (!take_size(text, (size_t)((colon ? colon : words) - text),
		       taker->pool) ||
	    (at && !take_weight(at + 1, (size_t)(end - at - 1),
				&taker->pool->weight)))
		return refuse(taker);
	while (colon) {
		const char *word = colon + 1;

		colon = memchr(word, ':', (size_t)(words - word));
		if (take_word(taker, word,
			      (size_t)((colon ? colon : words) - word),
			      &typed))
			return -1;
	}
	return taker->pool->gpus || taker->pool->cpus ? 0 : refuse(taker);
}

/* What all nodes together must be, the engine says once more. */
static int check(const nodes_t *nodes, sb_err_t *err)
{
	size_t with_cpus = 0, with_mem = 0;

	for (size_t i = 0; i < nodes->count; i++) {
		with_cpus += nodes->pools[i].cpus > 0;
		with_mem += nodes->pools[i].mem_mb > 0;
	}
	if (with_cpus % nodes->count || with_mem % nodes->count)
		return sb_err_set(err, "CPUs and RealMemory: of all kinds of nodes, or of none");
	if (with_mem && !with_cpus)
		return sb_err_set(err, "RealMemory goes with CPUs only");
	return nodes->gpus ? 0 : sb_err_set(err, "no node has GPUs");
}

static void add_up(nodes_t *nodes, const engine_pool_t *pool)
{
	nodes->gpus += (uint64_t)pool->nodes * pool->gpus;
	if (pool->gpus > nodes->most)
		nodes->most = pool->gpus;
	if (pool->cpus > nodes->cpus)
		nodes->cpus = pool->cpus;
	if (pool->mem_mb > nodes->mem_mb)
		nodes->mem_mb = pool->mem_mb;
}

extern int nodes_parse(const char *text, workload_t *workload, nodes_t *nodes,
		       sb_err_t *err)
{
	const char *next = text;

	memset(nodes, 0, sizeof(*nodes));
	do {
		taker_t taker = {
			.text = next, .len = strcspn(next, ","),
			.workload = workload, .err = err,
			.pool = &nodes->pools[nodes->count],
		};

		if (nodes->count == NODES_POOLS_MAX)
			return sb_err_set(err, "more than %d kinds of nodes",
					  NODES_POOLS_MAX);
		if (take_pool(&taker))
			return -1;
		nodes->count++;
		add_up(nodes, taker.pool);
		next += taker.len;
	} while (*next++ == ',');
	return check(nodes, err);
}
