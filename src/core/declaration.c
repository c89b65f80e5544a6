/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "contract.h"
#include "limits.h"
#include "timespan.h"

#define TAG "min-runtime"
#define TAG_LEN (sizeof(TAG) - 1)

/* Longest name that can be the tag misspelt; bounds the search for it. */
#define NAME_MAX_LEN 64

/* Deepest JSON that is read; other people's objects in comments are flat. */
#define JSON_DEPTH 32

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_separator(char c)
{
	return is_blank(c) || c == ',' || c == ';';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_foreign(char c)
{
	return (unsigned char)c >= 0x80;
}

/* What a misspelt tag may be made of: a dash pasted from a document is not
 * ASCII. */
static bool is_name(char c)
{
	return is_letter(c) || is_digit(c) || c == '-' || c == '_' ||
	       c == '.' || is_foreign(c);
}

/* What people put around a word, as shells and documents taught them. */
static bool is_wrapper(char c)
{
	return c && strchr("\"'`([{<-", c);
}

/* RET: length of the name at `from`, NAME_MAX_LEN + 1 for all longer ones. */
static size_t name_length(const char *from, const char *end)
{
	const char *at = from;

	while (at < end && at - from <= NAME_MAX_LEN && is_name(*at))
		at++;
	return (size_t)(at - from);
}

static bool is_tag(const char *name, size_t len)
{
	return len == TAG_LEN && !memcmp(name, TAG, TAG_LEN);
}

/* The tag but for case, and the stop of a sentence behind it. */
static bool is_tag_any_case(const char *name, size_t len)
{
	while (len && name[len - 1] == '.')
		len--;
	for (size_t i = 0; i < len && i < TAG_LEN; i++) {
		char c = name[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != TAG[i])
			return false;
	}
	return len == TAG_LEN;
}

/* min-runtime-4h, min-runtime4h */
static bool is_glued(const char *name, size_t len)
{
	if (len <= TAG_LEN || !is_tag_any_case(name, TAG_LEN))
		return false;
	if (is_letter(name[TAG_LEN]) || is_digit(name[TAG_LEN]))
		return is_digit(name[TAG_LEN]);
	return len > TAG_LEN + 1 && is_digit(name[TAG_LEN + 1]);
}

/* RET: true when the tag was meant, perhaps even written. */
static bool resembles_tag(const char *name, size_t len)
{
	static const char *const others[] = {
		"min-run", "minimum-runtime", "minimum-run", "runtime-min",
		"min-running-time",
	};

	if (len > NAME_MAX_LEN)
		return false;
	/* Inside another word, as in x-min-runtime. */
	if (len > TAG_LEN && *name != '-' &&
	    is_tag(name + len - TAG_LEN, TAG_LEN))
		return false;
	if (is_glued(name, len) || sb_err_distance(name, len, TAG) < 2)
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (!sb_err_distance(name, len, others[i]))
			return true;
	}
	return false;
}

static int refuse_bare(sb_err_t *err)
{
	return sb_err_set(err, "\"" TAG "\" has no value right behind it; "
			  "write " TAG "=VALUE without blanks, for example "
			  TAG "=4h");
}

/* A bare number is minutes: who writes "4 h" would get four of them, and not
 * know. IN at: behind the value. */
static int check_unit(const sb_declaration_t *decl, const char *at,
		      const char *end, sb_err_t *err)
{
	size_t len = 0;

	while (at < end && is_blank(*at))
		at++;
	while (at + len < end && !is_separator(at[len]))
		len++;
	if (decl->text[strspn(decl->text, "0123456789")] ||
	    !sb_timespan_is_unit(at, len))
		return 0;
	return sb_err_set(err, TAG "=%s is minutes, and \"%.*s\" stands apart "
			  "from it; write " TAG "=VALUE without blanks, for "
			  "example " TAG "=4h", decl->text, (int)len, at);
}

static int refuse_near(const char *text, size_t len, sb_err_t *err)
{
	char shown[64];

	sb_err_quote(shown, sizeof(shown), text, len);
	return sb_err_set(err, "\"%s\" is not understood; write " TAG "=VALUE "
			  "as a word of its own, for example " TAG "=4h",
			  shown);
}

static int take_value(const char *value, size_t len, sb_declaration_t *decl,
		      sb_err_t *err)
{
	sb_err_t inner;

	if (decl->present)
		return sb_err_set(err, TAG " comes twice; write it once");
	sb_err_quote(decl->text, sizeof(decl->text), value, len);
	if (sb_timespan_parse(value, len, &decl->seconds, &inner))
		return sb_err_set(err, TAG "=%s: %s", decl->text, inner.text);
	decl->present = true;
	return 0;
}

/* RET: true when a value seems to follow a name that ends at `at`. IN end: of
 * the whole text, as the '=' may stand behind blanks. */
static bool is_assigned(const char *at, const char *end)
{
	if (end - at >= 2 && at[0] == ':' && is_digit(at[1]))
		return true;
	while (at < end && is_blank(*at))
		at++;
	return at < end && *at == '=';
}

/* RET: true when the tag was meant by what stands at `at` inside a word. */
static bool is_mistake(const char *at, const char *end)
{
	size_t len = name_length(at, end);

	return is_tag_any_case(at, len) || is_glued(at, len) ||
	       (resembles_tag(at, len) && is_assigned(at + len, end));
}

/* IN word, len: between separators. IN end: of the whole text. */
static int read_word(const char *word, size_t len, const char *end,
		     sb_declaration_t *decl, sb_err_t *err)
{
	const char *stop = word + len, *at = word;

	if (is_tag(word, name_length(word, stop))) {
		if (len <= TAG_LEN + 1 || word[TAG_LEN] != '=')
			return refuse_bare(err);
		if (take_value(word + TAG_LEN + 1, len - TAG_LEN - 1, decl,
			       err))
			return -1;
		return check_unit(decl, stop, end, err);
	}

	while (at < stop && is_wrapper(*at))
		at++;
	if (at < stop && is_mistake(at, end))
		return refuse_near(word, len, err);
	/* A blank that is not ASCII has glued two words together. */
	for (at = word + 1; at < stop; at++) {
		if (is_foreign(at[-1]) && !is_foreign(*at) &&
		    is_mistake(at, end))
			return refuse_near(word, len, err);
	}
	return 0;
}

static int read_words(const char *text, size_t len, sb_declaration_t *decl,
		      sb_err_t *err)
{
	const char *at = text, *end = text + len;

	while (at < end) {
		const char *word = at;

		while (at < end && !is_separator(*at))
			at++;
		if (at > word && read_word(word, (size_t)(at - word), end,
					   decl, err))
			return -1;
		at++;
	}
	return 0;
}

/* Not JSON, though it begins like it: an error only if the tag was meant, else
 * somebody's own text. */
static int read_broken(const char *text, size_t len, const char *reason,
		       sb_err_t *err)
{
	const char *end = text + len;
	char shown[64];

	for (const char *at = text; at < end;) {
		size_t n = name_length(at, end);

		if (resembles_tag(at, n)) {
			sb_err_quote(shown, sizeof(shown), at, n);
			return sb_err_set(err, "\"%s\" in a comment that "
					  "begins with { but is not valid JSON "
					  "(%s); write {\"" TAG "\": "
					  "\"VALUE\"}, or " TAG "=VALUE "
					  "without {", shown, reason);
		}
		at += n ? n : 1;
	}
	return 0;
}

/* RET: members of the object at its top level, as they are written; -1 for a
 * string in single quotes, which json-c lets pass. IN: valid for json-c. */
static int count_members(const char *text, size_t len)
{
	int depth = 0, members = 0;

	for (size_t i = 0; i < len; i++) {
		switch (text[i]) {
		case '\'':
			return -1;
		case '"':
			for (i++; i < len && text[i] != '"'; i++)
				i += text[i] == '\\';
			break;
		case '{':
		case '[':
			depth++;
			break;
		case '}':
		case ']':
			depth--;
			break;
		case ':':
			members += depth == 1;
			break;
		}
	}
	return members;
}

static int read_json_value(json_object *value, sb_declaration_t *decl,
			   sb_err_t *err)
{
	char minutes[24];

	if (json_object_is_type(value, json_type_string))
		return take_value(json_object_get_string(value),
				  (size_t)json_object_get_string_len(value),
				  decl, err);
	if (!json_object_is_type(value, json_type_int))
		return sb_err_set(err, "\"" TAG "\" in the JSON comment must "
				  "be a string, for example \"4h\", or a whole "
				  "number of minutes");
	snprintf(minutes, sizeof(minutes), "%lld",
		 (long long)json_object_get_int64(value));
	return take_value(minutes, strlen(minutes), decl, err);
}

static int read_object(json_object *object, int members,
		       sb_declaration_t *decl, sb_err_t *err)
{
	bool meant = false;

	json_object_object_foreach(object, key, value) {
		char shown[64];

		if (is_tag(key, strlen(key))) {
			meant = true;
			if (read_json_value(value, decl, err))
				return -1;
		} else if (resembles_tag(key, strlen(key))) {
			sb_err_quote(shown, sizeof(shown), key, strlen(key));
			return sb_err_set(err, "\"%s\" is not understood; "
					  "write {\"" TAG "\": \"VALUE\"}, for "
					  "example {\"" TAG "\": \"4h\"}",
					  shown);
		}
	}
	/* json-c keeps the last of equal keys and does not say so. */
	if (meant && members != json_object_object_length(object))
		return sb_err_set(err, "a key of the JSON comment comes twice; "
				  "write each once");
	return 0;
}

static int read_json(const char *text, size_t len, sb_declaration_t *decl,
		     sb_err_t *err)
{
	struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH);
	enum json_tokener_error error;
	json_object *object;
	int members, rc;

	if (!tokener)
		return sb_err_set(err, "out of memory");
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT |
			       JSON_TOKENER_VALIDATE_UTF8);
	object = json_tokener_parse_ex(tokener, text, (int)len);
	error = json_tokener_get_error(tokener);

	if (!object || error != json_tokener_success)
		rc = read_broken(text, len, error == json_tokener_continue ?
				 "it ends too early" :
				 json_tokener_error_desc(error), err);
	else if (json_tokener_get_parse_end(tokener) != len)
		rc = read_broken(text, len, "text behind the }", err);
	else if ((members = count_members(text, len)) < 0)
		rc = read_broken(text, len, "strings need double quotes", err);
	else
		rc = read_object(object, members, decl, err);

	json_object_put(object);
	json_tokener_free(tokener);
	return rc;
}

extern int sb_declaration_parse(const char *comment, sb_declaration_t *decl,
				sb_err_t *err)
{
	const char *end;
	size_t len = comment ? strnlen(comment, SB_COMMENT_MAX + 1) : 0;
	int rc;

	*decl = (sb_declaration_t){ .present = false };
	if (len > SB_COMMENT_MAX)
		return sb_err_set(err, "the comment is longer than %d bytes",
				  SB_COMMENT_MAX);
	if (!len)
		return 0;
	for (end = comment + len; comment < end && is_blank(*comment);)
		comment++;
	while (end > comment && is_blank(end[-1]))
		end--;
	len = (size_t)(end - comment);

	if (len && *comment == '{')
		rc = read_json(comment, len, decl, err);
	else
		rc = read_words(comment, len, decl, err);
	if (rc)
		*decl = (sb_declaration_t){ .present = false };
	return rc;
}
