/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text - numbers and times as people and Slurm write them.
 */
#ifndef SB_TEXT_H
#define SB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Room for any text that is made here. */
#define TEXT_SIZE 48

/* Local time, "2026-11-29T17:00:00", as Slurm shows it. RET: buf. */
extern char *text_time(int64_t when, char buf[TEXT_SIZE]);
/* How far ahead, for people: "now", "in 3:10". RET: buf. */
extern char *text_ahead(int64_t when, int64_t now, char buf[TEXT_SIZE]);
/* Three decimals; what is out of all proportion as such: "unfunded", ">1000".
 * RET: buf. */
extern char *text_ratio(double ratio, char buf[TEXT_SIZE]);
/* Usage against a budget (ratio 1 is the mark in the middle), ten columns
 * each: "[=======   |          ]". RET: buf. */
extern char *text_bar(double ratio, char buf[TEXT_SIZE]);

/*
 * Local time or date: YYYY-MM-DD[THH:MM[:SS]] (a blank for the T is fine).
 * RET: 0 and the time, -1 when it is none.
 */
extern int text_date(const char *text, int64_t *when);
/* The same, or as Slurm's own commands take it: now, today, now-7days,
 * now+COUNT[seconds|minutes|hours|days|weeks] (seconds without a unit). */
extern int text_moment(const char *text, int64_t now, int64_t *when);
#define TEXT_MOMENT "YYYY-MM-DD[THH:MM[:SS]], today or now[-COUNT[UNIT]]"

/*
 * What a TRES string ("cpu=4,gres/gpu=8,gres/gpu:h100=8") says of one of them.
 * RET: true when it is named. Sizes with a unit (mem=1M) count in the unit
 * that Slurm uses, MiB.
 */
extern bool text_tres(const char *tres, const char *name, double *count);

/* Tasks in "0-3,5,7-9:2%4", as a pending array's record shows them; 1 for
 * none or unreadable. */
extern uint32_t text_tasks(const char *tasks);

#endif
