/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Colouring with rooms: each vertex may use each colour a given number of times, none
 * where a link is dead. Edges are put in one by one.  When no colour has room at both
 * ends, an exchange over two colours is searched breadth first: alpha has room at the
 * left end, beta at the right end, and edges swap alpha and beta along an alternating
 * path until a vertex with room ends it.
 */
#include <planner/colour.h>
#include <base/mem.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NO_EDGE UINT32_MAX
/* Colour pairs tried for an edge before it is given up. */
#define PAIRS_MAX 256u
/* Edges without a place are few when they are fewer than one in so many. */
#define FEW 16u

struct room_side {
	uint32_t n;	       /* vertices */
	uint16_t *room;	       /* [vertex * n_colours + colour] */
	uint32_t *head;	       /* first edge of (vertex, colour), NO_EDGE: none */
	uint32_t *next, *prev; /* [edge] */
	uint32_t *seen;	       /* [vertex] stamp of the last search that reached it */
	uint32_t *came_by;     /* [vertex] edge over which it was reached */
};

struct rooms {
	const struct planner_edge *edges;
	uint32_t n_colours;
	struct room_side side[2]; /* left, right */
	uint32_t *colours;
	uint32_t *queue; /* vertices, side in the lowest bit */
	uint32_t stamp;
	uint16_t *left_room, *right_room;
};

static uint32_t end_of(const struct rooms *t, uint32_t edge, unsigned side)
{
	return side ? t->edges[edge].right : t->edges[edge].left;
}

static size_t cell(const struct rooms *t, uint32_t vertex, uint32_t colour)
{
	return (size_t)vertex * t->n_colours + colour;
}

static void link_edge(struct rooms *t, unsigned side, uint32_t edge, uint32_t colour)
{
	struct room_side *s = &t->side[side];
	uint32_t *head = &s->head[cell(t, end_of(t, edge, side), colour)];

	s->next[edge] = *head;
	s->prev[edge] = NO_EDGE;
	if (*head != NO_EDGE)
		s->prev[*head] = edge;
	*head = edge;
}

static void unlink_edge(struct rooms *t, unsigned side, uint32_t edge, uint32_t colour)
{
	struct room_side *s = &t->side[side];

	if (s->prev[edge] != NO_EDGE)
		s->next[s->prev[edge]] = s->next[edge];
	else
		s->head[cell(t, end_of(t, edge, side), colour)] = s->next[edge];
	if (s->next[edge] != NO_EDGE)
		s->prev[s->next[edge]] = s->prev[edge];
}

/* Takes @edge into @colour at both ends; the rooms must be there. */
static void put(struct rooms *t, uint32_t edge, uint32_t colour)
{
	for (unsigned side = 0; side < 2; side++) {
		link_edge(t, side, edge, colour);
		t->side[side].room[cell(t, end_of(t, edge, side), colour)]--;
	}
	t->colours[edge] = colour;
}

static void take_out(struct rooms *t, uint32_t edge)
{
	uint32_t colour = t->colours[edge];

	for (unsigned side = 0; side < 2; side++) {
		unlink_edge(t, side, edge, colour);
		t->side[side].room[cell(t, end_of(t, edge, side), colour)]++;
	}
	t->colours[edge] = PLANNER_COLOUR_NONE;
}

/* The colour with most room at both ends (the lesser of the two counts); NO_EDGE: none.
 */
static uint32_t roomiest(const struct rooms *t, uint32_t edge)
{
	const uint16_t *l = &t->left_room[cell(t, t->edges[edge].left, 0)];
	const uint16_t *r = &t->right_room[cell(t, t->edges[edge].right, 0)];
	uint32_t best = NO_EDGE;
	uint16_t most = 0;

	for (uint32_t c = 0; c < t->n_colours; c++) {
		uint16_t room = l[c] < r[c] ? l[c] : r[c];

		if (room > most) {
			most = room;
			best = c;
		}
	}
	return best;
}

/*
 * Searches the exchange that lets @e have the colour @own, which has room at its other
 * end: breadth first from its end on @start, where one edge of that colour must turn
 * @other.  Returns the vertex (side in the lowest bit) with room for what arrives there,
 * or NO_EDGE.
 */
static uint32_t search(struct rooms *t, uint32_t e, unsigned start, uint32_t own,
		       uint32_t other)
{
	uint32_t head = 0, tail = 0;
	uint32_t vertex = end_of(t, e, start);

	t->stamp++;
	t->side[start].seen[vertex] = t->stamp;
	t->side[start].came_by[vertex] = e;
	/* The other end of @e gives its room to @e itself: no path may end or pass there.
	 */
	t->side[!start].seen[end_of(t, e, !start)] = t->stamp;
	t->queue[tail++] = vertex << 1 | start;
	while (head < tail) {
		uint32_t at = t->queue[head++];
		unsigned side = at & 1u;
		uint32_t from = side == start ? own : other;
		uint32_t to = side == start ? other : own;
		struct room_side *far = &t->side[!side];
		uint32_t edge = t->side[side].head[cell(t, at >> 1, from)];

		for (; edge != NO_EDGE; edge = t->side[side].next[edge]) {
			uint32_t v = end_of(t, edge, !side);

			if (far->seen[v] == t->stamp)
				continue;
			far->seen[v] = t->stamp;
			far->came_by[v] = edge;
			/* @edge arrives at @v as colour @to. */
			if (far->room[cell(t, v, to)] > 0)
				return v << 1 | (side ? 0u : 1u);
			t->queue[tail++] = v << 1 | (side ? 0u : 1u);
		}
	}
	return NO_EDGE;
}

/* Swaps the colours of the edges on the way that search() found for @e, last one first.
 */
static void exchange(struct rooms *t, uint32_t e, uint32_t own, uint32_t other,
		     uint32_t end)
{
	uint32_t at = end;

	for (;;) {
		unsigned side = at & 1u;
		uint32_t edge = t->side[side].came_by[at >> 1];

		if (edge == e)
			break;
		uint32_t colour = t->colours[edge] == own ? other : own;

		take_out(t, edge);
		/* The near end may lack room until the edge before it has left. */
		put(t, edge, colour);
		at = end_of(t, edge, !side) << 1 | (side ? 0u : 1u);
	}
}

static bool exchange_and_put(struct rooms *t, uint32_t e, unsigned start, uint32_t own,
			     uint32_t other)
{
	uint32_t end = search(t, e, start, own, other);

	if (end == NO_EDGE)
		return false;
	exchange(t, e, own, other, end);
	put(t, e, own);
	return true;
}

/* A colour with room at both ends, or one that two colours' exchange makes. */
static bool place(struct rooms *t, uint32_t e)
{
	const uint16_t *l = &t->left_room[cell(t, t->edges[e].left, 0)];
	const uint16_t *r = &t->right_room[cell(t, t->edges[e].right, 0)];
	uint32_t colour = roomiest(t, e);
	uint32_t tried = 0;

	if (colour != NO_EDGE) {
		put(t, e, colour);
		return true;
	}
	for (uint32_t alpha = 0; alpha < t->n_colours; alpha++) {
		for (uint32_t beta = 0; l[alpha] && beta < t->n_colours; beta++) {
			if (!r[beta])
				continue;
			if (tried++ == PAIRS_MAX)
				return false;
			if (exchange_and_put(t, e, 1, alpha, beta) ||
			    exchange_and_put(t, e, 0, beta, alpha))
				return true;
		}
	}
	return false;
}

static uint32_t first_room(const struct rooms *t, unsigned side, uint32_t vertex)
{
	const uint16_t *room = &t->side[side].room[cell(t, vertex, 0)];

	for (uint32_t c = 0; c < t->n_colours; c++)
		if (room[c])
			return c;
	return NO_EDGE;
}

/*
 * Three colours: at one end of @e, another colour is freed by an exchange with one that
 * has room, which keeps all edges placed; then @e is tried again.
 */
static bool place_by_turns(struct rooms *t, uint32_t e)
{
	for (unsigned side = 0; side < 2; side++)
		for (uint32_t c = 0; c < t->n_colours; c++) {
			uint32_t vertex = end_of(t, e, side);
			uint32_t free = first_room(t, side, vertex), end;

			if (free == NO_EDGE || t->side[side].room[cell(t, vertex, c)] ||
			    t->side[side].head[cell(t, vertex, c)] == NO_EDGE)
				continue;
			end = search(t, e, side, c, free);
			if (end == NO_EDGE)
				continue;
			exchange(t, e, c, free, end);
			if (place(t, e))
				return true;
		}
	return false;
}

static int room_side_init(struct room_side *s, uint32_t n, uint32_t n_edges,
			  uint32_t n_colours, uint16_t *room)
{
	s->n = n;
	s->room = room;
	s->head = base_array_new((size_t)n * n_colours, sizeof(*s->head));
	s->next = base_array_new(n_edges, sizeof(*s->next));
	s->prev = base_array_new(n_edges, sizeof(*s->prev));
	s->seen = base_array_new(n, sizeof(*s->seen));
	s->came_by = base_array_new(n, sizeof(*s->came_by));
	if (!s->head || !s->next || !s->prev || !s->seen || !s->came_by)
		return -ENOMEM;
	memset(s->head, 0xff, (size_t)n * n_colours * sizeof(*s->head));
	return 0;
}

static void room_side_fini(struct room_side *s)
{
	free(s->head);
	free(s->next);
	free(s->prev);
	free(s->seen);
	free(s->came_by);
}

int planner_colour_insert(const struct planner_edge *edges, uint32_t n_edges,
			  uint32_t n_left, uint32_t n_right, uint32_t n_colours,
			  uint16_t *left_room, uint16_t *right_room, uint32_t *colours)
{
	struct rooms t = {
		.edges = edges,
		.n_colours = n_colours,
		.colours = colours,
		.left_room = left_room,
		.right_room = right_room,
	};
	int missing = 0;
	int r = room_side_init(&t.side[0], n_left, n_edges, n_colours, left_room);

	if (r == 0)
		r = room_side_init(&t.side[1], n_right, n_edges, n_colours, right_room);
	t.queue = base_array_new((size_t)n_left + n_right, sizeof(*t.queue));
	if (r < 0 || !t.queue) {
		missing = -ENOMEM;
		goto out;
	}
	for (uint32_t e = 0; e < n_edges; e++)
		if (colours[e] != PLANNER_COLOUR_NONE) {
			link_edge(&t, 0, e, colours[e]);
			link_edge(&t, 1, e, colours[e]);
		}
	for (uint32_t e = 0; e < n_edges; e++)
		if (colours[e] == PLANNER_COLOUR_NONE && !place(&t, e))
			missing++;
	/* A few that found no place are worth a longer look; many mean that there is
	 * none. */
	for (uint32_t e = 0;
	     missing > 0 && (uint32_t)missing <= n_edges / FEW && e < n_edges; e++)
		if (colours[e] == PLANNER_COLOUR_NONE && place_by_turns(&t, e))
			missing--;
out:
	room_side_fini(&t.side[0]);
	room_side_fini(&t.side[1]);
	free(t.queue);
	return missing;
}
