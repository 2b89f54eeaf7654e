/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of plan.c for the solver, which has reference time and bounds at hand.  Private
 * to planner/src.
 */
#pragma once
#include "bound.h"
#include <planner/plan.h>
#include <math.h>

/* A load in whole ppm, to the nearest.  Beyond 2^53, which links of very unequal rates
 * can reach and every reader of JSON still keeps, it is told as that. */
static inline uint64_t plan_ppm(double load)
{
	return load < 0x1p53 / 1e6 ? (uint64_t)(load * 1e6 + 0.5) : UINT64_C(1) << 53;
}

/* Relative load of every hop in one phase. */
void plan_phase_loads(const struct planner_problem *p, const struct planner_plan *plan,
		      double reference_s, uint32_t phase, double *loads);
int plan_certify(const struct planner_problem *p, struct planner_plan *plan,
		 double reference_s, const struct planner_bounds *bounds);
