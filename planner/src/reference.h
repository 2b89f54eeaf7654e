/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unit of relative loads as the sums inside the planner want it.  Private to
 * planner/src; across module borders it is planner_problem_reference().
 */
#pragma once
#include <planner/problem.h>

/* In seconds: above 0 when there are connections, 0 without; negative: no memory. */
static inline double planner_reference_seconds(const struct planner_problem *p)
{
	uint64_t bytes, rate_bps;

	if (planner_problem_reference(p, &bytes, &rate_bps) < 0)
		return -1.0;
	return 8.0 * (double)bytes / (double)rate_bps;
}
