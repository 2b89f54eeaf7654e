/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit starts at the phase's fractional bound: flows that fit there fill links to
 * the bound and no further.  What is left over is let in at the integral bound, then a
 * flow higher at a time, so that overload stays on as few links as can be.
 */
#include "rooms.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits tried one flow higher each before the limit is taken away. */
#define STEPS_MAX 16u
#define ROOM_MAX 60000.0

struct placing {
	struct solver *s;
	const struct rooms_level *level;
	const struct planner_edge *edges;
	uint32_t n;
	double bytes;
	uint32_t *colours;
	uint16_t *left, *right; /* rooms */
	double one;		/* load of a flow on the fastest cable */
};

static size_t bundle(const struct rooms_level *level, uint32_t vertex, uint32_t colour)
{
	return ((size_t)vertex * level->factor + level->offset) * level->n_colours +
	       colour;
}

/* How many flows of the class fit on a bundle below @limit; @down looks at its other
 * direction. */
static uint16_t room(const struct placing *t, size_t b, bool down, double limit)
{
	double total = 0;

	for (uint32_t i = t->level->first[b]; i < t->level->first[b + 1]; i++) {
		uint32_t hop = t->level->hops[i] ^ (down ? 1u : 0u);
		double free = limit - t->s->load[hop] + LOAD_EPSILON;

		if (free > 0)
			total += floor(free / solver_hop_load(t->s, hop, t->bytes));
	}
	return (uint16_t)(total > ROOM_MAX ? ROOM_MAX : total);
}

/* Rooms at @limit, less what flows of this class that are placed already take. */
static void set_rooms(struct placing *t, double limit)
{
	const struct rooms_level *level = t->level;
	uint32_t n_colours = level->n_colours;

	for (uint32_t v = 0; v < level->n_vertices; v++)
		for (uint32_t c = 0; c < n_colours; c++) {
			size_t at = (size_t)v * n_colours + c, b = bundle(level, v, c);

			t->left[at] = room(t, b, false, limit);
			t->right[at] = room(t, b, true, limit);
		}
	for (uint32_t e = 0; e < t->n; e++) {
		if (t->colours[e] == PLANNER_COLOUR_NONE)
			continue;
		t->left[(size_t)t->edges[e].left * n_colours + t->colours[e]]--;
		t->right[(size_t)t->edges[e].right * n_colours + t->colours[e]]--;
	}
}

static int place_all(struct placing *t)
{
	const struct planner_phase_bound *bound = &t->s->bounds->phases[t->s->phase];
	double limit = bound->fabric_fractional;
	int missing = 0;

	for (uint32_t step = 0; step < STEPS_MAX + 3; step++) {
		if (limit < t->one)
			limit = t->one;
		set_rooms(t, step == STEPS_MAX + 2 ? INFINITY : limit);
		missing = planner_colour_insert(t->edges, t->n, t->level->n_vertices,
						t->level->n_vertices, t->level->n_colours,
						t->left, t->right, t->colours);
		if (missing <= 0)
			break;
		if (limit < bound->fabric_integral - LOAD_EPSILON)
			limit = bound->fabric_integral;
		else
			limit += t->one;
	}
	return missing < 0 ? missing : 0;
}

/* The cable of a bundle that is least loaded with one more flow; adds the flow. */
static uint32_t take_cable(struct placing *t, size_t b, bool down)
{
	uint32_t best = TOPO_NONE;
	double least = 0;

	for (uint32_t i = t->level->first[b]; i < t->level->first[b + 1]; i++) {
		uint32_t hop = t->level->hops[i] ^ (down ? 1u : 0u);
		double load = t->s->load[hop] + solver_hop_load(t->s, hop, t->bytes);

		if (best == TOPO_NONE || load < least - LOAD_EPSILON) {
			best = hop;
			least = load;
		}
	}
	t->s->load[best] += solver_hop_load(t->s, best, t->bytes);
	return best;
}

static double fastest(const struct placing *t)
{
	const struct rooms_level *level = t->level;
	double least = INFINITY;

	for (uint32_t v = 0; v < level->n_vertices; v++)
		for (uint32_t c = 0; c < level->n_colours; c++) {
			size_t b = bundle(level, v, c);

			for (uint32_t i = level->first[b]; i < level->first[b + 1]; i++)
				least = fmin(least, solver_hop_load(t->s, level->hops[i],
								    t->bytes));
		}
	return least;
}

int solver_place_rooms(struct solver *s, const struct rooms_level *level,
		       const struct planner_edge *edges, uint32_t n, double bytes,
		       uint32_t *colours, uint32_t *up, uint32_t *down)
{
	struct placing t = {
		.s = s,
		.level = level,
		.edges = edges,
		.n = n,
		.bytes = bytes,
		.colours = colours,
	};
	size_t cells = (size_t)level->n_vertices * level->n_colours;
	int r = -ENOMEM;

	for (uint32_t e = 0; e < n; e++)
		colours[e] = PLANNER_COLOUR_NONE;
	t.one = fastest(&t);
	if (n == 0 || isinf(t.one))
		return 0;
	t.left = base_array_new(cells, sizeof(uint16_t));
	t.right = base_array_new(cells, sizeof(uint16_t));
	if (t.left && t.right)
		r = place_all(&t);
	for (uint32_t e = 0; r == 0 && e < n; e++) {
		if (colours[e] == PLANNER_COLOUR_NONE)
			continue;
		up[e] = take_cable(&t, bundle(level, edges[e].left, colours[e]), false);
		down[e] = take_cable(&t, bundle(level, edges[e].right, colours[e]), true);
	}
	free(t.left);
	free(t.right);
	return r;
}
