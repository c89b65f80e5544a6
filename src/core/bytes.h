/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytes - bounded little-endian writer and reader, and their checksum.
 * Internal to the core.
 *
 * Both remember a failure and go on harmlessly, so that a caller checks once
 * at the end: a writer without memory writes nothing any more, a reader at its
 * end (or on a malformed number) gives zeros.
 */
#ifndef SB_CORE_BYTES_H
#define SB_CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of 0 is an empty one; the caller frees data. */
typedef struct {
	uint8_t *data;
	size_t size, room;
	bool failed;
} sb_writer_t;

typedef struct {
	const uint8_t *at, *end;
	bool failed;
} sb_reader_t;

extern void sb_write_bytes(sb_writer_t *writer, const void *bytes,
			   size_t size);
extern void sb_write_u8(sb_writer_t *writer, uint8_t value);
extern void sb_write_u32(sb_writer_t *writer, uint32_t value);
extern void sb_write_u64(sb_writer_t *writer, uint64_t value);
extern void sb_write_i64(sb_writer_t *writer, int64_t value);
/* IEEE 754 binary64. */
extern void sb_write_f64(sb_writer_t *writer, double value);
/* 7 bits a byte, low ones first, the high bit set on all but the last. */
extern void sb_write_varint(sb_writer_t *writer, uint64_t value);

extern void sb_read_bytes(sb_reader_t *reader, void *bytes, size_t size);
extern uint8_t sb_read_u8(sb_reader_t *reader);
extern uint32_t sb_read_u32(sb_reader_t *reader);
extern uint64_t sb_read_u64(sb_reader_t *reader);
extern int64_t sb_read_i64(sb_reader_t *reader);
extern double sb_read_f64(sb_reader_t *reader);
/* Only the shortest form of a number is well formed. */
extern uint64_t sb_read_varint(sb_reader_t *reader);

/* CRC-64 with the polynomial of ECMA-182, reflected, all ones before and
 * inverted after: that of "123456789" is 0x995dc9bbdf1939fa. */
extern uint64_t sb_crc64(const uint8_t *data, size_t size);

#endif
