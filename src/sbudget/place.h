/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place - where in a JSON text a value stands.
 *
 * json-c reads the text, and knows of a value neither its line nor that its
 * key came twice. This walks over the same text beside it.
 */
#ifndef SB_PLACE_H
#define SB_PLACE_H

#include <stddef.h>

#include "err.h"

/*
 * Make comments (slashes and stars, or two slashes to the end of the line)
 * blanks, in place; nothing moves. RET: 0, or -1 with err: one has no end.
 */
extern int place_blank_comments(char *text, sb_err_t *err);

/* RET: the line of this byte of the text, from 1. */
extern int place_line(const char *text, size_t offset);

/*
 * IN text: valid JSON. IN path: "$", "$.accounts[3].periods[0].from", keys as
 * plain as ours are.
 * RET: the line of the key (of a member) or value (of an element); that of
 * the last part of the path that is there.
 */
extern int place_find(const char *text, const char *path);

/* RET: 0, or -1 with err naming path and line: an object has one key twice. */
extern int place_check_keys(const char *text, sb_err_t *err);

#endif
