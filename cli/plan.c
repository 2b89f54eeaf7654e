/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verbs of "fairlead plan".
 */
#include "commands.h"
#include <stddef.h>

static const struct base_opt_arg compare_args[] = {
	{ .name = "OLD", .help = "a plan", .is_file = true },
	{ .name = "NEW", .help = "the plan that follows it", .is_file = true },
	{ 0 },
};

const struct base_opt_command cli_plan_commands[] = {
	{ .name = "make",
	  .help = "give every queue pair a path",
	  .description = "Plans the paths of all queue pairs of the jobs, proves how "
			 "good the plan "
			 "is, and says what the same jobs get without it: from ECMP as "
			 "usual, from "
			 "the best unplanned setting, from least-loaded greedy. Exit "
			 "status 1: some "
			 "connections have no path. Needs --job, or --replan-from.",
	  .options = cli_plan_make_options,
	  .run = cli_plan_make },
	{ .name = "evaluate",
	  .help = "what jobs get with and without a plan",
	  .description = "Runs every unplanned setting (QPs, bytes by weight or by "
			 "speed, planes "
			 "crossed or kept) over many seeds, and quotes what a plan gains "
			 "over the "
			 "usual ones and over the best one. Needs --plan or --job.",
	  .options = cli_plan_evaluate_options,
	  .run = cli_plan_evaluate },
	{ .name = "explain",
	  .help = "why a queue pair is where it is",
	  .description =
		  "Answers one question about a plan: why is this queue pair on its path "
		  "(--qp), what crosses this link (--link), what moves if it dies "
		  "(--dies).",
	  .options = cli_plan_explain_options,
	  .run = cli_plan_explain },
	{ .name = "compare",
	  .help = "what differs between two plans",
	  .description =
		  "Shows certificates and bus bandwidth of two plans side by side, "
		  "and which queue pairs came, went, moved or changed their "
		  "weight. Exit status 1: they differ.",
	  .options = cli_plan_compare_options,
	  .args = compare_args,
	  .run = cli_plan_compare },
	{ 0 },
};
