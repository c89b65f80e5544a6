/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

/* Longest path that is told in an error. */
#define PATH_MAX_LEN 200

/* Keys of one object that are compared: more of them are not ours, which
 * somebody else says. */
#define KEYS_MAX 64

/* Deeper objects are not ours; json-c has refused them before. */
#define DEPTH_MAX 32

static char *_end_of_string(char *at)
{
	for (at++; *at && (*at != '"'); at++) {
		if ((*at == '\\') && at[1])
			at++;
	}
	return *at ? at + 1 : at;
}

static char *_blank(char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at != '\n')
			*at = ' ';
	}
	return at;
}

extern int place_blank_comments(char *text, sb_err_t *err)
{
	char *at = text;

	while (*at) {
		if (*at == '"') {
			at = _end_of_string(at);
		} else if ((at[0] == '/') && (at[1] == '/')) {
			at = _blank(at, at + strcspn(at, "\n"));
		} else if ((at[0] == '/') && (at[1] == '*')) {
			char *end = strstr(at + 2, "*/");

			if (!end)
				return sb_err_set(err, "line %d: this comment has no end",
						  place_line(text, at - text));
			at = _blank(at, end + 2);
		} else {
			at++;
		}
	}
	return 0;
}

extern int place_line(const char *text, size_t offset)
{
	int line = 1;

	for (size_t i = 0; (i < offset) && text[i]; i++)
		line += text[i] == '\n';
	return line;
}

/* Where a walk is: in an object or array, at a member or element. */
typedef struct {
	bool array;
	size_t index;
	const char *key;	/* its first quote */
	size_t key_length;	/* with both quotes */
	const char *keys[KEYS_MAX];	/* those before */
	size_t lengths[KEYS_MAX];
	size_t count;
} level_t;

typedef struct {
	const char *text;
	level_t levels[DEPTH_MAX];
	int depth;		/* levels that are open */
	const char *wanted;	/* the path, or NULL: look for doubled keys */
	size_t matched;		/* bytes of it found so far */
	const char *found;	/* where */
	const char *doubled;
} walk_t;

/* The path to where the walk is. */
static void _path(const walk_t *walk, char path[PATH_MAX_LEN])
{
	size_t length = snprintf(path, PATH_MAX_LEN, "$");

	for (int i = 0; (i < walk->depth) && (length < PATH_MAX_LEN); i++) {
		const level_t *level = &walk->levels[i];

		if (level->array)
			length += snprintf(path + length,
					   PATH_MAX_LEN - length, "[%zu]",
					   level->index);
		else if (level->key)
			length += snprintf(path + length,
					   PATH_MAX_LEN - length, ".%.*s",
					   (int) level->key_length - 2,
					   level->key + 1);
	}
}

/* The walk has come to a member or element. */
static void _arrive(walk_t *walk, const char *at)
{
	char path[PATH_MAX_LEN];
	size_t length;

	if (!walk->wanted)
		return;
	_path(walk, path);
	length = strlen(path);
	if ((length > walk->matched) &&
	    !strncmp(walk->wanted, path, length) &&
	    (!walk->wanted[length] || strchr(".[", walk->wanted[length]))) {
		walk->matched = length;
		walk->found = at;
	}
}

/* RET: it came before. */
static bool _note_key(level_t *level)
{
	for (size_t i = 0; i < level->count; i++) {
		if ((level->lengths[i] == level->key_length) &&
		    !memcmp(level->keys[i], level->key, level->key_length))
			return true;
	}
	if (level->count < KEYS_MAX) {
		level->keys[level->count] = level->key;
		level->lengths[level->count++] = level->key_length;
	}
	return false;
}

/* RET: behind the string. It is a key when an object waits for one. */
static const char *_take_string(walk_t *walk, const char *at)
{
	level_t *level = walk->depth ? &walk->levels[walk->depth - 1] : NULL;
	const char *end = _end_of_string((char *) at);

	if (!level || level->array || level->key)
		return end;
	level->key = at;
	level->key_length = end - at;
	if (!walk->wanted && _note_key(level))
		walk->doubled = at;
	_arrive(walk, at);
	return end;
}

static void _open(walk_t *walk, const char *at)
{
	level_t *level;

	if (walk->depth == DEPTH_MAX)
		return;
	level = &walk->levels[walk->depth++];
	level->array = *at == '[';
	level->index = level->count = 0;
	level->key = NULL;
	if (*at == '[')
		_arrive(walk, at + 1 + strspn(at + 1, " \t\r\n"));
}

static void _next(walk_t *walk, const char *at)
{
	level_t *level = walk->depth ? &walk->levels[walk->depth - 1] : NULL;

	if (!level)
		return;
	level->key = NULL;
	level->index++;
	if (level->array)
		_arrive(walk, at + 1 + strspn(at + 1, " \t\r\n"));
}

static void _walk(walk_t *walk)
{
	const char *at = walk->text;

	while (*at && !walk->doubled) {
		if (*at == '"') {
			at = _take_string(walk, at);
			continue;
		}
		if ((*at == '{') || (*at == '['))
			_open(walk, at);
		else if ((*at == '}') || (*at == ']'))
			walk->depth -= walk->depth > 0;
		else if (*at == ',')
			_next(walk, at);
		at++;
	}
}

extern int place_find(const char *text, const char *path)
{
	walk_t walk = { .text = text, .wanted = path, .found = text };

	walk.found += strspn(text, " \t\r\n");
	_walk(&walk);
	return place_line(text, walk.found - text);
}

extern int place_check_keys(const char *text, sb_err_t *err)
{
	walk_t walk = { .text = text };
	char path[PATH_MAX_LEN], quoted[64];
	int rc = 0;

	_walk(&walk);
	if (walk.doubled) {
		_path(&walk, path);
		rc = sb_err_set(err, "line %d: %s: this key comes twice",
				place_line(text, walk.doubled - text),
				sb_err_quote(quoted, sizeof(quoted), path,
					     strlen(path)));
	}
	return rc;
}
