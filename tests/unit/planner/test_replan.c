/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_case.h"

struct replan_case {
	const char *name;
	uint32_t nics, spines, planes, qps;
	const char *dead; /* NULL: the second link of connection 0's path */
	uint32_t moves_max;
	uint32_t must, others;
	uint64_t load_ppm; /* of links between switches, after */
};

#define LIVE "none"

/* NIC i of leaf 0 to NIC i of leaf 1. */
static struct replan_case replan_cases[] = {
	{ "nothing died", 3, 4, 1, 1, LIVE, UINT32_MAX, 0, 0, 1000000 },
	{ "a link that nobody used", 1, 4, 1, 1, "leaf2-spine3", UINT32_MAX, 0, 0,
	  1000000 },
	{ "there is a free spine", 3, 4, 1, 1, NULL, UINT32_MAX, 1, 0, 1000000 },
	{ "there is none", 4, 4, 1, 1, NULL, UINT32_MAX, 1, 0, 2000000 },
	{ "there is none, and none may move", 4, 4, 1, 1, NULL, 0, 1, 0, 2000000 },
	{ "QPs of one connection", 2, 4, 1, 2, NULL, UINT32_MAX, 1, 0, 1000000 },
	{ "to the other plane", 1, 1, 2, 1, NULL, UINT32_MAX, 1, 0, 2000000 },
};

static struct planner_plan *open_plan(struct plan_case *c, const struct replan_case *r)
{
	plan_case_init(c, 3, r->nics, r->spines, r->planes);
	for (uint32_t i = 0; i < r->nics; i++) {
		char from[16], to[16];

		snprintf(from, sizeof(from), "h%u", i);
		snprintf(to, sizeof(to), "h%u", i + r->nics);
		plan_case_conn(c, from, to, CASE_BYTES, 0);
	}
	return gen_plans_solve(&c->p, r->qps, true);
}

static void test_replan(void **state)
{
	const struct replan_case *r = *state;
	struct planner_replan_options options = { .moves_max = r->moves_max };
	struct planner_plan *again;
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c, r);

	if (!r->dead)
		topo_graph_set_state(c.g, topo_hop_link(plan->hops[1]), TOPO_DOWN);
	else if (strcmp(r->dead, LIVE) != 0)
		plan_case_kill(&c, r->dead);
	assert_int_equal(planner_replan(&c.p, &c.p, plan, &options, &again, NULL), 0);
	assert_int_equal(planner_plan_check(&c.p, again, NULL), 0);
	assert_int_equal(again->n_qps, plan->n_qps);
	assert_int_equal(again->moved_must, r->must);
	assert_int_equal(again->moved - again->moved_must, r->others);
	assert_int_equal(again->certificate.fabric_load_ppm, r->load_ppm);
	/* Whatever did not move is where it was. */
	for (uint32_t q = 0, moved = 0; q < plan->n_qps; q++) {
		const uint32_t *before = &plan->hops[plan->qps[q].first_hop];
		const uint32_t *after = &again->hops[again->qps[q].first_hop];

		moved +=
			again->qps[q].n_hops != plan->qps[q].n_hops ||
			memcmp(before, after, plan->qps[q].n_hops * sizeof(*before)) != 0;
		if (q + 1 == plan->n_qps)
			assert_int_equal(moved, again->moved);
	}
	planner_plan_free(plan);
	planner_plan_free(again);
	plan_case_fini(&c);
}

static void test_others_make_way(void **state)
{
	struct planner_replan_options options = { .moves_max = 0 };
	uint64_t loads[2];
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 3, 2, 3, 1);
	plan_case_conn(&c, "h0", "h2", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h4", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	/* One way into leaf 1 is left: whoever is on it out of leaf 0 makes way. */
	plan_case_kill(&c, "leaf1-spine0");
	plan_case_kill(&c, "leaf1-spine2");
	for (uint32_t i = 0; i < 2; i++) {
		struct planner_plan *again;

		options.moves_max = i;
		assert_int_equal(planner_replan(&c.p, &c.p, plan, &options, &again, NULL),
				 0);
		assert_int_equal(planner_plan_check(&c.p, again, NULL), 0);
		assert_true(again->moved - again->moved_must <= i);
		loads[i] = again->certificate.fabric_load_ppm;
		planner_plan_free(again);
	}
	/* With one move allowed the optimum is reached, whoever had to give way. */
	assert_true(loads[1] <= loads[0]);
	assert_int_equal(loads[1], 1000000);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* A connection that may use one plane only leaves the other when that rule is new. */
static void test_new_plane_rule(void **state)
{
	struct planner_replan_options options = { .moves_max = 0 };
	struct planner_plan *plan, *again;
	struct planner_problem p;
	struct planner_conn conn;
	struct plan_case c;
	uint32_t plane;

	(void)state;
	plan_case_init(&c, 2, 1, 2, 2);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	plane = topo_graph_link_plane(c.g, topo_hop_link(plan->hops[0]));
	planner_problem_init(&p, c.g);
	assert_int_equal(planner_problem_add_job(&p, "job", NULL), 0);
	conn = c.p.conns[0];
	conn.plane = 1 - plane;
	assert_int_equal(planner_problem_add_conn(&p, &conn, NULL), 0);
	assert_int_equal(planner_replan(&p, &c.p, plan, &options, &again, NULL), 0);
	assert_int_equal(planner_plan_check(&p, again, NULL), 0);
	assert_int_equal(again->moved_must, 1);
	planner_plan_free(plan);
	planner_plan_free(again);
	planner_problem_fini(&p);
	plan_case_fini(&c);
}

static void test_another_fabric(void **state)
{
	struct planner_replan_options options = { .moves_max = 0 };
	struct planner_plan *plan, *again = NULL;
	struct base_err err = { 0 };
	struct plan_case c, other;

	(void)state;
	plan_case_init(&c, 2, 1, 2, 1);
	plan_case_init(&other, 2, 1, 2, 1);
	plan = gen_plans_solve(&c.p, 1, true);
	assert_int_equal(planner_replan(&other.p, &c.p, plan, &options, &again, &err),
			 -BASE_E_INVALID);
	assert_null(again);
	assert_non_null(strstr(err.message, "another fabric"));
	planner_plan_free(plan);
	plan_case_fini(&other);
	plan_case_fini(&c);
}

/* The only way is dead: the connection has no QP any more. */
static void test_cut_off(void **state)
{
	struct planner_replan_options options = { .moves_max = UINT32_MAX };
	struct planner_plan *plan, *again;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 2, 1);
	plan_case_conn(&c, "h0", "h2", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h3", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 2, true);
	plan_case_kill(&c, "h0.nic0-leaf0");
	assert_int_equal(planner_replan(&c.p, &c.p, plan, &options, &again, NULL), 0);
	assert_int_equal(planner_plan_check(&c.p, again, NULL), 0);
	assert_int_equal(again->unroutable, 1);
	assert_int_equal(again->n_qps, 2);
	assert_int_equal(again->moved, 0);
	planner_plan_free(plan);
	planner_plan_free(again);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_replan, replan_cases);
	rows_add_test(&rows, "others make way, as many as may", test_others_make_way);
	rows_add_test(&rows, "a plane that is no longer allowed", test_new_plane_rule);
	rows_add_test(&rows, "a plan of another fabric", test_another_fabric);
	rows_add_test(&rows, "a NIC that is cut off", test_cut_off);
	return rows_run(&rows, "planner_replan");
}
