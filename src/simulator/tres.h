/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres - the resources of a job as sacct lists them:
 * "billing=8,cpu=64,gres/gpu=8,gres/gpu:h100=8,mem=512G,node=1".
 */
#ifndef SB_SIM_TRES_H
#define SB_SIM_TRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest name of a GPU type. */
#define TRES_TYPE_SIZE 64

typedef struct {
	uint32_t gpus;		/* of all types; 0: none */
	char type[TRES_TYPE_SIZE];	/* "": not said, or several */
	uint32_t nodes, cpus;	/* 0: not said */
	uint64_t mem_mb;
} tres_t;

/*
 * IN text: may be empty.
 * OUT bad, len: the member that is wrong.
 * RET: NULL, or what is wrong.
 */
extern const char *tres_parse(const char *text, tres_t *tres, const char **bad,
			      size_t *len);

#endif
