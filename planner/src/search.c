/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local search on what is left above the bound.  The pain of a link is the square of its
 * load above the bound; a step is taken only when it lowers the sum of pains, so the
 * search ends.  A step moves one QP of an overloaded link to its best other path, or,
 * where that path has one link too full, also moves a QP of that link out of its way.
 */
#include "solver.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Links looked at in one phase at most, and QPs tried for each overloaded link. */
#define WORK_MAX ((uint64_t)60 * 1000 * 1000)
#define TRIES_MAX 64u
#define EJECT_TRIES_MAX 8u
#define NO_ENTRY UINT32_MAX

struct search {
	struct solver *s;
	double limit;
	/* Which QPs cross a hop: lists over entries qp * stride + position. */
	uint32_t *head; /* [hop] */
	uint32_t *next, *prev;
	uint64_t work_end;
};

static void enter(struct search *t, uint32_t qp)
{
	const uint32_t *hops = solver_path(t->s, qp);

	for (uint32_t i = 0; i < t->s->n_path[qp]; i++) {
		uint32_t entry = qp * t->s->stride + i;

		t->prev[entry] = NO_ENTRY;
		t->next[entry] = t->head[hops[i]];
		if (t->next[entry] != NO_ENTRY)
			t->prev[t->next[entry]] = entry;
		t->head[hops[i]] = entry;
	}
}

static void leave(struct search *t, uint32_t qp)
{
	const uint32_t *hops = solver_path(t->s, qp);

	for (uint32_t i = 0; i < t->s->n_path[qp]; i++) {
		uint32_t entry = qp * t->s->stride + i;

		if (t->prev[entry] != NO_ENTRY)
			t->next[t->prev[entry]] = t->next[entry];
		else
			t->head[hops[i]] = t->next[entry];
		if (t->next[entry] != NO_ENTRY)
			t->prev[t->next[entry]] = t->prev[entry];
	}
}

static double pain(const struct search *t, double load)
{
	double over = load - t->limit;

	return over > LOAD_EPSILON ? over * over : 0;
}

/* What taking the QP's path away would take from the sum of pains; hops at NICs excluded.
 */
static double pain_of(const struct search *t, const uint32_t *hops, uint32_t n,
		      double bytes)
{
	double sum = 0;

	for (uint32_t i = 1; i + 1 < n; i++) {
		double load = t->s->load[hops[i]];

		sum += pain(t, load) -
		       pain(t, load - solver_hop_load(t->s, hops[i], bytes));
	}
	return sum;
}

static void move(struct search *t, uint32_t qp, const uint32_t *hops, uint32_t n)
{
	leave(t, qp);
	solver_set_path(t->s, qp, hops, n);
	enter(t, qp);
}

/* Takes @qp off its path, finds the best one and puts it there.  Returns by how much pain
 * fell. */
static double replace(struct search *t, uint32_t qp)
{
	struct solver *s = t->s;
	const struct planner_conn *c = &s->p->conns[qp / s->qps];
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	struct route_cost cost;
	uint32_t old[TOPO_PATH_HOPS_MAX], n_old = s->n_path[qp];
	double fell;
	int n;

	memcpy(old, solver_path(s, qp), n_old * sizeof(*old));
	fell = pain_of(t, old, n_old, s->bytes[qp]);
	leave(t, qp);
	solver_clear_path(s, qp);
	n = solver_best_path(s, c->src_nic, c->dst_nic, s->plane[qp], s->bytes[qp], hops,
			     &cost);
	solver_set_path(s, qp, n > 0 ? hops : old, n > 0 ? (uint32_t)n : n_old);
	enter(t, qp);
	return fell - pain_of(t, solver_path(s, qp), s->n_path[qp], s->bytes[qp]);
}

/* The first @max QPs that cross @hop. */
static uint32_t crossing(const struct search *t, uint32_t hop, uint32_t *qps,
			 uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t e = t->head[hop]; e != NO_ENTRY && n < max; e = t->next[e])
		qps[n++] = e / t->s->stride;
	return n;
}

/*
 * After @qp was moved for a change of @fell so far: lets one QP of a link that is now
 * overloaded go elsewhere. Returns the change with that, or @fell when none helped.
 */
static double eject(struct search *t, uint32_t qp, double fell)
{
	struct solver *s = t->s;
	const uint32_t *hops = solver_path(s, qp);
	uint32_t old[TOPO_PATH_HOPS_MAX], others[EJECT_TRIES_MAX];

	for (uint32_t i = 1; i + 1 < s->n_path[qp]; i++) {
		uint32_t n = 0;

		if (pain(t, s->load[hops[i]]) > 0)
			n = crossing(t, hops[i], others, EJECT_TRIES_MAX);
		for (uint32_t k = 0; k < n; k++) {
			uint32_t n_old = s->n_path[others[k]];
			double more;

			if (others[k] == qp)
				continue;
			memcpy(old, solver_path(s, others[k]), n_old * sizeof(*old));
			more = replace(t, others[k]);
			if (fell + more > LOAD_EPSILON)
				return fell + more;
			move(t, others[k], old, n_old);
		}
	}
	return fell;
}

/* Tries to take load off @hop.  True: pain fell. */
static bool relieve(struct search *t, uint32_t hop)
{
	struct solver *s = t->s;
	uint32_t qps[TRIES_MAX], n = crossing(t, hop, qps, TRIES_MAX);
	uint32_t old[TOPO_PATH_HOPS_MAX];

	for (uint32_t i = 0; i < n && s->work < t->work_end; i++) {
		uint32_t n_old = s->n_path[qps[i]];
		double fell;

		memcpy(old, solver_path(s, qps[i]), n_old * sizeof(*old));
		fell = replace(t, qps[i]);
		if (fell <= LOAD_EPSILON)
			fell = eject(t, qps[i], fell);
		if (fell > LOAD_EPSILON)
			return true;
		move(t, qps[i], old, n_old);
	}
	return false;
}

static bool is_between_switches(const struct solver *s, uint32_t hop)
{
	const struct topo_node *nodes = topo_graph_nodes(s->p->graph);

	return nodes[s->links[hop / 2].a].kind == TOPO_SWITCH &&
	       nodes[s->links[hop / 2].b].kind == TOPO_SWITCH;
}

static void run(struct search *t)
{
	struct solver *s = t->s;
	bool again = true;

	/* Passes over all overloaded links in order of id, until none gives way. */
	while (again && s->work < t->work_end) {
		again = false;
		for (uint32_t hop = 0; hop < s->n_hops && s->work < t->work_end; hop++)
			while (s->load[hop] > t->limit + LOAD_EPSILON &&
			       is_between_switches(s, hop) && s->work < t->work_end) {
				if (!relieve(t, hop))
					break;
				again = true;
			}
	}
}

int solver_search(struct solver *s)
{
	const struct planner_phase_bound *bound = &s->bounds->phases[s->phase];
	size_t n_entries = (size_t)s->n_qps * s->stride;
	struct search t = {
		.s = s,
		.limit = fmax(bound->fabric_fractional, bound->fractional),
		.work_end = s->work + WORK_MAX,
	};
	int r = -ENOMEM;

	if (solver_largest(s, NULL) <= t.limit + LOAD_EPSILON || n_entries >= NO_ENTRY)
		return 0;
	t.head = base_array_new(s->n_hops, sizeof(uint32_t));
	t.next = base_array_new(n_entries, sizeof(uint32_t));
	t.prev = base_array_new(n_entries, sizeof(uint32_t));
	if (t.head && t.next && t.prev) {
		memset(t.head, 0xff, s->n_hops * sizeof(uint32_t));
		for (uint32_t i = 0; i < s->n_conns; i++)
			for (uint32_t q = 0; q < s->qps; q++)
				enter(&t, s->conns[i] * s->qps + q);
		run(&t);
		r = 0;
	}
	free(t.head);
	free(t.next);
	free(t.prev);
	return r;
}
