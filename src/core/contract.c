/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "contract.h"
#include "limits.h"

/* Lower the grant to `limit`; the last limit that did so is the reason. */
static void reduce(sb_contract_t *contract, int64_t limit, sb_grant_t why)
{
	if (limit < 0)
		limit = 0;
	if (contract->granted <= limit)
		return;
	contract->granted = limit;
	contract->why = why;
}

/* RET: protection after the evictions of this job, at least `granted`. */
static int64_t grow(int64_t granted, double growth, uint32_t evictions)
{
	double grown;

	if (granted <= 0 || granted >= SB_PROTECT_GROWTH_CAP || !evictions ||
	    !(growth > 1))
		return granted;
	grown = (double)granted * pow(growth, evictions);
	/* False for infinity as well. */
	if (grown < SB_PROTECT_GROWTH_CAP)
		return (int64_t)(grown + 0.5);
	return SB_PROTECT_GROWTH_CAP;
}

static sb_class_t class_of(const sb_params_t *params,
			   const sb_declaration_t *decl)
{
	if (decl->present)
		return decl->seconds ? SB_CLASS_ALLOCATED :
		       SB_CLASS_UNALLOCATED;
	return params->undeclared == SB_UNDECLARED_FREE ?
	       SB_CLASS_UNALLOCATED : SB_CLASS_UNDECLARED;
}

extern void sb_contract_grant(const sb_params_t *params,
			      const sb_declaration_t *decl, bool malformed,
			      int64_t cap, int64_t time_limit, bool funded,
			      int64_t start, uint32_t evictions,
			      sb_contract_t *contract)
{
	int64_t wanted = decl->seconds;

	*contract = (sb_contract_t){
		.class = class_of(params, decl),
		.declared = decl->present ? decl->seconds : -1,
		.start = start,
		.evictions = evictions,
		.why = SB_GRANT_FULL,
	};
	if (contract->class == SB_CLASS_UNDECLARED)
		wanted = params->min_runtime_default;
	contract->granted = wanted;

	reduce(contract, cap, SB_GRANT_CAPPED);
	/* Before the time limit, as nobody runs longer than that. */
	contract->granted = grow(contract->granted, params->protect_growth,
				 evictions);
	if (time_limit >= 0)
		reduce(contract, time_limit, SB_GRANT_TIME_LIMIT);
	if (!funded)
		reduce(contract, 0, SB_GRANT_UNFUNDED);

	if (contract->granted >= wanted)
		contract->why = SB_GRANT_FULL;
	if (malformed)
		contract->why = SB_GRANT_MALFORMED;
}

extern int sb_contract_sign(const sb_params_t *params, const char *comment,
			    int64_t cap, int64_t time_limit, bool funded,
			    int64_t start, uint32_t evictions,
			    sb_contract_t *contract, sb_err_t *err)
{
	sb_declaration_t decl;
	int rc = sb_declaration_parse(comment, &decl, err);

	sb_contract_grant(params, &decl, rc, cap, time_limit, funded, start,
			  evictions, contract);
	return rc;
}

extern bool sb_contract_lower(sb_contract_t *contract, const char *comment)
{
	sb_declaration_t decl;

	if (sb_declaration_parse(comment, &decl, NULL) || !decl.present)
		return false;
	/* What was declared at start may stand below a grant that grew by
	 * evictions: that is no edit. */
	if (decl.seconds == contract->declared ||
	    decl.seconds >= contract->granted)
		return false;
	if (contract->declared >= 0 && decl.seconds > contract->declared)
		return false;
	contract->granted = decl.seconds;
	contract->why = SB_GRANT_LOWERED;
	return true;
}

extern int64_t sb_contract_left(const sb_contract_t *contract, int64_t ran)
{
	if (ran < 0)
		ran = 0;
	return contract->granted > ran ? contract->granted - ran : 0;
}

extern double sb_contract_charge(const sb_contract_t *contract,
				 const sb_params_t *params)
{
	return contract->class == SB_CLASS_UNALLOCATED ?
	       params->unallocated_charge : 1;
}

extern const char *sb_class_name(sb_class_t class)
{
	switch (class) {
	case SB_CLASS_ALLOCATED:
		return "allocated";
	case SB_CLASS_UNALLOCATED:
		return "unallocated";
	case SB_CLASS_UNDECLARED:
		return "undeclared";
	}
	return "invalid";
}

extern const char *sb_grant_name(sb_grant_t why)
{
	switch (why) {
	case SB_GRANT_FULL:
		return "full";
	case SB_GRANT_CAPPED:
		return "capped";
	case SB_GRANT_TIME_LIMIT:
		return "time-limit";
	case SB_GRANT_UNFUNDED:
		return "unfunded";
	case SB_GRANT_MALFORMED:
		return "malformed";
	case SB_GRANT_LOWERED:
		return "lowered";
	}
	return "invalid";
}
