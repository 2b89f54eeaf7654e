/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best plan of equally weighted QPs by trying every assignment of equal-cost paths
 * (in every plane that a connection may use).  For a handful of nodes.  Out of memory
 * ends the test.
 */
#pragma once
#include <planner/plan.h>

BASE_BEGIN_DECLS

struct gen_brute {
	uint64_t largest_ppm; /* least possible largest load, NIC links included */
	uint64_t fabric_ppm;  /* the same over links between switches alone */
	uint32_t unroutable;  /* connections without a path */
};

/* False: too many assignments to try; *ret then untouched. */
bool gen_brute_solve(const struct planner_problem *p, uint32_t qps,
		     struct gen_brute *ret) BASE_MUST_CHECK;

/*
 * The least largest load (ppm) that any equal-cost path of the connection leads to when
 * @bytes are added to loads_ppm[hop]; UINT64_MAX: no path, or more paths than can be
 * tried.
 */
uint64_t gen_brute_best_path(const struct planner_problem *p,
			     const struct planner_conn *conn, uint64_t bytes,
			     const uint64_t *loads_ppm) BASE_MUST_CHECK;

BASE_END_DECLS
