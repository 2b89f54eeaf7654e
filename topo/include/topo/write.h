/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a fabric (sealed): our own document, Graphviz DOT, and a drawing.  All are
 * pure: they add to a text, whose sticky error says whether it is whole.
 */
#pragma once
#include <base/str.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

/*
 * The document "fairlead.fabric.v1", a node or link a line.  Loaded again it has the same
 * fingerprint, the same link ids, and is written as the same bytes; node ids may differ.
 */
void topo_write_json(const struct topo_graph *g, struct base_str *into);
/* Undirected DOT with ranks by tier. */
void topo_write_dot(const struct topo_graph *g, struct base_str *into);

/* How a drawing shows links. */
struct topo_svg_options {
	/* Relative load of each hop in ppm (2 * n_links values), or NULL: links are drawn
	 * plain. */
	const uint64_t *hop_load_ppm;
	const char *title; /* NULL: none */
	bool embed;	   /* no XML prologue: for use inside an HTML page */
};

/*
 * A self-contained SVG: tiers from the hosts (bottom) to the highest switches (top),
 * pods and planes side by side, links coloured by load (the busier direction), dead
 * links dashed.  Larger fabrics are drawn by leaf with NICs folded into their host or
 * leaf; every element has a <title> with its name and numbers.  @options may be NULL: no
 * loads and no title.
 */
void topo_write_svg(const struct topo_graph *g, const struct topo_svg_options *options,
		    struct base_str *into);

/* "#rrggbb" for a relative load in ppm: from calm to alarming, readable by colour-blind
 * eyes. */
void topo_load_colour(uint64_t load_ppm, char ret_colour[8]);

BASE_END_DECLS
