/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole plans: of Clos fabrics with two and three tiers, rails and planes, of fabrics
 * that are no Clos, with as many QPs as asked for or as needed.
 */
#include "plan_case.h"
#include <planner/baseline.h>
#include <gen/traffic.h>

struct solve_case {
	const char *name;
	struct topo_clos3 shape; /* pods 0: two tiers */
	uint32_t traffic;	 /* 0 permutation, 1 rings of four hosts, 2 all-to-all */
	uint32_t qps;
	uint64_t load_ppm;
};

#define CLOS(p, l, n, s, c, ...)                                                         \
	{                                                                                \
		.pods = (p), .leaves = (l), .nics_per_leaf = (n), .spines = (s),         \
		.cores_per_spine = (c), .nic_rate_bps = CASE_RATE_BPS, __VA_ARGS__       \
	}
#define ONE .planes = 1

static struct solve_case solve_cases[] = {
	{ "two tiers, a permutation", CLOS(0, 8, 4, 4, 0, ONE), 0, 1, 1000000 },
	{ "two tiers, rings", CLOS(0, 8, 4, 4, 0, ONE), 1, 1, 1000000 },
	{ "two tiers, all-to-all", CLOS(0, 8, 4, 4, 0, ONE), 2, 1, 1000000 },
	{ "two tiers, rails", CLOS(0, 16, 4, 4, 0, .rail = true), 1, 1, 1000000 },
	{ "two tiers, twice as many NICs", CLOS(0, 8, 8, 4, 0, ONE), 0, 1, 2000000 },
	{ "two planes, a QP on each", CLOS(0, 8, 4, 4, 0, .planes = 2), 0, 2, 1000000 },
	{ "two planes, rings", CLOS(0, 8, 4, 4, 0, .planes = 2), 1, 2, 1000000 },
	{ "two planes, three QPs", CLOS(0, 8, 4, 4, 0, .planes = 2), 0, 3, 1333340 },
	{ "three tiers, a permutation", CLOS(4, 4, 4, 4, 4, ONE), 0, 1, 1000000 },
	{ "three tiers, rings", CLOS(4, 4, 4, 4, 4, ONE), 1, 1, 1000000 },
	{ "three tiers, all-to-all", CLOS(4, 4, 4, 4, 4, ONE), 2, 1, 1000000 },
	{ "three tiers, rails", CLOS(2, 16, 4, 4, 16, .rail = true), 1, 1, 1000000 },
	{ "three tiers, eight QPs", CLOS(4, 4, 4, 4, 4, ONE), 0, 8, 1000000 },
	{ "as many QPs as needed", CLOS(4, 4, 4, 4, 4, ONE), 0, 0, 1000000 },
};

static void test_solve(void **state)
{
	const struct solve_case *s = *state;
	struct topo_clos2 two = { .leaves = s->shape.leaves,
				  .nics_per_leaf = s->shape.nics_per_leaf,
				  .spines = s->shape.spines,
				  .planes = s->shape.planes,
				  .rail = s->shape.rail,
				  .nic_rate_bps = CASE_RATE_BPS };
	struct planner_problem p;
	struct planner_plan *plan;
	struct topo_graph *g;
	struct base_rng rng;
	struct gen_hosts h;

	g = s->shape.pods ? gen_plans_clos3(&s->shape) : gen_plans_clos2(&two);
	base_rng_seed(&rng, 4);
	planner_problem_init(&p, g);
	gen_hosts_init(&h, g, &rng);
	if (s->traffic == 0)
		gen_traffic_permutation(&p, &rng, CASE_BYTES * 16);
	else if (s->traffic == 1)
		gen_plans_rings(&p, &h, 4, CASE_BYTES);
	else
		gen_plans_all_to_all(&p, &h, h.n, CASE_BYTES * 31);
	plan = gen_plans_solve(&p, s->qps, true);
	assert_int_equal(plan->n_qps, p.n_conns * (s->qps ? s->qps : 1));
	assert_int_equal(plan->unroutable, 0);
	assert_true(plan->certificate.largest_load_ppm <= s->load_ppm);
	assert_int_equal(plan->certificate.gap_ppm, 0);
	planner_plan_free(plan);
	gen_hosts_fini(&h);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

static void test_options(void **state)
{
	struct planner_solve_options options = { .qps = PLANNER_QPS_MAX + 1 };
	struct planner_plan *plan = NULL;
	struct base_err err = { 0 };
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 1, 1, 1);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	assert_int_equal(planner_solve(&c.p, &options, &plan, &err), -BASE_E_INVALID);
	assert_null(plan);
	assert_non_null(strstr(err.message, "129 QPs for each connection"));
	options.qps = PLANNER_QPS_MAX;
	assert_int_equal(planner_solve(&c.p, &options, &plan, NULL), 0);
	assert_int_equal(plan->n_qps, PLANNER_QPS_MAX);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_empty(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 1, 1, 1);
	plan = gen_plans_solve(&c.p, 1, false);
	assert_int_equal(plan->n_qps, 0);
	assert_int_equal(plan->certificate.largest_load_ppm, 0);
	assert_int_equal(plan->certificate.binding_hop, TOPO_NONE);
	assert_int_equal(plan->certificate.cut.kind, PLANNER_CUT_NONE);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* With no count given, more QPs are taken where one is not enough, and no more than that.
 */
static void test_auto(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 3, 2, 1);
	plan_case_conn(&c, "h0", "h3", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h4", CASE_BYTES, 0);
	plan_case_conn(&c, "h2", "h5", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 0, true);
	assert_int_equal(plan->n_qps, 6);
	assert_int_equal(plan->certificate.largest_load_ppm, 1500000);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* A connection keeps to the one plane it may use; others keep out of its way. */
static void test_plane_rule(void **state)
{
	struct planner_conn conn;
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 1, 2);
	plan_case_conn(&c, "h0", "h2", CASE_BYTES, 0);
	conn = plan_case_ends(&c, "h1", "h3", CASE_BYTES);
	conn.plane = 0;
	assert_int_equal(planner_problem_add_conn(&c.p, &conn, NULL), 0);
	plan = gen_plans_solve(&c.p, 1, true);
	assert_string_equal(plan_case_path(&c, plan, 0, 0),
			    "h0.nic0 > leaf2 > spine1 > leaf3 > h2.nic0");
	assert_string_equal(plan_case_path(&c, plan, 1, 0),
			    "h1.nic0 > leaf0 > spine0 > leaf1 > h3.nic0");
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* The allowed plane is dead at one end: no path rather than one in another plane. */
static void test_dead_plane(void **state)
{
	struct planner_conn conn;
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 1, 1, 2);
	plan_case_kill(&c, "h0.nic0-leaf2");
	conn = plan_case_ends(&c, "h0", "h1", CASE_BYTES);
	conn.plane = 1;
	assert_int_equal(planner_problem_add_conn(&c.p, &conn, NULL), 0);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 2, true);
	assert_int_equal(plan->unroutable, 1);
	assert_int_equal(plan->conn_first[1], 0);
	assert_int_equal(plan->n_qps, 2);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* Both ends are on the plane, but nothing joins them there. */
static void test_cut_plane(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 1, 1, 2);
	plan_case_kill(&c, "leaf0-spine0");
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 2, true);
	assert_int_equal(plan->unroutable, 0);
	assert_int_equal(plan->n_qps, 2);
	for (uint32_t i = 0; i < 2; i++)
		assert_string_equal(plan_case_path(&c, plan, 0, i),
				    "h0.nic0 > leaf2 > spine1 > leaf3 > h1.nic0");
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* Two leaves with a link between them are no Clos: paths may have any length. */
static struct topo_graph *no_clos(void)
{
	struct topo_link link = { .rate_bps = CASE_RATE_BPS,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE };
	struct topo_graph *g = topo_graph_new();
	uint32_t host, nic, id, leaves[2];

	assert_non_null(g);
	for (uint32_t i = 0; i < 2; i++) {
		const char name[] = { 'h', (char)('0' + i) };

		assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, name + 1, 1, 1,
						       TOPO_NONE, TOPO_NONE, TOPO_NONE,
						       &leaves[i], NULL),
				 0);
		assert_int_equal(topo_graph_add_host(g, TOPO_NONE, name, 2, TOPO_NONE,
						     &host, NULL),
				 0);
		assert_int_equal(
			topo_graph_add_nic(g, host, "nic0", 4, TOPO_NONE, &nic, NULL), 0);
		link.a = nic;
		link.b = leaves[i];
		assert_int_equal(topo_graph_add_link(g, &link, &id, NULL), 0);
	}
	link.a = leaves[0];
	link.b = leaves[1];
	assert_int_equal(topo_graph_add_link(g, &link, &id, NULL), 0);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	return g;
}

/* One connection more than all QPs of a plan are enough for: no way to plan takes it. */
static void test_too_many_in_all(void **state)
{
	struct planner_solve_options options = { .qps = PLANNER_QPS_MAX };
	struct planner_plan *plan = NULL;
	struct base_err err = { 0 };
	struct base_rng rng;
	struct plan_case c;

	(void)state;
	plan_case_open(&c, no_clos());
	for (uint32_t i = 0; i <= PLANNER_TOTAL_QPS_MAX / PLANNER_QPS_MAX; i++)
		plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	assert_int_equal(planner_solve(&c.p, &options, &plan, &err), -BASE_E_TOO_LARGE);
	assert_string_equal(err.message, "500001 connections with 128 QPs each are "
					 "64000128 QPs, the ceiling is 64000000");
	assert_int_equal(planner_greedy(&c.p, PLANNER_QPS_MAX, &plan), -BASE_E_TOO_LARGE);
	base_rng_seed(&rng, 1);
	assert_int_equal(planner_ecmp(&c.p, PLANNER_QPS_MAX, PLANNER_PLANES_CROSSED, &rng,
				      false, &plan),
			 -BASE_E_TOO_LARGE);
	assert_null(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_solve, solve_cases);
	rows_add_test(&rows, "too many QPs", test_options);
	rows_add_test(&rows, "too many QPs in all", test_too_many_in_all);
	rows_add_test(&rows, "no connections", test_empty);
	rows_add_test(&rows, "QPs as needed, no more", test_auto);
	rows_add_test(&rows, "a connection keeps to its plane", test_plane_rule);
	rows_add_test(&rows, "its plane is dead", test_dead_plane);
	rows_add_test(&rows, "a plane that does not join the ends", test_cut_plane);
	return rows_run(&rows, "planner_solve");
}
