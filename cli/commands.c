/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The top of the command tree, and the options that every command has.
 */
#include "commands.h"
#include <stddef.h>

const struct base_opt cli_common_options[] = {
	{ .name = "json", .help = "one JSON document on standard output, errors too" },
	{ .name = "quiet", .short_name = 'q', .help = "only errors on standard error" },
	{ .name = "verbose", .short_name = 'v', .help = "more on standard error" },
	{ .name = "color",
	  .kind = BASE_OPT_WORD,
	  .value = "WHEN",
	  .help = "colours; auto: on a terminal, if NO_COLOR is not set",
	  .fallback = "auto",
	  .words = (const char *const[]){ "auto", "always", "never", NULL } },
	{ .name = "help", .short_name = 'h', .help = "print this help" },
	{ .name = "version", .short_name = 'V', .help = "print the version" },
	{ .name = "dump-commands", .help = "print all commands and options as JSON" },
	{ 0 },
};

static const struct base_opt_command nouns[] = {
	{ .name = "topo",
	  .help = "the fabric: make, read, show and draw it",
	  .children = cli_topo_commands },
	{ .name = "plan",
	  .help = "which path every queue pair takes, and why",
	  .children = cli_plan_commands },
	{ .name = "demo",
	  .help = "plan a well-known situation and write a page about it",
	  .description =
		  "Plans eight ring jobs of two hosts each on 16 hosts with 8 dual-port "
		  "NICs, "
		  "with full and with half the uplinks, and with one uplink dead; then "
		  "harder "
		  "traffic, where planners differ. Prints what each way of choosing "
		  "paths is "
		  "worth, and writes the same as one HTML page that needs nothing else.",
	  .options = cli_demo_options,
	  .run = cli_demo },
	{ .name = "completion",
	  .help = "print a file that lets a shell complete fairlead",
	  .children = cli_completion_commands },
	{ .name = "__complete",
	  .args = (const struct base_opt_arg[]){ { .name = "WORD",
						   .help = "a word typed so far",
						   .optional = true,
						   .many = true },
						 { 0 } },
	  .run = cli_complete },
	{ 0 },
};

/* --version and --dump-commands are main()'s: they need no command. */
static int run_root(const struct base_opt_values *v, void *context)
{
	(void)v;
	return cli_usage(context, "no command is given: see \"fairlead --help\"");
}

const struct base_opt_command cli_root = {
	.name = "fairlead",
	.help = "keeps RDMA traffic of distributed training from colliding",
	.description =
		"Keeps RDMA traffic of distributed training from colliding: plans which "
		"equal-cost path every queue pair takes, and proves how good the plan "
		"is.",
	.children = nouns,
	.run = run_root,
};
