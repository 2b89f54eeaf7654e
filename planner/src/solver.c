/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"
#include "solver.h"
#include "order.h"
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
	s->reference_s = planner_reference_seconds(p);
	base_rng_seed(&s->rng, seed);
	r = s->reference_s < 0 ? -ENOMEM : find_clos(s);
	if (r < 0)
		return r;
	if ((uint64_t)p->n_conns * qps > PLANNER_TOTAL_QPS_MAX ||
	    (uint64_t)p->n_conns * qps * s->stride > UINT32_MAX)
		return -BASE_E_TOO_LARGE;
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
	solver_set_reference(s, s->reference_s);
	solver_start(s);
	return 0;
}

void solver_start(struct solver *s)
{
	memset(s->n_path, 0, s->n_qps);
	memset(s->plane, 0, s->n_qps * sizeof(*s->plane));
	for (uint32_t c = 0; c < s->p->n_conns; c++)
		for (uint32_t i = 0; i < s->qps; i++)
			s->bytes[c * s->qps + i] = (double)s->p->conns[c].bytes / s->qps;
}

int solver_phases(struct solver *s, int (*run)(void *context), void *context)
{
	const struct planner_problem *p = s->p;
	uint32_t *order = base_array_new(p->n_conns, sizeof(*order));
	uint32_t *first = base_array_new((size_t)p->n_phases + 1, sizeof(*first));
	int r = order && first ? planner_order_conns(p, order, first) : -ENOMEM;

	for (uint32_t phase = 0; r == 0 && phase < p->n_phases; phase++) {
		s->phase = phase;
		s->n_conns = first[phase + 1] - first[phase];
		memcpy(s->conns, &order[first[phase]], s->n_conns * sizeof(*order));
		if (s->n_conns > 0)
			r = run(context);
	}
	free(order);
	free(first);
	return r;
}

int solver_fail(const struct planner_problem *p, uint32_t qps, int r,
		struct base_err *err)
{
	if (r == -ENOMEM)
		return base_err_set(err, r, "no memory for a plan of %u connections",
				    p->n_conns);
	if ((uint64_t)p->n_conns * qps > PLANNER_TOTAL_QPS_MAX)
		return base_err_set(err, r,
				    "%u connections with %u QPs each are %llu QPs, the "
				    "ceiling is %u",
				    p->n_conns, qps, (unsigned long long)p->n_conns * qps,
				    PLANNER_TOTAL_QPS_MAX);
	return base_err_set(err, r, "%u connections with %u QPs each are too many",
			    p->n_conns, qps);
}

int solver_need_paths(struct solver *s)
{
	return s->paths ? 0 : topo_paths_new(s->p->graph, &s->paths);
}

void solver_set_reference(struct solver *s, double reference_s)
{
	s->reference_s = reference_s;
	for (uint32_t l = 0; l < s->n_hops / 2; l++)
		s->per_byte[l] = 8.0 / ((double)s->links[l].rate_bps * reference_s);
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
	free(s->must_move);
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

double solver_largest(const struct solver *s)
{
	double largest = 0;

	for (uint32_t h = 0; h < s->n_hops; h++)
		if (s->load[h] > largest)
			largest = s->load[h];
	return largest;
}

/* Whether the QP is one: in a plan that replaced another, connections may have fewer than
 * s->qps. */
static bool is_qp(const struct solver *s, uint32_t qp)
{
	return s->bytes[qp] > 0 || s->n_path[qp] > 0;
}

void solver_drop_partial(struct solver *s)
{
	for (uint32_t c = 0; c < s->p->n_conns; c++) {
		bool whole = true;

		for (uint32_t i = 0; i < s->qps; i++)
			whole &= s->n_path[c * s->qps + i] > 0 ||
				 !is_qp(s, c * s->qps + i);
		for (uint32_t i = 0; !whole && i < s->qps; i++)
			s->n_path[c * s->qps + i] = 0;
	}
}

/* Weights in ppm that add up: each rounded down, the rest to the first ones that carry
 * bytes. */
static void set_weights(struct planner_qp *qps, uint32_t n, const double *bytes,
			double total)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		qps[i].weight_ppm = (uint32_t)(bytes[i] / total * 1e6 + LOAD_EPSILON);
		sum += qps[i].weight_ppm;
	}
	for (uint32_t i = 0; sum < 1000000; i = (i + 1) % n)
		if (qps[i].weight_ppm > 0) {
			qps[i].weight_ppm++;
			sum++;
		}
}

static uint32_t count_qps(const struct solver *s, uint32_t *ret_unroutable,
			  size_t *ret_hops)
{
	uint32_t n = 0;

	*ret_unroutable = 0;
	*ret_hops = 0;
	for (uint32_t c = 0; c < s->p->n_conns; c++) {
		uint32_t before = n;

		for (uint32_t q = c * s->qps; q < (c + 1) * s->qps; q++) {
			n += s->n_path[q] > 0;
			*ret_hops += s->n_path[q];
		}
		*ret_unroutable += n == before;
	}
	return n;
}

int solver_to_plan(const struct solver *s, struct planner_plan **ret_plan)
{
	size_t n_hops;
	uint32_t unroutable, n_qps = count_qps(s, &unroutable, &n_hops), at = 0;
	struct planner_plan *plan = planner_plan_new(s->p->n_conns, n_qps, n_hops);
	double bytes[PLANNER_QPS_MAX];

	if (!plan)
		return -ENOMEM;
	plan->unroutable = unroutable;
	n_hops = 0;
	for (uint32_t c = 0; c < s->p->n_conns; c++) {
		uint32_t n = 0;

		plan->conn_first[c] = at;
		for (uint32_t q = c * s->qps; q < (c + 1) * s->qps; q++) {
			if (s->n_path[q] == 0)
				continue;
			plan->qps[at + n].first_hop = (uint32_t)n_hops;
			plan->qps[at + n].n_hops = s->n_path[q];
			bytes[n++] = s->bytes[q];
			memcpy(&plan->hops[n_hops], solver_path(s, q),
			       s->n_path[q] * sizeof(uint32_t));
			n_hops += s->n_path[q];
		}
		if (n > 0)
			set_weights(&plan->qps[at], n, bytes,
				    (double)s->p->conns[c].bytes);
		at += n;
	}
	plan->conn_first[s->p->n_conns] = at;
	*ret_plan = plan;
	return 0;
}
