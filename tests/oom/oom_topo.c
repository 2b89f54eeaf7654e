/* SPDX-License-Identifier: Apache-2.0 */
#include "oom.h"
#include <base/str.h>
#include <topo/generate.h>
#include <topo/load.h>
#include <topo/name.h>
#include <topo/path.h>
#include <topo/write.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RATE_BPS UINT64_C(400000000000)
#define OTHER_ERROR 1 /* what no function may return: the sweep reports it */

static char nowhere;
#define UNTOUCHED ((struct topo_graph *)(void *)&nowhere)

/* A loader or generator came back with @r and @g: passes on its -ENOMEM or takes @g down.
 */
static int done(int r, struct topo_graph *g)
{
	if (r < 0)
		return g == UNTOUCHED ? r : OTHER_ERROR;
	topo_graph_free(g);
	return 0;
}

static int generate_small(struct topo_graph **ret_g)
{
	const struct topo_clos2 shape = {
		.leaves = 2,
		.nics_per_leaf = 4,
		.spines = 2,
		.links = 2,
		.nics_per_host = 2,
		.nic_rate_bps = RATE_BPS,
	};

	return topo_generate_clos2(&shape, ret_g, NULL);
}

static int run_clos2(void)
{
	struct topo_graph *g = UNTOUCHED;
	int r = generate_small(&g);

	return done(r, g);
}

static int run_clos3(void)
{
	const struct topo_clos3 shape = {
		.pods = 2,
		.leaves = 2,
		.nics_per_leaf = 2,
		.spines = 2,
		.cores_per_spine = 2,
		.planes = 2,
		.nic_rate_bps = RATE_BPS,
	};
	struct topo_graph *g = UNTOUCHED;
	int r = topo_generate_clos3(&shape, &g, NULL);

	return done(r, g);
}

static int run_fat_tree(void)
{
	struct topo_graph *g = UNTOUCHED;
	int r = topo_generate_fat_tree(4, RATE_BPS, &g, NULL);

	return done(r, g);
}

static int run_dual_plane(void)
{
	const struct topo_dual_plane shape = {
		.segments = 2,
		.hosts_per_segment = 2,
		.nics_per_host = 2,
		.spines = 2,
		.port_rate_bps = RATE_BPS / 2,
	};
	struct topo_graph *g = UNTOUCHED;
	int r = topo_generate_dual_plane(&shape, &g, NULL);

	return done(r, g);
}

static uint32_t nth_nic(const struct topo_graph *g, uint32_t n)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t node = 0;

	while (nodes[node].kind != TOPO_NIC || n-- > 0)
		node++;
	return node;
}

static int run_paths(void)
{
	struct topo_graph *g;
	struct topo_paths *paths;
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	int r = generate_small(&g);

	if (r < 0)
		return r;
	r = topo_paths_new(g, &paths);
	if (r == 0) {
		r = topo_paths_aim(paths, nth_nic(g, 7), TOPO_NONE);
		if (r == 0 && topo_paths_get(paths, nth_nic(g, 0), 0, hops) <= 0)
			r = OTHER_ERROR;
		topo_paths_free(paths);
	}
	topo_graph_free(g);
	return r;
}

static int find_names(const struct topo_names *names)
{
	static const char link_text[] = "leaf0-spine1#2", ports_text[] = "leaf0:p-spine1";
	static const char path_text[] = "h0.nic0 > leaf0 >#2 spine1";
	uint32_t link = 777, *hops = NULL;
	size_t n = 777;
	int r = topo_names_link(names, link_text, strlen(link_text), &link, NULL);

	if (r < 0)
		return link == 777 ? r : OTHER_ERROR;
	r = topo_names_link(names, ports_text, strlen(ports_text), &link, NULL);
	if (r != -BASE_E_UNKNOWN)
		return r < 0 ? r : OTHER_ERROR;
	r = topo_names_path(names, path_text, strlen(path_text), &hops, &n, NULL);
	if (r < 0)
		return !hops && n == 777 ? r : OTHER_ERROR;
	free(hops);
	return n == 2 ? 0 : OTHER_ERROR;
}

static int run_names(void)
{
	struct topo_graph *g;
	struct topo_names *names;
	int r = generate_small(&g);

	if (r < 0)
		return r;
	r = topo_names_new(g, &names);
	if (r == 0) {
		r = find_names(names);
		topo_names_free(names);
	}
	topo_graph_free(g);
	return r;
}

static int run_write(void)
{
	const struct topo_svg_options options = { .title = "small" };
	struct topo_graph *g;
	struct base_str json, dot, svg;
	int r = generate_small(&g);

	if (r < 0)
		return r;
	base_str_init(&json, 0);
	base_str_init(&dot, 0);
	base_str_init(&svg, 0);
	topo_write_json(g, &json);
	r = base_str_error(&json);
	if (r == 0) {
		topo_write_dot(g, &dot);
		r = base_str_error(&dot);
	}
	if (r == 0) {
		topo_write_svg(g, &options, &svg);
		r = base_str_error(&svg);
	}
	base_str_fini(&json);
	base_str_fini(&dot);
	base_str_fini(&svg);
	topo_graph_free(g);
	return r;
}

/* Written once, before the sweep: only its reading is to fail. */
static struct base_str fabric;

static int run_load_json(void)
{
	struct topo_graph *g = UNTOUCHED;
	struct base_err err = { 0 };
	int r = topo_load_json("fabric.json", base_str_text(&fabric), fabric.len, &g,
			       &err);

	return done(r, g);
}

static int import(const char *format, const char *name, const char *text)
{
	const struct topo_source source = { name, text, strlen(text) };
	const struct topo_import_options options = { .rate_bps = RATE_BPS };
	struct topo_graph *g = UNTOUCHED;
	struct base_err err = { 0 };
	int r = topo_import(format, &source, 1, &options, &g, &err);

	return done(r, g);
}

static int run_import_ns3(void)
{
	return import("ns3", "a.txt",
		      "5 2 4\n3 4\n0 3 100Gbps 1us 0\n1 4 100Gbps 1us 0\n"
		      "2 4 100Gbps 1us 0\n3 4 400Gbps 1us 0\n");
}

/* With all that a file can leave open, so that each assumption is recorded. */
static int run_import_servers(void)
{
	return import(
		"ns3", "b.txt",
		"8 1 1 2 5 H100\n5 6 7\n0 5 900Gbps 25ns 0\n0 6 100Gbps 1us 0\n"
		"1 6 100Gbps 1us 1e-9\n6 7 100Gbps 1us 0\n7 6 100Gbps 1us 0\nprose\n");
}

static int run_import_htsim(void)
{
	return import(
		"htsim", "c.topo",
		"Nodes 4\nTiers 3\nPodsize 2\n"
		"Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\n"
		"Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 1\nRadix_Up 1\n"
		"Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 2\nSwitch_Latency_ns 9\n");
}

static int run_import_lingjun(void)
{
	return import("lingjun", "d.csv",
		      "ip,DSW,PSW,ASW\na,G1,P1,S1\nb,G1,P2,S1\nc,G2,P1,S1\n");
}

static const struct oom_case cases[] = {
	{ "a leaf-spine fabric", run_clos2 },
	{ "a three-tier fabric of two planes", run_clos3 },
	{ "a fat tree", run_fat_tree },
	{ "a dual-plane fabric", run_dual_plane },
	{ "a path between two NICs", run_paths },
	{ "a link and a path by name", run_names },
	{ "a fabric as JSON, DOT and SVG", run_write },
	{ "a fabric read from JSON", run_load_json },
	{ "a fabric read from ns-3 text", run_import_ns3 },
	{ "servers with NVSwitches read from ns-3 text", run_import_servers },
	{ "a fabric read from an htsim file", run_import_htsim },
	{ "a fabric read from a Lingjun inventory", run_import_lingjun },
};

int main(void)
{
	struct topo_graph *g;
	int status = 1;

	base_str_init(&fabric, 0);
	if (generate_small(&g) == 0) {
		topo_write_json(g, &fabric);
		topo_graph_free(g);
		if (base_str_error(&fabric) == 0)
			status = oom_main(cases, sizeof(cases) / sizeof(cases[0]));
	}
	base_str_fini(&fabric);
	return status;
}
