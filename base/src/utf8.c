/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"
#include <base/str.h>

bool base_str_is_utf8(const char *text, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		n = base_utf8_char(text + i, len - i);
		if (n == 0)
			return false;
	}
	return true;
}
