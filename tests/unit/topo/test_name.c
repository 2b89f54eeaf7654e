/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <topo/load.h>
#include <topo/name.h>

static const char fabric[] =
	"{\"schema\": \"fairlead.fabric.v1\", \"groups\": [\"g\"],"
	"\"hosts\": [{\"name\": \"h0\", \"group\": \"g\", \"nics\": [\"nic0\"]},"
	"{\"name\": \"h1\", \"nics\": [\"nic0\"]}],"
	"\"switches\": [{\"name\": \"leaf0\", \"group\": \"g\"}, {\"name\": \"spine0\"}],"
	"\"links\": [[\"g.h0.nic0\", \"g.leaf0\", 1], [\"g.leaf0\", \"spine0\", 1],"
	"[\"spine0\", \"g.leaf0\", 1], [\"h1.nic0\", \"spine0\", 1]]}";

static int set_up(void **state)
{
	struct topo_graph *g;

	if (topo_load_json("test", fabric, strlen(fabric), &g, NULL) < 0)
		return -1;
	*state = g;
	return 0;
}

static int tear_down(void **state)
{
	topo_graph_free(*state);
	return 0;
}

static void assert_text(struct base_str *text, const char *want)
{
	assert_string_equal(base_str_text(text), want);
	base_str_fini(text);
	base_str_init(text, 0);
}

static void test_nodes(void **state)
{
	const struct topo_graph *g = *state;
	struct base_str s;

	base_str_init(&s, 0);
	topo_name_node(g, topo_graph_find(g, "g.h0.nic0", 9), &s);
	assert_text(&s, "g.h0.nic0");
	topo_name_node(g, topo_graph_find(g, "spine0", 6), &s);
	assert_text(&s, "spine0");
}

/* Parallel links are numbered whichever way round they were added. */
static void test_links(void **state)
{
	const struct topo_graph *g = *state;
	struct base_str s;

	base_str_init(&s, 0);
	topo_name_link(g, 0, &s);
	assert_text(&s, "g.h0.nic0-g.leaf0");
	topo_name_link(g, 1, &s);
	assert_text(&s, "g.leaf0-spine0#1");
	topo_name_link(g, 2, &s);
	assert_text(&s, "spine0-g.leaf0#2");
}

static void test_hops(void **state)
{
	const struct topo_graph *g = *state;
	struct base_str s;

	base_str_init(&s, 0);
	topo_name_hop(g, 1, &s);
	assert_text(&s, "g.leaf0>g.h0.nic0");
	topo_name_hop(g, 2, &s);
	assert_text(&s, "g.leaf0>spine0#1");
	topo_name_hop(g, 5, &s);
	assert_text(&s, "g.leaf0>spine0#2");
}

static void test_paths(void **state)
{
	static const uint32_t hops[] = { 0, 5, 7 };
	const struct topo_graph *g = *state;
	struct base_str s;

	base_str_init(&s, 0);
	topo_name_path(g, hops, 3, &s);
	assert_text(&s, "g.h0.nic0 > g.leaf0 >#2 spine0 > h1.nic0");
	topo_name_path(g, hops, 1, &s);
	assert_text(&s, "g.h0.nic0 > g.leaf0");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_hops),
		cmocka_unit_test(test_paths),
	};

	return cmocka_run_group_tests_name("topo/name", tests, set_up, tear_down);
}
