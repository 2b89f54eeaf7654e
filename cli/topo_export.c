/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead topo export
 */
#include "commands.h"
#include "topo.h"
#include <topo/write.h>

enum format { TO_JSON, TO_DOT, TO_SVG };

static const char *const formats[] = { "json", "dot", "svg", NULL };

const struct base_opt cli_topo_export_options[] = {
	{ .name = "to",
	  .kind = BASE_OPT_WORD,
	  .required = true,
	  .value = "FORMAT",
	  .help = "what to write",
	  .words = formats },
	{ .name = "out",
	  .short_name = 'o',
	  .kind = BASE_OPT_FILE,
	  .value = "FILE",
	  .help = "where to (default: standard output)" },
	{ 0 },
};

int cli_topo_export(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	const char *file = base_opt_string(v, "out");
	enum format format = (enum format)base_opt_number(v, "to");
	struct topo_svg_options svg = { .title = base_opt_arg(v, 0) };
	struct cli_fabric f;
	struct base_str text;
	int r;

	if (cli->json && format != TO_JSON && (!file || cli_writes_stdout(v, "out")))
		return cli_usage(cli,
				 "--json and %s both want standard output: give -o FILE",
				 formats[format]);
	r = cli_fabric_open(cli, base_opt_arg(v, 0), &f);
	if (r < 0)
		return r;
	base_str_init(&text, 0);
	switch (format) {
	case TO_JSON:
		topo_write_json(f.graph, &text);
		break;
	case TO_DOT:
		topo_write_dot(f.graph, &text);
		break;
	case TO_SVG:
		topo_write_svg(f.graph, &svg, &text);
		break;
	}
	r = cli_write(cli, file ? file : "-", &text);
	if (r == 0 && cli->json && file && !cli_writes_stdout(v, "out"))
		r = cli_topo_print(cli, f.graph, f.file);
	cli_fabric_fini(&f);
	return r;
}
