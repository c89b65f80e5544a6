/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save - a page into its file, as a whole or not at all.
 */
#ifndef SB_SIM_SAVE_H
#define SB_SIM_SAVE_H

#include <stddef.h>
#include <stdio.h>

#include "err.h"

typedef struct {
	FILE *file;
	int error;		/* errno of the first write that failed, or 0 */
} save_t;

/* A report_write_t. IN arg: a save_t. */
extern int save_put(void *arg, const char *text, size_t len);

/*
 * Have `make` write through save_put().
 * IN name: "-" is standard output; a pipe or device is written to, never
 * replaced.
 * RET: 0, or -1 with err: what make says, or of a write that failed why.
 */
extern int save_page(const char *name,
		     int (*make)(void *arg, save_t *save, sb_err_t *err),
		     void *arg, sb_err_t *err);

#endif
