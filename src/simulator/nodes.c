/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "nodes.h"

static int refuse(const char *text, size_t len, sb_err_t *err)
{
	char shown[64];

	sb_err_quote(shown, sizeof(shown), text, len);
	return sb_err_set(err, "\"%s\" is not NODESxGPUS[:TYPE][@WEIGHT], as 64x8:h100 (1 to %d nodes of 1 to %d GPUs, weight over 0 to 1000)",
			  shown, ENGINE_NODES_MAX, ENGINE_NODE_GPUS_MAX);
}

/* "64x8" up to `end`. */
static bool take_size(const char *text, const char *end, engine_pool_t *pool)
{
	char digits[16];
	const char *x = memchr(text, 'x', (size_t)(end - text));
	int64_t nodes, gpus;

	if (!x || x - text >= (ptrdiff_t)sizeof(digits) ||
	    end - x > (ptrdiff_t)sizeof(digits))
		return false;
	snprintf(digits, sizeof(digits), "%.*s", (int)(x - text), text);
	if (cell_whole(digits, ENGINE_NODES_MAX, &nodes) || !nodes)
		return false;
	snprintf(digits, sizeof(digits), "%.*s", (int)(end - x - 1), x + 1);
	if (cell_whole(digits, ENGINE_NODE_GPUS_MAX, &gpus) || !gpus)
		return false;
	pool->nodes = (uint32_t)nodes;
	pool->gpus = (uint32_t)gpus;
	return true;
}

static bool take_weight(const char *text, size_t len, double *weight)
{
	char number[16], *end;

	if (!len || len >= sizeof(number))
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	if (strspn(number, "0123456789.") != len)
		return false;
	*weight = strtod(number, &end);
	return !*end && *weight > 0 && *weight <= 1000;
}

static int take_type(const char *text, size_t len, workload_t *workload,
		     int16_t *type, sb_err_t *err)
{
	char name[64];

	for (size_t i = 0; i < len; i++) {
		if (!isgraph((unsigned char)text[i]))
			len = 0;
	}
	if (!len || len >= sizeof(name))
		return refuse(text, strcspn(text, ","), err);
	if (!workload)
		return 0;
	memcpy(name, text, len);
	name[len] = '\0';
	*type = workload_type(workload, name, err);
	return *type < 0 ? -1 : 0;
}

static int take_pool(const char *text, size_t len, workload_t *workload,
		     engine_pool_t *pool, sb_err_t *err)
{
	const char *end = text + len;
	const char *colon = memchr(text, ':', len);
	const char *at = memchr(text, '@', len);
	const char *size_end = colon ? colon : at ? at : end;

	*pool = (engine_pool_t) { .type = -1, .weight = 1 };
	if ((colon && at && at < colon) || !take_size(text, size_end, pool))
		return refuse(text, len, err);
	if (at && !take_weight(at + 1, (size_t)(end - at - 1), &pool->weight))
		return refuse(text, len, err);
	return colon ? take_type(colon + 1, (size_t)((at ? at : end) - colon -
						     1),
				 workload, &pool->type, err) : 0;
}

extern int nodes_parse(const char *text, workload_t *workload, nodes_t *nodes,
		       sb_err_t *err)
{
	const char *next = text;

	memset(nodes, 0, sizeof(*nodes));
	do {
		size_t len = strcspn(next, ",");
		engine_pool_t *pool = &nodes->pools[nodes->count];

		if (nodes->count == NODES_POOLS_MAX)
			return sb_err_set(err, "more than %d kinds of nodes",
					  NODES_POOLS_MAX);
		if (take_pool(next, len, workload, pool, err))
			return -1;
		nodes->count++;
		nodes->gpus += (uint64_t)pool->nodes * pool->gpus;
		if (pool->gpus > nodes->most)
			nodes->most = pool->gpus;
		next += len;
	} while (*next++ == ',');
	return 0;
}
