/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the same problem gets without a planner, or with a simpler one: the honest other
 * side of every gain.
 */
#pragma once
#include <base/err.h>
#include <stdbool.h>
#include <base/rng.h>
#include <planner/clos.h>
#include <planner/evaluate.h>
#include <planner/plan.h>
#include <planner/problem.h>

BASE_BEGIN_DECLS

/*
 * On a NIC with several planes, what decides the plane of an unplanned QP.  Planes
 * without a path between the ends (or not allowed to the connection) do not count.
 */
enum planner_plane_rule {
	PLANNER_PLANES_CROSSED, /* a hash, as for any other hop; of unequal lengths, the
				   shortest */
	PLANNER_PLANES_KEPT,	/* QP i of a connection takes plane i modulo planes */
};

/*
 * ECMP: every QP takes at every hop a uniformly drawn equal-cost next hop.  Equal
 * weights.  The result is a plan (certified only if @certify), so that everything that
 * works on plans works on it.  Takes one number from @rng; a QP's draws depend on that
 * number and its connection's place, not on what other connections there are. Connections
 * without a path are counted in plan->unroutable.  -EINVAL: @qps is 0 or over
 * PLANNER_QPS_MAX; -BASE_E_TOO_LARGE: over PLANNER_TOTAL_QPS_MAX QPs or 2^32 hops;
 * -ENOMEM.
 */
int planner_ecmp(const struct planner_problem *p, uint32_t qps,
		 enum planner_plane_rule rule, struct base_rng *rng, bool certify,
		 struct planner_plan **ret_plan) BASE_MUST_CHECK;

/*
 * Least-loaded greedy, all links in view (C4P's rule as we read it): connections in
 * order, each QP takes of all equal-cost paths in all its planes the one whose largest
 * link load after it is least; ties by the largest between switches, then by the sum of
 * loads, then the first.  Phases do not add up.  The result is certified.  Errors as
 * above.
 */
int planner_greedy(const struct planner_problem *p, uint32_t qps,
		   struct planner_plan **ret_plan) BASE_MUST_CHECK;

/* The distribution of a random baseline over seeds. */
struct planner_distribution {
	uint32_t n;				/* seeds */
	uint64_t mean_ppm, worst_ppm, best_ppm; /* of the mean over jobs */
	uint64_t worst_job_ppm;			/* the worst job of any seed */
	uint64_t largest_load_mean_ppm;		/* 0 when loads were not asked for */
};

/* One unplanned setting and what it gave. */
struct planner_setting {
	uint32_t qps;
	enum planner_sharing sharing;
	enum planner_plane_rule planes;
	struct planner_distribution busbw;
};

struct planner_sweep_options {
	const uint32_t *qps; /* counts to try; NULL: 1, 2, 4, 8, 16, 32 */
	uint32_t n_qps;
	uint32_t seeds;	    /* of each setting; 0: 200 */
	uint64_t flows_max; /* stop adding seeds once this many flows were evaluated in
			       all (at least one seed each); 0: no limit */
	uint64_t seed;
	bool loads;
	/* Called between runs; may be NULL.  Returns nonzero to stop: then -ECANCELED. */
	int (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/*
 * Every setting of {QP counts} x {planes crossed, kept (when the fabric has several)} x
 * {by weight, by speed}, in this order, the last turning fastest.  Writes up to @max of
 * them; returns how many it wrote.  Settings that differ only in sharing share their
 * draws, and a setting's draws depend on it and the seed alone.  All have as many seeds.
 * Left out: counts that make more than PLANNER_TOTAL_QPS_MAX QPs.
 * -EINVAL: a count of QPs that no plan has; -ENOMEM, -ECANCELED, -BASE_E_TOO_LARGE.
 */
int planner_sweep(const struct planner_problem *p,
		  const struct planner_sweep_options *options,
		  struct planner_setting *settings, uint32_t max) BASE_MUST_CHECK;
/* Index of the setting with the best mean; ties go to fewer QPs, then to the first. */
uint32_t planner_sweep_best(const struct planner_setting *settings, uint32_t n);

BASE_END_DECLS
