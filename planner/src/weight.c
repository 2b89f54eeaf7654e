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

#define PASSES_MAX 60u
#define STALLED_PASSES 6u
/* Link looks of one phase at most. */
#define WORK_MAX ((uint64_t)400 * 1000 * 1000)
#define BISECTIONS 24
/* A QP is idle with less than one part in this of its connection's bytes. */
#define IDLE_SHARE 50
#define ROUNDS_MAX 4u

struct pouring {
	struct solver *s;
	double limit;
	double *best; /* [qp of the phase's connections] bytes when the largest load was
			 least */
	double least; /* largest load of the best weights */
	double level; /* largest load now */
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
		t->work += UINT64_C(16) * s->n_path[q];
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
		memcpy(&t->best[(size_t)i * s->qps],
		       &s->bytes[(size_t)s->conns[i] * s->qps], s->qps * sizeof(double));
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

/* Costs grow by this factor from stage to stage: coarse first, then ever closer to the
 * maximum alone. */
static const double steepness[] = { 32, 128, 512, 2048 };
#define SMOOTH_PASSES 120u

/*
 * A power of two that is the same on every machine, unlike the library's: exact for whole
 * numbers, between them a cubic that meets its neighbours in value.  What counts is that
 * it rises ever more steeply.
 */
static double steep(double x)
{
	double whole = floor(x), part = x - whole;

	return ldexp(1 + part * (0.695 + part * (0.225 + part * 0.08)), (int)whole);
}

/* What one more byte on a path costs, each link's load weighing as a power of two, and
 * how fast that grows. */
static double marginal(const struct pouring *t, uint32_t qp, double beta,
		       double *ret_slope)
{
	const struct solver *s = t->s;
	const uint32_t *hops = solver_path(s, qp);
	double cost = 0, slope = 0;

	for (uint32_t h = 0; h < s->n_path[qp]; h++) {
		double b = s->per_byte[topo_hop_link(hops[h])];
		double c = b * steep(fmax(fmin(beta * (s->load[hops[h]] - t->level), 64),
					  -512));

		cost += c;
		slope += beta * b * c;
	}
	*ret_slope = slope;
	return cost;
}

/* Moves bytes from the connection's dearest path to its cheapest, a Newton step toward
 * equal costs. */
static void shift(struct pouring *t, uint32_t conn, double beta)
{
	struct solver *s = t->s;
	uint32_t dear = UINT32_MAX, cheap = UINT32_MAX;
	double most = 0, least = INFINITY, dear_slope = 0, cheap_slope = 0, bytes;

	for (uint32_t q = conn * s->qps; q < (conn + 1) * s->qps; q++) {
		double slope, cost;

		if (s->n_path[q] == 0)
			continue;
		cost = marginal(t, q, beta, &slope);
		t->work += UINT64_C(4) * s->n_path[q];
		if (cost > most && s->bytes[q] > 0) {
			most = cost;
			dear = q;
			dear_slope = slope;
		}
		if (cost < least) {
			least = cost;
			cheap = q;
			cheap_slope = slope;
		}
	}
	if (dear == UINT32_MAX || dear == cheap)
		return;
	bytes = fmin((most - least) / (dear_slope + cheap_slope), s->bytes[dear]);
	add_bytes(s, dear, -bytes);
	add_bytes(s, cheap, bytes);
}

static bool is_done(const struct pouring *t)
{
	return t->least <= t->limit * (1 + 1e-6) || t->work > WORK_MAX;
}

/* Looks at the loads after a pass and keeps the weights if they are the best so far. */
static void judge(struct pouring *t, uint32_t *stalled)
{
	double largest = solver_largest(t->s);

	t->work += t->s->n_hops;
	*stalled = largest < t->least * (1 - 1e-5) ? 0 : *stalled + 1;
	t->level = largest;
	if (largest < t->least) {
		t->least = largest;
		keep_best(t);
	}
}

/* All stages of the smooth cost. */
static void smooth(struct pouring *t)
{
	struct solver *s = t->s;
	uint32_t stalled = 0;

	for (size_t stage = 0; stage < BASE_COUNT(steepness); stage++)
		for (uint32_t pass = 0; pass < SMOOTH_PASSES && !is_done(t); pass++) {
			for (uint32_t i = 0; i < s->n_conns; i++)
				shift(t, s->conns[i], steepness[stage]);
			judge(t, &stalled);
		}
	restore_best(t);
}

/* The connection's QP with least bytes, if it carries next to nothing; UINT32_MAX: none.
 */
static uint32_t idle_qp(const struct solver *s, uint32_t conn)
{
	uint32_t least = conn * s->qps;

	for (uint32_t q = conn * s->qps; q < (conn + 1) * s->qps; q++)
		if (s->bytes[q] < s->bytes[least])
			least = q;
	return s->bytes[least] * IDLE_SHARE < (double)s->p->conns[conn].bytes
		       ? least
		       : UINT32_MAX;
}

/* Lets QPs that carry next to nothing try another path.  Returns how many did. */
static uint32_t try_other_paths(struct pouring *t)
{
	struct solver *s = t->s;
	uint32_t hops[TOPO_PATH_HOPS_MAX], changed = 0;

	for (uint32_t i = 0; i < s->n_conns && t->work < WORK_MAX; i++) {
		uint32_t q = idle_qp(s, s->conns[i]);
		uint16_t plane;
		int n;

		if (q == UINT32_MAX || s->n_path[q] < 3 ||
		    (s->must_move && !s->must_move[q]))
			continue;
		plane = s->plane[q];
		n = solver_best_path(s, s->p->conns[s->conns[i]].src_nic,
				     s->p->conns[s->conns[i]].dst_nic, plane, s->bytes[q],
				     hops, &(struct route_cost){ 0 });
		if (n <= 0)
			continue;
		solver_set_path(s, q, hops, (uint32_t)n);
		changed++;
	}
	t->least = t->level = solver_largest(s);
	keep_best(t);
	return changed;
}

/*
 * Pouring finds the level at which nobody gains alone; that need not be the lowest. Where
 * it stops above the bound, a smooth cost, which has no such rests, is followed down; and
 * QPs that end up idle are worth more on another path.
 */
static void run(struct pouring *t)
{
	struct solver *s = t->s;
	uint32_t stalled = 0;

	t->least = t->level = solver_largest(s);
	keep_best(t);
	for (uint32_t pass = 0;
	     pass < PASSES_MAX && stalled < STALLED_PASSES && !is_done(t); pass++) {
		for (uint32_t i = 0; i < s->n_conns; i++)
			pour(t, s->conns[i]);
		judge(t, &stalled);
	}
	smooth(t);
	for (uint32_t round = 0; round < ROUNDS_MAX && !is_done(t); round++) {
		if (try_other_paths(t) == 0)
			break;
		smooth(t);
	}
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
