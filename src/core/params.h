/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * params - the text of PriorityParameters -> settings.
 *
 * One comma list of word=value, read by all our plugins (each knows every
 * word). Words are matched in any case, as Slurm's are; blanks around a word,
 * its '=' and its value are ignored; empty list members are an error, an empty,
 * blank or NULL text is all defaults. A word may come once. Anything else is an
 * error that names the word, the value and what is allowed.
 */
#ifndef SB_CORE_PARAMS_H
#define SB_CORE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "limits.h"

typedef enum { SB_ORDER_BUDGET, SB_ORDER_WEIGHTED } sb_order_kind_t;
typedef enum { SB_UNDECLARED_CHARGE, SB_UNDECLARED_FREE,
	       SB_UNDECLARED_REJECT } sb_undeclared_t;
typedef enum { SB_PREEMPT_BY_BUDGET, SB_PREEMPT_BY_QOS,
	       SB_PREEMPT_BY_PARTITION } sb_preempt_by_t;

typedef struct {
	char partition[SB_NAME_MAX];
	int64_t seconds;
} sb_partition_cap_t;

typedef struct {
	int64_t window;			/* seconds */
	char charge_tres[SB_NAME_MAX];	/* "billing", "gres/gpu", ... */
	double unallocated_charge;	/* 0 .. 1 */
	bool commitment;
	sb_order_kind_t order;
	int64_t min_runtime_max;	/* seconds */
	sb_partition_cap_t *caps;	/* min_runtime_max@PARTITION */
	size_t cap_count;
	int64_t min_runtime_default;	/* seconds */
	sb_undeclared_t undeclared;
	bool preempt_shadow;
	sb_preempt_by_t preempt_by;
	double preempt_margin;		/* 0 .. 0.9 */
	double burst;			/* 0 = off, else 1 .. 1000 */
	uint32_t gang_nodes;		/* 1 .. 65536 */
	int64_t gang_wait;		/* seconds, 0 = off */
	int64_t debug_runtime;		/* seconds, 0 = off */
	double protect_growth;		/* 1 .. 10 */
	bool not_requeueable_spare;	/* false: cancel */
	bool drain_requeue;
} sb_params_t;

/* RET: new settings with every default, or NULL without memory. */
extern sb_params_t *sb_params_create(void);
/* NULL is legal. */
extern void sb_params_destroy(sb_params_t *params);

/*
 * IN text: PriorityParameters, may be NULL.
 * RET: new settings owned by the caller (sb_params_destroy()), or NULL with
 * err set. Also checked across words: min_runtime_default within
 * min_runtime_max.
 */
extern sb_params_t *sb_params_parse(const char *text, sb_err_t *err);

/*
 * Cap declarations in one partition.
 * RET: 0, or -1 with err (has a cap already, too many, no memory, a name that
 * is empty, too long or could not stand in the list); then nothing changed.
 */
extern int sb_params_add_cap(sb_params_t *params, const char *partition,
			     size_t len, int64_t seconds, sb_err_t *err);

/* RET: the cap on a declaration in this partition (name may be NULL: the
 * general one), seconds. Partition names are compared exactly. */
extern int64_t sb_params_cap(const sb_params_t *params, const char *partition);

/*
 * All settings as one list that sb_params_parse() reads back to the same
 * settings, for logs and tests. RET: buf, or NULL if it does not fit.
 */
extern char *sb_params_format(const sb_params_t *params, char *buf,
			      size_t size);

#endif
