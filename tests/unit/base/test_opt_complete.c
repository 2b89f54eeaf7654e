/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_tree.h"
#include <base/opt.h>
#include <base/str.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct complete_case {
	const char *name;
	const char *words[8];
	const char *want;
};

static struct complete_case complete_cases[] = {
	{ "no word at all", { NULL }, "topo\nstatus\n" },
	{ "an empty word", { "" }, "topo\nstatus\n" },
	{ "the begin of a command", { "st" }, "status\n" },
	{ "a command that does not exist", { "x" }, "" },
	{ "what has no help is not offered", { "topo", "" }, "show\ngenerate\n" },
	{ "a command after an option", { "--json", "topo", "g" }, "generate\n" },
	{ "the options of a group",
	  { "topo", "-" },
	  "--json\n--verbose\n--color\n--help\n" },
	{ "the begin of an option", { "topo", "generate", "--r" }, "--rate\n--rail\n" },
	{ "an option of the common ones", { "topo", "generate", "--co" }, "--color\n" },
	{ "the words of an option",
	  { "topo", "generate", "--format", "" },
	  "text\njson\n" },
	{ "the begin of such a word", { "topo", "generate", "--format", "j" }, "json\n" },
	{ "such a word behind =",
	  { "topo", "generate", "--format=t" },
	  "--format=text\n" },
	{ "nothing for a number", { "topo", "generate", "--leaves", "" }, "" },
	{ "a file for an option", { "topo", "generate", "--out", "" }, ":file\n" },
	{ "a file for its letter", { "topo", "generate", "-ro", "x" }, ":file\n" },
	{ "a file behind =", { "topo", "generate", "--out=x" }, ":file\n" },
	{ "no value behind = of a flag", { "topo", "generate", "--rail=x" }, "" },
	{ "a letter with its value leaves nothing open",
	  { "topo", "generate", "-ox", "" },
	  "" },
	{ "a file as first argument", { "topo", "show", "" }, ":file\n" },
	{ "no file as second", { "topo", "show", "f", "" }, "" },
	{ "an argument behind an option with value",
	  { "topo", "show", "--color", "auto", "f" },
	  ":file\n" },
	{ "behind -- there are no options", { "topo", "show", "--", "--j" }, ":file\n" },
	{ "a value that looks like an option",
	  { "topo", "generate", "--down", "--", "--ra" },
	  "--rate\n--rail\n" },
};

static void test_complete(void **state)
{
	const struct complete_case *c = *state;
	char *words[8];
	struct base_str s;
	int n = 0;

	for (; n < 8 && c->words[n]; n++)
		words[n] = (char *)(uintptr_t)c->words[n];
	base_str_init(&s, 0);
	base_opt_complete(&tree, tree_common, n, words, &s);
	assert_string_equal(base_str_text(&s), c->want);
	base_str_fini(&s);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(complete_cases) / sizeof(complete_cases[0])] = {
		0
	};

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		tests[i].name = complete_cases[i].name;
		tests[i].test_func = test_complete;
		tests[i].initial_state = &complete_cases[i];
	}
	return cmocka_run_group_tests_name("base_opt_complete", tests, NULL, NULL);
}
