/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statefile - a file in StateSaveLocation, read and written whole.
 *
 * Written as NAME.new, synced, renamed; the previous one stays as NAME.old. At
 * every instant NAME or NAME.old is complete. Mode 0600. All calls do I/O:
 * hold no lock.
 */
#ifndef SB_STATEFILE_H
#define SB_STATEFILE_H

#include "src/slurm_compat/compat.h"

typedef struct {
	const char *name;
	const char *loss;	/* what it costs when it cannot be written */
	bool in_trouble;	/* which was said */
} statefile_t;

/* One thread a file. RET: SLURM_SUCCESS, or SLURM_ERROR after one error() per
 * kind of trouble, until a write succeeds again. */
extern int statefile_write(statefile_t *file, const void *data, size_t size);

/* OUT data: xmalloc'ed. RET: SLURM_SUCCESS, or SLURM_ERROR with errno
 * (ENOENT: there is none), not logged. */
extern int statefile_read(const char *name, char **data, uint32_t *size);

/*
 * One that is not usable is renamed to NAME.bad, NAME.bad.2, ... NAME.bad.9,
 * the first name that is free, or the next writes would replace it: somebody
 * may want to know what happened to it, or have it back. Logged. When all names
 * are taken it stays, and is replaced.
 */
extern void statefile_set_aside(const char *name);

#endif
