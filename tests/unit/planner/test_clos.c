/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_case.h"
#include <planner/clos.h>

static void test_two_tiers(void **state)
{
	struct planner_clos *clos;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 3, 2, 4, 1);
	assert_int_equal(planner_clos_new(c.g, 0, &clos, NULL), 0);
	assert_int_equal(clos->n_leaves, 3);
	assert_int_equal(clos->n_pods, 1);
	assert_int_equal(clos->n_groups, 4);
	assert_int_equal(clos->n_cores, 0);
	assert_true(clos->is_regular_leaf && clos->is_regular_core);
	assert_int_equal(clos->leaf_cables, 1);
	assert_int_equal(clos->leaf_first[12], 12);
	for (uint32_t leaf = 0; leaf < 3; leaf++) {
		char name[16];

		snprintf(name, sizeof(name), "leaf%u", leaf);
		assert_int_equal(clos->leaf_switch[leaf], plan_case_node(&c, name));
		assert_int_equal(clos->switch_leaf[clos->leaf_switch[leaf]], leaf);
	}
	assert_int_equal(clos->nic_leaf[plan_case_node(&c, "h5.nic0")], 2);
	assert_int_equal(topo_hop_to(topo_graph_links(c.g),
				     clos->nic_hop[plan_case_node(&c, "h5.nic0")]),
			 plan_case_node(&c, "leaf2"));
	planner_clos_free(clos);
	plan_case_fini(&c);
}

/* Every bundle leads from the lower switch to the upper one that it says. */
static void test_bundles(void **state)
{
	const struct topo_link *links;
	struct planner_clos *clos;
	struct plan_case c;

	(void)state;
	plan_case_init3(&c, 3, 2, 2, 2, 4);
	links = topo_graph_links(c.g);
	assert_int_equal(planner_clos_new(c.g, 0, &clos, NULL), 0);
	assert_int_equal(clos->n_leaves, 6);
	assert_int_equal(clos->n_pods, 3);
	assert_int_equal(clos->n_groups, 2);
	assert_int_equal(clos->n_cores, 4);
	for (uint32_t leaf = 0; leaf < 6; leaf++)
		for (uint32_t group = 0; group < 2; group++) {
			uint32_t hop =
				clos->leaf_hops[clos->leaf_first[leaf * 2 + group]];

			assert_int_equal(clos->leaf_pod[leaf], leaf / 2);
			assert_int_equal(topo_hop_from(links, hop),
					 clos->leaf_switch[leaf]);
			assert_int_equal(topo_hop_to(links, hop),
					 clos->spine_switch[leaf / 2 * 2 + group]);
		}
	for (uint32_t b = 0; b < 3 * 2 * 4; b++) {
		uint32_t hop = clos->core_hops[clos->core_first[b]];

		assert_int_equal(topo_hop_from(links, hop), clos->spine_switch[b / 4]);
		assert_int_equal(topo_hop_to(links, hop), clos->core_switch[b % 8]);
	}
	planner_clos_free(clos);
	plan_case_fini(&c);
}

static void test_dead_cable(void **state)
{
	struct planner_clos *clos;
	struct plan_case c;
	size_t bundle;

	(void)state;
	plan_case_init(&c, 3, 2, 4, 1);
	plan_case_kill(&c, "leaf1-spine2");
	plan_case_kill(&c, "h5.nic0-leaf2");
	assert_int_equal(planner_clos_new(c.g, 0, &clos, NULL), 0);
	assert_false(clos->is_regular_leaf);
	bundle = 1 * 4 + 2;
	assert_int_equal(clos->leaf_first[bundle], clos->leaf_first[bundle + 1]);
	assert_int_equal(clos->leaf_first[12], 11);
	assert_int_equal(clos->nic_leaf[plan_case_node(&c, "h5.nic0")], TOPO_NONE);
	planner_clos_free(clos);
	plan_case_fini(&c);
}

static void test_planes(void **state)
{
	struct planner_clos *clos[2];
	struct plan_case c;
	uint32_t nic;

	(void)state;
	plan_case_init(&c, 2, 2, 2, 2);
	nic = plan_case_node(&c, "h0.nic0");
	for (uint32_t plane = 0; plane < 2; plane++) {
		assert_int_equal(planner_clos_new(c.g, plane, &clos[plane], NULL), 0);
		assert_int_equal(clos[plane]->n_leaves, 2);
		assert_int_equal(clos[plane]->n_groups, 2);
	}
	assert_int_not_equal(clos[0]->nic_hop[nic], clos[1]->nic_hop[nic]);
	assert_int_not_equal(clos[0]->leaf_switch[0], clos[1]->leaf_switch[0]);
	planner_clos_free(clos[0]);
	planner_clos_free(clos[1]);
	planner_clos_free(NULL);
	plan_case_fini(&c);
}

/* Switches s0, s1, ... of these tiers in a chain, a NIC at the first and at @nic_at. */
struct odd_case {
	const char *name;
	uint32_t n, tiers[5], nic_at;
	const char *message;
};

static struct odd_case odd_cases[] = {
	{ "a link that skips a tier", 3, { 1, 3, 2 }, 0, "link 0 joins tiers 1 and 3" },
	{ "two leaves joined", 2, { 1, 1 }, 1, "link 0 joins tiers 1 and 1" },
	{ "four tiers", 4, { 1, 2, 3, 4 }, 0, "more than three tiers of switches" },
	{ "a NIC on a spine", 2, { 1, 2 }, 1, "joins a NIC to a switch of tier 2" },
};

static void link_up(struct topo_graph *g, uint32_t a, uint32_t b)
{
	struct topo_link link = { .a = a,
				  .b = b,
				  .rate_bps = CASE_RATE_BPS,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE };

	assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
}

static void test_no_clos(void **state)
{
	const struct odd_case *o = *state;
	struct topo_graph *g = topo_graph_new();
	struct planner_clos *clos = NULL;
	struct base_err err = { 0 };
	uint32_t host, nics[2], switches[5];

	assert_non_null(g);
	assert_int_equal(
		topo_graph_add_host(g, TOPO_NONE, "h", 1, TOPO_NONE, &host, NULL), 0);
	assert_int_equal(topo_graph_add_nic(g, host, "a", 1, TOPO_NONE, &nics[0], NULL),
			 0);
	assert_int_equal(topo_graph_add_nic(g, host, "b", 1, TOPO_NONE, &nics[1], NULL),
			 0);
	for (uint32_t i = 0; i < o->n; i++) {
		char name[16];

		snprintf(name, sizeof(name), "s%u", i);
		assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, name, 2, o->tiers[i],
						       TOPO_NONE, TOPO_NONE, TOPO_NONE,
						       &switches[i], NULL),
				 0);
		if (i > 0)
			link_up(g, switches[i - 1], switches[i]);
	}
	link_up(g, nics[0], switches[0]);
	link_up(g, nics[1], switches[o->nic_at]);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	assert_int_equal(planner_clos_new(g, 0, &clos, &err), -BASE_E_INVALID);
	assert_null(clos);
	assert_non_null(strstr(err.message, o->message));
	topo_graph_free(g);
}

/* As many cables everywhere, but one of another rate: not regular. */
static void test_unequal_rates(void **state)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t leaves[2], spine, host, nic;
	struct planner_clos *clos;
	struct topo_link slow = { .rate_bps = CASE_RATE_BPS / 2,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE };

	(void)state;
	assert_non_null(g);
	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, "spine", 5, 2, TOPO_NONE,
					       TOPO_NONE, TOPO_NONE, &spine, NULL),
			 0);
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
		link_up(g, nic, leaves[i]);
	}
	link_up(g, leaves[0], spine);
	slow.a = leaves[1];
	slow.b = spine;
	assert_int_equal(topo_graph_add_link(g, &slow, NULL, NULL), 0);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	assert_int_equal(planner_clos_new(g, 0, &clos, NULL), 0);
	assert_int_equal(clos->leaf_first[2], 2);
	assert_false(clos->is_regular_leaf);
	planner_clos_free(clos);
	topo_graph_free(g);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "two tiers", test_two_tiers);
	rows_add_test(&rows, "bundles of three tiers", test_bundles);
	rows_add_test(&rows, "a dead cable leaves an empty bundle", test_dead_cable);
	rows_add_test(&rows, "each plane is a Clos of its own", test_planes);
	rows_add_test(&rows, "cables of two rates", test_unequal_rates);
	ROWS_ADD(&rows, test_no_clos, odd_cases);
	return rows_run(&rows, "planner_clos");
}
