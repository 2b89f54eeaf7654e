/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <base/fs.h>
#include <base/str.h>
#include <topo/load.h>

static const char whole[] =
	"{\n"
	"  \"schema\": \"fairlead.fabric.v1\",\n"
	"  \"assumptions\": [{\"name\": \"rate\", \"value\": \"400 Gbit/s\", \"reason\": "
	"\"usual\"}],\n"
	"  \"groups\": [\"east\", \"west\"],\n"
	"  \"hosts\": [\n"
	"    {\"name\": \"h0\", \"group\": \"east\", \"pod\": 4, \"nics\": [\"nic0\", "
	"{\"name\": \"nic1\", \"rail\": 1}]},\n"
	"    {\"name\": \"h0\", \"nics\": []}\n"
	"  ],\n"
	"  \"switches\": [\n"
	"    {\"name\": \"leaf0\", \"group\": \"east\", \"tier\": 1, \"pod\": 4, "
	"\"plane\": 0, \"rail\": 1},\n"
	"    {\"name\": \"spine0\"}\n"
	"  ],\n"
	"  \"links\": [\n"
	"    [\"east.h0.nic0\", \"east.leaf0\", 400000000000],\n"
	"    [\"east.leaf0\", \"east.h0.nic1\", 400000000000, {\"delay_ns\": 500, "
	"\"state\": \"down\"}],\n"
	"    {\"a\": \"east.leaf0\", \"b\": \"spine0\", \"rate_bps\": 800000000000, "
	"\"port_a\": \"et7\",\n"
	"     \"port_b\": \"et2\", \"state\": \"up\"},\n"
	"    [\"east.h0.nic1\", \"east.leaf0\", 1, {\"address\": \"fe80::1\"}]\n"
	"  ]\n"
	"}\n";

static uint32_t find(const struct topo_graph *g, const char *name)
{
	return topo_graph_find(g, name, strlen(name));
}

static void check_nodes(const struct topo_graph *g)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_node *leaf = &nodes[find(g, "east.leaf0")];

	assert_int_equal(topo_graph_n_nodes(g), 8);
	assert_int_equal(nodes[find(g, "west")].kind, TOPO_GROUP);
	assert_int_equal(nodes[find(g, "east.h0")].pod, 4);
	assert_int_equal(nodes[find(g, "h0")].kind, TOPO_HOST);
	assert_int_equal(nodes[find(g, "h0")].pod, TOPO_NONE);
	assert_int_equal(nodes[find(g, "east.h0.nic0")].rail, TOPO_NONE);
	assert_int_equal(nodes[find(g, "east.h0.nic1")].rail, 1);
	assert_int_equal(leaf->tier, 1);
	assert_int_equal(leaf->pod, 4);
	assert_int_equal(leaf->plane, 0);
	assert_int_equal(leaf->rail, 1);
	assert_int_equal(nodes[find(g, "spine0")].tier, 2);
	assert_int_equal(nodes[find(g, "spine0")].plane, TOPO_NONE);
}

static void check_links(const struct topo_graph *g)
{
	const struct topo_link *links = topo_graph_links(g);

	assert_int_equal(topo_graph_n_links(g), 4);
	assert_int_equal(links[0].a, find(g, "east.h0.nic0"));
	assert_int_equal(links[0].b, find(g, "east.leaf0"));
	assert_int_equal(links[0].rate_bps, 400000000000);
	assert_int_equal(links[0].delay_ns, 0);
	assert_int_equal(links[0].port_a, TOPO_NONE);
	assert_int_equal(links[0].address, TOPO_NONE);
	assert_int_equal(links[0].state, TOPO_UP);
	assert_int_equal(links[1].delay_ns, 500);
	assert_int_equal(links[1].state, TOPO_DOWN);
	assert_string_equal(topo_graph_text(g, links[2].port_a), "et7");
	assert_string_equal(topo_graph_text(g, links[2].port_b), "et2");
	assert_int_equal(links[2].state, TOPO_UP);
	assert_string_equal(topo_graph_text(g, links[3].address), "fe80::1");
}

static void test_whole(void **state)
{
	struct base_err err = { 0 };
	struct topo_graph *g;

	(void)state;
	assert_int_equal(topo_load_json("f.json", whole, strlen(whole), &g, &err), 0);
	check_nodes(g);
	check_links(g);
	assert_int_equal(topo_graph_n_assumptions(g), 1);
	assert_string_equal(topo_graph_assumption(g, 0).reason, "usual");
	topo_graph_free(g);
}

/*
 * A document that is right but for one place: @from is replaced by @to in it.
 */
static const char right[] =
	"{\"schema\": \"fairlead.fabric.v1\",\n"
	"\"assumptions\": [{\"name\": \"n\", \"value\": \"v\", \"reason\": \"r\"}],\n"
	"\"groups\": [\"east\"],\n"
	"\"hosts\": [\n"
	"{\"name\": \"h0\", \"pod\": 0, \"nics\": [\"nic0\"]},\n"
	"{\"name\": \"h1\", \"group\": \"east\", \"nics\": [{\"name\": \"nic0\", "
	"\"rail\": 0}]}],\n"
	"\"switches\": [\n"
	"{\"name\": \"leaf0\", \"tier\": 1, \"plane\": 0, \"rail\": 0},\n"
	"{\"name\": \"leaf1\"}],\n"
	"\"links\": [\n"
	"[\"h0.nic0\", \"leaf0\", 100, {\"delay_ns\": 5, \"state\": \"up\"}],\n"
	"[\"leaf1\", \"east.h1.nic0\", 100],\n"
	"{\"a\": \"leaf0\", \"b\": \"leaf1\", \"rate_bps\": 100, \"port_a\": \"p\"}]}\n";

struct wrong_case {
	const char *name;
	const char *from, *to;
	int want;
	uint32_t line, column;
	const char *message;
};

static struct wrong_case wrong_cases[] = {
	{ "another schema", "fabric.v1", "plan.v1", -BASE_E_SCHEMA, 1, 12,
	  "schema: expected \"fairlead.fabric.v1\", not \"fairlead.plan.v1\"" },
	{ "a later version of the schema", "fabric.v1", "fabric.v2", -BASE_E_SCHEMA, 1,
	  12, "schema: expected \"fairlead.fabric.v1\", not \"fairlead.fabric.v2\"" },
	{ "no schema", "\"schema\": \"fairlead.fabric.v1\",\n", "", -BASE_E_SCHEMA, 1, 1,
	  "\"schema\" is missing: expected \"fairlead.fabric.v1\"" },
	{ "an unknown key at the top", "\"hosts\"", "\"host\"", -BASE_E_UNKNOWN, 4, 1,
	  "unknown key \"host\": did you mean \"hosts\"?" },
	{ "no links", "\"links\"", "\"groups2\"", -BASE_E_UNKNOWN, 10, 1,
	  "unknown key \"groups2\": did you mean \"groups\"?" },
	{ "groups that are no array", "[\"east\"]", "\"east\"", -BASE_E_INVALID, 3, 11,
	  "groups: expected an array, not \"east\"" },
	{ "a group twice", "[\"east\"]", "[\"east\", \"east\"]", -BASE_E_DUPLICATE, 3, 20,
	  "groups[1]: there is already a group \"east\"" },
	{ "a group that is a number", "[\"east\"]", "[1]", -BASE_E_INVALID, 3, 12,
	  "groups[0]: expected a string, not 1" },
	{ "an unknown group", "\"group\": \"east\"", "\"group\": \"eats\"",
	  -BASE_E_UNKNOWN, 6, 25,
	  "hosts[1].group: no group \"eats\" in the fabric; did you mean \"east\"?" },
	{ "a host as a group", "\"group\": \"east\"", "\"group\": \"h0\"",
	  -BASE_E_UNKNOWN, 6, 25, "hosts[1].group: no group \"h0\" in the fabric" },
	{ "a host without a name", "\"name\": \"h0\", ", "", -BASE_E_INVALID, 5, 1,
	  "hosts[0]: \"name\" is missing" },
	{ "a host without NICs", ", \"nics\": [\"nic0\"]}", "}", -BASE_E_INVALID, 5, 1,
	  "hosts[0]: \"nics\" is missing" },
	{ "a host that is a text", "{\"name\": \"h0\", \"pod\": 0, \"nics\": [\"nic0\"]}",
	  "\"h0\"", -BASE_E_INVALID, 5, 1, "hosts[0]: expected an object, not \"h0\"" },
	{ "a host twice", "\"name\": \"h1\", \"group\": \"east\"", "\"name\": \"h0\"",
	  -BASE_E_DUPLICATE, 6, 10, "hosts[1].name: there is already a host \"h0\"" },
	{ "a blank in a host name", "\"name\": \"h0\"", "\"name\": \"h 0\"",
	  -BASE_E_INVALID, 5, 10,
	  "hosts[0].name: the name of a host must not hold blanks, control characters, "
	  "'>' or ','; found 0x20 after \"h\"" },
	{ "an unknown key in a host", "\"pod\": 0", "\"pods\": 0", -BASE_E_UNKNOWN, 5, 16,
	  "hosts[0]: unknown key \"pods\": did you mean \"pod\"?" },
	{ "a pod below 0", "\"pod\": 0", "\"pod\": -1", -BASE_E_INVALID, 5, 23,
	  "hosts[0].pod: must be within 0..999999, not -1" },
	{ "a pod that is null", "\"pod\": 0", "\"pod\": null", -BASE_E_INVALID, 5, 23,
	  "hosts[0].pod: expected a whole number, not null" },
	{ "a pod over the ceiling", "\"pod\": 0", "\"pod\": 4294967296", -BASE_E_INVALID,
	  5, 23, "hosts[0].pod: must be within 0..999999, not 4294967296" },
	{ "a NIC twice", "[\"nic0\"]", "[\"nic0\", \"nic0\"]", -BASE_E_DUPLICATE, 5, 43,
	  "hosts[0].nics[1]: there is already a NIC \"h0.nic0\"" },
	{ "a NIC that is a number", "[\"nic0\"]", "[8]", -BASE_E_INVALID, 5, 35,
	  "hosts[0].nics[0]: a NIC is a name or an object, such as \"nic0\" or "
	  "{\"name\": \"nic0\", \"rail\": 0}" },
	{ "an unknown key in a NIC", "\"rail\": 0}]", "\"rial\": 0}]", -BASE_E_UNKNOWN, 6,
	  59, "hosts[1].nics[0]: unknown key \"rial\": did you mean \"rail\"?" },
	{ "a NIC without a name", "{\"name\": \"nic0\", \"rail\"", "{\"rail\"",
	  -BASE_E_INVALID, 6, 42, "hosts[1].nics[0]: \"name\" is missing" },
	{ "tier 0", "\"tier\": 1", "\"tier\": 0", -BASE_E_INVALID, 8, 27,
	  "switches[0].tier: must be within 1..255, not 0" },
	{ "a tier with a fraction", "\"tier\": 1", "\"tier\": 1.5", -BASE_E_INVALID, 8,
	  27,
	  "switches[0].tier: expected a whole number, not a number with fraction or "
	  "exponent" },
	{ "a plane over the ceiling", "\"plane\": 0", "\"plane\": 1024", -BASE_E_INVALID,
	  8, 39, "switches[0].plane: must be within 0..1023, not 1024" },
	{ "a switch of the name of a host", "\"name\": \"leaf1\"", "\"name\": \"h0\"",
	  -BASE_E_DUPLICATE, 9, 10, "switches[1].name: there is already a host \"h0\"" },
	{ "an unknown key in a switch", "\"name\": \"leaf1\"",
	  "\"name\": \"leaf1\", \"pane\": 1", -BASE_E_UNKNOWN, 9, 19,
	  "switches[1]: unknown key \"pane\": did you mean \"plane\"?" },
	{ "a link to an unknown node", "[\"leaf1\", \"east.h1.nic0\"",
	  "[\"leaf11\", \"east.h1.nic0\"", -BASE_E_UNKNOWN, 12, 2,
	  "links[1][0]: no NIC or switch \"leaf11\" in the fabric; did you mean "
	  "\"leaf1\"?" },
	{ "a link to a node outside its group", "\"east.h1.nic0\"", "\"h1.nic0\"",
	  -BASE_E_UNKNOWN, 12, 11,
	  "links[1][1]: no NIC or switch \"h1.nic0\" in the fabric; did you mean "
	  "\"h0.nic0\"?" },
	{ "a link to a host", "[\"h0.nic0\", \"leaf0\"", "[\"h0\", \"leaf0\"",
	  -BASE_E_INVALID, 11, 1,
	  "links[0]: a link joins NICs and switches; \"h0\" is a host" },
	{ "a link between two NICs", "[\"leaf1\", \"east.h1.nic0\"",
	  "[\"h0.nic0\", \"east.h1.nic0\"", -BASE_E_INVALID, 12, 1,
	  "links[1]: the link joins two NICs, \"h0.nic0\" and \"east.h1.nic0\"; one end "
	  "must be a switch" },
	{ "a link from a switch to itself", "\"b\": \"leaf1\"", "\"b\": \"leaf0\"",
	  -BASE_E_INVALID, 13, 1, "links[2]: the link joins \"leaf0\" to itself" },
	{ "a rate of 0", "\"rate_bps\": 100", "\"rate_bps\": 0", -BASE_E_INVALID, 13, 42,
	  "links[2].rate_bps: must be within 1..1000000000000000, not 0" },
	{ "a rate of 0 in a row", "\"leaf0\", 100", "\"leaf0\", 0", -BASE_E_INVALID, 11,
	  22, "links[0][2]: must be within 1..1000000000000000, not 0" },
	{ "a rate over 1 Pbit/s", "\"rate_bps\": 100", "\"rate_bps\": 1000000000000001",
	  -BASE_E_INVALID, 13, 42,
	  "links[2].rate_bps: must be within 1..1000000000000000, not 1000000000000001" },
	{ "a rate as a text", "\"leaf0\", 100", "\"leaf0\", \"100G\"", -BASE_E_INVALID,
	  11, 22,
	  "links[0][2]: expected a whole number of bits per second, for example "
	  "400000000000, not \"100G\"" },
	{ "a link of two elements", ", 100],", "],", -BASE_E_INVALID, 12, 1,
	  "links[1]: a link is [\"end\", \"end\", rate_bps], optionally with an object "
	  "behind; found 2 elements" },
	{ "a link of five elements", "\"up\"}]", "\"up\"}, 1]", -BASE_E_INVALID, 11, 1,
	  "links[0]: a link is [\"end\", \"end\", rate_bps], optionally with an object "
	  "behind; found 5 elements" },
	{ "a link whose fourth element is a number",
	  "{\"delay_ns\": 5, \"state\": \"up\"}", "5", -BASE_E_INVALID, 11, 27,
	  "links[0][3]: expected an object, not 5" },
	{ "a link that is a text", "[\"leaf1\", \"east.h1.nic0\", 100]",
	  "\"leaf1-east.h1.nic0\"", -BASE_E_INVALID, 12, 1,
	  "links[1]: a link is an array or an object, such as [\"h0.nic0\", \"leaf0\", "
	  "400000000000]" },
	{ "an unknown key behind a link", "\"delay_ns\"", "\"delay\"", -BASE_E_UNKNOWN,
	  11, 28, "links[0][3]: unknown key \"delay\": did you mean \"delay_ns\"?" },
	{ "an unknown key in a link", "\"rate_bps\"", "\"rate\"", -BASE_E_UNKNOWN, 13, 30,
	  "links[2]: unknown key \"rate\": did you mean \"rate_bps\"?" },
	{ "a link without an end", "\"a\": \"leaf0\", ", "", -BASE_E_INVALID, 13, 1,
	  "links[2]: \"a\" is missing" },
	{ "an unknown state", "\"state\": \"up\"", "\"state\": \"upp\"", -BASE_E_INVALID,
	  11, 52, "links[0][3].state: expected one of \"up\", \"down\", not \"upp\"" },
	{ "a delay over the ceiling", "\"delay_ns\": 5", "\"delay_ns\": 1000000000001",
	  -BASE_E_INVALID, 11, 40,
	  "links[0][3].delay_ns: must be within 0..1000000000000, not 1000000000001" },
	{ "a blank in a port name", "\"port_a\": \"p\"", "\"port_a\": \"p 1\"",
	  -BASE_E_INVALID, 13, 1,
	  "links[2]: the name of a port must not hold blanks, control characters, '>' or "
	  "','; found 0x20 after \"p\"" },
	{ "a tab in an address", "\"delay_ns\": 5", "\"address\": \"a\\tb\"",
	  -BASE_E_INVALID, 11, 39,
	  "links[0][3].address: must be at most 4096 bytes without control characters" },
	{ "an address between switches", "\"port_a\": \"p\"", "\"address\": \"::1\"",
	  -BASE_E_INVALID, 13, 1, "links[2]: only the NIC end of a link has an address" },
	{ "an assumption without a reason", ", \"reason\": \"r\"", "", -BASE_E_INVALID, 2,
	  17, "assumptions[0]: \"reason\" is missing" },
	{ "an assumption with a newline", "\"r\"}", "\"a\\nb\"}", -BASE_E_INVALID, 2, 17,
	  "assumptions[0]: at most 1000 assumptions, with texts of at most 4096 bytes "
	  "without control characters, are allowed" },
	{ "a document that ends early", "\"port_a\": \"p\"}]}\n", "\"port_a\": \"p\"}]",
	  -BASE_E_SYNTAX, 13, 62,
	  "expected , or } after a value, found the end of the file; the { of line 1 is "
	  "open" },
	{ "a key twice", "\"pod\": 0", "\"pod\": 0, \"pod\": 0", -BASE_E_SYNTAX, 5, 26,
	  "key \"pod\" stands twice in one object" },
	{ "text after the document", "\"p\"}]}\n", "\"p\"}]} x", -BASE_E_SYNTAX, 13, 64,
	  "expected the end of the file after the document, found \"x\"" },
	{ "a switch that no NIC reaches", "{\"name\": \"leaf1\"}",
	  "{\"name\": \"leaf1\"}, {\"name\": \"leaf2\"}", -BASE_E_INVALID, 0, 0,
	  "no link leads from any NIC to switch \"leaf2\": give it a tier, or the links "
	  "that it lacks" },
};

/* right[] with the first @from replaced by @to. */
static void spoil(const struct wrong_case *c, struct base_str *into)
{
	const char *at = strstr(right, c->from);

	assert_non_null(at);
	base_str_add_len(into, right, (size_t)(at - right));
	base_str_add(into, c->to);
	base_str_add(into, at + strlen(c->from));
}

static void test_wrong(void **state)
{
	const struct wrong_case *c = *state;
	struct topo_graph *g = NULL;
	struct base_err err = { 0 };
	struct base_str text;
	int r;

	base_str_init(&text, 0);
	spoil(c, &text);
	r = topo_load_json("f.json", text.data, text.len, &g, &err);
	base_str_fini(&text);
	assert_string_equal(err.message, c->message);
	assert_int_equal(r, c->want);
	assert_int_equal(err.code, c->want);
	assert_string_equal(err.file, "f.json");
	assert_int_equal(err.line, c->line);
	assert_int_equal(err.column, c->column);
	assert_null(g);
}

/* The example that people copy from fabric(5) must be a fabric. */
static void test_man_page(void **state)
{
	struct topo_graph *g;
	char *page, *start, *end;
	size_t len;

	(void)state;
	assert_int_equal(base_fs_read(FAIRLEAD_SOURCE_DIR "/docs/man/fabric.5.rst",
				      BASE_FS_FILE_MAX, &page, &len, NULL),
			 0);
	start = strstr(page, "{\"schema\"");
	assert_non_null(start);
	end = strstr(start, "\n    ]}\n");
	assert_non_null(end);
	len = (size_t)(end + strlen("\n    ]}") - start);
	assert_int_equal(topo_load_json("fabric(5)", start, len, &g, NULL), 0);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 4);
	assert_int_equal(topo_graph_parallel(g, 5), 2);
	topo_graph_free(g);
	free(page);
}

static void test_missing_arrays(void **state)
{
	static const char nothing[] = "{\"schema\": \"fairlead.fabric.v1\"}";
	struct topo_graph *g = NULL;
	struct base_err err = { 0 };

	(void)state;
	assert_int_equal(topo_load_json("f.json", nothing, strlen(nothing), &g, &err),
			 -BASE_E_INVALID);
	assert_string_equal(err.message, "\"hosts\" is missing");
	assert_null(g);
}

static void test_right(void **state)
{
	struct topo_graph *g;

	(void)state;
	assert_int_equal(topo_load_json("f.json", right, strlen(right), &g, NULL), 0);
	topo_graph_free(g);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "whole", test_whole);
	rows_add_test(&rows, "right", test_right);
	rows_add_test(&rows, "missing arrays", test_missing_arrays);
	rows_add_test(&rows, "man page", test_man_page);
	ROWS_ADD(&rows, test_wrong, wrong_cases);
	return rows_run(&rows, "topo/load_json");
}
