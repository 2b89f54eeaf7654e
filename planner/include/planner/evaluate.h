/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a set of paths is worth: rates under max-min fair sharing (progressive filling),
 * and from them the bus bandwidth of each job.
 */
#pragma once
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
 * capacity_bps has @n_capacities entries; those of hops in use are above 0.  Rates are
 * rounded down to whole bits per second; what is less than a thousandth of one below a
 * whole number counts as that number, so that a share that is whole is told as it is. The
 * order of flows does not matter.  -EINVAL: a flow over no hop, a hop past the end or
 * without capacity; -ENOMEM.
 */
int planner_maxmin(const struct planner_flows *flows, const uint64_t *capacity_bps,
		   uint32_t n_capacities, uint64_t *ret_rates_bps) BASE_MUST_CHECK;

/*
 * Runs the flows to their end: each has bytes[f] to send, rates are max-min fair and
 * change whenever a flow ends.  Writes when each ends, exact up to rounding to
 * nanoseconds (fluid model, no latency); UINT64_MAX: later than that.  Errors as above.
 */
int planner_completion(const struct planner_flows *flows, const uint64_t *bytes,
		       const uint64_t *capacity_bps, uint32_t n_capacities,
		       uint64_t *ret_ends_ns) BASE_MUST_CHECK;

/*
 * Bus bandwidth of a job: the time its busiest NIC would need at line rate, over the time
 * its slowest connection needs at the rates it has while all connections of the phase (of
 * all jobs) are active; phases add up.  1,000,000 ppm: every NIC of the job sends at line
 * rate, limited by nothing.  0: a connection has no path, or a QP with weight that
 * crosses a link that is down: what that QP should carry never arrives.  A NIC shares its
 * links by flow and not by byte: a job whose connections have unequal bytes has a ceiling
 * below 1,000,000 on any fabric.
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

/*
 * @jobs_ppm (or NULL) gets n_jobs values.  Jobs without connections count as 1,000,000;
 * QPs without weight are not there.  By weight only, when all QPs of a job carry the same
 * in a phase, is the cheaper one.  -EINVAL: not a plan of this problem; -ENOMEM.
 */
int planner_evaluate(const struct planner_problem *p, const struct planner_plan *plan,
		     enum planner_sharing sharing, struct planner_busbw *ret_busbw,
		     uint64_t *jobs_ppm) BASE_MUST_CHECK;

/*
 * The bus bandwidth that the plan's QPs would have if switch links were without limit:
 * what NIC links alone allow, so that what is missing above it is no matter of paths.  By
 * weight; errors as above.
 */
int planner_ceiling(const struct planner_problem *p, const struct planner_plan *plan,
		    struct planner_busbw *ret_busbw) BASE_MUST_CHECK;

BASE_END_DECLS
