/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local search: what is above the bound after colouring is brought down by moves and
 * swaps.  Fabrics too large for trying everything, with failures and mixed sizes.
 */
#include "plan_case.h"
#include <gen/traffic.h>

struct search_case {
	const char *name;
	struct topo_clos2 shape;
	uint32_t dead_ppm;
	bool is_mix;
	uint64_t gap_ppm; /* at most */
};

#define SHAPE(l, n, s)                                                                   \
	{                                                                                \
		.leaves = (l), .nics_per_leaf = (n), .spines = (s),                      \
		.nic_rate_bps = CASE_RATE_BPS                                            \
	}

static struct search_case search_cases[] = {
	{ "a permutation, 1 % dead", SHAPE(16, 16, 16), 10000, false, 0 },
	{ "a permutation, 5 % dead", SHAPE(16, 16, 16), 50000, false, 0 },
	{ "a permutation, 20 % dead", SHAPE(16, 16, 16), 200000, false, 0 },
	{ "more links than flows, 10 % dead", SHAPE(16, 8, 16), 100000, false, 0 },
	{ "mixed sizes", SHAPE(16, 16, 16), 0, true, 200000 },
	{ "mixed sizes, 5 % dead", SHAPE(16, 16, 16), 50000, true, 200000 },
};

static void test_search(void **state)
{
	const struct search_case *s = *state;
	struct topo_graph *g = gen_plans_clos2(&s->shape);
	struct planner_problem p;
	struct planner_plan *plan;
	struct base_rng rng;
	struct gen_hosts h;

	base_rng_seed(&rng, 12);
	gen_plans_kill(g, &rng, s->dead_ppm);
	planner_problem_init(&p, g);
	gen_hosts_init(&h, g, &rng);
	if (s->is_mix)
		gen_plans_mix(&p, &h, 16, 12 * CASE_BYTES);
	else
		gen_traffic_permutation(&p, &rng, CASE_BYTES);
	plan = gen_plans_solve(&p, 1, true);
	assert_int_equal(plan->unroutable, 0);
	assert_true(plan->certificate.gap_ppm <= s->gap_ppm);
	planner_plan_free(plan);
	gen_hosts_fini(&h);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_search, search_cases);
	return rows_run(&rows, "planner_search");
}
