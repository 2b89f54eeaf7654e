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

/* Bytes that fit on the path below @level, of @sharers QPs that have its NIC links in
 * common; its own bytes are not on it. */
static double fits(const struct solver *s, uint32_t qp, double level, uint32_t sharers)
{
	const uint32_t *hops = solver_path(s, qp);
	uint32_t n = s->n_path[qp];
	double least = INFINITY;

	for (uint32_t h = 0; h < n; h++) {
		double room =
			(level - s->load[hops[h]]) / s->per_byte[topo_hop_link(hops[h])];

		/* In a single plane the NIC's load is what it is. */
		if (h > 0 && h + 1 < n)
			least = fmin(least, room);
		else if (s->n_planes > 1)
			least = fmin(least, room / sharers);
	}
	return isinf(least) ? 0 : fmax(least, 0);
}

static void add_bytes(struct solver *s, uint32_t qp, double bytes)
{
	const uint32_t *hops = solver_path(s, qp);

	for (uint32_t h = 0; h < s->n_path[qp]; h++)
		s->load[hops[h]] += solver_hop_load(s, hops[h], bytes);
	s->bytes[qp] += bytes;
}

/* The QPs of one connection as they are poured. */
struct pool {
	uint32_t qps[PLANNER_QPS_MAX], sharers[PLANNER_QPS_MAX];
	uint32_t n;
	double total; /* bytes */
	double high;  /* a level at which all of them fit */
};

/* Takes the connection's bytes out of the loads. */
static void drain(struct pouring *t, uint32_t conn, struct pool *pool)
{
	struct solver *s = t->s;
	double largest = 0;

	pool->n = 0;
	pool->total = pool->high = 0;
	for (uint32_t q = conn * s->qps; q < (conn + 1) * s->qps; q++) {
		if (s->n_path[q] < 2 || (s->n_planes == 1 && s->n_path[q] == 2))
			continue;
		pool->total += s->bytes[q];
		add_bytes(s, q, -s->bytes[q]);
		pool->qps[pool->n++] = q;
	}
	for (uint32_t i = 0; i < pool->n; i++) {
		uint32_t q = pool->qps[i];
		const uint32_t *hops = solver_path(s, q);

		pool->sharers[i] = 0;
		for (uint32_t k = 0; k < pool->n; k++)
			pool->sharers[i] += s->plane[pool->qps[k]] == s->plane[q];
		for (uint32_t h = 0; h < s->n_path[q]; h++) {
			largest = fmax(largest, solver_hop_load(s, hops[h], pool->total));
			pool->high = fmax(pool->high, s->load[hops[h]]);
		}
		t->work += 16u * s->n_path[q];
	}
	pool->high += largest * pool->n;
}

static double room_below(const struct solver *s, const struct pool *pool, double level)
{
	double sum = 0;

	for (uint32_t i = 0; i < pool->n; i++)
		sum += fits(s, pool->qps[i], level, pool->sharers[i]);
	return sum;
}

/* Pours the bytes of one connection anew, all paths to the same level. */
static void pour(struct pouring *t, uint32_t conn)
{
	struct solver *s = t->s;
	double shares[PLANNER_QPS_MAX], low = 0, high, sum;
	struct pool pool;

	drain(t, conn, &pool);
	if (pool.total <= 0)
		return;
	high = pool.high;
	for (int step = 0; step < BISECTIONS; step++) {
		double middle = (low + high) / 2;

		if (room_below(s, &pool, middle) >= pool.total)
			high = middle;
		else
			low = middle;
	}
	/* All shares before any is added: adding changes what fits. */
	sum = room_below(s, &pool, high);
	for (uint32_t i = 0; i < pool.n; i++)
		shares[i] =
			fits(s, pool.qps[i], high, pool.sharers[i]) * pool.total / sum;
	for (uint32_t i = 0; i < pool.n; i++)
		add_bytes(s, pool.qps[i], shares[i]);
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
	double least = solver_largest(s);
	uint32_t stalled = 0;

	keep_best(t);
	for (uint32_t pass = 0; pass < PASSES_MAX && stalled < STALLED_PASSES; pass++) {
		double largest;

		if (least <= t->limit * (1 + 1e-6) || t->work > WORK_MAX)
			break;
		for (uint32_t i = 0; i < s->n_conns; i++)
			pour(t, s->conns[i]);
		largest = solver_largest(s);
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
	struct pouring t = { .s = s, .limit = bound->fractional };

	if (s->qps < 2 || solver_largest(s) <= t.limit + LOAD_EPSILON)
		return 0;
	t.best = base_array_new((size_t)s->n_conns * s->qps, sizeof(double));
	if (!t.best)
		return -ENOMEM;
	run(&t);
	free(t.best);
	return 0;
}
