/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers about a plan: why is this QP here, what else crosses this link, what moves if
 * it dies; and what differs between two plans.  Every call adds members to the object
 * that is open in @out, so that the caller gives the document its schema and frame.  0 or
 * a negative errno; -EINVAL: no such connection, QP or link.
 */
#pragma once
#include <base/err.h>
#include <base/out.h>
#include <planner/plan.h>
#include <planner/solve.h>

BASE_BEGIN_DECLS

/*
 * Walks @out through the answer about QP @qp of connection @conn: its path, the load of
 * every hop of it and how many QPs cross it; the alternatives (equal-cost paths of its
 * plane) with the largest load each would have if the QP moved there, best first, at most
 * @alternatives_max; the QPs it shares most links with; and why it is here, in a
 * sentence.
 */
int planner_explain_qp(const struct planner_problem *p, const struct planner_plan *plan,
		       uint32_t conn, uint32_t qp, uint32_t alternatives_max,
		       struct base_out *out) BASE_MUST_CHECK;

/* What crosses @link, each direction: QPs with bytes and share, load by phase, jobs. */
int planner_explain_link(const struct planner_problem *p, const struct planner_plan *plan,
			 uint32_t link, struct base_out *out) BASE_MUST_CHECK;

/*
 * What moves if @link dies: replans on a copy of the state and reports QPs that must
 * move, QPs that would also move, largest load before and after and its bound, bus
 * bandwidth of the jobs before and after.  The graph is as it was when it returns.
 */
int planner_explain_death(const struct planner_problem *p,
			  const struct planner_plan *plan, struct topo_graph *graph,
			  uint32_t link, struct base_out *out) BASE_MUST_CHECK;

/* OLD against NEW: connections added, gone, moved QPs, changed weights, certificates and
 * bus bandwidth side by side.  Returns the number of differences, or negative. */
int planner_compare(const struct planner_problem *old_p,
		    const struct planner_plan *old_plan,
		    const struct planner_problem *new_p,
		    const struct planner_plan *new_plan, uint32_t rows_max,
		    struct base_out *out) BASE_MUST_CHECK;

BASE_END_DECLS
