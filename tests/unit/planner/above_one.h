/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many QPs must cross a link above 1.0 when a permutation meets dead links in two
 * tiers, and how many do.  A leaf with one flow more than live uplinks has two of them on
 * one link; the same two may be those of the destination.
 */
#pragma once
#include "plan_case.h"
#include <gen/traffic.h>

struct above_one {
	const char *name;
	uint32_t leaves, nics; /* as many spines as NICs of a leaf */
	uint32_t dead_ppm;
	uint64_t seed;
	uint32_t percent; /* at most, of what must */
};

/* Twice the flows that find no link of their own, in the worse direction. */
static inline uint64_t above_one_least(const struct planner_problem *p)
{
	uint32_t n_nodes = topo_graph_n_nodes(p->graph);
	const struct topo_link *links = topo_graph_links(p->graph);
	uint32_t *alive = calloc(n_nodes, sizeof(*alive));
	uint32_t *flows[2] = { calloc(n_nodes, sizeof(**flows)),
			       calloc(n_nodes, sizeof(**flows)) };
	uint64_t least[2] = { 0, 0 };

	assert_true(alive && flows[0] && flows[1]);
	for (uint32_t l = 0; l < topo_graph_n_links(p->graph); l++)
		if (gen_plans_is_fabric(p->graph, l) && links[l].state == TOPO_UP)
			alive[topo_graph_nodes(p->graph)[links[l].a].tier == 1
				      ? links[l].a
				      : links[l].b]++;
	for (uint32_t c = 0; c < p->n_conns; c++) {
		uint32_t n, ends[2];

		for (int k = 0; k < 2; k++)
			ends[k] = topo_hop_to(links,
					      topo_graph_hops(p->graph,
							      k ? p->conns[c].dst_nic
								: p->conns[c].src_nic,
							      &n)[0]);
		for (int k = 0; k < 2 && ends[0] != ends[1]; k++)
			flows[k][ends[k]]++;
	}
	for (int k = 0; k < 2; k++)
		for (uint32_t node = 0; node < n_nodes; node++)
			if (flows[k][node] > alive[node])
				least[k] += 2 * (uint64_t)(flows[k][node] - alive[node]);
	free(alive);
	free(flows[0]);
	free(flows[1]);
	return least[0] > least[1] ? least[0] : least[1];
}

static inline void test_above_one(void **state)
{
	const struct above_one *a = *state;
	struct topo_clos2 shape = { .leaves = a->leaves,
				    .nics_per_leaf = a->nics,
				    .spines = a->nics,
				    .nic_rate_bps = CASE_RATE_BPS };
	struct topo_graph *g = gen_plans_clos2(&shape);
	struct planner_problem p;
	struct planner_plan *plan;
	struct base_rng rng;
	uint64_t least;

	base_rng_seed(&rng, a->seed);
	gen_plans_kill(g, &rng, a->dead_ppm);
	planner_problem_init(&p, g);
	gen_traffic_permutation(&p, &rng, CASE_BYTES);
	plan = gen_plans_solve(&p, 1, true);
	least = above_one_least(&p);
	assert_int_equal(plan->certificate.gap_ppm, 0);
	assert_true(plan->certificate.qps_above_one >= least);
	if (getenv("TEST_VERBOSE"))
		print_message("%llu of at least %llu\n",
			      (unsigned long long)plan->certificate.qps_above_one,
			      (unsigned long long)least);
	assert_true(plan->certificate.qps_above_one <= least * a->percent / 100);
	planner_plan_free(plan);
	planner_problem_fini(&p);
	topo_graph_free(g);
}
