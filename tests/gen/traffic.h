/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections for tests of planning, made here and not by the expansion of jobs, so that
 * neither depends on the other.  Out of memory ends the test.
 */
#pragma once
#include <base/rng.h>
#include <planner/problem.h>

BASE_BEGIN_DECLS

/* NIC number @rail of host number @host, in order of creation. */
uint32_t gen_traffic_nic(const struct topo_graph *g, uint32_t host, uint32_t rail);

/* A job named by its number. */
uint32_t gen_traffic_job(struct planner_problem *p);
void gen_traffic_conn(struct planner_problem *p, uint32_t src_nic, uint32_t dst_nic,
		      uint32_t job, uint32_t phase, uint64_t bytes);

/*
 * Job j of n has hosts j, j + n, j + 2n, ...; each NIC sends to that of its rail on the
 * next host of the job, and the last host to the first.
 */
void gen_traffic_rings(struct planner_problem *p, uint32_t hosts_per_job, uint64_t bytes);

/* One job; NIC i sends to NIC number permutation(i), those that meet their own host left
 * out. */
void gen_traffic_permutation(struct planner_problem *p, struct base_rng *rng,
			     uint64_t bytes);

/* @n_conns between random NICs of different hosts, of a few sizes, in @n_jobs, @n_phases.
 */
void gen_traffic_random(struct planner_problem *p, struct base_rng *rng, uint32_t n_conns,
			uint32_t n_jobs, uint32_t n_phases);

BASE_END_DECLS
