/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "billing.h"
#include "limits.h"
#include "settings.h"
#include "words.h"

static const struct {
	const char *name;
	engine_policy_t policy;
	bool qos;
} policies[] = {
	{ "budget", ENGINE_BUDGET, false },
	{ "multifactor", ENGINE_MULTIFACTOR, false },
	{ "multifactor-qos", ENGINE_MULTIFACTOR, true },
	{ "fifo", ENGINE_FIFO, false },
	{ "priority", ENGINE_PRIORITY, false },
};
#define POLICIES (sizeof(policies) / sizeof(*policies))

#define WORD(kind, field, min, max) \
	{ #field, kind, offsetof(settings_t, engine.field), min, max }
#define NAMED(name, kind, field, min, max) \
	{ name, kind, offsetof(settings_t, field), min, max }

/* The engine checks them once more, all together. */
static const words_t words[] = {
	WORD(WORDS_TIME, calc_period, 1, SB_SETTING_TIME_MAX),
	WORD(WORDS_TIME, half_life, 0, SB_SETTING_TIME_MAX),
	WORD(WORDS_TIME, exempt_time, 0, SB_SETTING_TIME_MAX),
	WORD(WORDS_REAL, account_limit, 0, 1000),
	WORD(WORDS_TIME, grace_time, 0, SB_SETTING_TIME_MAX),
	WORD(WORDS_TIME, kill_time, 0, SB_SETTING_TIME_MAX),
	WORD(WORDS_TIME, epilog_time, 0, SB_SETTING_TIME_MAX),
	WORD(WORDS_TIME, restart_time, 0, SB_SETTING_TIME_MAX),
	WORD(WORDS_TIME, default_limit, 0, SB_SETTING_TIME_MAX),
	/* SchedulerParameters: seconds, but for bf_window */
	WORD(WORDS_WHOLE, requeue_delay, 0, SB_SETTING_TIME_MAX),
	WORD(WORDS_WHOLE, sched_interval, 1, SB_SETTING_TIME_MAX),
	WORD(WORDS_WHOLE, batch_sched_delay, 0, SB_SETTING_TIME_MAX),
	NAMED("default_queue_depth", WORDS_COUNT, engine.queue_depth, 1,
	      1000000),
	WORD(WORDS_BOOL, backfill, 0, 0),
	WORD(WORDS_WHOLE, bf_interval, 1, 3 * SB_HOUR),
	NAMED("bf_window", WORDS_WHOLE, bf_window, 1, 43200),
	WORD(WORDS_WHOLE, bf_resolution, 1, SB_HOUR),
	WORD(WORDS_COUNT, bf_max_job_test, 1, 1000000),
	WORD(WORDS_COUNT, bf_max_job_assoc, 0, 1000000),
	/* an admin's reservations */
	WORD(WORDS_COUNT, reserve_nodes, 0, ENGINE_NODES_MAX),
	WORD(WORDS_TIME, reserve_lead, 0, SB_SETTING_TIME_MAX),
	WORD(WORDS_BOOL, reserve_under, 0, 0),
};
#define WORDS (sizeof(words) / sizeof(*words))

extern void settings_begin(settings_t *settings, const generate_t *generate,
			   uint64_t seed)
{
	memset(settings, 0, sizeof(*settings));
	settings->engine = engine_options_default;
	settings->bf_window = settings->engine.bf_window / SB_MINUTE;
	settings->seed = seed;
	if (generate) {
		settings->generates = true;
		settings->generate = *generate;
	}
}

/* RET: false: no policy has this name. */
static bool set_policy(settings_t *settings, const char *name, size_t len)
{
	for (size_t i = 0; i < POLICIES; i++) {
		if (strlen(policies[i].name) != len ||
		    strncasecmp(policies[i].name, name, len))
			continue;
		settings->engine.policy = policies[i].policy;
		settings->engine.qos_preempt = policies[i].qos;
		return true;
	}
	return false;
}

extern const char *settings_policy(const settings_t *settings)
{
	for (size_t i = 0; i < POLICIES; i++) {
		if (policies[i].policy == settings->engine.policy &&
		    policies[i].qos == settings->engine.qos_preempt)
			return policies[i].name;
	}
	return engine_policy_name(settings->engine.policy);
}

static int no_policy(const char *text, size_t len, sb_err_t *err)
{
	char shown[64];

	sb_err_quote(shown, sizeof(shown), text, len);
	return sb_err_set(err, "there is no policy \"%s\" (budget, multifactor, multifactor-qos, fifo, priority)",
			  shown);
}

/* Take a word out of the list of PriorityParameters. */
static void forget(char *params, const char *name, size_t len)
{
	for (char *at = params; *at; ) {
		size_t size = strcspn(at, ",");

		if (strcspn(at, ",=") == len && !strncasecmp(at, name, len)) {
			size += at[size] == ',';
			memmove(at, at + size, strlen(at + size) + 1);
			continue;
		}
		at += size;
		at += *at == ',';
	}
	len = strlen(params);
	if (len && params[len - 1] == ',')
		params[len - 1] = '\0';
}

/* What only the core can judge goes to it as it is. */
static int add_param(settings_t *settings, const char *word, size_t len,
		     size_t name_len, sb_err_t *err)
{
	char *params = settings->params;
	size_t used;

	forget(params, word, name_len);
	used = strlen(params);
	if (used + len + 2 > sizeof(settings->params))
		return sb_err_set(err, "more PriorityParameters than %d bytes",
				  SETTINGS_PARAMS_MAX);
	if (used)
		params[used++] = ',';
	memcpy(params + used, word, len);
	params[used + len] = '\0';
	return 0;
}

static const struct {
	const char *name;
	engine_charge_t charge;
} charges[] = {
	{ "gpu", ENGINE_CHARGE_GPU },
	{ "sum", ENGINE_CHARGE_SUM },
	{ "max", ENGINE_CHARGE_MAX },
	{ "drf", ENGINE_CHARGE_DRF },
};
#define CHARGES (sizeof(charges) / sizeof(*charges))

static int set_charge(settings_t *settings, const char *name, size_t len,
		      sb_err_t *err)
{
	char shown[64];

	for (size_t i = 0; i < CHARGES; i++) {
		if (strlen(charges[i].name) != len ||
		    strncasecmp(charges[i].name, name, len))
			continue;
		settings->engine.charge = charges[i].charge;
		return 0;
	}
	sb_err_quote(shown, sizeof(shown), name, len);
	return sb_err_set(err, "charge=%s: gpu, sum, max or drf", shown);
}

static int set_count(settings_t *settings, const char *name, size_t len,
		     sb_err_t *err)
{
	bool dominant = len == strlen("dominant") &&
			!strncasecmp(name, "dominant", len);
	char shown[64];

	settings->count_dominant = dominant;
	if (dominant || (len == strlen("gpu") &&
			 !strncasecmp(name, "gpu", len)))
		return 0;
	sb_err_quote(shown, sizeof(shown), name, len);
	return sb_err_set(err, "count=%s: gpu or dominant", shown);
}

/* "CPU=1" behind "weights=": those that follow come as words of their own. */
static int set_weights(settings_t *settings, const char *list, size_t len,
		       sb_err_t *err)
{
	const char *equals = memchr(list, '=', len);
	size_t name_len = equals ? (size_t)(equals - list) : len;

	settings->engine.weights = (engine_weights_t) { 0 };
	if (settings->engine.charge == ENGINE_CHARGE_GPU)
		settings->engine.charge = ENGINE_CHARGE_SUM;
	return billing_weight(&settings->engine.weights, list, name_len,
			      list + name_len + (name_len < len),
			      len - name_len - (name_len < len), err);
}

/* RET: 1: it was none of these; 0, or -1 with err. */
static int add_charge(settings_t *settings, const char *word, size_t name_len,
		      const char *value, size_t value_len, sb_err_t *err)
{
	if (name_len == strlen("charge") &&
	    !strncasecmp(word, "charge", name_len))
		return set_charge(settings, value, value_len, err);
	if (name_len == strlen("count") &&
	    !strncasecmp(word, "count", name_len))
		return set_count(settings, value, value_len, err);
	if (name_len == strlen("weights") &&
	    !strncasecmp(word, "weights", name_len))
		return set_weights(settings, value, value_len, err);
	if (!billing_knows(word, name_len))
		return 1;
	return billing_weight(&settings->engine.weights, word, name_len, value,
			      value_len, err);
}

static int add_word(settings_t *settings, const char *word, size_t len,
		    sb_err_t *err)
{
	size_t name_len = strcspn(word, ",=");
	const char *value = word + name_len + (name_len < len);
	size_t value_len = len - (size_t)(value - word);
	int rc;

	if (name_len == strlen("policy") &&
	    !strncasecmp(word, "policy", name_len))
		return set_policy(settings, value, value_len) ? 0 :
			no_policy(value, value_len, err);
	rc = add_charge(settings, word, name_len, value, value_len, err);
	if (rc <= 0)
		return rc;
	if (words_find(word, name_len, words, WORDS) >= 0) {
		if (words_set(word, name_len, value, value_len, words, WORDS,
			      settings, err))
			return -1;
		settings->engine.bf_window = settings->bf_window * SB_MINUTE;
		return 0;
	}
	if (settings->generates && generate_knows(word, name_len))
		return generate_change(&settings->generate, word, name_len,
				       value, value_len, err);
	return add_param(settings, word, len, name_len, err);
}

extern int settings_add(settings_t *settings, const char *list, sb_err_t *err)
{
	while (*list) {
		size_t len = strcspn(list, ",");

		if (add_word(settings, list, len, err))
			return -1;
		list += len;
		if (*list && !*++list)
			return sb_err_set(err, "nothing behind the last comma");
	}
	return 0;
}

extern int settings_variant(settings_t *settings, const char *text,
			    sb_err_t *err)
{
	size_t len = strcspn(text, ":");

	snprintf(settings->label, sizeof(settings->label), "%s", text);
	if (!memchr(text, '=', len)) {
		if (!set_policy(settings, text, len))
			return no_policy(text, len, err);
		text += len;
		text += *text == ':';
	}
	return settings_add(settings, text, err);
}

extern sb_params_t *settings_params(const settings_t *settings, sb_err_t *err)
{
	return sb_params_parse(settings->params, err);
}
