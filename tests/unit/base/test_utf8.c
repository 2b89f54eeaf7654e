/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/str.h>
#include <string.h>

struct utf8_case {
	const char *name;
	const char *text;
	int want;
};

static struct utf8_case utf8_cases[] = {
	{ "nothing", "", 1 },
	{ "ASCII", "leaf12", 1 },
	{ "two, three and four bytes", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", 1 },
	{ "the last code point", "\xF4\x8F\xBF\xBF", 1 },
	{ "one beyond it", "\xF4\x90\x80\x80", 0 },
	{ "a lone continuation", "\x80", 0 },
	{ "a cut character", "a\xE2\x82", 0 },
	{ "an overlong slash", "\xC0\xAF", 0 },
	{ "an overlong three-byte form", "\xE0\x9F\xBF", 0 },
	{ "a surrogate", "\xED\xA0\x80", 0 },
	{ "no such byte", "\xFF", 0 },
};

static void test_utf8(void **state)
{
	const struct utf8_case *c = *state;
	size_t len = strlen(c->text);
	char *exact = malloc(len + 1);

	/* Ends where the text ends, so that the sanitizer sees a byte read past it. */
	assert_non_null(exact);
	memcpy(exact + 1, c->text, len);
	assert_int_equal(base_str_is_utf8(exact + 1, len), c->want);
	free(exact);
}

/* All code points, encoded here by the definition; a longer form of one is refused. */
static void test_all_code_points(void **state)
{
	(void)state;
	for (uint32_t c = 0x80; c <= 0x10FFFF; c++) {
		char text[4] = { (char)(0xF0 | c >> 18), (char)(0x80 | (c >> 12 & 0x3F)),
				 (char)(0x80 | (c >> 6 & 0x3F)),
				 (char)(0x80 | (c & 0x3F)) };
		size_t skip = c < 0x800 ? 2 : c < 0x10000 ? 1 : 0;
		bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;

		assert_int_equal(base_str_is_utf8(text, 4), skip == 0);
		if (skip == 2)
			text[2] = (char)(0xC0 | c >> 6);
		else if (skip == 1)
			text[1] = (char)(0xE0 | c >> 12);
		assert_int_equal(base_str_is_utf8(text + skip, 4 - skip), !is_surrogate);
		assert_false(base_str_is_utf8(text + skip, 3 - skip));
	}
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_utf8, utf8_cases);
	rows_add_test(&rows, "all code points, in their one form", test_all_code_points);
	return rows_run(&rows, "base_utf8");
}
