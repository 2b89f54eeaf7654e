/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <stddef.h>
#include <stdint.h>
#include <topo/load.h>
#include "import_case.h"

#define GBIT UINT64_C(1000000000)

/* Two hosts on each of two leaves, a spine. */
static const char plain[] = "7 3 6\n"
			    "4 5 6\n"
			    "0 4 100Gbps 1000ns 0\n"
			    "1 4 100Gbps 1000ns 0.000000\n"
			    "2 5 100Gbps 1000ns 0\n"
			    "3 5 100Gbps 1000ns 0\n"
			    "4 6 400Gbps 0.0005ms 0\n"
			    "5 6 400Gbps 1us 0\n";

static void test_plain(void **state)
{
	struct topo_graph *g = import_text("ns3", plain, NULL);
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 4);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 4);
	assert_int_equal(topo_graph_count(g, TOPO_SWITCH), 3);
	assert_int_equal(topo_graph_n_links(g), 6);
	assert_int_equal(nodes[find_node(g, "s4")].tier, 1);
	assert_int_equal(nodes[find_node(g, "s6")].tier, 2);
	assert_int_equal(count_links(g, "h3.nic0", "s5"), 1);
	assert_int_equal(links[0].rate_bps, 100 * GBIT);
	assert_int_equal(links[0].delay_ns, 1000);
	assert_int_equal(links[4].rate_bps, 400 * GBIT);
	assert_int_equal(links[4].delay_ns, 500);
	assert_int_equal(topo_graph_n_assumptions(g), 0);
	topo_graph_free(g);
}

/* CRLF, tabs, blank lines, ids over two lines, switches first, either end first, prose at
 * the end. */
static void test_liberties(void **state)
{
	struct topo_graph *g = import_text("ns3",
					   "\r\n5\t2  4 0 0\r\n"
					   "0\r\n"
					   "1 \r\n"
					   "\r\n"
					   "0 1 1600Gbps 0.000001s 0\r\n"
					   "2 0 800Kbps 0 1e-6\r\n"
					   "\t1\t3  0.4Tbps 0.000025ms 0.0\r\n"
					   "1 3 25Gbps 1ns 0e5\r\n"
					   "\r\n"
					   "src dst rate delay error\r\n",
					   NULL);
	const struct topo_link *links = topo_graph_links(g);

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 2);
	assert_int_equal(links[1].rate_bps, 800000);
	assert_int_equal(links[2].delay_ns, 25);
	assert_int_equal(count_links(g, "h3.nic0", "s1"), 2);
	assert_int_equal(count_links(g, "s0", "s1"), 1);
	assert_string_equal(assumed(g, "parallel_links"), "1 beside another");
	assert_string_equal(assumed(g, "unlinked_nodes"), "1 left out");
	assert_string_equal(assumed(g, "error_rate"), "1 of 4 links");
	assert_string_equal(assumed(g, "trailing_text"), "after line 9");
	topo_graph_free(g);
}

/* Two servers of two GPUs with an NVSwitch each; two leaves, each GPU on its own. */
static void test_servers(void **state)
{
	struct topo_graph *g = import_text("ns3",
					   "9 2 2 3 10 H100\n"
					   "4 5 6 7 8 \n"
					   "0 4 900Gbps 0.000025ms 0\n"
					   "1 4 900Gbps 0.000025ms 0\n"
					   "5 2 900Gbps 0.000025ms 0\n"
					   "3 5 900Gbps 0.000025ms 0\n"
					   "0 6 200Gbps 0.001ms 0\n"
					   "1 7 200Gbps 0.001ms 0\n"
					   "2 6 200Gbps 0.001ms 0\n"
					   "3 7 200Gbps 0.001ms 0\n"
					   "6 8 400Gbps 0.001ms 0\n"
					   "7 8 400Gbps 0.001ms 0\n",
					   NULL);

	(void)state;
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 2);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 4);
	assert_int_equal(topo_graph_count(g, TOPO_SWITCH), 3);
	assert_int_equal(topo_graph_n_links(g), 6);
	assert_int_equal(count_links(g, "h1.nic1", "s7"), 1);
	assert_int_equal(count_links(g, "h1.nic0", "s6"), 1);
	assert_string_equal(assumed(g, "gpus_per_host"), "2");
	assert_string_equal(assumed(g, "nvswitch_links"), "4 left out");
	topo_graph_free(g);
}

static void test_sniff(void **state)
{
	(void)state;
	assert_true(sniffed("ns3", plain) > 50);
	assert_true(sniffed("ns3", "9 1 8 0 0 0 0\n") > 50);
	assert_true(sniffed("ns3", "34 8 2 16 96 H20\n") > 50);
	assert_int_equal(sniffed("ns3", ""), 0);
	assert_int_equal(sniffed("ns3", "Nodes 16\nTiers 2\n"), 0);
	assert_int_equal(sniffed("ns3", "ip,DSW,PSW,ASW\n"), 0);
	assert_int_equal(sniffed("ns3", "{\"schema\": \"fairlead.fabric.v1\"}"), 0);
	assert_int_equal(sniffed("ns3", "7\n1 2\n"), 0);
}

static void test_one_file(void **state)
{
	struct topo_source sources[2] = { import_source(plain), import_source(plain) };
	struct topo_graph *g = NULL;

	(void)state;
	assert_int_equal(topo_import("ns3", sources, 2, NULL, &g, NULL), -BASE_E_USAGE);
	assert_null(g);
}

static struct refused_case refused[] = {
	{ "an empty file", " \n\n", -BASE_E_SYNTAX, 2, 0,
	  "the file is empty; its first line must be \"nodes switches links\"" },
	{ "prose", "hello\n", -BASE_E_SYNTAX, 1, 1,
	  "the first line must be \"nodes switches links\" or \"nodes gpus_per_server "
	  "nvswitches switches links gpu_type\", not 1 word" },
	{ "a count that is no number", "3 one 2\n2\n", -BASE_E_SYNTAX, 1, 3,
	  "number of switches must be a whole number up to 4294967295, not \"one\"" },
	{ "2^32 nodes", "4294967296 1 1\n0\n0 1 1Gbps 0 0\n", -BASE_E_INVALID, 1, 1,
	  "number of nodes is out of range or too finely divided: it must be a whole "
	  "number up to 4294967295, not \"4294967296\"" },
	{ "nodes over the ceiling", "4294967295 1 1\n0\n0 1 1Gbps 0 0\n",
	  -BASE_E_TOO_LARGE, 1, 1,
	  "4294967295 nodes are promised; the ceiling is 16000000" },
	{ "more nodes than a short file can join", "15000000 1 1\n0\n0 1 1G 0 0\n",
	  -BASE_E_TOO_LARGE, 1, 1,
	  "15000000 nodes are promised by a file of 26 bytes, which has no room to join "
	  "them" },
	{ "links over the ceiling", "2 1 4000000000\n0\n", -BASE_E_TOO_LARGE, 1, 5,
	  "4000000000 links are promised; the ceiling is 64000000" },
	{ "more switches than nodes", "2 3 1\n0 1 2\n", -BASE_E_INVALID, 1, 3,
	  "3 switches among 2 nodes: the first number counts hosts and switches" },
	{ "no GPU in a server", "4 0 1 1 3 A100\n2 3\n", -BASE_E_INVALID, 1, 3,
	  "GPUs per server must be above 0" },
	{ "switch ids cut off", "3 2 1\n0\n", -BASE_E_SYNTAX, 2, 0,
	  "the file ends after 1 of 2 switch ids" },
	{ "too many switch ids", "4 1 1\n0 1\n0 1 1Gbps 0 0\n", -BASE_E_SYNTAX, 2, 3,
	  "more switch ids than the 1 that the first line promises" },
	{ "a switch id out of range", "3 1 2\n3\n", -BASE_E_INVALID, 2, 1,
	  "switch 3 is out of range: with 3 nodes the ids are 0 to 2" },
	{ "a switch listed twice", "3 2 2\n1 1\n", -BASE_E_DUPLICATE, 2, 3,
	  "switch 1 is listed twice" },
	{ "links cut off", "3 1 2\n2\n0 2 1Gbps 0 0\n", -BASE_E_SYNTAX, 3, 0,
	  "the file ends after 1 of 2 links" },
	{ "a link that is cut off", "3 1 2\n2\n0 2 1Gbps\n", -BASE_E_SYNTAX, 3, 1,
	  "a link is \"source destination rate delay error_rate\", not 3 words" },
	{ "an end out of range", "3 1 2\n2\n0 3 1Gbps 0 0\n", -BASE_E_INVALID, 3, 3,
	  "node 3 is out of range: with 3 nodes the ids are 0 to 2" },
	{ "a self loop", "3 1 2\n2\n2 2 1Gbps 0 0\n", -BASE_E_INVALID, 3, 3,
	  "node 2 is joined to itself" },
	{ "a link between hosts", "3 1 2\n2\n0 1 1Gbps 0 0\n", -BASE_E_INVALID, 3, 1,
	  "0 and 1 are both hosts: a cable between hosts leaves no path to choose (is "
	  "one of them missing in the list of switches?)" },
	{ "no rate", "3 1 2\n2\n0 2 0Gbps 0 0\n", -BASE_E_INVALID, 3, 5,
	  "a link with rate 0 carries nothing; leave it out" },
	{ "a rate without unit", "3 1 2\n2\n0 2 100 0 0\n", -BASE_E_SYNTAX, 3, 5,
	  "rate \"100\" has no unit; write it such as 100Gbps" },
	{ "a rate in bytes", "3 1 2\n2\n0 2 10GBps 0 0\n", -BASE_E_INVALID, 3, 5,
	  "rate \"10GBps\" counts bytes (capital B); write it in bits, such as 100Gbps" },
	{ "a rate that is a word", "3 1 2\n2\n0 2 fast 0 0\n", -BASE_E_SYNTAX, 3, 5,
	  "rate must be a number with a unit such as 100Gbps, not \"fast\"" },
	{ "a delay without unit", "3 1 2\n2\n0 2 1Gbps 7 0\n", -BASE_E_SYNTAX, 3, 11,
	  "delay must be a time with a unit such as 1000ns or 1.5us, not \"7\"" },
	{ "an error rate that is no number", "3 1 2\n2\n0 2 1Gbps 0 .e1\n",
	  -BASE_E_SYNTAX, 3, 13,
	  "error rate must be a number such as 0 or 0.001, not \".e1\"" },
	{ "GPUs that do not fill servers", "5 2 1 1 3 A100\n3 4\n", -BASE_E_INVALID, 2, 0,
	  "3 GPUs do not divide into servers of 2" },
	{ "an NVSwitch over two servers",
	  "4 1 1 1 3 A100\n2 3\n0 2 1Gbps 0 0\n1 2 1Gbps 0 0\n", -BASE_E_INVALID, 4, 1,
	  "GPU 1 is in server 1, but its NVSwitch 2 is in server 0: GPUs per server must "
	  "be wrong" },
	{ "an NVSwitch on a switch", "4 1 1 1 3 A100\n2 3\n3 2 1Gbps 0 0\n",
	  -BASE_E_INVALID, 3, 1,
	  "NVSwitch 2 is joined to a switch; it may be joined to GPUs of one server "
	  "only" },
	{ "nothing but NVSwitch links",
	  "3 2 1 0 2 A100\n2\n0 2 1Gbps 0 0\n1 2 1Gbps 0 0\n", -BASE_E_INVALID, 4, 0,
	  "no link joins a host to a switch: there is no fabric to read (NVSwitch links "
	  "stay inside hosts)" },
	{ "a switch that no host reaches", "5 3 2\n2 3 4\n0 2 1Gbps 0 0\n3 4 1Gbps 0 0\n",
	  -BASE_E_INVALID, 0, 0,
	  "no link leads from any NIC to switch \"s3\": give it a tier, or the links "
	  "that it lacks" },
};

static void test_refused(void **state)
{
	check_refused("ns3", *state);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "plain", test_plain);
	rows_add_test(&rows, "liberties", test_liberties);
	rows_add_test(&rows, "servers", test_servers);
	rows_add_test(&rows, "sniff", test_sniff);
	rows_add_test(&rows, "one file", test_one_file);
	ROWS_ADD(&rows, test_refused, refused);
	return rows_run(&rows, "topo_import ns3");
}
