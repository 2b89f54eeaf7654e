/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <gen/traffic.h>
#include <planner/baseline.h>
#include <topo/generate.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define RATE 100000000000

struct greedy_case {
	const char *name;
	struct topo_clos3 shape; /* no pods: two tiers */
	uint32_t hosts_per_ring; /* 0: a permutation */
	uint32_t qps;
	uint64_t want_ppm; /* largest load between switches; 0: see the test */
};

static struct greedy_case greedy_cases[] = {
	{ "each of four takes a spine of its own",
	  { 0, 2, 4, 4, .nic_rate_bps = RATE },
	  2,
	  1,
	  1000000 },
	{ "half of a connection each way",
	  { 0, 2, 4, 4, .nic_rate_bps = RATE },
	  2,
	  2,
	  1000000 },
	{ "half as many spines carry twice as much",
	  { 0, 2, 4, 2, .nic_rate_bps = RATE },
	  2,
	  1,
	  2000000 },
	{ "QPs divide what one could not",
	  { 0, 2, 3, 2, .nic_rate_bps = RATE },
	  2,
	  2,
	  1500000 },
	{ "two planes share",
	  { 0, 2, 4, 4, .planes = 2, .nic_rate_bps = RATE },
	  2,
	  2,
	  1000000 },
	{ "neighbouring pods", { 4, 2, 4, 4, 2, .nic_rate_bps = RATE }, 4, 1, 1000000 },
};

static struct planner_plan *run(const struct topo_graph *g, struct planner_problem *p,
				uint32_t qps)
{
	struct planner_plan *plan = NULL;

	(void)g;
	assert_int_equal(planner_greedy(p, qps, &plan), 0);
	assert_int_equal(planner_plan_check(p, plan, NULL), 0);
	return plan;
}

static struct topo_graph *build(const struct topo_clos3 *shape)
{
	struct topo_graph *g = NULL;
	struct topo_clos2 two = { .leaves = shape->leaves,
				  .nics_per_leaf = shape->nics_per_leaf,
				  .spines = shape->spines,
				  .planes = shape->planes,
				  .nic_rate_bps = shape->nic_rate_bps };

	assert_int_equal(shape->pods ? topo_generate_clos3(shape, &g, NULL)
				     : topo_generate_clos2(&two, &g, NULL),
			 0);
	return g;
}

static void test_shape(void **state)
{
	const struct greedy_case *c = *state;
	struct topo_graph *g = build(&c->shape);
	struct planner_problem p;
	struct planner_plan *plan;

	planner_problem_init(&p, g);
	gen_traffic_rings(&p, c->hosts_per_ring, 1000);
	plan = run(g, &p, c->qps);
	assert_int_equal(plan->certificate.fabric_load_ppm, c->want_ppm);
	assert_int_equal(plan->n_qps, p.n_conns * c->qps);
	planner_plan_free(plan);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

static void test_phases(void **state)
{
	struct topo_clos3 shape = {
		.leaves = 2, .nics_per_leaf = 2, .spines = 2, .nic_rate_bps = RATE
	};
	struct topo_graph *g = build(&shape);
	struct planner_problem p;
	struct planner_plan *plan;

	(void)state;
	planner_problem_init(&p, g);
	gen_traffic_job(&p);
	for (uint32_t i = 0; i < 4; i++)
		gen_traffic_conn(&p, gen_traffic_nic(g, i / 2, 0),
				 gen_traffic_nic(g, 2 + i / 2, 0), 0, i % 2, 1000);
	plan = run(g, &p, 1);
	/* 0 and 1 are one pair in two phases: both take the first spine. */
	for (uint32_t conn = 0; conn < 4; conn += 2)
		assert_memory_equal(plan->hops + plan->qps[conn].first_hop,
				    plan->hops + plan->qps[conn + 1].first_hop,
				    4 * sizeof(uint32_t));
	assert_int_not_equal(plan->hops[plan->qps[0].first_hop + 1],
			     plan->hops[plan->qps[2].first_hop + 1]);
	assert_int_equal(plan->certificate.fabric_load_ppm, 1000000);
	planner_plan_free(plan);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

/* Three tiers, random permutation: within a factor of two, as many runs have shown. */
static void test_permutation(void **state)
{
	struct topo_clos3 shape = { 4, 4, 8, 8, 4, .nic_rate_bps = RATE };
	struct topo_graph *g = build(&shape);
	struct planner_problem p;
	struct planner_plan *one, *eight;
	struct base_rng rng;

	(void)state;
	base_rng_seed(&rng, 1);
	planner_problem_init(&p, g);
	gen_traffic_permutation(&p, &rng, 1000);
	one = run(g, &p, 1);
	eight = run(g, &p, 8);
	assert_int_equal(one->certificate.fabric_load_ppm, 2000000);
	assert_in_range(eight->certificate.fabric_load_ppm, 1000000, 1250000);
	planner_plan_free(one);
	planner_plan_free(eight);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

static void test_counts(void **state)
{
	struct topo_clos3 shape = {
		.leaves = 2, .nics_per_leaf = 2, .spines = 2, .nic_rate_bps = RATE
	};
	struct topo_graph *g = build(&shape);
	struct planner_problem p;
	struct planner_plan *plan = NULL;

	(void)state;
	planner_problem_init(&p, g);
	assert_int_equal(planner_greedy(&p, 0, &plan), -EINVAL);
	assert_int_equal(planner_greedy(&p, PLANNER_QPS_MAX + 1, &plan), -EINVAL);
	assert_null(plan);
	plan = run(g, &p, 1);
	assert_int_equal(plan->n_qps, 0);
	planner_plan_free(plan);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_shape, greedy_cases);
	rows_add_test(&rows, "phases do not add up", test_phases);
	rows_add_test(&rows, "a permutation over three tiers", test_permutation);
	rows_add_test(&rows, "counts of QPs that no plan has; no connection",
		      test_counts);
	return rows_run(&rows, "planner_greedy");
}
