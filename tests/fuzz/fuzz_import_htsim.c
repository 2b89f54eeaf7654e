/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a fat-tree description of htsim.  Beyond the common oracle: all switches
 * of a tier have the same number of links up and down, as the file's radixes promise.
 */
#include "import_oracle.h"

#define NUMBER_MAX 400u /* larger fabrics than these numbers give take too long */

/* The file may ask for millions of nodes in a few bytes; only latencies may be large
 * here. */
static bool is_small(const uint8_t *data, size_t size)
{
	uint32_t number = 0;
	bool latency = false;

	for (size_t i = 0; i < size; i++) {
		if (data[i] == '\n')
			latency = false;
		else if (i + 6 <= size && memcmp(data + i, "atency", 6) == 0)
			latency = true;
		number = data[i] >= '0' && data[i] <= '9' ? number * 10 + data[i] - '0'
							  : 0;
		if (number > NUMBER_MAX && !latency)
			return false;
		number %= NUMBER_MAX + 1;
	}
	return true;
}

static void check_radix(const struct topo_graph *g)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);
	uint32_t down[4] = { 0 }, up[4] = { 0 };

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++) {
		uint32_t n, n_up = 0, tier = nodes[i].tier;
		const uint32_t *hops = topo_graph_hops(g, i, &n);

		if (nodes[i].kind != TOPO_SWITCH)
			continue;
		oracle_check(tier <= 3);
		for (uint32_t j = 0; j < n; j++)
			n_up += nodes[topo_hop_to(links, hops[j])].tier > tier;
		if (down[tier] == 0) {
			down[tier] = n - n_up;
			up[tier] = n_up;
		}
		oracle_check(down[tier] == n - n_up && up[tier] == n_up);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topo_graph *g =
		is_small(data, size) ? oracle_import("htsim", data, size) : NULL;

	if (!g)
		return 0;
	check_radix(g);
	topo_graph_free(g);
	return 0;
}
