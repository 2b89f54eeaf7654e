/* SPDX-License-Identifier: Apache-2.0 */
#include "solver.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Hops of a path in a Clos: NIC, leaf, spine, core, spine, leaf, NIC. */
#define CLOS_HOPS 6u
/* Room where a path may have to go around a failure. */
#define DETOUR_HOPS 12u

static int find_clos(struct solver *s)
{
	const struct topo_graph *g = s->p->graph;
	uint32_t stride = CLOS_HOPS;

	s->n_planes = topo_graph_n_planes(g);
	s->clos = base_array_new(s->n_planes, sizeof(struct planner_clos *));
	if (!s->clos)
		return -ENOMEM;
	for (uint32_t plane = 0; plane < s->n_planes; plane++) {
		int r = planner_clos_new(g, plane, &s->clos[plane], NULL);

		if (r == -ENOMEM)
			return r;
		if (r < 0)
			stride = TOPO_PATH_HOPS_MAX;
		else if (stride == CLOS_HOPS && (!s->clos[plane]->is_regular_leaf ||
						 !s->clos[plane]->is_regular_core))
			stride = DETOUR_HOPS;
	}
	s->stride = stride;
	return 0;
}

int solver_init(struct solver *s, const struct planner_problem *p, uint32_t qps,
		uint64_t seed)
{
	uint32_t n_links = topo_graph_n_links(p->graph);
	int r;

	memset(s, 0, sizeof(*s));
	s->p = p;
	s->links = topo_graph_links(p->graph);
	s->n_hops = 2 * n_links;
	s->qps = qps;
	s->n_qps = p->n_conns * qps;
	s->reference_s = planner_problem_reference_seconds(p);
	base_rng_seed(&s->rng, seed);
	r = find_clos(s);
	if (r == 0)
		r = topo_paths_new(p->graph, &s->paths);
	if (r < 0)
		return r;
	s->per_byte = base_array_new(n_links, sizeof(double));
	s->load = base_array_new(s->n_hops, sizeof(double));
	s->hops = base_array_new((size_t)s->n_qps * s->stride, sizeof(uint32_t));
	s->n_path = base_array_new(s->n_qps, 1);
	s->plane = base_array_new(s->n_qps, sizeof(uint16_t));
	s->bytes = base_array_new(s->n_qps, sizeof(double));
	s->conns = base_array_new(p->n_conns, sizeof(uint32_t));
	if (!s->per_byte || !s->load || !s->hops || !s->n_path || !s->plane ||
	    !s->bytes || !s->conns)
		return -ENOMEM;
	for (uint32_t l = 0; l < n_links; l++)
		s->per_byte[l] = 8.0 / ((double)s->links[l].rate_bps * s->reference_s);
	for (uint32_t c = 0; c < p->n_conns; c++)
		for (uint32_t i = 0; i < qps; i++)
			s->bytes[c * qps + i] = (double)p->conns[c].bytes / qps;
	return 0;
}

void solver_fini(struct solver *s)
{
	for (uint32_t plane = 0; s->clos && plane < s->n_planes; plane++)
		planner_clos_free(s->clos[plane]);
	free(s->clos);
	topo_paths_free(s->paths);
	free(s->per_byte);
	free(s->load);
	free(s->hops);
	free(s->n_path);
	free(s->plane);
	free(s->bytes);
	free(s->conns);
	free(s->walk);
}

void solver_clear_path(struct solver *s, uint32_t qp)
{
	const uint32_t *hops = solver_path(s, qp);

	for (uint32_t h = 0; h < s->n_path[qp]; h++)
		s->load[hops[h]] -= solver_hop_load(s, hops[h], s->bytes[qp]);
	s->n_path[qp] = 0;
}

void solver_set_path(struct solver *s, uint32_t qp, const uint32_t *hops, uint32_t n)
{
	uint32_t *own = solver_path(s, qp);

	solver_clear_path(s, qp);
	for (uint32_t h = 0; h < n; h++) {
		own[h] = hops[h];
		s->load[hops[h]] += solver_hop_load(s, hops[h], s->bytes[qp]);
	}
	s->n_path[qp] = (uint8_t)n;
}

double solver_largest(const struct solver *s, uint32_t *ret_hop)
{
	const struct topo_node *nodes = topo_graph_nodes(s->p->graph);
	uint32_t best = TOPO_NONE;
	double largest = 0;

	for (uint32_t h = 0; h < s->n_hops; h++)
		if (s->load[h] > largest &&
		    nodes[s->links[h / 2].a].kind == TOPO_SWITCH &&
		    nodes[s->links[h / 2].b].kind == TOPO_SWITCH) {
			largest = s->load[h];
			best = h;
		}
	if (ret_hop)
		*ret_hop = best;
	return largest;
}

/* Weights in ppm that add up: each rounded down, the rest to the first ones. */
static void set_weights(const struct solver *s, uint32_t conn, struct planner_qp *qps)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < s->qps; i++) {
		double share =
			s->bytes[conn * s->qps + i] / (double)s->p->conns[conn].bytes;

		qps[i].weight_ppm = (uint32_t)(share * 1e6 + LOAD_EPSILON);
		sum += qps[i].weight_ppm;
	}
	for (uint32_t i = 0; sum < 1000000; i = (i + 1) % s->qps)
		if (qps[i].weight_ppm > 0 || sum == 0) {
			qps[i].weight_ppm++;
			sum++;
		}
}

int solver_to_plan(const struct solver *s, struct planner_plan **ret_plan)
{
	uint32_t n_conns = s->p->n_conns, n_qps = 0, at = 0;
	struct planner_plan *plan;
	size_t n_hops = 0;

	for (uint32_t c = 0; c < n_conns; c++)
		if (s->n_path[c * s->qps]) {
			n_qps += s->qps;
			for (uint32_t i = 0; i < s->qps; i++)
				n_hops += s->n_path[c * s->qps + i];
		}
	plan = planner_plan_new(n_conns, n_qps, n_hops);
	if (!plan)
		return -ENOMEM;
	n_hops = 0;
	for (uint32_t c = 0; c < n_conns; c++) {
		plan->conn_first[c] = at;
		if (!s->n_path[c * s->qps]) {
			plan->unroutable++;
			continue;
		}
		for (uint32_t i = 0; i < s->qps; i++) {
			uint32_t q = c * s->qps + i;

			plan->qps[at + i].first_hop = (uint32_t)n_hops;
			plan->qps[at + i].n_hops = s->n_path[q];
			memcpy(&plan->hops[n_hops], solver_path(s, q),
			       s->n_path[q] * sizeof(uint32_t));
			n_hops += s->n_path[q];
		}
		set_weights(s, c, &plan->qps[at]);
		at += s->qps;
	}
	plan->conn_first[n_conns] = at;
	*ret_plan = plan;
	return 0;
}
