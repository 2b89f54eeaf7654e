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
