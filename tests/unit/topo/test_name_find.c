/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <topo/load.h>
#include <topo/name.h>

/*
 * Links by id: 0..2 hosts, 3 and 4 parallel, 5 with ports, 6 to 8 for names with dashes:
 * x to y-x, and y to x-y, so that "x-y-x" is the one and, backwards, the other.
 */
static const char fabric[] =
	"{\"schema\": \"fairlead.fabric.v1\",\"hosts\": ["
	"{\"name\": \"h0\", \"nics\": [\"nic0\", \"nic1\"]}, {\"name\": \"h1\", "
	"\"nics\": [\"nic0\"]},"
	"{\"name\": \"bare\", \"nics\": []}],"
	"\"switches\": [{\"name\": \"leaf0\"}, {\"name\": \"leaf1\"}, {\"name\": "
	"\"spine0\"},"
	"{\"name\": \"spine1\"}, {\"name\": \"x\", \"tier\": 1}, {\"name\": \"y-x\", "
	"\"tier\": 1},"
	"{\"name\": \"x-y\", \"tier\": 1}, {\"name\": \"p#1\", \"tier\": 1}, {\"name\": "
	"\"p\", \"tier\": 1}],"
	"\"links\": [[\"h0.nic0\", \"leaf0\", 1], [\"h0.nic1\", \"leaf1\", 1], "
	"[\"h1.nic0\", \"leaf1\", 1],"
	"[\"leaf0\", \"spine0\", 1], [\"spine0\", \"leaf0\", 1],"
	"[\"leaf1\", \"spine1\", 1, {\"port_a\": \"et-7:1\", \"port_b\": \"et2\"}],"
	"[\"x\", \"y-x\", 1], [\"x\", \"x-y\", 1],"
	"[\"leaf0\", \"p#1\", 1], [\"leaf0\", \"p\", 1], [\"p\", \"leaf0\", 1],"
	"[\"leaf1\", \"spine0\", 1, {\"port_a\": \"1\", \"port_b\": \"2\"}],"
	"[\"leaf1\", \"spine0\", 1, {\"port_a\": \"3\", \"port_b\": \"4\"}]]}";

struct fixture {
	struct topo_graph *g;
	struct topo_names *names;
};

static struct fixture f;

static int set_up(void **state)
{
	(void)state;
	return topo_load_json("test", fabric, strlen(fabric), &f.g, NULL) < 0 ||
			       topo_names_new(f.g, &f.names) < 0
		       ? -1
		       : 0;
}

static int tear_down(void **state)
{
	(void)state;
	topo_names_free(f.names);
	topo_names_free(NULL);
	topo_graph_free(f.g);
	return 0;
}

struct find_case {
	const char *name;
	const char *text;
	int want;
	const char *found; /* full name of a node or NIC, name of a link or path; or the
			      message */
};

static struct find_case node_cases[] = {
	{ "a switch", "leaf0", 0, "leaf0" },
	{ "a host", "h0", 0, "h0" },
	{ "a NIC", "h0.nic1", 0, "h0.nic1" },
	{ "a node that is not there", "laef0", -BASE_E_UNKNOWN,
	  "no node \"laef0\" in the fabric; did you mean \"leaf0\"?" },
	{ "nothing like it", "banana", -BASE_E_UNKNOWN,
	  "no node \"banana\" in the fabric" },
	{ "no name at all", "", -BASE_E_UNKNOWN, "no node \"\" in the fabric" },
};

static struct find_case nic_cases[] = {
	{ "a NIC by its name", "h0.nic1", 0, "h0.nic1" },
	{ "a host stands for its only NIC", "h1", 0, "h1.nic0" },
	{ "a host with two NICs does not", "h0", -BASE_E_INVALID,
	  "host \"h0\" has 2 NICs: say which one, such as h0.nic0" },
	{ "a host without a NIC", "bare", -BASE_E_INVALID, "host \"bare\" has no NIC" },
	{ "a switch is no NIC", "leaf0", -BASE_E_INVALID,
	  "\"leaf0\" is a switch, not a NIC" },
	{ "the nearest NIC is named, not a switch", "h0.nic2", -BASE_E_UNKNOWN,
	  "no NIC \"h0.nic2\" in the fabric; did you mean \"h0.nic0\"?" },
};

static struct find_case link_cases[] = {
	{ "a link", "h0.nic0-leaf0", 0, "h0.nic0-leaf0" },
	{ "a link from its other end", "leaf0-h0.nic0", 0, "h0.nic0-leaf0" },
	{ "a parallel link by number", "leaf0-spine0#1", 0, "leaf0-spine0#1" },
	{ "a parallel link from its other end", "leaf0-spine0#2", 0, "spine0-leaf0#2" },
	{ "number 1 of a single link", "h0.nic0-leaf0#1", 0, "h0.nic0-leaf0" },
	{ "a link by both ports", "leaf1:et-7:1-spine1:et2", 0, "leaf1-spine1" },
	{ "a link by ports from its other end", "spine1:et2-leaf1:et-7:1", 0,
	  "leaf1-spine1" },
	{ "a link by one port", "leaf1:et-7:1-spine1", 0, "leaf1-spine1" },
	{ "a parallel link by its port", "leaf1-spine0:4", 0, "leaf1-spine0#2" },
	{ "the name itself goes before the name backwards", "x-y-x", 0, "x-y-x" },
	{ "a name that fits one link forwards and another backwards", "x-x-y", 0,
	  "x-x-y" },
	{ "a name that two links have", "leaf0-p#1", -BASE_E_INVALID,
	  "\"leaf0-p#1\" may mean link 8, leaf0-p#1, or link 9, leaf0-p#1: rename a node "
	  "so that "
	  "it cannot" },
	{ "parallel links without a number", "leaf0-spine0", -BASE_E_INVALID,
	  "\"leaf0-spine0\" stands for 2 parallel links: say which one, "
	  "\"leaf0-spine0#1\" to "
	  "\"leaf0-spine0#2\"" },
	{ "a number over the last", "leaf0-spine0#3", -BASE_E_UNKNOWN,
	  "no link \"leaf0-spine0#3\" in the fabric; did you mean \"leaf0-spine0#1\"?" },
	{ "number 0", "leaf0-spine0#0", -BASE_E_UNKNOWN,
	  "no link \"leaf0-spine0#0\" in the fabric; did you mean \"leaf0-spine0#1\"?" },
	{ "two nodes without a link", "leaf0-spine1", -BASE_E_UNKNOWN,
	  "no link \"leaf0-spine1\" in the fabric; did you mean \"leaf1-spine1\"?" },
	{ "a wrong port", "leaf1:et-7:2-spine1", -BASE_E_UNKNOWN,
	  "no link \"leaf1:et-7:2-spine1\" in the fabric; did you mean "
	  "\"leaf1-spine1\"?" },
	{ "both ends mistyped", "h0.nci0-laef0", -BASE_E_UNKNOWN,
	  "no link \"h0.nci0-laef0\" in the fabric; did you mean \"h0.nic0-leaf0\"?" },
	{ "a node is no link", "leaf0", -BASE_E_UNKNOWN,
	  "no link \"leaf0\" in the fabric" },
};

static struct find_case path_cases[] = {
	{ "a path", "h0.nic0 > leaf0 >#2 spine0 >#1 leaf1 > h1.nic0", 0,
	  "h0.nic0 > leaf0 >#2 spine0 >#1 leaf1 > h1.nic0" },
	{ "a hop", "leaf0>spine0#2", 0, "leaf0 >#2 spine0" },
	{ "blanks do not matter", " h0.nic0>leaf0>  #2\tspine0 ", 0,
	  "h0.nic0 > leaf0 >#2 spine0" },
	{ "a name goes before a number", "leaf0 > p#1", 0, "leaf0 > p#1" },
	{ "one node", "leaf0", -BASE_E_SYNTAX,
	  "a path has at least two nodes, such as h0.nic0 > leaf0" },
	{ "an unknown node", "leaf0 > spine9", -BASE_E_UNKNOWN,
	  "no node \"spine9\" in the fabric; did you mean \"spine0\"?" },
	{ "an unknown first node", "leaf9 > spine0", -BASE_E_UNKNOWN,
	  "no node \"leaf9\" in the fabric; did you mean \"leaf0\"?" },
	{ "an arrow at the end", "leaf0 >#1 spine0 >", -BASE_E_UNKNOWN,
	  "no node \"\" in the fabric" },
	{ "nodes that no link joins", "h0.nic0 > leaf1", -BASE_E_UNKNOWN,
	  "no link joins \"h0.nic0\" and \"leaf1\"" },
	{ "a number that no link has", "leaf0 >#3 spine0", -BASE_E_UNKNOWN,
	  "no link #3 joins \"leaf0\" and \"spine0\"; there are 2" },
	{ "a number of a single link", "h0.nic0 >#2 leaf0", -BASE_E_UNKNOWN,
	  "no link #2 joins \"h0.nic0\" and \"leaf0\"; there is 1" },
	{ "a parallel link without a number", "leaf0 > spine0", -BASE_E_INVALID,
	  "2 parallel links join \"leaf0\" and \"spine0\": say which one, \">#1 spine0\" "
	  "to "
	  "\">#2 spine0\"" },
};

static void assert_found(int r, uint32_t node, const struct base_err *err,
			 const struct find_case *c)
{
	struct base_str name;

	assert_int_equal(r, c->want);
	assert_int_equal(err->code, c->want);
	if (r < 0) {
		assert_string_equal(err->message, c->found);
		assert_int_equal(node, 777);
		return;
	}
	base_str_init(&name, 0);
	topo_name_node(f.g, node, &name);
	assert_string_equal(base_str_text(&name), c->found);
	base_str_fini(&name);
}

static void test_node(void **state)
{
	const struct find_case *c = *state;
	struct base_err err = { 0 };
	uint32_t node = 777;
	int r = topo_names_node(f.names, c->text, strlen(c->text), &node, &err);

	assert_found(r, node, &err, c);
}

static void test_nic(void **state)
{
	const struct find_case *c = *state;
	struct base_err err = { 0 };
	uint32_t node = 777;
	int r = topo_names_nic(f.names, c->text, strlen(c->text), &node, &err);

	assert_found(r, node, &err, c);
}

static void test_link(void **state)
{
	const struct find_case *c = *state;
	struct base_err err = { 0 };
	struct base_str name;
	uint32_t link = 777;
	int r = topo_names_link(f.names, c->text, strlen(c->text), &link, &err);

	if (r < 0) {
		assert_string_equal(err.message, c->found);
		assert_int_equal(link, 777);
	} else {
		base_str_init(&name, 0);
		topo_name_link(f.g, link, &name);
		assert_string_equal(base_str_text(&name), c->found);
		base_str_fini(&name);
	}
	assert_int_equal(r, c->want);
}

static void test_path(void **state)
{
	const struct find_case *c = *state;
	struct base_err err = { 0 };
	struct base_str name;
	uint32_t *hops = NULL;
	size_t n = 777;
	int r = topo_names_path(f.names, c->text, strlen(c->text), &hops, &n, &err);

	if (r < 0) {
		assert_string_equal(err.message, c->found);
		assert_null(hops);
		assert_int_equal(n, 777);
	} else {
		base_str_init(&name, 0);
		topo_name_path(f.g, hops, n, &name);
		assert_string_equal(base_str_text(&name), c->found);
		base_str_fini(&name);
		free(hops);
	}
	assert_int_equal(r, c->want);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_node, node_cases);
	ROWS_ADD(&rows, test_nic, nic_cases);
	ROWS_ADD(&rows, test_link, link_cases);
	ROWS_ADD(&rows, test_path, path_cases);
	return rows_run_in(&rows, "topo/name_find", set_up, tear_down);
}
