/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One class of equal flows onto bundles that differ: dead cables, unequal rates.
 * Colouring with rooms, at a rising limit.  Private to planner/src.
 */
#pragma once
#include "solver.h"
#include <planner/colour.h>

/* One level of a Clos: bundle of vertex v and colour c is first[(v * factor + offset) *
 * n_colours + c]. */
struct rooms_level {
	uint32_t n_vertices, n_colours;
	uint32_t factor, offset;
	const uint32_t *first, *hops;
	/* Pods that a next level of links joins (else NULL), and how many overloaded
	 * vertices of a pod it bears for each colour. */
	const uint32_t *pod;
	uint32_t n_pods, hot_per_pod;
};

/*
 * Places @n flows of @bytes each: colours[] (PLANNER_COLOUR_NONE: no place), and the
 * cable each takes up from its left end and down to its right end.  Adds their loads on
 * these cables to s->load.  0 or -ENOMEM.
 */
int solver_place_rooms(struct solver *s, const struct rooms_level *level,
		       const struct planner_edge *edges, uint32_t n, double bytes,
		       uint32_t *colours, uint32_t *up, uint32_t *down);
