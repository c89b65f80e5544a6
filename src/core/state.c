/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state - a ledger <-> bytes; the contract is in state.h, the format in
 * doc/formats.md.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "state.h"

#define STATE_MAGIC "SBUDGET\n"
#define STATE_MAGIC_SIZE 8
/* Written; 2 only when there is something that 1 has no place for, so that an
 * earlier build reads what it can. */
#define STATE_VERSION 1
#define STATE_VERSION_MAX 2
/* Magic, version, size. */
#define STATE_SIZE_AT (STATE_MAGIC_SIZE + 4)
#define STATE_HEAD (STATE_SIZE_AT + 8)
#define STATE_TAIL 8

#define FLAG_SUSPENDED 1
#define FLAG_UNSETTLED 2

static void write_string(sb_writer_t *out, const char *text, size_t room)
{
	size_t size = strnlen(text, room - 1);

	sb_write_u8(out, size);
	sb_write_bytes(out, text, size);
}

/* What is written must be readable. */
static void write_time(sb_writer_t *out, int64_t time)
{
	sb_write_i64(out, time < 0 ? 0 :
			  time > SB_TIME_MAX ? SB_TIME_MAX : time);
}

static uint32_t version_of(const sb_state_info_t *info)
{
	return (info->seed_until > 0) ? STATE_VERSION_MAX : STATE_VERSION;
}

static void write_info(sb_writer_t *out, const sb_ledger_t *ledger,
		       const sb_state_info_t *info)
{
	const sb_window_shape_t *shape = sb_ledger_shape(ledger);

	write_string(out, info->cluster, sizeof(info->cluster));
	write_string(out, info->charge_tres, sizeof(info->charge_tres));
	write_time(out, info->written);
	sb_write_u8(out, info->seeded);
	write_time(out, info->gap_from);
	if (version_of(info) > 1)
		write_time(out, info->seed_until);
	sb_write_i64(out, shape->width);
	sb_write_i64(out, shape->grain);
	sb_write_i64(out, sb_ledger_last_pass(ledger));
}

static uint64_t window_buckets(const sb_window_t *window,
			       const sb_window_shape_t *shape)
{
	uint64_t count = 0;
	uint32_t cursor = 0;
	int64_t bucket;
	double charge;

	while (sb_window_next(window, shape, &cursor, &bucket, &charge))
		count++;
	return count;
}

/* It may hold nothing until the next pass drops it. */
static bool window_holds(const sb_window_t *window,
			 const sb_window_shape_t *shape)
{
	uint32_t cursor = 0;
	int64_t bucket;
	double charge;

	return sb_window_next(window, shape, &cursor, &bucket, &charge);
}

static void write_window(sb_writer_t *out, const sb_window_t *window,
			 const sb_window_shape_t *shape)
{
	int64_t bucket, last = -1;
	uint32_t cursor = 0;
	double charge;

	sb_write_varint(out, window_buckets(window, shape));
	while (sb_window_next(window, shape, &cursor, &bucket, &charge)) {
		sb_write_varint(out, bucket - last);
		sb_write_f64(out, charge);
		last = bucket;
	}
}

static void write_windows(sb_writer_t *out, const sb_ledger_t *ledger)
{
	const sb_window_shape_t *shape = sb_ledger_shape(ledger);
	const sb_window_t *window;
	uint32_t id = 0, last = 0;
	uint64_t count = 0;

	while (sb_ledger_next_assoc(ledger, &id, &window))
		count += window_holds(window, shape);
	sb_write_varint(out, count);
	for (id = 0; sb_ledger_next_assoc(ledger, &id, &window);) {
		if (!window_holds(window, shape))
			continue;
		sb_write_varint(out, id - last);
		write_window(out, window, shape);
		last = id;
	}
}

static void write_attempt(sb_writer_t *out, const sb_charged_t *charged)
{
	const sb_attempt_t *attempt = &charged->attempt;

	sb_write_u32(out, attempt->job_id);
	sb_write_u32(out, attempt->assoc_id);
	sb_write_u32(out, charged->payer);
	sb_write_u8(out, (attempt->suspended ? FLAG_SUSPENDED : 0) |
			 (charged->unsettled ? FLAG_UNSETTLED : 0));
	sb_write_i64(out, attempt->start);
	sb_write_i64(out, attempt->end);
	sb_write_i64(out, attempt->resized);
	sb_write_i64(out, attempt->left);
	sb_write_f64(out, attempt->rate);
	sb_write_f64(out, attempt->factor);
	sb_write_i64(out, charged->from);
	sb_write_i64(out, charged->until);
	sb_write_i64(out, charged->rate_from);
	sb_write_f64(out, charged->charge_before);
}

static void write_attempts(sb_writer_t *out, const sb_ledger_t *ledger)
{
	sb_charged_t charged;
	uint64_t count = 0;
	size_t cursor = 0;

	while (sb_ledger_next_attempt(ledger, &cursor, &charged))
		count++;
	sb_write_varint(out, count);
	for (cursor = 0; sb_ledger_next_attempt(ledger, &cursor, &charged);)
		write_attempt(out, &charged);
}

extern int sb_state_encode(const sb_ledger_t *ledger,
			   const sb_state_info_t *info, uint8_t **data,
			   size_t *size, sb_err_t *err)
{
	sb_writer_t out = { 0 };

	sb_write_bytes(&out, STATE_MAGIC, STATE_MAGIC_SIZE);
	sb_write_u32(&out, version_of(info));
	sb_write_u64(&out, 0);
	write_info(&out, ledger, info);
	write_windows(&out, ledger);
	write_attempts(&out, ledger);
	if (!out.failed) {
		uint64_t total = out.size + STATE_TAIL;

		for (unsigned i = 0; i < 8; i++)
			out.data[STATE_SIZE_AT + i] = total >> (8 * i);
		sb_write_u64(&out, sb_crc64(out.data, out.size));
	}
	if (out.failed) {
		free(out.data);
		return sb_err_set(err, "no memory for the state");
	}
	*data = out.data;
	*size = out.size;
	return 0;
}

/* Head and checksum. RET: 0, or -1 with err; OUT in: what lies between, in
 * this version. */
static int read_frame(const uint8_t *data, size_t size, sb_reader_t *in,
		      uint32_t *version, sb_err_t *err)
{
	sb_reader_t head = { data, data + size, false };
	sb_reader_t tail;
	char magic[STATE_MAGIC_SIZE];
	uint64_t total;

	sb_read_bytes(&head, magic, sizeof(magic));
	*version = sb_read_u32(&head);
	total = sb_read_u64(&head);
	if (head.failed || memcmp(magic, STATE_MAGIC, sizeof(magic)))
		return sb_err_set(err, "not a state of ours (%zu bytes)",
				  size);
	/* Before all else: another version may have another frame. */
	if (*version > STATE_VERSION_MAX)
		return sb_err_set(err, "state is version %" PRIu32
				  ", this build reads up to %d", *version,
				  STATE_VERSION_MAX);
	if (*version == 0)
		return sb_err_set(err, "state is version 0, which never was");
	if (total != size || size < STATE_HEAD + STATE_TAIL)
		return sb_err_set(err, "state has %zu bytes where it says %"
				  PRIu64, size, total);
	tail = (sb_reader_t) { data + size - STATE_TAIL, data + size, false };
	if (sb_read_u64(&tail) != sb_crc64(data, size - STATE_TAIL))
		return sb_err_set(err, "state is damaged (checksum)");
	*in = (sb_reader_t) { head.at, data + size - STATE_TAIL, false };
	return 0;
}

static int read_string(sb_reader_t *in, char *text, size_t room,
		       const char *name, sb_err_t *err)
{
	size_t size = sb_read_u8(in);

	memset(text, 0, room);
	if (size >= room)
		return sb_err_set(err, "%s of %zu bytes, room is for %zu",
				  name, size, room - 1);
	sb_read_bytes(in, text, size);
	if (!in->failed && strlen(text) != size)
		return sb_err_set(err, "%s with a NUL in it", name);
	return 0;
}

static int read_info(sb_reader_t *in, uint32_t version, sb_state_info_t *info,
		     sb_window_shape_t *shape, int64_t *last_pass,
		     sb_err_t *err)
{
	int64_t width, grain;
	uint8_t seeded;

	if (read_string(in, info->cluster, sizeof(info->cluster),
			"cluster name", err) ||
	    read_string(in, info->charge_tres, sizeof(info->charge_tres),
			"TRES name", err))
		return -1;
	info->written = sb_read_i64(in);
	seeded = sb_read_u8(in);
	info->seeded = seeded;
	info->gap_from = sb_read_i64(in);
	info->seed_until = (version > 1) ? sb_read_i64(in) : 0;
	width = sb_read_i64(in);
	grain = sb_read_i64(in);
	*last_pass = sb_read_i64(in);
	*shape = sb_window_shape(width);
	if (in->failed)
		return sb_err_set(err, "state ends before its windows");
	if (seeded > 1)
		return sb_err_set(err, "flag of %u, 0 or 1 is allowed", seeded);
	if (info->written < 0 || info->written > SB_TIME_MAX ||
	    info->gap_from < 0 || info->gap_from > SB_TIME_MAX ||
	    info->seed_until < 0 || info->seed_until > SB_TIME_MAX ||
	    *last_pass < 0 || *last_pass > SB_TIME_MAX)
		return sb_err_set(err, "time out of range");
	if (shape->width != width || shape->grain != grain)
		return sb_err_set(err, "window of %" PRId64 " s in buckets of %"
				  PRId64 " s", width, grain);
	return 0;
}

static int read_window(sb_reader_t *in, sb_ledger_t *ledger, uint32_t id,
		       sb_err_t *err)
{
	uint64_t count = sb_read_varint(in);
	int64_t bucket = -1;

	if (count == 0 || count > sb_ledger_shape(ledger)->buckets)
		return sb_err_set(err, "association %" PRIu32 " has %" PRIu64
				  " buckets", id, count);
	while (count-- > 0) {
		uint64_t delta = sb_read_varint(in);
		double charge = sb_read_f64(in);

		if (in->failed)
			return sb_err_set(err, "state ends within a window");
		if (delta == 0 || delta > SB_TIME_MAX)
			return sb_err_set(err, "association %" PRIu32
					  ": bucket out of order", id);
		bucket += delta;
		if (sb_ledger_restore_bucket(ledger, id, bucket, charge, err))
			return -1;
	}
	return 0;
}

static int read_windows(sb_reader_t *in, sb_ledger_t *ledger, sb_err_t *err)
{
	uint64_t id = 0;

	for (uint64_t count = sb_read_varint(in); count > 0; count--) {
		uint64_t delta = sb_read_varint(in);

		if (in->failed)
			return sb_err_set(err, "state ends within its windows");
		if (delta == 0 || delta > UINT32_MAX - id)
			return sb_err_set(err, "association behind %" PRIu64
					  " is out of order", id);
		id += delta;
		if (read_window(in, ledger, id, err))
			return -1;
	}
	return 0;
}

static int read_attempt(sb_reader_t *in, sb_ledger_t *ledger, sb_err_t *err)
{
	sb_charged_t charged = { 0 };
	sb_attempt_t *attempt = &charged.attempt;
	uint8_t flags;

	attempt->job_id = sb_read_u32(in);
	attempt->assoc_id = sb_read_u32(in);
	charged.payer = sb_read_u32(in);
	flags = sb_read_u8(in);
	attempt->suspended = flags & FLAG_SUSPENDED;
	charged.unsettled = flags & FLAG_UNSETTLED;
	attempt->start = sb_read_i64(in);
	attempt->end = sb_read_i64(in);
	attempt->resized = sb_read_i64(in);
	attempt->left = sb_read_i64(in);
	attempt->rate = sb_read_f64(in);
	attempt->factor = sb_read_f64(in);
	charged.from = sb_read_i64(in);
	charged.until = sb_read_i64(in);
	charged.rate_from = sb_read_i64(in);
	charged.charge_before = sb_read_f64(in);
	if (in->failed)
		return sb_err_set(err, "state ends within an attempt");
	if (flags & ~(FLAG_SUSPENDED | FLAG_UNSETTLED))
		return sb_err_set(err, "job %" PRIu32 ": flags %#x",
				  attempt->job_id, flags);
	return sb_ledger_restore_attempt(ledger, &charged, err);
}

static int read_attempts(sb_reader_t *in, sb_ledger_t *ledger, sb_err_t *err)
{
	for (uint64_t count = sb_read_varint(in); count > 0; count--)
		if (read_attempt(in, ledger, err))
			return -1;
	if (in->failed)
		return sb_err_set(err, "state ends before its attempts");
	if (in->at != in->end)
		return sb_err_set(err, "%zu bytes behind the last attempt",
				  (size_t) (in->end - in->at));
	return 0;
}

extern sb_ledger_t *sb_state_decode(const uint8_t *data, size_t size,
				    sb_state_info_t *info, sb_err_t *err)
{
	sb_window_shape_t shape;
	sb_ledger_t *ledger;
	int64_t last_pass;
	uint32_t version;
	sb_reader_t in;

	if (read_frame(data, size, &in, &version, err) ||
	    read_info(&in, version, info, &shape, &last_pass, err))
		return NULL;
	ledger = sb_ledger_create(&shape, last_pass);
	if (!ledger) {
		sb_err_set(err, "no memory for a ledger");
		return NULL;
	}
	if (read_windows(&in, ledger, err) ||
	    read_attempts(&in, ledger, err) ||
	    sb_ledger_restore_end(ledger, err)) {
		sb_ledger_destroy(ledger);
		return NULL;
	}
	return ledger;
}
