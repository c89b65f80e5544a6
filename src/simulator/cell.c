/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cell.h"

/* Longest number with a point. */
#define REAL_SIZE 32

extern size_t cell_split(char *line, char separator, char *fields[CELLS_MAX])
{
	size_t count = 0;

	for (char *next = line; next; count++) {
		char *end = strchr(next, separator);

		if (count == CELLS_MAX)
			return CELLS_MAX + 1;
		fields[count] = next;
		if (end)
			*end++ = '\0';
		next = end;
	}
	return count;
}

/* RET: the column of this name, or -1. */
static int find(const cell_column_t *known, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcasecmp(known[i].name, name))
			return (int)i;
	}
	return -1;
}

extern const char *cell_header(char *const *names, size_t count,
				const cell_column_t *known,
				size_t known_count, bool strict,
				cell_header_t *header, const char **bad)
{
	*bad = NULL;
	if (count > CELLS_MAX)
		return "the header has more than 256 columns";
	header->count = count;
	for (size_t i = 0; i < known_count; i++)
		header->where[i] = -1;
	for (size_t i = 0; i < count; i++) {
		int column = find(known, known_count, names[i]);

		*bad = names[i];
		if (column < 0 && strict)
			return "no column that is known";
		if (column < 0)
			continue;
		if (header->where[column] >= 0)
			return "this column comes twice in the header";
		header->where[column] = (int)i;
	}
	for (size_t i = 0; i < known_count; i++) {
		*bad = known[i].name;
		if (known[i].needed && header->where[i] < 0)
			return "the header has no such column";
	}
	return NULL;
}

extern const char *cell_text(const cell_header_t *header,
			      char *const *fields, int column)
{
	return header->where[column] < 0 ? "" : fields[header->where[column]];
}

extern const char *cell_whole(const char *text, int64_t max, int64_t *value)
{
	int64_t sum = 0;

	if (!*text)
		return "is empty";
	for (; *text; text++) {
		if (*text == '-' || *text == '+')
			return "must be a whole number without a sign";
		if (*text < '0' || *text > '9')
			return "must be a whole number";
		if (sum > (INT64_MAX - 9) / 10)
			return "is too large";
		sum = sum * 10 + (*text - '0');
	}
	if (sum > max)
		return "is too large";
	*value = sum;
	return NULL;
}

extern bool cell_real(const char *text, size_t len, double *value)
{
	char number[REAL_SIZE], *end;

	if (!len || len >= sizeof(number))
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	if (strspn(number, "0123456789.") != len)
		return false;
	*value = strtod(number, &end);
	return !*end;
}

extern const char *cell_name(const char *text)
{
	if (strlen(text) > CELL_NAME_MAX)
		return "is longer than any name";
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return "has a control character";
	}
	return NULL;
}
