/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file - a file that appears as a whole, or stays as it was; pipes and devices
 * are written to as they are.
 */
#ifndef SB_FILE_H
#define SB_FILE_H

#include <stdio.h>

typedef struct {
	FILE *stream;
	const char *name;	/* NULL: standard output */
	char *fresh;		/* written first, then renamed; NULL: none */
} file_t;

/* IN name: NULL or "-": standard output. RET: 0, or -1 after saying why. */
extern int file_open(file_t *file, const char *name);
/* RET: 0 when all of it is there, or -1 after saying why. */
extern int file_close(file_t *file);
/* Leave everything as it was. */
extern void file_abandon(file_t *file);

#endif
