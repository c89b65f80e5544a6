/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dbd - a connection to slurmdbd of our own.
 *
 * acct_storage_g_get_connection() may not be used inside slurmctld: it makes
 * the new connection the one that slurmctld's accounting agent sends over, and
 * closing it shuts the agent down. acct_db_conn itself is the agent's: a long
 * query over it holds up slurmctld's own accounting. So we open a persistent
 * connection that the agent does not know; the acct_storage_g_* and
 * jobacct_storage_g_* calls take it as they take any other.
 *
 * All calls block (up to MessageTimeout): hold no lock.
 */
#ifndef SB_SLURM_DBD_H
#define SB_SLURM_DBD_H

#include "compat.h"

/*
 * IN stop: while *stop is not 0 every wait on the connection ends early; must
 * outlive the connection.
 * RET: a connection, or NULL when slurmdbd does not answer (not logged above
 * debug level).
 */
extern void *dbd_open(time_t *stop);
extern void dbd_close(void *conn);

/* Associations with their hourly usage rows in [start, end), deleted ones
 * too. RET: list of slurmdb_assoc_rec_t, NULL on error. */
extern sb_list_t dbd_get_usage(void *conn, time_t start, time_t end);

/* RET: end of the last hour inside [start, until] that slurmdbd has rolled up,
 * or `start` when there is none; -1 on error. Its hours are local ones: they
 * begin on the half hour in some places. */
extern time_t dbd_get_rolled(void *conn, time_t start, time_t until);

/* Job records that overlap [start, end), one per attempt (a resized one has
 * several), without steps. IN ids: of these jobs only (and others of the same
 * arrays and het jobs); NULL: of all.
 * RET: list of slurmdb_job_rec_t, NULL on error. */
extern sb_list_t dbd_get_jobs(void *conn, time_t start, time_t end,
			      const uint32_t *ids, size_t count);

#endif
