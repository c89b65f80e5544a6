/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * database - what slurmdbd would answer: TRES, QOS, associations, their usage.
 *
 * Slurm's functions of these names are replaced, as this library is preloaded.
 * assoc_mgr makes of the answers what it makes of slurmdbd's.
 */
#ifndef BENCH_DATABASE_H
#define BENCH_DATABASE_H

#include <stdbool.h>

#include "options.h"

/* Fill assoc_mgr. RET: true, or false after a message. */
extern bool database_load(const options_t *options);

/* slurmdbd can be reached from now on, or not; at first it can not. */
extern void database_answer(bool up);

#endif
