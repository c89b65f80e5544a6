/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "err.h"

/* Longest output of sb_err_quote(): three quoted texts and a sentence around
 * them still fit into an error. */
#define QUOTE_MAX 60

/* Longest word that sb_err_distance() looks at, squeezed. */
#define WORD_MAX 64

extern int sb_err_set(sb_err_t *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;

	/* Formatted aside: the old sentence may be one of the arguments. */
	char text[SB_ERR_SIZE];
	va_start(ap, fmt);
	if (vsnprintf(text, sizeof(text), fmt, ap) < 0)
		text[0] = '\0';
	va_end(ap);
	memcpy(err->text, text, sizeof(text));
	return -1;
}

/* One byte as it is shown. RET: length of out (1 or 4). */
static size_t show_byte(unsigned char byte, char out[4])
{
	static const char hex[] = "0123456789abcdef";

	if (byte >= 0x20 && byte < 0x7f) {
		out[0] = (char)byte;
		return 1;
	}
	out[0] = '\\';
	out[1] = 'x';
	out[2] = hex[byte >> 4];
	out[3] = hex[byte & 0xf];
	return 4;
}

extern char *sb_err_quote(char *dst, size_t dst_size, const char *src,
			  size_t len)
{
	size_t room, used = 0, fits = 0;

	if (!dst || !dst_size)
		return dst;
	room = dst_size - 1;
	if (room > QUOTE_MAX)
		room = QUOTE_MAX;

	for (size_t i = 0; src && i < len; i++) {
		char out[4];
		size_t n = show_byte((unsigned char)src[i], out);

		if (used + n > room) {
			/* Back to where the dots fit behind whole bytes. */
			size_t dots = room < 3 ? room : 3;

			memset(dst + fits, '.', dots);
			used = fits + dots;
			break;
		}
		memcpy(dst + used, out, n);
		used += n;
		if (used + 3 <= room)
			fits = used;
	}
	dst[used] = '\0';
	return dst;
}

/* Lower case, without '-', '_', '.' and non-ASCII bytes (a dash pasted from a
 * document is none). RET: length, or WORD_MAX + 1 when it is longer. */
static size_t squeeze(const char *text, size_t len, char out[WORD_MAX])
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '-' || c == '_' || c == '.' || c >= 0x80)
			continue;
		if (used == WORD_MAX)
			return WORD_MAX + 1;
		out[used++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
	}
	return used;
}

extern int sb_err_distance(const char *a, size_t a_len, const char *b)
{
	char x[WORD_MAX], y[WORD_MAX];
	const char *p = x, *q = y;
	size_t m = squeeze(a, a_len, x), n = squeeze(b, strlen(b), y);

	if (m > WORD_MAX || n > WORD_MAX)
		return 2;
	/* What is left when both lose their common head and tail. */
	for (; m && n && *p == *q; m--, n--, p++, q++)
		;
	for (; m && n && p[m - 1] == q[n - 1]; m--, n--)
		;
	if (!m && !n)
		return 0;
	if (m <= 1 && n <= 1)
		return 1;
	if (m == 2 && n == 2 && p[0] == q[1] && p[1] == q[0])
		return 1;
	return 2;
}
