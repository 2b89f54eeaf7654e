/* SPDX-License-Identifier: Apache-2.0 */
#include "spill.h"
#include <base/mem.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NO_EDGE UINT32_MAX

struct spill_side {
	const uint16_t *room, *most;
	uint32_t *head;	 /* [cell] first edge of (vertex, colour) */
	uint32_t *next;	 /* [edge] */
	uint32_t *count; /* [cell] edges */
	uint32_t *cold;	 /* [cell] of them, not on an overloaded link at either end */
};

struct spilling {
	const struct spill_input *in;
	struct spill_side side[2];
	uint32_t *colours;
	bool *hot; /* [edge] */
};

static uint32_t end_of(const struct spilling *t, uint32_t edge, unsigned side)
{
	return side ? t->in->edges[edge].right : t->in->edges[edge].left;
}

static size_t cell(const struct spilling *t, unsigned side, uint32_t edge,
		   uint32_t colour)
{
	return (size_t)end_of(t, edge, side) * t->in->n_colours + colour;
}

static void make_hot(struct spilling *t, uint32_t edge)
{
	if (t->hot[edge])
		return;
	t->hot[edge] = true;
	for (unsigned side = 0; side < 2; side++)
		t->side[side].cold[cell(t, side, edge, t->colours[edge])]--;
}

/* All edges of a link that has come to be overloaded. */
static void overload(struct spilling *t, unsigned side, size_t at)
{
	for (uint32_t e = t->side[side].head[at]; e != NO_EDGE; e = t->side[side].next[e])
		make_hot(t, e);
}

static void put(struct spilling *t, uint32_t edge, uint32_t colour)
{
	t->colours[edge] = colour;
	for (unsigned side = 0; side < 2; side++) {
		struct spill_side *s = &t->side[side];
		size_t at = cell(t, side, edge, colour);

		s->next[edge] = s->head[at];
		s->head[at] = edge;
		s->count[at]++;
		s->cold[at]++;
	}
	for (unsigned side = 0; side < 2; side++) {
		size_t at = cell(t, side, edge, colour);

		if (t->side[side].count[at] > t->side[side].room[at])
			overload(t, side, at);
	}
}

/* Flows that would newly be hit at one end. */
static uint32_t price(const struct spilling *t, unsigned side, size_t at)
{
	const struct spill_side *s = &t->side[side];

	return s->count[at] + 1 > s->room[at] ? s->cold[at] : 0;
}

/* The colour that hits fewest flows; of equal ones the first; NO_EDGE: none has room. */
static uint32_t cheapest(const struct spilling *t, uint32_t edge)
{
	uint32_t best = NO_EDGE, least = UINT32_MAX;

	for (uint32_t c = 0; c < t->in->n_colours; c++) {
		size_t l = cell(t, 0, edge, c), r = cell(t, 1, edge, c);
		uint32_t cost;

		if (t->side[0].count[l] >= t->side[0].most[l] ||
		    t->side[1].count[r] >= t->side[1].most[r])
			continue;
		cost = price(t, 0, l) + price(t, 1, r);
		if (cost < least) {
			least = cost;
			best = c;
		}
	}
	return best;
}

static int side_init(struct spilling *t, unsigned side, const uint16_t *room,
		     const uint16_t *most)
{
	struct spill_side *s = &t->side[side];
	size_t cells = (size_t)t->in->n_vertices * t->in->n_colours;

	s->room = room;
	s->most = most;
	s->head = base_array_new(cells, sizeof(uint32_t));
	s->next = base_array_new(t->in->n_edges, sizeof(uint32_t));
	s->count = base_array_new(cells, sizeof(uint32_t));
	s->cold = base_array_new(cells, sizeof(uint32_t));
	if (!s->head || !s->next || !s->count || !s->cold)
		return -ENOMEM;
	memset(s->head, 0xff, cells * sizeof(uint32_t));
	return 0;
}

static void side_fini(struct spill_side *s)
{
	free(s->head);
	free(s->next);
	free(s->count);
	free(s->cold);
}

int planner_spill(const struct spill_input *input, uint32_t *colours)
{
	struct spilling t = { .in = input, .colours = colours };
	int missing = 0;
	int r = side_init(&t, 0, input->left_room, input->left_most);

	if (r == 0)
		r = side_init(&t, 1, input->right_room, input->right_most);
	t.hot = base_array_new(input->n_edges, sizeof(*t.hot));
	if (!t.hot)
		r = -ENOMEM;
	for (uint32_t e = 0; r == 0 && e < input->n_edges; e++)
		if (colours[e] != PLANNER_COLOUR_NONE)
			put(&t, e, colours[e]);
	for (uint32_t e = 0; r == 0 && e < input->n_edges; e++) {
		uint32_t colour;

		if (colours[e] != PLANNER_COLOUR_NONE)
			continue;
		colour = cheapest(&t, e);
		if (colour == NO_EDGE)
			missing++;
		else
			put(&t, e, colour);
	}
	side_fini(&t.side[0]);
	side_fini(&t.side[1]);
	free(t.hot);
	return r < 0 ? r : missing;
}
