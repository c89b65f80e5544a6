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

/* RET: SLURM_SUCCESS, or SLURM_ERROR after one error() per kind of trouble,
 * until a write succeeds again. */
extern int statefile_write(const char *name, const void *data, size_t size);

/* OUT data: xmalloc'ed. RET: SLURM_SUCCESS, or SLURM_ERROR with errno
 * (ENOENT: there is none), not logged. */
extern int statefile_read(const char *name, char **data, uint32_t *size);

#endif
