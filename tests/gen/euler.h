/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edge colouring of bipartite multigraphs, built as differently as can be from the
 * planner's: the graph is made regular, an even degree is halved along Euler circuits
 * (Gabow, 1976), an odd one gives up a perfect matching.
 */
#pragma once
#include <planner/colour.h>

BASE_BEGIN_DECLS

/* Writes colours[0..n_edges-1] and returns how many there are: the largest degree. */
uint32_t gen_euler_colour(const struct planner_edge *edges, uint32_t n_edges,
			  uint32_t n_left, uint32_t n_right, uint32_t *colours);

BASE_END_DECLS
