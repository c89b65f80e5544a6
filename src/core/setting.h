/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setting - one word of PriorityParameters: its field, its range, its text.
 * Inside the core: params.c reads and writes lists of them.
 */
#ifndef SB_CORE_SETTING_H
#define SB_CORE_SETTING_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "params.h"

/* Bytes of a text that goes on behind them. */
typedef struct {
	const char *at;		/* NULL: nothing there */
	size_t len;
} sb_span_t;

/* One member of the list: word[@partition]=value, trimmed. */
typedef struct {
	sb_span_t name;
	sb_span_t partition;
	sb_span_t value;	/* NULL: no '=' */
} sb_member_t;

/* Words are numbered 0 .. sb_setting_count() - 1, at most 64 of them. */
extern size_t sb_setting_count(void);
extern const char *sb_setting_name(size_t number);

/* RET: the word's number, or -1 with err: unknown, and what was meant. */
extern int sb_setting_find(sb_span_t name, sb_err_t *err);

/* RET: 0, or -1 with err naming word, value and what is allowed; params is
 * then unchanged. IN seen: the word without partition came before. */
extern int sb_setting_apply(size_t number, sb_params_t *params,
			    const sb_member_t *member, bool seen,
			    sb_err_t *err);

/* The value, such that sb_setting_apply() reads it back. RET: text. */
extern char *sb_setting_show(size_t number, const sb_params_t *params,
			     char text[SB_NAME_MAX]);

#endif
