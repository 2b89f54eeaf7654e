/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the name of a node, a NIC, a link and a path of one fabric whose names are
 * as confusing as may be.  What is found must be found again by its own name; what is not
 * must say why.
 */
#include <topo/load.h>
#include <topo/name.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 4096u /* bounds the work */

static const char fabric[] =
	"{\"schema\": \"fairlead.fabric.v1\", \"groups\": [\"a\"],"
	"\"hosts\": [{\"name\": \"h\", \"nics\": [\"n\", \"n-1\"]},"
	"{\"name\": \"h-1\", \"group\": \"a\", \"nics\": [\"n\"]}],"
	"\"switches\": [{\"name\": \"x\"}, {\"name\": \"x-y\"}, {\"name\": \"y-x\"}, "
	"{\"name\": \"y\"},"
	"{\"name\": \"x#1\"}, {\"name\": \"#1\"}, {\"name\": \"y:p\"}, {\"name\": \"-\", "
	"\"tier\": 1}],"
	"\"links\": [[\"h.n\", \"x\", 1], [\"h.n-1\", \"y\", 1], [\"a.h-1.n\", \"x\", 1],"
	"[\"x\", \"y-x\", 1], [\"x-y\", \"x\", 1], [\"x\", \"y\", 1], [\"y\", \"x\", 1],"
	"[\"x\", \"x#1\", 1, {\"port_a\": \"1-x\", \"port_b\": \"p:q\"}], [\"#1\", "
	"\"x\", 1],"
	"[\"y:p\", \"y\", 1, {\"port_b\": \"p\"}], [\"y\", \"y:p\", 1, {\"port_a\": "
	"\"p-q\"}],"
	"[\"x-y\", \"y\", 1], [\"-\", \"x\", 1]]}";

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_refusal(int r, const struct base_err *err)
{
	check(r == -BASE_E_UNKNOWN || r == -BASE_E_INVALID || r == -BASE_E_SYNTAX);
	check(err->code == r && err->message[0]);
}

static void try_node(const struct topo_graph *g, const struct topo_names *names,
		     const char *text, size_t len)
{
	struct base_err err = { 0 };
	struct base_str own;
	uint32_t node, nic;
	int r = topo_names_node(names, text, len, &node, &err);

	if (r < 0) {
		check_refusal(r, &err);
		check(topo_names_nic(names, text, len, &nic, NULL) < 0);
		return;
	}
	base_str_init(&own, 0);
	topo_name_node(g, node, &own);
	check(own.len == len && memcmp(own.data, text, len) == 0);
	base_str_fini(&own);
	r = topo_names_nic(names, text, len, &nic, &err);
	check(r < 0 || nic == node || topo_graph_nodes(g)[nic].parent == node);
}

static void try_link(const struct topo_graph *g, const struct topo_names *names,
		     const char *text, size_t len)
{
	struct base_err err = { 0 };
	struct base_str own;
	uint32_t link, again;
	int r = topo_names_link(names, text, len, &link, &err);

	if (r < 0) {
		check_refusal(r, &err);
		return;
	}
	base_str_init(&own, 0);
	topo_name_link(g, link, &own);
	r = topo_names_link(names, own.data, own.len, &again, &err);
	check(r == 0 ? again == link : r == -BASE_E_INVALID);
	base_str_fini(&own);
}

static void try_path(const struct topo_graph *g, const struct topo_names *names,
		     const char *text, size_t len)
{
	struct base_err err = { 0 };
	struct base_str own;
	uint32_t *hops, *again;
	size_t n, n_again;
	int r = topo_names_path(names, text, len, &hops, &n, &err);

	if (r < 0) {
		check_refusal(r, &err);
		return;
	}
	base_str_init(&own, 0);
	topo_name_path(g, hops, n, &own);
	check(topo_names_path(names, own.data, own.len, &again, &n_again, NULL) == 0);
	check(n_again == n && memcmp(again, hops, n * sizeof(*hops)) == 0);
	base_str_fini(&own);
	free(again);
	free(hops);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct topo_graph *g;
	struct topo_names *names;

	if (size > NAME_BYTES_MAX)
		return 0;
	check(topo_load_json("names", fabric, strlen(fabric), &g, NULL) == 0);
	check(topo_names_new(g, &names) == 0);
	try_node(g, names, text, size);
	try_link(g, names, text, size);
	try_path(g, names, text, size);
	topo_names_free(names);
	topo_graph_free(g);
	return 0;
}
