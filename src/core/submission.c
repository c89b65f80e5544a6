/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "submission.h"
#include "timespan.h"

/* Room for " on partition " and a name. */
#define WHERE_MAX (SB_NAME_MAX + 16)
#define RANGE_MAX (SB_TIMESPAN_TEXT + 8)

/* The tightest bound that some partition sets. */
typedef struct {
	int64_t seconds;
	const char *part;	/* NULL: none in particular */
} bound_t;

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool same_declaration(const sb_declaration_t *a,
			     const sb_declaration_t *b)
{
	return a->present == b->present && a->seconds == b->seconds;
}

static bool same_parts(const sb_request_t *a, const sb_request_t *b)
{
	if (a->part_count != b->part_count)
		return false;
	for (size_t i = 0; i < a->part_count; i++) {
		if (!same_text(a->parts[i].name, b->parts[i].name))
			return false;
	}
	return true;
}

static bound_t strictest_cap(const sb_params_t *params,
			     const sb_request_t *request)
{
	bound_t bound = { sb_params_cap(params, NULL), NULL };

	for (size_t i = 0; i < request->part_count; i++) {
		const char *name = request->parts[i].name;
		int64_t cap = sb_params_cap(params, name);

		if (!i || cap < bound.seconds)
			bound = (bound_t){ cap, name };
	}
	return bound;
}

/* RET: seconds, or SB_TIME_UNLIMITED. */
static bound_t strictest_limit(const sb_request_t *request)
{
	bound_t bound = { request->time_limit, NULL };

	if (request->time_limit != SB_TIME_UNSET)
		return bound;
	bound.seconds = SB_TIME_UNLIMITED;
	for (size_t i = 0; i < request->part_count; i++) {
		const sb_request_part_t *part = &request->parts[i];

		if (part->time_limit >= 0 &&
		    (bound.seconds < 0 || part->time_limit < bound.seconds))
			bound = (bound_t){ part->time_limit, part->name };
	}
	return bound;
}

/* RET: " on partition gpu", or nothing. */
static const char *where(const char *part, char text[WHERE_MAX])
{
	char shown[64];

	text[0] = '\0';
	if (part) {
		sb_err_quote(shown, sizeof(shown), part, strlen(part));
		snprintf(text, WHERE_MAX, " on partition %s", shown);
	}
	return text;
}

/* RET: "0 to 8:00:00". */
static const char *range(int64_t max, char text[RANGE_MAX])
{
	char high[SB_TIMESPAN_TEXT];

	sb_timespan_format(max, high, sizeof(high));
	snprintf(text, RANGE_MAX, "0%s%s", max > 0 ? " to " : "",
		 max > 0 ? high : "");
	return text;
}

static sb_answer_t check_cap(const sb_params_t *params,
			     const sb_request_t *request,
			     const sb_declaration_t *decl, sb_err_t *message)
{
	bound_t cap = strictest_cap(params, request);
	char allowed[SB_TIMESPAN_TEXT], place[WHERE_MAX];

	if (decl->seconds <= cap.seconds)
		return SB_ANSWER_YES;
	sb_timespan_format(cap.seconds, allowed, sizeof(allowed));
	sb_err_set(message, "min-runtime=%s is over the limit of %s%s",
		   decl->text, allowed, where(cap.part, place));
	return SB_ANSWER_OVER;
}

static sb_answer_t check_limit(const sb_request_t *request,
			       const sb_declaration_t *decl, sb_err_t *message)
{
	bound_t limit = strictest_limit(request);
	char allowed[SB_TIMESPAN_TEXT], place[WHERE_MAX];

	if (limit.seconds < 0 || decl->seconds <= limit.seconds)
		return SB_ANSWER_YES;
	sb_timespan_format(limit.seconds, allowed, sizeof(allowed));
	if (request->time_limit != SB_TIME_UNSET)
		sb_err_set(message, "min-runtime=%s is over the job's time "
			   "limit of %s", decl->text, allowed);
	else
		sb_err_set(message, "min-runtime=%s is over %s, the time limit "
			   "of a job without --time%s", decl->text, allowed,
			   where(limit.part, place));
	return SB_ANSWER_OVER;
}

static sb_answer_t refuse_missing(const sb_params_t *params,
				  const sb_request_t *request,
				  sb_err_t *message)
{
	bound_t cap = strictest_cap(params, request);
	char allowed[RANGE_MAX], place[WHERE_MAX];

	sb_err_set(message, "min-runtime is missing; write "
		   "--comment=min-runtime=VALUE, allowed: %s%s",
		   range(cap.seconds, allowed), where(cap.part, place));
	return SB_ANSWER_MISSING;
}

/* RET: it is not safe from preemption wherever it may run. */
static bool is_exposed(const sb_request_t *request)
{
	bool exposed = !request->part_count;

	for (size_t i = 0; i < request->part_count; i++)
		exposed |= !request->parts[i].exempt;
	return exposed;
}

static void note_cancel(const sb_params_t *params, const sb_request_t *request,
			sb_err_t *message)
{
	sb_contract_t contract;
	char minimum[SB_TIMESPAN_TEXT];

	if (request->requeueable || !request->preempts ||
	    params->preempt_shadow || !is_exposed(request))
		return;
	sb_contract_sign(params, request->comment,
			 strictest_cap(params, request).seconds,
			 strictest_limit(request).seconds, true, 0, 0,
			 &contract, NULL);
	/* Free work is not spared. */
	if (params->not_requeueable_spare &&
	    contract.class != SB_CLASS_UNALLOCATED)
		return;
	sb_timespan_format(contract.granted, minimum, sizeof(minimum));
	if (contract.granted)
		sb_err_set(message, "note: this job cannot be requeued and may "
			   "be cancelled after its minimum runtime of %s",
			   minimum);
	else
		sb_err_set(message, "note: this job cannot be requeued and may "
			   "be cancelled at any time, as it has no minimum "
			   "runtime");
}

extern sb_answer_t sb_submission_check(const sb_params_t *params,
				       const sb_request_t *request,
				       sb_err_t *message)
{
	sb_declaration_t decl;
	sb_answer_t answer = SB_ANSWER_YES;

	message->text[0] = '\0';
	if (sb_declaration_parse(request->comment, &decl, message))
		return SB_ANSWER_MALFORMED;
	if (!decl.present && params->undeclared == SB_UNDECLARED_REJECT)
		return refuse_missing(params, request, message);
	if (decl.present) {
		answer = check_cap(params, request, &decl, message);
		if (answer == SB_ANSWER_YES)
			answer = check_limit(request, &decl, message);
	}
	if (answer == SB_ANSWER_YES)
		note_cancel(params, request, message);
	return answer;
}

/* RET: the longest minimum that a job which runs may declare. */
static int64_t ceiling(const sb_contract_t *contract, const char *comment)
{
	sb_contract_t now = *contract;

	/* An earlier edit may be newer than the contract. */
	(void)sb_contract_lower(&now, comment);
	if (now.declared < 0 || now.why == SB_GRANT_LOWERED)
		return now.granted;
	return now.declared;
}

static sb_answer_t check_raise(const sb_contract_t *contract,
			       const char *comment,
			       const sb_declaration_t *decl, sb_err_t *message)
{
	int64_t max = ceiling(contract, comment);
	char allowed[RANGE_MAX];

	if (decl->seconds <= max)
		return SB_ANSWER_YES;
	sb_err_set(message, "min-runtime=%s would raise the minimum of a job "
		   "that runs; allowed: %s", decl->text, range(max, allowed));
	return SB_ANSWER_RAISED;
}

extern sb_answer_t sb_submission_change(const sb_params_t *params,
					const sb_request_t *before,
					const sb_request_t *after,
					const sb_contract_t *contract,
					sb_err_t *message)
{
	sb_declaration_t old, decl;
	bool declares, moves = !same_parts(before, after);
	bool limits = !contract && before->time_limit != after->time_limit;
	sb_answer_t answer = SB_ANSWER_YES;

	message->text[0] = '\0';
	(void)sb_declaration_parse(before->comment, &old, NULL);
	if (sb_declaration_parse(after->comment, &decl, message)) {
		if (!same_text(before->comment, after->comment))
			return SB_ANSWER_MALFORMED;
		message->text[0] = '\0';
	}
	declares = !same_declaration(&old, &decl);
	if (!decl.present)
		return declares && params->undeclared == SB_UNDECLARED_REJECT ?
		       refuse_missing(params, after, message) : SB_ANSWER_YES;

	if (declares && contract)
		answer = check_raise(contract, before->comment, &decl, message);
	if (answer == SB_ANSWER_YES && (declares || moves))
		answer = check_cap(params, after, &decl, message);
	if (answer == SB_ANSWER_YES && (declares || moves || limits))
		answer = check_limit(after, &decl, message);
	return answer;
}
