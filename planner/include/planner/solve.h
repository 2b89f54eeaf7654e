/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a problem to a plan.  The objective, in this order: the largest relative load of
 * any link in any phase is least; fewest QPs above the fractional bound; fewer QPs; fewer
 * moved QPs; equal spread.  See docs/adr/ for why.
 *
 * Clos fabrics of two and three tiers: edge colouring, class by class (planner/colour.h).
 * Everything else, and what colouring leaves above the bound: least-loaded paths over the
 * graph, local search, weights over a connection's QPs.
 */
#pragma once
#include <base/err.h>
#include <stdbool.h>
#include <planner/plan.h>
#include <planner/problem.h>

BASE_BEGIN_DECLS

struct planner_solve_options {
	uint32_t qps; /* per connection, 1..PLANNER_QPS_MAX; 0: the fewest that reach the
			 bound */
	bool equal_weights; /* never split a connection's bytes unevenly */
	uint64_t seed; /* of ties in local search; the same input and seed give the same
			  plan */
};

/*
 * -BASE_E_INVALID: an option out of range; -BASE_E_TOO_LARGE: more than
 * PLANNER_TOTAL_QPS_MAX QPs, or all together could have more than 2^32 hops; -ENOMEM.
 * Connections without a path are counted in plan->unroutable, not an error.  The result
 * is certified and owned by the caller.
 */
int planner_solve(const struct planner_problem *p,
		  const struct planner_solve_options *options,
		  struct planner_plan **ret_plan, struct base_err *err) BASE_MUST_CHECK;

struct planner_replan_options {
	uint32_t moves_max; /* QPs moved that need not move; UINT32_MAX: no bound */
	uint64_t seed;
};

/*
 * A plan for @p that moves as little as possible from @old (of @old_p): connections are
 * matched by job name, ends, phase and order; QPs whose path is alive stay; the others,
 * and new connections, go where they raise the largest load least; QPs that need not move
 * are moved only when that lowers the largest load toward its bound, and at most
 * moves_max of them.  plan->moved and moved_must say what happened.  The result is owned
 * by the caller.  -BASE_E_INVALID: the problems are not of one graph; -BASE_E_TOO_LARGE
 * as above; -ENOMEM.
 */
int planner_replan(const struct planner_problem *p, const struct planner_problem *old_p,
		   const struct planner_plan *old,
		   const struct planner_replan_options *options,
		   struct planner_plan **ret_plan, struct base_err *err) BASE_MUST_CHECK;

/*
 * Online insertion: loads kept between calls, a connection at a time gets the path that
 * raises the largest load least, at once.
 */
struct planner_online;
/* Starts from the loads of a plan (or NULL: an empty fabric).  Borrows @p's graph, not
 * @p. Owned by the caller; one for each thread.  -BASE_E_TOO_LARGE; -ENOMEM. */
int planner_online_new(const struct planner_problem *p, const struct planner_plan *plan,
		       struct planner_online **ret_online) BASE_MUST_CHECK;
void planner_online_free(struct planner_online *online); /* NULL is fine */
/*
 * Path for one QP that carries @bytes of @conn; writes up to TOPO_PATH_HOPS_MAX hops and
 * adds its load.  Returns how many hops; with nothing changed, -EINVAL: a phase that the
 * problem did not have; -ENOENT: no path; -ENOMEM.
 */
int planner_online_add(struct planner_online *online, const struct planner_conn *conn,
		       uint64_t bytes, uint32_t *hops) BASE_MUST_CHECK;
/* Takes the load of a path that planner_online_add() gave away again. */
void planner_online_remove(struct planner_online *online, const struct planner_conn *conn,
			   uint64_t bytes, const uint32_t *hops, uint32_t n_hops);

BASE_END_DECLS
