/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead topo paths
 */
#include "commands.h"
#include "topo.h"
#include <topo/path.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

const struct base_opt cli_topo_paths_options[] = {
	{ .name = "limit",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "list at most so many",
	  .fallback = "16",
	  .max = 1000000 },
	{ .name = "plane",
	  .kind = BASE_OPT_U64,
	  .value = "P",
	  .help = "only paths of this plane (default: over any link of the NICs)",
	  .max = TOPO_PLANES_MAX - 1 },
	CLI_DOWN_OPTION,
	{ 0 },
};

struct query {
	uint32_t from, to, plane;
	uint64_t count, limit;
	uint32_t hops; /* of each path */
};

static int find_ends(struct cli *cli, const struct cli_fabric *f,
		     const struct base_opt_values *v, struct query *q)
{
	uint32_t *ends[] = { &q->from, &q->to };

	for (size_t i = 0; i < 2; i++) {
		const char *name = base_opt_arg(v, i + 1);
		int r = topo_names_nic(f->names, name, strlen(name), ends[i], &cli->err);

		if (r < 0)
			return r;
	}
	if (q->from == q->to)
		return cli_usage(cli,
				 "%s and %s are the same NIC: there is no path to list",
				 base_opt_arg(v, 1), base_opt_arg(v, 2));
	if (q->plane != TOPO_NONE && q->plane >= topo_graph_n_planes(f->graph))
		return cli_usage(cli,
				 "--plane: there is no plane %" PRIu32
				 "; the last one is %" PRIu32,
				 q->plane, topo_graph_n_planes(f->graph) - 1);
	return 0;
}

static uint64_t slowest_bps(const struct topo_graph *g, const uint32_t *hops, int n)
{
	const struct topo_link *links = topo_graph_links(g);
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < n; i++)
		if (links[topo_hop_link(hops[i])].rate_bps < least)
			least = links[topo_hop_link(hops[i])].rate_bps;
	return least;
}

static int show_paths(const struct topo_graph *g, const struct topo_paths *paths,
		      const struct query *q, struct base_out *o)
{
	uint64_t n = q->count < q->limit ? q->count : q->limit;
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	struct base_str name;
	int r = 0;

	base_str_init(&name, 0);
	base_out_table_begin(o, "paths", n > 0 ? "" : NULL);
	for (uint64_t i = 0; i < n && r >= 0; i++) {
		r = topo_paths_get(paths, q->from, i, hops);
		if (r < 0)
			break;
		base_str_clear(&name);
		topo_name_path(g, hops, (size_t)r, &name);
		base_out_object_begin(o, NULL, NULL);
		base_out_number(o, "index", "number", i, BASE_OUT_ID);
		base_out_number(o, "rate_bps", "rate", slowest_bps(g, hops, r),
				BASE_OUT_BPS);
		base_out_str(o, "path", "path", &name);
		base_out_object_end(o);
	}
	base_out_table_end(o);
	base_str_fini(&name);
	return r < 0 ? r : 0;
}

static int print_paths(struct cli *cli, const struct cli_fabric *f,
		       const struct topo_paths *paths, const struct query *q)
{
	struct base_str text, from, to;
	struct base_out *o = cli_out_new(cli, &text);
	int r;

	if (!o)
		return -ENOMEM;
	base_str_init(&from, 0);
	base_str_init(&to, 0);
	topo_name_node(f->graph, q->from, &from);
	topo_name_node(f->graph, q->to, &to);
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "schema", NULL, "fairlead.topo-paths.v1");
	base_out_str(o, "from", "from", &from);
	base_out_str(o, "to", "to", &to);
	if (q->plane == TOPO_NONE)
		base_out_null(o, "plane", NULL);
	else
		base_out_number(o, "plane", "plane", q->plane, BASE_OUT_ID);
	base_out_number(o, "count", "paths", q->count, BASE_OUT_COUNT);
	base_out_number(o, "hops", q->count > 0 ? "hops" : NULL, q->hops, BASE_OUT_COUNT);
	r = show_paths(f->graph, paths, q, o);
	if (q->count > q->limit)
		base_out_text(o, "... and %" PRIu64 " more: --limit N lists them",
			      q->count - q->limit);
	base_out_object_end(o);
	base_str_fini(&from);
	base_str_fini(&to);
	if (r < 0)
		cli_fail(cli, r, "paths");
	return cli_out_end(cli, o, &text, r);
}

static int run(struct cli *cli, const struct cli_fabric *f, struct query *q)
{
	struct topo_paths *paths;
	int r = topo_paths_new(f->graph, &paths);

	if (r < 0)
		return cli_fail(cli, r, "paths");
	r = topo_paths_aim(paths, q->to, q->plane);
	if (r == 0) {
		q->count = topo_paths_count(paths, q->from);
		q->hops = topo_paths_length(paths, q->from);
	}
	/* A NIC without a live link is an answer as well: there is no path. */
	if (r == 0 || r == -ENOENT)
		r = print_paths(cli, f, paths, q);
	else
		cli_fail(cli, r, "paths");
	topo_paths_free(paths);
	if (r < 0)
		return r;
	return q->count > 0 ? CLI_YES : CLI_NO;
}

int cli_topo_paths(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	struct query q = { .plane = TOPO_NONE, .limit = base_opt_number(v, "limit") };
	struct cli_fabric f;
	int r = cli_fabric_open(cli, base_opt_arg(v, 0), &f);

	if (r < 0)
		return r;
	if (base_opt_is_given(v, "plane"))
		q.plane = (uint32_t)base_opt_number(v, "plane");
	r = find_ends(cli, &f, v, &q);
	if (r == 0)
		r = cli_fabric_take_down(cli, &f, v);
	if (r == 0)
		r = run(cli, &f, &q);
	cli_fabric_fini(&f);
	return r;
}
