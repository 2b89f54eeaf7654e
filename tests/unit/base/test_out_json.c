/* SPDX-License-Identifier: Apache-2.0 */
#include <base/out.h>
#include <base/str.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

struct escape_case {
	const char *name;
	const char *text;
	size_t len;
	const char *want;
};

#define TEXT(s) s, sizeof(s) - 1

static struct escape_case escape_cases[] = {
	{ "nothing", TEXT(""), "\"\"" },
	{ "plain text", TEXT("leaf1/2"), "\"leaf1/2\"" },
	{ "quotes and backslashes", TEXT("a\"b\\c"), "\"a\\\"b\\\\c\"" },
	{ "short escapes", TEXT("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"" },
	{ "other control characters", TEXT("\x01\x1F\x7F"), "\"\\u0001\\u001f\\u007f\"" },
	{ "NUL", TEXT("a\0b"), "\"a\\u0000b\"" },
	{ "UTF-8 stays", TEXT("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
	  "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"" },
	{ "a lone continuation byte", TEXT("a\x80z"), "\"a\xEF\xBF\xBDz\"" },
	{ "a cut character at the end", TEXT("a\xE2\x82"),
	  "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"" },
	{ "an overlong form", TEXT("\xC0\xAF"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"" },
	{ "a surrogate", TEXT("\xED\xA0\x80"),
	  "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" },
	{ "a cut character before text", TEXT("\xE2\x82y"),
	  "\"\xEF\xBF\xBD\xEF\xBF\xBDy\"" },
};

static void test_escape(void **state)
{
	const struct escape_case *c = *state;
	struct base_str s;

	base_str_init(&s, 0);
	base_out_json_escape(&s, c->text, c->len);
	assert_string_equal(base_str_text(&s), c->want);
	base_str_fini(&s);
}

/* Walks; each makes one document, whose compact and pretty forms stand below. */

static void numbers(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_number(o, "exact", NULL, UINT64_C(1) << 53, BASE_OUT_COUNT);
	base_out_number(o, "large", NULL, (UINT64_C(1) << 53) + 1, BASE_OUT_COUNT);
	base_out_number(o, "max", NULL, UINT64_MAX, BASE_OUT_BPS);
	base_out_number(o, "ratio_ppm", NULL, 1066667, BASE_OUT_RATIO_PPM);
	base_out_object_end(o);
}

static void scalars(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_bool(o, "yes", "yes", true);
	base_out_bool(o, "no", NULL, false);
	base_out_null(o, "none", NULL);
	base_out_string(o, "odd \"key\"", NULL, "\n");
	base_out_colour(o, BASE_OUT_BAD);
	base_out_text(o, "for people only");
	base_out_object_end(o);
}

static void empties(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_object_begin(o, "o", NULL);
	base_out_object_end(o);
	base_out_list_begin(o, "l", NULL);
	base_out_list_end(o);
	base_out_table_begin(o, "t", NULL);
	base_out_table_end(o);
	base_out_u32_list(o, "n", NULL, 0);
	base_out_object_end(o);
}

static void lists(struct base_out *o)
{
	static const uint32_t narrow[] = { 1, UINT32_MAX };
	static const uint64_t wide[] = { 7, UINT64_MAX };

	base_out_object_begin(o, NULL, NULL);
	base_out_u64_list(o, "wide", wide, 2);
	base_out_list_begin(o, "pairs", NULL);
	base_out_u32_list(o, NULL, narrow, 2);
	base_out_u32_list(o, NULL, narrow, 1);
	base_out_list_end(o);
	base_out_list_begin(o, "numbers", NULL);
	base_out_number(o, NULL, NULL, 1, BASE_OUT_ID);
	base_out_number(o, NULL, NULL, 2, BASE_OUT_ID);
	base_out_list_end(o);
	base_out_list_begin(o, "names", NULL);
	base_out_string(o, NULL, NULL, "a");
	base_out_string(o, NULL, NULL, "b");
	base_out_list_end(o);
	base_out_object_end(o);
}

static void rows(struct base_out *o)
{
	static const uint32_t hops[] = { 3, 4 };

	base_out_table_begin(o, NULL, NULL);
	for (int i = 0; i < 2; i++) {
		base_out_object_begin(o, NULL, NULL);
		base_out_u32_list(o, "hops", hops, 2);
		base_out_list_begin(o, "names", NULL);
		base_out_string(o, NULL, NULL, "a");
		base_out_list_end(o);
		base_out_object_begin(o, "x", NULL);
		base_out_bool(o, "y", NULL, true);
		base_out_object_end(o);
		base_out_object_end(o);
	}
	base_out_table_end(o);
}

static void objects(struct base_out *o)
{
	base_out_list_begin(o, NULL, NULL);
	base_out_object_begin(o, NULL, NULL);
	base_out_bool(o, "a", NULL, true);
	base_out_object_end(o);
	base_out_list_begin(o, NULL, NULL);
	base_out_list_end(o);
	base_out_list_end(o);
}

struct walk_case {
	const char *name;
	void (*walk)(struct base_out *o);
	const char *compact, *pretty;
};

static struct walk_case walk_cases[] = {
	{ "integers above 2^53 are strings", numbers,
	  "{\"exact\":9007199254740992,\"large\":\"9007199254740993\","
	  "\"max\":\"18446744073709551615\",\"ratio_ppm\":1066667}\n",
	  "{\n  \"exact\": 9007199254740992,\n  \"large\": \"9007199254740993\",\n"
	  "  \"max\": \"18446744073709551615\",\n  \"ratio_ppm\": 1066667\n}\n" },
	{ "scalars, and nothing of the text", scalars,
	  "{\"yes\":true,\"no\":false,\"none\":null,\"odd \\\"key\\\"\":\"\\n\"}\n",
	  "{\n  \"yes\": true,\n  \"no\": false,\n  \"none\": null,\n"
	  "  \"odd \\\"key\\\"\": \"\\n\"\n}\n" },
	{ "what is empty stays on its line", empties,
	  "{\"o\":{},\"l\":[],\"t\":[],\"n\":[]}\n",
	  "{\n  \"o\": {},\n  \"l\": [],\n  \"t\": [],\n  \"n\": []\n}\n" },
	{ "lists of numbers stay on their line", lists,
	  "{\"wide\":[7,\"18446744073709551615\"],\"pairs\":[[1,4294967295],[1]],"
	  "\"numbers\":[1,2],\"names\":[\"a\",\"b\"]}\n",
	  "{\n  \"wide\": [7, \"18446744073709551615\"],\n  \"pairs\": [[1, 4294967295], "
	  "[1]],\n"
	  "  \"numbers\": [1, 2],\n  \"names\": [\n    \"a\",\n    \"b\"\n  ]\n}\n" },
	{ "a row stays on its line with all that is in it", rows,
	  "[{\"hops\":[3,4],\"names\":[\"a\"],\"x\":{\"y\":true}},"
	  "{\"hops\":[3,4],\"names\":[\"a\"],\"x\":{\"y\":true}}]\n",
	  "[\n  {\"hops\": [3, 4], \"names\": [\"a\"], \"x\": {\"y\": true}},\n"
	  "  {\"hops\": [3, 4], \"names\": [\"a\"], \"x\": {\"y\": true}}\n]\n" },
	{ "objects in a list", objects, "[{\"a\":true},[]]\n",
	  "[\n  {\n    \"a\": true\n  },\n  []\n]\n" },
};

static void check_walk(const struct walk_case *c, enum base_out_format format,
		       const char *want)
{
	struct base_str s;
	struct base_out *o;

	base_str_init(&s, 0);
	o = base_out_new(format, true, &s);
	assert_non_null(o);
	c->walk(o);
	assert_int_equal(base_out_finish(o), 0);
	assert_string_equal(base_str_text(&s), want);
	base_str_fini(&s);
}

static void test_walk(void **state)
{
	const struct walk_case *c = *state;

	check_walk(c, BASE_OUT_JSON, c->compact);
	check_walk(c, BASE_OUT_JSON_PRETTY, c->pretty);
}

int main(void)
{
	enum {
		N_ESCAPE = sizeof(escape_cases) / sizeof(escape_cases[0]),
		N_WALK = sizeof(walk_cases) / sizeof(walk_cases[0]),
	};
	struct CMUnitTest tests[N_ESCAPE + N_WALK];
	struct CMUnitTest *t = tests;

	for (size_t i = 0; i < N_ESCAPE; i++)
		*t++ = (struct CMUnitTest){ escape_cases[i].name, test_escape, NULL, NULL,
					    &escape_cases[i] };
	for (size_t i = 0; i < N_WALK; i++)
		*t++ = (struct CMUnitTest){ walk_cases[i].name, test_walk, NULL, NULL,
					    &walk_cases[i] };
	return cmocka_run_group_tests_name("base_out_json", tests, NULL, NULL);
}
