/* SPDX-License-Identifier: Apache-2.0 */
#include "greedy.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * All shortest paths of a pair form a graph in layers.  Three walks over its edges, from
 * the source on, find the least peak, then the least load between switches among paths of
 * that peak, then the least sum among those.
 */
enum walk { WALK_PEAK, WALK_FABRIC, WALK_SUM };

struct bounds {
	double peak, fabric; /* of the walks before */
};

int greedy_init_graph(struct greedy *g)
{
	const struct topo_graph *graph = g->c.p->graph;
	uint32_t n_nodes = topo_graph_n_nodes(graph), n;

	for (uint32_t node = 0; node < n_nodes; node++) {
		topo_graph_hops(graph, node, &n);
		if (n > g->n_next)
			g->n_next = n;
	}
	g->next = base_array_new(g->n_next, sizeof(*g->next));
	g->nodes = base_array_new(n_nodes, sizeof(*g->nodes));
	g->via = base_array_new(n_nodes, sizeof(*g->via));
	g->best = base_array_new(n_nodes, sizeof(*g->best));
	g->is_seen = base_array_new(n_nodes, sizeof(*g->is_seen));
	return g->next && g->nodes && g->via && g->best && g->is_seen ? 0 : -ENOMEM;
}

void greedy_fini_graph(struct greedy *g)
{
	free(g->edges);
	free(g->next);
	free(g->nodes);
	free(g->via);
	free(g->best);
	free(g->is_seen);
}

/* Lists the nodes and edges of all shortest paths to the aim; *ret_n: how many nodes. */
static int list_edges(struct greedy *g, uint32_t src_nic, uint32_t *ret_n)
{
	const struct topo_link *links = topo_graph_links(g->c.p->graph);
	uint32_t n = 0;

	g->n_edges = 0;
	g->nodes[n++] = src_nic;
	g->is_seen[src_nic] = true;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t n_next =
			topo_paths_next(g->c.paths, g->nodes[i], g->next, g->n_next);
		struct greedy_edge *edges = base_grow(
			g->edges, &g->cap_edges, g->n_edges + n_next, sizeof(*edges));

		if (!edges)
			return -ENOMEM;
		g->edges = edges;
		for (uint32_t j = 0; j < n_next; j++) {
			uint32_t to = topo_hop_to(links, g->next[j]);

			edges[g->n_edges++] =
				(struct greedy_edge){ g->nodes[i], to, g->next[j] };
			if (g->is_seen[to])
				continue;
			g->is_seen[to] = true;
			g->nodes[n++] = to;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		g->is_seen[g->nodes[i]] = false;
	*ret_n = n;
	return 0;
}

/* Returns the best value at @dst_nic; via[] leads back from there. */
static double walk_edges(struct greedy *g, enum walk walk,
			 const struct planner_conn *conn, uint32_t n_nodes,
			 const struct bounds *bounds)
{
	for (uint32_t i = 0; i < n_nodes; i++)
		g->best[g->nodes[i]] = INFINITY;
	g->best[conn->src_nic] = 0;
	for (uint32_t i = 0; i < g->n_edges; i++) {
		const struct greedy_edge *e = &g->edges[i];
		bool is_fabric = e->from != conn->src_nic && e->to != conn->dst_nic;
		double load = greedy_load_after(g, e->hop, (double)conn->bytes);
		double value = g->best[e->from];

		if (load > bounds->peak || (is_fabric && load > bounds->fabric))
			continue;
		if (walk == WALK_SUM)
			value += load;
		else if (walk == WALK_PEAK || is_fabric)
			value = fmax(value, load);
		if (value >= g->best[e->to])
			continue;
		g->best[e->to] = value;
		g->via[e->to] = i;
	}
	return g->best[conn->dst_nic];
}

int greedy_search_graph(struct greedy *g, const struct planner_conn *conn,
			const struct choice *choice, uint32_t *hops,
			struct greedy_cost *ret_cost)
{
	struct bounds bounds = { INFINITY, INFINITY };
	uint32_t n_nodes = 0, node = conn->dst_nic;
	int r = topo_paths_aim(g->c.paths, conn->dst_nic, choice->plane);

	if (r == 0)
		r = list_edges(g, conn->src_nic, &n_nodes);
	if (r < 0)
		return r;
	bounds.peak = walk_edges(g, WALK_PEAK, conn, n_nodes, &bounds);
	bounds.fabric = walk_edges(g, WALK_FABRIC, conn, n_nodes, &bounds);
	ret_cost->sum = walk_edges(g, WALK_SUM, conn, n_nodes, &bounds);
	ret_cost->peak = bounds.peak;
	ret_cost->fabric = bounds.fabric;
	for (uint32_t i = choice->n_hops; i-- > 0;) {
		hops[i] = g->edges[g->via[node]].hop;
		node = g->edges[g->via[node]].from;
	}
	return 0;
}
