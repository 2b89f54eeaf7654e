/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit starts at the phase's fractional bound: flows that fit there fill links to
 * the bound and no further.  What is left over is let in at the integral bound, then a
 * flow higher at a time, so that overload stays on as few links as can be.
 */
#include "rooms.h"
#include "hot.h"
#include "spill.h"
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

static size_t cell(const struct placing *t, uint32_t vertex, uint32_t colour)
{
	return (size_t)vertex * t->level->n_colours + colour;
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

/* Rooms at @limit with nothing of this class placed. */
static void set_rooms(const struct placing *t, double limit, uint16_t *left,
		      uint16_t *right)
{
	const struct rooms_level *level = t->level;

	for (uint32_t v = 0; v < level->n_vertices; v++)
		for (uint32_t c = 0; c < level->n_colours; c++) {
			size_t b = bundle(level, v, c);

			left[cell(t, v, c)] = room(t, b, false, limit);
			right[cell(t, v, c)] = room(t, b, true, limit);
		}
}

/* Takes away what flows of this class that are placed already take; more than there is
 * leaves none. */
static void take_placed(const struct placing *t, uint16_t *left, uint16_t *right)
{
	for (uint32_t e = 0; e < t->n; e++) {
		uint16_t *l, *r;

		if (t->colours[e] == PLANNER_COLOUR_NONE)
			continue;
		l = &left[cell(t, t->edges[e].left, t->colours[e])];
		r = &right[cell(t, t->edges[e].right, t->colours[e])];
		*l = (uint16_t)(*l - (*l > 0));
		*r = (uint16_t)(*r - (*r > 0));
	}
}

/*
 * Whole QPs of equal weight, a few links dead: the flows that will have to share a link
 * are picked together, and the others placed around them.  Returns how many are still
 * without a place.
 */
static int place_around_hot(struct placing *t)
{
	const struct hot_input input = {
		.edges = t->edges,
		.n_edges = t->n,
		.n_vertices = t->level->n_vertices,
		.n_colours = t->level->n_colours,
		.left_room = t->left,
		.right_room = t->right,
		.pod = t->level->pod,
		.n_pods = t->level->n_pods,
		.per_pod = t->level->hot_per_pod,
	};
	struct planner_edge *rest = base_array_new(t->n, sizeof(*rest));
	uint32_t *rest_colours = base_array_new(t->n, sizeof(*rest_colours));
	uint32_t n = 0;
	int missing =
		rest && rest_colours ? planner_hot_pick(&input, t->colours) : -ENOMEM;

	if (missing < 0)
		goto out;
	for (uint32_t e = 0; e < t->n; e++)
		if (t->colours[e] == PLANNER_COLOUR_NONE) {
			rest_colours[n] = PLANNER_COLOUR_NONE;
			rest[n++] = t->edges[e];
		}
	/* Hot links go one above their room. */
	take_placed(t, t->left, t->right);
	missing = planner_colour_insert(rest, n, t->level->n_vertices,
					t->level->n_vertices, t->level->n_colours,
					t->left, t->right, rest_colours);
	n = 0;
	for (uint32_t e = 0; e < t->n; e++)
		if (t->colours[e] == PLANNER_COLOUR_NONE)
			t->colours[e] = rest_colours[n++];
out:
	free(rest);
	free(rest_colours);
	return missing;
}

/* What is left over goes above @first, but not above @limit, where it hits fewest flows.
 */
static int spill(struct placing *t, double first, double limit)
{
	size_t cells = (size_t)t->level->n_vertices * t->level->n_colours;
	uint16_t *left = base_array_new(cells, sizeof(*left));
	uint16_t *right = base_array_new(cells, sizeof(*right));
	struct spill_input input = {
		.edges = t->edges,
		.n_edges = t->n,
		.n_vertices = t->level->n_vertices,
		.n_colours = t->level->n_colours,
		.left_room = left,
		.right_room = right,
		.left_most = t->left,
		.right_most = t->right,
	};
	int missing = -ENOMEM;

	if (left && right) {
		set_rooms(t, first, left, right);
		set_rooms(t, limit, t->left, t->right);
		missing = planner_spill(&input, t->colours);
	}
	free(left);
	free(right);
	return missing;
}

static int insert_at(struct placing *t, double limit)
{
	set_rooms(t, limit, t->left, t->right);
	take_placed(t, t->left, t->right);
	return planner_colour_insert(t->edges, t->n, t->level->n_vertices,
				     t->level->n_vertices, t->level->n_colours, t->left,
				     t->right, t->colours);
}

/* Ever higher limits until all flows have a place or none is left to find. */
static int place_all(struct placing *t)
{
	const struct planner_phase_bound *bound = &t->s->bounds->phases[t->s->phase];
	bool whole = t->s->qps == 1 || t->s->equal_weights;
	double first = fmax(bound->fabric_fractional, t->one), limit = first;
	int missing;

	set_rooms(t, first, t->left, t->right);
	missing = whole ? place_around_hot(t) : insert_at(t, first);
	for (uint32_t step = 0; missing > 0 && step < STEPS_MAX; step++) {
		limit = limit < bound->fabric_integral - LOAD_EPSILON
				? bound->fabric_integral
				: limit + t->one;
		missing = whole ? spill(t, first, limit) : missing;
		if (missing > 0)
			missing = insert_at(t, limit);
	}
	if (missing > 0)
		missing = insert_at(t, INFINITY);
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
