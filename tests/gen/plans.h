/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fabrics, traffic and plans for tests of the solver.  Whatever must not fail, memory
 * included, ends the test.
 */
#pragma once
#include <base/rng.h>
#include <planner/solve.h>
#include <topo/generate.h>

BASE_BEGIN_DECLS

/* Owned by the caller. */
struct topo_graph *gen_plans_clos2(const struct topo_clos2 *shape) BASE_MUST_CHECK;
struct topo_graph *gen_plans_clos3(const struct topo_clos3 *shape) BASE_MUST_CHECK;

/*
 * Two or three pods of two spines, each spine joined to every core: paths may change from
 * one spine to another at the top.  A few of the links are dead.  Sealed.
 */
struct topo_graph *gen_plans_meshed(struct base_rng *rng) BASE_MUST_CHECK;

/* Link between switches? */
bool gen_plans_is_fabric(const struct topo_graph *g, uint32_t link) BASE_MUST_CHECK;
/* Kills this share of the links between switches (rounded down), drawn at random. */
void gen_plans_kill(struct topo_graph *g, struct base_rng *rng, uint32_t share_ppm);
/* The same fabric, each local name with @prefix in front; owned by the caller. */
struct topo_graph *gen_plans_renamed(const struct topo_graph *g,
				     const char *prefix) BASE_MUST_CHECK;

/* Hosts in the order in which jobs take them. */
struct gen_hosts {
	uint32_t n, n_rails;
	uint32_t *nics; /* [host * n_rails + rail] */
};
/* @rng NULL: in order of the fabric, else drawn. */
void gen_hosts_init(struct gen_hosts *h, const struct topo_graph *g,
		    struct base_rng *rng);
void gen_hosts_fini(struct gen_hosts *h);

/*
 * Each adds a job for every @per_job hosts; traffic keeps to the rail, and a NIC sends
 * and receives @bytes at most in phase 0.
 */
void gen_plans_rings(struct planner_problem *p, const struct gen_hosts *h,
		     uint32_t per_job, uint64_t bytes);
/* Every NIC to every other of its job and rail, equal parts. */
void gen_plans_all_to_all(struct planner_problem *p, const struct gen_hosts *h,
			  uint32_t per_job, uint64_t bytes);
/*
 * Half of the bytes in a ring (data parallel), a quarter from the first half of the hosts
 * to the second (pipeline), a quarter all-to-all in groups of four (experts).
 */
void gen_plans_mix(struct planner_problem *p, const struct gen_hosts *h, uint32_t per_job,
		   uint64_t bytes);

/* planner_problem_reference() in seconds. */
double gen_plans_reference_s(const struct planner_problem *p) BASE_MUST_CHECK;

/* A plan that planner_plan_check() accepts; owned by the caller. */
struct planner_plan *gen_plans_solve(const struct planner_problem *p, uint32_t qps,
				     bool equal_weights) BASE_MUST_CHECK;

BASE_END_DECLS
