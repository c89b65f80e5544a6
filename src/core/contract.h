/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contract - what a job declares, what it is granted, and the token that
 * locks the grant in.
 *
 * The declaration is `min-runtime=VALUE` in the job's comment: anywhere among
 * words separated by blanks, ',' or ';', or as a key of a JSON object (at its
 * top level, value a string or a whole number of minutes). VALUE is a
 * timespan; 0 is unallocated work. Once only. The word without `=VALUE` right
 * behind it and near misses (minruntime=, min_runtime=, any case, ...) are
 * errors that name the right spelling; so is a bare number before a unit that
 * stands apart (4 h), as it would be minutes. The same letters inside another
 * word (a URL, a path) are not the tag.
 *
 * A comment whose first non-blank is '{' is JSON and nothing else: the words
 * in it, its string values and deeper levels are not searched. When it is not
 * valid JSON, a name in it that is the tag or resembles it is an error (it was
 * meant, and guessing at what is left would be worse); without one it is
 * somebody's own text and no declaration. Of an object with the tag each key
 * may come once.
 */
#ifndef SB_CORE_CONTRACT_H
#define SB_CORE_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "params.h"

typedef enum {
	SB_CLASS_ALLOCATED,	/* declared more than 0 */
	SB_CLASS_UNALLOCATED,	/* declared 0, or undeclared=free */
	SB_CLASS_UNDECLARED	/* charged like allocated */
} sb_class_t;

/* Room for a declared value as it is shown to people. */
#define SB_DECLARATION_TEXT 32

typedef struct {
	bool present;
	int64_t seconds;
	char text[SB_DECLARATION_TEXT];	/* VALUE as it was written, quoted */
} sb_declaration_t;

/*
 * Find the declaration in a comment (NULL: none).
 * RET: 0 (decl->present tells whether there is one), or -1 with err set and
 * decl->present false.
 */
extern int sb_declaration_parse(const char *comment, sb_declaration_t *decl,
				sb_err_t *err);

/* Why the grant is less than what was declared. */
typedef enum {
	SB_GRANT_FULL,
	SB_GRANT_CAPPED,	/* over min_runtime_max of its partition */
	SB_GRANT_TIME_LIMIT,	/* over the job's own time limit */
	SB_GRANT_UNFUNDED,	/* its account has no budget */
	SB_GRANT_MALFORMED,	/* unreadable: treated as undeclared; said
				 * whatever else lowered the grant */
	SB_GRANT_LOWERED	/* its owner edited it down while it ran */
} sb_grant_t;

#define SB_EVICTED_MAX 192

typedef struct {
	sb_class_t class;
	int64_t declared;	/* seconds; -1: nothing was declared */
	int64_t granted;	/* protected run time, seconds */
	sb_grant_t why;
	int64_t start;		/* of the attempt it was signed for, epoch */
	uint32_t evictions;	/* of this job so far */
	char evicted[SB_EVICTED_MAX];	/* when, why, by whom the last time:
				 * for people; printable ASCII without blank
				 * or ']'; empty: never */
} sb_contract_t;

/*
 * Sign: the contract of a job that starts now.
 * IN comment: the job's comment; malformed counts as undeclared.
 * IN cap: sb_params_cap() of its partition, seconds.
 * IN time_limit: seconds, < 0: none.
 * IN funded: false takes all protection away.
 * IN evictions: protection grows by protect_growth ^ evictions, up to
 * SB_PROTECT_GROWTH_CAP (never below what was granted without growth).
 * Order: declared (undeclared: min_runtime_default, but nothing for
 * undeclared=free, as unallocated work is never protected), cap, growth, time
 * limit, funded; `why` is the last of them that lowered it, full when the
 * grant is no less than what was declared.
 * RET: 0, or -1 when the comment was malformed (contract is valid all the
 * same; err says what is wrong with the comment).
 */
extern int sb_contract_sign(const sb_params_t *params, const char *comment,
			    int64_t cap, int64_t time_limit, bool funded,
			    int64_t start, uint32_t evictions,
			    sb_contract_t *contract, sb_err_t *err);

/* The same with a comment that has been parsed already. IN decl: as
 * sb_declaration_parse() left it; malformed: it returned -1. */
extern void sb_contract_grant(const sb_params_t *params,
			      const sb_declaration_t *decl, bool malformed,
			      int64_t cap, int64_t time_limit, bool funded,
			      int64_t start, uint32_t evictions,
			      sb_contract_t *contract);

/*
 * Lower the grant to what the comment says now; never raises. A malformed or
 * missing declaration changes nothing, nor does the declaration as it was
 * signed, though a grant that grew by evictions is above it. `declared` and
 * the class (and with it the charge) stay as signed, even when it goes to 0.
 * RET: true when something changed.
 */
extern bool sb_contract_lower(sb_contract_t *contract, const char *comment);

/* Seconds of protection left for a job that has run `ran` seconds (suspended
 * time not counted). RET: 0 when it may be preempted. */
extern int64_t sb_contract_left(const sb_contract_t *contract, int64_t ran);

/* Charge factor of the class: 1, or unallocated_charge. */
extern double sb_contract_charge(const sb_contract_t *contract,
				 const sb_params_t *params);

/*
 * The token, kept in SystemComment beside other people's text and readable by
 * users, for example
 *   budget[class=allocated min-runtime=4:00:00 granted=2:00:00 why=time-limit
 *          start=1790000000 protected-until=2026-11-29T17:00:00 evictions=0]
 * on one line. Exactly one token of ours in the string; the rest is kept byte
 * for byte. The exact grammar is frozen in doc/formats.md. A token stands at
 * the start of the text or behind a blank. The text of others may hold what
 * looks like one: with two of them none is trusted (-1), and the next
 * sb_contract_to_token() leaves one again.
 */
#define SB_TOKEN_MAX 512

/* RET: 0 and the contract, 1 when there is no token, -1 when there is one that
 * cannot be read (err). */
extern int sb_contract_from_token(const char *system_comment,
				  sb_contract_t *contract, sb_err_t *err);

/*
 * The system comment with its token replaced (or added at the end, after one
 * blank, when there is none). Of several tokens the first is replaced and the
 * others are dropped.
 * IN contract: as signed, that is, class and declared agree.
 * IN until: text for protected-until, up to 64 printable ASCII bytes without
 * blanks or ']'; NULL and any other text leave it out (the core knows no time
 * zone).
 * RET: malloc'ed text owned by the caller, NULL without memory.
 */
extern char *sb_contract_to_token(const char *system_comment,
				  const sb_contract_t *contract,
				  const char *until);

/* "allocated" | "unallocated" | "undeclared"; "full" | "capped" | ... */
extern const char *sb_class_name(sb_class_t class);
extern const char *sb_grant_name(sb_grant_t why);

#endif
