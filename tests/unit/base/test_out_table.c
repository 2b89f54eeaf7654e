/* SPDX-License-Identifier: Apache-2.0 */
#include <base/out.h>
#include <base/str.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void plain(struct base_out *o)
{
	base_out_table_begin(o, NULL, NULL);
	for (uint64_t i = 1; i <= 3; i++) {
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "name", "name", i == 2 ? "a longer name" : "leaf");
		base_out_number(o, "n", "n", i == 3 ? 1000 : i, BASE_OUT_COUNT);
		base_out_string(o, "secret", NULL, "not shown");
		base_out_bool(o, "up", "up", i != 1);
		base_out_object_end(o);
	}
	base_out_table_end(o);
}

static void ragged(struct base_out *o)
{
	base_out_table_begin(o, NULL, NULL);
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "a", "a", "1a");
	base_out_string(o, "b", "b", "1b");
	base_out_object_end(o);
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "c", "c", "2c");
	base_out_string(o, "b", "b", "2b");
	base_out_object_end(o);
	base_out_object_begin(o, NULL, NULL);
	base_out_object_end(o);
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "b", "b", "");
	base_out_string(o, "a", "a", "4a");
	base_out_object_end(o);
	base_out_table_end(o);
}

static void numbers(struct base_out *o)
{
	base_out_table_begin(o, NULL, NULL);
	for (uint64_t i = 0; i < 3; i++) {
		base_out_object_begin(o, NULL, NULL);
		if (i == 1)
			base_out_null(o, "a", "load");
		else
			base_out_number(o, "a", "load", (i + 9) * 1000000,
					BASE_OUT_RATIO_PPM);
		if (i == 1)
			base_out_string(o, "b", "mixed", "x");
		else
			base_out_number(o, "b", "mixed", i + 1000, BASE_OUT_ID);
		base_out_object_end(o);
	}
	base_out_table_end(o);
}

static void lists(struct base_out *o)
{
	base_out_table_begin(o, NULL, NULL);
	for (int i = 0; i < 2; i++) {
		base_out_object_begin(o, NULL, NULL);
		base_out_list_begin(o, "path", "path");
		for (int hop = 0; hop < 3 * i; hop++)
			base_out_string(o, NULL, NULL, "hop");
		base_out_list_end(o);
		base_out_list_begin(o, "more", NULL);
		base_out_string(o, NULL, NULL, "not shown");
		base_out_list_end(o);
		base_out_object_begin(o, "object", NULL);
		base_out_bool(o, "x", "not shown", true);
		base_out_object_end(o);
		base_out_string(o, "end", "end", "e");
		base_out_object_end(o);
	}
	base_out_table_end(o);
}

static void empty(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_table_begin(o, "links", "Links");
	base_out_table_end(o);
	base_out_object_end(o);
}

static void two_tables(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "x", "field", "x");
	for (int i = 0; i < 2; i++) {
		base_out_table_begin(o, i == 0 ? "a" : "b", i == 0 ? "First" : "");
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "name", "name", "v");
		base_out_object_end(o);
		base_out_table_end(o);
	}
	base_out_string(o, "y", "field", "y");
	base_out_object_end(o);
}

static void coloured(struct base_out *o)
{
	base_out_table_begin(o, NULL, NULL);
	base_out_object_begin(o, NULL, NULL);
	base_out_colour(o, BASE_OUT_BAD);
	base_out_string(o, "a", "a", "\xC3\xA9");
	base_out_colour(o, BASE_OUT_GOOD);
	base_out_number(o, "n", "number", 5, BASE_OUT_ID);
	base_out_object_end(o);
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "a", "a", "plain");
	base_out_object_end(o);
	base_out_table_end(o);
}

struct table_case {
	const char *name;
	void (*walk)(struct base_out *o);
	bool colours;
	const char *want;
};

static struct table_case table_cases[] = {
	{ "numbers to the right, the rest to the left", plain, false,
	  "name               n  up\n"
	  "leaf               1  no\n"
	  "a longer name      2  yes\n"
	  "leaf           1,000  yes\n" },
	{ "rows that lack fields, swap them and add some", ragged, false,
	  "a   b   c\n"
	  "1a  1b\n"
	  "    2b  2c\n"
	  "\n"
	  "4a\n" },
	{ "null is a number, a word makes a column one of words", numbers, false,
	  "  load  mixed\n"
	  " 9.000  1000\n"
	  "     -  x\n"
	  "11.000  1002\n" },
	{ "a list is a cell", lists, false,
	  "path           end\n"
	  "none           e\n"
	  "hop, hop, hop  e\n" },
	{ "an empty table", empty, false, "Links\n  none\n" },
	{ "tables and fields keep apart", two_tables, false,
	  "field:  x\n"
	  "\n"
	  "First\n"
	  "  name\n"
	  "  v\n"
	  "\n"
	  "name\n"
	  "v\n"
	  "\n"
	  "field:  y\n" },
	{ "colours do not count as width", coloured, true,
	  "\033[1ma\033[0m      \033[1mnumber\033[0m\n"
	  "\033[31m\xC3\xA9\033[0m           \033[32m5\033[0m\n"
	  "plain\n" },
};

static void check(void (*walk)(struct base_out *o), bool colours, const char *want)
{
	struct base_str s;
	struct base_out *o;

	base_str_init(&s, 0);
	o = base_out_new(BASE_OUT_TEXT, colours, &s);
	assert_non_null(o);
	walk(o);
	assert_int_equal(base_out_finish(o), 0);
	assert_string_equal(base_str_text(&s), want);
	base_str_fini(&s);
}

static void test_table(void **state)
{
	const struct table_case *c = *state;

	check(c->walk, c->colours, c->want);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(table_cases) / sizeof(table_cases[0])] = { 0 };

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		tests[i].name = table_cases[i].name;
		tests[i].test_func = test_table;
		tests[i].initial_state = &table_cases[i];
	}
	return cmocka_run_group_tests_name("base_out_table", tests, NULL, NULL);
}
