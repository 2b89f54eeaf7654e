/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/err.h>
#include <errno.h>
#include <string.h>

struct text_case {
	const char *name;
	int code;
	const char *want;
};

static struct text_case text_cases[] = {
	{ "an errno has the system's text", -ENOENT, "No such file or directory" },
	{ "a code of our own has its text", -BASE_E_SYNTAX, "malformed input" },
	{ "the last of our own has its text", -BASE_E_INTERNAL,
	  "an invariant of this program broke" },
	{ "no error is unknown", 0, "unknown error" },
	{ "a positive number is unknown", ENOENT, "unknown error" },
	{ "between the ranges is unknown", -999, "unknown error" },
	{ "below our own is unknown", -1999, "unknown error" },
	{ "the least integer is unknown", INT32_MIN, "unknown error" },
};

static void test_text(void **state)
{
	const struct text_case *c = *state;

	assert_string_equal(base_err_text(c->code), c->want);
}

struct format_case {
	const char *name;
	const char *file;
	uint32_t line, column;
	const char *message;
	size_t size;
	const char *want;
};

static struct format_case format_cases[] = {
	{ "all parts", "a.json", 3, 7, "no rate", 100, "a.json:3:7: no rate" },
	{ "no column", "a.json", 3, 0, "no rate", 100, "a.json:3: no rate" },
	{ "a column without its line says nothing", "a.json", 0, 7, "no rate", 100,
	  "a.json: no rate" },
	{ "no file", "", 3, 7, "no rate", 100, "3:7: no rate" },
	{ "no place at all", "", 0, 0, "no rate", 100, "no rate" },
	{ "the largest place", "f", UINT32_MAX, UINT32_MAX, "m", 100,
	  "f:4294967295:4294967295: m" },
	{ "without a message the code speaks", "f", 0, 0, "", 100,
	  "f: value not allowed" },
	{ "exactly the room it needs", "f", 1, 2, "abc", 11, "f:1:2: abc" },
	{ "one byte less is cut", "f", 1, 2, "abc", 10, "f:1:2:..." },
	{ "never within a character", "f", 0, 0, "\xC3\xA4\xC3\xA4\xC3\xA4", 8,
	  "f: ..." },
	{ "a tiny buffer is still terminated", "f", 1, 2, "abc", 2, "f" },
};

static void test_format(void **state)
{
	const struct format_case *c = *state;
	struct base_err err = { 0 };
	char buf[100];

	memset(buf, 'x', sizeof(buf));
	assert_int_equal(base_err_set(&err, -BASE_E_INVALID, "%s", c->message),
			 -BASE_E_INVALID);
	base_err_at(&err, c->file, c->line, c->column);
	assert_ptr_equal(base_err_format(&err, buf, c->size), buf);
	assert_string_equal(buf, c->want);
	for (size_t i = c->size; i < sizeof(buf); i++)
		assert_int_equal(buf[i], 'x');
}

static void test_null_is_fine(void **state)
{
	(void)state;
	assert_int_equal(base_err_set(NULL, -EIO, "%d", 1), -EIO);
	base_err_at(NULL, "f", 1, 1);
}

static void test_message_keeps_place(void **state)
{
	struct base_err err = { 0 };

	(void)state;
	base_err_at(&err, "f", 4, 5);
	base_err_set(&err, -EIO, "first");
	base_err_at(&err, NULL, 6, 0);
	assert_string_equal(err.file, "f");
	assert_int_equal(err.line, 6);
	assert_int_equal(err.column, 0);
	assert_int_equal(err.code, -EIO);
	assert_string_equal(err.message, "first");
}

static void test_old_message_in_new(void **state)
{
	struct base_err err = { 0 };

	(void)state;
	base_err_set(&err, -EIO, "no rate");
	base_err_set(&err, -BASE_E_INVALID, "link %d: %s", 3, err.message);
	assert_string_equal(err.message, "link 3: no rate");
	base_err_at(&err, err.file, 1, 1);
	assert_string_equal(err.file, "");
}

static void test_long_texts_are_cut(void **state)
{
	struct base_err err = { 0 };
	char longer[1000];

	(void)state;
	memset(longer, 'm', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	base_err_set(&err, -EIO, "%s", longer);
	base_err_at(&err, longer, 1, 1);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
	assert_string_equal(err.message + sizeof(err.message) - 5, "m...");
	assert_int_equal(strlen(err.file), sizeof(err.file) - 1);
	assert_string_equal(err.file + sizeof(err.file) - 5, "m...");
}

static void test_clear(void **state)
{
	struct base_err err = { 0 };

	(void)state;
	base_err_at(&err, "f", 1, 2);
	base_err_set(&err, -EIO, "m");
	base_err_clear(&err);
	assert_int_equal(err.code, 0);
	assert_int_equal(err.line, 0);
	assert_int_equal(err.column, 0);
	assert_string_equal(err.file, "");
	assert_string_equal(err.message, "");
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_text, text_cases);
	ROWS_ADD(&rows, test_format, format_cases);
	rows_add_test(&rows, "without a place to record only the code comes back",
		      test_null_is_fine);
	rows_add_test(&rows, "message and place are set apart", test_message_keeps_place);
	rows_add_test(&rows, "the old message may be part of the new one",
		      test_old_message_in_new);
	rows_add_test(&rows, "long texts are cut and say so", test_long_texts_are_cut);
	rows_add_test(&rows, "clear forgets everything", test_clear);
	return rows_run(&rows, "base_err");
}
