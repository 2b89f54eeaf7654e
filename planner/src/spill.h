/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flows that found no place below the limit, let in above it: each where fewest flows
 * newly come to share an overloaded link.  Private to planner/src.
 */
#pragma once
#include <planner/colour.h>

struct spill_input {
	const struct planner_edge *edges;
	uint32_t n_edges;
	uint32_t n_vertices, n_colours; /* the same vertices on both sides */
	/* [vertex * n_colours + colour], nothing placed: beyond the first a link is
	 * overloaded, beyond the second it may not go. */
	const uint16_t *left_room, *right_room;
	const uint16_t *left_most, *right_most;
};

/* Gives colours to edges that have none, where they can go.  Returns how many are left
 * without one, or -ENOMEM. */
int planner_spill(const struct spill_input *input, uint32_t *colours);
