/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the topology text of ns-3.  Beyond the common oracle: delays and rates
 * were read, and no more links come out than lines went in.
 */
#include "import_oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topo_graph *g = oracle_import("ns3", data, size);
	size_t n_lines = 1;

	if (!g)
		return 0;
	for (size_t i = 0; i < size; i++)
		n_lines += data[i] == '\n';
	oracle_check(topo_graph_n_links(g) + 1 <= n_lines);
	oracle_check(topo_graph_count(g, TOPO_NIC) <= topo_graph_n_links(g));
	topo_graph_free(g);
	return 0;
}
