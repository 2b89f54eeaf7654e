/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paths that ECMP draws, against what per-hop hashing is: at each node uniformly one
 * of the live next hops.  The share of a path is the product over its nodes; a chi-square
 * test compares.  Seeds are fixed, so that a result never varies.
 */
#include <unit/rows.h>
#include <gen/traffic.h>
#include <planner/baseline.h>
#include <topo/generate.h>
#include <topo/path.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define RATE 100000000000
#define PLANS 150

struct choices_case {
	const char *name;
	struct topo_clos3 shape; /* no pods: two tiers, cores_per_spine parallel links */
	uint32_t src, dst;	 /* hosts */
	uint32_t dead_ppm;	 /* share of links between switches that are dead */
	uint64_t seed;		 /* of which those are */
};

static struct choices_case choices_cases[] = {
	{ "two tiers", { 0, 4, 2, 8, 1, .nic_rate_bps = RATE }, 0, 5, 0, 0 },
	{ "two tiers, one leaf", { 0, 4, 2, 8, 1, .nic_rate_bps = RATE }, 0, 1, 0, 0 },
	{ "two tiers, parallel links",
	  { 0, 4, 2, 4, 3, .nic_rate_bps = RATE },
	  0,
	  5,
	  0,
	  0 },
	{ "two tiers, dead links",
	  { 0, 4, 2, 8, 1, .nic_rate_bps = RATE },
	  0,
	  5,
	  300000,
	  2 },
	{ "two tiers, dead parallel links",
	  { 0, 4, 2, 4, 3, .nic_rate_bps = RATE },
	  0,
	  5,
	  400000,
	  1 },
	{ "two tiers, few links alive",
	  { 0, 4, 2, 8, 1, .nic_rate_bps = RATE },
	  0,
	  5,
	  600000,
	  2 },
	{ "two tiers, two planes",
	  { 0, 4, 2, 4, 1, .planes = 2, .nic_rate_bps = RATE },
	  0,
	  5,
	  0,
	  0 },
	{ "two planes with dead links",
	  { 0, 4, 2, 4, 2, .planes = 2, .nic_rate_bps = RATE },
	  0,
	  5,
	  400000,
	  3 },
	{ "three tiers", { 3, 2, 2, 4, 3, .nic_rate_bps = RATE }, 0, 9, 0, 0 },
	{ "three tiers, within a pod",
	  { 3, 2, 2, 4, 3, .nic_rate_bps = RATE },
	  0,
	  3,
	  0,
	  0 },
	{ "three tiers, dead links",
	  { 3, 2, 2, 4, 3, .nic_rate_bps = RATE },
	  0,
	  9,
	  200000,
	  1 },
	{ "three tiers, more dead links",
	  { 3, 2, 2, 4, 4, .nic_rate_bps = RATE },
	  0,
	  9,
	  400000,
	  2 },
	{ "three tiers, dead links within a pod",
	  { 3, 3, 2, 4, 2, .nic_rate_bps = RATE },
	  0,
	  5,
	  300000,
	  5 },
	{ "three tiers, two planes, dead links",
	  { 2, 2, 2, 3, 2, .planes = 2, .nic_rate_bps = RATE },
	  0,
	  6,
	  200000,
	  7 },
};

static struct topo_graph *build(const struct choices_case *c)
{
	const struct topo_node *nodes;
	const struct topo_link *links;
	struct topo_graph *g;
	struct base_rng rng;

	if (c->shape.pods == 0) {
		struct topo_clos2 two = { .leaves = c->shape.leaves,
					  .nics_per_leaf = c->shape.nics_per_leaf,
					  .spines = c->shape.spines,
					  .links = c->shape.cores_per_spine,
					  .planes = c->shape.planes,
					  .nic_rate_bps = c->shape.nic_rate_bps };

		assert_int_equal(topo_generate_clos2(&two, &g, NULL), 0);
	} else {
		assert_int_equal(topo_generate_clos3(&c->shape, &g, NULL), 0);
	}
	nodes = topo_graph_nodes(g);
	links = topo_graph_links(g);
	base_rng_seed(&rng, c->seed);
	for (uint32_t link = 0; link < topo_graph_n_links(g); link++) {
		if (nodes[links[link].a].kind == TOPO_SWITCH &&
		    nodes[links[link].b].kind == TOPO_SWITCH &&
		    base_rng_below(&rng, 1000000) < c->dead_ppm)
			topo_graph_set_state(g, link, TOPO_DOWN);
	}
	return g;
}

/* How likely per-hop hashing is to take path number @index. */
static double share_of(const struct topo_graph *g, const struct topo_paths *paths,
		       uint32_t src, uint64_t index)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX], next[64];
	double share = 1;
	int n = topo_paths_get(paths, src, index, hops);

	assert_true(n >= 2);
	for (int i = 0; i < n; i++)
		share /= topo_paths_next(
			paths, topo_hop_from(topo_graph_links(g), hops[i]), next, 64);
	return share;
}

static void test_distribution(void **state)
{
	const struct choices_case *c = *state;
	struct topo_graph *g = build(c);
	uint32_t src = gen_traffic_nic(g, c->src, 0), dst = gen_traffic_nic(g, c->dst, 0);
	struct planner_problem p;
	struct topo_paths *paths;
	struct base_rng rng;
	double square = 0, sum = 0, freedom;
	uint64_t n_paths, *n_drawn, n = (uint64_t)PLANS * PLANNER_QPS_MAX;

	planner_problem_init(&p, g);
	gen_traffic_conn(&p, src, dst, gen_traffic_job(&p), 0, 1000);
	assert_int_equal(topo_paths_new(g, &paths), 0);
	assert_int_equal(topo_paths_aim(paths, dst, TOPO_NONE), 0);
	n_paths = topo_paths_count(paths, src);
	assert_in_range(n_paths, 1, 1000);
	n_drawn = calloc(n_paths, sizeof(*n_drawn));
	assert_non_null(n_drawn);
	base_rng_seed(&rng, 1);
	for (int i = 0; i < PLANS; i++) {
		struct planner_plan *plan;

		assert_int_equal(planner_ecmp(&p, PLANNER_QPS_MAX, PLANNER_PLANES_CROSSED,
					      &rng, false, &plan),
				 0);
		assert_int_equal(plan->n_qps, PLANNER_QPS_MAX);
		for (uint32_t q = 0; q < plan->n_qps; q++) {
			uint64_t index;

			assert_int_equal(
				topo_paths_index(paths,
						 plan->hops + plan->qps[q].first_hop,
						 plan->qps[q].n_hops, &index),
				0);
			n_drawn[index]++;
		}
		planner_plan_free(plan);
	}
	for (uint64_t index = 0; index < n_paths; index++) {
		double share = share_of(g, paths, src, index);
		double off = (double)n_drawn[index] - share * (double)n;

		sum += share;
		square += off * off / (share * (double)n);
	}
	assert_true(fabs(sum - 1) < 1e-9);
	/* Four standard deviations above what is expected of uniform draws. */
	freedom = (double)n_paths - 1;
	assert_true(square <= freedom + 4 * sqrt(2 * freedom));
	free(n_drawn);
	topo_paths_free(paths);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_distribution, choices_cases);
	return rows_run(&rows, "choices of ECMP");
}
