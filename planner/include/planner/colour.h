/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edge colouring of bipartite multigraphs: the heart of planning a Clos fabric.  Left
 * vertices are source leaves (or pods), right vertices destination leaves (or pods), an
 * edge is a flow, its colour the spine (or core) it takes.
 *
 * König (1916): a bipartite multigraph of largest degree D has a proper colouring with D
 * colours.  Found edge by edge; when two ends share no free colour, a two-coloured
 * alternating chain (Kempe) is flipped.  Work O(edges * mean chain), memory O(vertices *
 * colours).
 */
#pragma once
#include <base/compiler.h>
#include <stdint.h>

BASE_BEGIN_DECLS

struct planner_edge {
	uint32_t left, right;
};

/* The largest degree of any vertex.  0 without edges. */
int planner_colour_degree(const struct planner_edge *edges, uint32_t n_edges,
			  uint32_t n_left, uint32_t n_right,
			  uint32_t *ret_degree) BASE_MUST_CHECK;

/*
 * Properly colours all edges with colours 0..n_colours-1, where n_colours is at least the
 * largest degree: else -EINVAL. -ENOMEM.  colours[] is written on success only.
 */
int planner_colour(const struct planner_edge *edges, uint32_t n_edges, uint32_t n_left,
		   uint32_t n_right, uint32_t n_colours,
		   uint32_t *colours) BASE_MUST_CHECK;

/*
 * The irregular case: colour c may be used at most left_room[v * n_colours + c] times at
 * left vertex v, and right_room likewise (0: that link is dead).  Edges are inserted in
 * order, chains are flipped where that helps; an edge that finds no place gets
 * PLANNER_COLOUR_NONE.  Rooms are what is left after the call.  Returns the number of
 * edges without a colour, or -ENOMEM (rooms and colours then unspecified).  @fixed edges
 * (colours[e] != NONE on entry) are taken as given, may be recoloured by a chain, and
 * must already be subtracted from the rooms.
 */
#define PLANNER_COLOUR_NONE UINT32_MAX
int planner_colour_insert(const struct planner_edge *edges, uint32_t n_edges,
			  uint32_t n_left, uint32_t n_right, uint32_t n_colours,
			  uint16_t *left_room, uint16_t *right_room,
			  uint32_t *colours) BASE_MUST_CHECK;

BASE_END_DECLS
