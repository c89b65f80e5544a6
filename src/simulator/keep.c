/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "keep.h"
#include "limits.h"
#include "words.h"

typedef struct {
	engine_reservation_t asked;
	const char *account;
	size_t account_len;
} entry_t;

#define WORD(name, kind, field, min, max) \
	{ name, kind, offsetof(entry_t, asked.field), min, max }

static const words_t words[] = {
	WORD("Created", WORDS_TIME, made, 0, SB_SETTING_TIME_MAX),
	WORD("StartTime", WORDS_TIME, start, 0, SB_SETTING_TIME_MAX),
	WORD("Duration", WORDS_TIME, duration, 1, SB_SETTING_TIME_MAX),
	WORD("NodeCnt", WORDS_COUNT, nodes, 1, ENGINE_NODES_MAX),
};
#define WORDS (sizeof(words) / sizeof(*words))

static int take(entry_t *entry, const char *word, size_t len, sb_err_t *err)
{
	size_t name_len = strcspn(word, ",=");
	const char *value = word + name_len + (name_len < len);
	size_t value_len = len - (size_t)(value - word);
	char shown[64];

	if (name_len == strlen("Accounts") &&
	    !strncasecmp(word, "Accounts", name_len)) {
		entry->account = value;
		entry->account_len = value_len;
		return 0;
	}
	if (words_find(word, name_len, words, WORDS) < 0)
		return sb_err_set(err, "unknown word \"%s\" (there are Created, StartTime, Duration, NodeCnt, Accounts)",
				  sb_err_quote(shown, sizeof(shown), word,
					       name_len));
	return words_set(word, name_len, value, value_len, words, WORDS, entry,
			 err);
}

/* RET: the account of this name, -1: there is none. */
static int32_t find(const workload_t *workload, const char *name, size_t len)
{
	for (size_t i = 0; i < workload->assoc_count; i++) {
		const workload_assoc_t *assoc = &workload->assocs[i];

		if (!assoc->user && strlen(assoc->name) == len &&
		    !strncasecmp(assoc->name, name, len))
			return (int32_t)i;
	}
	return -1;
}

static int check(const entry_t *entry, sb_err_t *err)
{
	if (!entry->asked.duration || !entry->asked.nodes ||
	    !entry->account_len)
		return sb_err_set(err, "a reservation needs StartTime, Duration, NodeCnt and Accounts");
	if (entry->asked.start < entry->asked.made)
		return sb_err_set(err, "StartTime is before Created");
	return 0;
}

extern int keep_add(keep_t *keep, const char *text,
		    const workload_t *workload, sb_err_t *err)
{
	entry_t entry = { .account = "" };
	char shown[64];

	if (keep->count == KEEP_MAX)
		return sb_err_set(err, "no more than %d reservations",
				  KEEP_MAX);
	for (const char *at = text; *at; ) {
		size_t len = strcspn(at, ",");

		if (take(&entry, at, len, err))
			return -1;
		at += len;
		if (*at && !*++at)
			return sb_err_set(err, "nothing behind the last comma");
	}
	if (check(&entry, err))
		return -1;
	if (workload) {
		entry.asked.assoc = find(workload, entry.account,
					 entry.account_len);
		if (entry.asked.assoc < 0)
			return sb_err_set(err, "no account \"%s\" in the workload",
					  sb_err_quote(shown, sizeof(shown),
						       entry.account,
						       entry.account_len));
	}
	keep->list[keep->count++] = entry.asked;
	return 0;
}
