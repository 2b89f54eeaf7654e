/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the verbs of "fairlead topo" share.
 */
#pragma once
#include "input.h"

/* Walks @o through the document "fairlead.topo-show.v1": the top-level object. */
int cli_topo_describe(struct cli *cli, const struct topo_graph *g, const char *file,
		      struct base_out *o) BASE_MUST_CHECK;

/* Prints that document, or the same as text, on standard output. */
int cli_topo_print(struct cli *cli, const struct topo_graph *g,
		   const char *file) BASE_MUST_CHECK;

/* The assumptions of a fabric, as a table; nothing in text when there are none. */
void cli_topo_show_assumptions(const struct topo_graph *g, struct base_out *o);

/*
 * Ends a command that made the fabric @g: writes it to -o (standard output without it),
 * says on standard error what it is and what was assumed, and with --json describes on
 * standard output what went to a file.
 */
int cli_topo_deliver(struct cli *cli, const struct base_opt_values *v,
		     const struct topo_graph *g) BASE_MUST_CHECK;

#define CLI_TOPO_OUT_OPTION                                                              \
	{                                                                                \
		.name = "out", .short_name = 'o', .kind = BASE_OPT_FILE,                 \
		.value = "FABRIC",                                                       \
		.help = "the fabric that is written (default: standard output)"          \
	}
