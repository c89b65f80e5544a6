/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "embedded.h"
#include "page.h"

extern const char *report_chart(size_t *size)
{
	if (size)
		*size = report_chart_text_size;
	return report_chart_text_size ? (const char *) report_chart_text : NULL;
}
