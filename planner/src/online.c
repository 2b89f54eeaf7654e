/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Online insertion: one solver without QPs of its own, whose loads (one array for each
 * phase) are kept between calls.
 */
#include <planner/solve.h>
#include "plan_private.h"
#include "reference.h"
#include "solver.h"
#include <base/mem.h>
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct planner_online {
	struct solver s;
	struct planner_problem empty; /* the solver's: the same graph, no connections */
	uint32_t n_phases;
	double *loads; /* [phase * n_hops + hop] */
};

static double *phase_loads(struct planner_online *o, uint32_t phase)
{
	return &o->loads[(size_t)phase * o->s.n_hops];
}

int planner_online_new(const struct planner_problem *p, const struct planner_plan *plan,
		       struct planner_online **ret_online)
{
	struct planner_online *o = calloc(1, sizeof(*o));
	double reference_s = planner_reference_seconds(p);
	int r;

	if (!o || reference_s < 0) {
		free(o);
		return -ENOMEM;
	}
	planner_problem_init(&o->empty, p->graph);
	o->n_phases = p->n_phases ? p->n_phases : 1;
	r = solver_init(&o->s, &o->empty, 1, 0);
	free(o->s.load); /* it will point into loads */
	o->s.load = NULL;
	if (r == 0) {
		/* Without QPs of its own, paths of any length cost nothing. */
		o->s.stride = TOPO_PATH_HOPS_MAX;
		solver_set_reference(&o->s, reference_s > 0 ? reference_s : 1);
		o->loads =
			base_array_new((size_t)o->n_phases * o->s.n_hops, sizeof(double));
		r = o->loads ? 0 : -ENOMEM;
	}
	for (uint32_t phase = 0; r == 0 && plan && p->n_conns > 0 && phase < p->n_phases;
	     phase++)
		plan_phase_loads(p, plan, o->s.reference_s, phase, phase_loads(o, phase));
	if (r < 0)
		planner_online_free(o);
	else
		*ret_online = o;
	return r;
}

void planner_online_free(struct planner_online *online)
{
	if (!online)
		return;
	online->s.load = NULL; /* points into loads */
	solver_fini(&online->s);
	planner_problem_fini(&online->empty);
	free(online->loads);
	free(online);
}

static void add_load(struct solver *s, const uint32_t *hops, uint32_t n, double bytes)
{
	for (uint32_t h = 0; h < n; h++)
		s->load[hops[h]] += solver_hop_load(s, hops[h], bytes);
}

int planner_online_add(struct planner_online *online, const struct planner_conn *conn,
		       uint64_t bytes, uint32_t *hops)
{
	struct solver *s = &online->s;
	struct route_cost best = { 0, 0 };
	int n_best = -ENOENT;

	if (conn->phase >= online->n_phases)
		return -EINVAL;
	s->load = phase_loads(online, conn->phase);
	for (uint32_t plane = 0; plane < s->n_planes; plane++) {
		uint32_t path[TOPO_PATH_HOPS_MAX];
		struct route_cost cost;
		int n;

		if (conn->plane != TOPO_NONE && conn->plane != plane)
			continue;
		n = solver_best_path(s, conn->src_nic, conn->dst_nic, plane,
				     (double)bytes, path, &cost);
		if (n == -ENOMEM)
			return n;
		if (n < 0)
			continue;
		/* Between planes the NIC's own ports differ too. */
		solver_add_ends(s, path, (uint32_t)n, (double)bytes, &cost);
		if (n_best < 0 || solver_is_better(&cost, &best)) {
			best = cost;
			n_best = n;
			memcpy(hops, path, (size_t)n * sizeof(*path));
		}
	}
	if (n_best > 0)
		add_load(s, hops, (uint32_t)n_best, (double)bytes);
	return n_best;
}

void planner_online_remove(struct planner_online *online, const struct planner_conn *conn,
			   uint64_t bytes, const uint32_t *hops, uint32_t n_hops)
{
	assert(conn->phase < online->n_phases);
	online->s.load = phase_loads(online, conn->phase);
	add_load(&online->s, hops, n_hops, -(double)bytes);
}
