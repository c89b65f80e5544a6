/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history - what slurmdbd's hourly usage says that accounts have had over the
 * window, unallocated time included.
 */
#ifndef SB_HISTORY_H
#define SB_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster.h"

typedef struct {
	struct history_row *rows;	/* one per association, by id */
	size_t count;
	const char *why;	/* nothing is known */
	const char *tres;	/* the charged one */
	int64_t from;		/* the window's begin */
} history_t;

/* Ask slurmdbd. Nothing is printed: see why. */
extern void history_load(history_t *history, const cluster_t *cluster);
extern void history_free(history_t *history);
extern bool history_knows(const history_t *history);

/* Allocated TRES-seconds over the window that were not charged.
 * IN charged: as slurmctld shows it. */
extern double history_unallocated(const history_t *history, uint32_t id,
				  double charged);

#endif
