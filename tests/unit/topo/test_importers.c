/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <topo/load.h>

static const char document[] =
	"{\"schema\": \"fairlead.fabric.v1\", \"hosts\": [{\"name\": \"h\","
	"\"nics\": [\"n\"]}], \"switches\": [], \"links\": []}";

static struct topo_source source_of(const char *data)
{
	return (struct topo_source){ .name = "f", .data = data, .len = strlen(data) };
}

static void test_list(void **state)
{
	const struct topo_importer *const *all = topo_importers();
	static const char *const names[] = { "json", "ns3", "htsim", "lingjun" };

	(void)state;
	for (size_t i = 0; i < BASE_COUNT(names); i++) {
		assert_string_equal(all[i]->name, names[i]);
		assert_ptr_equal(topo_importer_find(names[i]), all[i]);
		assert_true(strlen(all[i]->help) > 10);
		assert_non_null(all[i]->sniff);
		assert_non_null(all[i]->import);
	}
	assert_null(all[BASE_COUNT(names)]);
	assert_null(topo_importer_find("yaml"));
}

static void test_sniffed(void **state)
{
	struct topo_source source = source_of(document);
	struct base_err err = { 0 };
	struct topo_graph *g;

	(void)state;
	assert_int_equal(topo_import(NULL, &source, 1, NULL, &g, &err), 0);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 1);
	topo_graph_free(g);
}

/* Each format knows its own, and no other is surer of it. */
static void test_each_knows_its_own(void **state)
{
	static const struct {
		const char *name, *data;
	} samples[] = {
		{ "json", document },
		{ "ns3", "3 1 2\n2\n0 2 100Gbps 1000ns 0\n1 2 100Gbps 1000ns 0\n" },
		{ "htsim", "# made by hand\nNodes 16\nTiers 3\nPodsize 4\n" },
		{ "lingjun", "ip,DSW,PSW,ASW\n10.0.0.1,d0,p0,a0\n" },
	};
	const struct topo_importer *const *all = topo_importers();

	(void)state;
	for (size_t i = 0; i < BASE_COUNT(samples); i++) {
		struct topo_source source = source_of(samples[i].data);
		unsigned own = topo_importer_find(samples[i].name)->sniff(&source);

		assert_true(own > 50);
		for (size_t j = 0; all[j]; j++)
			if (strcmp(all[j]->name, samples[i].name) != 0)
				assert_true(all[j]->sniff(&source) < own);
	}
}

static void test_no_sniffer(void **state)
{
	struct topo_source source = source_of("hello\n");
	struct base_err err = { 0 };
	struct topo_graph *g = NULL;

	(void)state;
	assert_int_equal(topo_import(NULL, &source, 1, NULL, &g, &err), -BASE_E_UNKNOWN);
	assert_string_equal(err.file, "f");
	assert_string_equal(err.message,
			    "the file is of no format that can be told: name it; "
			    "known are json, ns3, htsim, lingjun");
	assert_null(g);
}

static void test_unknown_format(void **state)
{
	struct topo_source source = source_of(document);
	struct base_err err = { 0 };
	struct topo_graph *g = NULL;

	(void)state;
	assert_int_equal(topo_import("jsno", &source, 1, NULL, &g, &err),
			 -BASE_E_UNKNOWN);
	assert_string_equal(err.message,
			    "no format is called \"jsno\"; did you mean json? (known "
			    "are json, ns3, htsim, lingjun)");
	assert_int_equal(topo_import("x", &source, 1, NULL, &g, &err), -BASE_E_UNKNOWN);
	assert_string_equal(err.message,
			    "no format is called \"x\"; known are json, ns3, htsim, "
			    "lingjun");
	assert_null(g);
}

/* What only the seal finds out has the file, though no line. */
static void test_seal_fails(void **state)
{
	struct topo_source source =
		source_of("{\"schema\": \"fairlead.fabric.v1\", \"hosts\": [], "
			  "\"switches\": [], \"links\": []}");
	struct base_err err = { 0 };
	struct topo_graph *g = NULL;
	char buf[100];

	(void)state;
	assert_int_equal(topo_import("json", &source, 1, NULL, &g, &err),
			 -BASE_E_INVALID);
	assert_string_equal(base_err_format(&err, buf, sizeof(buf)),
			    "f: the fabric has no NIC");
	assert_null(g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_sniffed),
		cmocka_unit_test(test_each_knows_its_own),
		cmocka_unit_test(test_no_sniffer),
		cmocka_unit_test(test_unknown_format),
		cmocka_unit_test(test_seal_fails),
	};

	return cmocka_run_group_tests_name("topo/importers", tests, NULL, NULL);
}
