/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command line with one of everything, for the tests of base/opt.
 */
#pragma once
#include <base/opt.h>
#include <stddef.h>

static int tree_run(const struct base_opt_values *values, void *context)
{
	(void)values;
	(void)context;
	return 0;
}

static const char *const tree_formats[] = { "text", "json", NULL };

static const struct base_opt tree_common[] = {
	{ .name = "json", .help = "one JSON document on standard output" },
	{ .name = "verbose", .short_name = 'v', .many = true, .help = "say more" },
	{ .name = "color",
	  .kind = BASE_OPT_WORD,
	  .value = "WHEN",
	  .help = "colours",
	  .fallback = "auto",
	  .words = (const char *const[]){ "auto", "always", "never", NULL } },
	{ 0 },
};

static const struct base_opt tree_generate_options[] = {
	{ .name = "rate",
	  .kind = BASE_OPT_RATE,
	  .value = "RATE",
	  .help = "rate of a link",
	  .max = 800000000000,
	  .fallback = "400G" },
	{ .name = "leaves",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "leaf switches (default: as many as spines)",
	  .min = 1,
	  .max = 1024,
	  .fallback = "8" },
	{ .name = "buffer",
	  .kind = BASE_OPT_SIZE,
	  .value = "SIZE",
	  .help = "buffer",
	  .max = 1048576 },
	{ .name = "delay",
	  .kind = BASE_OPT_TIME,
	  .value = "TIME",
	  .help = "delay",
	  .min = 1000 },
	{ .name = "loss",
	  .kind = BASE_OPT_SHARE,
	  .value = "SHARE",
	  .help = "loss",
	  .max = 1000000 },
	{ .name = "format",
	  .kind = BASE_OPT_WORD,
	  .value = "FORMAT",
	  .help = "how to write",
	  .fallback = "json",
	  .words = tree_formats },
	{ .name = "down",
	  .kind = BASE_OPT_STRING,
	  .many = true,
	  .value = "LINK",
	  .help = "a link that is down" },
	{ .name = "out",
	  .short_name = 'o',
	  .kind = BASE_OPT_FILE,
	  .required = true,
	  .value = "FILE",
	  .help = "the fabric that is written" },
	{ .name = "rail", .short_name = 'r', .help = "rail-optimised" },
	{ 0 },
};

static const struct base_opt_arg tree_show_args[] = {
	{ .name = "FABRIC", .help = "a fabric file", .is_file = true },
	{ .name = "NODE", .help = "only these", .optional = true, .many = true },
	{ 0 },
};

static const struct base_opt_command tree_topo[] = {
	{ .name = "show",
	  .help = "print a fabric",
	  .description = "Prints what is known of a fabric.",
	  .args = tree_show_args,
	  .run = tree_run },
	{ .name = "generate",
	  .help = "make a fabric",
	  .options = tree_generate_options,
	  .run = tree_run },
	{ .name = "__internal", .run = tree_run },
	{ 0 },
};

static const struct base_opt_command tree_top[] = {
	{ .name = "topo", .help = "the fabric", .children = tree_topo },
	{ .name = "status", .help = "what is up", .run = tree_run },
	{ 0 },
};

static const struct base_opt_command tree = {
	.name = "fairlead",
	.help = "plans paths",
	.children = tree_top,
};
