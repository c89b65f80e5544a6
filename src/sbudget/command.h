/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command - the commands, one file each, and what they share.
 *
 * Each loads what it needs, prints, and returns an exit code (options.h).
 * opts->argv[0] is the first argument behind the command.
 */
#ifndef SB_COMMAND_H
#define SB_COMMAND_H

#include <json-c/json.h>

#include "cluster.h"
#include "options.h"

extern int show_command(const options_t *opts);
extern int jobs_command(const options_t *opts);
extern int why_command(const options_t *opts);
extern int plan_command(const options_t *opts);
extern int report_command(const options_t *opts);
extern int metrics_command(const options_t *opts);

/* RET: the text is a member of the comma list, or there is no list. */
extern bool command_listed(const char *list, const char *text);

/* Wrap up and print what --json asks for; takes over `body`.
 * IN cluster: may be NULL. RET: EXIT_OK. */
extern int command_print_json(const cluster_t *cluster, const char *name,
			      json_object *body);

#endif
