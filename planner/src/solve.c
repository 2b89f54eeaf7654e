/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of work: bounds; then for each phase planes, colouring, paths for what
 * colouring left over, local search, weights; then the plan and its certificate.
 */
#include <planner/solve.h>
#include "plan_private.h"
#include "solver.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Without a number of QPs asked for, more are tried up to this many for each plane. */
#define AUTO_QPS_PER_PLANE 8u
/* Twice the QPs must lower the largest load by at least one part in this. */
#define AUTO_GAIN 100u

static int solve_phase(void *context)
{
	struct solver *s = context;
	const struct planner_phase_bound *bound = &s->bounds->phases[s->phase];
	int r = solver_assign_planes(s);

	memset(s->load, 0, s->n_hops * sizeof(*s->load));
	for (uint32_t plane = 0; r == 0 && plane < s->n_planes; plane++)
		if (s->clos[plane])
			r = solver_colour_plane(s, plane);
	if (r == 0)
		r = solver_route_rest(s);
	if (r == 0)
		r = solver_search(s, bound->fractional, bound->integral);
	if (r == 0)
		r = solver_exact(s, bound->integral);
	if (r == 0 && !s->equal_weights)
		r = solver_weigh(s);
	return r;
}

/* Bounds, phases, plan.  @routed: an earlier plan; what has no QP there has no path. */
static int solve_once(struct solver *s, const struct planner_plan *routed,
		      struct planner_plan **ret_plan)
{
	struct planner_bounds *bounds = NULL;
	struct planner_plan *plan = NULL;
	int r = planner_bounds_new(s->p, routed, s->reference_s, s->qps, s->clos,
				   s->n_planes, &bounds);

	if (r == 0) {
		s->bounds = bounds;
		r = solver_phases(s, solve_phase, s);
	}
	if (r == 0) {
		solver_drop_partial(s);
		r = solver_to_plan(s, &plan);
	}
	if (r == 0)
		r = plan_certify(s->p, plan, s->reference_s, bounds);
	planner_bounds_free(bounds);
	s->bounds = NULL;
	if (r < 0)
		planner_plan_free(plan);
	else
		*ret_plan = plan;
	return r;
}

static int solve_with(const struct planner_problem *p,
		      const struct planner_solve_options *options, uint32_t qps,
		      struct planner_plan **ret_plan)
{
	struct planner_plan *plan = NULL, *routed = NULL;
	struct solver s;
	int r = solver_init(&s, p, qps, options->seed);

	s.equal_weights = options->equal_weights;
	if (r == 0)
		r = solve_once(&s, NULL, &plan);
	/* Traffic without a path must not make the bound, and with it the search, lax. */
	if (r == 0 && plan->unroutable > 0) {
		routed = plan;
		plan = NULL;
		solver_start(&s);
		r = solve_once(&s, routed, &plan);
	}
	planner_plan_free(routed);
	solver_fini(&s);
	if (r < 0)
		planner_plan_free(plan);
	else
		*ret_plan = plan;
	return r;
}

/* Without a number asked for: one for each plane at first. */
static uint32_t fewest_qps(const struct planner_problem *p)
{
	uint32_t n_planes = topo_graph_n_planes(p->graph);

	return n_planes < PLANNER_QPS_MAX ? n_planes : PLANNER_QPS_MAX;
}

/* The fewest QPs that reach the bound; where none does, the fewest beyond which a
 * doubling gains little. */
static int solve_auto(const struct planner_problem *p,
		      const struct planner_solve_options *options,
		      struct planner_plan **ret_plan)
{
	uint32_t most = fewest_qps(p) * AUTO_QPS_PER_PLANE;
	struct planner_plan *best = NULL;

	if (most > PLANNER_QPS_MAX)
		most = PLANNER_QPS_MAX;
	for (uint32_t qps = fewest_qps(p); qps <= most; qps *= 2) {
		struct planner_plan *plan = NULL;
		uint64_t load;
		int r = solve_with(p, options, qps, &plan);

		/* More QPs than can be planned: what there is must do. */
		if (r == -BASE_E_TOO_LARGE && best)
			break;
		if (r < 0) {
			planner_plan_free(best);
			return r;
		}
		load = plan->certificate.largest_load_ppm;
		if (best &&
		    load + load / AUTO_GAIN >= best->certificate.largest_load_ppm) {
			planner_plan_free(plan);
			break;
		}
		planner_plan_free(best);
		best = plan;
		if (load <= plan->certificate.lower_bound_ppm + 2)
			break;
	}
	*ret_plan = best;
	return 0;
}

int planner_solve(const struct planner_problem *p,
		  const struct planner_solve_options *options,
		  struct planner_plan **ret_plan, struct base_err *err)
{
	int r;

	if (options->qps > PLANNER_QPS_MAX)
		return base_err_set(
			err, -BASE_E_INVALID,
			"%u QPs for each connection are above the limit of %u",
			options->qps, PLANNER_QPS_MAX);
	r = options->qps ? solve_with(p, options, options->qps, ret_plan)
			 : solve_auto(p, options, ret_plan);
	if (r < 0)
		return solver_fail(p, options->qps ? options->qps : fewest_qps(p), r,
				   err);
	return 0;
}
