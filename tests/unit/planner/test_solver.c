/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From paths to a plan: hops one after the other, weights that add up to the last ppm, no
 * half connections.
 */
#include "plan_case.h"

/* Three QPs: a million does not divide by three. */
static void test_weights(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 4, 1);
	plan_case_conn(&c, "h0", "h2", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h3", 7, 0);
	plan = gen_plans_solve(&c.p, 3, true);
	assert_int_equal(plan->n_qps, 6);
	for (uint32_t q = 0; q < 6; q++)
		assert_int_equal(plan->qps[q].weight_ppm, q % 3 == 0 ? 333334 : 333333);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_layout(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;
	size_t at = 0;

	(void)state;
	plan_case_init3(&c, 2, 2, 2, 2, 2);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan_case_conn(&c, "h0", "h2", CASE_BYTES, 1);
	plan_case_conn(&c, "h0", "h4", CASE_BYTES, 2);
	plan = gen_plans_solve(&c.p, 2, true);
	assert_int_equal(plan->n_conns, 3);
	for (uint32_t q = 0; q < 6; q++) {
		assert_int_equal(plan->conn_first[q / 2], q / 2 * 2);
		assert_int_equal(plan->qps[q].first_hop, at);
		assert_int_equal(plan->qps[q].n_hops, 2 + q / 2 * 2);
		at += plan->qps[q].n_hops;
	}
	assert_int_equal(plan->conn_first[3], 6);
	assert_int_equal(plan->n_hops, at);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* Connections around one without a path keep their numbers. */
static void test_unroutable(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 3, 2, 1);
	plan_case_kill(&c, "h4.nic0-leaf1");
	plan_case_conn(&c, "h0", "h3", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h4", CASE_BYTES, 0);
	plan_case_conn(&c, "h2", "h5", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	assert_int_equal(plan->unroutable, 1);
	assert_int_equal(plan->conn_first[1], 1);
	assert_int_equal(plan->conn_first[2], 1);
	assert_int_equal(plan->n_qps, 2);
	assert_int_equal(
		topo_hop_from(topo_graph_links(c.g), plan->hops[plan->qps[1].first_hop]),
		plan_case_node(&c, "h2.nic0"));
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "weights add up", test_weights);
	rows_add_test(&rows, "hops one after the other", test_layout);
	rows_add_test(&rows, "a connection without a path", test_unroutable);
	return rows_run(&rows, "planner_solver");
}
