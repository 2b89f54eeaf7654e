/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least loaded path, seen through online insertion: the whole way counts, not its
 * first link; failures are gone around; fabrics without structure have paths too.
 */
#include "plan_case.h"
#include <errno.h>
#include <topo/path.h>

struct route_case {
	const char *name;
	uint32_t pods;
	/* Before: what these ends carry, over the path that they get. */
	struct {
		const char *from, *to;
		uint64_t bytes;
	} before[4];
	const char *dead[4];
	const char *from, *to;
	const char *path;
};

/* Two tiers: four leaves with two hosts, two spines.  Pods: two of two leaves with two
 * hosts, two spines with two cores each. */
static struct route_case route_cases[] = {
	{ .name = "the first of equals",
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine0 > leaf1 > h2.nic0" },
	{ .name = "one leaf",
	  .from = "h0",
	  .to = "h1",
	  .path = "h0.nic0 > leaf0 > h1.nic0" },
	{ .name = "the way up is loaded",
	  .before = { { "h1", "h4", 5000 } },
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine1 > leaf1 > h2.nic0" },
	{ .name = "the way down is loaded",
	  .before = { { "h4", "h3", 5000 } },
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine1 > leaf1 > h2.nic0" },
	{ .name = "both are, one less",
	  .before = { { "h4", "h3", 9000 }, { "h1", "h6", 5000 } },
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine1 > leaf1 > h2.nic0" },
	{ .name = "two links half full rather than one full",
	  .before = { { "h1", "h6", 9000 },
		      { "h1", "h4", 5000 },
		      { "h5", "h0", 6000 },
		      { "h4", "h3", 5000 } },
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine1 > leaf1 > h2.nic0" },
	{ .name = "a dead link up",
	  .dead = { "leaf0-spine0" },
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine1 > leaf1 > h2.nic0" },
	{ .name = "around, over another leaf",
	  .dead = { "leaf0-spine0", "leaf1-spine1" },
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine1 > leaf2 > spine0 > leaf1 > h2.nic0" },
	{ .name = "around, over the less loaded leaf",
	  .before = { { "h2", "h5", 5000 }, { "h0", "h4", 5000 } },
	  .dead = { "leaf0-spine0", "leaf1-spine1" },
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine1 > leaf3 > spine0 > leaf1 > h2.nic0" },
	{ .name = "no way",
	  .dead = { "leaf0-spine0", "leaf0-spine1" },
	  .from = "h0",
	  .to = "h2" },
	{ .name = "between pods",
	  .pods = 2,
	  .from = "h0",
	  .to = "h4",
	  .path = "h0.nic0 > leaf0 > spine0 > core0 > spine2 > leaf2 > h4.nic0" },
	{ .name = "a loaded core",
	  .pods = 2,
	  .before = { { "h2", "h6", 5000 } },
	  .dead = { "leaf0-spine1" },
	  .from = "h0",
	  .to = "h4",
	  .path = "h0.nic0 > leaf0 > spine0 > core1 > spine2 > leaf2 > h4.nic0" },
	{ .name = "a dead core link",
	  .pods = 2,
	  .dead = { "spine0-core0", "spine2-core1" },
	  .from = "h0",
	  .to = "h4",
	  .path = "h0.nic0 > leaf0 > spine1 > core2 > spine3 > leaf2 > h4.nic0" },
	{ .name = "within the pod",
	  .pods = 2,
	  .before = { { "h1", "h3", 5000 } },
	  .from = "h0",
	  .to = "h2",
	  .path = "h0.nic0 > leaf0 > spine1 > leaf1 > h2.nic0" },
};

static void test_route(void **state)
{
	const struct route_case *r = *state;
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	struct planner_online *online;
	struct planner_conn conn;
	struct base_str text;
	struct plan_case c;
	int n;

	if (r->pods)
		plan_case_init3(&c, r->pods, 2, 2, 2, 2);
	else
		plan_case_init(&c, 4, 2, 2, 1);
	for (size_t i = 0; i < BASE_COUNT(r->dead) && r->dead[i]; i++)
		plan_case_kill(&c, r->dead[i]);
	assert_int_equal(planner_online_new(&c.p, NULL, &online), 0);
	for (size_t i = 0; i < BASE_COUNT(r->before) && r->before[i].from; i++) {
		conn = plan_case_ends(&c, r->before[i].from, r->before[i].to,
				      r->before[i].bytes);
		assert_true(planner_online_add(online, &conn, conn.bytes, hops) > 0);
	}
	conn = plan_case_ends(&c, r->from, r->to, 1);
	n = planner_online_add(online, &conn, 1, hops);
	if (!r->path) {
		assert_int_equal(n, -ENOENT);
	} else {
		assert_true(n > 0);
		base_str_init(&text, 0);
		topo_name_path(c.g, hops, (size_t)n, &text);
		assert_string_equal(base_str_text(&text), r->path);
		base_str_fini(&text);
	}
	planner_online_free(online);
	plan_case_fini(&c);
}

/* Switches in a ring are no Clos. */
static void test_no_clos(void **state)
{
	struct topo_graph *g = topo_graph_new();
	struct planner_plan *plan;
	struct plan_case c;
	uint32_t switches[4], nic, host;

	(void)state;
	assert_non_null(g);
	for (uint32_t i = 0; i < 4; i++) {
		char name[16];
		struct topo_link link = { .rate_bps = CASE_RATE_BPS,
					  .port_a = TOPO_NONE,
					  .port_b = TOPO_NONE,
					  .address = TOPO_NONE };

		snprintf(name, sizeof(name), "s%u", i);
		assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, name, strlen(name),
						       1, TOPO_NONE, TOPO_NONE, TOPO_NONE,
						       &switches[i], NULL),
				 0);
		snprintf(name, sizeof(name), "h%u", i);
		assert_int_equal(topo_graph_add_host(g, TOPO_NONE, name, strlen(name),
						     TOPO_NONE, &host, NULL),
				 0);
		assert_int_equal(
			topo_graph_add_nic(g, host, "nic0", 4, TOPO_NONE, &nic, NULL), 0);
		link.a = nic;
		link.b = switches[i];
		assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
		for (uint32_t k = 0; i > 0 && k < (i == 3 ? 2 : 1); k++) {
			link.a = switches[i];
			link.b = switches[k ? 0 : i - 1];
			assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
		}
	}
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	plan_case_open(&c, g);
	plan_case_conn(&c, "h0", "h2", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 2, true);
	/* Two ways round, a QP on each. */
	assert_int_equal(plan->certificate.fabric_load_ppm, 500000);
	assert_int_equal(plan->qps[0].n_hops, 4);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_route, route_cases);
	rows_add_test(&rows, "a ring of switches", test_no_clos);
	return rows_run(&rows, "planner_route");
}
