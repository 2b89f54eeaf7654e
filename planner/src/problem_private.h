/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For readers that add to a problem step by step: a place to fall back to.
 */
#pragma once
#include <planner/problem.h>

struct planner_problem_mark {
	uint32_t n_conns, n_jobs, n_phases, n_assumptions;
	uint64_t local_conns, local_bytes;
};

struct planner_problem_mark planner_problem_mark(const struct planner_problem *p);
/* Takes away everything that was added since the mark. */
void planner_problem_rewind(struct planner_problem *p,
			    const struct planner_problem_mark *mark);

/* planner_problem_add_reverse() of the connections from @first on. */
int planner_problem_add_reverse_from(struct planner_problem *p, uint32_t first,
				     uint32_t share_ppm,
				     struct base_err *err) BASE_MUST_CHECK;

/* A connection that never enters the fabric, counted.  -BASE_E_TOO_LARGE:
 * PLANNER_LOCAL_CONNS_MAX reached, nothing changed. */
int planner_problem_add_local(struct planner_problem *p, uint64_t bytes,
			      struct base_err *err) BASE_MUST_CHECK;
