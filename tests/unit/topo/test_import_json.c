/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <topo/load.h>

struct sniff_case {
	const char *name;
	const char *text;
	unsigned want;
};

static struct sniff_case sniff_cases[] = {
	{ "our own document", "{\"schema\": \"fairlead.fabric.v1\", ", 100 },
	{ "our own document after blanks", "\r\n\t {\"schema\":\n\"fairlead.fabric.v1\"",
	  100 },
	{ "a later version", "{\"schema\": \"fairlead.fabric.v2\"}", 100 },
	{ "another object", "{\"schema\": \"fairlead.plan.v1\"}", 60 },
	{ "an array", "[1]", 0 },
	{ "a text", "12 fairlead.fabric.", 0 },
	{ "blanks", "  \n", 0 },
	{ "nothing", "", 0 },
};

static void test_sniff(void **state)
{
	const struct sniff_case *c = *state;
	struct topo_source source = { .name = "f",
				      .data = c->text,
				      .len = strlen(c->text) };

	assert_int_equal(topo_importer_find("json")->sniff(&source), c->want);
}

static void test_two_files(void **state)
{
	static const char text[] = "{}";
	const struct topo_source sources[2] = { { "a", text, 2 }, { "b", text, 2 } };
	struct base_err err = { 0 };
	struct topo_graph *g = NULL;

	(void)state;
	assert_int_equal(topo_import("json", sources, 2, NULL, &g, &err),
			 -BASE_E_INVALID);
	assert_string_equal(err.message, "a fabric in JSON is one file; 2 were given");
	assert_null(g);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "two files", test_two_files);
	ROWS_ADD(&rows, test_sniff, sniff_cases);
	return rows_run(&rows, "topo/import_json");
}
