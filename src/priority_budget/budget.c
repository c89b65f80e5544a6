/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "src/slurm_compat/host.h"

#include "budget.h"
#include "statefile.h"
#include "unseen.h"

#define STATE_FILE "priority_budget_state"
#define STATE_FILE_OLD STATE_FILE ".old"

/* Writing the state may take this part of the time: a big state on a slow
 * disk is written less often. */
#define SAVE_DUTY 50

/* Room for all settings as text: some twenty words and values of at most
 * SB_NAME_MAX bytes each, and what each partition's cap adds. */
#define SETTINGS_TEXT (40 * SB_NAME_MAX)
#define CAP_TEXT (2 * SB_NAME_MAX)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static budget_t budget;
static time_t stop_time;
static atomic_bool stopping;
static int64_t next_save;	/* microseconds, monotonic; the loop's thread's
				 * while it runs */
static statefile_t state_file = {
	.name = STATE_FILE,
	.loss = "usage since the last good write would be read back from slurmdbd after a restart",
};

extern budget_t *budget_lock(void)
{
	slurm_mutex_lock(&lock);
	return &budget;
}

extern void budget_unlock(void)
{
	slurm_mutex_unlock(&lock);
}

extern void budget_stop(bool stop)
{
	stopping = stop;
	stop_time = stop ? time(NULL) : 0;
}

extern bool budget_stopping(void)
{
	return stopping;
}

extern time_t *budget_stop_time(void)
{
	return &stop_time;
}

extern int64_t budget_seed_until(const budget_t *one)
{
	return one->seed_until ? one->seed_until : one->gap_from;
}

/* The ring of a narrower window has forgotten what a wider one wants to know:
 * whole hours before its oldest bucket, or more when it was narrowed before it
 * had its own. Locks: ours. */
static void _widen(const sb_window_shape_t *old)
{
	int64_t reach = sb_ledger_last_pass(budget.ledger) - old->width -
			old->grain;
	int64_t until = budget.seeded ? 0 : budget_seed_until(&budget);

	budget.seed_until = MAX(until, reach - reach % 3600);
	budget.seeded = false;
}

/* Swap the settings in. Locks: ours. RET: 0, or -1 without memory. */
static int _adopt(sb_params_t *params, int charge_pos)
{
	sb_window_shape_t shape = sb_window_shape(params->window);
	sb_window_shape_t old = budget.ledger ?
		*sb_ledger_shape(budget.ledger) : shape;

	if ((old.width != shape.width) &&
	    sb_ledger_reshape(budget.ledger, &shape))
		return -1;
	if (old.width < shape.width)
		_widen(&old);
	sb_params_destroy(budget.params);
	budget.params = params;
	budget.charge_pos = charge_pos;
	return 0;
}

static int _refuse(sb_params_t *params, const char *why)
{
	sb_params_destroy(params);
	if (budget.params)
		error("priority/budget: PriorityParameters: %s; the settings in force stay", why);
	else
		error("priority/budget: PriorityParameters: %s", why);
	return SLURM_ERROR;
}

static int _adopt_or_refuse(sb_params_t *params, int charge_pos)
{
	if (budget.ledger && budget.params &&
	    strcasecmp(budget.params->charge_tres, params->charge_tres))
		return _refuse(params, "charge_tres can only be changed with a restart of slurmctld (the window is counted in it)");
	if (_adopt(params, charge_pos))
		return _refuse(params, "no memory for a window of another width");
	return SLURM_SUCCESS;
}

/* RET: the settings as one text, xfree() it; NULL: none. Locks: ours. */
static char *_show(void)
{
	const sb_params_t *params = budget.params;
	size_t size;
	char *text;

	if (!params)
		return NULL;
	size = SETTINGS_TEXT + params->cap_count * CAP_TEXT;
	text = xmalloc(size);
	if (!sb_params_format(params, text, size))
		xfree(text);
	return text;
}

extern int budget_configure(void)
{
	char why[SB_ERR_SIZE + SB_NAME_MAX], *before, *after;
	sb_err_t err;
	sb_params_t *params = sb_params_parse(compat_priority_params(), &err);
	int charge_pos, rc;

	if (!params)
		return _refuse(NULL, err.text);
	charge_pos = compat_find_tres(params->charge_tres);
	if (charge_pos < 0) {
		snprintf(why, sizeof(why),
			 "charge_tres=%s: no such TRES; allowed: those of AccountingStorageTRES",
			 params->charge_tres);
		return _refuse(params, why);
	}
	slurm_mutex_lock(&lock);
	before = _show();
	rc = _adopt_or_refuse(params, charge_pos);
	after = _show();
	slurm_mutex_unlock(&lock);
	/* slurm.conf has a text that may have been refused since, and none of
	 * the defaults. */
	if (after && xstrcmp(before, after))
		info("priority/budget: settings in force: %s", after);
	xfree(before);
	xfree(after);
	return rc;
}

/* RET: the ledger of these bytes, or NULL (said why). */
static sb_ledger_t *_decode(const char *name, const char *data, uint32_t size,
			    sb_state_info_t *info)
{
	sb_ledger_t *ledger;
	sb_err_t err;

	ledger = sb_state_decode((const uint8_t *) data, size, info, &err);
	if (!ledger) {
		error("priority/budget: %s is not usable: %s", name, err.text);
		return NULL;
	}
	if (!xstrcmp(info->cluster, host_get().cluster) &&
	    !xstrcasecmp(info->charge_tres, budget.params->charge_tres))
		return ledger;
	error("priority/budget: %s is of cluster %s and counts %s; this is %s with charge_tres=%s: not used",
	      name, info->cluster, info->charge_tres, host_get().cluster,
	      budget.params->charge_tres);
	sb_ledger_destroy(ledger);
	return NULL;
}

/* RET: the ledger of this state file, or NULL: there is no such file, or it was
 * set aside (said why). */
static sb_ledger_t *_load(const char *name, sb_state_info_t *info)
{
	sb_ledger_t *ledger = NULL;
	char *data;
	uint32_t size;

	if (statefile_read(name, &data, &size) == SLURM_SUCCESS) {
		ledger = _decode(name, data, size, info);
		xfree(data);
	} else if (errno == ENOENT)
		return NULL;
	else
		error("priority/budget: cannot read %s: %m", name);
	if (!ledger)
		statefile_set_aside(name);
	return ledger;
}

static sb_ledger_t *_load_either(sb_state_info_t *info)
{
	sb_ledger_t *ledger = _load(STATE_FILE, info);

	if (ledger)
		return ledger;
	ledger = _load(STATE_FILE_OLD, info);
	if (ledger)
		info("priority/budget: using %s", STATE_FILE_OLD);
	return ledger;
}

/* slurmdbd's history ends with the last whole hour; our own begins there. */
static int _begin(const sb_window_shape_t *shape)
{
	time_t now = time(NULL);
	int64_t since = now - now % 3600;

	budget.ledger = sb_ledger_create(shape, since);
	budget.seeded = false;
	budget.gap_from = since;
	return budget.ledger ? SLURM_SUCCESS : SLURM_ERROR;
}

static int _continue(sb_ledger_t *ledger, const sb_state_info_t *info,
		     const sb_window_shape_t *shape)
{
	sb_window_shape_t old = *sb_ledger_shape(ledger);

	if ((old.width != shape->width) && sb_ledger_reshape(ledger, shape)) {
		sb_ledger_destroy(ledger);
		return SLURM_ERROR;
	}
	budget.ledger = ledger;
	budget.seeded = info->seeded;
	budget.seed_until = info->seed_until;
	/* Our predecessor may not have had its own questions answered. */
	budget.gap_from = info->gap_from ? info->gap_from :
		sb_ledger_last_pass(ledger);
	if (old.width < shape->width)
		_widen(&old);
	return SLURM_SUCCESS;
}

extern int budget_recover(void)
{
	sb_window_shape_t shape = sb_window_shape(budget.params->window);
	sb_state_info_t info = { 0 };
	sb_ledger_t *ledger = _load_either(&info);
	int rc;

	slurm_mutex_lock(&lock);
	rc = ledger ? _continue(ledger, &info, &shape) : _begin(&shape);
	budget.gap_to = 0;
	if (rc == SLURM_SUCCESS)
		unseen_keep(&budget);
	slurm_mutex_unlock(&lock);
	if (rc != SLURM_SUCCESS)
		error("priority/budget: no memory for the usage window");
	return rc;
}

static int _encode(uint8_t **data, size_t *size, sb_err_t *err)
{
	sb_state_info_t info = { .written = time(NULL) };
	sb_ledger_t *copy;
	int rc;

	slurm_mutex_lock(&lock);
	info.seeded = budget.seeded;
	/* Our own part is complete, and nobody must read it twice. */
	info.seed_until = budget.seed_until;
	info.gap_from = unseen_since(&budget);
	strlcpy(info.cluster, host_get().cluster, sizeof(info.cluster));
	strlcpy(info.charge_tres, budget.params->charge_tres,
		sizeof(info.charge_tres));
	/* Encoding a large one takes as long as slurmctld may not wait: at a
	 * job's end it wants our lock with its own held. */
	copy = sb_ledger_copy(budget.ledger);
	slurm_mutex_unlock(&lock);
	if (!copy)
		return sb_err_set(err, "no memory for a copy");
	rc = sb_state_encode(copy, &info, data, size, err);
	sb_ledger_destroy(copy);
	return rc;
}

static bool _is_seeding(void)
{
	bool seeding;

	slurm_mutex_lock(&lock);
	seeding = budget.seeding;
	slurm_mutex_unlock(&lock);
	return seeding;
}

extern void budget_save(bool final)
{
	int64_t begin = compat_monotonic();
	uint8_t *data = NULL;
	size_t size;
	sb_err_t err;

	if (!final && ((begin < next_save) || _is_seeding()))
		return;
	if (_encode(&data, &size, &err))
		error("priority/budget: cannot save usage: %s", err.text);
	else
		(void) statefile_write(&state_file, data, size);
	free(data);
	next_save = begin + (compat_monotonic() - begin) * SAVE_DUTY;
}

extern void budget_destroy(void)
{
	slurm_mutex_lock(&lock);
	sb_ledger_destroy(budget.ledger);
	sb_params_destroy(budget.params);
	unseen_free(&budget);
	memset(&budget, 0, sizeof(budget));
	slurm_mutex_unlock(&lock);
	next_save = 0;
}
