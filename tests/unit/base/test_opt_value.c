/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_tree.h"
#include <base/err.h>
#include <base/opt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct value_case {
	const char *name;
	const char *option, *text;
	uint64_t want;
	const char *message;
};

static struct value_case value_cases[] = {
	{ "a whole number", "leaves", "1024", 1024, NULL },
	{ "a whole number above its limit", "leaves", "1025", 0,
	  "--leaves: 1025 is above 1024" },
	{ "a whole number with a unit", "leaves", "4k", 0,
	  "--leaves: \"4k\" is not a whole number; write for example 4" },
	{ "no number at all", "leaves", "", 0,
	  "--leaves: \"\" is not a whole number; write for example 4" },
	{ "over 64 bits", "leaves", "18446744073709551616", 0,
	  "--leaves: \"18446744073709551616\" cannot be held in whole numbers (64 "
	  "bits)" },
	{ "a rate", "rate", "0.5T", 500000000000, NULL },
	{ "a rate that is a word", "rate", "fast", 0,
	  "--rate: \"fast\" is not a rate; write for example 400G" },
	{ "a rate above its limit", "rate", "1T", 0, "--rate: 1T is above 800 Gbit/s" },
	{ "a size", "buffer", "1MiB", 1048576, NULL },
	{ "a size above its limit", "buffer", "2MiB", 0,
	  "--buffer: 2MiB is above 1 MiB" },
	{ "a size of another world", "buffer", "big", 0,
	  "--buffer: \"big\" is not a size; write for example 16MiB" },
	{ "a time", "delay", "1.5us", 1500, NULL },
	{ "a time below its limit", "delay", "1ns", 0, "--delay: 1ns is below 1 us" },
	{ "a time without unit", "delay", "10", 0,
	  "--delay: \"10\" is not a time; write for example 10us" },
	{ "part of a nanosecond", "delay", "0.5ns", 0,
	  "--delay: \"0.5ns\" cannot be held in whole nanoseconds (64 bits)" },
	{ "a share", "loss", "12.5%", 125000, NULL },
	{ "a share above its limit", "loss", "101%", 0, "--loss: 101% is above 100%" },
	{ "a word", "format", "json", 1, NULL },
	{ "a slip in a word", "format", "jsno", 0,
	  "--format: \"jsno\" is not one of text, json: did you mean \"json\"?" },
	{ "a word like no other", "format", "explode", 0,
	  "--format: \"explode\" is not one of text, json" },
	{ "a string may be anything", "down", "a b=c", 0, NULL },
	{ "a string may be empty", "down", "", 0, NULL },
};

static void test_value(void **state)
{
	const struct value_case *c = *state;
	char program[] = "fairlead", topo[] = "topo", generate[] = "generate",
	     out[] = "-ox";
	char word[128];
	char *argv[] = { program, topo, generate, out, word };
	struct base_opt_result result;
	struct base_err err = { 0 };
	int r;

	assert_true(snprintf(word, sizeof(word), "--%s=%s", c->option, c->text) <
		    (int)sizeof(word));
	r = base_opt_parse(&tree, tree_common, 5, argv, &result, &err);
	if (c->message) {
		assert_int_equal(r, -BASE_E_USAGE);
		assert_string_equal(err.message, c->message);
		return;
	}
	assert_int_equal(r, 0);
	assert_true(base_opt_is_given(result.values, c->option));
	assert_true(base_opt_number(result.values, c->option) == c->want);
	assert_string_equal(base_opt_string(result.values, c->option), c->text);
	base_opt_result_fini(&result);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(value_cases) / sizeof(value_cases[0])] = { 0 };

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		tests[i].name = value_cases[i].name;
		tests[i].test_func = test_value;
		tests[i].initial_state = &value_cases[i];
	}
	return cmocka_run_group_tests_name("base_opt_convert", tests, NULL, NULL);
}
