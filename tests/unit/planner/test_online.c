/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_case.h"
#include <errno.h>
#include <topo/path.h>

static struct planner_online *open_online(const struct plan_case *c,
					  const struct planner_plan *plan)
{
	struct planner_online *online = NULL;

	assert_int_equal(planner_online_new(&c->p, plan, &online), 0);
	return online;
}

/* The switch that @hops go over at the top. */
static uint32_t spine_of(const struct plan_case *c, const uint32_t *hops, int n)
{
	return topo_hop_from(topo_graph_links(c->g), hops[n / 2]);
}

/* Connections one by one over three spines: each takes an empty one. */
static void test_spread(void **state)
{
	struct planner_online *online;
	uint32_t spines[3];
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 3, 3, 1);
	online = open_online(&c, NULL);
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t hops[TOPO_PATH_HOPS_MAX];
		struct planner_conn conn;
		char from[16], to[16];

		snprintf(from, sizeof(from), "h%u", i);
		snprintf(to, sizeof(to), "h%u", i + 3);
		conn = plan_case_ends(&c, from, to, CASE_BYTES);
		assert_int_equal(planner_online_add(online, &conn, CASE_BYTES, hops), 4);
		spines[i] = spine_of(&c, hops, 4);
		for (uint32_t k = 0; k < i; k++)
			assert_int_not_equal(spines[k], spines[i]);
	}
	planner_online_free(online);
	planner_online_free(NULL);
	plan_case_fini(&c);
}

/* Added and removed: the next gets the same path as if it had never been. */
static void test_remove(void **state)
{
	uint32_t first[TOPO_PATH_HOPS_MAX], again[TOPO_PATH_HOPS_MAX];
	struct planner_online *online;
	struct planner_conn conn;
	struct plan_case c;
	int n;

	(void)state;
	plan_case_init(&c, 2, 2, 4, 1);
	online = open_online(&c, NULL);
	conn = plan_case_ends(&c, "h0", "h2", CASE_BYTES);
	n = planner_online_add(online, &conn, CASE_BYTES, first);
	assert_int_equal(n, 4);
	for (int i = 0; i < 10; i++) {
		planner_online_remove(online, &conn, CASE_BYTES, first, 4);
		assert_int_equal(planner_online_add(online, &conn, CASE_BYTES, again), n);
		assert_memory_equal(first, again, 4 * sizeof(*first));
	}
	assert_int_equal(planner_online_add(online, &conn, CASE_BYTES, again), n);
	assert_int_not_equal(spine_of(&c, first, n), spine_of(&c, again, n));
	planner_online_free(online);
	plan_case_fini(&c);
}

/* The loads of a plan are there from the start, phase by phase. */
static void test_from_plan(void **state)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	struct planner_online *online;
	struct planner_plan *plan;
	struct planner_conn conn;
	struct plan_case c;
	uint32_t taken;

	(void)state;
	plan_case_init(&c, 2, 2, 2, 1);
	plan_case_conn(&c, "h0", "h2", CASE_BYTES, 1);
	plan = gen_plans_solve(&c.p, 1, true);
	taken = spine_of(&c, plan->hops, 4);
	online = open_online(&c, plan);
	conn = plan_case_ends(&c, "h1", "h3", CASE_BYTES);
	conn.phase = 1;
	assert_int_equal(planner_online_add(online, &conn, CASE_BYTES, hops), 4);
	assert_int_not_equal(spine_of(&c, hops, 4), taken);
	planner_online_free(online);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_refused(void **state)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	struct planner_online *online;
	struct planner_conn conn;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 1, 2);
	plan_case_kill(&c, "leaf2-spine1");
	online = open_online(&c, NULL);
	conn = plan_case_ends(&c, "h0", "h2", CASE_BYTES);
	conn.plane = 1;
	assert_int_equal(planner_online_add(online, &conn, CASE_BYTES, hops), -ENOENT);
	conn.plane = TOPO_NONE;
	assert_int_equal(planner_online_add(online, &conn, CASE_BYTES, hops), 4);
	assert_int_equal(topo_graph_link_plane(c.g, topo_hop_link(hops[0])), 0);
	conn.phase = 1;
	assert_int_equal(planner_online_add(online, &conn, CASE_BYTES, hops), -EINVAL);
	planner_online_free(online);
	plan_case_fini(&c);
}

/* QPs of one NIC go over its ports in turn. */
static void test_planes(void **state)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX], planes[2];
	struct planner_online *online;
	struct planner_conn conn;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 2, 2);
	online = open_online(&c, NULL);
	conn = plan_case_ends(&c, "h0", "h2", CASE_BYTES);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(planner_online_add(online, &conn, CASE_BYTES / 2, hops),
				 4);
		planes[i] = topo_graph_link_plane(c.g, topo_hop_link(hops[0]));
	}
	assert_int_not_equal(planes[0], planes[1]);
	planner_online_free(online);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "each new connection takes an empty spine", test_spread);
	rows_add_test(&rows, "removing undoes adding", test_remove);
	rows_add_test(&rows, "the loads of a plan count", test_from_plan);
	rows_add_test(&rows, "no path, and no such phase", test_refused);
	rows_add_test(&rows, "ports of a NIC in turn", test_planes);
	return rows_run(&rows, "planner_online");
}
