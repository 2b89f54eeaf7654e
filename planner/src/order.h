/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which connections are planned.  Private to planner/src.
 */
#pragma once
#include <planner/problem.h>

/* Connections by phase, largest first, then by id; first[] (n_phases + 1) says where each
 * phase begins.  0 or -ENOMEM. */
int planner_order_conns(const struct planner_problem *p, uint32_t *order,
			uint32_t *first);
