/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_tree.h"
#include <base/opt.h>
#include <base/str.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const struct base_opt wide_options[] = {
	{ .name = "an-option-with-a-name-that-is-long",
	  .kind = BASE_OPT_STRING,
	  .value = "VALUE",
	  .help = "stands above its help, which is wrapped where the terminal ends" },
	{ .name = "d\xC3\xA9lai",
	  .kind = BASE_OPT_TIME,
	  .value = "TEMPS",
	  .help = "counted by characters" },
	{ .name = "help", .short_name = 'h', .help = "a row of our own" },
	{ 0 },
};

static const struct base_opt_command wide = {
	.name = "wide",
	.help = "not shown, for there is a description",
	.description =
		"The first paragraph is so long that it needs more than one line.\n"
		"\n"
		"The second is short.",
	.options = wide_options,
	.run = tree_run,
};

struct help_case {
	const char *name;
	const struct base_opt_command *path[3];
	const struct base_opt *common;
	unsigned columns;
	const char *want;
};

static struct help_case help_cases[] = {
	{ "the program",
	  { &tree },
	  NULL,
	  80,
	  "usage: fairlead [options] COMMAND ...\n"
	  "\n"
	  "plans paths\n"
	  "\n"
	  "Commands:\n"
	  "  topo        the fabric\n"
	  "  status      what is up\n"
	  "\n"
	  "Common options:\n"
	  "  -h, --help  print this help\n" },
	{ "a group hides what has no help",
	  { &tree, &tree_top[0] },
	  NULL,
	  80,
	  "usage: fairlead topo [options] COMMAND ...\n"
	  "\n"
	  "the fabric\n"
	  "\n"
	  "Commands:\n"
	  "  show        print a fabric\n"
	  "  generate    make a fabric\n"
	  "\n"
	  "Common options:\n"
	  "  -h, --help  print this help\n" },
	{ "a command with arguments",
	  { &tree, &tree_top[0], &tree_topo[0] },
	  tree_common,
	  60,
	  "usage: fairlead topo show [options] FABRIC [NODE...]\n"
	  "\n"
	  "Prints what is known of a fabric.\n"
	  "\n"
	  "Arguments:\n"
	  "  FABRIC            a fabric file\n"
	  "  NODE              only these\n"
	  "\n"
	  "Common options:\n"
	  "      --json        one JSON document on standard output\n"
	  "  -v, --verbose     say more\n"
	  "      --color WHEN  colours (one of auto, always, never;\n"
	  "                    default auto)\n"
	  "  -h, --help        print this help\n" },
	{ "a command with options",
	  { &tree, &tree_top[0], &tree_topo[1] },
	  NULL,
	  80,
	  "usage: fairlead topo generate [options] --out FILE\n"
	  "\n"
	  "make a fabric\n"
	  "\n"
	  "Options:\n"
	  "      --rate RATE      rate of a link (default 400G)\n"
	  "      --leaves N       leaf switches (default: as many as spines)\n"
	  "      --buffer SIZE    buffer\n"
	  "      --delay TIME     delay\n"
	  "      --loss SHARE     loss\n"
	  "      --format FORMAT  how to write (one of text, json; default json)\n"
	  "      --down LINK      a link that is down (may be given more than once)\n"
	  "  -o, --out FILE       the fabric that is written (required)\n"
	  "  -r, --rail           rail-optimised\n"
	  "\n"
	  "Common options:\n"
	  "  -h, --help           print this help\n" },
	{ "wrapped at the narrowest",
	  { &wide },
	  wide_options + 2,
	  1,
	  "usage: wide [options]\n"
	  "\n"
	  "The first paragraph is so long that it\n"
	  "needs more than one line.\n"
	  "\n"
	  "The second is short.\n"
	  "\n"
	  "Options:\n"
	  "      --an-option-with-a-name-that-is-long VALUE\n"
	  "                     stands above its\n"
	  "                     help, which is\n"
	  "                     wrapped where the\n"
	  "                     terminal ends\n"
	  "      --d\xC3\xA9lai TEMPS  counted by\n"
	  "                     characters\n"
	  "  -h, --help         a row of our own\n"
	  "\n"
	  "Common options:\n"
	  "  -h, --help         a row of our own\n" },
};

static void test_help(void **state)
{
	const struct help_case *c = *state;
	struct base_opt_result r = { 0 };
	struct base_str s;

	for (; r.n_path < 3 && c->path[r.n_path]; r.n_path++)
		r.path[r.n_path] = r.command = c->path[r.n_path];
	base_str_init(&s, 0);
	base_opt_help(&r, c->common, c->columns, &s);
	assert_int_equal(base_str_error(&s), 0);
	assert_string_equal(base_str_text(&s), c->want);
	base_str_fini(&s);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(help_cases) / sizeof(help_cases[0])] = { 0 };

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		tests[i].name = help_cases[i].name;
		tests[i].test_func = test_help;
		tests[i].initial_state = &help_cases[i];
	}
	return cmocka_run_group_tests_name("base_opt_help", tests, NULL, NULL);
}
