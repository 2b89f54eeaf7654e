/* SPDX-License-Identifier: Apache-2.0 */
#include <gen/traffic.h>
#include <planner/baseline.h>
#include <topo/generate.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define RATE 100000000000

struct fixture {
	struct topo_graph *g;
	struct planner_problem p;
	struct base_rng rng;
};

/* Two planes of 4 leaves with 2 NICs and 4 spines; NIC i sends to NIC i + 4. */
static int open_fixture(void **state)
{
	static struct fixture f;
	struct topo_clos2 shape = { .leaves = 4,
				    .nics_per_leaf = 2,
				    .spines = 4,
				    .planes = 2,
				    .nic_rate_bps = RATE };

	if (topo_generate_clos2(&shape, &f.g, NULL) < 0)
		return -1;
	planner_problem_init(&f.p, f.g);
	gen_traffic_job(&f.p);
	for (uint32_t i = 0; i < 8; i++)
		gen_traffic_conn(&f.p, gen_traffic_nic(f.g, i, 0),
				 gen_traffic_nic(f.g, (i + 4) % 8, 0), 0, 0, 1000);
	base_rng_seed(&f.rng, 1);
	*state = &f;
	return 0;
}

static int close_fixture(void **state)
{
	struct fixture *f = *state;

	planner_problem_fini(&f->p);
	topo_graph_free(f->g);
	return 0;
}

static struct planner_plan *draw(struct fixture *f, uint32_t qps,
				 enum planner_plane_rule rule)
{
	struct planner_plan *plan = NULL;

	assert_int_equal(planner_ecmp(&f->p, qps, rule, &f->rng, false, &plan), 0);
	assert_int_equal(planner_plan_check(&f->p, plan, NULL), 0);
	return plan;
}

static uint32_t plane_of(const struct fixture *f, const struct planner_plan *plan,
			 uint32_t q)
{
	return topo_graph_link_plane(f->g,
				     topo_hop_link(plan->hops[plan->qps[q].first_hop]));
}

static bool is_same_path(const struct planner_plan *a, const struct planner_plan *b,
			 uint32_t q)
{
	return a->qps[q].n_hops == b->qps[q].n_hops &&
	       memcmp(a->hops + a->qps[q].first_hop, b->hops + b->qps[q].first_hop,
		      a->qps[q].n_hops * sizeof(uint32_t)) == 0;
}

static void test_weights(void **state)
{
	struct planner_plan *plan = draw(*state, 3, PLANNER_PLANES_CROSSED);

	assert_int_equal(plan->n_qps, 24);
	assert_int_equal(plan->qps[0].weight_ppm, 333334);
	assert_int_equal(plan->qps[1].weight_ppm, 333333);
	assert_int_equal(plan->qps[2].weight_ppm, 333333);
	assert_int_equal(plan->certificate.largest_load_ppm, 0);
	planner_plan_free(plan);
}

static void test_certified(void **state)
{
	struct fixture *f = *state;
	struct planner_plan *plan;

	assert_int_equal(
		planner_ecmp(&f->p, 1, PLANNER_PLANES_CROSSED, &f->rng, true, &plan), 0);
	/* One plane's link carries what the NIC could send over two. */
	assert_true(plan->certificate.largest_load_ppm >= 2000000);
	planner_plan_free(plan);
}

static void test_counts(void **state)
{
	struct fixture *f = *state;
	struct planner_plan *plan = NULL;

	assert_int_equal(
		planner_ecmp(&f->p, 0, PLANNER_PLANES_KEPT, &f->rng, false, &plan),
		-EINVAL);
	assert_int_equal(planner_ecmp(&f->p, PLANNER_QPS_MAX + 1, PLANNER_PLANES_KEPT,
				      &f->rng, false, &plan),
			 -EINVAL);
	assert_null(plan);
}

static void test_kept(void **state)
{
	struct fixture *f = *state;
	struct planner_plan *plan = draw(f, 4, PLANNER_PLANES_KEPT);

	for (uint32_t q = 0; q < plan->n_qps; q++)
		assert_int_equal(plane_of(f, plan, q), q % 2);
	planner_plan_free(plan);
}

static void test_crossed(void **state)
{
	struct fixture *f = *state;
	struct planner_plan *plan = draw(f, 128, PLANNER_PLANES_CROSSED);
	uint32_t n[2] = { 0, 0 };

	for (uint32_t q = 0; q < plan->n_qps; q++)
		n[plane_of(f, plan, q)]++;
	/* 512 each are expected; six standard deviations of a fair coin are 96. */
	assert_in_range(n[0], 416, 608);
	assert_int_equal(n[0] + n[1], 1024);
	planner_plan_free(plan);
}

static void test_one_plane(void **state)
{
	struct fixture *f = *state;
	struct planner_plan *plan;

	f->p.conns[3].plane = 1;
	plan = draw(f, 16, PLANNER_PLANES_CROSSED);
	for (uint32_t q = plan->conn_first[3]; q < plan->conn_first[4]; q++)
		assert_int_equal(plane_of(f, plan, q), 1);
	planner_plan_free(plan);
}

static void test_seeds(void **state)
{
	struct fixture *f = *state;
	struct planner_plan *first = draw(f, 8, PLANNER_PLANES_CROSSED), *again, *other;
	uint32_t n_same = 0;

	base_rng_seed(&f->rng, 1);
	again = draw(f, 8, PLANNER_PLANES_CROSSED);
	other = draw(f, 8, PLANNER_PLANES_CROSSED);
	for (uint32_t q = 0; q < first->n_qps; q++) {
		assert_true(is_same_path(first, again, q));
		n_same += is_same_path(first, other, q);
	}
	assert_in_range(n_same, 0, first->n_qps / 2);
	planner_plan_free(first);
	planner_plan_free(again);
	planner_plan_free(other);
}

static void test_others_change_nothing(void **state)
{
	struct fixture *f = *state;
	struct planner_plan *few = draw(f, 8, PLANNER_PLANES_CROSSED), *more;

	gen_traffic_conn(&f->p, gen_traffic_nic(f->g, 0, 0), gen_traffic_nic(f->g, 3, 0),
			 0, 0, 5);
	base_rng_seed(&f->rng, 1);
	more = draw(f, 8, PLANNER_PLANES_CROSSED);
	for (uint32_t q = 0; q < few->n_qps; q++)
		assert_true(is_same_path(few, more, q));
	planner_plan_free(few);
	planner_plan_free(more);
}

/* The dead NIC link of a plane leaves the other plane; both dead leave nothing. */
static void test_dead_nic(void **state)
{
	struct fixture *f = *state;
	struct planner_plan *plan;
	uint32_t n;
	const uint32_t *hops = topo_graph_hops(f->g, f->p.conns[0].src_nic, &n);

	assert_int_equal(n, 2);
	topo_graph_set_state(f->g, topo_hop_link(hops[0]), TOPO_DOWN);
	plan = draw(f, 4, PLANNER_PLANES_KEPT);
	for (uint32_t q = 0; q < 4; q++)
		assert_int_equal(topo_hop_link(plan->hops[plan->qps[q].first_hop]),
				 topo_hop_link(hops[1]));
	planner_plan_free(plan);
	topo_graph_set_state(f->g, topo_hop_link(hops[1]), TOPO_DOWN);
	plan = draw(f, 4, PLANNER_PLANES_KEPT);
	assert_int_equal(plan->unroutable, 2); /* from it and to it */
	assert_int_equal(plan->conn_first[1], 0);
	assert_int_equal(plan->n_qps, 24);
	planner_plan_free(plan);
}

#define FIXTURE_TEST(name, function)                                                     \
	{                                                                                \
		name, function, open_fixture, close_fixture, NULL                        \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST("weights are equal and add up", test_weights),
		FIXTURE_TEST("certified when asked", test_certified),
		FIXTURE_TEST("counts of QPs that no plan has", test_counts),
		FIXTURE_TEST("planes kept: QPs take turns", test_kept),
		FIXTURE_TEST("planes crossed: a fair coin", test_crossed),
		FIXTURE_TEST("a connection stays in its only plane", test_one_plane),
		FIXTURE_TEST("equal seeds draw equal paths, others others", test_seeds),
		FIXTURE_TEST("a connection's draws do not depend on later ones",
			     test_others_change_nothing),
		FIXTURE_TEST("dead links of a NIC", test_dead_nic),
	};

	return cmocka_run_group_tests_name("planner_ecmp", tests, NULL, NULL);
}
