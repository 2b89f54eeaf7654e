/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uneven weights: the same problem with equal and with free weights beside its fractional
 * bound.
 */
#include "plan_case.h"

struct weight_case {
	const char *name;
	uint32_t nics, spines, qps;
	uint64_t slow_spine_bps; /* rate of spine 0's links; 0: as all */
	uint64_t equal_ppm, free_ppm;
};

/* All NICs of leaf 0 send to leaf 1. */
static struct weight_case weight_cases[] = {
	{ "equal weights are enough", 2, 2, 2, 0, 1000000, 1000000 },
	{ "one QP has no weight to give", 3, 2, 1, 0, 2000000, 2000000 },
	{ "two QPs over three spines", 4, 3, 2, 0, 1500000, 1333334 },
	{ "a slow spine", 2, 2, 2, CASE_RATE_BPS / 4, 2000000, 1600000 },
	{ "one connection, a slow spine", 1, 2, 2, CASE_RATE_BPS / 4, 1000000, 1000000 },
};

static struct topo_graph *build(const struct weight_case *w)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t leaves[2], host, nic;

	assert_non_null(g);
	for (uint32_t i = 0; i < 2 + w->spines; i++) {
		char name[16];
		uint32_t node;

		snprintf(name, sizeof(name), i < 2 ? "leaf%u" : "spine%u",
			 i < 2 ? i : i - 2);
		assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, name, strlen(name),
						       i < 2 ? 1 : 2, TOPO_NONE,
						       TOPO_NONE, TOPO_NONE, &node, NULL),
				 0);
		for (uint32_t k = 0; i >= 2 && k < 2; k++) {
			struct topo_link link = { .a = leaves[k],
						  .b = node,
						  .rate_bps = i == 2 && w->slow_spine_bps
								      ? w->slow_spine_bps
								      : CASE_RATE_BPS,
						  .port_a = TOPO_NONE,
						  .port_b = TOPO_NONE,
						  .address = TOPO_NONE };

			assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
		}
		if (i < 2)
			leaves[i] = node;
	}
	for (uint32_t i = 0; i < 2 * w->nics; i++) {
		struct topo_link link = { .b = leaves[i / w->nics],
					  .rate_bps = CASE_RATE_BPS,
					  .port_a = TOPO_NONE,
					  .port_b = TOPO_NONE,
					  .address = TOPO_NONE };
		char name[16];

		snprintf(name, sizeof(name), "h%u", i);
		assert_int_equal(topo_graph_add_host(g, TOPO_NONE, name, strlen(name),
						     TOPO_NONE, &host, NULL),
				 0);
		assert_int_equal(
			topo_graph_add_nic(g, host, "nic0", 4, TOPO_NONE, &nic, NULL), 0);
		link.a = nic;
		assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
	}
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	return g;
}

static void test_weight(void **state)
{
	const struct weight_case *w = *state;
	struct planner_plan *equal, *uneven;
	struct plan_case c;

	plan_case_open(&c, build(w));
	for (uint32_t i = 0; i < w->nics; i++) {
		char from[16], to[16];

		snprintf(from, sizeof(from), "h%u", i);
		snprintf(to, sizeof(to), "h%u", i + w->nics);
		plan_case_conn(&c, from, to, CASE_BYTES, 0);
	}
	equal = gen_plans_solve(&c.p, w->qps, true);
	uneven = gen_plans_solve(&c.p, w->qps, false);
	assert_int_equal(equal->certificate.largest_load_ppm, w->equal_ppm);
	assert_in_range(uneven->certificate.largest_load_ppm, w->free_ppm - 1,
			w->free_ppm + 5);
	assert_int_equal(equal->certificate.lower_bound_ppm,
			 uneven->certificate.lower_bound_ppm);
	for (uint32_t q = 0; q < equal->n_qps; q++)
		assert_in_range(equal->qps[q].weight_ppm, 1000000 / w->qps,
				1000000 / w->qps + 1);
	planner_plan_free(equal);
	planner_plan_free(uneven);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_weight, weight_cases);
	return rows_run(&rows, "planner_weight");
}
