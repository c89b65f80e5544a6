/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_state - a ledger to bytes and back; and any bytes at all.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "growth.h"
#include "rng.h"
#include "state.h"
#include "suite.h"

#define T ((int64_t) 1790000000)
#define SAMPLE_PASS (T + 200)

static const sb_state_info_t sample_info = {
	.cluster = "alps", .charge_tres = "billing", .written = T + 201,
	.seeded = true, .gap_from = T + 150,
};

/* A window was widened, and slurmdbd has not told the rest yet. */
static const sb_state_info_t widened_info = {
	.cluster = "alps", .charge_tres = "billing", .written = T + 201,
	.gap_from = T + 150, .seed_until = T - 86400,
};

/*
 * One of each: history of 5 and 4000000000; job 1 open and resized, 2 vanished,
 * 3 ended behind the last pass, 4 suspended and inherited by 9 from 8, 5 of
 * nobody; 6 ended before the pass and is not kept.
 */
static sb_ledger_t *sample(void)
{
	static const sb_attempt_t looks[] = {
		{ 1, 5, T, 0, 0, 8, 1, 3600, false, false },
		{ 2, 5, T + 1, 0, 0, 16, 0.5, 60, false, false },
		{ 3, 4000000000, T + 2, 0, 0, 3, 1, 0, false, false },
		{ 4, 8, T + 3, 0, 0, 0.25, 1, 7, true, false },
		{ 5, 0, T + 4, 0, 0, 8, 1, 0, false, false },
		{ 6, 5, T + 5, T + 9, 0, 1, 1, 0, false, false },
	};
	sb_window_shape_t shape = sb_window_shape(SB_WINDOW_DEFAULT);
	sb_ledger_t *ledger = sb_ledger_create(&shape, 0);
	sb_attempt_t look;

	for (int round = 0; round < 2; round++) {
		sb_ledger_begin(ledger, T + 100 + 100 * round);
		for (size_t i = 0; i < 6; i++) {
			look = looks[i];
			if (round && look.job_id == 1) {
				look.rate = 4;
				look.resized = T + 150;
			}
			if (!round || look.job_id != 2)
				sb_ledger_observe(ledger, &look);
		}
		sb_ledger_end(ledger, NULL);
	}
	look = looks[2];
	look.end = T + 207;
	sb_ledger_close(ledger, &look);
	sb_ledger_inherit(ledger, 8, 9);
	for (int i = 0; i < 40; i++)
		sb_ledger_seed(ledger, 5, T - i * 7200, T - i * 7200, 100 + i);
	return ledger;
}

static void encode(const sb_ledger_t *ledger, const sb_state_info_t *info,
		   uint8_t **data, size_t *size)
{
	sb_err_t err = { "" };

	ck_assert_msg(!sb_state_encode(ledger, info, data, size, &err), "%s",
		      err.text);
}

static sb_ledger_t *decode(const uint8_t *data, size_t size)
{
	sb_state_info_t info;
	sb_err_t err = { "" };
	sb_ledger_t *ledger = sb_state_decode(data, size, &info, &err);

	ck_assert_msg(ledger, "%s", err.text);
	ck_assert(sb_ledger_check(ledger));
	return ledger;
}

/* It must be refused, with a word that says why. */
static void refused(const uint8_t *data, size_t size, const char *says)
{
	sb_state_info_t info;
	sb_err_t err = { "" };
	/* Exactly as long as it says: a sanitizer sees any byte behind. */
	uint8_t *copy = malloc(size ? size : 1);

	memcpy(copy, data, size);
	ck_assert_msg(!sb_state_decode(copy, size, &info, &err),
		      "read, not refused: %s", says);
	ck_assert_msg(strstr(err.text, says), "\"%s\" lacks \"%s\"", err.text,
		      says);
	free(copy);
}

static void fix_checksum(uint8_t *data, size_t size)
{
	uint64_t crc = sb_crc64(data, size - 8);

	for (unsigned i = 0; i < 8; i++)
		data[size - 8 + i] = crc >> (8 * i);
}

/* ---- numbers ------------------------------------------------------------ */

START_TEST(checksum)
{
	uint8_t bytes[64];

	ck_assert(sb_crc64(NULL, 0) == 0);
	ck_assert(sb_crc64((const uint8_t *) "123456789", 9) ==
		  0x995dc9bbdf1939faULL);
	/* In one piece of any length as bit by bit. */
	for (size_t size = 0; size < sizeof(bytes); size++) {
		uint64_t crc = UINT64_MAX;

		bytes[size] = size * 37 + 11;
		for (size_t i = 0; i < size; i++) {
			crc ^= bytes[i];
			for (int bit = 0; bit < 8; bit++)
				crc = crc >> 1 ^
					(crc & 1 ? 0xc96c5795d7870f42ULL : 0);
		}
		ck_assert(sb_crc64(bytes, size) == ~crc);
	}
}
END_TEST

START_TEST(varints)
{
	static const struct {
		const char *bytes;
		size_t size;
		uint64_t value;
		bool good;
	} t[] = {
		{ "\x00", 1, 0, true },
		{ "\x7f", 1, 127, true },
		{ "\x80\x01", 2, 128, true },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, UINT64_MAX,
		  true },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, 0, false },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\x00", 11, 0,
		  false },
		{ "", 0, 0, false },
		{ "\x80", 1, 0, false },
		{ "\x80\x00", 2, 0, false },
		{ "\xff\x00", 2, 0, false },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const uint8_t *at = (const uint8_t *) t[i].bytes;
		sb_reader_t in = { at, at + t[i].size, false };
		sb_writer_t out = { 0 };

		ck_assert(sb_read_varint(&in) == t[i].value);
		ck_assert_int_eq(in.failed, !t[i].good);
		if (!t[i].good)
			continue;
		ck_assert(in.at == in.end);
		sb_write_varint(&out, t[i].value);
		ck_assert_uint_eq(out.size, t[i].size);
		ck_assert_mem_eq(out.data, t[i].bytes, t[i].size);
		free(out.data);
	}
}
END_TEST

START_TEST(fixed_numbers)
{
	static const uint8_t want[] = { 1, 4, 3, 2, 1, 0xfe, 0xff, 0xff, 0xff,
					0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0,
					0, 0xf8, 0x3f };
	sb_writer_t out = { 0 };
	sb_reader_t in;

	sb_write_u8(&out, 1);
	sb_write_u32(&out, 0x01020304);
	sb_write_i64(&out, -2);
	sb_write_f64(&out, 1.5);
	ck_assert_uint_eq(out.size, sizeof(want));
	ck_assert_mem_eq(out.data, want, sizeof(want));
	in = (sb_reader_t) { want, want + sizeof(want), false };
	ck_assert_uint_eq(sb_read_u8(&in), 1);
	ck_assert_uint_eq(sb_read_u32(&in), 0x01020304);
	ck_assert_int_eq(sb_read_i64(&in), -2);
	ck_assert_double_eq(sb_read_f64(&in), 1.5);
	ck_assert(!in.failed);
	/* Failure stays. */
	ck_assert_uint_eq(sb_read_u64(&in), 0);
	ck_assert(in.failed);
	in.at = want;
	ck_assert_uint_eq(sb_read_u8(&in), 0);
	free(out.data);
}
END_TEST

/* ---- there and back ----------------------------------------------------- */

static void check_attempts(const sb_ledger_t *ledger)
{
	static const sb_charged_t want[] = {
		{ { 1, 5, T, 0, T + 150, 4, 1, 3600, false, false }, 5, T, T + 200,
		  T + 150, 8, false },
		{ { 2, 5, T + 1, 0, 0, 16, 0.5, 60, false, false }, 5, T + 1, T + 100,
		  T + 1, 0, true },
		{ { 3, 4000000000, T + 2, T + 207, 0, 3, 1, 0, false, false },
		  4000000000, T + 2, T + 207, T + 2, 0, false },
		{ { 4, 8, T + 3, 0, 0, 0.25, 1, 7, true, false }, 9, T + 3, T + 200,
		  T + 3, 0, false },
		{ { 5, 0, T + 4, 0, 0, 8, 1, 0, false, false }, 0, T + 4, T + 200,
		  T + 4, 0, false },
	};
	sb_charged_t got;
	size_t cursor = 0, i = 0;

	for (; sb_ledger_next_attempt(ledger, &cursor, &got); i++) {
		const sb_charged_t *w = &want[i];

		ck_assert_uint_lt(i, 5);
		ck_assert_uint_eq(got.attempt.job_id, w->attempt.job_id);
		ck_assert_uint_eq(got.attempt.assoc_id, w->attempt.assoc_id);
		ck_assert_int_eq(got.attempt.start, w->attempt.start);
		ck_assert_int_eq(got.attempt.end, w->attempt.end);
		ck_assert_int_eq(got.attempt.resized, w->attempt.resized);
		ck_assert_double_eq(got.attempt.rate, w->attempt.rate);
		ck_assert_double_eq(got.attempt.factor, w->attempt.factor);
		ck_assert_int_eq(got.attempt.left, w->attempt.left);
		ck_assert_int_eq(got.attempt.suspended, w->attempt.suspended);
		ck_assert_uint_eq(got.payer, w->payer);
		ck_assert_int_eq(got.from, w->from);
		ck_assert_int_eq(got.until, w->until);
		ck_assert_int_eq(got.rate_from, w->rate_from);
		ck_assert_double_eq(got.charge_before, w->charge_before);
		ck_assert_int_eq(got.unsettled, w->unsettled);
	}
	ck_assert_uint_eq(i, 5);
}

static void check_sample(const sb_ledger_t *ledger)
{
	double seeds = 40 * 100 + 39 * 40 / 2;

	ck_assert_int_eq(sb_ledger_shape(ledger)->width, SB_WINDOW_DEFAULT);
	ck_assert_int_eq(sb_ledger_last_pass(ledger), SAMPLE_PASS);
	ck_assert_double_eq(sb_ledger_usage(ledger, 5, SAMPLE_PASS),
			    seeds + 8 * 150 + 4 * 50 + 8 * 99 + 4);
	ck_assert_double_eq(sb_ledger_usage(ledger, 4000000000, SAMPLE_PASS),
			    3 * 205);
	ck_assert_double_eq(sb_ledger_usage(ledger, 8, SAMPLE_PASS), 0);
	ck_assert_double_eq(sb_ledger_usage(ledger, 9, SAMPLE_PASS),
			    197 * 0.25);
	ck_assert_double_eq(sb_ledger_committed(ledger, 5), 4 * 3600);
	ck_assert_double_eq(sb_ledger_running(ledger, 5), 4);
	ck_assert_double_eq(sb_ledger_running(ledger, 9), 0.25);
	check_attempts(ledger);
}

static void check_info(const sb_state_info_t *info,
		       const sb_state_info_t *expected)
{
	ck_assert_str_eq(info->cluster, expected->cluster);
	ck_assert_str_eq(info->charge_tres, expected->charge_tres);
	ck_assert_int_eq(info->written, expected->written);
	ck_assert(info->seeded == expected->seeded);
	ck_assert_int_eq(info->gap_from, expected->gap_from);
	ck_assert_int_eq(info->seed_until, expected->seed_until);
}

/* Each with the version that it takes. */
static const struct {
	const char *file;
	const sb_state_info_t *info;
	uint8_t version;
} infos[] = {
	{ "state-v1.bin", &sample_info, 1 },
	{ "state-v2.bin", &widened_info, 2 },
};

START_TEST(round_trip)
{
	sb_ledger_t *ledger = sample(), *again;
	sb_state_info_t info;
	uint8_t *data, *data2;
	size_t size, size2;

	check_sample(ledger);
	encode(ledger, infos[_i].info, &data, &size);
	ck_assert_uint_eq(data[8], infos[_i].version);
	again = sb_state_decode(data, size, &info, NULL);
	ck_assert(again);
	ck_assert(sb_ledger_check(again));
	check_info(&info, infos[_i].info);
	check_sample(again);
	encode(again, &info, &data2, &size2);
	ck_assert_uint_eq(size, size2);
	ck_assert_mem_eq(data, data2, size);
	sb_ledger_destroy(ledger);
	sb_ledger_destroy(again);
	free(data);
	free(data2);
}
END_TEST

START_TEST(round_trip_of_nothing)
{
	sb_window_shape_t shape = sb_window_shape(SB_WINDOW_MIN);
	sb_ledger_t *ledger = sb_ledger_create(&shape, 0), *again;
	sb_state_info_t info = { .written = INT64_MIN, .gap_from = -1 };
	uint8_t *data;
	size_t size;

	memset(info.cluster, 'c', sizeof(info.cluster));
	encode(ledger, &info, &data, &size);
	again = sb_state_decode(data, size, &info, NULL);
	ck_assert(again);
	/* What does not fit the bounds is cut, never written unreadable. */
	ck_assert_uint_eq(strlen(info.cluster), sizeof(info.cluster) - 1);
	ck_assert_int_eq(info.written, 0);
	ck_assert_int_eq(info.gap_from, 0);
	ck_assert(!info.seeded);
	ck_assert_int_eq(sb_ledger_last_pass(again), 0);
	sb_ledger_destroy(ledger);
	sb_ledger_destroy(again);
	free(data);
}
END_TEST

/* Frozen: what version 1 has written is read for ever, and written so. */
START_TEST(golden)
{
	sb_ledger_t *ledger;
	sb_state_info_t info;
	uint8_t file[4096], *data;
	sb_err_t err = { "" };
	size_t size, size2;
	const char *dir = getenv("srcdir");	/* automake's */
	char path[4096];
	FILE *in;

	snprintf(path, sizeof(path), "%s/data/%s", dir ? dir : ".",
		 infos[_i].file);
	in = fopen(path, "rb");
	ck_assert_msg(in, "no %s", path);
	size = fread(file, 1, sizeof(file), in);
	fclose(in);
	ledger = sb_state_decode(file, size, &info, &err);
	ck_assert_msg(ledger, "%s", err.text);
	check_info(&info, infos[_i].info);
	check_sample(ledger);
	encode(ledger, &info, &data, &size2);
	ck_assert_uint_eq(size, size2);
	ck_assert_mem_eq(file, data, size);
	sb_ledger_destroy(ledger);
	free(data);
}
END_TEST

/* ---- damage ------------------------------------------------------------- */

START_TEST(every_truncation)
{
	sb_ledger_t *ledger = sample();
	uint8_t *data;
	size_t size;

	encode(ledger, &sample_info, &data, &size);
	for (size_t cut = 0; cut < size; cut++)
		refused(data, cut, cut < 20 ? "not a state" : "state has");
	sb_state_decode(NULL, 0, &(sb_state_info_t) { 0 }, NULL);
	data = realloc(data, size + 1);
	data[size] = 0;
	refused(data, size + 1, "state has");
	free(data);
	sb_ledger_destroy(ledger);
}
END_TEST

START_TEST(every_bit)
{
	sb_ledger_t *ledger = sample();
	uint8_t *data;
	size_t size;

	encode(ledger, &sample_info, &data, &size);
	for (size_t bit = 0; bit < size * 8; bit++) {
		data[bit / 8] ^= 1 << bit % 8;
		refused(data, size, bit < 64 ? "not a state" :
			bit < 96 ? "state is version" :
			bit < 160 ? "state has" : "checksum");
		data[bit / 8] ^= 1 << bit % 8;
	}
	free(data);
	sb_ledger_destroy(ledger);
}
END_TEST

START_TEST(versions)
{
	sb_ledger_t *ledger = sample();
	uint8_t *data;
	size_t size;

	encode(ledger, &sample_info, &data, &size);
	data[8] = 3;
	refused(data, size, "version 3, this build reads up to 2");
	fix_checksum(data, size);
	refused(data, size, "version 3, this build reads up to 2");
	/* Whatever its frame is. */
	refused(data, 20, "version 3, this build reads up to 2");
	data[8] = 0;
	refused(data, size, "version 0");
	free(data);
	sb_ledger_destroy(ledger);
}
END_TEST

/* Behind strings of 4 and 7 bytes, two times and a flag. */
#define AT_SEED_UNTIL 50

START_TEST(seed_until)
{
	static const struct {
		int64_t value;
		bool good;
	} t[] = {
		{ 0, true }, { 1, true }, { SB_TIME_MAX, true },
		{ -1, false }, { SB_TIME_MAX + 1, false },
		{ INT64_MIN, false }, { INT64_MAX, false },
	};
	sb_ledger_t *ledger = sample();
	uint8_t *data;
	size_t size;

	encode(ledger, &widened_info, &data, &size);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		for (unsigned b = 0; b < 8; b++)
			data[AT_SEED_UNTIL + b] =
				(uint64_t) t[i].value >> (8 * b);
		fix_checksum(data, size);
		if (t[i].good)
			sb_ledger_destroy(decode(data, size));
		else
			refused(data, size, "time out of range");
	}
	free(data);
	sb_ledger_destroy(ledger);
}
END_TEST

/* ---- lies with a good checksum ------------------------------------------ */

/*
 * A small state, so regular that every field has a place: association 5 with
 * buckets 9 and 10 of 1 s, and attempts (1, 100) and (2, 100), both charged
 * [100, 200) with another rate from 150 on.
 */
enum {
	AT_NAME = 20,
	AT_WRITTEN = 23,
	AT_SEEDED = 31,
	AT_GAP = 32,
	AT_WIDTH = 40,
	AT_GRAIN = 48,
	AT_PASS = 56,
	AT_ASSOCS = 64,
	AT_ASSOC = 65,
	AT_BUCKETS = 66,
	AT_BUCKET = 67,
	AT_CHARGE = 68,
	AT_BUCKET2 = 76,
	AT_ATTEMPTS = 85,
	AT_JOB = 86,		/* + 4 association, 8 payer */
	AT_FLAGS = 98,
	AT_START = 99,
	AT_END = 107,
	AT_RESIZED = 115,
	AT_LEFT = 123,
	AT_RATE = 131,
	AT_FACTOR = 139,
	AT_FROM = 147,
	AT_UNTIL = 155,
	AT_RATE_FROM = 163,
	AT_BEFORE = 171,
	AT_JOB2 = 179,
	AT_TAIL = 272
};

static void small(sb_writer_t *out)
{
	sb_window_shape_t shape = sb_window_shape(60);
	sb_ledger_t *ledger = sb_ledger_create(&shape, 0);
	sb_state_info_t info = { .cluster = "c", .written = 5 };
	sb_charged_t charged = { { 0, 5, 100, 0, 0, 1, 1, 0, false, false }, 5, 100,
				 200, 150, 2, false };

	sb_ledger_restore_pass(ledger, 1000);
	sb_ledger_restore_bucket(ledger, 5, 9, 1, NULL);
	sb_ledger_restore_bucket(ledger, 5, 10, 1, NULL);
	while (charged.attempt.job_id++ < 2)
		sb_ledger_restore_attempt(ledger, &charged, NULL);
	sb_ledger_restore_end(ledger, NULL);
	encode(ledger, &info, &out->data, &out->size);
	out->room = out->size;
	ck_assert_uint_eq(out->size, AT_TAIL + 8);
	sb_ledger_destroy(ledger);
}

/* One field of it, replaced. */
static const struct {
	const char *says;	/* NULL: it is read */
	size_t at, cut;
	char kind;		/* i 8 bytes, u 4, b 1, v varint, f double,
				 * n nothing */
	int64_t number;
	double quantity;
} lies[] = {
	{ NULL, AT_WRITTEN, 8, 'i', SB_TIME_MAX, 0 },
	{ NULL, AT_SEEDED, 1, 'b', 1, 0 },
	{ NULL, AT_GAP, 8, 'i', SB_TIME_MAX, 0 },
	{ NULL, AT_BUCKET, 1, 'v', 1, 0 },
	{ NULL, AT_BUCKET, 1, 'v', SB_TIME_MAX, 0 },
	{ NULL, AT_BUCKET2, 1, 'v', 60, 0 },
	{ NULL, AT_CHARGE, 8, 'f', 0, 4611686018427387904.0 },
	{ NULL, AT_JOB + 4, 4, 'u', 0, 0 },
	{ NULL, AT_JOB + 8, 4, 'u', 77, 0 },
	{ NULL, AT_FLAGS, 1, 'b', 3, 0 },
	{ NULL, AT_END, 8, 'i', 200, 0 },
	{ NULL, AT_END, 8, 'i', SB_TIME_MAX, 0 },
	{ NULL, AT_UNTIL, 8, 'i', SB_TIME_MAX, 0 },
	{ "cluster name of 128", AT_NAME, 1, 'b', 128, 0 },
	{ "cluster name of 255", AT_NAME, 1, 'b', 255, 0 },
	{ "NUL", AT_NAME + 1, 1, 'b', 0, 0 },
	{ "TRES name of 200", AT_NAME + 2, 1, 'b', 200, 0 },
	{ "time out of range", AT_WRITTEN, 8, 'i', -1, 0 },
	{ "time out of range", AT_WRITTEN, 8, 'i', INT64_MAX, 0 },
	{ "time out of range", AT_GAP, 8, 'i', -1, 0 },
	{ "time out of range", AT_GAP, 8, 'i', INT64_MAX, 0 },
	{ "time out of range", AT_PASS, 8, 'i', -1, 0 },
	{ "time out of range", AT_PASS, 8, 'i', INT64_MAX, 0 },
	{ "flag of 2", AT_SEEDED, 1, 'b', 2, 0 },
	{ "window of", AT_WIDTH, 8, 'i', 59, 0 },
	{ "window of", AT_WIDTH, 8, 'i', 0, 0 },
	{ "window of", AT_WIDTH, 8, 'i', INT64_MIN, 0 },
	{ "window of", AT_WIDTH, 8, 'i', INT64_MAX, 0 },
	{ "window of", AT_GRAIN, 8, 'i', 0, 0 },
	{ "window of", AT_GRAIN, 8, 'i', 2, 0 },
	{ "windows", AT_ASSOCS, AT_TAIL - AT_ASSOCS, 'v', -1, 0 },
	{ "association 7", AT_ASSOCS, 1, 'v', 2, 0 },
	{ "association behind 0", AT_ASSOC, 1, 'v', 0, 0 },
	{ "association behind 0", AT_ASSOC, 1, 'v', 1LL << 32, 0 },
	{ "association behind 0", AT_ASSOC, 1, 'v', -1, 0 },
	{ "has 0 buckets", AT_BUCKETS, 1, 'v', 0, 0 },
	{ "has 62 buckets", AT_BUCKETS, 1, 'v', 62, 0 },
	{ "buckets", AT_BUCKETS, 1, 'v', -1, 0 },
	{ "out of order", AT_BUCKET, 1, 'v', 0, 0 },
	{ "out of order", AT_BUCKET, 1, 'v', -1, 0 },
	{ "out of order", AT_BUCKET2, 1, 'v', 0, 0 },
	{ "range or order", AT_BUCKET2, 1, 'v', 61, 0 },
	{ "range or order", AT_BUCKET2, 1, 'v', SB_TIME_MAX, 0 },
	{ "range or order", AT_CHARGE, 8, 'f', 0, 0 },
	{ "range or order", AT_CHARGE, 8, 'f', 0, -1 },
	{ "range or order", AT_CHARGE, 8, 'f', 0, NAN },
	{ "range or order", AT_CHARGE, 8, 'f', 0, INFINITY },
	{ "range or order", AT_CHARGE, 8, 'f', 0, 4.7e18 },
	{ "ends within a window", AT_CHARGE, AT_TAIL - AT_CHARGE, 'n', 0, 0 },
	{ "ends before its att", AT_ATTEMPTS, AT_TAIL - AT_ATTEMPTS, 'n', 0,
	  0 },
	{ "ends within an att", AT_TAIL - 1, 1, 'n', 0, 0 },
	{ "ends within an att", AT_ATTEMPTS, 1, 'v', 3, 0 },
	{ "ends within an att", AT_ATTEMPTS, 1, 'v', -1, 0 },
	{ "93 bytes behind", AT_ATTEMPTS, 1, 'v', 1, 0 },
	{ "1 bytes behind", AT_TAIL, 0, 'b', 0, 0 },
	{ "flags", AT_FLAGS, 1, 'b', 4, 0 },
	{ "flags", AT_FLAGS, 1, 'b', 0x80, 0 },
	{ "start out", AT_START, 8, 'i', 0, 0 },
	{ "start out", AT_START, 8, 'i', -1, 0 },
	{ "start out", AT_START, 8, 'i', INT64_MAX, 0 },
	{ "end out", AT_END, 8, 'i', 99, 0 },
	{ "end out", AT_END, 8, 'i', INT64_MIN, 0 },
	{ "end out", AT_END, 8, 'i', INT64_MAX, 0 },
	{ "resize or", AT_RESIZED, 8, 'i', -1, 0 },
	{ "resize or", AT_RESIZED, 8, 'i', INT64_MAX, 0 },
	{ "resize or", AT_LEFT, 8, 'i', -1, 0 },
	{ "resize or", AT_LEFT, 8, 'i', SB_TIMESPAN_MAX + 1, 0 },
	{ ": rate out", AT_RATE, 8, 'f', 0, NAN },
	{ ": rate out", AT_RATE, 8, 'f', 0, -1 },
	{ ": rate out", AT_RATE, 8, 'f', 0, INFINITY },
	{ ": rate out", AT_FACTOR, 8, 'f', 0, NAN },
	{ ": rate out", AT_FACTOR, 8, 'f', 0, 1e300 },
	{ "former rate", AT_BEFORE, 8, 'f', 0, NAN },
	{ "former rate", AT_BEFORE, 8, 'f', 0, -1 },
	{ "former rate", AT_BEFORE, 8, 'f', 0, INFINITY },
	{ "interval", AT_FROM, 8, 'i', 99, 0 },
	{ "interval", AT_FROM, 8, 'i', 201, 0 },
	{ "interval", AT_UNTIL, 8, 'i', 99, 0 },
	{ "interval", AT_UNTIL, 8, 'i', INT64_MIN, 0 },
	{ "interval", AT_UNTIL, 8, 'i', INT64_MAX, 0 },
	{ "change of rate", AT_RATE_FROM, 8, 'i', 99, 0 },
	{ "change of rate", AT_RATE_FROM, 8, 'i', 201, 0 },
	{ "twice the same", AT_JOB2, 4, 'u', 1, 0 },
};

static void write_field(sb_writer_t *out, char kind, int64_t number,
			double quantity)
{
	if (kind == 'i')
		sb_write_i64(out, number);
	else if (kind == 'u')
		sb_write_u32(out, number);
	else if (kind == 'b')
		sb_write_u8(out, number);
	else if (kind == 'v')
		sb_write_varint(out, number);
	else if (kind == 'f')
		sb_write_f64(out, quantity);
}

START_TEST(lie)
{
	size_t behind = lies[_i].at + lies[_i].cut;
	sb_writer_t truth = { 0 }, out = { 0 };

	small(&truth);
	sb_write_bytes(&out, truth.data, lies[_i].at);
	write_field(&out, lies[_i].kind, lies[_i].number, lies[_i].quantity);
	sb_write_bytes(&out, truth.data + behind, truth.size - behind);
	for (unsigned i = 0; i < 8; i++)
		out.data[12 + i] = (uint64_t) out.size >> (8 * i);
	fix_checksum(out.data, out.size);
	if (lies[_i].says)
		refused(out.data, out.size, lies[_i].says);
	else
		sb_ledger_destroy(decode(out.data, out.size));
	free(out.data);
	free(truth.data);
}
END_TEST

/* Runs of two jobs, in whatever order they are told, one of them twice. */
START_TEST(twice)
{
	static const int64_t starts[] = { 300, 100, 500, 200, 400 };
	sb_window_shape_t shape = sb_window_shape(60);
	sb_ledger_t *ledger = sb_ledger_create(&shape, 0);
	sb_err_t err = { "" };

	for (int i = 0; i <= 10; i++) {
		/* The last one has been told already, far before. */
		int64_t start = starts[i % 10 / 2];
		sb_charged_t charged = {
			{ .job_id = 7 + i % 2, .start = start }, .from = start,
			.until = start, .rate_from = start,
		};

		ck_assert_int_eq(sb_ledger_restore_attempt(ledger, &charged,
							   &err), 0);
		if (i == 9 && _i) {
			ck_assert_int_eq(sb_ledger_restore_end(ledger, &err),
					 0);
			ck_assert(sb_ledger_check(ledger));
			for (int k = 0; k < 10; k++)
				ck_assert(sb_ledger_knows(ledger, 7 + k % 2,
							  starts[k / 2]));
			sb_ledger_destroy(ledger);
			return;
		}
	}
	ck_assert_int_eq(sb_ledger_restore_end(ledger, &err), -1);
	ck_assert_str_eq(err.text, "job 7 started 300: twice the same");
	sb_ledger_destroy(ledger);
}
END_TEST

/* What no single field can say. */
START_TEST(restore_refuses)
{
	sb_window_shape_t shape = sb_window_shape(60);
	sb_ledger_t *ledger = sb_ledger_create(&shape, 0);
	sb_charged_t charged = { { 1, 5, 100, 200, 0, 1, 1, 0, false, false }, 5, 100,
				 150, 100, 0, true };
	sb_err_t err = { "" };

	ck_assert_int_eq(sb_ledger_restore_attempt(ledger, &charged, &err), -1);
	ck_assert(strstr(err.text, "known and unknown"));
	ck_assert_int_eq(sb_ledger_restore_bucket(ledger, 0, 9, 1, &err), -1);
	ck_assert(strstr(err.text, "association 0"));
	ck_assert_int_eq(sb_ledger_restore_end(ledger, &err), 0);
	ck_assert(sb_ledger_check(ledger));
	sb_ledger_destroy(ledger);
}
END_TEST

/* Any bytes inside a good frame: read or refused; what is read is sound and is
 * written back to what is read the same. */
START_TEST(random_bytes)
{
	sb_ledger_t *ledger = sample();
	uint8_t *good, *data;
	size_t size;
	int read = 0;

	encode(ledger, &sample_info, &good, &size);
	sb_ledger_destroy(ledger);
	data = malloc(size);
	rng_state = 21;
	for (int i = 0; i < 10000; i++) {
		sb_state_info_t info;

		memcpy(data, good, size);
		for (int k = 1 + rng(4); k > 0; k--)
			data[20 + rng(size - 28)] = rng(2) ? rng(256) :
				0xff * rng(2);
		fix_checksum(data, size);
		ledger = sb_state_decode(data, size, &info, NULL);
		if (!ledger)
			continue;
		read++;
		ck_assert(sb_ledger_check(ledger));
		ck_assert(isfinite(sb_ledger_usage(ledger, 5, T)));
		sb_ledger_begin(ledger, T + rng(1000000));
		ck_assert_int_eq(sb_ledger_end(ledger, NULL), 0);
		ck_assert(sb_ledger_check(ledger));
		sb_ledger_destroy(ledger);
	}
	/* The test is about both. */
	ck_assert_int_gt(read, 500);
	ck_assert_int_lt(read, 9500);
	free(good);
	free(data);
}
END_TEST

/* ---- size --------------------------------------------------------------- */

/* Many of all, in another order than the ids'. */
START_TEST(large)
{
	sb_window_shape_t shape = sb_window_shape(SB_WINDOW_DEFAULT);
	sb_ledger_t *ledger = sb_ledger_create(&shape, 0), *again;
	uint8_t *data;
	size_t size;

	sb_ledger_begin(ledger, T);
	for (uint32_t i = 1; i <= 5000; i++) {
		sb_attempt_t look = {
			.job_id = i, .assoc_id = 1 + i * 2654435761U % 4001,
			.start = T - i, .rate = i, .factor = 1, .left = i };

		ck_assert_int_eq(sb_ledger_observe(ledger, &look), 0);
	}
	ck_assert_int_eq(sb_ledger_end(ledger, NULL), 0);
	encode(ledger, &sample_info, &data, &size);
	again = decode(data, size);
	for (uint32_t a = 0; a <= 4001; a++) {
		ck_assert_double_eq(sb_ledger_usage(ledger, a, T),
				    sb_ledger_usage(again, a, T));
		ck_assert_double_eq(sb_ledger_committed(ledger, a),
				    sb_ledger_committed(again, a));
		ck_assert_double_eq(sb_ledger_running(ledger, a),
				    sb_ledger_running(again, a));
	}
	sb_ledger_destroy(ledger);
	sb_ledger_destroy(again);
	free(data);
}
END_TEST

/* Each restored attempt was looked for among all others of its job. */
static void restore_runs(uint32_t count)
{
	sb_window_shape_t shape = sb_window_shape(SB_WINDOW_DEFAULT);
	sb_ledger_t *ledger = sb_ledger_create(&shape, 0);
	uint8_t *data;
	size_t size;

	sb_ledger_begin(ledger, T + count);
	for (uint32_t i = 0; i < count; i++) {
		sb_attempt_t look = { .job_id = 1, .assoc_id = 5,
				      .start = T + i, .rate = 8, .factor = 1 };

		ck_assert_int_eq(sb_ledger_observe(ledger, &look), 0);
	}
	ck_assert_int_eq(sb_ledger_end(ledger, NULL), 0);
	encode(ledger, &sample_info, &data, &size);
	sb_ledger_destroy(ledger);
	ledger = decode(data, size);
	ck_assert(sb_ledger_knows(ledger, 1, T));
	ck_assert(!sb_ledger_knows(ledger, 1, T + count));
	sb_ledger_destroy(ledger);
	free(data);
}

START_TEST(many_runs_of_a_job)
{
	ck_linear(restore_runs);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("state");
	TCase *tcase = tcase_create("state");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, checksum);
	tcase_add_test(tcase, varints);
	tcase_add_test(tcase, fixed_numbers);
	tcase_add_loop_test(tcase, round_trip, 0,
			    sizeof(infos) / sizeof(infos[0]));
	tcase_add_test(tcase, round_trip_of_nothing);
	tcase_add_loop_test(tcase, golden, 0, sizeof(infos) / sizeof(infos[0]));
	tcase_add_test(tcase, every_truncation);
	tcase_add_test(tcase, every_bit);
	tcase_add_test(tcase, versions);
	tcase_add_test(tcase, seed_until);
	tcase_add_loop_test(tcase, lie, 0, sizeof(lies) / sizeof(lies[0]));
	tcase_add_loop_test(tcase, twice, 0, 2);
	tcase_add_test(tcase, restore_refuses);
	tcase_add_test(tcase, random_bytes);
	tcase_add_test(tcase, large);
	tcase_add_test(tcase, many_runs_of_a_job);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
