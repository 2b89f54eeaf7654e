/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uneven weights: where whole QPs cannot reach the bound, bytes move between the QPs of a
 * connection.  Each connection in turn pours its bytes over its paths like water over
 * steps of different heights, the step of a path being its fullest link; passes go on
 * until the largest load is at the bound or no longer falls.
 */
#include "solver.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASSES_MAX 400u
#define STALLED_PASSES 40u
/* Link looks of one phase at most. */
#define WORK_MAX ((uint64_t)400 * 1000 * 1000)
#define BISECTIONS 24

struct pouring {
	struct solver *s;
	double limit;
	double *best; /* [qp of the phase's connections] bytes when the largest load was
			 least */
	uint64_t work;
};

/* Bytes that fit on the path below @level; its own bytes are not on it. */
static double fits(const struct solver *s, uint32_t qp, double level)
{
	const uint32_t *hops = solver_path(s, qp);
	double least = INFINITY;

	for (uint32_t h = 1; h + 1 < s->n_path[qp]; h++) {
		double room =
			(level - s->load[hops[h]]) / s->per_byte[topo_hop_link(hops[h])];

		least = fmin(least, room);
	}
	return fmax(least, 0);
}

static void add_bytes(struct solver *s, uint32_t qp, double bytes)
{
	const uint32_t *hops = solver_path(s, qp);

	for (uint32_t h = 0; h < s->n_path[qp]; h++)
		s->load[hops[h]] += solver_hop_load(s, hops[h], bytes);
	s->bytes[qp] += bytes;
}

/* Pours the bytes of one connection anew, QPs of one plane among themselves. */
static void pour(struct pouring *t, uint32_t conn, uint16_t plane)
{
	struct solver *s = t->s;
	uint32_t first = conn * s->qps;
	double total = 0, low = 0, high = 0, sum = 0;

	for (uint32_t q = first; q < first + s->qps; q++) {
		const uint32_t *hops = solver_path(s, q);

		if (s->plane[q] != plane || s->n_path[q] < 3)
			continue;
		total += s->bytes[q];
		add_bytes(s, q, -s->bytes[q]);
		for (uint32_t h = 1; h + 1 < s->n_path[q]; h++)
			high = fmax(high, s->load[hops[h]]);
		for (uint32_t h = 1; h + 1 < s->n_path[q]; h++)
			sum = fmax(sum, solver_hop_load(s, hops[h],
							(double)s->p->conns[conn].bytes));
		t->work += 16 * s->n_path[q];
	}
	if (total <= 0)
		return;
	high += sum;
	for (int step = 0; step < BISECTIONS; step++) {
		double middle = (low + high) / 2, room = 0;

		for (uint32_t q = first; q < first + s->qps; q++)
			if (s->plane[q] == plane && s->n_path[q] >= 3)
				room += fits(s, q, middle);
		if (room >= total)
			high = middle;
		else
			low = middle;
	}
	sum = 0;
	for (uint32_t q = first; q < first + s->qps; q++)
		if (s->plane[q] == plane && s->n_path[q] >= 3)
			sum += fits(s, q, high);
	/* Shares first: adding bytes changes what fits. */
	double shares[PLANNER_QPS_MAX];

	for (uint32_t q = first; q < first + s->qps; q++)
		shares[q - first] = s->plane[q] == plane && s->n_path[q] >= 3
					    ? fits(s, q, high) * total / sum
					    : 0;
	for (uint32_t q = first; q < first + s->qps; q++)
		if (shares[q - first] > 0)
			add_bytes(s, q, shares[q - first]);
}

static void keep_best(struct pouring *t)
{
	struct solver *s = t->s;

	for (uint32_t i = 0; i < s->n_conns; i++)
		memcpy(&t->best[(size_t)i * s->qps], &s->bytes[s->conns[i] * s->qps],
		       s->qps * sizeof(double));
}

static void restore_best(struct pouring *t)
{
	struct solver *s = t->s;

	for (uint32_t i = 0; i < s->n_conns; i++)
		for (uint32_t k = 0; k < s->qps; k++) {
			uint32_t q = s->conns[i] * s->qps + k;

			add_bytes(s, q, t->best[(size_t)i * s->qps + k] - s->bytes[q]);
			s->bytes[q] = t->best[(size_t)i * s->qps + k];
		}
}

static void run(struct pouring *t)
{
	struct solver *s = t->s;
	double least = solver_largest(s, NULL);
	uint32_t stalled = 0;

	keep_best(t);
	for (uint32_t pass = 0; pass < PASSES_MAX && stalled < STALLED_PASSES; pass++) {
		double largest;

		if (least <= t->limit * (1 + 1e-6) || t->work > WORK_MAX)
			break;
		for (uint32_t i = 0; i < s->n_conns; i++)
			for (uint32_t plane = 0; plane < s->n_planes; plane++)
				pour(t, s->conns[i], (uint16_t)plane);
		largest = solver_largest(s, NULL);
		t->work += s->n_hops;
		stalled = largest < least * (1 - 1e-5) ? 0 : stalled + 1;
		if (largest < least) {
			least = largest;
			keep_best(t);
		}
	}
	restore_best(t);
}

int solver_weigh(struct solver *s)
{
	const struct planner_phase_bound *bound = &s->bounds->phases[s->phase];
	struct pouring t = { .s = s,
			     .limit = fmax(bound->fabric_fractional, bound->fractional) };

	if (s->qps < 2 || solver_largest(s, NULL) <= t.limit + LOAD_EPSILON)
		return 0;
	t.best = base_array_new((size_t)s->n_conns * s->qps, sizeof(double));
	if (!t.best)
		return -ENOMEM;
	run(&t);
	free(t.best);
	return 0;
}
