/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be asked of a command line that was parsed.
 */
#include "opt_tree.h"
#include <base/opt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static char w_program[] = "fairlead", w_topo[] = "topo", w_show[] = "show";
static char w_generate[] = "generate", w_verbose[] = "-vv", w_out[] = "-ofile",
	    w_rail[] = "-r";
static char w_rate[] = "--rate=25G", w_down[] = "--down", w_a[] = "a", w_b[] = "b";
static char w_format[] = "--format", w_text[] = "text", w_loss[] = "--loss=12.5%";

#define PARSE(result, ...)                                                               \
	do {                                                                             \
		char *argv[] = { w_program, __VA_ARGS__ };                               \
		assert_int_equal(base_opt_parse(&tree, tree_common,                      \
						(int)(sizeof(argv) / sizeof(argv[0])),   \
						argv, (result), NULL),                   \
				 0);                                                     \
	} while (0)

static void test_what_was_given(void **state)
{
	struct base_opt_result result;
	const struct base_opt_values *v;

	(void)state;
	PARSE(&result, w_verbose, w_topo, w_generate, w_out, w_rate, w_down, w_a, w_rail,
	      w_down, w_b, w_format, w_text, w_loss);
	v = result.values;
	assert_true(base_opt_flag(v, "rail"));
	assert_true(base_opt_flag(v, "verbose"));
	assert_int_equal(base_opt_count(v, "verbose"), 2);
	assert_int_equal(base_opt_number(v, "verbose"), 1);
	assert_false(base_opt_flag(v, "json"));
	assert_string_equal(base_opt_string(v, "out"), "file");
	assert_string_equal(base_opt_string(v, "rate"), "25G");
	assert_int_equal(base_opt_number(v, "rate"), 25000000000);
	assert_int_equal(base_opt_number(v, "loss"), 125000);
	assert_int_equal(base_opt_number(v, "format"), 0);
	assert_string_equal(base_opt_string(v, "format"), "text");
	assert_int_equal(base_opt_count(v, "down"), 2);
	assert_string_equal(base_opt_nth(v, "down", 0), "a");
	assert_string_equal(base_opt_nth(v, "down", 1), "b");
	assert_null(base_opt_nth(v, "down", 2));
	assert_int_equal(base_opt_n_args(v), 0);
	base_opt_result_fini(&result);
}

static void test_what_was_not_given(void **state)
{
	struct base_opt_result result;
	const struct base_opt_values *v;

	(void)state;
	PARSE(&result, w_topo, w_generate, w_out);
	v = result.values;
	assert_false(base_opt_is_given(v, "rate"));
	assert_string_equal(base_opt_string(v, "rate"), "400G");
	assert_int_equal(base_opt_number(v, "rate"), 400000000000);
	assert_int_equal(base_opt_number(v, "format"), 1);
	assert_string_equal(base_opt_string(v, "color"), "auto");
	assert_null(base_opt_string(v, "delay"));
	assert_int_equal(base_opt_number(v, "delay"), 0);
	assert_int_equal(base_opt_count(v, "down"), 0);
	assert_null(base_opt_nth(v, "down", 0));
	base_opt_result_fini(&result);
}

static void test_arguments(void **state)
{
	struct base_opt_result result;

	(void)state;
	PARSE(&result, w_topo, w_show, w_a, w_verbose, w_b);
	assert_int_equal(base_opt_n_args(result.values), 2);
	assert_ptr_equal(base_opt_arg(result.values, 0), w_a);
	assert_ptr_equal(base_opt_arg(result.values, 1), w_b);
	assert_null(base_opt_arg(result.values, 2));
	base_opt_result_fini(&result);
	base_opt_result_fini(&result); /* twice is fine */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_given),
		cmocka_unit_test(test_what_was_not_given),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests_name("base_opt", tests, NULL, NULL);
}
