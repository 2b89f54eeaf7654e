/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_tree.h"
#include <base/err.h>
#include <base/opt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define WORDS_MAX 12

struct parse_case {
	const char *name;
	const char *words[WORDS_MAX]; /* after the program's name */
	const char *command;	      /* of the result */
	const char *message;	      /* NULL: no error */
	bool wants_help;
};

static struct parse_case parse_cases[] = {
	{ "a command and its argument",
	  { "topo", "show", "f.json" },
	  "show",
	  NULL,
	  false },
	{ "more of the last argument",
	  { "topo", "show", "f.json", "a", "b" },
	  "show",
	  NULL,
	  false },
	{ "a common option before the command",
	  { "--json", "status" },
	  "status",
	  NULL,
	  false },
	{ "a common option after it",
	  { "status", "-v", "--json" },
	  "status",
	  NULL,
	  false },
	{ "a dash is an argument", { "topo", "show", "-" }, "show", NULL, false },
	{ "-- ends the options",
	  { "topo", "show", "--", "--json", "--" },
	  "show",
	  NULL,
	  false },
	{ "help of the program", { "--help" }, "fairlead", NULL, true },
	{ "help of a group", { "topo", "-h" }, "topo", NULL, true },
	{ "help asks for nothing else",
	  { "topo", "generate", "--help" },
	  "generate",
	  NULL,
	  true },
	{ "help first", { "-h", "topo", "show" }, "show", NULL, true },
	{ "help among short options", { "status", "-vh" }, "status", NULL, true },

	{ "nothing", { NULL }, NULL, "\"fairlead\" needs one of: topo, status", false },
	{ "a group alone",
	  { "topo" },
	  NULL,
	  "\"fairlead topo\" needs one of: show, generate",
	  false },
	{ "a slip in a command",
	  { "topo", "shwo" },
	  NULL,
	  "unknown command \"shwo\" of \"fairlead topo\": did you mean \"show\"?",
	  false },
	{ "a command like no other",
	  { "topo", "explode-everything" },
	  NULL,
	  "unknown command \"explode-everything\" of \"fairlead topo\": it has show, "
	  "generate",
	  false },
	{ "no abbreviations",
	  { "topo", "gen" },
	  NULL,
	  "unknown command \"gen\" of \"fairlead topo\": it has show, generate",
	  false },
	{ "a slip in an option",
	  { "topo", "generate", "--rte", "1G" },
	  NULL,
	  "unknown option \"--rte\" of \"fairlead topo generate\": did you mean "
	  "\"--rate\"?",
	  false },
	{ "a slip in an option with its value",
	  { "topo", "generate", "--rte=1G" },
	  NULL,
	  "unknown option \"--rte\" of \"fairlead topo generate\": did you mean "
	  "\"--rate\"?",
	  false },
	{ "a slip in a common option",
	  { "status", "--jsn" },
	  NULL,
	  "unknown option \"--jsn\" of \"fairlead status\": did you mean \"--json\"?",
	  false },
	{ "an option like no other",
	  { "status", "--explode-everything" },
	  NULL,
	  "unknown option \"--explode-everything\" of \"fairlead status\": see "
	  "\"fairlead status --help\"",
	  false },
	{ "an unknown letter",
	  { "status", "-vx" },
	  NULL,
	  "unknown option \"-vx\" of \"fairlead status\": see \"fairlead status --help\"",
	  false },
	{ "an option before its command",
	  { "topo", "--rate", "1G", "generate" },
	  NULL,
	  "unknown option \"--rate\" of \"fairlead topo\": see \"fairlead topo --help\"",
	  false },
	{ "no argument",
	  { "topo", "show" },
	  NULL,
	  "\"fairlead topo show\" needs FABRIC (a fabric file)",
	  false },
	{ "an argument too many",
	  { "status", "now" },
	  NULL,
	  "\"now\" is one argument too many for \"fairlead status\"",
	  false },
	{ "a required option is missing",
	  { "topo", "generate" },
	  NULL,
	  "\"fairlead topo generate\" needs --out FILE",
	  false },
	{ "an option given twice",
	  { "topo", "generate", "-o", "a", "--out=b" },
	  NULL,
	  "--out is given twice",
	  false },
	{ "a value for a flag",
	  { "status", "--json=yes" },
	  NULL,
	  "--json takes no value",
	  false },
	{ "no value at the end",
	  { "topo", "generate", "--out" },
	  NULL,
	  "--out needs a value: --out FILE",
	  false },
	{ "an option where a value should be",
	  { "topo", "generate", "--out", "--rail" },
	  NULL,
	  "--out needs a value: --out FILE",
	  false },
	{ "a value out of range",
	  { "topo", "generate", "--leaves", "0" },
	  NULL,
	  "--leaves: 0 is below 1",
	  false },
	{ "a negative value",
	  { "topo", "generate", "--leaves", "-5" },
	  NULL,
	  "--leaves: \"-5\" is not a whole number; write for example 4",
	  false },
	{ "a word that steers the terminal is shown tame",
	  { "\033[31m" },
	  NULL,
	  "unknown command \"?[31m\" of \"fairlead\": it has topo, status",
	  false },
};

static int parse(const char *const words[WORDS_MAX], struct base_opt_result *ret_result,
		 struct base_err *err)
{
	static char program[] = "fairlead";
	char *argv[WORDS_MAX + 1] = { program };
	int argc = 1;

	while (argc <= WORDS_MAX && words[argc - 1]) {
		argv[argc] = (char *)(uintptr_t)words[argc - 1];
		argc++;
	}
	return base_opt_parse(&tree, tree_common, argc, argv, ret_result, err);
}

static void test_parse(void **state)
{
	const struct parse_case *c = *state;
	struct base_opt_result result, before;
	struct base_err err = { 0 };

	memset(&result, 0x5A, sizeof(result));
	before = result;
	if (c->message) {
		assert_int_equal(parse(c->words, &result, &err), -BASE_E_USAGE);
		assert_string_equal(err.message, c->message);
		assert_int_equal(err.line, 0);
		assert_memory_equal(&result, &before, sizeof(result)); /* untouched */
		assert_int_equal(parse(c->words, &result, NULL), -BASE_E_USAGE);
		return;
	}
	assert_int_equal(parse(c->words, &result, &err), 0);
	assert_string_equal(result.command->name, c->command);
	assert_ptr_equal(result.path[0], &tree);
	assert_ptr_equal(result.path[result.n_path - 1], result.command);
	assert_int_equal(result.wants_help, c->wants_help);
	base_opt_result_fini(&result);
	assert_null(result.values);
}

/* A group with a function of its own may stand alone; a table may have its own --help. */
static void test_root_that_runs(void **state)
{
	static const struct base_opt common[] = {
		{ .name = "help", .short_name = 'h', .help = "this" },
		{ .name = "version", .short_name = 'V', .help = "print the version" },
		{ 0 },
	};
	static const struct base_opt_command root = {
		.name = "fairlead", .help = "x", .children = tree_top, .run = tree_run
	};
	char program[] = "fairlead", version[] = "-V", help[] = "--help";
	struct base_opt_result result;

	(void)state;
	assert_int_equal(base_opt_parse(&root, common, 2, (char *[]){ program, version },
					&result, NULL),
			 0);
	assert_ptr_equal(result.command, &root);
	assert_true(base_opt_flag(result.values, "version"));
	assert_false(result.wants_help);
	base_opt_result_fini(&result);
	assert_int_equal(base_opt_parse(&root, common, 2, (char *[]){ program, help },
					&result, NULL),
			 0);
	assert_true(result.wants_help);
	base_opt_result_fini(&result);
	assert_int_equal(base_opt_parse(&root, NULL, 0, NULL, &result, NULL), 0);
	base_opt_result_fini(&result);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(parse_cases) / sizeof(parse_cases[0]) + 1] = {
		cmocka_unit_test(test_root_that_runs),
	};

	for (size_t i = 1; i < sizeof(tests) / sizeof(tests[0]); i++) {
		tests[i].name = parse_cases[i - 1].name;
		tests[i].test_func = test_parse;
		tests[i].initial_state = &parse_cases[i - 1];
	}
	return cmocka_run_group_tests_name("base_opt_parse", tests, NULL, NULL);
}
