/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <topo/generate.h>
#include <topo/path.h>

#define GBIT UINT64_C(1000000000)

static uint32_t degree(const struct topo_graph *g, uint32_t node)
{
	uint32_t n;

	topo_graph_hops(g, node, &n);
	return n;
}

static uint32_t count_tier(const struct topo_graph *g, uint8_t tier)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n = 0;

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++)
		n += nodes[i].kind == TOPO_SWITCH && nodes[i].tier == tier;
	return n;
}

/* The only degree of all switches of a tier (or all NICs for tier 0); fails when they
 * differ. */
static uint32_t common_degree(const struct topo_graph *g, uint8_t tier)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t common = UINT32_MAX;

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++) {
		if (nodes[i].tier != tier ||
		    nodes[i].kind != (tier ? TOPO_SWITCH : TOPO_NIC))
			continue;
		if (common == UINT32_MAX)
			common = degree(g, i);
		assert_int_equal(degree(g, i), common);
	}
	return common;
}

static uint32_t find(const struct topo_graph *g, const char *host, const char *name)
{
	const struct topo_node *nodes = topo_graph_nodes(g);

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++) {
		uint32_t parent = nodes[i].parent;

		if (strcmp(topo_graph_text(g, nodes[i].name), name) != 0)
			continue;
		if (!host && parent == TOPO_NONE)
			return i;
		if (host && parent != TOPO_NONE &&
		    strcmp(topo_graph_text(g, nodes[parent].name), host) == 0)
			return i;
	}
	fail_msg("there is no %s", name);
	return TOPO_NONE;
}

/* The switch at the other end of the NIC's link number @index. */
static uint32_t leaf_of(const struct topo_graph *g, uint32_t nic, uint32_t index)
{
	uint32_t n;
	const uint32_t *hops = topo_graph_hops(g, nic, &n);

	assert_true(index < n);
	return topo_hop_to(topo_graph_links(g), hops[index]);
}

static uint64_t count_paths(const struct topo_graph *g, const char *from, const char *to,
			    uint32_t plane)
{
	struct topo_paths *paths;
	uint64_t count;

	assert_int_equal(topo_paths_new(g, &paths), 0);
	assert_int_equal(topo_paths_aim(paths, find(g, to, "nic0"), plane), 0);
	count = topo_paths_count(paths, find(g, from, "nic0"));
	topo_paths_free(paths);
	return count;
}

static void test_leaf_spine(void **state)
{
	struct topo_clos2 shape = { .leaves = 16,
				    .nics_per_leaf = 8,
				    .spines = 8,
				    .links = 2,
				    .nic_rate_bps = 200 * GBIT,
				    .uplink_rate_bps = 100 * GBIT };
	struct topo_graph *g;
	const struct topo_link *links;

	(void)state;
	assert_int_equal(topo_generate_clos2(&shape, &g, NULL), 0);
	links = topo_graph_links(g);
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 128);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 128);
	assert_int_equal(count_tier(g, 1), 16);
	assert_int_equal(count_tier(g, 2), 8);
	assert_int_equal(topo_graph_n_tiers(g), 2);
	assert_int_equal(topo_graph_n_planes(g), 1);
	assert_int_equal(topo_graph_n_links(g), 128 + 16 * 8 * 2);
	assert_int_equal(common_degree(g, 0), 1);
	assert_int_equal(common_degree(g, 1), 8 + 16);
	assert_int_equal(common_degree(g, 2), 32);
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++)
		assert_int_equal(links[i].rate_bps, (i < 128 ? 200 : 100) * GBIT);
	/* Two uplinks times two downlinks over each of 8 spines; within a leaf there is
	 * one. */
	assert_int_equal(count_paths(g, "h0", "h127", TOPO_NONE), 32);
	assert_int_equal(count_paths(g, "h0", "h7", TOPO_NONE), 1);
	topo_graph_free(g);
}

static void test_rails(void **state)
{
	struct topo_clos2 shape = { .leaves = 16,
				    .nics_per_leaf = 4,
				    .spines = 8,
				    .nics_per_host = 8,
				    .rail = true,
				    .nic_rate_bps = GBIT };
	const struct topo_node *nodes;
	struct topo_graph *g;

	(void)state;
	assert_int_equal(topo_generate_clos2(&shape, &g, NULL), 0);
	nodes = topo_graph_nodes(g);
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 8);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 64);
	assert_int_equal(common_degree(g, 1), 4 + 8);
	for (uint32_t nic = 0; nic < topo_graph_n_nodes(g); nic++) {
		if (nodes[nic].kind != TOPO_NIC)
			continue;
		assert_true(nodes[nic].rail < 8);
		assert_int_equal(nodes[leaf_of(g, nic, 0)].rail, nodes[nic].rail);
	}
	/* h3 is the last of segment 0, h4 the first of segment 1. */
	assert_int_equal(leaf_of(g, find(g, "h3", "nic5"), 0), find(g, NULL, "leaf5"));
	assert_int_equal(leaf_of(g, find(g, "h4", "nic0"), 0), find(g, NULL, "leaf8"));
	topo_graph_free(g);
}

static void test_three_tiers(void **state)
{
	struct topo_clos3 shape = { .pods = 4,
				    .leaves = 8,
				    .nics_per_leaf = 16,
				    .spines = 8,
				    .cores_per_spine = 4,
				    .nic_rate_bps = 400 * GBIT,
				    .core_rate_bps = 800 * GBIT };
	const struct topo_node *nodes;
	const struct topo_link *links;
	struct topo_graph *g;

	(void)state;
	assert_int_equal(topo_generate_clos3(&shape, &g, NULL), 0);
	nodes = topo_graph_nodes(g);
	links = topo_graph_links(g);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 512);
	assert_int_equal(count_tier(g, 1), 32);
	assert_int_equal(count_tier(g, 2), 32);
	assert_int_equal(count_tier(g, 3), 32);
	assert_int_equal(common_degree(g, 1), 16 + 8);
	assert_int_equal(common_degree(g, 2), 8 + 4);
	assert_int_equal(common_degree(g, 3), 4);
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++) {
		const struct topo_node *a = &nodes[links[i].a], *b = &nodes[links[i].b];

		if (b->tier == 3) {
			assert_int_equal(links[i].rate_bps, 800 * GBIT);
			assert_int_equal(b->pod, TOPO_NONE);
		} else {
			const struct topo_node *of =
				a->kind == TOPO_NIC ? &nodes[a->parent] : a;

			assert_int_equal(links[i].rate_bps, 400 * GBIT);
			assert_int_equal(of->pod, b->pod);
			assert_true(b->pod < 4);
		}
	}
	assert_int_equal(count_paths(g, "h0", "h511", TOPO_NONE), 8 * 4);
	assert_int_equal(count_paths(g, "h0", "h127", TOPO_NONE), 8);
	topo_graph_free(g);
}

static void test_contract_shape(void **state)
{
	struct topo_clos3 shape = { .pods = 8,
				    .leaves = 32,
				    .nics_per_leaf = 64,
				    .spines = 64,
				    .cores_per_spine = 32,
				    .rail = true,
				    .nic_rate_bps = 400 * GBIT };
	struct topo_graph *g;

	(void)state;
	assert_int_equal(topo_generate_clos3(&shape, &g, NULL), 0);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 16384);
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 2048);
	assert_int_equal(count_tier(g, 3), 2048);
	assert_int_equal(topo_graph_n_links(g), 16384 + 8 * 32 * 64 + 8 * 64 * 32);
	assert_int_equal(count_paths(g, "h0", "h2047", TOPO_NONE), 2048);
	topo_graph_free(g);
}

static void test_fat_tree(void **state)
{
	struct topo_graph *g;

	(void)state;
	assert_int_equal(topo_generate_fat_tree(8, 100 * GBIT, &g, NULL), 0);
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 128);
	assert_int_equal(count_tier(g, 1), 32);
	assert_int_equal(count_tier(g, 2), 32);
	assert_int_equal(count_tier(g, 3), 16);
	for (uint8_t tier = 1; tier <= 3; tier++)
		assert_int_equal(common_degree(g, tier), 8);
	assert_int_equal(count_paths(g, "h0", "h127", TOPO_NONE), 16);
	assert_int_equal(count_paths(g, "h0", "h4", TOPO_NONE), 4);
	topo_graph_free(g);
}

static void test_dual_plane(void **state)
{
	struct topo_dual_plane shape = { .segments = 2,
					 .hosts_per_segment = 8,
					 .nics_per_host = 8,
					 .spines = 8,
					 .port_rate_bps = 200 * GBIT };
	const struct topo_node *nodes;
	const struct topo_link *links;
	struct topo_graph *g;

	(void)state;
	assert_int_equal(topo_generate_dual_plane(&shape, &g, NULL), 0);
	nodes = topo_graph_nodes(g);
	links = topo_graph_links(g);
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 16);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 128);
	assert_int_equal(topo_graph_n_planes(g), 2);
	assert_int_equal(count_tier(g, 1), 2 * 2 * 8);
	assert_int_equal(count_tier(g, 2), 2 * 8);
	assert_int_equal(common_degree(g, 0), 2);
	assert_int_equal(common_degree(g, 1), 8 + 8);
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++) {
		const struct topo_node *a = &nodes[links[i].a], *b = &nodes[links[i].b];

		assert_true(b->plane < 2);
		assert_int_equal(topo_graph_link_plane(g, i), b->plane);
		if (a->kind == TOPO_SWITCH)
			assert_int_equal(a->plane, b->plane); /* planes never meet */
		else
			assert_int_equal(a->rail, b->rail);
	}
	assert_int_equal(topo_graph_nic_rate_bps(g, find(g, "h9", "nic3")), 400 * GBIT);
	assert_int_equal(count_paths(g, "h0", "h15", 0), 8);
	assert_int_equal(count_paths(g, "h0", "h15", 1), 8);
	topo_graph_free(g);
}

static void test_same_shape_same_graph(void **state)
{
	struct topo_graph *a, *b;

	(void)state;
	assert_int_equal(topo_generate_fat_tree(4, GBIT, &a, NULL), 0);
	assert_int_equal(topo_generate_fat_tree(4, GBIT, &b, NULL), 0);
	assert_true(topo_graph_fingerprint(a) == topo_graph_fingerprint(b));
	topo_graph_free(b);
	assert_int_equal(topo_generate_fat_tree(4, 2 * GBIT, &b, NULL), 0);
	assert_true(topo_graph_fingerprint(a) != topo_graph_fingerprint(b));
	topo_graph_free(a);
	topo_graph_free(b);
}

struct refused2 {
	const char *name;
	struct topo_clos2 shape;
	int want;
	const char *says;
};

static struct refused2 refused2_cases[] = {
	{ "no leaf",
	  { .nics_per_leaf = 1, .spines = 1, .nic_rate_bps = 1 },
	  -BASE_E_INVALID,
	  "\"leaves\"" },
	{ "no NIC",
	  { .leaves = 1, .spines = 1, .nic_rate_bps = 1 },
	  -BASE_E_INVALID,
	  "\"NICs per leaf\"" },
	{ "no spine",
	  { .leaves = 1, .nics_per_leaf = 1, .nic_rate_bps = 1 },
	  -BASE_E_INVALID,
	  "\"spines\"" },
	{ "no rate",
	  { .leaves = 1, .nics_per_leaf = 1, .spines = 1 },
	  -BASE_E_INVALID,
	  "\"rate of a NIC link\"" },
	{ "hosts that straddle leaves",
	  { .leaves = 4,
	    .nics_per_leaf = 6,
	    .spines = 1,
	    .nics_per_host = 4,
	    .nic_rate_bps = 1 },
	  -BASE_E_INVALID,
	  "6 NICs per leaf do not divide into hosts of 4 NICs" },
	{ "rails that do not fill a segment",
	  { .leaves = 12,
	    .nics_per_leaf = 1,
	    .spines = 1,
	    .rail = true,
	    .nic_rate_bps = 1 },
	  -BASE_E_INVALID,
	  "12 leaves do not divide into segments of 8 rail leaves" },
	{ "more nodes than the ceiling",
	  { .leaves = 65536, .nics_per_leaf = 65536, .spines = 1, .nic_rate_bps = 1 },
	  -BASE_E_TOO_LARGE,
	  "nodes" },
	{ "counts whose product overflows",
	  { .leaves = UINT32_MAX,
	    .nics_per_leaf = UINT32_MAX,
	    .spines = UINT32_MAX,
	    .links = UINT32_MAX,
	    .planes = UINT32_MAX,
	    .nic_rate_bps = 1 },
	  -BASE_E_TOO_LARGE,
	  "nodes" },
	{ "more links than the ceiling",
	  { .leaves = 100000, .nics_per_leaf = 1, .spines = 1000, .nic_rate_bps = 1 },
	  -BASE_E_TOO_LARGE,
	  "links" },
};

static void test_refused2(void **state)
{
	const struct refused2 *c = *state;
	struct topo_graph *g = NULL;
	struct base_err err = { 0 };

	assert_int_equal(topo_generate_clos2(&c->shape, &g, &err), c->want);
	assert_null(g);
	assert_int_equal(err.code, c->want);
	if (!strstr(err.message, c->says))
		fail_msg("\"%s\" does not say %s", err.message, c->says);
}

static void test_refused_others(void **state)
{
	struct topo_clos3 flat = {
		.pods = 2, .leaves = 2, .nics_per_leaf = 2, .spines = 2, .nic_rate_bps = 1
	};
	struct topo_dual_plane wide = { .segments = UINT32_MAX,
					.hosts_per_segment = 1,
					.nics_per_host = 8,
					.spines = 1,
					.port_rate_bps = 1 };
	struct topo_graph *g = NULL;

	(void)state;
	assert_int_equal(topo_generate_clos3(&flat, &g, NULL), -BASE_E_INVALID);
	assert_int_equal(topo_generate_fat_tree(5, GBIT, &g, NULL), -BASE_E_INVALID);
	assert_int_equal(topo_generate_fat_tree(0, GBIT, &g, NULL), -BASE_E_INVALID);
	assert_int_equal(topo_generate_fat_tree(4, 0, &g, NULL), -BASE_E_INVALID);
	assert_int_equal(topo_generate_dual_plane(&wide, &g, NULL), -BASE_E_TOO_LARGE);
	wide.segments = 0;
	assert_int_equal(topo_generate_dual_plane(&wide, &g, NULL), -BASE_E_INVALID);
	wide.segments = 1;
	wide.hosts_per_segment = 0;
	assert_int_equal(topo_generate_dual_plane(&wide, &g, NULL), -BASE_E_INVALID);
	assert_null(g);
}

int main(void)
{
	const struct CMUnitTest shapes[] = {
		cmocka_unit_test(test_leaf_spine),
		cmocka_unit_test(test_rails),
		cmocka_unit_test(test_three_tiers),
		cmocka_unit_test(test_contract_shape),
		cmocka_unit_test(test_fat_tree),
		cmocka_unit_test(test_dual_plane),
		cmocka_unit_test(test_same_shape_same_graph),
		cmocka_unit_test(test_refused_others),
	};
	struct CMUnitTest refused[BASE_COUNT(refused2_cases)] = { 0 };
	int failed = cmocka_run_group_tests_name("topo_generate", shapes, NULL, NULL);

	for (size_t i = 0; i < BASE_COUNT(refused); i++) {
		refused[i].name = refused2_cases[i].name;
		refused[i].test_func = test_refused2;
		refused[i].initial_state = &refused2_cases[i];
	}
	failed += cmocka_run_group_tests_name("topo_generate_clos2 refuses", refused,
					      NULL, NULL);
	return failed;
}
