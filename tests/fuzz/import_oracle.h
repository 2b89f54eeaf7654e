/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must hold of any bytes given to an importer: a refusal says why and names a line
 * that exists; an accepted fabric is whole, comes back from JSON as itself and can be
 * drawn.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <topo/load.h>
#include <topo/write.h>

#define ORACLE_LINKS_MAX 20000u /* larger ones are not written and drawn: time */

static inline void oracle_check(bool holds)
{
	if (!holds)
		abort();
}

/* Every end is a NIC or switch, every link is a hop of both, no NIC is without a link. */
static inline void oracle_check_graph(const struct topo_graph *g)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);
	uint32_t n_nodes = topo_graph_n_nodes(g), n_links = topo_graph_n_links(g), n;
	uint64_t n_hops = 0;

	for (uint32_t i = 0; i < n_links; i++) {
		const struct topo_link *l = &links[i];

		oracle_check(l->a < n_nodes && l->b < n_nodes && l->a != l->b);
		oracle_check(l->rate_bps > 0 && l->state == TOPO_UP);
		oracle_check(nodes[l->a].kind == TOPO_SWITCH ||
			     nodes[l->b].kind == TOPO_SWITCH);
	}
	for (uint32_t i = 0; i < n_nodes; i++) {
		const uint32_t *hops = topo_graph_hops(g, i, &n);

		for (uint32_t j = 0; j < n; j++)
			oracle_check(topo_hop_from(links, hops[j]) == i);
		oracle_check(nodes[i].kind != TOPO_NIC || n > 0);
		oracle_check(nodes[i].kind != TOPO_HOST ||
			     *topo_graph_children(g, i, &n) == i + 1);
		oracle_check(nodes[i].kind != TOPO_SWITCH || nodes[i].tier > 0);
		topo_graph_hops(g, i, &n);
		n_hops += n;
	}
	oracle_check(n_hops == 2 * (uint64_t)n_links);
}

static inline void oracle_check_writers(const struct topo_graph *g)
{
	struct base_str text;
	struct topo_graph *copy;

	base_str_init(&text, 0);
	topo_write_json(g, &text);
	oracle_check(base_str_error(&text) == 0);
	oracle_check(topo_load_json("again", text.data, text.len, &copy, NULL) == 0);
	oracle_check(topo_graph_fingerprint(copy) == topo_graph_fingerprint(g));
	topo_graph_free(copy);
	base_str_clear(&text);
	topo_write_svg(g, NULL, &text);
	oracle_check(base_str_error(&text) == 0);
	oracle_check(base_str_has_suffix(base_str_text(&text), "</svg>\n"));
	base_str_clear(&text);
	topo_write_dot(g, &text);
	oracle_check(base_str_error(&text) == 0);
	base_str_fini(&text);
}

/* Imports; returns the fabric for further checks, owned by the caller, or NULL. */
static inline struct topo_graph *oracle_import(const char *format, const uint8_t *data,
					       size_t size)
{
	struct topo_source source = { "fuzz", (const char *)data, size };
	struct base_err err = { 0 };
	struct topo_graph *g = NULL;
	size_t n_lines = 1;
	int r;

	for (const struct topo_importer *const *i = topo_importers(); *i; i++)
		oracle_check((*i)->sniff(&source) <= 100);
	r = topo_import(format, &source, 1, NULL, &g, &err);
	if (r == 0) {
		oracle_check_graph(g);
		if (topo_graph_n_links(g) <= ORACLE_LINKS_MAX)
			oracle_check_writers(g);
		return g;
	}
	for (size_t i = 0; i < size; i++)
		n_lines += data[i] == '\n';
	oracle_check(r < 0 && err.code == r && err.message[0] && !g);
	oracle_check(strcmp(err.file, "fuzz") == 0 && err.line <= n_lines);
	return NULL;
}
