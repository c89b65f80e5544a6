/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "story.h"

/* "a1:0.800" -> name and ratio. */
static bool _take_branch(const char *text, size_t length, char *name,
			 double *ratio)
{
	const char *colon = memchr(text, ':', length);
	char *end;

	if (!colon || (colon == text) || (colon - text >= STORY_NAME))
		return false;
	snprintf(name, STORY_NAME, "%.*s", (int) (colon - text), text);
	*ratio = strtod(colon + 1, &end);
	return end == text + length;
}

extern bool story_read(const char *text, story_t *story)
{
	const char *part[6];
	size_t length[6], count = 0;

	memset(story, 0, sizeof(*story));
	for (const char *at = text; count < 6;) {
		part[count] = at;
		length[count] = strcspn(at, ",");
		at += length[count++];
		if (!*at)
			break;
		at++;
	}
	/* WHEN,RULE,by-JobId=N,TAKER:RATIO,from,VICTIM:RATIO */
	if ((count != 6) || part[5][length[5]] ||
	    strncmp(part[2], "by-JobId=", 9) ||
	    (length[4] != 4) || strncmp(part[4], "from", 4) ||
	    (length[0] >= STORY_NAME) || (length[1] >= STORY_NAME))
		return false;
	snprintf(story->when, STORY_NAME, "%.*s", (int) length[0], part[0]);
	snprintf(story->rule, STORY_NAME, "%.*s", (int) length[1], part[1]);
	story->taker_id = strtoul(part[2] + 9, NULL, 10);
	return _take_branch(part[3], length[3], story->taker,
			    &story->taker_ratio) &&
	       _take_branch(part[5], length[5], story->victim,
			    &story->victim_ratio);
}
