/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <topo/generate.h>
#include <topo/write.h>

#define GBIT UINT64_C(1000000000)

static void test_small_fabric(void **state)
{
	struct topo_clos2 shape = { .leaves = 2,
				    .nics_per_leaf = 1,
				    .spines = 1,
				    .planes = 1,
				    .nic_rate_bps = 100 * GBIT,
				    .uplink_rate_bps = 400 * GBIT };
	struct topo_graph *g;
	struct base_str text;

	(void)state;
	assert_int_equal(topo_generate_clos2(&shape, &g, NULL), 0);
	topo_graph_set_state(g, 3, TOPO_DOWN);
	base_str_init(&text, 0);
	topo_write_dot(g, &text);
	assert_string_equal(
		base_str_text(&text),
		"graph fabric {\n"
		"\tgraph [ranksep=2, newrank=true];\n"
		"\tnode [fontname=\"Helvetica\", fillcolor=\"#e8f0f8\"];\n"
		"\tedge [color=\"#7b8a98\"];\n"
		"\tsubgraph tier2 {\n"
		"\t\trank=same;\n"
		"\t\tnode [shape=box, style=filled];\n"
		"\t\t\"spine0\";\n"
		"\t}\n"
		"\tsubgraph tier1 {\n"
		"\t\trank=same;\n"
		"\t\tnode [shape=box, style=filled];\n"
		"\t\t\"leaf0\";\n"
		"\t\t\"leaf1\";\n"
		"\t}\n"
		"\tsubgraph tier0 {\n"
		"\t\trank=same;\n"
		"\t\tnode [shape=box, style=rounded];\n"
		"\t\t\"h0\";\n"
		"\t\t\"h1\";\n"
		"\t}\n"
		"\t\"leaf0\" -- \"h0\" [tooltip=\"h0.nic0-leaf0, 100 Gbit/s\"];\n"
		"\t\"leaf1\" -- \"h1\" [tooltip=\"h1.nic0-leaf1, 100 Gbit/s\"];\n"
		"\t\"spine0\" -- \"leaf0\" [tooltip=\"leaf0-spine0, 400 Gbit/s\"];\n"
		"\t\"spine0\" -- \"leaf1\" [tooltip=\"leaf1-spine0, 400 Gbit/s\", "
		"style=dashed, color=gray];\n"
		"}\n");
	base_str_fini(&text);
	topo_graph_free(g);
}

static uint32_t add_switch(struct topo_graph *g, const char *name, uint32_t pod,
			   uint32_t plane)
{
	uint32_t node;

	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, name, strlen(name), 1, pod,
					       plane, TOPO_NONE, &node, NULL),
			 0);
	return node;
}

static void add_link(struct topo_graph *g, uint32_t a, uint32_t b)
{
	struct topo_link link = { .a = a,
				  .b = b,
				  .rate_bps = GBIT,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE };
	uint32_t ignored;

	assert_int_equal(topo_graph_add_link(g, &link, &ignored, NULL), 0);
}

/* Names that need quoting, places, links beside one another and within a tier. */
static void test_odd_fabric(void **state)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t host, nic, a, b;
	struct base_str text;

	(void)state;
	assert_non_null(g);
	a = add_switch(g, "a\"b", 0, 1);
	b = add_switch(g, "c\\d", 2, TOPO_NONE);
	assert_int_equal(
		topo_graph_add_host(g, TOPO_NONE, "h", 1, TOPO_NONE, &host, NULL), 0);
	assert_int_equal(topo_graph_add_nic(g, host, "n", 1, TOPO_NONE, &nic, NULL), 0);
	add_link(g, a, nic);
	add_link(g, a, nic);
	add_link(g, a, b);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	base_str_init(&text, 0);
	topo_write_dot(g, &text);
	assert_non_null(strstr(base_str_text(&text),
			       "\t\t\"a\\\"b\" [tooltip=\"pod 0, plane 1\"];\n"));
	assert_non_null(
		strstr(base_str_text(&text), "\t\t\"c\\\\d\" [tooltip=\"pod 2\"];\n"));
	assert_non_null(
		strstr(base_str_text(&text),
		       "\t\"a\\\"b\" -- \"h\" [tooltip=\"a\\\"b-h.n#2, 1 Gbit/s\"];\n"));
	assert_non_null(
		strstr(base_str_text(&text),
		       "\t\"c\\\\d\" -- \"a\\\"b\" [tooltip=\"a\\\"b-c\\\\d, 1 Gbit/s\", "
		       "constraint=false];\n"));
	base_str_fini(&text);
	topo_graph_free(g);
}

static void test_error_is_sticky(void **state)
{
	struct topo_graph *g;
	struct base_str text;

	(void)state;
	assert_int_equal(topo_generate_fat_tree(4, GBIT, &g, NULL), 0);
	base_str_init(&text, 100);
	topo_write_dot(g, &text);
	assert_int_equal(base_str_error(&text), -BASE_E_TOO_LARGE);
	base_str_fini(&text);
	topo_graph_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_fabric),
		cmocka_unit_test(test_odd_fabric),
		cmocka_unit_test(test_error_is_sticky),
	};

	return cmocka_run_group_tests_name("topo_write_dot", tests, NULL, NULL);
}
