/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "source.h"

/* Read at once, bytes. */
#define CHUNK 65536

/* A number that a macro stands for, as text. */
#define TEXT(number) #number
#define TEXT_OF(number) TEXT(number)

struct source {
	char *name;
	gzFile file;		/* NULL: a text */
	const char *text;	/* what is left of it */
	size_t text_size;
	char *chunk;		/* read and not yet given out: from .. filled */
	size_t from, filled;
	char *line;
	size_t room;		/* of line */
	size_t number;
	const char *fault;	/* of the line, NULL: it is text */
};

static source_t *create(const char *name)
{
	source_t *source = calloc(1, sizeof(*source));

	if (!source)
		return NULL;
	source->name = strdup(name);
	source->chunk = malloc(CHUNK);
	if (!source->name || !source->chunk) {
		source_close(source);
		return NULL;
	}
	return source;
}

extern source_t *source_open(const char *path, sb_err_t *err)
{
	source_t *source = create(strcmp(path, "-") ? path : "stdin");
	char shown[64];

	if (!source) {
		sb_err_set(err, "no memory");
		return NULL;
	}
	errno = 0;
	source->file = strcmp(path, "-") ? gzopen(path, "rb") :
		gzdopen(dup(STDIN_FILENO), "rb");
	if (!source->file) {
		sb_err_set(err, "%s: %s",
			   sb_err_quote(shown, sizeof(shown), path,
					strlen(path)),
			   errno ? strerror(errno) : "no memory");
		source_close(source);
		return NULL;
	}
	return source;
}

extern source_t *source_of_text(const char *name, const char *text,
				size_t size)
{
	source_t *source = create(name);

	if (source) {
		source->text = text;
		source->text_size = size;
	}
	return source;
}

extern void source_close(source_t *source)
{
	if (!source)
		return;
	if (source->file)
		gzclose(source->file);
	free(source->name);
	free(source->chunk);
	free(source->line);
	free(source);
}

extern const char *source_name(const source_t *source)
{
	return source->name;
}

extern size_t source_number(const source_t *source)
{
	return source->number;
}

extern const char *source_fault(const source_t *source)
{
	return source->fault;
}

/* RET: 1 with a chunk; 0 at the end; -1 with err. */
static int read_chunk(source_t *source, sb_err_t *err)
{
	const char *reason;
	int got, number;

	source->from = source->filled = 0;
	if (!source->file) {
		size_t size = source->text_size < CHUNK ?
			source->text_size : CHUNK;

		if (size)
			memcpy(source->chunk, source->text, size);
		source->text += size;
		source->text_size -= size;
		source->filled = size;
		return size > 0;
	}
	got = gzread(source->file, source->chunk, CHUNK);
	reason = gzerror(source->file, &number);
	if (got < 0 && number == Z_ERRNO)
		return sb_err_set(err, "%s: %s", source->name,
				  strerror(errno));
	/* A compressed file that was cut off tells at its end only. */
	if (got < 0 || number == Z_BUF_ERROR || number == Z_DATA_ERROR)
		return sb_err_set(err, "%s:%zu: cannot be read: %s",
				  source->name, source->number + 1,
				  number == Z_BUF_ERROR ?
				  "compressed, and cut off" : reason);
	source->filled = (size_t)got;
	return got > 0;
}

/* Append to line, which has *len bytes; what is too long is a fault, and not
 * kept. RET: 0, or -1 with err. */
static int append(source_t *source, size_t *len, const char *from, size_t size,
		  sb_err_t *err)
{
	if (*len + size > SOURCE_LINE_MAX) {
		source->fault = "a line of more than " TEXT_OF(SOURCE_LINE_MAX)
			" bytes";
		*len = size = 0;
	}
	if (*len + size + 1 > source->room) {
		size_t room = 2 * (*len + size + 1);
		char *line = realloc(source->line, room);

		if (!line)
			return sb_err_set(err, "no memory");
		source->line = line;
		source->room = room;
	}
	memcpy(source->line + *len, from, size);
	*len += size;
	source->line[*len] = '\0';
	return 0;
}

extern int source_line(source_t *source, char **line, size_t *len,
		       sb_err_t *err)
{
	size_t length = 0;
	const char *end = NULL;

	source->number++;
	source->fault = NULL;
	for (bool any = false; !end; any = true) {
		int rc = source->from < source->filled ? 1 :
			read_chunk(source, err);
		const char *start = source->chunk + source->from;
		size_t size;

		if (rc < 0 || (!rc && !any))
			return rc;
		if (!rc)
			break;
		size = source->filled - source->from;
		end = memchr(start, '\n', size);
		if (end)
			size = (size_t)(end - start);
		if (append(source, &length, start, size, err))
			return -1;
		source->from += size + (end != NULL);
	}
	if (length && source->line[length - 1] == '\r')
		source->line[--length] = '\0';
	if (!source->fault && memchr(source->line, '\0', length))
		source->fault = "a NUL byte: this is no text";
	*line = source->line;
	*len = length;
	return 1;
}
