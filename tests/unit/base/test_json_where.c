/* SPDX-License-Identifier: Apache-2.0 */
#include <base/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* A step on the way to a value: a key, or an element. */
struct step {
	const char *key;
	uint32_t index;
};

struct where_case {
	const char *name;
	const char *text;
	struct step steps[4];
	unsigned n_steps;
	uint32_t line, column;
	const char *message;
};

static struct where_case where_cases[] = {
	{ "the root", " \n {}", { { 0 } }, 0, 2, 2, "no" },
	{ "a member", "{\"a\": 1, \"b\" : 2}", { { "b", 0 } }, 1, 1, 16, "b: no" },
	{ "an element", "[1, [2], {\"x\": [3]}, 4]", { { 0, 3 } }, 1, 1, 22, "[3]: no" },
	{ "a member of an element",
	  "{\"links\": [\n {\"rate_bps\": 1},\n {\"rate_bps\":\n  2}]}",
	  { { "links", 0 }, { 0, 1 }, { "rate_bps", 0 } },
	  3,
	  4,
	  3,
	  "links[1].rate_bps: no" },
	{ "behind strings with brackets and quotes",
	  "{\"x\": \"}]\\\"{\\\\\", \"y\": [\"]\", \"a\\\\\"], \"z\": true}",
	  { { "z", 0 } },
	  1,
	  1,
	  42,
	  "z: no" },
	{ "an escaped key",
	  "{\"a\": 0, \"\\u00e9\\t\\ud83d\\ude00\": 7}",
	  { { "\xC3\xA9\t\xF0\x9F\x98\x80", 0 } },
	  1,
	  1,
	  34,
	  "[\"\xC3\xA9?\xF0\x9F\x98\x80\"]: no" },
	{ "a key of each short escape",
	  "{\"\\\"\\\\\\/\\b\\f\\n\\r\": 7}",
	  { { "\"\\/\b\f\n\r", 0 } },
	  1,
	  1,
	  20,
	  "[\"\"\\/????\"]: no" },
	{ "keys that begin alike",
	  "{\"ab\": 0, \"a\": 1, \"\": 2}",
	  { { "a", 0 } },
	  1,
	  1,
	  16,
	  "a: no" },
	{ "the empty key",
	  "{\"ab\": 0, \"a\": 1, \"\": 2}",
	  { { "", 0 } },
	  1,
	  1,
	  23,
	  "[\"\"]: no" },
	{ "a key of three bytes",
	  "{\"\\u20ac\":1}",
	  { { "\xE2\x82\xAC", 0 } },
	  1,
	  1,
	  11,
	  "[\"\xE2\x82\xAC\"]: no" },
	{ "columns are bytes", "[\"\xC3\xA9\", 1]", { { 0, 1 } }, 1, 1, 8, "[1]: no" },
	{ "an absent member is where its object is",
	  "[{},\n  {\"a\":1}]",
	  { { 0, 1 }, { "b", 0 } },
	  2,
	  2,
	  3,
	  "[1].b: no" },
	{ "absent below absent",
	  "{\"a\":\n {}}",
	  { { "a", 0 }, { "b", 0 }, { 0, 4 } },
	  3,
	  2,
	  2,
	  "a.b[4]: no" },
};

static void test_where(void **state)
{
	const struct where_case *c = *state;
	struct base_json_doc *doc = NULL;
	struct base_json at[5];
	struct base_err err = { 0 };

	assert_int_equal(base_json_parse("f", c->text, strlen(c->text), &doc, NULL), 0);
	at[0] = base_json_root(doc);
	for (unsigned i = 0; i < c->n_steps; i++)
		at[i + 1] = c->steps[i].key ? base_json_get(&at[i], c->steps[i].key)
					    : base_json_at(&at[i], c->steps[i].index);
	assert_int_equal(
		base_json_fail(&at[c->n_steps], &err, -BASE_E_INVALID, "n%s", "o"),
		-BASE_E_INVALID);
	assert_string_equal(err.message, c->message);
	assert_int_equal(err.line, c->line);
	assert_int_equal(err.column, c->column);
	assert_string_equal(err.file, "f");
	base_json_free(doc);
}

/* The deepest document, found to its last bracket; a path too long loses its front. */
static void test_deepest(void **state)
{
	struct base_json_doc *doc = NULL;
	struct base_json at[64];
	struct base_err err = { 0 };
	char text[1024];
	size_t len = 0;

	(void)state;
	for (int i = 0; i < 63; i++, len += 5)
		memcpy(text + len, "{\"k\":", 5);
	text[len++] = '{';
	memset(text + len, '}', 64);
	assert_int_equal(base_json_parse("f", text, len + 64, &doc, NULL), 0);
	at[0] = base_json_root(doc);
	for (int i = 1; i < 64; i++)
		at[i] = base_json_get(&at[i - 1], "k");
	base_json_fail(&at[63], &err, -BASE_E_INVALID, "no");
	assert_int_equal(err.line, 1);
	assert_int_equal(err.column, len);
	assert_int_equal(strncmp(err.message, "k.k.k.k", 7), 0);
	base_json_free(doc);
}

static void test_long_path_loses_its_front(void **state)
{
	static const char key[] = "a_key_of_some_length_that_nobody_would_type_by_hand";
	struct base_json_doc *doc = NULL;
	struct base_json at[9];
	struct base_err err = { 0 };
	char text[1024] = "";
	size_t len = 0;

	(void)state;
	for (int i = 0; i < 8; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "{\"%s\":", key);
	text[len++] = '1';
	memset(text + len, '}', 8);
	assert_int_equal(base_json_parse("f", text, len + 8, &doc, NULL), 0);
	at[0] = base_json_root(doc);
	for (int i = 1; i < 9; i++)
		at[i] = base_json_get(&at[i - 1], key);
	base_json_fail(&at[8], &err, -BASE_E_INVALID, "no");
	assert_int_equal(err.column, len);
	assert_int_equal(strncmp(err.message, "...", 3), 0);
	assert_non_null(strstr(err.message, "by_hand: no"));
	assert_true(strlen(err.message) < 256);
	base_json_free(doc);
}

int main(void)
{
	enum { N_PLAIN = 2, N_WHERE = sizeof(where_cases) / sizeof(where_cases[0]) };
	struct CMUnitTest tests[N_PLAIN + N_WHERE] = {
		cmocka_unit_test(test_deepest),
		cmocka_unit_test(test_long_path_loses_its_front),
	};

	for (size_t i = 0; i < N_WHERE; i++) {
		tests[N_PLAIN + i].name = where_cases[i].name;
		tests[N_PLAIN + i].test_func = test_where;
		tests[N_PLAIN + i].initial_state = &where_cases[i];
	}
	return cmocka_run_group_tests_name("base_json_where", tests, NULL, NULL);
}
