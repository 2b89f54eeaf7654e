/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proper edge colouring by Kempe chains.  The state is two tables, vertex x colour ->
 * edge, one for each side, and a bit mask of free colours for each vertex, so that "a
 * colour that both ends have free" is an AND over a few words.
 */
#include <planner/colour.h>
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_EDGE UINT32_MAX

struct side {
	uint32_t *edge_at; /* [vertex * n_colours + colour] */
	uint64_t *free;	   /* [vertex * n_words + colour / 64] */
};

struct colouring {
	const struct planner_edge *edges;
	uint32_t n_colours, n_words;
	struct side left, right;
	uint32_t *colours; /* of the edges, as they stand */
};

int planner_colour_degree(const struct planner_edge *edges, uint32_t n_edges,
			  uint32_t n_left, uint32_t n_right, uint32_t *ret_degree)
{
	uint32_t *counts = base_array_new((size_t)n_left + n_right, sizeof(*counts));
	uint32_t degree = 0;

	if (!counts)
		return -ENOMEM;
	for (uint32_t e = 0; e < n_edges; e++) {
		uint32_t l = ++counts[edges[e].left];
		uint32_t r = ++counts[(size_t)n_left + edges[e].right];

		if (l > degree)
			degree = l;
		if (r > degree)
			degree = r;
	}
	free(counts);
	*ret_degree = degree;
	return 0;
}

static int side_init(struct side *s, uint32_t n_vertices, uint32_t n_colours,
		     uint32_t n_words)
{
	size_t n = (size_t)n_vertices * n_colours;

	s->edge_at = base_array_new(n, sizeof(*s->edge_at));
	s->free = base_array_new((size_t)n_vertices * n_words, sizeof(*s->free));
	if (!s->edge_at || !s->free)
		return -ENOMEM;
	memset(s->edge_at, 0xff, n * sizeof(*s->edge_at));
	for (uint32_t v = 0; v < n_vertices; v++)
		for (uint32_t w = 0; w < n_words; w++) {
			uint32_t bits = n_colours - w * 64;

			s->free[(size_t)v * n_words + w] =
				bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
		}
	return 0;
}

static void side_fini(struct side *s)
{
	free(s->edge_at);
	free(s->free);
}

static uint32_t *slot(const struct colouring *c, struct side *s, uint32_t vertex,
		      uint32_t colour)
{
	return &s->edge_at[(size_t)vertex * c->n_colours + colour];
}

static void take(const struct colouring *c, struct side *s, uint32_t vertex,
		 uint32_t colour)
{
	s->free[(size_t)vertex * c->n_words + colour / 64] &=
		~(UINT64_C(1) << colour % 64);
}

static void release(const struct colouring *c, struct side *s, uint32_t vertex,
		    uint32_t colour)
{
	s->free[(size_t)vertex * c->n_words + colour / 64] |= UINT64_C(1) << colour % 64;
	*slot(c, s, vertex, colour) = NO_EDGE;
}

/* The first set bit of @a AND @b, or NO_EDGE. */
static uint32_t first_common(const uint64_t *a, const uint64_t *b, uint32_t n_words)
{
	for (uint32_t w = 0; w < n_words; w++) {
		uint64_t both = a[w] & b[w];

		if (both)
			return w * 64 + (uint32_t)__builtin_ctzll(both);
	}
	return NO_EDGE;
}

static uint32_t first_free(const struct colouring *c, const struct side *s,
			   uint32_t vertex)
{
	const uint64_t *free = &s->free[(size_t)vertex * c->n_words];

	return first_common(free, free, c->n_words);
}

/*
 * Gives edge @e the colour @alpha, which its left end has free and its right end has not,
 * by recolouring the chain of alpha and beta edges that begins at the right end, where
 * @beta is free.  The chain cannot come back to the left end of @e: it would arrive there
 * over an alpha edge, and there is none.
 */
static void flip_chain(struct colouring *c, uint32_t e, uint32_t alpha, uint32_t beta)
{
	struct side *s = &c->right;
	uint32_t vertex = c->edges[e].right;
	uint32_t placed = alpha, other = beta;
	uint32_t edge = e, next;

	*slot(c, &c->left, c->edges[e].left, alpha) = e;
	take(c, &c->left, c->edges[e].left, alpha);
	c->colours[e] = alpha;
	for (;;) {
		/* @edge wants @placed at @vertex; whoever has it moves on to @other. */
		next = *slot(c, s, vertex, placed);
		*slot(c, s, vertex, placed) = edge;
		if (next == NO_EDGE) {
			take(c, s, vertex, placed);
			if (edge != e)
				release(c, s, vertex, other);
			return;
		}
		*slot(c, s, vertex, other) = next;
		if (edge == e)
			take(c, s, vertex, other);
		c->colours[next] = other;
		edge = next;
		vertex = s == &c->right ? c->edges[next].left : c->edges[next].right;
		s = s == &c->right ? &c->left : &c->right;
		next = placed;
		placed = other;
		other = next;
	}
}

static void insert(struct colouring *c, uint32_t e)
{
	uint32_t u = c->edges[e].left, v = c->edges[e].right;
	uint32_t colour =
		first_common(&c->left.free[(size_t)u * c->n_words],
			     &c->right.free[(size_t)v * c->n_words], c->n_words);

	if (colour == NO_EDGE) {
		flip_chain(c, e, first_free(c, &c->left, u), first_free(c, &c->right, v));
		return;
	}
	*slot(c, &c->left, u, colour) = e;
	*slot(c, &c->right, v, colour) = e;
	take(c, &c->left, u, colour);
	take(c, &c->right, v, colour);
	c->colours[e] = colour;
}

int planner_colour(const struct planner_edge *edges, uint32_t n_edges, uint32_t n_left,
		   uint32_t n_right, uint32_t n_colours, uint32_t *colours)
{
	struct colouring c = {
		.edges = edges,
		.n_colours = n_colours,
		.n_words = (n_colours + 63) / 64,
		.colours = colours,
	};
	uint32_t degree;
	int r = planner_colour_degree(edges, n_edges, n_left, n_right, &degree);

	if (r < 0)
		return r;
	if (degree > n_colours)
		return -EINVAL;
	if (n_edges == 0)
		return 0;
	r = side_init(&c.left, n_left, n_colours, c.n_words);
	if (r == 0)
		r = side_init(&c.right, n_right, n_colours, c.n_words);
	for (uint32_t e = 0; r == 0 && e < n_edges; e++)
		insert(&c, e);
	side_fini(&c.left);
	side_fini(&c.right);
	return r;
}
