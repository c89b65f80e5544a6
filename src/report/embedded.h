/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embedded - files that embed.sh made C of: the chart library (size 0: built
 * without), the page's style and its script. Terminated, sizes without that.
 */
#ifndef SB_REPORT_EMBEDDED_H
#define SB_REPORT_EMBEDDED_H

#include <stddef.h>

extern const unsigned char report_chart_text[];
extern const size_t report_chart_text_size;
extern const unsigned char report_style_text[];
extern const size_t report_style_text_size;
extern const unsigned char report_script_text[];
extern const size_t report_script_text_size;

#endif
