/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a set of paths is worth: rates under max-min fair sharing (progressive filling),
 * and from them the bus bandwidth of each job.
 */
#pragma once
#include <base/clock.h>
#include <base/err.h>
#include <planner/plan.h>
#include <planner/problem.h>

BASE_BEGIN_DECLS

/* Flows as arrays: flow f crosses hops[first[f]] .. hops[first[f + 1] - 1], each hop at
 * most once. */
struct planner_flows {
	uint32_t n;
	const uint32_t *first; /* n + 1 */
	const uint32_t *hops;
};

/*
 * Max-min fair rates: no flow can get more without taking from one that has no more.
 * capacity_bps has @n_capacities entries, each above 0 for hops in use.  A flow over no
 * hop is refused: -EINVAL.  -ENOMEM.  Rates are rounded down to whole bits per second.
 */
int planner_maxmin(const struct planner_flows *flows, const uint64_t *capacity_bps,
		   uint32_t n_capacities, uint64_t *ret_rates_bps) BASE_MUST_CHECK;

/*
 * Runs the flows to their end: each has bytes[f] to send, rates are max-min fair and
 * change whenever a flow ends.  Writes when each ends. Exact up to rounding to
 * nanoseconds (fluid model, no latency).
 */
int planner_completion(const struct planner_flows *flows, const uint64_t *bytes,
		       const uint64_t *capacity_bps, uint32_t n_capacities,
		       uint64_t *ret_ends_ns) BASE_MUST_CHECK;

/*
 * Bus bandwidth of a job: the time its busiest NIC would need at line rate, over the time
 * its slowest connection needs at the rates it has while all of its phase's connections
 * are active; phases add up.  1,000,000 ppm: every NIC of the job sends at line rate,
 * limited by nothing.
 */
struct planner_busbw {
	uint64_t mean_ppm, worst_ppm, best_ppm; /* over jobs */
	uint64_t spread_ppm;			/* (best - worst) / best */
};

/* How a connection's bytes go over its QPs. */
enum planner_sharing {
	PLANNER_BY_WEIGHT, /* as the plan's weights say; it ends with its slowest QP */
	PLANNER_BY_SPEED,  /* bytes follow the speed of each QP */
};

/* @jobs_ppm (or NULL) gets n_jobs values.  Jobs without connections count as 1,000,000.
 */
int planner_evaluate(const struct planner_problem *p, const struct planner_plan *plan,
		     enum planner_sharing sharing, struct planner_busbw *ret_busbw,
		     uint64_t *jobs_ppm) BASE_MUST_CHECK;

BASE_END_DECLS
