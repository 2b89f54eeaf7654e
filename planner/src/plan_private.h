/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of plan.c for the solver, which has reference time and bounds at hand.  Private
 * to planner/src.
 */
#pragma once
#include "bound.h"
#include <planner/plan.h>

/* Relative load of every hop in one phase. */
void plan_phase_loads(const struct planner_problem *p, const struct planner_plan *plan,
		      double reference_s, uint32_t phase, double *loads);
int plan_certify(const struct planner_problem *p, struct planner_plan *plan,
		 double reference_s, const struct planner_bounds *bounds);
