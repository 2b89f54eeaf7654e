/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <topo/graph.h>

static uint32_t add_switch(struct topo_graph *g, const char *name, uint32_t tier)
{
	uint32_t node;

	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, name, strlen(name), tier,
					       TOPO_NONE, TOPO_NONE, TOPO_NONE, &node,
					       NULL),
			 0);
	return node;
}

/* A host of its own with one NIC. */
static uint32_t add_nic(struct topo_graph *g, const char *host)
{
	uint32_t node;

	assert_int_equal(topo_graph_add_host(g, TOPO_NONE, host, strlen(host), TOPO_NONE,
					     &node, NULL),
			 0);
	assert_int_equal(topo_graph_add_nic(g, node, "nic0", 4, TOPO_NONE, &node, NULL),
			 0);
	return node;
}

static uint32_t add_link(struct topo_graph *g, uint32_t a, uint32_t b, uint64_t rate_bps)
{
	struct topo_link link = { .a = a,
				  .b = b,
				  .rate_bps = rate_bps,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE };
	uint32_t id;

	assert_int_equal(topo_graph_add_link(g, &link, &id, NULL), 0);
	return id;
}

/* Tiers come from the nearest NIC: h0 - s0 - s1 - s2 - s3 - h1 has tiers 1 2 2 1. */
static void test_tiers(void **state)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t s[4], nic0 = add_nic(g, "h0"), nic1 = add_nic(g, "h1");
	static const char *const names[] = { "s0", "s1", "s2", "s3" };

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		s[i] = add_switch(g, names[i], 0);
	for (unsigned i = 0; i < 3; i++)
		add_link(g, s[i], s[i + 1], 1);
	add_link(g, nic0, s[0], 1);
	topo_graph_set_state(g, add_link(g, s[3], nic1, 1),
			     TOPO_DOWN); /* a cable all the same */
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	assert_int_equal(topo_graph_nodes(g)[s[0]].tier, 1);
	assert_int_equal(topo_graph_nodes(g)[s[1]].tier, 2);
	assert_int_equal(topo_graph_nodes(g)[s[2]].tier, 2);
	assert_int_equal(topo_graph_nodes(g)[s[3]].tier, 1);
	assert_int_equal(topo_graph_nodes(g)[nic0].tier, 0);
	assert_int_equal(topo_graph_n_tiers(g), 2);
	topo_graph_free(g);
}

static void test_given_tier_stays(void **state)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t nic = add_nic(g, "h0"), given = add_switch(g, "a", 5),
		 free_one = add_switch(g, "b", 0);

	(void)state;
	add_link(g, nic, given, 1);
	add_link(g, given, free_one, 1);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	assert_int_equal(topo_graph_nodes(g)[given].tier, 5);
	assert_int_equal(topo_graph_nodes(g)[free_one].tier, 2);
	assert_int_equal(topo_graph_n_tiers(g), 5);
	topo_graph_free(g);
}

/* After a refused seal the graph can be mended and sealed. */
static void test_no_nic(void **state)
{
	struct topo_graph *g = topo_graph_new();
	struct base_err err = { 0 };

	(void)state;
	add_switch(g, "a", 1);
	assert_int_equal(topo_graph_seal(g, &err), -BASE_E_INVALID);
	assert_string_equal(err.message, "the fabric has no NIC");
	add_nic(g, "h0");
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	topo_graph_free(g);
}

static void test_unreached_switch(void **state)
{
	struct topo_graph *g = topo_graph_new();
	struct base_err err = { 0 };
	uint32_t nic = add_nic(g, "h0"), lost;

	(void)state;
	add_link(g, nic, add_switch(g, "a", 0), 1);
	lost = add_switch(g, "lost", 0);
	add_link(g, lost, add_switch(g, "spare", 1), 1);
	assert_int_equal(topo_graph_seal(g, &err), -BASE_E_INVALID);
	assert_string_equal(err.message,
			    "no link leads from any NIC to switch \"lost\": give it a "
			    "tier, or the links that it lacks");
	assert_int_equal(topo_graph_nodes(g)[lost].tier, 0);
	add_link(g, lost, nic, 1);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	assert_int_equal(topo_graph_nodes(g)[lost].tier, 1);
	topo_graph_free(g);
}

static void test_too_far(void **state)
{
	struct topo_graph *g = topo_graph_new();
	struct base_err err = { 0 };
	uint32_t last = add_nic(g, "h0");
	char name[16];

	(void)state;
	for (unsigned i = 0; i <= TOPO_TIERS_MAX; i++) {
		uint32_t node;

		snprintf(name, sizeof(name), "s%u", i);
		node = add_switch(g, name, 0);
		add_link(g, last, node, 1);
		last = node;
	}
	assert_int_equal(topo_graph_seal(g, &err), -BASE_E_INVALID);
	assert_string_equal(err.message,
			    "switch \"s255\" is 256 hops from the nearest NIC; give it "
			    "a tier of at most 255");
	topo_graph_free(g);
}

static void test_adjacency(void **state)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t nic = add_nic(g, "h0"), leaf = add_switch(g, "leaf", 0),
		 spine = add_switch(g, "spine", 0);
	uint32_t n;
	const uint32_t *list;

	(void)state;
	add_link(g, leaf, spine, 3);
	add_link(g, nic, leaf, 5);
	add_link(g, spine, leaf, 7);
	add_link(g, nic, leaf, 11);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	list = topo_graph_hops(g, leaf, &n);
	assert_int_equal(n, 4);
	assert_int_equal(list[0], 0); /* leaf > spine */
	assert_int_equal(list[1], 3); /* leaf > nic */
	assert_int_equal(list[2], 5); /* leaf > spine */
	assert_int_equal(list[3], 7);
	assert_int_equal(topo_hop_from(topo_graph_links(g), 5), leaf);
	assert_int_equal(topo_hop_to(topo_graph_links(g), 5), spine);
	assert_int_equal(topo_hop_reverse(5), 4);
	list = topo_graph_children(g, topo_graph_nodes(g)[nic].parent, &n);
	assert_int_equal(n, 1);
	assert_int_equal(list[0], nic);
	topo_graph_children(g, leaf, &n);
	assert_int_equal(n, 0);
	topo_graph_hops(g, topo_graph_nodes(g)[nic].parent, &n);
	assert_int_equal(n, 0);
	assert_int_equal(topo_graph_nic_rate_bps(g, nic), 16);
	assert_int_equal(topo_graph_parallel(g, 0), 1);
	assert_int_equal(topo_graph_parallel(g, 2), 2);
	assert_int_equal(topo_graph_parallel(g, 1), 1);
	assert_int_equal(topo_graph_parallel(g, 3), 2);
	topo_graph_free(g);
}

/* The fabric of the fingerprint tests, with one thing changed. */
enum change {
	NOTHING,
	NODE_ORDER,
	LINK_ORDER,
	NAME,
	RATE,
	DELAY,
	TURN,
	STATE,
	PORT,
	ADDRESS,
	POD,
	RAIL
};

static uint64_t fingerprint_with(enum change change)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t leaf = TOPO_NONE, host, nic, text;
	struct topo_link link = { .rate_bps = change == RATE ? 2 : 1,
				  .delay_ns = change == DELAY,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE,
				  .state = change == STATE ? TOPO_DOWN : TOPO_UP };
	uint64_t fingerprint;

	if (change == NODE_ORDER)
		leaf = add_switch(g, "leaf", 1);
	assert_int_equal(topo_graph_add_host(g, TOPO_NONE, "h0", 2, change == POD ? 1 : 0,
					     &host, NULL),
			 0);
	assert_int_equal(topo_graph_add_nic(g, host, change == NAME ? "nic1" : "nic0", 4,
					    change == RAIL ? 0 : TOPO_NONE, &nic, NULL),
			 0);
	if (change != NODE_ORDER)
		leaf = add_switch(g, "leaf", 1);
	assert_int_equal(topo_graph_intern(g, "x", 1, &text), 0);
	if (change == PORT)
		link.port_b = text;
	if (change == ADDRESS)
		link.address = text;
	link.a = change == TURN ? leaf : nic;
	link.b = change == TURN ? nic : leaf;
	if (change == LINK_ORDER)
		add_link(g, nic, leaf, 7);
	assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
	if (change != LINK_ORDER)
		add_link(g, nic, leaf, 7);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	fingerprint = topo_graph_fingerprint(g);
	topo_graph_free(g);
	return fingerprint;
}

static void test_fingerprint(void **state)
{
	uint64_t plain = fingerprint_with(NOTHING);

	(void)state;
	assert_int_equal(fingerprint_with(NOTHING), plain);
	assert_int_equal(fingerprint_with(NODE_ORDER), plain);
	for (enum change c = LINK_ORDER; c <= RAIL; c++) {
		assert_int_not_equal(fingerprint_with(c), plain);
		for (enum change d = LINK_ORDER; d < c; d++)
			assert_int_not_equal(fingerprint_with(c), fingerprint_with(d));
	}
}

/* Documents carry fingerprints from one machine to another: the value itself must not
 * change. */
static void test_fingerprint_is_stable(void **state)
{
	(void)state;
	assert_int_equal(fingerprint_with(NOTHING), UINT64_C(0x79959877B8833E32));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tiers),
		cmocka_unit_test(test_given_tier_stays),
		cmocka_unit_test(test_no_nic),
		cmocka_unit_test(test_unreached_switch),
		cmocka_unit_test(test_too_far),
		cmocka_unit_test(test_adjacency),
		cmocka_unit_test(test_fingerprint),
		cmocka_unit_test(test_fingerprint_is_stable),
	};

	return cmocka_run_group_tests_name("topo/graph_seal", tests, NULL, NULL);
}
