/* SPDX-License-Identifier: Apache-2.0 */
#include <planner/baseline.h>
#include "choices.h"
#include "greedy.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One QP looking for its path in one plane that is a Clos. */
struct search {
	const struct greedy *g;
	const struct planner_clos *clos;
	double bytes;
	uint32_t from, to, from_pod, to_pod; /* leaves and pods */
	double *floors;			     /* of the plane */
	struct greedy_cost best;
	uint32_t group, hops[4]; /* leaf up, core up, core down, leaf down */
};

static void add_link(struct greedy_cost *cost, double load)
{
	cost->fabric = load > cost->fabric ? load : cost->fabric;
	cost->sum += load;
}

/* Load of the least loaded cable of a bundle after the QP.  INFINITY: the bundle is
 * empty. */
static double least_cable(const struct search *s, struct choice_bundle bundle, bool down,
			  uint32_t *ret_hop)
{
	double least = INFINITY;

	for (uint32_t i = 0; i < bundle.n; i++) {
		uint32_t hop = bundle.hops[i] ^ (uint32_t)down;
		double load = greedy_load_after(s->g, hop, s->bytes);

		if (load < least) {
			least = load;
			*ret_hop = hop;
		}
	}
	return least;
}

/* Makes @cost that of the leaf links of a group at best; infinite: it cannot be used. */
static void take_leaf_links(const struct search *s, uint32_t group,
			    struct greedy_cost *cost, uint32_t *ret_up,
			    uint32_t *ret_down)
{
	cost->peak = cost->fabric = cost->sum = 0;
	add_link(cost, least_cable(s, choice_leaf_bundle(s->clos, s->from, group), false,
				   ret_up));
	add_link(cost, least_cable(s, choice_leaf_bundle(s->clos, s->to, group), true,
				   ret_down));
}

static void search_pod(struct search *s)
{
	for (uint32_t group = 0; group < s->clos->n_groups; group++) {
		uint32_t up = 0, down = 0;
		struct greedy_cost cost;

		take_leaf_links(s, group, &cost, &up, &down);
		if (!greedy_is_less(&cost, &s->best))
			continue;
		s->best = cost;
		s->hops[0] = up;
		s->hops[3] = down;
	}
}

/* What the least loaded link from a spine to its cores (or back) carries now. */
static double least_core_load(const struct search *s, uint32_t pod, uint32_t group,
			      bool down)
{
	size_t spine = (size_t)pod * s->clos->n_groups + group;
	uint32_t end = s->clos->core_first[(spine + 1) * s->clos->n_cores];
	double least = INFINITY;

	for (uint32_t i = s->clos->core_first[spine * s->clos->n_cores]; i < end; i++) {
		double load = s->g->hops[s->clos->core_hops[i] ^ (uint32_t)down].load;

		least = load < least ? load : least;
	}
	return least;
}

static double *floor_of(const struct search *s, uint32_t pod, uint32_t group, bool down)
{
	return &s->floors[((size_t)pod * s->clos->n_groups + group) * 2 + (size_t)down];
}

/* Looks at all cores of a group.  Of equal paths the one of the lower group stays. */
static void search_group(struct search *s, uint32_t group)
{
	uint32_t up = 0, down = 0, core_up = 0, core_down = 0;
	struct greedy_cost leaves;

	take_leaf_links(s, group, &leaves, &up, &down);
	for (uint32_t core = 0; core < s->clos->n_cores; core++) {
		struct greedy_cost cost = leaves;
		bool is_earlier = group < s->group && isfinite(leaves.sum);

		add_link(&cost,
			 least_cable(
				 s, choice_core_bundle(s->clos, s->from_pod, group, core),
				 false, &core_up));
		add_link(&cost,
			 least_cable(s,
				     choice_core_bundle(s->clos, s->to_pod, group, core),
				     true, &core_down));
		if (is_earlier ? greedy_is_less(&s->best, &cost)
			       : !greedy_is_less(&cost, &s->best))
			continue;
		s->best = cost;
		s->group = group;
		s->hops[0] = up;
		s->hops[1] = core_up;
		s->hops[2] = core_down;
		s->hops[3] = down;
	}
	*floor_of(s, s->from_pod, group, false) =
		least_core_load(s, s->from_pod, group, false);
	*floor_of(s, s->to_pod, group, true) = least_core_load(s, s->to_pod, group, true);
}

/*
 * All pairs of group and core, but only of groups that can still win: no path over a
 * group costs less than its leaf links and the floors of its two spines do.
 */
static void search_cores(struct search *s)
{
	struct greedy_cost *bound = s->g->bound;
	double core_bytes = s->bytes * s->g->least_factor;
	uint32_t first = 0, hop;

	for (uint32_t group = 0; group < s->clos->n_groups; group++) {
		take_leaf_links(s, group, &bound[group], &hop, &hop);
		add_link(&bound[group],
			 *floor_of(s, s->from_pod, group, false) + core_bytes);
		add_link(&bound[group],
			 *floor_of(s, s->to_pod, group, true) + core_bytes);
		if (greedy_is_less(&bound[group], &bound[first]))
			first = group;
	}
	s->group = first;
	search_group(s, first);
	for (uint32_t group = 0; group < s->clos->n_groups; group++) {
		if (group == first || greedy_is_less(&s->best, &bound[group]))
			continue;
		if (group < s->group || greedy_is_less(&bound[group], &s->best))
			search_group(s, group);
	}
}

/* The cheapest path between two leaves, without its NIC links.  Returns how many hops. */
static uint32_t search_clos(struct greedy *g, const struct planner_conn *conn,
			    const struct choice *choice, uint32_t *hops,
			    struct greedy_cost *ret_cost)
{
	const struct planner_clos *clos = g->c.planes[choice->plane].clos;
	struct search s = {
		.g = g,
		.clos = clos,
		.bytes = (double)conn->bytes,
		.from = clos->nic_leaf[conn->src_nic],
		.to = clos->nic_leaf[conn->dst_nic],
		.floors = g->floors[choice->plane],
		.best = { 0, INFINITY, INFINITY },
	};
	uint32_t n = 0;

	s.from_pod = clos->leaf_pod[s.from];
	s.to_pod = clos->leaf_pod[s.to];
	if (choice->kind == CHOICE_POD)
		search_pod(&s);
	else if (choice->kind == CHOICE_CORE)
		search_cores(&s);
	else
		s.best = (struct greedy_cost){ 0, 0, 0 };
	hops[n++] = clos->nic_hop[conn->src_nic];
	for (uint32_t i = 0; i < 4 && choice->kind != CHOICE_LEAF; i++) {
		if (choice->kind == CHOICE_CORE || i == 0 || i == 3)
			hops[n++] = s.hops[i];
	}
	hops[n++] = topo_hop_reverse(clos->nic_hop[conn->dst_nic]);
	*ret_cost = s.best;
	for (uint32_t i = 0; i < n; i += n - 1) {
		double load = greedy_load_after(g, hops[i], s.bytes);

		ret_cost->peak = fmax(ret_cost->peak, load);
		ret_cost->sum += load;
	}
	ret_cost->peak = fmax(ret_cost->peak, ret_cost->fabric);
	return n;
}

/* Gives one QP the cheapest path of all planes. */
static int place_qp(struct greedy *g, uint32_t conn, struct planner_qp *qp,
		    uint32_t *path)
{
	const struct planner_conn *at = &g->c.p->conns[conn];
	struct greedy_cost best = { INFINITY, INFINITY, INFINITY };

	for (uint32_t i = g->c.first[conn]; i < g->c.first[conn + 1]; i++) {
		const struct choice *choice = &g->c.list[i];
		uint32_t hops[TOPO_PATH_HOPS_MAX], n = choice->n_hops;
		struct greedy_cost cost;

		if (choice->kind != CHOICE_SEARCH) {
			n = search_clos(g, at, choice, hops, &cost);
		} else {
			int r = greedy_search_graph(g, at, choice, hops, &cost);

			if (r < 0)
				return r;
		}
		if (!greedy_is_less(&cost, &best))
			continue;
		best = cost;
		qp->n_hops = n;
		memcpy(path, hops, n * sizeof(*path));
	}
	for (uint32_t i = 0; i < qp->n_hops; i++)
		g->hops[path[i]].load = greedy_load_after(g, path[i], (double)at->bytes);
	return 0;
}

static void empty_fabric(struct greedy *g)
{
	for (uint32_t hop = 0; hop < g->n_hops; hop++)
		g->hops[hop].load = 0;
	for (uint32_t plane = 0; plane < g->c.n_planes; plane++) {
		const struct planner_clos *clos = g->c.planes[plane].clos;
		size_t n = clos ? (size_t)clos->n_pods * clos->n_groups * 2 : 0;

		for (size_t i = 0; i < n; i++)
			g->floors[plane][i] = 0;
	}
}

/* Connections by phase, in their order within each.  Loads of phases do not add up. */
static int place_all(struct greedy *g, struct planner_plan *plan)
{
	const struct planner_problem *p = g->c.p;
	uint32_t *order = base_array_new(p->n_conns, sizeof(*order));
	uint32_t *at = base_array_new((size_t)p->n_phases + 1, sizeof(*at));
	uint32_t phase = TOPO_NONE;
	int r = order && at ? 0 : -ENOMEM;

	for (uint32_t conn = 0; r == 0 && conn < p->n_conns; conn++)
		at[p->conns[conn].phase + 1]++;
	for (uint32_t i = 0; r == 0 && i < p->n_phases; i++)
		at[i + 1] += at[i];
	for (uint32_t conn = 0; r == 0 && conn < p->n_conns; conn++)
		order[at[p->conns[conn].phase]++] = conn;
	for (uint32_t i = 0; r == 0 && i < p->n_conns; i++) {
		uint32_t conn = order[i];

		if (p->conns[conn].phase != phase) {
			phase = p->conns[conn].phase;
			empty_fabric(g);
		}
		for (uint32_t q = plan->conn_first[conn];
		     r == 0 && q < plan->conn_first[conn + 1]; q++)
			r = place_qp(g, conn, &plan->qps[q],
				     plan->hops + plan->qps[q].first_hop);
	}
	free(order);
	free(at);
	return r;
}

static int init_greedy(struct greedy *g, const struct planner_problem *p)
{
	const struct topo_link *links = topo_graph_links(p->graph);
	uint64_t fastest_bps = 1;
	uint32_t n_groups = 0;

	g->n_hops = 2 * topo_graph_n_links(p->graph);
	g->hops = base_array_new(g->n_hops, sizeof(*g->hops));
	g->floors = base_array_new(g->c.n_planes, sizeof(*g->floors));
	if (!g->hops || !g->floors)
		return -ENOMEM;
	for (uint32_t hop = 0; hop < g->n_hops; hop++) {
		if (links[topo_hop_link(hop)].rate_bps > fastest_bps)
			fastest_bps = links[topo_hop_link(hop)].rate_bps;
	}
	g->least_factor = INFINITY;
	for (uint32_t hop = 0; hop < g->n_hops; hop++) {
		g->hops[hop].factor =
			(double)fastest_bps / (double)links[topo_hop_link(hop)].rate_bps;
		g->least_factor = fmin(g->least_factor, g->hops[hop].factor);
	}
	for (uint32_t plane = 0; plane < g->c.n_planes; plane++) {
		const struct planner_clos *clos = g->c.planes[plane].clos;

		if (!clos)
			continue;
		if (clos->n_groups > n_groups)
			n_groups = clos->n_groups;
		g->floors[plane] = base_array_new(
			(size_t)clos->n_pods * clos->n_groups * 2, sizeof(double));
		if (!g->floors[plane])
			return -ENOMEM;
	}
	g->bound = base_array_new(n_groups, sizeof(*g->bound));
	if (!g->bound)
		return -ENOMEM;
	return g->c.n_searched ? greedy_init_graph(g) : 0;
}

static void fini_greedy(struct greedy *g)
{
	for (uint32_t plane = 0; g->floors && plane < g->c.n_planes; plane++)
		free(g->floors[plane]);
	free(g->floors);
	free(g->hops);
	free(g->bound);
	greedy_fini_graph(g);
	choices_fini(&g->c);
}

int planner_greedy(const struct planner_problem *p, uint32_t qps,
		   struct planner_plan **ret_plan)
{
	struct greedy g = { 0 };
	struct planner_plan *plan = NULL;
	int r = choices_init(&g.c, p);

	if (r < 0)
		return r;
	r = choices_open_plan(&g.c, qps, &plan);
	if (r == 0)
		r = init_greedy(&g, p);
	if (r == 0)
		r = place_all(&g, plan);
	fini_greedy(&g);
	if (r == 0)
		r = planner_plan_certify(p, plan);
	if (r < 0)
		planner_plan_free(plan);
	else
		*ret_plan = plan;
	return r;
}
