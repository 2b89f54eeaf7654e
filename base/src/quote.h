/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from outside, made fit for a message: in quotes, cut, nothing that could steer a
 * terminal.
 */
#pragma once
#include "utf8.h"
#include <string.h>

#define BASE_QUOTE_MAX 64 /* room; a longer text is cut and ends in "..." */

static inline const char *base_quote(const char *text, char buf[BASE_QUOTE_MAX])
{
	size_t n = 0, len = strlen(text), i = 0, c, size;

	buf[n++] = '"';
	while (i < len) {
		c = base_utf8_char(text + i, len - i);
		size = c > 0 ? c : 1; /* a byte that is no character shows as ? */
		if (n + size > BASE_QUOTE_MAX - 5) { /* room for ..." and the end */
			memcpy(buf + n, "...", 3);
			n += 3;
			break;
		}
		memcpy(buf + n, text + i, size);
		i += size;
		if (c == 0 || base_utf8_is_control(buf + n)) {
			buf[n] = '?';
			size = 1;
		}
		n += size;
	}
	buf[n++] = '"';
	buf[n] = '\0';
	return buf;
}
