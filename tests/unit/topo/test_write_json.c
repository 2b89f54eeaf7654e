/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <base/str.h>
#include <topo/load.h>
#include <topo/write.h>

static void assert_rewritten(const char *document, const char *want)
{
	struct topo_graph *g;
	struct base_str text;

	assert_int_equal(topo_load_json("f.json", document, strlen(document), &g, NULL),
			 0);
	base_str_init(&text, 0);
	topo_write_json(g, &text);
	assert_int_equal(base_str_error(&text), 0);
	assert_string_equal(base_str_text(&text), want);
	base_str_fini(&text);
	topo_graph_free(g);
}

/* As written, so that a change of layout is seen here: stored fabrics are compared by
 * eye. */
static void test_layout(void **state)
{
	static const char all[] =
		"{\"schema\": \"fairlead.fabric.v1\",\n"
		"\"assumptions\": [\n"
		"{\"name\": \"rate\", \"value\": \"1 \\\"or\\\" 2\", \"reason\": "
		"\"r\"},\n"
		"{\"name\": \"rate\", \"value\": \"3\", \"reason\": \"r\"}\n"
		"],\n"
		"\"groups\": [\n"
		"\"east\",\n"
		"\"west\"\n"
		"],\n"
		"\"hosts\": [\n"
		"{\"name\": \"h0\", \"group\": \"east\", \"pod\": 0, \"nics\": "
		"[\"nic0\", {\"name\": \"nic1\", \"rail\": 1}]},\n"
		"{\"name\": \"h1\", \"nics\": []}\n"
		"],\n"
		"\"switches\": [\n"
		"{\"name\": \"leaf0\", \"group\": \"east\", \"tier\": 1, \"pod\": 0, "
		"\"plane\": 1, \"rail\": 2},\n"
		"{\"name\": \"spine\\\\0\", \"tier\": 2}\n"
		"],\n"
		"\"links\": [\n"
		"[\"east.h0.nic0\", \"east.leaf0\", 400000000000],\n"
		"[\"east.leaf0\", \"spine\\\\0\", 1, {\"delay_ns\": 5, \"port_a\": "
		"\"p\", \"port_b\": \"q\", \"state\": \"down\"}],\n"
		"[\"east.h0.nic1\", \"east.leaf0\", 1, {\"address\": \"fe80::1\"}]\n"
		"]}\n";

	(void)state;
	assert_rewritten(all, all);
}

static void test_empty_lists(void **state)
{
	(void)state;
	assert_rewritten("{ \"links\": [], \"switches\": [],\n"
			 "  \"hosts\": [ { \"nics\": [ { \"name\": \"n\" } ], \"name\": "
			 "\"h\" } ],\n"
			 "  \"schema\": \"fairlead.fabric.v1\" }",
			 "{\"schema\": \"fairlead.fabric.v1\",\n"
			 "\"hosts\": [\n"
			 "{\"name\": \"h\", \"nics\": [\"n\"]}\n"
			 "],\n"
			 "\"switches\": [],\n"
			 "\"links\": []}\n");
}

/* A text with a ceiling ends in its error, not in half a document that looks whole. */
static void test_ceiling(void **state)
{
	static const char small[] =
		"{\"schema\": \"fairlead.fabric.v1\", \"hosts\": [{\"name\": \"h\","
		"\"nics\": [\"n\"]}], \"switches\": [], \"links\": []}";
	struct topo_graph *g;
	struct base_str text;

	(void)state;
	assert_int_equal(topo_load_json("f.json", small, strlen(small), &g, NULL), 0);
	base_str_init(&text, 40);
	topo_write_json(g, &text);
	assert_int_equal(base_str_error(&text), -BASE_E_TOO_LARGE);
	base_str_fini(&text);
	topo_graph_free(g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_empty_lists),
		cmocka_unit_test(test_ceiling),
	};

	return cmocka_run_group_tests_name("topo/write_json", tests, NULL, NULL);
}
