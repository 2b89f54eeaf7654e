/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as "fairlead.fabric.v1".  What is accepted must be written, loaded again as
 * the same fabric and written as the same bytes; what is refused must say why.
 */
#include <topo/load.h>
#include <topo/write.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_round_trip(const struct topo_graph *g)
{
	struct base_str text, again;
	struct topo_graph *copy;

	base_str_init(&text, 0);
	base_str_init(&again, 0);
	topo_write_json(g, &text);
	check(base_str_error(&text) == 0);
	check(topo_load_json("again", text.data, text.len, &copy, NULL) == 0);
	check(topo_graph_fingerprint(copy) == topo_graph_fingerprint(g));
	topo_write_json(copy, &again);
	check(again.len == text.len && memcmp(again.data, text.data, text.len) == 0);
	topo_graph_free(copy);
	base_str_fini(&text);
	base_str_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base_err err = { 0 };
	struct topo_graph *g = NULL;
	int r = topo_load_json("fuzz", (const char *)data, size, &g, &err);

	if (r == 0) {
		check(topo_graph_count(g, TOPO_NIC) > 0);
		check_round_trip(g);
		topo_graph_free(g);
	} else {
		check(r < 0 && err.code == r && err.message[0] && !g);
		check(strcmp(err.file, "fuzz") == 0);
	}
	return 0;
}
