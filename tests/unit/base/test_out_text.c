/* SPDX-License-Identifier: Apache-2.0 */
#include <base/out.h>
#include <base/str.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void units(struct base_out *o)
{
	base_out_object_begin(o, NULL, "");
	base_out_number(o, "k1", "count", 16384, BASE_OUT_COUNT);
	base_out_number(o, "k2", "id", 16384, BASE_OUT_ID);
	base_out_number(o, "k3", "rate", 12500000000, BASE_OUT_BPS);
	base_out_number(o, "k4", "size", 16777216, BASE_OUT_BYTES);
	base_out_number(o, "k5", "time", 1500000, BASE_OUT_NS);
	base_out_number(o, "k6", "ratio", 1066667, BASE_OUT_RATIO_PPM);
	base_out_number(o, "k7", "share", 66667, BASE_OUT_PERCENT_PPM);
	base_out_number(o, "k8", "hidden", 1, BASE_OUT_ID);
	base_out_bool(o, "k9", "right", true);
	base_out_bool(o, "k10", "wrong", false);
	base_out_null(o, "k11", "none");
	base_out_string(o, "k12", "empty", "");
	base_out_string(o, "k13", NULL, "not shown");
	base_out_object_end(o);
}

static void sections(struct base_out *o)
{
	base_out_object_begin(o, NULL, "Plan");
	base_out_string(o, "a", "fabric", "f.json");
	base_out_object_begin(o, "b", "Certificate");
	base_out_string(o, "c", "gap", "0");
	base_out_object_begin(o, "d", "Cut");
	base_out_string(o, "e", "leaf", "l1");
	base_out_object_end(o);
	base_out_string(o, "f", "a longer label", "x");
	base_out_object_end(o);
	base_out_object_begin(o, "g", NULL);
	base_out_string(o, "h", "not shown", "x");
	base_out_text(o, "not shown");
	base_out_table_begin(o, "i", "Not shown");
	base_out_table_end(o);
	base_out_object_end(o);
	base_out_object_begin(o, "j", "");
	base_out_string(o, "k", "no heading", "y");
	base_out_object_end(o);
	base_out_text(o, "%s", "two lines,\n\nof which one is empty");
	base_out_object_end(o);
}

static void lists(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_list_begin(o, "a", "names");
	base_out_string(o, NULL, NULL, "leaf1");
	base_out_number(o, NULL, NULL, 1024, BASE_OUT_COUNT);
	base_out_list_begin(o, NULL, NULL); /* for JSON only */
	base_out_string(o, NULL, NULL, "not shown");
	base_out_list_end(o);
	base_out_list_end(o);
	base_out_list_begin(o, "b", "assumed");
	base_out_string(o, NULL, NULL, "each link runs at 400 Gbit/s in both directions");
	base_out_string(o, NULL, NULL, "there is one link between two nodes");
	base_out_list_end(o);
	base_out_list_begin(o, "c", "dead");
	base_out_list_end(o);
	base_out_list_begin(o, "d", NULL);
	base_out_string(o, NULL, NULL, "not shown");
	base_out_list_end(o);
	base_out_u32_list(o, "e", NULL, 0);
	base_out_string(o, "f", "last", "z");
	base_out_object_end(o);
}

static void list_of_objects(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "a", "n", "2");
	base_out_list_begin(o, "b", "Jobs");
	for (int i = 0; i < 2; i++) {
		base_out_object_begin(o, NULL, i == 0 ? NULL : "second");
		base_out_string(o, "c", "name", "ring");
		base_out_object_end(o);
	}
	base_out_list_end(o);
	base_out_object_end(o);
}

static void list_at_the_top(struct base_out *o)
{
	base_out_list_begin(o, NULL, NULL);
	base_out_string(o, NULL, NULL, "h1.nic1");
	base_out_string(o, NULL, NULL, "h2.nic1");
	base_out_list_end(o);
}

static void empty_list_at_the_top(struct base_out *o)
{
	base_out_list_begin(o, NULL, NULL);
	base_out_list_end(o);
}

static void wide_characters(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "a", "d\xC3\xA9lai", "\xE2\x82\xAC");
	base_out_string(o, "b", "abcdef", "x");
	base_out_object_end(o);
}

static void hostile(struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "a", "esc", "\033[31mred\033[0m");
	base_out_string(o, "b", "c1",
			"a\xC2\x9B"
			"31m");
	base_out_string(o, "c", "lines", "a\nb\rc\td");
	base_out_string(o, "d", "bytes", "a\xFF\xC3");
	base_out_text(o, "free %s", "\033]0;title\a");
	base_out_object_end(o);
}

static void colours(struct base_out *o)
{
	base_out_object_begin(o, NULL, "Head");
	base_out_colour(o, BASE_OUT_GOOD);
	base_out_string(o, "a", "a", "good");
	base_out_string(o, "b", "b", "plain");
	base_out_colour(o, BASE_OUT_BAD);
	base_out_string(o, "c", NULL, "hidden ones take the colour, too");
	base_out_string(o, "d", "d", "plain");
	base_out_colour(o, BASE_OUT_WARN);
	base_out_string(o, "e", "e", "");
	base_out_colour(o, BASE_OUT_DIM);
	base_out_text(o, "dim");
	base_out_object_end(o);
}

struct walk_case {
	const char *name;
	void (*walk)(struct base_out *o);
	bool colours;
	const char *want;
};

static struct walk_case walk_cases[] = {
	{ "every unit, labels aligned", units, false,
	  "count:   16,384\n"
	  "id:      16384\n"
	  "rate:    12.5 Gbit/s\n"
	  "size:    16 MiB\n"
	  "time:    1.5 ms\n"
	  "ratio:   1.067\n"
	  "share:   6.7 %\n"
	  "hidden:  1\n"
	  "right:   yes\n"
	  "wrong:   no\n"
	  "none:    -\n"
	  "empty:\n" },
	{ "objects are sections", sections, false,
	  "Plan\n"
	  "fabric:  f.json\n"
	  "\n"
	  "Certificate\n"
	  "  gap:  0\n"
	  "\n"
	  "  Cut\n"
	  "    leaf:  l1\n"
	  "\n"
	  "  a longer label:  x\n"
	  "\n"
	  "no heading:  y\n"
	  "\n"
	  "two lines,\n"
	  "\n"
	  "of which one is empty\n" },
	{ "lists of scalars are fields", lists, false,
	  "names:    leaf1, 1,024\n"
	  "assumed:  each link runs at 400 Gbit/s in both directions\n"
	  "          there is one link between two nodes\n"
	  "dead:     none\n"
	  "last:     z\n" },
	{ "lists of objects are sections", list_of_objects, false,
	  "n:  2\n"
	  "\n"
	  "Jobs\n"
	  "  name:  ring\n"
	  "\n"
	  "  second\n"
	  "    name:  ring\n" },
	{ "a list at the top", list_at_the_top, false, "h1.nic1\nh2.nic1\n" },
	{ "an empty list at the top", empty_list_at_the_top, false, "none\n" },
	{ "code points count, not bytes", wide_characters, false,
	  "d\xC3\xA9lai:   \xE2\x82\xAC\n"
	  "abcdef:  x\n" },
	{ "nothing steers the terminal", hostile, false,
	  "esc:    ?[31mred?[0m\n"
	  "c1:     a?31m\n"
	  "lines:  a?b?c?d\n"
	  "bytes:  a\xEF\xBF\xBD\xEF\xBF\xBD\n"
	  "free ?]0;title?\n" },
	{ "colours", colours, true,
	  "\033[1mHead\033[0m\n"
	  "a:  \033[32mgood\033[0m\n"
	  "b:  plain\n"
	  "d:  plain\n"
	  "e:\n"
	  "\033[2mdim\033[0m\n" },
	{ "no colours", colours, false,
	  "Head\na:  good\nb:  plain\nd:  plain\ne:\ndim\n" },
};

static void test_walk(void **state)
{
	const struct walk_case *c = *state;
	struct base_str s;
	struct base_out *o;

	base_str_init(&s, 0);
	o = base_out_new(BASE_OUT_TEXT, c->colours, &s);
	assert_non_null(o);
	c->walk(o);
	assert_int_equal(base_out_finish(o), 0);
	assert_string_equal(base_str_text(&s), c->want);
	base_str_fini(&s);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(walk_cases) / sizeof(walk_cases[0])] = { 0 };

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		tests[i].name = walk_cases[i].name;
		tests[i].test_func = test_walk;
		tests[i].initial_state = &walk_cases[i];
	}
	return cmocka_run_group_tests_name("base_out_text", tests, NULL, NULL);
}
