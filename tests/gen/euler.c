/* SPDX-License-Identifier: Apache-2.0 */
#include "euler.h"
#include <base/mem.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A regular multigraph on n + n vertices; the first edges are those that were asked for.
 */
struct regular {
	struct planner_edge *edges;
	uint32_t n_vertices;
	uint32_t *colours;
	uint32_t n_colours; /* given out so far */
};

static void *array(size_t n, size_t elem_size)
{
	void *p = base_array_new(n, elem_size);

	if (!p)
		abort();
	return p;
}

/* Edges of a subset by vertex: left vertices first, then right ones. */
struct incidence {
	uint32_t *first, *list; /* list holds positions in the subset */
};

static struct incidence incidence_of(const struct regular *g, const uint32_t *subset,
				     uint32_t n)
{
	struct incidence in = {
		.first = array(2 * (size_t)g->n_vertices + 2, sizeof(uint32_t)),
		.list = array(2 * (size_t)n, sizeof(uint32_t)),
	};

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < n; i++) {
			const struct planner_edge *e = &g->edges[subset[i]];
			uint32_t ends[] = { e->left, g->n_vertices + e->right };

			for (int side = 0; side < 2; side++) {
				if (pass == 0)
					in.first[ends[side] + 2]++;
				else
					in.list[in.first[ends[side] + 1]++] = i;
			}
		}
		for (uint32_t v = 0; pass == 0 && v + 2 < 2 * g->n_vertices + 2; v++)
			in.first[v + 2] += in.first[v + 1];
	}
	return in;
}

static void incidence_fini(struct incidence *in)
{
	free(in->first);
	free(in->list);
}

/*
 * All degrees are even: walks circuits; edges walked from left to right go to one half,
 * those walked back to the other. Reorders the subset: the first half before the second.
 */
static void halve(const struct regular *g, uint32_t *subset, uint32_t n)
{
	struct incidence in = incidence_of(g, subset, n);
	uint32_t *next = array(2 * (size_t)g->n_vertices, sizeof(*next));
	uint32_t *halves = array(n, sizeof(*halves));
	bool *used = array(n, sizeof(*used));
	uint32_t n_first = 0, n_second = n;

	memcpy(next, in.first, 2 * (size_t)g->n_vertices * sizeof(*next));
	for (uint32_t start = 0; start < g->n_vertices; start++) {
		uint32_t v = start;

		for (;;) {
			while (next[v] < in.first[v + 1] && used[in.list[next[v]]])
				next[v]++;
			if (next[v] == in.first[v + 1]) {
				/* A circuit ends where it began; there may be another. */
				break;
			}
			uint32_t i = in.list[next[v]++];
			const struct planner_edge *e = &g->edges[subset[i]];

			used[i] = true;
			if (v < g->n_vertices) {
				halves[n_first++] = subset[i];
				v = g->n_vertices + e->right;
			} else {
				halves[--n_second] = subset[i];
				v = e->left;
			}
		}
	}
	if (n_first != n_second || n_first != n / 2)
		abort();
	memcpy(subset, halves, n * sizeof(*subset));
	free(halves);
	free(used);
	free(next);
	incidence_fini(&in);
}

struct matching {
	const struct regular *g;
	const uint32_t *subset;
	struct incidence in;
	uint32_t *edge_of; /* [right vertex] position in the subset */
	bool *seen;	   /* [right vertex] */
};

/* Kuhn: an augmenting path from a left vertex. */
static bool augment(struct matching *m, uint32_t left)
{
	for (uint32_t i = m->in.first[left]; i < m->in.first[left + 1]; i++) {
		uint32_t at = m->in.list[i];
		uint32_t right = m->g->edges[m->subset[at]].right;

		if (m->seen[right])
			continue;
		m->seen[right] = true;
		if (m->edge_of[right] == NONE ||
		    augment(m, m->g->edges[m->subset[m->edge_of[right]]].left)) {
			m->edge_of[right] = at;
			return true;
		}
	}
	return false;
}

/* Moves a perfect matching to the end of the subset. */
static void split_matching(const struct regular *g, uint32_t *subset, uint32_t n)
{
	struct matching m = {
		.g = g,
		.subset = subset,
		.in = incidence_of(g, subset, n),
		.edge_of = array(g->n_vertices, sizeof(uint32_t)),
		.seen = array(g->n_vertices, sizeof(bool)),
	};
	uint32_t *rest = array(n, sizeof(*rest));
	bool *taken = array(n, sizeof(*taken));
	uint32_t kept = 0;

	memset(m.edge_of, 0xff, g->n_vertices * sizeof(uint32_t));
	for (uint32_t left = 0; left < g->n_vertices; left++) {
		memset(m.seen, 0, g->n_vertices * sizeof(bool));
		if (!augment(&m, left))
			abort(); /* a regular bipartite graph has a perfect matching */
	}
	for (uint32_t right = 0; right < g->n_vertices; right++)
		taken[m.edge_of[right]] = true;
	for (uint32_t i = 0; i < n; i++)
		if (!taken[i])
			rest[kept++] = subset[i];
	for (uint32_t i = 0; i < n; i++)
		if (taken[i])
			rest[kept++] = subset[i];
	memcpy(subset, rest, n * sizeof(*subset));
	free(rest);
	free(taken);
	free(m.edge_of);
	free(m.seen);
	incidence_fini(&m.in);
}

static void colour(struct regular *g, uint32_t *subset, uint32_t n, uint32_t degree)
{
	if (degree == 1) {
		for (uint32_t i = 0; i < n; i++)
			g->colours[subset[i]] = g->n_colours;
		g->n_colours++;
	} else if (degree % 2) {
		split_matching(g, subset, n);
		colour(g, subset + n - g->n_vertices, g->n_vertices, 1);
		colour(g, subset, n - g->n_vertices, degree - 1);
	} else {
		halve(g, subset, n);
		colour(g, subset, n / 2, degree / 2);
		colour(g, subset + n / 2, n / 2, degree / 2);
	}
}

/* Adds edges between vertices of less than full degree until all have it. */
static void make_regular(struct regular *g, uint32_t n_edges, uint32_t degree)
{
	uint32_t *left = array(g->n_vertices, sizeof(*left));
	uint32_t *right = array(g->n_vertices, sizeof(*right));
	uint32_t l = 0, r = 0;

	for (uint32_t e = 0; e < n_edges; e++) {
		left[g->edges[e].left]++;
		right[g->edges[e].right]++;
	}
	for (uint32_t e = n_edges; e < g->n_vertices * degree; e++) {
		while (left[l] == degree)
			l++;
		while (right[r] == degree)
			r++;
		left[l]++;
		right[r]++;
		g->edges[e] = (struct planner_edge){ l, r };
	}
	free(left);
	free(right);
}

uint32_t gen_euler_colour(const struct planner_edge *edges, uint32_t n_edges,
			  uint32_t n_left, uint32_t n_right, uint32_t *colours)
{
	struct regular g = { .n_vertices = n_left > n_right ? n_left : n_right };
	uint32_t degree = 0, *degrees, *subset, n;

	degrees = array((size_t)n_left + n_right, sizeof(*degrees));
	for (uint32_t e = 0; e < n_edges; e++) {
		uint32_t ends[] = { edges[e].left, n_left + edges[e].right };

		for (int side = 0; side < 2; side++)
			if (++degrees[ends[side]] > degree)
				degree = degrees[ends[side]];
	}
	free(degrees);
	if (degree == 0)
		return 0;
	n = g.n_vertices * degree;
	g.edges = array(n, sizeof(*g.edges));
	g.colours = array(n, sizeof(*g.colours));
	subset = array(n, sizeof(*subset));
	memcpy(g.edges, edges, n_edges * sizeof(*edges));
	make_regular(&g, n_edges, degree);
	for (uint32_t e = 0; e < n; e++)
		subset[e] = e;
	colour(&g, subset, n, degree);
	memcpy(colours, g.colours, n_edges * sizeof(*colours));
	free(g.edges);
	free(g.colours);
	free(subset);
	return g.n_colours;
}
