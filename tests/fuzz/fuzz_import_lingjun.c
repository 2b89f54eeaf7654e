/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a host inventory of Lingjun.  Beyond the common oracle: no leaf and no
 * spine can receive more from below than it can pass on.
 */
#include "import_oracle.h"

#define SIZE_MAX_BYTES 8192u /* links grow with the square of the rows */

static void check_not_oversubscribed(const struct topo_graph *g)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++) {
		uint64_t up_bps = 0, down_bps = 0;
		uint32_t n;
		const uint32_t *hops = topo_graph_hops(g, i, &n);

		if (nodes[i].kind != TOPO_SWITCH || nodes[i].tier == 3)
			continue;
		for (uint32_t j = 0; j < n; j++) {
			uint64_t rate_bps = links[topo_hop_link(hops[j])].rate_bps;

			if (nodes[topo_hop_to(links, hops[j])].tier > nodes[i].tier)
				up_bps += rate_bps;
			else
				down_bps += rate_bps;
		}
		oracle_check(up_bps >= down_bps && down_bps > 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topo_graph *g =
		size <= SIZE_MAX_BYTES ? oracle_import("lingjun", data, size) : NULL;

	if (!g)
		return 0;
	check_not_oversubscribed(g);
	topo_graph_free(g);
	return 0;
}
