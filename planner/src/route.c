/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One path at a time: the one whose largest link load after it is least.  In a Clos all
 * pairs of group and core are looked at, a group only if its leaf links can still win;
 * elsewhere the shortest-path graph is walked once, best rest of the way remembered at
 * each node.
 */
#include "solver.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct route {
	struct solver *s;
	const struct planner_clos *c;
	double bytes;
	struct route_cost best;
	uint32_t up, core_up, core_down, down;
	bool found;
};

bool solver_is_better(const struct route_cost *a, const struct route_cost *b)
{
	if (a->largest < b->largest - LOAD_EPSILON)
		return true;
	return a->largest < b->largest + LOAD_EPSILON && a->sum < b->sum - LOAD_EPSILON;
}

static void add_hop(struct route_cost *cost, double load)
{
	if (load > cost->largest)
		cost->largest = load;
	cost->sum += load;
}

/* The cable of a bundle with least load after the flow; TOPO_NONE: the bundle is empty.
 */
static uint32_t cable(const struct route *r, const uint32_t *first, const uint32_t *hops,
		      size_t b, uint32_t flip, double *ret_load)
{
	uint32_t best = TOPO_NONE;
	double least = 0;

	for (uint32_t i = first[b]; i < first[b + 1]; i++) {
		uint32_t hop = hops[i] ^ flip;
		double load = r->s->load[hop] + solver_hop_load(r->s, hop, r->bytes);

		if (best == TOPO_NONE || load < least - LOAD_EPSILON) {
			best = hop;
			least = load;
		}
	}
	*ret_load = least;
	return best;
}

static void keep(struct route *r, const struct route_cost *cost, uint32_t up,
		 uint32_t core_up, uint32_t core_down, uint32_t down)
{
	if (r->found && !solver_is_better(cost, &r->best))
		return;
	r->found = true;
	r->best = *cost;
	r->up = up;
	r->core_up = core_up;
	r->core_down = core_down;
	r->down = down;
}

static void try_cores(struct route *r, uint32_t group, uint32_t src_pod, uint32_t dst_pod,
		      const struct route_cost *leaves, uint32_t up, uint32_t down)
{
	const struct planner_clos *c = r->c;
	size_t out = ((size_t)src_pod * c->n_groups + group) * c->n_cores;
	size_t in = ((size_t)dst_pod * c->n_groups + group) * c->n_cores;

	for (uint32_t core = 0; core < c->n_cores; core++) {
		struct route_cost cost = *leaves;
		double load_out, load_in;
		uint32_t hop_out =
			cable(r, c->core_first, c->core_hops, out + core, 0, &load_out);
		uint32_t hop_in =
			cable(r, c->core_first, c->core_hops, in + core, 1, &load_in);

		if (hop_out == TOPO_NONE || hop_in == TOPO_NONE)
			continue;
		add_hop(&cost, load_out);
		add_hop(&cost, load_in);
		keep(r, &cost, up, hop_out, hop_in, down);
	}
}

static int clos_path(struct route *r, uint32_t src_nic, uint32_t dst_nic, uint32_t *hops)
{
	const struct planner_clos *c = r->c;
	uint32_t src = c->nic_leaf[src_nic], dst = c->nic_leaf[dst_nic];
	bool between_pods;
	uint32_t n = 0;

	hops[n++] = c->nic_hop[src_nic];
	if (src == dst) {
		hops[n++] = c->nic_hop[dst_nic] ^ 1u;
		return (int)n;
	}
	between_pods = c->leaf_pod[src] != c->leaf_pod[dst];
	for (uint32_t group = 0; group < c->n_groups; group++) {
		struct route_cost cost = { 0, 0 };
		double load_up, load_down;
		uint32_t up = cable(r, c->leaf_first, c->leaf_hops,
				    (size_t)src * c->n_groups + group, 0, &load_up);
		uint32_t down = cable(r, c->leaf_first, c->leaf_hops,
				      (size_t)dst * c->n_groups + group, 1, &load_down);

		if (up == TOPO_NONE || down == TOPO_NONE)
			continue;
		add_hop(&cost, load_up);
		add_hop(&cost, load_down);
		if (r->found && cost.largest > r->best.largest + LOAD_EPSILON)
			continue;
		if (between_pods)
			try_cores(r, group, c->leaf_pod[src], c->leaf_pod[dst], &cost, up,
				  down);
		else
			keep(r, &cost, up, TOPO_NONE, TOPO_NONE, down);
	}
	if (!r->found)
		return -ENOENT;
	hops[n++] = r->up;
	if (between_pods) {
		hops[n++] = r->core_up;
		hops[n++] = r->core_down;
	}
	hops[n++] = r->down;
	hops[n++] = c->nic_hop[dst_nic] ^ 1u;
	return (int)n;
}

/* The walk over the shortest-path graph. */
struct walk_node {
	uint32_t stamp, hop; /* the hop to take from here; TOPO_NONE: there is no way */
	struct route_cost cost;
};

#define FANOUT_MAX 1024u

/* What is walked to.  A NIC with one link into the plane loads it whatever the path. */
struct aim {
	uint32_t dst_nic;
	double bytes;
	bool src_has_choice, dst_has_choice;
};

static bool has_choice(const struct solver *s, uint32_t nic, uint32_t plane)
{
	uint32_t n, alive = 0;
	const uint32_t *hops = topo_graph_hops(s->p->graph, nic, &n);

	for (uint32_t i = 0; i < n; i++)
		alive += s->links[topo_hop_link(hops[i])].state == TOPO_UP &&
			 topo_graph_link_plane(s->p->graph, topo_hop_link(hops[i])) ==
				 plane;
	return alive > 1;
}

static void walk(struct solver *s, uint32_t node, const struct aim *aim, unsigned depth)
{
	struct walk_node *w = &s->walk[node];
	uint32_t hops[FANOUT_MAX];
	uint32_t n = topo_paths_next(s->paths, node, hops, FANOUT_MAX);

	*w = (struct walk_node){ .stamp = s->walk_stamp, .hop = TOPO_NONE };
	if (node == aim->dst_nic || depth == TOPO_PATH_HOPS_MAX)
		return;
	if (n > FANOUT_MAX)
		n = FANOUT_MAX;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = topo_hop_to(s->links, hops[i]);
		struct route_cost cost = { 0, 0 };

		if (s->walk[to].stamp != s->walk_stamp)
			walk(s, to, aim, depth + 1);
		if (to != aim->dst_nic && s->walk[to].hop == TOPO_NONE)
			continue;
		cost = s->walk[to].cost;
		if ((depth > 0 || aim->src_has_choice) &&
		    (to != aim->dst_nic || aim->dst_has_choice))
			add_hop(&cost, s->load[hops[i]] +
					       solver_hop_load(s, hops[i], aim->bytes));
		if (w->hop == TOPO_NONE || solver_is_better(&cost, &w->cost)) {
			w->hop = hops[i];
			w->cost = cost;
		}
	}
}

static int walked_path(struct solver *s, uint32_t src_nic, uint32_t dst_nic,
		       uint32_t plane, double bytes, uint32_t *hops,
		       struct route_cost *ret_cost)
{
	struct aim aim = { .dst_nic = dst_nic, .bytes = bytes };
	uint32_t n = 0, node = src_nic;
	int r;

	if (!s->walk) {
		s->walk =
			base_array_new(topo_graph_n_nodes(s->p->graph), sizeof(*s->walk));
		if (!s->walk)
			return -ENOMEM;
	}
	r = solver_need_paths(s);
	if (r == 0)
		r = topo_paths_aim(s->paths, dst_nic, plane);
	if (r < 0)
		return r;
	n = topo_paths_length(s->paths, src_nic);
	if (n == 0 || n > s->stride)
		return -ENOENT;
	aim.src_has_choice = has_choice(s, src_nic, plane);
	aim.dst_has_choice = has_choice(s, dst_nic, plane);
	s->walk_stamp++;
	walk(s, src_nic, &aim, 0);
	if (s->walk[src_nic].hop == TOPO_NONE)
		return -ENOENT;
	*ret_cost = (struct route_cost){ 0, 0 };
	for (n = 0; node != dst_nic; n++) {
		hops[n] = s->walk[node].hop;
		node = topo_hop_to(s->links, hops[n]);
		if (n > 0 && node != dst_nic)
			add_hop(ret_cost,
				s->load[hops[n]] + solver_hop_load(s, hops[n], bytes));
	}
	return (int)n;
}

int solver_best_path(struct solver *s, uint32_t src_nic, uint32_t dst_nic, uint32_t plane,
		     double bytes, uint32_t *hops, struct route_cost *ret_cost)
{
	struct route r = { .s = s, .c = s->clos[plane], .bytes = bytes };

	if (r.c && r.c->nic_leaf[src_nic] != TOPO_NONE &&
	    r.c->nic_leaf[dst_nic] != TOPO_NONE) {
		int n = clos_path(&r, src_nic, dst_nic, hops);

		s->work += r.c->n_groups + 1;
		if (r.c->leaf_pod[r.c->nic_leaf[src_nic]] !=
		    r.c->leaf_pod[r.c->nic_leaf[dst_nic]])
			s->work += (uint64_t)r.c->n_groups * r.c->n_cores;
		*ret_cost = r.best;
		if (n > 0)
			return n;
	}
	s->work += s->n_hops;
	return walked_path(s, src_nic, dst_nic, plane, bytes, hops, ret_cost);
}

void solver_add_ends(const struct solver *s, const uint32_t *hops, uint32_t n,
		     double bytes, struct route_cost *cost)
{
	const uint32_t ends[] = { hops[0], hops[n - 1] };

	for (size_t i = 0; i < BASE_COUNT(ends); i++)
		add_hop(cost, s->load[ends[i]] + solver_hop_load(s, ends[i], bytes));
}

int solver_best_plane(struct solver *s, uint32_t qp, uint32_t *hops)
{
	const struct planner_conn *c = &s->p->conns[qp / s->qps];
	uint32_t path[TOPO_PATH_HOPS_MAX];
	struct route_cost least = { 0, 0 };
	uint16_t plane = s->plane[qp];
	int n_best = -ENOENT;

	/* Its present plane first: of equal ones it stays there. */
	for (uint32_t i = 0; i < s->n_planes; i++) {
		uint32_t at = (s->plane[qp] + i) % s->n_planes;
		struct route_cost cost;
		int n;

		if (c->plane != TOPO_NONE && c->plane != at)
			continue;
		n = solver_best_path(s, c->src_nic, c->dst_nic, at, s->bytes[qp], path,
				     &cost);
		if (n == -ENOMEM)
			return n;
		if (n <= 0)
			continue;
		solver_add_ends(s, path, (uint32_t)n, s->bytes[qp], &cost);
		if (n_best < 0 || solver_is_better(&cost, &least)) {
			least = cost;
			n_best = n;
			plane = (uint16_t)at;
			memcpy(hops, path, (size_t)n * sizeof(*path));
		}
	}
	s->plane[qp] = plane;
	return n_best;
}

int solver_route_rest(struct solver *s)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX];

	for (uint32_t i = 0; i < s->n_conns; i++) {
		const struct planner_conn *c = &s->p->conns[s->conns[i]];

		for (uint32_t q = s->conns[i] * s->qps; q < (s->conns[i] + 1) * s->qps;
		     q++) {
			struct route_cost cost;
			int n;

			if (s->n_path[q])
				continue;
			n = solver_best_path(s, c->src_nic, c->dst_nic, s->plane[q],
					     s->bytes[q], hops, &cost);
			/* A plane that both ends are on need not join them. */
			if (n == -ENOENT)
				n = solver_best_plane(s, q, hops);
			if (n == -ENOMEM)
				return n;
			if (n > 0)
				solver_set_path(s, q, hops, (uint32_t)n);
		}
	}
	return 0;
}
