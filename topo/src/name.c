/* SPDX-License-Identifier: Apache-2.0 */
#include <topo/name.h>
#include <assert.h>

void topo_name_node(const struct topo_graph *g, uint32_t node, struct base_str *into)
{
	const struct topo_node *n = &topo_graph_nodes(g)[node];

	assert(node < topo_graph_n_nodes(g));
	if (n->parent != TOPO_NONE) {
		topo_name_node(g, n->parent, into);
		base_str_add_char(into, '.');
	}
	base_str_add(into, topo_graph_text(g, n->name));
}

static void add_number(const struct topo_graph *g, uint32_t link, struct base_str *into)
{
	uint32_t number = topo_graph_parallel(g, link);

	if (number == 0)
		return;
	base_str_add_char(into, '#');
	base_str_add_u64(into, number);
}

void topo_name_link(const struct topo_graph *g, uint32_t link, struct base_str *into)
{
	const struct topo_link *l = &topo_graph_links(g)[link];

	topo_name_node(g, l->a, into);
	base_str_add_char(into, '-');
	topo_name_node(g, l->b, into);
	add_number(g, link, into);
}

void topo_name_hop(const struct topo_graph *g, uint32_t hop, struct base_str *into)
{
	const struct topo_link *links = topo_graph_links(g);

	topo_name_node(g, topo_hop_from(links, hop), into);
	base_str_add_char(into, '>');
	topo_name_node(g, topo_hop_to(links, hop), into);
	add_number(g, topo_hop_link(hop), into);
}

void topo_name_path(const struct topo_graph *g, const uint32_t *hops, size_t n,
		    struct base_str *into)
{
	const struct topo_link *links = topo_graph_links(g);

	assert(n > 0);
	topo_name_node(g, topo_hop_from(links, hops[0]), into);
	for (size_t i = 0; i < n; i++) {
		assert(i == 0 ||
		       topo_hop_from(links, hops[i]) == topo_hop_to(links, hops[i - 1]));
		base_str_add(into, " >");
		add_number(g, topo_hop_link(hops[i]), into);
		base_str_add_char(into, ' ');
		topo_name_node(g, topo_hop_to(links, hops[i]), into);
	}
}
