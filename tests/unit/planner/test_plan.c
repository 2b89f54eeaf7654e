/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_case.h"

/* Three hosts on leaf 0, three on leaf 1, two spines; two connections, one QP each. */
static struct planner_plan *open_plan(struct plan_case *c)
{
	plan_case_init(c, 2, 3, 2, 1);
	plan_case_conn(c, "h0", "h3", CASE_BYTES, 0);
	plan_case_conn(c, "h1", "h4", CASE_BYTES / 2, 1);
	return gen_plans_solve(&c->p, 2, true);
}

static void test_new(void **state)
{
	struct planner_plan *plan = planner_plan_new(3, 4, 5);

	(void)state;
	assert_non_null(plan);
	assert_int_equal(plan->n_conns, 3);
	assert_int_equal(plan->n_qps, 4);
	assert_int_equal(plan->n_hops, 5);
	assert_int_equal(plan->conn_first[3], 0);
	assert_int_equal(plan->certificate.binding_hop, TOPO_NONE);
	planner_plan_free(plan);
	planner_plan_free(NULL);
}

static void test_loads(void **state)
{
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c);
	uint64_t *loads = calloc(2 * topo_graph_n_links(c.g), sizeof(*loads));
	uint32_t first = 2 * plan_case_link(&c, "h0.nic0-leaf0");
	uint32_t second = 2 * plan_case_link(&c, "h1.nic0-leaf0");

	(void)state;
	assert_non_null(loads);
	assert_int_equal(planner_plan_loads(&c.p, plan, 0, loads), 0);
	assert_int_equal(loads[first] + loads[first + 1], 1000000);
	assert_int_equal(loads[second] + loads[second + 1], 0);
	assert_int_equal(planner_plan_loads(&c.p, plan, 1, loads), 0);
	assert_int_equal(loads[first] + loads[first + 1], 0);
	assert_int_equal(loads[second] + loads[second + 1], 500000);
	assert_int_equal(planner_plan_loads(&c.p, plan, TOPO_NONE, loads), 0);
	assert_int_equal(loads[first] + loads[first + 1], 1000000);
	assert_int_equal(loads[second] + loads[second + 1], 500000);
	assert_int_equal(plan_case_load(&c, plan, "leaf0", "spine0"), 500000);
	assert_int_equal(plan_case_load(&c, plan, "spine0", "leaf0"), 0);
	free(loads);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* Rates as far apart as they may be: a load that no 64 bits can hold in ppm. */
static void test_loads_beyond(void **state)
{
	const struct topo_clos2 shape = { .leaves = 2,
					  .nics_per_leaf = 1,
					  .spines = 1,
					  .nic_rate_bps = TOPO_RATE_MAX_BPS,
					  .uplink_rate_bps = 1 };
	struct planner_certificate cert;
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_open(&c, gen_plans_clos2(&shape));
	plan_case_conn(&c, "h0", "h1", PLANNER_BYTES_MAX, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	cert = plan->certificate;
	assert_int_equal(cert.largest_load_ppm, UINT64_C(1) << 53);
	assert_int_equal(cert.fabric_load_ppm, UINT64_C(1) << 53);
	assert_int_equal(cert.lower_bound_ppm, UINT64_C(1) << 53);
	assert_int_equal(cert.cut.load_ppm, UINT64_C(1) << 53);
	assert_int_equal(cert.cut.bytes, PLANNER_BYTES_MAX);
	assert_int_equal(cert.gap_ppm, 0);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* The plan's most QPs; none in an empty one. */
static void test_qps_max(void **state)
{
	struct planner_plan *plan = planner_plan_new(3, 4, 0);

	(void)state;
	assert_non_null(plan);
	assert_int_equal(planner_plan_qps_max(plan), 0);
	plan->conn_first[1] = 1;
	plan->conn_first[2] = plan->conn_first[3] = 4;
	assert_int_equal(planner_plan_qps_max(plan), 3);
	planner_plan_free(plan);
}

static void test_certify(void **state)
{
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c);
	struct planner_certificate cert = plan->certificate;

	(void)state;
	memset(&plan->certificate, 0xff, sizeof(cert));
	assert_int_equal(planner_plan_certify(&c.p, plan), 0);
	assert_memory_equal(&plan->certificate, &cert, sizeof(cert));
	/* Both QPs on one path: the certificate sees it. */
	plan->qps[1].first_hop = plan->qps[0].first_hop;
	assert_int_equal(planner_plan_certify(&c.p, plan), 0);
	assert_int_equal(plan->certificate.fabric_load_ppm, 1000000);
	assert_int_equal(plan->certificate.fabric_bound_ppm, cert.fabric_bound_ppm);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* A QP over 1.0 counts once, however many of its links are. */
static void test_above_one(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 3, 1, 1);
	plan_case_conn(&c, "h0", "h3", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h4", CASE_BYTES, 0);
	plan_case_conn(&c, "h2", "h5", CASE_BYTES, 1);
	plan = gen_plans_solve(&c.p, 1, true);
	assert_int_equal(plan->certificate.largest_load_ppm, 2000000);
	assert_int_equal(plan->certificate.qps_above_one, 2);
	assert_int_equal(plan->certificate.fabric_phase, 0);
	assert_int_equal(plan->certificate.gap_ppm, 0);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* One thing wrong with a good plan. */
struct check_case {
	const char *name;
	void (*spoil)(struct plan_case *c, struct planner_plan *plan);
	const char *message;
};

static void take_hop(struct plan_case *c, struct planner_plan *plan)
{
	(void)c;
	plan->qps[0].n_hops--;
}

static void no_hops(struct plan_case *c, struct planner_plan *plan)
{
	(void)c;
	plan->qps[0].n_hops = 1;
}

static void past_the_end(struct plan_case *c, struct planner_plan *plan)
{
	(void)c;
	plan->qps[3].first_hop = (uint32_t)plan->n_hops - 3;
}

static void break_path(struct plan_case *c, struct planner_plan *plan)
{
	(void)c;
	plan->hops[plan->qps[0].first_hop + 2] ^= 1;
}

static void no_such_hop(struct plan_case *c, struct planner_plan *plan)
{
	plan->hops[plan->qps[0].first_hop] = 2 * topo_graph_n_links(c->g);
}

static void kill_link(struct plan_case *c, struct planner_plan *plan)
{
	topo_graph_set_state(c->g, topo_hop_link(plan->hops[plan->qps[0].first_hop + 1]),
			     TOPO_DOWN);
}

static void turn_back(struct plan_case *c, struct planner_plan *plan)
{
	(void)c;
	plan->hops[plan->qps[0].first_hop + 2] =
		plan->hops[plan->qps[0].first_hop + 1] ^ 1;
}

static void spoil_weight(struct plan_case *c, struct planner_plan *plan)
{
	(void)c;
	plan->qps[1].weight_ppm--;
}

static void forbid_plane(struct plan_case *c, struct planner_plan *plan)
{
	(void)plan;
	c->p.conns[0].plane = 1;
}

static void forget_conn(struct plan_case *c, struct planner_plan *plan)
{
	(void)plan;
	c->p.n_conns--;
}

static void forget_qp(struct plan_case *c, struct planner_plan *plan)
{
	(void)c;
	plan->n_qps--;
}

static struct check_case check_cases[] = {
	{ "a path that ends at a leaf", take_hop, "path ends elsewhere" },
	{ "a path of one hop", no_hops, "no path" },
	{ "a path past the last hop", past_the_end, "no path" },
	{ "a hop from elsewhere", break_path, "hop 2, leaf" },
	{ "a hop that is none", no_such_hop, "hop 0 is not a link of the fabric" },
	{ "a dead link", kill_link, "its link leaf0-spine0 is down" },
	{ "a path that turns back", turn_back, "visits a node twice" },
	{ "weights that do not add up", spoil_weight, "weights add up to 999999 ppm" },
	{ "a plane that is not allowed", forbid_plane, "path is not in plane 1" },
	{ "fewer connections", forget_conn, "counts of plan and problem differ" },
	{ "fewer QPs", forget_qp, "counts of plan and problem differ" },
};

static void test_check(void **state)
{
	const struct check_case *k = *state;
	struct base_err err = { 0 };
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c);

	assert_int_equal(planner_plan_check(&c.p, plan, &err), 0);
	k->spoil(&c, plan);
	assert_int_equal(planner_plan_check(&c.p, plan, &err), -BASE_E_INVALID);
	assert_non_null(strstr(err.message, k->message));
	c.p.n_conns = 2;
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "a new plan is empty", test_new);
	rows_add_test(&rows, "loads by phase and over all", test_loads);
	rows_add_test(&rows, "certifying again changes nothing", test_certify);
	rows_add_test(&rows, "loads beyond all numbers", test_loads_beyond);
	rows_add_test(&rows, "the most QPs of a connection", test_qps_max);
	rows_add_test(&rows, "QPs above 1.0", test_above_one);
	ROWS_ADD(&rows, test_check, check_cases);
	return rows_run(&rows, "planner_plan");
}
