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

/* On a NIC with several planes, what decides the plane of an unplanned QP. */
enum planner_plane_rule {
	PLANNER_PLANES_CROSSED, /* a hash, as for any other hop */
	PLANNER_PLANES_KEPT,	/* QP i of a connection takes plane i modulo planes */
};

/*
 * ECMP: every QP takes at every hop a uniformly drawn equal-cost next hop.  Equal
 * weights.  The result is a plan (certified only if @certify), so that everything that
 * works on plans works on it.
 */
int planner_ecmp(const struct planner_problem *p, uint32_t qps,
		 enum planner_plane_rule rule, struct base_rng *rng, bool certify,
		 struct planner_plan **ret_plan) BASE_MUST_CHECK;

/*
 * Least-loaded greedy, all links in view (C4P's rule as we read it): connections in
 * order, each QP takes the path whose largest link load after it is least; ties by the
 * sum of loads, then the first.
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
 * Every setting of {QP counts} x {by weight, by speed} x {planes crossed, kept (when
 * there are several)}. Writes up to @max settings in a stable order; returns how many.
 * Settings that differ only in sharing share their draws.  -ENOMEM, -ECANCELED.
 */
int planner_sweep(const struct planner_problem *p,
		  const struct planner_sweep_options *options,
		  struct planner_setting *settings, uint32_t max) BASE_MUST_CHECK;
/* Index of the setting with the best mean; ties go to fewer QPs. */
uint32_t planner_sweep_best(const struct planner_setting *settings, uint32_t n);

BASE_END_DECLS
