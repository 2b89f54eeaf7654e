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
	size_t n = 0, len = strlen(text), c;

	buf[n++] = '"';
	for (size_t i = 0; i<len; i += c> 0 ? c : 1) {
		c = base_utf8_char(text + i, len - i);
		if (n + (c > 0 ? c : 1) > BASE_QUOTE_MAX - 5) { /* ..." and the end */
			memcpy(buf + n, "...", 3);
			n += 3;
			break;
		}
		memcpy(buf + n, text + i, c);
		if (c > 0 && !base_utf8_is_control(text + i)) {
			n += c;
			continue;
		}
		buf[n++] = '?';
	}
	buf[n++] = '"';
	buf[n] = '\0';
	return buf;
}
