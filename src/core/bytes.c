/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytes - bounded little-endian writer and reader; the contract is in bytes.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

#define WRITER_ROOM 4096

/* RET: true when `size` more bytes have room. */
static bool writer_reserve(sb_writer_t *writer, size_t size)
{
	size_t room = writer->room ? writer->room : WRITER_ROOM;
	uint8_t *data;

	if (writer->failed || writer->room - writer->size >= size)
		return !writer->failed;
	while (room - writer->size < size && room <= SIZE_MAX / 2)
		room *= 2;
	data = room - writer->size < size ? NULL : realloc(writer->data, room);
	if (!data) {
		writer->failed = true;
		return false;
	}
	writer->data = data;
	writer->room = room;
	return true;
}

extern void sb_write_bytes(sb_writer_t *writer, const void *bytes, size_t size)
{
	if (!size || !writer_reserve(writer, size))
		return;
	memcpy(writer->data + writer->size, bytes, size);
	writer->size += size;
}

static void write_little(sb_writer_t *writer, uint64_t value, size_t size)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[i] = value >> (8 * i);
	sb_write_bytes(writer, bytes, size);
}

extern void sb_write_u8(sb_writer_t *writer, uint8_t value)
{
	write_little(writer, value, 1);
}

extern void sb_write_u32(sb_writer_t *writer, uint32_t value)
{
	write_little(writer, value, 4);
}

extern void sb_write_u64(sb_writer_t *writer, uint64_t value)
{
	write_little(writer, value, 8);
}

extern void sb_write_i64(sb_writer_t *writer, int64_t value)
{
	write_little(writer, value, 8);
}

extern void sb_write_f64(sb_writer_t *writer, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	write_little(writer, bits, 8);
}

extern void sb_write_varint(sb_writer_t *writer, uint64_t value)
{
	uint8_t bytes[10];
	size_t size = 0;

	for (; value > 0x7f; value >>= 7)
		bytes[size++] = value | 0x80;
	bytes[size++] = value;
	sb_write_bytes(writer, bytes, size);
}

extern void sb_read_bytes(sb_reader_t *reader, void *bytes, size_t size)
{
	if (reader->failed || (size_t) (reader->end - reader->at) < size) {
		reader->failed = true;
		memset(bytes, 0, size);
		return;
	}
	memcpy(bytes, reader->at, size);
	reader->at += size;
}

static uint64_t read_little(sb_reader_t *reader, size_t size)
{
	uint8_t bytes[8];
	uint64_t value = 0;

	sb_read_bytes(reader, bytes, size);
	for (size_t i = 0; i < size; i++)
		value |= (uint64_t) bytes[i] << (8 * i);
	return value;
}

extern uint8_t sb_read_u8(sb_reader_t *reader)
{
	return read_little(reader, 1);
}

extern uint32_t sb_read_u32(sb_reader_t *reader)
{
	return read_little(reader, 4);
}

extern uint64_t sb_read_u64(sb_reader_t *reader)
{
	return read_little(reader, 8);
}

extern int64_t sb_read_i64(sb_reader_t *reader)
{
	return (int64_t) read_little(reader, 8);
}

extern double sb_read_f64(sb_reader_t *reader)
{
	uint64_t bits = read_little(reader, 8);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

extern uint64_t sb_read_varint(sb_reader_t *reader)
{
	uint64_t value = 0;
	uint8_t byte;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		byte = sb_read_u8(reader);
		value |= (uint64_t) (byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		/* The last byte of a long one adds something; the tenth has
		 * one bit left. */
		if ((shift && !byte) || (shift == 63 && byte > 1))
			break;
		return reader->failed ? 0 : value;
	}
	reader->failed = true;
	return 0;
}

/* table[k][b]: what byte b does to a checksum that k more bytes follow. */
static void crc64_table(uint64_t table[8][256])
{
	for (unsigned b = 0; b < 256; b++) {
		uint64_t crc = b;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xc96c5795d7870f42ULL : 0);
		table[0][b] = crc;
	}
	for (unsigned k = 1; k < 8; k++)
		for (unsigned b = 0; b < 256; b++)
			table[k][b] = table[k - 1][b] >> 8 ^
				table[0][table[k - 1][b] & 0xff];
}

extern uint64_t sb_crc64(const uint8_t *data, size_t size)
{
	/* On the stack, made in microseconds: the core has no statics that
	 * change, and eight bytes at a time matter for a state of megabytes. */
	uint64_t table[8][256];
	uint64_t crc = UINT64_MAX;

	crc64_table(table);
	for (; size >= 8; data += 8, size -= 8) {
		uint64_t next = 0;

		for (unsigned k = 0; k < 8; k++)
			next ^= table[7 - k][(crc >> (8 * k) ^ data[k]) & 0xff];
		crc = next;
	}
	for (; size; data++, size--)
		crc = crc >> 8 ^ table[0][(crc ^ *data) & 0xff];
	return ~crc;
}
