/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "usage.h"

/* The ledger wants instants above 0, and an hour's edges where clocks have
 * them: a workload without an origin begins here, epoch seconds. */
#define EPOCH (366 * (int64_t) SB_DAY)

/* Sums over the running jobs of one association. Charges are
 *     ledger(t) + rate t - since        committed = until - left t
 * with t in seconds of the replay. */
typedef struct {
	bool still;		/* nothing runs, nothing expires: told, and the
				 * same until something else happens */
	bool fresh;
	bool charged;		/* begin and slope are of what the ledger has */
	double begin, slope;	/* of what is charged: at `edge_from`, per
				 * second */
	double rate, since;
	double left, until;
	int64_t next;		/* a protection ends: sums change */
} share_t;

struct usage {
	sim_t *sim;
	sb_ledger_t *ledger;
	int64_t base;		/* epoch of second 0 */
	int64_t last_pass;	/* seconds of the replay, as below */
	int64_t edge_from, edge_to;	/* the window expires linearly here */
	share_t *shares;	/* by association */
};

extern usage_t *usage_create(sim_t *sim)
{
	sb_window_shape_t shape = sb_window_shape(sim->params->window);
	usage_t *usage = calloc(1, sizeof(*usage));

	if (!usage)
		return NULL;
	usage->sim = sim;
	usage->base = sim->workload->origin > 0 ? sim->workload->origin :
		      EPOCH;
	usage->ledger = sb_ledger_create(&shape, usage->base);
	usage->shares = calloc(sim->workload->assoc_count,
			       sizeof(*usage->shares));
	if (!usage->ledger || !usage->shares) {
		usage_destroy(usage);
		return NULL;
	}
	return usage;
}

extern void usage_destroy(usage_t *usage)
{
	if (!usage)
		return;
	sb_ledger_destroy(usage->ledger);
	free(usage->shares);
	free(usage);
}

/* The ledger knows no id 0. */
static uint32_t assoc_id(uint32_t assoc)
{
	return assoc + 1;
}

static double charge_factor(const usage_t *usage, const sim_job_t *job)
{
	sb_contract_t contract = { .class = job->class };

	return sb_contract_charge(&contract, usage->sim->params);
}

/* Protection left, of what counts as committed. */
static int64_t time_left(const sim_job_t *job, int64_t now)
{
	sb_contract_t contract = { .granted = job->granted };

	if (job->class == SB_CLASS_UNALLOCATED)
		return 0;
	return sb_contract_left(&contract, now - job->start);
}

static sb_attempt_t attempt_of(const usage_t *usage, uint32_t number,
			       int64_t now)
{
	const sim_job_t *job = &usage->sim->jobs[number];

	return (sb_attempt_t) {
		.job_id = number + 1,
		.assoc_id = assoc_id(sim_asked(usage->sim, number)->assoc),
		.start = usage->base + job->start,
		.rate = job->rate,
		.factor = charge_factor(usage, job),
		.left = time_left(job, now),
	};
}

/* A job's part of the sums, since the last pass or its start. */
static void sum_job(const usage_t *usage, const sim_job_t *job, int64_t now,
		    double sign, share_t *share)
{
	double rate = sign * job->rate * charge_factor(usage, job);
	int64_t since = job->start > usage->last_pass ? job->start :
			usage->last_pass;
	int64_t left = time_left(job, now);

	share->rate += rate;
	share->since += rate * (double) since;
	if (!left)
		return;
	share->left += rate;
	share->until += rate * (double) (now + left);
	if (now + left < share->next)
		share->next = now + left;
}

/* In between walks over all that run, sums follow starts and ends: exact for
 * whole rates, and each pass begins them anew. */
extern void usage_started(usage_t *usage, uint32_t number)
{
	share_t *share = &usage->shares[sim_asked(usage->sim, number)->assoc];

	share->still = false;
	if (share->fresh)
		sum_job(usage, &usage->sim->jobs[number], usage->sim->now, 1,
			share);
}

extern int usage_ended(usage_t *usage, uint32_t number)
{
	sb_attempt_t attempt = attempt_of(usage, number, usage->sim->now);
	share_t *share = &usage->shares[sim_asked(usage->sim, number)->assoc];

	/* What has expired since the last walk is still in the sums. */
	if (share->next <= usage->sim->now)
		share->fresh = false;
	if (share->fresh)
		sum_job(usage, &usage->sim->jobs[number], usage->sim->now, -1,
			share);
	share->charged = share->still = false;
	attempt.end = usage->base + usage->sim->now;
	/* As with slurmctld: no end at the start. */
	if (attempt.end == attempt.start)
		return 0;
	return sb_ledger_close(usage->ledger, &attempt);
}

/* RET: 0, or -1 without memory. */
static int observe_all(const usage_t *usage, sb_ledger_t *ledger, int64_t now)
{
	const sim_t *sim = usage->sim;
	int rc = 0;

	sb_ledger_begin(ledger, usage->base + now);
	for (size_t i = 0; i < sim->workload->assoc_count; i++)
		for (uint32_t j = sim->running[i]; j != ENGINE_NONE;
		     j = sim->jobs[j].next) {
			sb_attempt_t attempt = attempt_of(usage, j, now);

			rc |= sb_ledger_observe(ledger, &attempt);
		}
	return rc | sb_ledger_end(ledger, NULL);
}

static int pass_over(usage_t *usage, int64_t now)
{
	int rc = observe_all(usage, usage->ledger, now);

	for (size_t i = 0; i < usage->sim->workload->assoc_count; i++) {
		usage->shares[i].fresh = usage->shares[i].still = false;
		usage->shares[i].charged = false;
	}
	/* The ends of these were told: no look will show them again. */
	sb_ledger_forget(usage->ledger, usage->base + now);
	usage->sim->figures.ledger_passes++;
	usage->last_pass = now;
	return rc;
}

/* The window between two edges of its buckets, around `now`. */
static void find_edges(usage_t *usage, int64_t now)
{
	const sb_window_shape_t *shape = sb_ledger_shape(usage->ledger);
	int64_t begin = usage->base + now - shape->width;
	int64_t ahead = begin % shape->grain;

	if (ahead < 0)
		ahead += shape->grain;
	usage->edge_from = now;
	usage->edge_to = now - ahead + shape->grain;
}

/* What is charged already, between the two edges. */
static void sum_charged(const usage_t *usage, uint32_t assoc, share_t *share)
{
	double end;

	share->begin = sb_ledger_usage(usage->ledger, assoc_id(assoc),
				       usage->base + usage->edge_from);
	end = sb_ledger_usage(usage->ledger, assoc_id(assoc),
			      usage->base + usage->edge_to);
	share->slope = (end - share->begin) /
		       (double) (usage->edge_to - usage->edge_from);
	share->charged = true;
}

static void refresh(usage_t *usage, uint32_t assoc, int64_t now)
{
	share_t *share = &usage->shares[assoc];
	const sim_t *sim = usage->sim;

	if (!share->fresh || now >= share->next) {
		*share = (share_t) {
			.fresh = true,
			.charged = share->charged,
			.begin = share->begin,
			.slope = share->slope,
			.next = SIM_NEVER,
		};
		for (uint32_t i = sim->running[assoc]; i != ENGINE_NONE;
		     i = sim->jobs[i].next)
			sum_job(usage, &sim->jobs[i], now, 1, share);
	}
	if (!share->charged)
		sum_charged(usage, assoc, share);
}

static uint64_t whole(double amount)
{
	if (!(amount > 0))
		return 0;
	return amount < (double) SB_USAGE_MAX ? (uint64_t) llrint(amount) :
	       SB_USAGE_MAX;
}

extern int usage_fill(usage_t *usage, int64_t now, sb_tree_node_t *nodes)
{
	const sim_t *sim = usage->sim;

	if (now >= usage->edge_to) {
		if (pass_over(usage, now))
			return -1;
		find_edges(usage, now);
	}
	for (uint32_t i = 0; i < sim->workload->assoc_count; i++) {
		share_t *share = &usage->shares[i];

		if (share->still)
			continue;
		if (!share->fresh || !share->charged || now >= share->next)
			refresh(usage, i, now);
		nodes[i].own_usage = whole(share->begin + share->slope *
			(double) (now - usage->edge_from) +
			share->rate * (double) now - share->since);
		nodes[i].own_committed = !sim->params->commitment ? 0 :
			whole(share->until - share->left * (double) now);
		nodes[i].own_running = share->rate;
		share->still = share->rate == 0 && share->slope == 0 &&
			       share->left == 0;
	}
	return 0;
}

/* Both are rounded to whole charges, by another path. */
static bool same(double a, double b)
{
	return fabs(a - b) <= 1 + 1e-9 * fabs(a);
}

extern bool usage_check(const usage_t *usage, int64_t now,
			const sb_tree_node_t *nodes)
{
	sb_ledger_t *ledger = sb_ledger_copy(usage->ledger);
	const sim_t *sim = usage->sim;
	bool good;

	if (!ledger)
		return true;
	good = !observe_all(usage, ledger, now) && sb_ledger_check(ledger);
	for (uint32_t i = 0; good && i < sim->workload->assoc_count; i++) {
		uint32_t id = assoc_id(i);

		good = same((double) nodes[i].own_usage,
			    sb_ledger_usage(ledger, id, usage->base + now)) &&
		       same(nodes[i].own_running,
			    sb_ledger_running(ledger, id)) &&
		       (!sim->params->commitment ||
			same((double) nodes[i].own_committed,
			     sb_ledger_committed(ledger, id)));
	}
	sb_ledger_destroy(ledger);
	return good;
}
