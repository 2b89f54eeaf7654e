/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead topo generate clos2|clos3|fat-tree|dual-plane
 */
#include "commands.h"
#include "topo.h"
#include <topo/generate.h>

#define COUNT(option, text)                                                              \
	{                                                                                \
		.name = (option), .kind = BASE_OPT_U64, .value = "N", .help = (text),    \
		.min = 1, .max = UINT32_MAX                                              \
	}
#define NEEDED_COUNT(option, text)                                                       \
	{                                                                                \
		.name = (option), .kind = BASE_OPT_U64, .required = true, .value = "N",  \
		.help = (text), .min = 1, .max = UINT32_MAX                              \
	}
#define RATE(option, text)                                                               \
	{                                                                                \
		.name = (option), .kind = BASE_OPT_RATE, .value = "RATE",                \
		.help = (text), .min = 1, .max = TOPO_RATE_MAX_BPS                       \
	}
#define NEEDED_RATE(option, text)                                                        \
	{                                                                                \
		.name = (option), .kind = BASE_OPT_RATE, .required = true,               \
		.value = "RATE", .help = (text), .min = 1, .max = TOPO_RATE_MAX_BPS      \
	}
#define RAIL                                                                             \
	{                                                                                \
		.name = "rail",                                                          \
		.help = "rail-optimised: NIC r of a host is on leaf r of its segment"    \
	}

static const struct base_opt clos2_options[] = {
	NEEDED_COUNT("leaves", "leaf switches (of each plane)"),
	NEEDED_COUNT("nics-per-leaf", "NICs on each leaf"),
	NEEDED_COUNT("spines", "spine switches (of each plane)"),
	NEEDED_RATE("rate", "of a NIC's link, in bit/s: 400G"),
	RATE("uplink-rate", "of a link from leaf to spine (default: as --rate)"),
	COUNT("links", "parallel links of each leaf and spine (default: 1)"),
	COUNT("nics-per-host", "NICs of a host (default: 1, or 8 with --rail)"),
	COUNT("planes",
	      "copies of the switches, with a link of each NIC to each (default: 1)"),
	RAIL,
	CLI_TOPO_OUT_OPTION,
	{ 0 },
};

static const struct base_opt clos3_options[] = {
	NEEDED_COUNT("pods", "pods"),
	NEEDED_COUNT("leaves", "leaf switches of each pod"),
	NEEDED_COUNT("nics-per-leaf", "NICs on each leaf"),
	NEEDED_COUNT("spines", "spine switches of each pod"),
	NEEDED_COUNT("cores-per-spine", "core switches above each spine"),
	NEEDED_RATE("rate", "of a NIC's link, in bit/s: 400G"),
	RATE("uplink-rate", "of a link from leaf to spine (default: as --rate)"),
	RATE("core-rate", "of a link from spine to core (default: as --rate)"),
	COUNT("nics-per-host", "NICs of a host (default: 1, or 8 with --rail)"),
	COUNT("planes",
	      "copies of the switches, with a link of each NIC to each (default: 1)"),
	RAIL,
	CLI_TOPO_OUT_OPTION,
	{ 0 },
};

static const struct base_opt fat_tree_options[] = {
	NEEDED_COUNT("k", "ports of a switch, even: k pods and k^3/4 hosts"),
	NEEDED_RATE("rate", "of every link, in bit/s: 400G"),
	CLI_TOPO_OUT_OPTION,
	{ 0 },
};

static const struct base_opt dual_plane_options[] = {
	NEEDED_COUNT("segments", "segments: groups of hosts on the same leaves"),
	NEEDED_COUNT("hosts-per-segment", "hosts of each segment"),
	NEEDED_COUNT("spines", "spine switches of each plane"),
	NEEDED_RATE("rate", "of one port of a NIC, in bit/s: 200G"),
	RATE("uplink-rate", "of a link from leaf to spine (default: as --rate)"),
	COUNT("uplinks", "links of each leaf and spine (default: 1)"),
	{ .name = "nics-per-host",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "NICs of a host, one for each rail",
	  .min = 1,
	  .max = UINT32_MAX,
	  .fallback = "8" },
	CLI_TOPO_OUT_OPTION,
	{ 0 },
};

static uint32_t number_of(const struct base_opt_values *v, const char *name)
{
	return (uint32_t)base_opt_number(v, name);
}

/* Writes the graph of a generator that returned @r. */
static int deliver(struct cli *cli, const struct base_opt_values *v, int r,
		   struct topo_graph *g)
{
	if (r < 0)
		return cli_fail(cli, r, "topo generate");
	r = cli_topo_deliver(cli, v, g);
	topo_graph_free(g);
	return r;
}

static int run_clos2(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	struct topo_clos2 shape = {
		.leaves = number_of(v, "leaves"),
		.nics_per_leaf = number_of(v, "nics-per-leaf"),
		.spines = number_of(v, "spines"),
		.links = number_of(v, "links"),
		.nics_per_host = number_of(v, "nics-per-host"),
		.planes = number_of(v, "planes"),
		.rail = base_opt_flag(v, "rail"),
		.nic_rate_bps = base_opt_number(v, "rate"),
		.uplink_rate_bps = base_opt_number(v, "uplink-rate"),
	};
	struct topo_graph *g = NULL;
	int r = topo_generate_clos2(&shape, &g, &cli->err);

	return deliver(cli, v, r, g);
}

static int run_clos3(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	struct topo_clos3 shape = {
		.pods = number_of(v, "pods"),
		.leaves = number_of(v, "leaves"),
		.nics_per_leaf = number_of(v, "nics-per-leaf"),
		.spines = number_of(v, "spines"),
		.cores_per_spine = number_of(v, "cores-per-spine"),
		.nics_per_host = number_of(v, "nics-per-host"),
		.planes = number_of(v, "planes"),
		.rail = base_opt_flag(v, "rail"),
		.nic_rate_bps = base_opt_number(v, "rate"),
		.uplink_rate_bps = base_opt_number(v, "uplink-rate"),
		.core_rate_bps = base_opt_number(v, "core-rate"),
	};
	struct topo_graph *g = NULL;
	int r = topo_generate_clos3(&shape, &g, &cli->err);

	return deliver(cli, v, r, g);
}

static int run_fat_tree(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	struct topo_graph *g = NULL;
	int r = topo_generate_fat_tree(number_of(v, "k"), base_opt_number(v, "rate"), &g,
				       &cli->err);

	return deliver(cli, v, r, g);
}

static int run_dual_plane(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	struct topo_dual_plane shape = {
		.segments = number_of(v, "segments"),
		.hosts_per_segment = number_of(v, "hosts-per-segment"),
		.nics_per_host = number_of(v, "nics-per-host"),
		.spines = number_of(v, "spines"),
		.port_rate_bps = base_opt_number(v, "rate"),
		.uplink_rate_bps = base_opt_number(v, "uplink-rate"),
		.uplinks = number_of(v, "uplinks"),
	};
	struct topo_graph *g = NULL;
	int r = topo_generate_dual_plane(&shape, &g, &cli->err);

	return deliver(cli, v, r, g);
}

const struct base_opt_command cli_topo_shapes[] = {
	{ .name = "clos2",
	  .help = "two tiers: every leaf is joined to every spine",
	  .options = clos2_options,
	  .run = run_clos2 },
	{ .name = "clos3",
	  .help = "three tiers: pods of leaves and spines, below cores",
	  .options = clos3_options,
	  .run = run_clos3 },
	{ .name = "fat-tree",
	  .help = "the k-ary fat tree",
	  .options = fat_tree_options,
	  .run = run_fat_tree },
	{ .name = "dual-plane",
	  .help = "dual-port NICs on two planes, rail-optimised",
	  .options = dual_plane_options,
	  .run = run_dual_plane },
	{ 0 },
};
