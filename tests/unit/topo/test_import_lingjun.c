/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <base/str.h>
#include <topo/load.h>
#include <topo/path.h>
#include "import_case.h"

#define GBIT UINT64_C(1000000000)
#define HEAD "ip,DSW,PSW,ASW\n"

/* S1 of P8 and S1 of P10 are two leaves; S10 comes after S2. */
static const char two_pods[] = HEAD "aa,G6,P10,S10\n"
				    "ab,G6,P10,S2\n"
				    "ac,G6,P8,S1\n"
				    "ad,G6,P10,S1\n"
				    "9e12,G6,P10,S2\n";

static void test_two_pods(void **state)
{
	struct topo_graph *g = import_text("lingjun", two_pods, NULL);
	const struct topo_node *nodes = topo_graph_nodes(g);

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 5);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 5 * 8);
	assert_int_equal(nodes[find_node(g, "P8-S1")].pod, 0);
	assert_int_equal(nodes[find_node(g, "P10-S1")].pod, 1);
	assert_true(find_node(g, "P10-S2") < find_node(g, "P10-S10"));
	assert_int_equal(count_links(g, "9e12.nic7", "P10-S2"), 1);
	assert_int_equal(nodes[find_node(g, "9e12")].pod, 1);
	/* The fullest leaf has 16 NICs; at most 3 leaves, so 21 links to each of a single
	 * spine. */
	assert_string_equal(assumed(g, "link_rate"), "200 Gbit/s");
	assert_string_equal(assumed(g, "nics_per_host"), "8");
	assert_string_equal(assumed(g, "spines_per_pod"), "1");
	assert_string_equal(assumed(g, "links_per_leaf_and_spine"), "16");
	assert_string_equal(assumed(g, "cores_per_group"), "1");
	assert_string_equal(assumed(g, "links_per_spine_and_core"), "48");
	assert_string_equal(assumed(g, "switch_ports"), "128");
	assert_int_equal(count_links(g, "P8-S1", "P8-spine0"), 16);
	assert_int_equal(count_links(g, "P10-spine0", "G6-core0"), 48);
	topo_graph_free(g);
}

static void test_options(void **state)
{
	struct topo_import_options options = { .rate_bps = 400 * GBIT,
					       .nics_per_host = 4,
					       .spines_per_pod = 2,
					       .cores = 4 };
	struct topo_graph *g = import_text("lingjun", two_pods, &options);
	struct topo_paths *paths;

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 20);
	assert_int_equal(topo_graph_count(g, TOPO_SWITCH), 4 + 2 * 2 + 4);
	assert_int_equal(topo_graph_links(g)[0].rate_bps, 400 * GBIT);
	assert_null(assumed(g, "link_rate"));
	assert_null(assumed(g, "nics_per_host"));
	assert_null(assumed(g, "spines_per_pod"));
	assert_null(assumed(g, "cores_per_group"));
	assert_null(assumed(g, "switch_ports"));
	/* 8 NICs over 2 spines: 4 links; 3 leaves, so 12 uplinks over 2 cores: 6 each. */
	assert_int_equal(count_links(g, "P10-S1", "P10-spine1"), 4);
	assert_int_equal(count_links(g, "P10-spine1", "G6-core2"), 6);
	assert_int_equal(count_links(g, "P10-spine1", "G6-core1"), 0);
	assert_int_equal(topo_paths_new(g, &paths), 0);
	assert_int_equal(topo_paths_aim(paths, find_node(g, "ac.nic0"), TOPO_NONE), 0);
	assert_int_equal(topo_paths_count(paths, find_node(g, "aa.nic0")),
			 2 * 4 * 2 * 6 * 6 * 4);
	topo_paths_free(paths);
	topo_graph_free(g);
}

/* Core groups are fabrics of their own; the same PSW and ASW below both are different
 * switches. */
static void test_two_core_groups(void **state)
{
	struct topo_graph *g = import_text("lingjun",
					   "\"ASW\",PSW,dsw,rack,IP\r\n"
					   "S1,P1,G1,7,10.0.0.1\r\n"
					   "S1,P1,G2,7,\"10.0.0.2\"\r\n"
					   "\r\n"
					   "S1,P1,G2,7,10.0.0.3",
					   NULL);
	const struct topo_node *nodes = topo_graph_nodes(g);
	struct topo_paths *paths;

	(void)state;
	assert_int_equal(nodes[find_node(g, "G1-P1-S1")].pod, 0);
	assert_int_equal(nodes[find_node(g, "G2-P1-S1")].pod, 1);
	assert_int_equal(nodes[find_node(g, "G2-core0")].tier, 3);
	assert_int_equal(count_links(g, "10.0.0.2.nic0", "G2-P1-S1"), 1);
	assert_int_equal(topo_paths_new(g, &paths), 0);
	assert_int_equal(topo_paths_aim(paths, find_node(g, "10.0.0.1.nic0"), TOPO_NONE),
			 0);
	assert_int_equal(topo_paths_count(paths, find_node(g, "10.0.0.2.nic0")), 0);
	topo_paths_free(paths);
	topo_graph_free(g);
}

static uint64_t rate_to_tier(const struct topo_graph *g, uint32_t node, bool up)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);
	uint64_t rate_bps = 0;
	uint32_t n;
	const uint32_t *hops = topo_graph_hops(g, node, &n);

	for (uint32_t i = 0; i < n; i++) {
		if ((nodes[topo_hop_to(links, hops[i])].tier > nodes[node].tier) == up)
			rate_bps += links[topo_hop_link(hops[i])].rate_bps;
	}
	return rate_bps;
}

/* 300 hosts on 40 leaves of 3 pods, unevenly: nothing is oversubscribed. */
static void test_nothing_is_oversubscribed(void **state)
{
	struct base_str text;
	struct topo_graph *g;
	const struct topo_node *nodes;

	(void)state;
	base_str_init(&text, 0);
	base_str_add(&text, HEAD);
	for (unsigned i = 0; i < 300; i++)
		base_str_addf(&text, "%08x,G1,P%u,S%u\n", i * 2654435761u, i % 3,
			      i * i % 23);
	g = import_text("lingjun", base_str_text(&text), NULL);
	nodes = topo_graph_nodes(g);
	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++) {
		if (nodes[i].kind == TOPO_SWITCH && nodes[i].tier < 3)
			assert_true(rate_to_tier(g, i, true) >=
				    rate_to_tier(g, i, false));
	}
	topo_graph_free(g);
	base_str_fini(&text);
}

static void test_refused_options(void **state)
{
	struct topo_import_options options = { .spines_per_pod = 3, .cores = 4 };
	struct topo_source source = import_source(two_pods);
	struct topo_graph *g = NULL;

	(void)state;
	assert_int_equal(topo_import("lingjun", &source, 1, &options, &g, NULL),
			 -BASE_E_INVALID);
	options = (struct topo_import_options){ .nics_per_host = UINT32_MAX };
	assert_int_equal(topo_import("lingjun", &source, 1, &options, &g, NULL),
			 -BASE_E_TOO_LARGE);
	options = (struct topo_import_options){ .spines_per_pod = UINT32_MAX };
	assert_int_equal(topo_import("lingjun", &source, 1, &options, &g, NULL),
			 -BASE_E_TOO_LARGE);
	options = (struct topo_import_options){ .cores = UINT32_MAX };
	assert_int_equal(topo_import("lingjun", &source, 1, &options, &g, NULL),
			 -BASE_E_TOO_LARGE);
	assert_null(g);
}

static void test_sniff(void **state)
{
	(void)state;
	assert_true(sniffed("lingjun", HEAD) > 50);
	assert_true(sniffed("lingjun", "asw,psw,dsw,ip\r\n") > 50);
	assert_int_equal(sniffed("lingjun", "job,worker,ip\n"), 0);
	assert_int_equal(sniffed("lingjun", "7 3 6\n4 5 6\n"), 0);
	assert_int_equal(sniffed("lingjun", "Nodes 16\n"), 0);
	assert_int_equal(sniffed("lingjun", "{}"), 0);
	assert_int_equal(sniffed("lingjun", ""), 0);
}

static struct refused_case refused[] = {
	{ "an empty file", "", -BASE_E_SYNTAX, 0, 0,
	  "column \"ip\" is missing: the first line must name ip, DSW, PSW and ASW" },
	{ "a column that is missing", "ip,DSW,ASW\na,b,c\n", -BASE_E_SYNTAX, 1, 0,
	  "column \"PSW\" is missing: the first line must name ip, DSW, PSW and ASW" },
	{ "a column that is there twice", "ip,DSW,PSW,ASW,ip\n", -BASE_E_DUPLICATE, 1, 16,
	  "column \"ip\" is there twice" },
	{ "no host", HEAD "\n", -BASE_E_INVALID, 2, 0,
	  "there is no host: the first line is followed by none" },
	{ "a host listed twice", HEAD "a,G,P,S\nb,G,P,S\na,G,P,T\n", -BASE_E_DUPLICATE, 4,
	  1, "host \"a\" is listed twice; first in line 2" },
	{ "a field too few", HEAD "a,G,P\n", -BASE_E_SYNTAX, 2, 0,
	  "3 fields where the first line names 4 columns" },
	{ "a field too many", HEAD "a,G,P,S,x\n", -BASE_E_SYNTAX, 2, 0,
	  "5 fields where the first line names 4 columns" },
	{ "an empty cell", HEAD "a,G,,S\n", -BASE_E_INVALID, 2, 5,
	  "PSW is empty: a host has one PSW" },
	{ "an empty host", HEAD ",G,P,S\n", -BASE_E_INVALID, 2, 1,
	  "ip is empty: a host has one ip" },
	{ "two leaves in a cell", HEAD "a,G,P,S1|S2\n", -BASE_E_INVALID, 2, 7,
	  "ASW must be one name, not \"S1|S2\"" },
	{ "two leaves in quotes", HEAD "a,G,P,\"S1,S2\"\n", -BASE_E_INVALID, 2, 8,
	  "ASW must be one name, not \"S1,S2\"" },
	{ "a host's name with a blank", HEAD "a b,G,P,S\n", -BASE_E_INVALID, 2, 1,
	  "ip must be one name, not \"a b\"" },
	{ "a name that is too long",
	  HEAD "a,G,P,0123456789012345678901234567890123456789"
	       "01234567890123456789012345678901234567890\n",
	  -BASE_E_TOO_LARGE, 2, 7, "ASW of 81 bytes; the ceiling is 80" },
	{ "a control character", HEAD "a,G,P,S\x01\n", -BASE_E_INVALID, 2, 0,
	  "the name of a switch must not hold blanks, control characters, '>' or ','; "
	  "found 0x01 after \"P-S\"" },
	{ "a host named like a leaf", HEAD "a,G,P,S\nP-S,G,P,S\n", -BASE_E_DUPLICATE, 3,
	  0, "there is already a switch \"P-S\"" },
	{ "joined names that are the same", HEAD "a,G,P,S-T\nb,G,P-S,T\n",
	  -BASE_E_DUPLICATE, 3, 0, "there is already a switch \"P-S-T\"" },
};

static void test_refused(void **state)
{
	check_refused("lingjun", *state);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "two pods", test_two_pods);
	rows_add_test(&rows, "options", test_options);
	rows_add_test(&rows, "two core groups", test_two_core_groups);
	rows_add_test(&rows, "nothing is oversubscribed", test_nothing_is_oversubscribed);
	rows_add_test(&rows, "refused options", test_refused_options);
	rows_add_test(&rows, "sniff", test_sniff);
	ROWS_ADD(&rows, test_refused, refused);
	return rows_run(&rows, "topo_import lingjun");
}
