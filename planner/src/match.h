/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which connections of two problems on one graph are the same: by job name, ends, phase,
 * and order among equals.  Private to planner/src.
 */
#pragma once
#include <planner/problem.h>

/* *ret_match, [connection of p] -> connection of @old_p or TOPO_NONE, owned by the caller
 * (free()).  0 or -ENOMEM. */
int planner_match(const struct planner_problem *p, const struct planner_problem *old_p,
		  uint32_t **ret_match);
