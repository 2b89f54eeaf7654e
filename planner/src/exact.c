/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small phases exactly: depth first over all assignments of paths, largest QP first, cut
 * off where the fullest link is already no better than the best found.  Only where the
 * plan so far misses its bound, and only within a fixed number of steps; what it finds is
 * kept even if the steps run out.
 */
#include "solver.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A phase is small with so many QPs, and so many paths for each. */
#define QPS_MAX 24u
#define PATHS_MAX 64u
#define STEPS_MAX 400000u

struct choice {
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	uint32_t n;
	uint16_t plane;
};

struct exact {
	struct solver *s;
	uint32_t n; /* QPs */
	uint32_t *qps;
	struct choice *choices; /* [i * PATHS_MAX + choice] */
	uint32_t *n_choices;
	uint32_t *at, *best; /* [i] choice now, and in the best assignment */
	double limit;	     /* the bound: no need to go below it */
	double largest;	     /* of the best assignment */
	uint32_t steps;
	bool found;
};

/* All equal-cost paths of a QP, over the planes it may use.  1; 0: none, or too many;
 * -ENOMEM. */
static int find_choices(struct exact *t, uint32_t i)
{
	struct solver *s = t->s;
	const struct planner_conn *c = &s->p->conns[t->qps[i] / s->qps];

	for (uint32_t plane = 0; plane < s->n_planes; plane++) {
		uint64_t count;
		int r;

		if (c->plane != TOPO_NONE && c->plane != plane)
			continue;
		r = topo_paths_aim(s->paths, c->dst_nic, plane);
		if (r == -ENOMEM)
			return r;
		if (r < 0 || topo_paths_length(s->paths, c->src_nic) > s->stride)
			continue;
		count = topo_paths_count(s->paths, c->src_nic);
		if (count > PATHS_MAX - t->n_choices[i])
			return 0;
		for (uint64_t k = 0; k < count; k++) {
			struct choice *to = &t->choices[i * PATHS_MAX + t->n_choices[i]];
			int n = topo_paths_get(s->paths, c->src_nic, k, to->hops);

			if (n <= 0)
				return 0;
			to->n = (uint32_t)n;
			to->plane = (uint16_t)plane;
			t->n_choices[i]++;
		}
	}
	return t->n_choices[i] > 0 ? 1 : 0;
}

static void change(struct exact *t, uint32_t i, uint32_t choice, double sign)
{
	const struct choice *c = &t->choices[i * PATHS_MAX + choice];

	for (uint32_t h = 0; h < c->n; h++)
		t->s->load[c->hops[h]] +=
			sign * solver_hop_load(t->s, c->hops[h], t->s->bytes[t->qps[i]]);
}

/* The fullest link of the choice once the QP is on it. */
static double height(const struct exact *t, uint32_t i, uint32_t choice)
{
	const struct choice *c = &t->choices[i * PATHS_MAX + choice];
	double most = 0;

	for (uint32_t h = 0; h < c->n; h++) {
		double load = t->s->load[c->hops[h]] +
			      solver_hop_load(t->s, c->hops[h], t->s->bytes[t->qps[i]]);

		if (load > most)
			most = load;
	}
	return most;
}

static void descend(struct exact *t, uint32_t i, double largest)
{
	uint32_t first = 0;

	if (i == t->n) {
		t->found = true;
		t->largest = largest;
		memcpy(t->best, t->at, t->n * sizeof(*t->at));
		return;
	}
	/* QPs of one connection are alike: only in order. */
	if (i > 0 && t->qps[i] / t->s->qps == t->qps[i - 1] / t->s->qps)
		first = t->at[i - 1];
	for (uint32_t k = first; k < t->n_choices[i] && t->steps < STEPS_MAX; k++) {
		double with = height(t, i, k);

		t->steps++;
		with = with > largest ? with : largest;
		if (with >= t->largest - LOAD_EPSILON)
			continue;
		t->at[i] = k;
		change(t, i, k, 1);
		descend(t, i + 1, with);
		change(t, i, k, -1);
		if (t->largest <= t->limit + LOAD_EPSILON)
			return;
	}
}

/* Runs on empty links, then puts the best assignment, or the one before, back. */
static void run(struct exact *t)
{
	struct solver *s = t->s;
	struct choice old[QPS_MAX];

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t q = t->qps[i];

		old[i].n = s->n_path[q];
		old[i].plane = s->plane[q];
		memcpy(old[i].hops, solver_path(s, q), old[i].n * sizeof(uint32_t));
		solver_clear_path(s, q);
	}
	memset(s->load, 0, s->n_hops * sizeof(*s->load));
	descend(t, 0, 0);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct choice *c =
			t->found ? &t->choices[i * PATHS_MAX + t->best[i]] : &old[i];

		solver_set_path(s, t->qps[i], c->hops, c->n);
		s->plane[t->qps[i]] = c->plane;
	}
}

int solver_exact(struct solver *s, double limit)
{
	uint32_t n = s->n_conns * s->qps, qps[QPS_MAX], at[QPS_MAX], best[QPS_MAX];
	uint32_t n_choices[QPS_MAX] = { 0 };
	struct exact t = {
		.s = s,
		.qps = qps,
		.n_choices = n_choices,
		.at = at,
		.best = best,
		.limit = limit,
		.largest = solver_largest(s),
	};
	int is_small = 1; /* 0: it is not; negative: an error */

	if (s->n_conns > QPS_MAX || n > QPS_MAX || t.largest <= limit + LOAD_EPSILON)
		return 0;
	t.choices = base_array_new((size_t)n * PATHS_MAX, sizeof(*t.choices));
	if (!t.choices || solver_need_paths(s) < 0) {
		free(t.choices);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n && is_small > 0; i++) {
		qps[t.n] = s->conns[i / s->qps] * s->qps + i % s->qps;
		/* What has no path loads nothing. */
		if (s->n_path[qps[t.n]] > 0)
			is_small = find_choices(&t, t.n++);
	}
	if (is_small > 0)
		run(&t);
	free(t.choices);
	return is_small < 0 ? is_small : 0;
}
