/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/common/plugin.h"
#include "src/slurm_compat/compat.h"

#include "calls.h"
#include "database.h"
#include "edits.h"
#include "holds.h"
#include "release.h"
#include "steps.h"
#include "subject.h"
#include "sums.h"
#include "unseen.h"

typedef struct {
	uint32_t (*set)(uint32_t, job_record_t *);
	void (*reconfig)(bool);
	void (*job_end)(job_record_t *);
	release_start_t start;
} priority_ops_t;

static const char *priority_names[] = {
	"priority_p_set", "priority_p_reconfig", "priority_p_job_end",
	RELEASE_START_NAMES
};
static const char *preempt_names[] = {
	"preempt_p_job_preempt_check", "preempt_p_preemptable",
	RELEASE_PREEMPT_PRIO,
};

static bool ours;
static const options_t *options;
static const state_t *state;
static priority_ops_t priority;
static preempt_ops_t preempt;		/* minruntime, or qos */
static preempt_ops_t preempt_part;	/* stock only */
static double bytes_before, bytes_loaded;
static uint32_t turn;

static double _bytes(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void _add(figures_t *figures, const char *name, double value)
{
	if (figures->count == FIGURES)
		abort();
	figures->rows[figures->count].name = name;
	figures->rows[figures->count++].value = value;
}

static void _add_step(figures_t *figures, const step_t *step)
{
	static const char *const names[HOLD_KINDS][5] = {
#define ROW(kind) { kind ".total_ms", kind ".total_cpu_ms", \
	kind ".longest_ms", kind ".longest_cpu_ms", kind ".count" }
		ROW("job_write"), ROW("job_read"), ROW("assoc_write"),
		ROW("assoc_read"), ROW("own_mutex"),
#undef ROW
	};
	hold_t holds[HOLD_KINDS];

	holds_get(holds);
	_add(figures, "cpu_ms", step->cpu);
	_add(figures, "wall_ms", step->wall);
	for (int i = 0; i < HOLD_KINDS; i++) {
		_add(figures, names[i][0], holds[i].total);
		_add(figures, names[i][1], holds[i].total_cpu);
		_add(figures, names[i][2], holds[i].longest);
		_add(figures, names[i][3], holds[i].longest_cpu);
		_add(figures, names[i][4], holds[i].count);
	}
	_add(figures, "job.longest_ms", MAX(holds[HOLD_JOB_WRITE].longest,
					    holds[HOLD_JOB_READ].longest));
	_add(figures, "job.longest_cpu_ms",
	     MAX(holds[HOLD_JOB_WRITE].longest_cpu,
		 holds[HOLD_JOB_READ].longest_cpu));
}

static bool _step(const char *thread, figures_t *figures)
{
	step_t step;

	holds_clear();
	if (!steps_run(thread, true, &step))
		return false;
	_add_step(figures, &step);
	return true;
}

/* One recomputation of everything. */
static bool _full(figures_t *figures)
{
	if (ours)
		priority.reconfig(false);
	return _step(ours ? "budget" : "decay", figures);
}

/* The same, and it finds that the time limit of a running job was edited. */
static bool _edited(figures_t *figures)
{
	job_record_t *job_ptr;

	if (!ours || !state->running_count)
		return false;
	job_ptr = state->running[turn++ % state->running_count];
	acct_policy_alter_job(job_ptr, job_ptr->time_limit + 1);
	job_ptr->time_limit++;
	return _full(figures);
}

/* Jobs have changed, and no rank. */
static bool _quick(figures_t *figures)
{
	if (!ours)
		return false;
	last_job_update = time(NULL);
	return _step("budget", figures);
}

/* One job in a hundred has ended, and others have started: ranks move. */
static bool _moved(figures_t *figures)
{
	if (!ours)
		return false;
	turn++;
	for (size_t i = 0; i < state->running_count; i++) {
		job_record_t *job_ptr = state->running[i];

		if (i % 100 != turn % 100)
			continue;
		job_ptr->start_time = time(NULL) - 1;
		job_ptr->tres_alloc_cnt[TRES_ARRAY_BILLING] =
			1 + (turn + i) % 64;
	}
	last_job_update = time(NULL);
	return _step("budget", figures);
}

static bool _look(figures_t *figures)
{
	if (!ours)
		return false;
	last_job_update = time(NULL);
	return _step("minruntime", figures);
}

static bool _set(figures_t *figures)
{
	_add(figures, "ns", calls_set(priority.set));
	return true;
}

static bool _calls(figures_t *figures, double (*call)(const preempt_ops_t *))
{
	if (!state->running_count)
		return false;
	_add(figures, "ns", call(&preempt));
	_add(figures, "yes", calls_yes());
	/* Ours stands against either of the stock plugins. */
	_add(figures, "ns_partition_prio",
	     ours ? figures->rows[0].value : call(&preempt_part));
	return true;
}

static bool _measure_running(figures_t *figures)
{
	return _calls(figures, calls_running);
}

static bool _measure_all(figures_t *figures)
{
	return _calls(figures, calls_all);
}

static bool _measure_prio(figures_t *figures)
{
	return _calls(figures, calls_prio);
}

static bool _measure_check(figures_t *figures)
{
	return _calls(figures, calls_check);
}

static bool _watcher_looks(void)
{
	step_t step;

	/* It reads comments no more than once a second. */
	sleep(2);
	last_job_update = time(NULL);
	return steps_run("minruntime", false, &step);
}

static bool _recompute(void)
{
	figures_t unused = { 0 };

	return _full(&unused);
}

/* No figure of speed: answers about jobs that are not what they were. */
static bool _stale(figures_t *figures)
{
	if (!ours || !state->running_count)
		return false;
	_add(figures, "asked", calls_stale(&preempt));
	_add(figures, "wrong", calls_wrong());
	_add(figures, "sorted", calls_order(&preempt, _watcher_looks));
	_add(figures, "disorder", calls_wrong());
	_add(figures, "funded", calls_funding(&preempt, _recompute));
	_add(figures, "misfunded", calls_wrong());
	return true;
}

/* No figure of speed either: passes while jobs begin, end and are edited in
 * between, then one that finds an edit from before and is to get it right.
 * Behind it some jobs of the state are gone. */
static void _edits_round(long round)
{
	edits_on(round & 1, EDITS_ANY);
	(void) _recompute();
	/* In half of the rounds nothing makes the next pass count anew but what
	 * this one has left behind. */
	edits_on(round & 1, (round & 2) ? EDITS_EXACT : EDITS_NONE);
	if (round & 2)
		edits_edit();
}

/* RET: wrong sums after a pass that is so many seconds ahead. */
static long _edits_pass(time_t ahead, long *compared)
{
	time_t now = edits_stop_clock(ahead);

	(void) _recompute();
	edits_start_clock();
	edits_off();
	*compared += edits_compare(now);
	return sums_wrong();
}

static bool _edits(figures_t *figures)
{
	long compared = 0, wrong = 0;

	if (!ours || !state->running_count)
		return false;
	edits_begin(options, state, priority.job_end);
	for (long i = 0; i < options->rounds; i++) {
		_edits_round(i);
		wrong += _edits_pass(0, &compared);
	}
	_add(figures, "done", edits_done());
	_add(figures, "compared", compared);
	_add(figures, "used", sums_used());
	_add(figures, "wrong", wrong);
	/* Nothing is left to be found. */
	(void) _edits_pass(1, &compared);
	for (int i = 0; unseen_name(i); i++) {
		/* Behind the pass before. */
		(void) edits_stop_clock(2 + i);
		unseen_do(i);
		_add(figures, unseen_name(i), _edits_pass(0, &compared));
	}
	/* What nothing shows is right an hour later. */
	edits_spoil();
	_add(figures, "spoilt", _edits_pass(20, &compared));
	_add(figures, "spoilt_later", _edits_pass(3700, &compared));
	return true;
}

/* An edited job, and others begin in each gap: a recount finds all of them only
 * when it lets nobody in. */
static bool _busy(figures_t *figures)
{
	bool good;

	if (!ours || !state->running_count)
		return false;
	edits_begin(options, state, priority.job_end);
	edits_begin_only();
	good = _edited(figures);
	edits_off();
	return good;
}

static bool _measure_bytes(figures_t *figures)
{
	_add(figures, "loaded", bytes_loaded - bytes_before);
	_add(figures, "now", _bytes() - bytes_before);
	return true;
}

/* The week before from slurmdbd, which answers at once. */
static bool _seed(figures_t *figures)
{
	double before = _bytes();

	if (!ours || !options->hours)
		return false;
	database_answer(true);
	sleep(3);
	if (!_step("budget_hist", figures))
		return false;
	_add(figures, "bytes", _bytes() - before);
	return true;
}

static const struct {
	const char *name;
	bool (*run)(figures_t *figures);
	bool once;
} measurements[] = {
	{ "full", _full, false },
	{ "edited", _edited, false },
	{ "quick", _quick, false },
	{ "moved", _moved, false },
	{ "look", _look, false },
	{ "set", _set, false },
	{ "preemptable", _measure_running, false },
	{ "preemptable_all", _measure_all, false },
	{ "get_prio", _measure_prio, false },
	{ "queue_check", _measure_check, false },
	{ "bytes", _measure_bytes, false },
	{ "stale", _stale, true },
	{ "edited_busy", _busy, false },
	{ "edits", _edits, true },
	{ "seed", _seed, true },
};

#define COUNT (sizeof(measurements) / sizeof(measurements[0]))

extern const char *subject_measurement(int number)
{
	return ((size_t) number < COUNT) ? measurements[number].name : NULL;
}

extern bool subject_once(int number)
{
	return measurements[number].once;
}

extern bool subject_measure(int number, figures_t *figures)
{
	figures->count = 0;
	return measurements[number].run(figures);
}

static bool _load_preempt(const char *type, preempt_ops_t *ops)
{
	return plugin_context_create("preempt", type, (void **) ops,
				     preempt_names, sizeof(preempt_names));
}

static bool _load_priority(const char *type)
{
	xfree(slurm_conf.priority_type);
	slurm_conf.priority_type = xstrdup(type);
	if (!plugin_context_create("priority", type, (void **) &priority,
				   priority_names, sizeof(priority_names)))
		return false;
	release_start(&priority.start);
	return true;
}

/* RET: true when the plugins' threads stand, and everything was done once. */
static bool _settle(void)
{
	step_t step;

	if (!ours)
		return steps_wait("decay");
	if (!steps_wait("budget") || !steps_wait("budget_hist") ||
	    !steps_wait("minruntime"))
		return false;
	for (int i = 0; i < 3; i++) {
		last_job_update = time(NULL);
		if (!steps_run("minruntime", false, &step))
			return false;
	}
	return true;
}

extern bool subject_load(bool is_ours, const options_t *sizes,
			 const state_t *jobs)
{
	ours = is_ours;
	options = sizes;
	state = jobs;
	calls_begin(sizes->calls, jobs);
	bytes_before = _bytes();
	steps_begin();
	if (ours) {
		if (!_load_priority("priority/budget") ||
		    !_load_preempt("preempt/minruntime", &preempt))
			return false;
	} else if (!_load_priority("priority/multifactor") ||
		   !_load_preempt("preempt/qos", &preempt) ||
		   !_load_preempt("preempt/partition_prio", &preempt_part))
		return false;
	holds_watch_plugin(ours ? "/priority_budget.so" :
			   "/priority_multifactor.so");
	if (!_settle())
		return false;
	bytes_loaded = _bytes();
	return true;
}
