/* SPDX-License-Identifier: Apache-2.0 */
#include "hot.h"
#include <base/mem.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* More deficits than one in so many flows: overload is the rule, and picking flows for it
 * gains nothing. */
#define DEFICIT_SHARE 8u
/* Flows that one more may push on: beyond, the call stack would be what is scarce. */
#define DEPTH_MAX 4096u
#define NOT_HOT UINT32_MAX

struct hot_side {
	uint32_t *deficit;  /* [vertex] */
	uint32_t *capacity; /* [vertex] flows that make its hot link full, 0: not hot in
			       this round */
	uint32_t *count;    /* [vertex] flows on it */
	uint32_t *first, *edges; /* edges by vertex */
	uint32_t *seen;		 /* [vertex] stamp of the last search */
};

struct picking {
	const struct hot_input *in;
	struct hot_side side[2]; /* left, right */
	uint32_t *colours;
	bool *used;	   /* [colour] */
	uint8_t *on;	   /* [edge] on the hot links of this round */
	uint32_t *per_pod; /* [side * n_pods + pod] */
	uint32_t stamp;
	bool within_pods; /* only flows that do not leave their pod: they crowd no next
			     level */
};

static uint32_t end_of(const struct picking *t, uint32_t edge, unsigned side)
{
	return side ? t->in->edges[edge].right : t->in->edges[edge].left;
}

static const uint16_t *room_of(const struct picking *t, unsigned side, uint32_t vertex)
{
	const uint16_t *rooms = side ? t->in->right_room : t->in->left_room;

	return &rooms[(size_t)vertex * t->in->n_colours];
}

/* Edges by vertex, by counting; and how many of them find no room. */
static int side_init(struct picking *t, unsigned side)
{
	struct hot_side *s = &t->side[side];
	uint32_t n = t->in->n_vertices;

	s->deficit = base_array_new(n, sizeof(uint32_t));
	s->capacity = base_array_new(n, sizeof(uint32_t));
	s->count = base_array_new(n, sizeof(uint32_t));
	s->seen = base_array_new(n, sizeof(uint32_t));
	s->first = base_array_new((size_t)n + 2, sizeof(uint32_t));
	s->edges = base_array_new(t->in->n_edges, sizeof(uint32_t));
	if (!s->deficit || !s->capacity || !s->count || !s->seen || !s->first ||
	    !s->edges)
		return -ENOMEM;
	for (uint32_t e = 0; e < t->in->n_edges; e++)
		s->first[end_of(t, e, side) + 2]++;
	for (uint32_t v = 0; v < n; v++) {
		const uint16_t *room = room_of(t, side, v);
		uint32_t rooms = 0, degree = s->first[v + 2];

		for (uint32_t c = 0; c < t->in->n_colours; c++)
			rooms += room[c];
		s->deficit[v] = degree > rooms ? degree - rooms : 0;
		s->first[v + 2] += s->first[v + 1];
	}
	for (uint32_t e = 0; e < t->in->n_edges; e++)
		s->edges[s->first[end_of(t, e, side) + 1]++] = e;
	return 0;
}

static void side_fini(struct hot_side *s)
{
	free(s->deficit);
	free(s->capacity);
	free(s->count);
	free(s->seen);
	free(s->first);
	free(s->edges);
}

/* The colour that is alive at most vertices with deficits, of those not used yet;
 * NOT_HOT: none. */
static uint32_t choose_colour(const struct picking *t)
{
	uint32_t best = NOT_HOT, most = 0;

	for (uint32_t c = 0; c < t->in->n_colours; c++) {
		uint32_t alive = 0;

		if (t->used[c])
			continue;
		for (unsigned side = 0; side < 2; side++)
			for (uint32_t v = 0; v < t->in->n_vertices; v++)
				alive += t->side[side].deficit[v] > 0 &&
					 room_of(t, side, v)[c] > 0;
		if (alive > most) {
			most = alive;
			best = c;
		}
	}
	return best;
}

/* Makes the colour hot at vertices with deficits, no more of a pod than allowed. */
static void heat(struct picking *t, uint32_t colour)
{
	for (unsigned side = 0; side < 2; side++)
		for (uint32_t v = 0; v < t->in->n_vertices; v++) {
			struct hot_side *s = &t->side[side];
			uint32_t room = room_of(t, side, v)[colour];

			s->capacity[v] = s->count[v] = 0;
			if (s->deficit[v] == 0 || room == 0)
				continue;
			if (t->in->pod && !t->within_pods) {
				uint32_t *n =
					&t->per_pod[side * t->in->n_pods + t->in->pod[v]];

				if (*n >= t->in->per_pod)
					continue;
				(*n)++;
			}
			s->capacity[v] = room + 1;
		}
	if (t->in->pod)
		memset(t->per_pod, 0, 2 * (size_t)t->in->n_pods * sizeof(*t->per_pod));
}

/*
 * One more flow of @vertex (left) onto the hot links, if need be by moving others: an
 * alternating path, depth first.
 */
static bool augment(struct picking *t, uint32_t vertex, uint32_t depth)
{
	struct hot_side *left = &t->side[0], *right = &t->side[1];

	for (uint32_t i = left->first[vertex]; i < left->first[vertex + 1]; i++) {
		uint32_t e = left->edges[i], v = t->in->edges[e].right;

		if (t->within_pods && t->in->pod[vertex] != t->in->pod[v])
			continue;
		if (t->on[e] || t->colours[e] != PLANNER_COLOUR_NONE ||
		    right->capacity[v] == 0 || right->seen[v] == t->stamp)
			continue;
		right->seen[v] = t->stamp;
		if (right->count[v] < right->capacity[v]) {
			t->on[e] = 1;
			right->count[v]++;
			return true;
		}
		for (uint32_t k = right->first[v]; k < right->first[v + 1]; k++) {
			uint32_t f = right->edges[k];

			if (!t->on[f] || left->seen[t->in->edges[f].left] == t->stamp)
				continue;
			left->seen[t->in->edges[f].left] = t->stamp;
			if (depth == DEPTH_MAX ||
			    !augment(t, t->in->edges[f].left, depth + 1))
				continue;
			t->on[f] = 0;
			t->on[e] = 1;
			return true;
		}
	}
	return false;
}

/* Fills the hot links; a flow stays only where one of its two is full. */
static uint32_t fill(struct picking *t, uint32_t colour)
{
	struct hot_side *left = &t->side[0], *right = &t->side[1];
	uint32_t n = 0;

	for (uint32_t v = 0; v < t->in->n_vertices; v++)
		while (left->count[v] < left->capacity[v]) {
			t->stamp++;
			left->seen[v] = t->stamp;
			if (!augment(t, v, 0))
				break;
			left->count[v]++;
		}
	for (uint32_t e = 0; e < t->in->n_edges; e++) {
		uint32_t u = t->in->edges[e].left, v = t->in->edges[e].right;

		if (!t->on[e])
			continue;
		t->on[e] = 0;
		if (left->count[u] < left->capacity[u] &&
		    right->count[v] < right->capacity[v])
			continue;
		t->colours[e] = colour;
		n++;
	}
	for (unsigned side = 0; side < 2; side++)
		for (uint32_t v = 0; v < t->in->n_vertices; v++)
			if (t->side[side].capacity[v] > 0 &&
			    t->side[side].count[v] == t->side[side].capacity[v])
				t->side[side].deficit[v]--;
	return n;
}

static bool has_deficits(const struct picking *t)
{
	uint64_t sum[2] = { 0 };

	for (unsigned side = 0; side < 2; side++)
		for (uint32_t v = 0; v < t->in->n_vertices; v++)
			sum[side] += t->side[side].deficit[v];
	return sum[0] > 0 && sum[1] > 0 &&
	       (sum[0] + sum[1]) * DEFICIT_SHARE <= 2 * (uint64_t)t->in->n_edges;
}

/* Rounds with ever new colours, until one brings nothing.  Returns the number of hot
 * flows. */
static uint32_t pick(struct picking *t)
{
	uint32_t n = 0, got = 1;

	while (got > 0 && has_deficits(t)) {
		uint32_t colour = choose_colour(t);

		if (colour == NOT_HOT)
			break;
		t->used[colour] = true;
		heat(t, colour);
		got = fill(t, colour);
		n += got;
	}
	return n;
}

int planner_hot_pick(const struct hot_input *input, uint32_t *colours)
{
	struct picking t = { .in = input, .colours = colours };
	uint32_t n = 0;
	int r = side_init(&t, 0);

	if (r == 0)
		r = side_init(&t, 1);
	t.used = base_array_new(input->n_colours, sizeof(*t.used));
	t.on = base_array_new(input->n_edges, sizeof(*t.on));
	t.per_pod = base_array_new(2 * (size_t)input->n_pods, sizeof(*t.per_pod));
	if (!t.used || !t.on || !t.per_pod)
		r = -ENOMEM;
	if (r == 0 && input->pod) {
		t.within_pods = true;
		n += pick(&t);
		t.within_pods = false;
	}
	if (r == 0)
		n += pick(&t);
	side_fini(&t.side[0]);
	side_fini(&t.side[1]);
	free(t.used);
	free(t.on);
	free(t.per_pod);
	return r < 0 ? r : (int)n;
}
