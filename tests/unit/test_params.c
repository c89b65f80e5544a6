/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "suite.h"

#define D10 "0123456789"
#define D30 D10 D10 D10
#define D120 D30 D30 D30 D30

static void check_default(const sb_params_t *params)
{
	ck_assert_int_eq(params->window, 604800);
	ck_assert_str_eq(params->charge_tres, "billing");
	ck_assert_double_eq(params->unallocated_charge, 0);
	ck_assert(params->commitment);
	ck_assert_int_eq(params->order, SB_ORDER_BUDGET);
	ck_assert_int_eq(params->min_runtime_max, 28800);
	ck_assert_uint_eq(params->cap_count, 0);
	ck_assert_int_eq(params->min_runtime_default, 0);
	ck_assert_int_eq(params->undeclared, SB_UNDECLARED_CHARGE);
	ck_assert(!params->preempt_shadow);
	ck_assert_int_eq(params->preempt_by, SB_PREEMPT_BY_BUDGET);
	ck_assert_double_eq(params->preempt_margin, 0.10);
	ck_assert_double_eq(params->burst, 2);
	ck_assert_uint_eq(params->gang_nodes, 4);
	ck_assert_int_eq(params->gang_wait, 14400);
	ck_assert_int_eq(params->debug_runtime, 900);
	ck_assert_double_eq(params->protect_growth, 1);
	ck_assert(!params->not_requeueable_spare);
	ck_assert(params->drain_requeue);
}

static const char *const empty[] = { NULL, "", " ", "\t  " };

START_TEST(defaults)
{
	sb_params_t *params = sb_params_parse(empty[_i], NULL);

	ck_assert_ptr_nonnull(params);
	check_default(params);
	sb_params_destroy(params);
	params = sb_params_create();
	check_default(params);
	sb_params_destroy(params);
	sb_params_destroy(NULL);
}
END_TEST

START_TEST(every_word)
{
	sb_err_t err = { "" };
	sb_params_t *params = sb_params_parse(
		"window=1-12,charge_tres=gres/gpu:h100,unallocated_charge=0.25,"
		"commitment=no,order=weighted,min_runtime_max=6h,"
		"min_runtime_max@debug=30,min_runtime_max@Debug=0,"
		"min_runtime_default=10,undeclared=reject,preempt=shadow,"
		"preempt_by=qos,preempt_margin=0.9,burst=1.5,gang_nodes=65536,"
		"gang_wait=0,debug_runtime=30,protect_growth=10,"
		"not_requeueable=spare,drain_requeue=no", &err);

	ck_assert_msg(params != NULL, "%s", err.text);
	ck_assert_int_eq(params->window, 129600);
	ck_assert_str_eq(params->charge_tres, "gres/gpu:h100");
	ck_assert_double_eq(params->unallocated_charge, 0.25);
	ck_assert(!params->commitment);
	ck_assert_int_eq(params->order, SB_ORDER_WEIGHTED);
	ck_assert_int_eq(params->min_runtime_max, 21600);
	ck_assert_uint_eq(params->cap_count, 2);
	ck_assert_int_eq(params->min_runtime_default, 600);
	ck_assert_int_eq(params->undeclared, SB_UNDECLARED_REJECT);
	ck_assert(params->preempt_shadow);
	ck_assert_int_eq(params->preempt_by, SB_PREEMPT_BY_QOS);
	ck_assert_double_eq(params->preempt_margin, 0.9);
	ck_assert_double_eq(params->burst, 1.5);
	ck_assert_uint_eq(params->gang_nodes, 65536);
	ck_assert_int_eq(params->gang_wait, 0);
	ck_assert_int_eq(params->debug_runtime, 1800);
	ck_assert_double_eq(params->protect_growth, 10);
	ck_assert(params->not_requeueable_spare);
	ck_assert(!params->drain_requeue);

	ck_assert_int_eq(sb_params_cap(params, NULL), 21600);
	ck_assert_int_eq(sb_params_cap(params, ""), 21600);
	ck_assert_int_eq(sb_params_cap(params, "gpu"), 21600);
	ck_assert_int_eq(sb_params_cap(params, "debug"), 1800);
	ck_assert_int_eq(sb_params_cap(params, "Debug"), 0);
	ck_assert_int_eq(sb_params_cap(params, "DEBUG"), 21600);
	ck_assert_int_eq(sb_params_cap(params, "debu"), 21600);
	ck_assert_int_eq(sb_params_cap(params, "debugg"), 21600);
	sb_params_destroy(params);
}
END_TEST

/* Text, and what sb_params_format() must say of it. */
static const struct {
	const char *text, *shows;
} good[] = {
	{ "window=1", "window=1:00," }, { "WINDOW=1:00", "window=1:00," },
	{ " window = 1:00 ", "window=1:00," },
	{ "\twindow\t=\t1:00\t, order = Weighted", "order=weighted," },
	{ "window=60s", "window=1:00," }, { "window=366d", "=366-00:00:00," },
	{ "window=366-0", "window=366-00:00:00," },
	{ "burst=0", "burst=0," }, { "burst=0.0", "burst=0," },
	{ "burst=000001", "burst=1," }, { "burst=1000", "burst=1000," },
	{ "burst=1000.000", "burst=1000," }, { "burst=1.10", "burst=1.1," },
	{ "burst=999.999999999", "burst=999.999999999," },
	{ "unallocated_charge=0", "unallocated_charge=0," },
	{ "unallocated_charge=1", "unallocated_charge=1," },
	{ "unallocated_charge=0.000000001", "_charge=0.000000001," },
	{ "preempt_margin=0", "preempt_margin=0," },
	{ "protect_growth=1.5", "protect_growth=1.5," },
	{ "gang_nodes=1", "gang_nodes=1," },
	{ "gang_nodes=00000000000000000000004", "gang_nodes=4," },
	{ "preempt=on", "preempt=on," }, { "preempt=ON", "preempt=on," },
	{ "preempt_by=partition", "preempt_by=partition," },
	{ "undeclared=free", "undeclared=free," },
	{ "charge_tres=cpu", "charge_tres=cpu," },
	{ "charge_tres=license/a_b-c.d", "charge_tres=license/a_b-c.d," },
	{ "min_runtime_max=0", "min_runtime_max=0:00," },
	{ "min_runtime_max@a=0", ",min_runtime_max@a=0:00" },
	{ "min_runtime_max@!~=0", ",min_runtime_max@!~=0:00" },
	{ "Min_Runtime_Max@A=1h", ",min_runtime_max@A=1:00:00" },
	{ "min_runtime_max @ a = 1h", ",min_runtime_max@a=1:00:00" },
	{ "min_runtime_default=1h,min_runtime_max=1h", "_default=1:00:00," },
	{ "min_runtime_max=10h,min_runtime_default=9h", "=9:00:00," },
	{ "min_runtime_max=5,min_runtime_max@a=6,min_runtime_max@b=7",
	  ",min_runtime_max@a=6:00,min_runtime_max@b=7:00" },
};

START_TEST(accepts)
{
	char first[2048], second[2048];
	sb_err_t err = { "untouched" };
	sb_params_t *params = sb_params_parse(good[_i].text, &err);

	ck_assert_msg(params != NULL, "%s", err.text);
	ck_assert_str_eq(err.text, "untouched");
	ck_assert_ptr_eq(sb_params_format(params, first, sizeof(first)),
			 first);
	ck_assert_msg(strstr(first, good[_i].shows) != NULL, "%s", first);
	sb_params_destroy(params);

	/* What is shown reads back to the same. */
	params = sb_params_parse(first, &err);
	ck_assert_msg(params != NULL, "%s", err.text);
	sb_params_format(params, second, sizeof(second));
	ck_assert_str_eq(first, second);
	sb_params_destroy(params);
}
END_TEST

/* Text, and what the refusal must say: word, value, what is allowed. */
static const struct {
	const char *text, *says;
} bad[] = {
	/* Unknown words. */
	{ "windwo=5", "unknown word \"windwo\", did you mean \"window\"?" },
	{ "win_dow=5", "did you mean \"window\"?" },
	{ "preempt-by=qos", "did you mean \"preempt_by\"?" },
	{ "min-runtime-max=5", "did you mean \"min_runtime_max\"?" },
	{ "minruntimemax@gpu=5", "did you mean \"min_runtime_max\"?" },
	{ "brust=5", "did you mean \"burst\"?" },
	{ "foo=5", "unknown word \"foo\"; allowed: window charge_tres " },
	{ "foo=5", " drain_requeue" },
	{ "foo", "unknown word \"foo\"; allowed: window" },
	{ "=", "unknown word \"\"; allowed: window" },
	{ "=5", "unknown word \"\"; allowed: window" },
	{ "@gpu=5", "unknown word \"\"; allowed: window" },
	{ "window 5", "unknown word \"window 5\"" },
	{ "window:5", "unknown word \"window:5\"" },
	{ "windows 7=5", "unknown word \"windows 7\"" },
	{ "w\xc3\xafndow=5", "unknown word \"w\\xc3\\xafndow\"" },
	{ "\x1b[2Jwindow=5", "unknown word \"\\x1b[2Jwindow\"" },
	{ "window\n=5", "unknown word \"window\\x0a\"" },
	{ D120 "=5", "unknown word \"01234567890123456789012345678...\"" },
	/* Lists. */
	{ ",", "member 1 of the list is empty" },
	{ ",window=5", "member 1 of the list is empty" },
	{ "window=5,", "member 2 of the list is empty" },
	{ "window=5, ,order=budget", "member 2 of the list is empty" },
	{ "window=5,,order=budget", "member 2 of the list is empty" },
	{ "window=5;order=budget", "window=5;order=budget: " },
	/* No value. */
	{ "window", "window=: no value; write window=VALUE" },
	{ "window=", "window=: no value" },
	{ "window= ,order=budget", "window=: no value" },
	{ "commitment", "commitment=: no value" },
	{ "min_runtime_max@gpu", "min_runtime_max@gpu=: no value" },
	{ "min_runtime_max@gpu=", "min_runtime_max@gpu=: no value" },
	{ "charge_tres=", "charge_tres=: no value" },
	/* Times. */
	{ "window=5x", "window=5x: \"5x\" is not a time (units are s, m, h and "
	  "d); allowed: 1:00 to 366-00:00:00" },
	{ "window=-5", "window=-5: \"-5\" is not a time" },
	{ "window=0", "window=0: too short; allowed: 1:00 to 366-00:00:00" },
	{ "window=59s", "window=59s: too short; allowed: 1:00 to" },
	{ "window=366-00:00:01", ": too long; allowed: 1:00 to 366-00:00:00" },
	{ "window=367d", "window=367d: too long" },
	{ "window=99999999999999999999", "allowed: 1:00 to 366-00:00:00" },
	{ "window=18446744073709551617", "allowed: 1:00 to 366-00:00:00" },
	{ "window=1.5h", "\"1.5h\" is not a time" },
	{ "window=1:60", "window=1:60: \"1:60\" is not a time" },
	{ "window=7 days", "window=7 days: \"7 days\" is not a time" },
	{ "window=infinite", "\"infinite\" is not a time" },
	{ "window==5", "window==5: \"=5\" is not a time" },
	{ "window=5=5", "window=5=5: " },
	{ "window=5\x01", "window=5\\x01: " },
	{ "window=" D120, "window=012345678901234567890...: \"0123" },
	{ "gang_wait=367d", "gang_wait=367d: too long; allowed: 0:00 to" },
	{ "debug_runtime=x", "debug_runtime=x: \"x\" is not a time" },
	{ "min_runtime_max=367d", "min_runtime_max=367d: too long" },
	{ "min_runtime_max@gpu=5x", "min_runtime_max@gpu=5x: \"5x\" is not" },
	{ "min_runtime_max@gpu=367d", "@gpu=367d: too long; allowed: 0:00" },
	/* Partitions. */
	{ "min_runtime_max@=5", "min_runtime_max@=5: not a partition name" },
	{ "min_runtime_max@ =5", "min_runtime_max@=5: not a partition name" },
	{ "min_runtime_max@a b=5", "@a b=5: not a partition name" },
	{ "min_runtime_max@a@b=5", "@a@b=5: not a partition name" },
	{ "min_runtime_max@\xc3\xa9=5", "@\\xc3\\xa9=5: not a partition name" },
	{ "min_runtime_max@a\x07=5", "@a\\x07=5: not a partition name" },
	{ "min_runtime_max@a\x7f=5", "@a\\x7f=5: not a partition name" },
	{ "min_runtime_max@12345678" D120 "=5", "...=5: not a partition name" },
	{ "min_runtime_max@a=5,min_runtime_max@a=5", "=5: the partition" },
	{ "min_runtime_max@a=5,min_runtime_max@b=5,MIN_RUNTIME_MAX@a=6",
	  "min_runtime_max@a=6: the partition comes twice" },
	{ "window@gpu=5", "window@gpu=5: only min_runtime_max may name a" },
	{ "min_runtime_default@gpu=5", "only min_runtime_max may name a" },
	/* Twice. */
	{ "window=5,window=5", "window=5: the word comes twice" },
	{ "window=5,order=budget,Window=6", "window=6: the word comes twice" },
	{ "min_runtime_max=5,min_runtime_max=6", "=6: the word comes twice" },
	{ "drain_requeue=no,drain_requeue=no", "the word comes twice" },
	/* Numbers. */
	{ "burst=x", "burst=x: not a number; allowed: 0 (off), or 1 to 1000" },
	{ "burst=0.5", "burst=0.5: out of range; allowed: 0 (off), or 1" },
	{ "burst=0.999999999", "out of range" },
	{ "burst=0.000000001", "out of range" },
	{ "burst=1000.1", "burst=1000.1: out of range" },
	{ "burst=1001", "burst=1001: out of range" },
	{ "burst=-1", "burst=-1: not a number" },
	{ "burst=+1", "burst=+1: not a number" },
	{ "burst=1,5", "unknown word \"5\"" },
	{ "burst=1;5", "burst=1;5: not a number" },
	{ "burst=1.", "burst=1.: not a number" },
	{ "burst=.5", "burst=.5: not a number" },
	{ "burst=.", "burst=.: not a number" },
	{ "burst=1.2.3", "burst=1.2.3: not a number" },
	{ "burst=1..3", "burst=1..3: not a number" },
	{ "burst=1e2", "burst=1e2: not a number" },
	{ "burst=0x2", "burst=0x2: not a number" },
	{ "burst=inf", "burst=inf: not a number" },
	{ "burst=nan", "burst=nan: not a number" },
	{ "burst=2 2", "burst=2 2: not a number" },
	{ "burst=2x", "burst=2x: not a number" },
	{ "burst=10%", "burst=10%: not a number" },
	{ "burst=1000000", "burst=1000000: not a number" },
	{ "burst=1.0000000001", "not a number" },
	{ "burst=" D120 D120, "burst=012345678901234567890...: not a number" },
	{ "unallocated_charge=1.1", "out of range; allowed: 0 to 1" },
	{ "unallocated_charge=-0.1", "not a number; allowed: 0 to 1" },
	{ "preempt_margin=0.91", "out of range; allowed: 0 to 0.9" },
	{ "preempt_margin=10", "out of range; allowed: 0 to 0.9" },
	{ "protect_growth=0.9", "out of range; allowed: 1 to 10" },
	{ "protect_growth=0", "out of range; allowed: 1 to 10" },
	{ "protect_growth=10.5", "out of range; allowed: 1 to 10" },
	/* Whole numbers. */
	{ "gang_nodes=0", "gang_nodes=0: allowed: a whole number, 1 to 65536" },
	{ "gang_nodes=65537", "allowed: a whole number, 1 to 65536" },
	{ "gang_nodes=-1", "gang_nodes=-1: allowed" },
	{ "gang_nodes=4.0", "gang_nodes=4.0: allowed" },
	{ "gang_nodes=4x", "gang_nodes=4x: allowed" },
	{ "gang_nodes=x4", "gang_nodes=x4: allowed" },
	{ "gang_nodes=4294967300", "gang_nodes=4294967300: allowed" },
	{ "gang_nodes=18446744073709551620", "allowed: a whole number" },
	{ "gang_nodes=" D120 D120 D120, "allowed: a whole number" },
	/* Choices. */
	{ "commitment=maybe", "commitment=maybe: allowed: no, yes" },
	{ "commitment=1", "commitment=1: allowed: no, yes" },
	{ "commitment=ye", "commitment=ye: allowed: no, yes" },
	{ "commitment=yess", "commitment=yess: allowed: no, yes" },
	{ "order=fifo", "order=fifo: allowed: budget, weighted" },
	{ "undeclared=yes", "allowed: charge, free, reject" },
	{ "preempt=off", "preempt=off: allowed: on, shadow" },
	{ "preempt_by=user", "allowed: budget, qos, partition" },
	{ "not_requeueable=keep", "allowed: cancel, spare" },
	{ "drain_requeue=y", "allowed: no, yes" },
	/* TRES. */
	{ "charge_tres=a b", "charge_tres=a b: not a TRES name; allowed" },
	{ "charge_tres=!cpu", "charge_tres=!cpu: not a TRES name" },
	{ "charge_tres=gpu=1", "charge_tres=gpu=1: not a TRES name" },
	{ "charge_tres=\xc3\xa9", "charge_tres=\\xc3\\xa9: not a TRES name" },
	{ "charge_tres=a\x01", "charge_tres=a\\x01: not a TRES name" },
	{ "charge_tres=\"cpu\"", "not a TRES name" },
	{ "charge_tres=12345678" D120, "128 bytes long; allowed: 127" },
	/* Across words. */
	{ "min_runtime_default=9h", "min_runtime_default=9:00:00: above "
	  "min_runtime_max; allowed: 0:00 to 8:00:00" },
	{ "min_runtime_default=8:00:01", "above min_runtime_max" },
	{ "min_runtime_max=1h,min_runtime_default=61", "0:00 to 1:00:00" },
	{ "min_runtime_default=61,min_runtime_max=1h", "0:00 to 1:00:00" },
};

START_TEST(refuses)
{
	sb_err_t err = { "" };

	ck_assert_msg(!sb_params_parse(bad[_i].text, &err), "%s",
		      bad[_i].text);
	ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "%s: %s",
		      bad[_i].text, err.text);
	for (const char *at = err.text; *at; at++)
		ck_assert(*at >= ' ' && *at <= '~');
	ck_assert_ptr_null(sb_params_parse(bad[_i].text, NULL));
}
END_TEST

/* A locale with a decimal comma must change nothing. */
START_TEST(ignores_locale)
{
	static const char *const names[] = { "de_DE.UTF-8", "tr_TR.UTF-8",
					     "fr_FR.UTF-8", "C.UTF-8" };
	char text[2048];
	sb_params_t *params;
	sb_err_t err;

	for (int i = 0; i < 4; i++)
		setlocale(LC_ALL, names[i]);
	params = sb_params_parse("burst=1.25,COMMITMENT=NO,WINDOW=1", &err);
	ck_assert_ptr_nonnull(params);
	ck_assert_double_eq(params->burst, 1.25);
	sb_params_format(params, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "burst=1.25,"));
	sb_params_destroy(params);
}
END_TEST

START_TEST(bounds_of_the_text)
{
	char *text = malloc(SB_PARAMS_MAX + 2);
	sb_params_t *params;
	sb_err_t err;

	memset(text, ' ', SB_PARAMS_MAX + 1);
	memcpy(text, "window=5", 8);
	text[SB_PARAMS_MAX] = '\0';
	params = sb_params_parse(text, &err);
	ck_assert_ptr_nonnull(params);
	sb_params_destroy(params);
	text[SB_PARAMS_MAX] = ' ';
	text[SB_PARAMS_MAX + 1] = '\0';
	ck_assert_ptr_null(sb_params_parse(text, &err));
	ck_assert_str_eq(err.text, "the list is longer than 16384 bytes");
	free(text);
}
END_TEST

START_TEST(longest_names)
{
	char text[512], shown[2048], name[SB_NAME_MAX] = "";
	sb_params_t *params;

	memset(name, 'x', SB_NAME_MAX - 1);
	snprintf(text, sizeof(text), "charge_tres=%s,min_runtime_max@%s=1",
		 name, name);
	params = sb_params_parse(text, NULL);
	ck_assert_ptr_nonnull(params);
	ck_assert_str_eq(params->charge_tres, name);
	ck_assert_int_eq(sb_params_cap(params, name), 60);
	name[SB_NAME_MAX - 2] = '\0';
	ck_assert_int_eq(sb_params_cap(params, name), 28800);
	ck_assert_ptr_nonnull(sb_params_format(params, shown, sizeof(shown)));
	sb_params_destroy(params);
}
END_TEST

START_TEST(many_caps)
{
	sb_params_t *params = sb_params_create();
	char name[16];
	sb_err_t err;

	for (int i = 0; i < SB_PARTITION_CAPS_MAX; i++) {
		int len = snprintf(name, sizeof(name), "p%d", i);

		ck_assert_int_eq(sb_params_add_cap(params, name, (size_t)len,
						   i, &err), 0);
	}
	ck_assert_int_eq(sb_params_add_cap(params, "p5", 2, 1, &err), -1);
	ck_assert_str_eq(err.text, "the partition comes twice");
	ck_assert_int_eq(sb_params_add_cap(params, "q", 1, 1, &err), -1);
	ck_assert_str_eq(err.text, "more than 1024 partitions");
	ck_assert_uint_eq(params->cap_count, SB_PARTITION_CAPS_MAX);
	for (int i = 0; i < SB_PARTITION_CAPS_MAX; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		ck_assert_int_eq(sb_params_cap(params, name), i);
	}
	sb_params_destroy(params);
}
END_TEST

START_TEST(format_needs_room)
{
	char whole[2048], cut[2048];
	sb_params_t *params = sb_params_parse("min_runtime_max@a=5", NULL);
	size_t len;

	ck_assert_ptr_nonnull(params);
	len = strlen(sb_params_format(params, whole, sizeof(whole)));
	for (size_t size = 0; size <= len; size++) {
		memset(cut, 'Z', sizeof(cut));
		ck_assert_ptr_null(sb_params_format(params, cut, size));
		ck_assert_int_eq(cut[size], 'Z');
	}
	ck_assert_ptr_eq(sb_params_format(params, cut, len + 1), cut);
	ck_assert_str_eq(cut, whole);
	sb_params_destroy(params);
}
END_TEST

/* Every number of up to 9 places reads as the nearest double, and back. */
START_TEST(numbers_are_exact)
{
	uint64_t seed = 88172645463325252ULL;
	char text[64], shown[2048], find[64];

	for (int i = 0; i < 20000; i++) {
		unsigned long long units;
		sb_params_t *params;
		int places = (int)(seed % 10);

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		units = 1000000000ULL + seed % 999000000000ULL;
		for (int j = places; j < 9; j++)
			units -= units % (unsigned long long)pow(10, 9 - j);
		snprintf(text, sizeof(text), "burst=%llu.%09llu",
			 units / 1000000000ULL, units % 1000000000ULL);
		params = sb_params_parse(text, NULL);
		if (units < 1000000000ULL) {
			ck_assert_ptr_null(params);
			continue;
		}
		ck_assert_ptr_nonnull(params);
		ck_assert(params->burst == strtod(text + 6, NULL));
		sb_params_format(params, shown, sizeof(shown));
		for (size_t n = strlen(text); text[n - 1] == '0'; n--)
			text[n - 1] = '\0';
		if (text[strlen(text) - 1] == '.')
			text[strlen(text) - 1] = '\0';
		snprintf(find, sizeof(find), "%.40s,", text);
		ck_assert_msg(strstr(shown, find) != NULL, "%s", find);
		sb_params_destroy(params);
	}
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
	Suite *suite = suite_create("params");
	TCase *tc = tcase_create("params");

	suite_add_tcase(suite, tc);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, defaults, 0, COUNT(empty));
	tcase_add_test(tc, every_word);
	tcase_add_loop_test(tc, accepts, 0, COUNT(good));
	tcase_add_loop_test(tc, refuses, 0, COUNT(bad));
	tcase_add_test(tc, ignores_locale);
	tcase_add_test(tc, bounds_of_the_text);
	tcase_add_test(tc, longest_names);
	tcase_add_test(tc, many_caps);
	tcase_add_test(tc, format_needs_room);
	tcase_add_test(tc, numbers_are_exact);
	return suite_run(suite);
}
