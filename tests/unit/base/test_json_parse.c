/* SPDX-License-Identifier: Apache-2.0 */
#include <base/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

struct parse_case {
	const char *name;
	const char *text;
	uint32_t line, column;
	const char *message; /* NULL: the text is right */
};

static struct parse_case parse_cases[] = {
	{ "an object", "{\"a\": [1, -2.5e+3, true, false, null], \"b\": {}}", 0, 0,
	  NULL },
	{ "a lone number is a document", " 0 ", 0, 0, NULL },
	{ "every escape", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"", 0, 0,
	  NULL },
	{ "UTF-8 of two, three and four bytes",
	  "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"", 0, 0, NULL },
	{ "nothing", "", 1, 1, "expected a value, found the end of the file" },
	{ "only blanks", " \n\t", 2, 2, "expected a value, found the end of the file" },
	{ "a word", "{\n  \"a\": nul\n}", 2, 8, "expected a value, found \"nul\"" },
	{ "NaN", "[NaN]", 1, 2, "expected a value, found \"NaN\"" },
	{ "single quotes", "['a']", 1, 2, "a string is written in \"double quotes\"" },
	{ "a byte order mark", "\xEF\xBB\xBF{}", 1, 1,
	  "a byte order mark is not allowed: save as plain UTF-8" },
	{ "no comma", "[1 2]", 1, 4, "expected , or ] after a value, found \"2\"" },
	{ "no comma between members", "{\"a\":1\n\"b\":2}", 2, 1,
	  "expected , or } after a value, found a string" },
	{ "a comma too many in a list", "[1,]", 1, 4, "expected a value, found \"]\"" },
	{ "a comma too many in an object", "{\"a\":1,}", 1, 8,
	  "expected a \"key\", found \"}\"" },
	{ "a key without quotes", "{a:1}", 1, 2, "expected a \"key\", found \"a\"" },
	{ "no colon", "{\"a\" 1}", 1, 6, "expected : after the key, found \"1\"" },
	{ "the wrong bracket", "{\"a\":[1}}", 1, 8,
	  "expected , or ] after a value, found \"}\"" },
	{ "never closed", "{\n\"a\": [1,\n2\n", 4, 1,
	  "expected , or ] after a value, found the end of the file; the [ of line 2 is "
	  "open" },
	{ "more than one document", "{} {}", 1, 4,
	  "expected the end of the file after the document, found \"{\"" },
	{ "a leading zero", "[007]", 1, 2,
	  "expected a number such as 12, -3 or 1.5e9, found \"007\"" },
	{ "a unit behind a number", "[400G]", 1, 5,
	  "expected , or ] after a value, found \"G\"" },
	{ "a dot without digits", "[1.]", 1, 2,
	  "expected a number such as 12, -3 or 1.5e9, found \"1.\"" },
	{ "an exponent without digits", "[1e+]", 1, 2,
	  "expected a number such as 12, -3 or 1.5e9, found \"1e+\"" },
	{ "a minus alone", "[-]", 1, 2,
	  "expected a number such as 12, -3 or 1.5e9, found \"-\"" },
	{ "a plus in front", "[+1]", 1, 2, "expected a value, found \"+1\"" },
	{ "a string over the end of its line", "[\"ab\ncd\"]", 1, 2,
	  "the string does not end on its line" },
	{ "a string over the end of the file", "[\"ab", 1, 2,
	  "the string does not end before the end of the file" },
	{ "a tab in a string", "[\"a\tb\"]", 1, 4,
	  "byte 0x09 must be written as \\u0009" },
	{ "an unknown escape", "[\"a\\qb\"]", 1, 4,
	  "expected one of \" \\ / b f n r t, or u and four hexadecimal digits, after "
	  "the backslash" },
	{ "a short unicode escape", "[\"\\u12\"]", 1, 3,
	  "expected one of \" \\ / b f n r t, or u and four hexadecimal digits, after "
	  "the backslash" },
	{ "a unicode escape cut by a backslash", "[\"ab\\u1\\n\"]", 1, 5,
	  "expected one of \" \\ / b f n r t, or u and four hexadecimal digits, after "
	  "the backslash" },
	{ "a backslash at the end of the file", "[\"ab\\", 1, 2,
	  "the string does not end before the end of the file" },
	{ "an escaped NUL", "[0, \"a\\u0000\"]", 1, 5,
	  "\\u0000 is not allowed in a string" },
	{ "an escaped NUL in a key", "{\"a\": 0, \"\\u0000\": 1}", 1, 10,
	  "\\u0000 is not allowed in a string" },
	{ "half a surrogate pair", "[\"a\\ud83d\"]", 1, 2,
	  "a \\u escape in this string is half a surrogate pair" },
	{ "the other half", "[\"\\ude00\"]", 1, 2,
	  "a \\u escape in this string is half a surrogate pair" },
	{ "a pair of two first halves", "[\"\\ud83d\\ud83d\"]", 1, 2,
	  "a \\u escape in this string is half a surrogate pair" },
	{ "a string with quotes where none may be", "[1 \"a\\\"b\\\\\", 2]", 1, 4,
	  "expected , or ] after a value, found a string" },
	{ "a long string where none may be",
	  "{\n\"a\": 1 \"twenty bytes and then some more\": 2}", 2, 8,
	  "expected , or } after a value, found a string" },
	{ "a string at the end of the file", "[1, \"a\"", 1, 8,
	  "expected , or ] after a value, found the end of the file; the [ of line 1 is "
	  "open" },
	{ "a number too large for any computer", "[1, 1e999]", 1, 5,
	  "number out of range" },
	{ "a long integer", "[1, -12345678901234567890123]", 1, 5,
	  "integer out of range: write those above 2^53 as strings" },
	{ "columns are bytes", "[\"\xC3\xA9\", x]", 1, 8,
	  "expected a value, found \"x\"" },
	{ "an overlong form", "[\"\xC0\xAF\"]", 1, 3, "byte 0xC0 is not valid UTF-8" },
	{ "a surrogate in UTF-8", "[\"\xED\xA0\x80\"]", 1, 3,
	  "byte 0xED is not valid UTF-8" },
	{ "a cut character", "[\"\xE2\x82\"]", 1, 3, "byte 0xE2 is not valid UTF-8" },
	{ "above U+10FFFF", "[\"\xF4\x90\x80\x80\"]", 1, 3,
	  "byte 0xF4 is not valid UTF-8" },
	{ "a control byte between values", "[1,\x01]", 1, 4,
	  "expected a value, found byte 0x01" },
	{ "a long word is cut", "[abcdefghijklmnopqrstuvwxyzabc]", 1, 2,
	  "expected a value, found \"abcdefghijklmnopqrstuvwx...\"" },
};

static void test_parse(void **state)
{
	const struct parse_case *c = *state;
	struct base_json_doc *doc = NULL;
	struct base_err err = { 0 };
	int r = base_json_parse("f.json", c->text, strlen(c->text), &doc, &err);

	if (!c->message) {
		assert_int_equal(r, 0);
		assert_int_equal(err.code, 0);
		base_json_free(doc);
		return;
	}
	assert_int_equal(r, -BASE_E_SYNTAX);
	assert_null(doc);
	assert_string_equal(err.message, c->message);
	assert_string_equal(err.file, "f.json");
	assert_int_equal(err.code, -BASE_E_SYNTAX);
	assert_int_equal(err.line, c->line);
	assert_int_equal(err.column, c->column);
}

/* A zero byte is refused wherever it stands, behind a number too. */
static void test_nul_bytes(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		uint32_t column;
	} cases[] = {
		{ "[1,\0 2]", 7, 4 },	{ "[1\0,2]", 6, 3 },	{ "[true\0]", 7, 6 },
		{ "[\"a\0b\"]", 7, 4 }, { "[\"\\\0\"]", 6, 4 }, { "{}\0", 3, 3 },
		{ "\0", 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct base_json_doc *doc = NULL;
		struct base_err err = { 0 };

		assert_int_equal(
			base_json_parse("f", cases[i].text, cases[i].len, &doc, &err),
			-BASE_E_SYNTAX);
		assert_string_equal(err.message,
				    "byte 0x00 is not allowed in a JSON document");
		assert_int_equal(err.line, 1);
		assert_int_equal(err.column, cases[i].column);
		assert_null(doc);
	}
}

/* 64 brackets are fine, in whatever mix; the 65th is refused where it stands. */
static void test_depth(void **state)
{
	struct base_json_doc *doc = NULL;
	struct base_err err = { 0 };
	char text[2 * 65 + 1];

	(void)state;
	memset(text, '[', 65);
	memset(text + 65, ']', 65);
	assert_int_equal(base_json_parse("f", text + 1, 128, &doc, NULL), 0);
	base_json_free(doc);
	doc = NULL;
	assert_int_equal(base_json_parse("f", text, 130, &doc, &err), -BASE_E_SYNTAX);
	assert_string_equal(err.message, "nested more than 64 deep");
	assert_int_equal(err.column, 65);
	assert_null(doc);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(parse_cases) / sizeof(parse_cases[0]) + 2] = {
		cmocka_unit_test(test_nul_bytes),
		cmocka_unit_test(test_depth),
	};

	for (size_t i = 2; i < sizeof(tests) / sizeof(tests[0]); i++) {
		tests[i].name = parse_cases[i - 2].name;
		tests[i].test_func = test_parse;
		tests[i].initial_state = &parse_cases[i - 2];
	}
	return cmocka_run_group_tests_name("base_json_tree", tests, NULL, NULL);
}
