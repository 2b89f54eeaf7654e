/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of inputs for the importers of text formats.  Include after unit/rows.h.
 */
#pragma once
#include <inttypes.h>
#include <string.h>
#include <base/err.h>
#include <topo/load.h>

/* An input that must be refused, and what must be said. */
struct refused_case {
	const char *name;
	const char *text;
	int code;
	uint32_t line, column;
	const char *message;
};

static inline struct topo_source import_source(const char *text)
{
	return (struct topo_source){ "f", text, strlen(text) };
}

/* Imports what must be accepted; the caller frees. */
static inline struct topo_graph *import_text(const char *format, const char *text,
					     const struct topo_import_options *options)
{
	struct topo_source source = import_source(text);
	struct topo_graph *g = NULL;
	struct base_err err = { 0 };

	if (topo_import(format, &source, 1, options, &g, &err) < 0)
		fail_msg("refused: %" PRIu32 ":%" PRIu32 ": %s", err.line, err.column,
			 err.message);
	return g;
}

static inline void check_refused(const char *format, const struct refused_case *c)
{
	struct topo_source source = import_source(c->text);
	struct topo_graph *g = NULL;
	struct base_err err = { 0 };

	assert_int_equal(topo_import(format, &source, 1, NULL, &g, &err), c->code);
	assert_null(g);
	assert_string_equal(err.message, c->message);
	assert_int_equal(err.code, c->code);
	assert_int_equal(err.line, c->line);
	assert_int_equal(err.column, c->column);
	assert_string_equal(err.file, "f");
}

/* The value of the assumption, or NULL. */
static inline const char *assumed(const struct topo_graph *g, const char *name)
{
	for (size_t i = 0; i < topo_graph_n_assumptions(g); i++) {
		struct topo_assumption a = topo_graph_assumption(g, i);

		if (strcmp(a.name, name) == 0)
			return a.value;
	}
	return NULL;
}

static inline uint32_t find_node(const struct topo_graph *g, const char *name)
{
	uint32_t node = topo_graph_find(g, name, strlen(name));

	if (node == TOPO_NONE)
		fail_msg("there is no node %s", name);
	return node;
}

/* How many links join the two nodes. */
static inline uint32_t count_links(const struct topo_graph *g, const char *a,
				   const char *b)
{
	uint32_t from = find_node(g, a), to = find_node(g, b), n, found = 0;
	const uint32_t *hops = topo_graph_hops(g, from, &n);

	for (uint32_t i = 0; i < n; i++)
		found += topo_hop_to(topo_graph_links(g), hops[i]) == to;
	return found;
}

/* The sniffer's answer for a text. */
static inline unsigned sniffed(const char *format, const char *text)
{
	struct topo_source source = import_source(text);

	return topo_importer_find(format)->sniff(&source);
}
