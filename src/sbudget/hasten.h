/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hasten - many questions to slurmdbd in a row.
 *
 * libslurm and slurmdbd write each message in two pieces; the second waits
 * until the other side's delayed acknowledgement of the first, 40 ms each way.
 * libslurm gives no hand on its sockets, but they are this process's.
 */
#ifndef SB_HASTEN_H
#define SB_HASTEN_H

/* From now on the TCP connections of this process send and acknowledge at
 * once, those opened later excepted. Harmless when it does not work. */
extern void hasten_begin(void);
extern void hasten_end(void);

#endif
