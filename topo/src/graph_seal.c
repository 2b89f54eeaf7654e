/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from nodes and links: who is next to whom, tiers, the fingerprint.
 */
#include "graph_private.h"
#include <base/mem.h>
#include <base/num.h>
#include <base/rng.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Turns counts, kept one place to the right, into starts: what is before each node. */
static void sum_counts(uint32_t *starts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		starts[i + 1] += starts[i];
}

/* After filling, each start has moved on to the next one's place: moves them back. */
static void shift_starts(uint32_t *starts, uint32_t n)
{
	memmove(starts + 1, starts, n * sizeof(*starts));
	starts[0] = 0;
}

static void fill_hops(struct topo_graph *g)
{
	uint32_t *at = g->hop_starts;

	for (uint32_t i = 0; i < g->n_links; i++) {
		at[g->links[i].a + 1]++;
		at[g->links[i].b + 1]++;
	}
	sum_counts(at, g->n_nodes);
	for (uint32_t i = 0; i < g->n_links; i++) {
		g->hops[at[g->links[i].a]++] = 2 * i;
		g->hops[at[g->links[i].b]++] = 2 * i + 1;
	}
	shift_starts(at, g->n_nodes);
}

static void fill_children(struct topo_graph *g)
{
	uint32_t *at = g->child_starts;

	for (uint32_t i = 0; i < g->n_nodes; i++)
		if (g->nodes[i].parent != TOPO_NONE)
			at[g->nodes[i].parent + 1]++;
	sum_counts(at, g->n_nodes);
	for (uint32_t i = 0; i < g->n_nodes; i++)
		if (g->nodes[i].parent != TOPO_NONE)
			g->children[at[g->nodes[i].parent]++] = i;
	shift_starts(at, g->n_nodes);
}

/*
 * Numbers the links between @node and each node after it.  @totals and @seen are by node,
 * all 0 before and after.
 */
static void number_parallels(struct topo_graph *g, uint32_t node, uint32_t *totals,
			     uint32_t *seen)
{
	const uint32_t *hops = g->hops + g->hop_starts[node];
	uint32_t n = g->hop_starts[node + 1] - g->hop_starts[node];

	for (uint32_t i = 0; i < n; i++)
		totals[topo_hop_to(g->links, hops[i])]++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = topo_hop_to(g->links, hops[i]);

		if (to > node && totals[to] > 1)
			g->parallels[topo_hop_link(hops[i])] = ++seen[to];
	}
	for (uint32_t i = 0; i < n; i++)
		totals[topo_hop_to(g->links, hops[i])] =
			seen[topo_hop_to(g->links, hops[i])] = 0;
}

static int fill_parallels(struct topo_graph *g)
{
	uint32_t *totals = base_array_new(g->n_nodes, sizeof(*totals));
	uint32_t *seen = base_array_new(g->n_nodes, sizeof(*seen));
	int r = totals && seen ? 0 : -ENOMEM;

	for (uint32_t i = 0; r == 0 && i < g->n_nodes; i++)
		number_parallels(g, i, totals, seen);
	free(seen);
	free(totals);
	return r;
}

static void drop_adjacency(struct topo_graph *g)
{
	free(g->hop_starts);
	free(g->hops);
	free(g->child_starts);
	free(g->children);
	free(g->parallels);
	g->hop_starts = g->hops = g->child_starts = g->children = g->parallels = NULL;
}

static int build_adjacency(struct topo_graph *g)
{
	size_t n_starts = (size_t)g->n_nodes + 1;

	g->hop_starts = base_array_new(n_starts, sizeof(*g->hop_starts));
	g->hops = base_array_new((size_t)g->n_links * 2, sizeof(*g->hops));
	g->child_starts = base_array_new(n_starts, sizeof(*g->child_starts));
	g->children = base_array_new(g->n_nodes, sizeof(*g->children));
	g->parallels = base_array_new(g->n_links, sizeof(*g->parallels));
	if (!g->hop_starts || !g->hops || !g->child_starts || !g->children ||
	    !g->parallels)
		goto fail;
	fill_hops(g);
	fill_children(g);
	if (fill_parallels(g) == 0)
		return 0;
fail:
	drop_adjacency(g);
	return -ENOMEM;
}

/* Tiers. */

/* Breadth first from all NICs at once; dead links count, they are cables all the same. */
struct tier_search {
	uint32_t *distances; /* by node; 0: not reached, or a NIC */
	uint32_t *queue;
	uint32_t n_queued;
};

static void reach_neighbours(const struct topo_graph *g, struct tier_search *s,
			     uint32_t node)
{
	for (uint32_t i = g->hop_starts[node]; i < g->hop_starts[node + 1]; i++) {
		uint32_t to = topo_hop_to(g->links, g->hops[i]);

		if (g->nodes[to].kind != TOPO_SWITCH || s->distances[to])
			continue;
		s->distances[to] = s->distances[node] + 1;
		s->queue[s->n_queued++] = to;
	}
}

static void search_tiers(const struct topo_graph *g, struct tier_search *s)
{
	for (uint32_t i = 0; i < g->n_nodes; i++)
		if (g->nodes[i].kind == TOPO_NIC)
			reach_neighbours(g, s, i);
	for (uint32_t i = 0; i < s->n_queued; i++)
		reach_neighbours(g, s, s->queue[i]);
}

static bool lacks_tier(const struct topo_node *node)
{
	return node->kind == TOPO_SWITCH && node->tier == 0;
}

static int check_distances(const struct topo_graph *g, const uint32_t *distances,
			   struct base_err *err)
{
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		const char *name = topo_graph_text(g, g->nodes[i].name);

		if (!lacks_tier(&g->nodes[i]))
			continue;
		if (distances[i] == 0)
			return base_err_set(err, -BASE_E_INVALID,
					    "no link leads from any NIC to switch "
					    "\"%s\": give it a tier, "
					    "or the links that it lacks",
					    name);
		if (distances[i] > TOPO_TIERS_MAX)
			return base_err_set(err, -BASE_E_INVALID,
					    "switch \"%s\" is %u hops from the nearest "
					    "NIC; give it a "
					    "tier of at most %u",
					    name, distances[i], TOPO_TIERS_MAX);
	}
	return 0;
}

static int give_tiers(struct topo_graph *g, struct base_err *err)
{
	struct tier_search s = { 0 };
	int r = -ENOMEM;

	s.distances = base_array_new(g->n_nodes, sizeof(*s.distances));
	s.queue = base_array_new(g->n_nodes, sizeof(*s.queue));
	if (!s.distances || !s.queue) {
		base_err_set(err, r, "out of memory");
		goto out;
	}
	search_tiers(g, &s);
	r = check_distances(g, s.distances, err);
	if (r < 0)
		goto out;
	for (uint32_t i = 0; i < g->n_nodes; i++)
		if (lacks_tier(&g->nodes[i]))
			g->nodes[i].tier = (uint8_t)s.distances[i];
out:
	free(s.queue);
	free(s.distances);
	return r;
}

static bool any_lacks_tier(const struct topo_graph *g)
{
	for (uint32_t i = 0; i < g->n_nodes; i++)
		if (lacks_tier(&g->nodes[i]))
			return true;
	return false;
}

int topo_graph_seal(struct topo_graph *g, struct base_err *err)
{
	int r;

	assert(!g->sealed);
	if (g->counts[TOPO_NIC] == 0)
		return base_err_set(err, -BASE_E_INVALID, "the fabric has no NIC");
	r = build_adjacency(g);
	if (r < 0)
		return base_err_set(err, r, "out of memory");
	r = any_lacks_tier(g) ? give_tiers(g, err) : 0;
	if (r < 0) {
		drop_adjacency(g);
		return r;
	}
	for (uint32_t i = 0; i < g->n_nodes; i++)
		if (g->nodes[i].tier > g->n_tiers)
			g->n_tiers = g->nodes[i].tier;
	g->sealed = true;
	return 0;
}

uint32_t topo_graph_n_tiers(const struct topo_graph *g)
{
	assert(g->sealed);
	return g->n_tiers;
}

const uint32_t *topo_graph_hops(const struct topo_graph *g, uint32_t node,
				uint32_t *ret_n)
{
	assert(g->sealed && node < g->n_nodes);
	*ret_n = g->hop_starts[node + 1] - g->hop_starts[node];
	return g->hops + g->hop_starts[node];
}

const uint32_t *topo_graph_children(const struct topo_graph *g, uint32_t node,
				    uint32_t *ret_n)
{
	assert(g->sealed && node < g->n_nodes);
	*ret_n = g->child_starts[node + 1] - g->child_starts[node];
	return g->children + g->child_starts[node];
}

uint32_t topo_graph_parallel(const struct topo_graph *g, uint32_t link)
{
	assert(g->sealed && link < g->n_links);
	return g->parallels[link];
}

uint64_t topo_graph_nic_rate_bps(const struct topo_graph *g, uint32_t nic)
{
	uint32_t n;
	const uint32_t *hops = topo_graph_hops(g, nic, &n);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum = base_num_add(sum, g->links[topo_hop_link(hops[i])].rate_bps);
	return sum;
}

/* The fingerprint. */

static uint64_t hash_words(const uint64_t *words, size_t n)
{
	uint64_t hash = n;

	for (size_t i = 0; i < n; i++)
		hash = base_rng_mix(hash ^ words[i]);
	return hash;
}

static uint64_t text_hash(const struct topo_graph *g, uint32_t text)
{
	const char *s = topo_graph_text(g, text);

	return text == TOPO_NONE ? 0 : topo_name_hash(1, s, strlen(s));
}

static uint64_t node_hash(const struct topo_graph *g, uint32_t node)
{
	const struct topo_node *n = &g->nodes[node];
	const uint64_t words[] = {
		g->name_hashes[node],
		(uint64_t)n->kind << 8 | n->tier,
		n->pod,
		n->plane,
		n->rail,
	};

	return hash_words(words, BASE_COUNT(words));
}

static uint64_t link_hash(const struct topo_graph *g, const struct topo_link *link)
{
	const uint64_t words[] = {
		g->name_hashes[link->a],
		g->name_hashes[link->b],
		link->rate_bps,
		link->delay_ns,
		text_hash(g, link->port_a),
		text_hash(g, link->port_b),
		text_hash(g, link->address),
		link->state,
	};

	return hash_words(words, BASE_COUNT(words));
}

uint64_t topo_graph_fingerprint(const struct topo_graph *g)
{
	uint64_t nodes = 0, links = 0;

	for (uint32_t i = 0; i < g->n_nodes; i++)
		nodes += node_hash(g, i);
	for (uint32_t i = 0; i < g->n_links; i++)
		links = base_rng_mix(links ^ link_hash(g, &g->links[i]));
	return base_rng_mix(base_rng_mix(nodes + g->n_nodes) ^ links);
}
