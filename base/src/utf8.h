/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UTF-8, as strict as RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define BASE_UTF8_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Bytes (1..4) of the well-formed character that starts @text, 0 if there is none.  @len
 * > 0. */
static inline size_t base_utf8_char(const char *text, size_t len)
{
	const unsigned char *c = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xBF; /* bounds of the second byte */
	size_t n;

	if (c[0] < 0x80)
		return 1;
	if (c[0] < 0xC2 || c[0] > 0xF4)
		return 0;
	n = c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
	if (c[0] == 0xE0)
		low = 0xA0;
	else if (c[0] == 0xED)
		high = 0x9F;
	else if (c[0] == 0xF0)
		low = 0x90;
	else if (c[0] == 0xF4)
		high = 0x8F;
	if (len < n || c[1] < low || c[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if (c[i] < 0x80 || c[i] > 0xBF)
			return 0;
	return n;
}

/* Does the well-formed character at @text steer a terminal (C0, DEL, C1)? */
static inline bool base_utf8_is_control(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	return c[0] < 0x20 || c[0] == 0x7F || (c[0] == 0xC2 && c[1] < 0xA0);
}
