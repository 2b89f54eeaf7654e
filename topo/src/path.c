/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One search from the destination's switches outward gives every switch its distance and
 * the number of shortest paths from it; everything else is read from those by looking at
 * neighbours.  A search depends on the destination only through the switches that it
 * hangs on (its roots), so that the NICs of a leaf share one.
 */
#include "graph_private.h"
#include <base/mem.h>
#include <base/num.h>
#include <topo/path.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Distances of a node in hops; the largest real one is that of a source's first switch.
 */
#define DISTANCE_MAX (TOPO_PATH_HOPS_MAX - 1)
#define NOT_REACHED 254
#define NEVER_FORWARDS 255 /* all but switches */

/* A switch that the destination hangs on, and by how many live links. */
struct root {
	uint32_t node, n_links;
};

struct topo_paths {
	const struct topo_graph *g;
	uint32_t dst, plane; /* the aim; TOPO_NONE: none yet */

	/* The last search, and what it was made from. */
	struct root *roots, *new_roots;
	size_t n_roots, cap_roots, cap_new_roots;
	uint64_t state_version;
	uint32_t searched_plane;

	uint8_t *distances; /* by node */
	uint64_t *counts;   /* by node: shortest paths from it, saturating; if reached */
	uint32_t *queue;    /* the reached switches, by distance */
	uint32_t n_queued;
	uint32_t *
		neighbours; /* where each of the graph's hops[] leads to, in that order */
};

/* A node's hops with where they lead to. */
struct reach {
	const uint32_t *hops, *to;
	uint32_t n;
};

static struct reach hops_of(const struct topo_paths *p, uint32_t node)
{
	uint32_t start = p->g->hop_starts[node];

	return (struct reach){ .hops = p->g->hops + start,
			       .to = p->neighbours + start,
			       .n = p->g->hop_starts[node + 1] - start };
}

static bool is_up(const struct topo_paths *p, uint32_t hop)
{
	return p->g->links[topo_hop_link(hop)].state == TOPO_UP;
}

int topo_paths_new(const struct topo_graph *g, struct topo_paths **ret_paths)
{
	struct topo_paths *p = calloc(1, sizeof(*p));

	assert(g->sealed);
	if (!p)
		return -ENOMEM;
	p->g = g;
	p->dst = TOPO_NONE;
	p->distances = base_array_new(g->n_nodes, sizeof(*p->distances));
	p->counts = base_array_new(g->n_nodes, sizeof(*p->counts));
	p->queue = base_array_new(g->counts[TOPO_SWITCH], sizeof(*p->queue));
	p->neighbours = base_array_new((size_t)g->n_links * 2, sizeof(*p->neighbours));
	if (!p->distances || !p->counts || !p->queue || !p->neighbours) {
		topo_paths_free(p);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < g->n_nodes; i++)
		p->distances[i] =
			g->nodes[i].kind == TOPO_SWITCH ? NOT_REACHED : NEVER_FORWARDS;
	for (uint32_t i = 0; i < 2 * g->n_links; i++)
		p->neighbours[i] = topo_hop_to(g->links, g->hops[i]);
	*ret_paths = p;
	return 0;
}

void topo_paths_free(struct topo_paths *p)
{
	if (!p)
		return;
	free(p->roots);
	free(p->new_roots);
	free(p->distances);
	free(p->counts);
	free(p->queue);
	free(p->neighbours);
	free(p);
}

static bool in_plane(const struct topo_paths *p, uint32_t node, uint32_t plane)
{
	uint32_t its = p->g->nodes[node].plane;

	return plane == TOPO_NONE || plane == (its == TOPO_NONE ? 0 : its);
}

static int compare_roots(const void *a, const void *b)
{
	const struct root *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

/* Joins entries of one switch in the sorted list; returns how many are left. */
static size_t merge_roots(struct root *roots, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && roots[kept - 1].node == roots[i].node)
			roots[kept - 1].n_links++;
		else
			roots[kept++] = roots[i];
	}
	return kept;
}

/* Fills new_roots, sorted.  -ENOENT: there is none; -ENOMEM. */
static int find_roots(struct topo_paths *p, uint32_t dst, uint32_t plane, size_t *ret_n)
{
	struct reach r = hops_of(p, dst);
	struct root *roots;
	size_t n = 0;

	if (r.n == 0)
		return -ENOENT;
	roots = base_grow(p->new_roots, &p->cap_new_roots, r.n, sizeof(*roots));
	if (!roots)
		return -ENOMEM;
	p->new_roots = roots;
	for (uint32_t i = 0; i < r.n; i++)
		if (is_up(p, r.hops[i]) && in_plane(p, r.to[i], plane))
			roots[n++] = (struct root){ .node = r.to[i], .n_links = 1 };
	if (n == 0)
		return -ENOENT;
	qsort(roots, n, sizeof(*roots), compare_roots);
	*ret_n = merge_roots(roots, n);
	return 0;
}

/* Would a search from the new roots find what the last one did? */
static bool is_searched(const struct topo_paths *p, size_t n, uint32_t plane)
{
	return n == p->n_roots && plane == p->searched_plane &&
	       p->state_version == p->g->state_version &&
	       memcmp(p->new_roots, p->roots, n * sizeof(*p->roots)) == 0;
}

static void swap_roots(struct topo_paths *p, size_t n)
{
	struct root *roots = p->roots;
	size_t cap = p->cap_roots;

	p->roots = p->new_roots;
	p->cap_roots = p->cap_new_roots;
	p->n_roots = n;
	p->new_roots = roots;
	p->cap_new_roots = cap;
}

static void reach_node(struct topo_paths *p, uint32_t node, uint8_t distance)
{
	p->distances[node] = distance;
	p->counts[node] = 0;
	p->queue[p->n_queued++] = node;
}

/* All paths from @node are known: hands them to those neighbours whose next hop it is. */
static void search_from(struct topo_paths *p, uint32_t node)
{
	struct reach r = hops_of(p, node);
	uint8_t distance = (uint8_t)(p->distances[node] + 1);

	for (uint32_t i = 0; i < r.n; i++) {
		uint32_t to = r.to[i];

		if (p->distances[to] != NOT_REACHED && p->distances[to] != distance)
			continue;
		if (!is_up(p, r.hops[i]))
			continue;
		if (p->distances[to] == NOT_REACHED) {
			if (!in_plane(p, to, p->searched_plane))
				continue;
			reach_node(p, to, distance);
		}
		p->counts[to] = base_num_add(p->counts[to], p->counts[node]);
	}
}

static void search(struct topo_paths *p)
{
	for (uint32_t i = 0; i < p->n_queued; i++)
		p->distances[p->queue[i]] = NOT_REACHED;
	p->n_queued = 0;
	for (size_t i = 0; i < p->n_roots; i++) {
		reach_node(p, p->roots[i].node, 1);
		p->counts[p->roots[i].node] = p->roots[i].n_links;
	}
	for (uint32_t i = 0; i < p->n_queued; i++) {
		if (p->distances[p->queue[i]] >= DISTANCE_MAX)
			break;
		search_from(p, p->queue[i]);
	}
}

int topo_paths_aim(struct topo_paths *p, uint32_t dst_nic, uint32_t plane)
{
	size_t n;
	int r;

	assert(dst_nic < p->g->n_nodes && p->g->nodes[dst_nic].kind == TOPO_NIC);
	r = find_roots(p, dst_nic, plane, &n);
	if (r < 0)
		return r;
	if (!is_searched(p, n, plane)) {
		swap_roots(p, n);
		p->searched_plane = plane;
		p->state_version = p->g->state_version;
		search(p);
	}
	p->dst = dst_nic;
	p->plane = plane;
	return 0;
}

/* Reading what the search found. */

/* Distance to the aim; NOT_REACHED or more: no path. */
static uint8_t distance_of(const struct topo_paths *p, uint32_t node)
{
	struct reach r;
	uint8_t best = NOT_REACHED;

	if (p->dst == TOPO_NONE)
		return NOT_REACHED;
	if (node == p->dst)
		return 0;
	if (p->g->nodes[node].kind != TOPO_NIC)
		return p->distances[node];
	r = hops_of(p, node); /* a source: one more than its nearest switch */
	for (uint32_t i = 0; i < r.n; i++)
		if (p->distances[r.to[i]] < best && is_up(p, r.hops[i]))
			best = p->distances[r.to[i]];
	return best == NOT_REACHED ? best : (uint8_t)(best + 1);
}

/* Does hop number @i of @r, which leaves a node at @distance, lie on a shortest path? */
static bool is_next(const struct topo_paths *p, const struct reach *r, uint32_t i,
		    uint8_t distance)
{
	bool nearer = distance == 1 ? r->to[i] == p->dst
				    : p->distances[r->to[i]] == distance - 1;

	return nearer && is_up(p, r->hops[i]);
}

/* Shortest paths from where hop number @i of @r leads to. */
static uint64_t count_at(const struct topo_paths *p, const struct reach *r, uint32_t i)
{
	return r->to[i] == p->dst ? 1 : p->counts[r->to[i]];
}

uint64_t topo_paths_count(const struct topo_paths *p, uint32_t src_nic)
{
	uint8_t distance = distance_of(p, src_nic);
	struct reach r = hops_of(p, src_nic);
	uint64_t sum = 0;

	if (distance == 0 || distance >= NOT_REACHED)
		return 0;
	for (uint32_t i = 0; i < r.n; i++)
		if (is_next(p, &r, i, distance))
			sum = base_num_add(sum, count_at(p, &r, i));
	return sum;
}

uint32_t topo_paths_length(const struct topo_paths *p, uint32_t src_nic)
{
	uint8_t distance = distance_of(p, src_nic);

	return distance >= NOT_REACHED ? 0 : distance;
}

/*
 * The next hop that path *@index takes from a node at @distance; takes off *@index the
 * paths of the hops before it.  TOPO_NONE: there are not so many.
 */
static uint32_t step_by_index(const struct topo_paths *p, uint32_t node, uint8_t distance,
			      uint64_t *index, uint32_t *ret_to)
{
	struct reach r = hops_of(p, node);

	for (uint32_t i = 0; i < r.n; i++) {
		uint64_t n;

		if (!is_next(p, &r, i, distance))
			continue;
		n = count_at(p, &r, i);
		if (*index < n) {
			*ret_to = r.to[i];
			return r.hops[i];
		}
		*index -= n;
	}
	return TOPO_NONE;
}

int topo_paths_get(const struct topo_paths *p, uint32_t src_nic, uint64_t index,
		   uint32_t *hops)
{
	uint32_t chosen[TOPO_PATH_HOPS_MAX], node = src_nic;
	uint8_t distance = distance_of(p, src_nic);
	int n = 0;

	if (distance == 0 || distance >= NOT_REACHED)
		return -ENOENT;
	for (; distance > 0; distance--) {
		uint32_t hop = step_by_index(p, node, distance, &index, &node);

		if (hop == TOPO_NONE)
			return -ENOENT;
		chosen[n++] = hop;
	}
	memcpy(hops, chosen, (size_t)n * sizeof(*hops));
	return n;
}

/* Adds to *@index the paths that come before @hop at its node.  -ENOENT: no next hop. */
static int rank_hop(const struct topo_paths *p, uint32_t node, uint8_t distance,
		    uint32_t hop, uint64_t *index)
{
	struct reach r = hops_of(p, node);

	for (uint32_t i = 0; i < r.n; i++) {
		if (!is_next(p, &r, i, distance))
			continue;
		if (r.hops[i] == hop)
			return 0;
		*index = base_num_add(*index, count_at(p, &r, i));
	}
	return -ENOENT;
}

int topo_paths_index(const struct topo_paths *p, const uint32_t *hops, size_t n,
		     uint64_t *ret_index)
{
	uint64_t index = 0;
	uint8_t distance;
	uint32_t node;

	if (n == 0 || topo_hop_link(hops[0]) >= p->g->n_links)
		return -ENOENT;
	node = topo_hop_from(p->g->links, hops[0]);
	distance = distance_of(p, node);
	if (p->g->nodes[node].kind != TOPO_NIC || distance != n)
		return -ENOENT;
	for (size_t i = 0; i < n; i++, distance--) {
		int r = rank_hop(p, node, distance, hops[i], &index);

		if (r < 0)
			return r;
		node = topo_hop_to(p->g->links, hops[i]);
	}
	if (index == UINT64_MAX)
		return -ERANGE;
	*ret_index = index;
	return 0;
}

static uint32_t step_at_random(const struct topo_paths *p, uint32_t node,
			       uint8_t distance, struct base_rng *rng, uint32_t *ret_to)
{
	struct reach r = hops_of(p, node);
	uint32_t n = 0, chosen;

	for (uint32_t i = 0; i < r.n; i++)
		n += is_next(p, &r, i, distance);
	assert(n > 0);
	chosen = n > 1 ? base_rng_below(rng, n) : 0;
	for (uint32_t i = 0;; i++) {
		if (!is_next(p, &r, i, distance) || chosen-- > 0)
			continue;
		*ret_to = r.to[i];
		return r.hops[i];
	}
}

int topo_paths_random(const struct topo_paths *p, uint32_t src_nic, struct base_rng *rng,
		      uint32_t *hops)
{
	uint8_t distance = distance_of(p, src_nic);
	uint32_t node = src_nic;
	int n = 0;

	if (distance == 0 || distance >= NOT_REACHED)
		return -ENOENT;
	for (; distance > 0; distance--)
		hops[n++] = step_at_random(p, node, distance, rng, &node);
	return n;
}

uint32_t topo_paths_next(const struct topo_paths *p, uint32_t node, uint32_t *hops,
			 uint32_t max)
{
	uint8_t distance = distance_of(p, node);
	struct reach r = hops_of(p, node);
	uint32_t n = 0;

	if (distance == 0 || distance >= NOT_REACHED)
		return 0;
	for (uint32_t i = 0; i < r.n; i++) {
		if (!is_next(p, &r, i, distance))
			continue;
		if (n < max)
			hops[n] = r.hops[i];
		n++;
	}
	return n;
}
