/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a few links are dead, some flows must share a link beyond the bound.  A flow
 * crosses two links, so the fewest flows are hit when those that share a link at their
 * source also share one at their destination.  Private to planner/src.
 *
 * A vertex with more flows than rooms has a deficit.  In rounds, a colour is made hot for
 * vertices with deficits on both sides, and flows between these vertices fill its links
 * to one above their room.
 */
#pragma once
#include <planner/colour.h>

struct hot_input {
	const struct planner_edge *edges;
	uint32_t n_edges;
	uint32_t n_vertices, n_colours; /* the same vertices on both sides */
	const uint16_t *left_room,
		*right_room; /* [vertex * n_colours + colour], nothing placed */
	/* Where many hot flows of one colour would crowd the next level: at most this
	 * many hot vertices of a pod for each colour. */
	const uint32_t *pod; /* [vertex], or NULL: no limit */
	uint32_t n_pods, per_pod;
};

/*
 * Gives hot flows their colour; leaves colours[] of the others (all NONE on entry).
 * Returns the number of hot flows, or -ENOMEM.
 */
int planner_hot_pick(const struct hot_input *input, uint32_t *colours);
