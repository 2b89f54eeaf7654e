/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <stddef.h>
#include <stdint.h>
#include <topo/load.h>
#include "import_case.h"

#define GBIT UINT64_C(1000000000)

/* Pieces of files, to be put together and left out. */
#define HEAD "Nodes 16\nTiers 3\nPodsize 4\n"
#define TIER0                                                                            \
	"Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\nOversubscribed 2\n"
#define TIER1 "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\n"
#define TIER2 "Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 4\n"
#define FLAT "Nodes 8\nTiers 2\nPodsize 8\n"
#define LEAF "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 4\n"

static void test_three_tiers(void **state)
{
	struct topo_graph *g = import_text("htsim", HEAD TIER0 TIER1 TIER2, NULL);
	const struct topo_node *nodes = topo_graph_nodes(g);

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 16);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 16);
	assert_int_equal(topo_graph_count(g, TOPO_SWITCH), 8 + 4 + 2);
	assert_int_equal(topo_graph_n_links(g), 16 + 8 + 8);
	assert_int_equal(nodes[find_node(g, "leaf7")].pod, 3);
	assert_int_equal(nodes[find_node(g, "h12")].pod, 3);
	assert_int_equal(nodes[find_node(g, "core1")].pod, TOPO_NONE);
	assert_int_equal(nodes[find_node(g, "core1")].tier, 3);
	assert_int_equal(count_links(g, "h3.nic0", "leaf1"), 1);
	assert_int_equal(count_links(g, "leaf7", "spine3"), 1);
	assert_int_equal(count_links(g, "leaf7", "spine2"), 0);
	assert_int_equal(count_links(g, "spine0", "core1"), 1);
	assert_string_equal(assumed(g, "oversubscription"), "1 to 1 in tier 1");
	assert_string_equal(assumed(g, "links_per_pair"), "1 below tier 1");
	assert_string_equal(assumed(g, "link_delay"), "not known below tier 0");
	topo_graph_free(g);
}

/* Six spines in a pod, twelve cores: spine s reaches cores s and s + 6, with three links
 * each. */
static void test_bundles_above_spines(void **state)
{
	struct topo_graph *g = import_text(
		"htsim",
		"# long haul\n"
		"nodes 432\ntiers 3\npodsize 36\n\n"
		"tier 2\nbundle 3\ndownlink_speed_gbps 100\nradix_down 36\n"
		"downlink_latency_ns 600000\r\n"
		"tier 0\ndownlink_speed_gbps 100\nradix_down 6 # ports\nradix_up 6\n"
		"tier 1\ndownlink_speed_gbps 100\nradix_down 6\nradix_up 6",
		NULL);
	const struct topo_link *links = topo_graph_links(g);

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_SWITCH), 72 + 72 + 12);
	assert_int_equal(topo_graph_n_links(g), 3 * 432);
	assert_int_equal(count_links(g, "spine67", "core1"), 3);
	assert_int_equal(count_links(g, "spine67", "core7"), 3);
	assert_int_equal(count_links(g, "spine67", "core2"), 0);
	assert_int_equal(links[topo_graph_n_links(g) - 1].delay_ns, 600000);
	assert_int_equal(links[0].delay_ns, 0);
	topo_graph_free(g);
}

/* Faster uplinks: 4 x 100 down is 1 x 400 up. */
static void test_two_tiers(void **state)
{
	struct topo_graph *g = import_text(
		"htsim",
		FLAT "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 1\n"
		     "Switch_Latency_ns 300\nQueue_Up 1000\n"
		     "Tier 1\nDownlink_speed_Gbps 400\nRadix_Down 2\nBundle 1\n"
		     "Downlink_Latency_ns 500\n",
		NULL);
	const struct topo_link *links = topo_graph_links(g);

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_SWITCH), 2 + 1);
	assert_int_equal(topo_graph_n_tiers(g), 2);
	assert_int_equal(links[0].rate_bps, 100 * GBIT);
	assert_int_equal(links[8].rate_bps, 400 * GBIT);
	assert_int_equal(links[8].delay_ns, 500);
	assert_string_equal(assumed(g, "switch_latency"), "300 ns of tier 0 left out");
	assert_null(assumed(g, "links_per_pair"));
	assert_int_equal(topo_graph_nodes(g)[find_node(g, "leaf0")].pod, TOPO_NONE);
	topo_graph_free(g);
}

static void test_parallel_uplinks(void **state)
{
	struct topo_graph *g = import_text(
		"htsim",
		FLAT LEAF "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\nBundle 2\n",
		NULL);

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_SWITCH), 4);
	assert_int_equal(count_links(g, "leaf1", "spine1"), 2);
	topo_graph_free(g);
}

static void test_sniff(void **state)
{
	(void)state;
	assert_true(sniffed("htsim", HEAD) > 50);
	assert_true(sniffed("htsim", "# a comment\n\npodsize 4\n") > 50);
	assert_true(sniffed("htsim", "Nodes 16\nConnections 16\n0->1 start 0 size 1\n") <=
		    50);
	assert_int_equal(sniffed("htsim", "topology dragonfly\n"), 0);
	assert_int_equal(sniffed("htsim", "7 3 6\n4 5 6\n"), 0);
	assert_int_equal(sniffed("htsim", "ip,DSW,PSW,ASW\n"), 0);
	assert_int_equal(sniffed("htsim", "{}"), 0);
	assert_int_equal(sniffed("htsim", ""), 0);
}

static struct refused_case refused[] = {
	{ "an empty file", "", -BASE_E_INVALID, 0, 0,
	  "\"Nodes\" is missing in the header" },
	{ "no pod size", "Nodes 16\nTiers 3\n", -BASE_E_INVALID, 2, 0,
	  "\"Podsize\" is missing in the header" },
	{ "an unknown key", HEAD "Tier 0\nRadix_Dwon 2\n", -BASE_E_UNKNOWN, 5, 1,
	  "unknown key \"Radix_Dwon\"; did you mean \"Radix_Down\"?" },
	{ "a key of nothing we know", "topology dragonfly\n", -BASE_E_UNKNOWN, 1, 1,
	  "unknown key \"topology\"" },
	{ "a key without number", "Nodes\n", -BASE_E_SYNTAX, 1, 1,
	  "\"Nodes\" needs a number" },
	{ "a number that is none", "Nodes many\n", -BASE_E_SYNTAX, 1, 7,
	  "Nodes must be a whole number up to 4294967295, not \"many\"" },
	{ "a line with too much", "Nodes 16 17\n", -BASE_E_SYNTAX, 1, 10,
	  "a line is a key and a number; \"17\" is too much" },
	{ "no nodes", "Nodes 0\n", -BASE_E_INVALID, 1, 7, "Nodes must be above 0" },
	{ "2^32 nodes", "Nodes 4294967296\nTiers 2\nPodsize 1\n", -BASE_E_INVALID, 1, 7,
	  "Nodes is out of range or too finely divided: it must be a whole number up to "
	  "4294967295, not \"4294967296\"" },
	{ "nodes over the ceiling", "Nodes 4294967295\nTiers 2\nPodsize 1\n",
	  -BASE_E_TOO_LARGE, 1, 7, "4294967295 Nodes; the ceiling is 16000000" },
	{ "a key given twice", "Nodes 16\nTiers 2\nNodes 16\n", -BASE_E_DUPLICATE, 3, 1,
	  "\"Nodes\" is given twice; first in line 1" },
	{ "four tiers", "Nodes 16\nTiers 4\nPodsize 4\n", -BASE_E_INVALID, 2, 7,
	  "Tiers must be 2 or 3, not 4" },
	{ "a tier that does not exist", HEAD "Tier 3\n", -BASE_E_INVALID, 4, 6,
	  "Tier must be 0 (leaves), 1 or 2, not 3" },
	{ "a tier described twice", HEAD TIER0 "Tier 0\n", -BASE_E_DUPLICATE, 9, 1,
	  "Tier 0 is described twice; first in line 4" },
	{ "a tier's key in the header", "Nodes 16\nBundle 2\n", -BASE_E_INVALID, 2, 1,
	  "\"Bundle\" belongs to a tier; write \"Tier 0\" above it" },
	{ "a tier that is missing", HEAD TIER0 TIER1, -BASE_E_INVALID, 12, 0,
	  "there is no section \"Tier 2\"" },
	{ "a tier without radix", HEAD TIER0 TIER1 "Tier 2\nDownlink_speed_Gbps 100\n",
	  -BASE_E_INVALID, 13, 1, "Tier 2 does not say its \"Radix_Down\"" },
	{ "a tier too many",
	  FLAT LEAF "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\n" TIER2,
	  -BASE_E_INVALID, 11, 1, "Tier 2 is described, but Tiers is 2" },
	{ "uplinks of the highest tier", HEAD TIER0 TIER1 TIER2 "Radix_Up 2\n",
	  -BASE_E_INVALID, 16, 10,
	  "Tier 2 is the highest and has no uplinks; remove Radix_Up" },
	{ "bundles to the hosts", HEAD TIER0 "Bundle 2\n" TIER1 TIER2, -BASE_E_INVALID, 9,
	  8, "Bundle of Tier 0 must be 1: a node has one link" },
	{ "pods that do not divide", "Nodes 18\nTiers 3\nPodsize 4\n" TIER0 TIER1 TIER2,
	  -BASE_E_INVALID, 3, 9, "18 Nodes do not divide into pods of 4" },
	{ "leaves that do not divide", "Nodes 15\nTiers 3\nPodsize 5\n" TIER0 TIER1 TIER2,
	  -BASE_E_INVALID, 6, 12, "a pod of 5 nodes does not divide into leaves of 2" },
	{ "two pods of two tiers",
	  "Nodes 8\nTiers 2\nPodsize 4\n" LEAF
	  "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\n",
	  -BASE_E_INVALID, 3, 9,
	  "two tiers have nothing that joins 2 pods: Podsize must equal Nodes (8), or a "
	  "Tier 2 is missing" },
	{ "oversubscription that is not so",
	  HEAD "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\n" TIER1 TIER2,
	  -BASE_E_INVALID, 7, 10,
	  "Tier 0 has 200 Gbit/s down and 100 Gbit/s up for each switch, which is not "
	  "Oversubscribed 1 (the default, as it is not given)" },
	{ "spines that do not divide",
	  FLAT LEAF "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 3\n", -BASE_E_INVALID,
	  10, 12,
	  "the 8 leaf uplinks of a pod do not divide into spines with Radix_Down 3" },
	{ "a leaf radix that contradicts",
	  FLAT LEAF "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\n", -BASE_E_INVALID, 7,
	  10,
	  "Radix_Up of Tier 0 is 4, but spines of a pod times Bundle of Tier 1 is "
	  "2 x 1" },
	{ "speeds that contradict the radix",
	  "Nodes 8\nTiers 2\nPodsize 8\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down "
	  "8\nRadix_Up 2\nTier 1\nDownlink_speed_Gbps 300\nRadix_Down 1\n",
	  -BASE_E_INVALID, 7, 10,
	  "Tier 0 has 800 Gbit/s down and 600 Gbit/s up for each switch, which is not "
	  "Oversubscribed 1 (the default, as it is not given)" },
	{ "uplinks that do not divide into cores",
	  HEAD TIER0 TIER1 "Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 3\n",
	  -BASE_E_INVALID, 15, 12,
	  "8 uplinks of the spines do not divide into cores with Radix_Down 3" },
	{ "cores that do not divide among spines",
	  "Nodes 12\nTiers 3\nPodsize 4\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down "
	  "4\nRadix_Up 4\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 1\nRadix_Up 1\n"
	  "Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 2\n",
	  -BASE_E_INVALID, 14, 12, "6 cores do not divide among the 4 spines of a pod" },
	{ "a spine radix that contradicts",
	  HEAD TIER0 TIER1 "Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 8\n",
	  -BASE_E_INVALID, 12, 10,
	  "Radix_Up of Tier 1 is 2, but cores above a spine times Bundle of Tier 2 "
	  "is 1 x 1" },
	{ "too many switches",
	  "Nodes 8000000\nTiers 2\nPodsize 8000000\nTier 0\nDownlink_speed_Gbps "
	  "1\nRadix_Down 1\nRadix_Up 1\nTier 1\nDownlink_speed_Gbps 1\nRadix_Down "
	  "8000000\n",
	  -BASE_E_TOO_LARGE, 1, 7,
	  "the fabric would have 24000001 hosts, NICs and switches; the ceiling is "
	  "16000000" },
	{ "too many links",
	  "Nodes 1000\nTiers 2\nPodsize 1000\nTier 0\nDownlink_speed_Gbps "
	  "100000\nRadix_Down 1\nRadix_Up 100000\nTier 1\nDownlink_speed_Gbps "
	  "1\nRadix_Down 1\n",
	  -BASE_E_TOO_LARGE, 7, 10,
	  "100000000 uplinks of Tier 0 are more than the ceiling of 64000000 links" },
};

static void test_refused(void **state)
{
	check_refused("htsim", *state);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "three tiers", test_three_tiers);
	rows_add_test(&rows, "bundles above spines", test_bundles_above_spines);
	rows_add_test(&rows, "two tiers", test_two_tiers);
	rows_add_test(&rows, "parallel uplinks", test_parallel_uplinks);
	rows_add_test(&rows, "sniff", test_sniff);
	ROWS_ADD(&rows, test_refused, refused);
	return rows_run(&rows, "topo_import htsim");
}
