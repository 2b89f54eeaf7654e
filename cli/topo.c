/* SPDX-License-Identifier: Apache-2.0 */
#include "topo.h"
#include "commands.h"
#include <base/num.h>
#include <topo/write.h>
#include <stdio.h>

static const struct base_opt_arg show_args[] = {
	{ .name = "FABRIC",
	  .help = "a fabric file of any known format",
	  .is_file = true },
	{ 0 },
};

static const struct base_opt_arg paths_args[] = {
	{ .name = "FABRIC",
	  .help = "a fabric file of any known format",
	  .is_file = true },
	{ .name = "A", .help = "the NIC that sends, such as h0.nic0" },
	{ .name = "B", .help = "the NIC that receives" },
	{ 0 },
};

static const struct base_opt_arg import_args[] = {
	{ .name = "FILE", .help = "a file of the source", .is_file = true, .many = true },
	{ 0 },
};

const struct base_opt_command cli_topo_commands[] = {
	{ .name = "generate",
	  .help = "make a fabric to measure",
	  .children = cli_topo_shapes },
	{ .name = "import",
	  .help = "read a fabric of another format",
	  .description = "Reads a fabric and writes it as fairlead.fabric.v1. What the "
			 "source does "
			 "not say is filled in, named on standard error, and kept in the "
			 "result.",
	  .options = cli_topo_import_options,
	  .args = import_args,
	  .run = cli_topo_import },
	{ .name = "show",
	  .help = "what a fabric consists of",
	  .description =
		  "Counts nodes and links by kind, tier, plane and pod, and shows rates, "
		  "oversubscription and everything that was assumed.",
	  .args = show_args,
	  .run = cli_topo_show },
	{ .name = "paths",
	  .help = "the equal-cost paths between two NICs",
	  .description = "Counts and lists the shortest paths over live links, with the "
			 "numbers that other commands use. Exit status 1: there is none.",
	  .options = cli_topo_paths_options,
	  .args = paths_args,
	  .run = cli_topo_paths },
	{ .name = "export",
	  .help = "write a fabric as JSON, DOT or SVG",
	  .options = cli_topo_export_options,
	  .args = show_args,
	  .run = cli_topo_export },
	{ 0 },
};

void cli_topo_show_assumptions(const struct topo_graph *g, struct base_out *o)
{
	size_t n = topo_graph_n_assumptions(g);

	base_out_table_begin(o, "assumptions",
			     n > 0 ? "assumed, because the source does not say" : NULL);
	for (size_t i = 0; i < n; i++) {
		struct topo_assumption a = topo_graph_assumption(g, i);

		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "name", "what", a.name);
		base_out_string(o, "value", "value", a.value);
		base_out_string(o, "reason", "reason", a.reason);
		base_out_object_end(o);
	}
	base_out_table_end(o);
}

/* "16 NICs", "1 NIC" */
static const char *count_text(uint64_t n, const char *one, const char *many, char *buf,
			      size_t size)
{
	char number[BASE_NUM_TEXT_MAX];

	snprintf(buf, size, "%s %s", base_num_format_count(n, number),
		 n == 1 ? one : many);
	return buf;
}

static void tell(struct cli *cli, const struct topo_graph *g, const char *file)
{
	char hosts[64], nics[64], switches[64], links[64];

	for (size_t i = 0; i < topo_graph_n_assumptions(g); i++) {
		struct topo_assumption a = topo_graph_assumption(g, i);

		base_log(&cli->log, BASE_LOG_WARNING, "assumed %s = %s: %s", a.name,
			 a.value, a.reason);
	}
	base_log(
		&cli->log, BASE_LOG_INFO, "%s: %s, %s, %s, %s", file,
		count_text(topo_graph_count(g, TOPO_HOST), "host", "hosts", hosts,
			   sizeof(hosts)),
		count_text(topo_graph_count(g, TOPO_NIC), "NIC", "NICs", nics,
			   sizeof(nics)),
		count_text(topo_graph_count(g, TOPO_SWITCH), "switch", "switches",
			   switches, sizeof(switches)),
		count_text(topo_graph_n_links(g), "link", "links", links, sizeof(links)));
}

int cli_topo_deliver(struct cli *cli, const struct base_opt_values *v,
		     const struct topo_graph *g)
{
	const char *file = base_opt_string(v, "out");
	bool to_stdout = !file || cli_writes_stdout(v, "out");
	struct base_str text;
	int r;

	base_str_init(&text, 0);
	topo_write_json(g, &text);
	r = cli_write(cli, to_stdout ? "-" : file, &text);
	if (r < 0)
		return r;
	if (to_stdout || !cli->json) {
		tell(cli, g, to_stdout ? "standard output" : file);
		return CLI_YES;
	}
	return cli_topo_print(cli, g, file);
}
