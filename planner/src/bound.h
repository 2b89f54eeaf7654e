/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lower bounds from cuts: what must cross a set of links, over what the set can carry.
 * Private to planner/src.
 *
 * A site is a set of leaves that share NICs: one leaf in a fabric with one plane, the
 * leaf pair (one of each plane) of a NIC group in a dual-plane fabric.  Traffic between
 * two sites must cross the uplinks of both, whatever plane it takes.
 */
#pragma once
#include <planner/clos.h>
#include <planner/plan.h>
#include <planner/problem.h>

struct planner_phase_bound {
	double fractional, integral;		   /* all links */
	double fabric_fractional, fabric_integral; /* links between switches */
	struct planner_cut cut, fabric_cut;
};

struct planner_bounds {
	uint32_t n_phases;
	struct planner_phase_bound *phases;
};

/*
 * @qps: QPs per connection, for the integral bounds.  @clos: [n_planes], entries may be
 * NULL.  Relative to @reference_s.  What has no QP in @plan, since there is no path for
 * it, does not count; @plan NULL: everything counts.
 */
int planner_bounds_new(const struct planner_problem *p, const struct planner_plan *plan,
		       double reference_s, uint32_t qps, struct planner_clos *const *clos,
		       uint32_t n_planes, struct planner_bounds **ret_bounds);
void planner_bounds_free(struct planner_bounds *b);
