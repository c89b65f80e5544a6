/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "limits.h"
#include "timespan.h"

/* Where a token of ours begins; "budget[" alone may be anybody's. */
#define BEGIN "budget[class="
#define BRACKET (sizeof("budget[") - 1)

/* Longest protected-until; longer is no time in any format. */
#define UNTIL_MAX 64

/* min-runtime of a job that declared nothing. */
#define UNDECLARED "none"

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* RET: length of `key=` at `at`, 0: none. */
static size_t key_length(const char *at)
{
	size_t n = 0;

	while ((at[n] >= 'a' && at[n] <= 'z') || at[n] == '-')
		n++;
	return n && at[n] == '=' ? n + 1 : 0;
}

static size_t value_length(const char *at)
{
	size_t n = 0;

	while (at[n] && at[n] != ']' && !is_blank(at[n]))
		n++;
	return n;
}

/*
 * How far the token at `at` reaches: to its ']', or, when it is broken, behind
 * the last field that can be made out, so that no text of others goes with it.
 * RET: length, 0: there is none.
 */
static size_t token_length(const char *at)
{
	size_t n = BRACKET, key;

	if (strncmp(at, BEGIN, sizeof(BEGIN) - 1))
		return 0;
	while ((key = key_length(at + n))) {
		n += key;
		n += value_length(at + n);
		if (at[n] == ']')
			return n + 1;
		if (at[n] != ' ' || !key_length(at + n + 1))
			return n;
		n++;
	}
	return n;
}

/* The next token from `from` on. RET: NULL without one. */
static const char *find_token(const char *text, const char *from, size_t *len)
{
	for (const char *at = from; *at; at++) {
		if (at > text && !is_blank(at[-1]))
			continue;
		*len = token_length(at);
		if (*len)
			return at;
	}
	return NULL;
}

static bool equals(const char *value, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(value, word, len);
}

/* RET: true and a number up to max; digits only. */
static bool read_number(const char *value, size_t len, uint64_t max,
			uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < len; i++) {
		unsigned digit = (unsigned)(value[i] - '0');

		if (digit > 9 || *number > (max - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return len > 0;
}

/* RET: true for 1 to max bytes that may reach a terminal as a value. */
static bool is_value(const char *text, size_t len, size_t max)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] <= ' ' || text[i] > '~' || text[i] == ']')
			return false;
	}
	return len && len <= max;
}

static bool read_class(const char *value, size_t len, sb_contract_t *contract)
{
	for (int i = SB_CLASS_ALLOCATED; i <= SB_CLASS_UNDECLARED; i++) {
		if (equals(value, len, sb_class_name((sb_class_t)i))) {
			contract->class = (sb_class_t)i;
			return true;
		}
	}
	return false;
}

static bool read_declared(const char *value, size_t len,
			  sb_contract_t *contract)
{
	if (equals(value, len, UNDECLARED)) {
		contract->declared = -1;
		return true;
	}
	return !sb_timespan_parse(value, len, &contract->declared, NULL);
}

static bool read_granted(const char *value, size_t len,
			 sb_contract_t *contract)
{
	return !sb_timespan_parse(value, len, &contract->granted, NULL);
}

static bool read_why(const char *value, size_t len, sb_contract_t *contract)
{
	for (int i = SB_GRANT_FULL; i <= SB_GRANT_LOWERED; i++) {
		if (equals(value, len, sb_grant_name((sb_grant_t)i))) {
			contract->why = (sb_grant_t)i;
			return true;
		}
	}
	return false;
}

static bool read_start(const char *value, size_t len, sb_contract_t *contract)
{
	uint64_t number;

	if (!read_number(value, len, INT64_MAX, &number))
		return false;
	contract->start = (int64_t)number;
	return true;
}

/* For people's eyes: says nothing that start and granted don't. */
static bool read_until(const char *value, size_t len, sb_contract_t *contract)
{
	(void)value;
	(void)contract;
	return len > 0;
}

static bool read_evictions(const char *value, size_t len,
			   sb_contract_t *contract)
{
	uint64_t number;

	if (!read_number(value, len, UINT32_MAX, &number))
		return false;
	contract->evictions = (uint32_t)number;
	return true;
}

/* Likewise; kept for those who ask why. */
static bool read_evicted(const char *value, size_t len,
			 sb_contract_t *contract)
{
	if (!is_value(value, len, sizeof(contract->evicted) - 1))
		return false;
	memcpy(contract->evicted, value, len);
	contract->evicted[len] = '\0';
	return true;
}

/* In the order in which they must stand. */
static const struct {
	const char *key;
	bool optional;
	bool (*read)(const char *value, size_t len, sb_contract_t *contract);
} fields[] = {
	{ "class=", false, read_class },
	{ "min-runtime=", false, read_declared },
	{ "granted=", false, read_granted },
	{ "why=", false, read_why },
	{ "start=", false, read_start },
	{ "protected-until=", true, read_until },
	{ "evictions=", false, read_evictions },
	{ "evicted=", true, read_evicted },
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* What no version of ours ever wrote. */
static bool is_consistent(const sb_contract_t *contract)
{
	switch (contract->class) {
	case SB_CLASS_ALLOCATED:
		return contract->declared > 0;
	case SB_CLASS_UNALLOCATED:
		return contract->declared <= 0 && !contract->granted;
	case SB_CLASS_UNDECLARED:
		return contract->declared < 0;
	}
	return false;
}

static bool is_known(const char *key, size_t len)
{
	for (size_t i = 0; i < FIELDS; i++) {
		if (equals(key, len, fields[i].key))
			return true;
	}
	return false;
}

/* IN at, len: as token_length() found it. */
static bool read_token(const char *at, size_t len, sb_contract_t *contract)
{
	size_t i = 0;

	if (at[len - 1] != ']')
		return false;
	for (at += BRACKET - 1; *at != ']';) {
		size_t key = key_length(++at);
		size_t value = value_length(at + key);

		if (i < FIELDS && fields[i].optional &&
		    !equals(at, key, fields[i].key))
			i++;
		if (i == FIELDS) {
			/* A field of a later version. */
			if (is_known(at, key))
				return false;
		} else if (!equals(at, key, fields[i].key) ||
			   !fields[i].read(at + key, value, contract)) {
			return false;
		} else {
			i++;
		}
		at += key + value;
	}
	while (i < FIELDS && fields[i].optional)
		i++;
	return i == FIELDS && is_consistent(contract);
}

extern int sb_contract_from_token(const char *system_comment,
				  sb_contract_t *contract, sb_err_t *err)
{
	sb_contract_t found = { .declared = -1 };
	const char *at = NULL;
	char shown[64];
	size_t len, second;

	if (system_comment)
		at = find_token(system_comment, system_comment, &len);
	if (!at)
		return 1;
	/* Which one is ours cannot be told: trust none. */
	if (find_token(system_comment, at + len, &second))
		return sb_err_set(err, "SystemComment has two budget[...]");
	if (!read_token(at, len, &found)) {
		sb_err_quote(shown, sizeof(shown), at, len);
		return sb_err_set(err, "SystemComment: \"%s\" cannot be read",
				  shown);
	}
	*contract = found;
	return 0;
}

static int64_t in_range(int64_t seconds)
{
	return seconds < SB_TIMESPAN_MAX ? seconds : SB_TIMESPAN_MAX;
}

/* RET: length. */
static size_t write_token(const sb_contract_t *contract, const char *until,
			  char token[SB_TOKEN_MAX])
{
	char declared[SB_TIMESPAN_TEXT] = UNDECLARED;
	char granted[SB_TIMESPAN_TEXT];
	int64_t start = contract->start > 0 ? contract->start : 0;
	size_t until_len = until ? strnlen(until, UNTIL_MAX + 1) : 0;
	size_t evicted_len = strnlen(contract->evicted, SB_EVICTED_MAX);
	bool dated = is_value(until, until_len, UNTIL_MAX);
	bool evicted = is_value(contract->evicted, evicted_len,
				SB_EVICTED_MAX - 1);

	if (contract->declared >= 0)
		sb_timespan_format(in_range(contract->declared), declared,
				   sizeof(declared));
	sb_timespan_format(in_range(contract->granted), granted,
			   sizeof(granted));
	return (size_t)snprintf(token, SB_TOKEN_MAX,
		BEGIN "%s min-runtime=%s granted=%s why=%s start=%lld%s%s "
		"evictions=%u%s%s]", sb_class_name(contract->class), declared,
		granted, sb_grant_name(contract->why), (long long)start,
		dated ? " protected-until=" : "", dated ? until : "",
		contract->evictions, evicted ? " evicted=" : "",
		evicted ? contract->evicted : "");
}

extern char *sb_contract_to_token(const char *system_comment,
				  const sb_contract_t *contract,
				  const char *until)
{
	const char *text = system_comment ? system_comment : "";
	char token[SB_TOKEN_MAX], *out, *end;
	size_t token_len = write_token(contract, until, token), len;
	bool done = false;

	end = out = malloc(strlen(text) + token_len + 2);
	if (!out)
		return NULL;
	/* Word ends are looked for in what is written: dropping a second token
	 * must not make a third of the text around it. */
	while (*text) {
		len = end == out || is_blank(end[-1]) ? token_length(text) : 0;
		if (!len) {
			*end++ = *text++;
			continue;
		}
		text += len;
		if (!done)
			end = (char *)memcpy(end, token, token_len) + token_len;
		done = true;
	}
	if (!done) {
		if (end > out)
			*end++ = ' ';
		memcpy(end, token, token_len);
		end += token_len;
	}
	*end = '\0';
	return out;
}
