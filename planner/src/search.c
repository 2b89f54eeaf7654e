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
	const struct topo_node *nodes;
	double limit, nic_limit;
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

static bool is_at_nic(const struct search *t, uint32_t hop)
{
	const struct topo_link *l = &t->s->links[topo_hop_link(hop)];

	return t->nodes[l->a].kind == TOPO_NIC || t->nodes[l->b].kind == TOPO_NIC;
}

static double pain(const struct search *t, uint32_t hop, double load)
{
	double over = load - (is_at_nic(t, hop) ? t->nic_limit : t->limit);

	return over > LOAD_EPSILON ? over * over : 0;
}

/* What taking the path away would take from the sum of pains. */
static double pain_of(const struct search *t, const uint32_t *hops, uint32_t n,
		      double bytes)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		double load = t->s->load[hops[i]];

		sum += pain(t, hops[i], load) -
		       pain(t, hops[i], load - solver_hop_load(t->s, hops[i], bytes));
	}
	return sum;
}

static void move(struct search *t, uint32_t qp, const uint32_t *hops, uint32_t n)
{
	leave(t, qp);
	solver_set_path(t->s, qp, hops, n);
	enter(t, qp);
}

struct old_path {
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	uint32_t n;
	uint16_t plane;
};

/* Takes @qp off its path, which is written to @old, and puts it on the best one.  Returns
 * by how much pain fell. */
static double replace(struct search *t, uint32_t qp, struct old_path *old)
{
	struct solver *s = t->s;
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	double fell;
	int n;

	old->n = s->n_path[qp];
	old->plane = s->plane[qp];
	memcpy(old->hops, solver_path(s, qp), old->n * sizeof(*hops));
	fell = pain_of(t, old->hops, old->n, s->bytes[qp]);
	leave(t, qp);
	solver_clear_path(s, qp);
	n = solver_best_plane(s, qp, hops);
	if (n > 0)
		solver_set_path(s, qp, hops, (uint32_t)n);
	else
		solver_set_path(s, qp, old->hops, old->n);
	enter(t, qp);
	return fell - pain_of(t, solver_path(s, qp), s->n_path[qp], s->bytes[qp]);
}

static void put_back(struct search *t, uint32_t qp, const struct old_path *old)
{
	move(t, qp, old->hops, old->n);
	t->s->plane[qp] = old->plane;
}

/* QPs that need not move may be moved only so often. */
static bool may_move(const struct search *t, uint32_t qp)
{
	return !t->s->must_move || t->s->must_move[qp] || t->s->moves_left > 0;
}

static bool may_move_both(const struct search *t, uint32_t a, uint32_t b)
{
	return !t->s->must_move || t->s->must_move[a] || t->s->must_move[b] ||
	       t->s->moves_left > 1;
}

static void count_move(struct search *t, uint32_t qp)
{
	if (t->s->must_move && !t->s->must_move[qp] && t->s->moves_left != UINT32_MAX)
		t->s->moves_left--;
}

/* The first @max QPs that cross @hop and may move. */
static uint32_t crossing(const struct search *t, uint32_t hop, uint32_t *qps,
			 uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t e = t->head[hop]; e != NO_ENTRY && n < max; e = t->next[e])
		if (may_move(t, e / t->s->stride))
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
	uint32_t others[EJECT_TRIES_MAX];

	for (uint32_t i = 0; i < s->n_path[qp]; i++) {
		uint32_t n = 0;

		if (pain(t, hops[i], s->load[hops[i]]) > 0)
			n = crossing(t, hops[i], others, EJECT_TRIES_MAX);
		for (uint32_t k = 0; k < n; k++) {
			struct old_path old;
			double more;

			if (others[k] == qp || !may_move_both(t, qp, others[k]))
				continue;
			more = replace(t, others[k], &old);
			if (fell + more > LOAD_EPSILON) {
				count_move(t, others[k]);
				return fell + more;
			}
			put_back(t, others[k], &old);
		}
	}
	return fell;
}

/* Tries to take load off @hop.  True: pain fell. */
static bool relieve(struct search *t, uint32_t hop)
{
	struct solver *s = t->s;
	uint32_t qps[TRIES_MAX], n = crossing(t, hop, qps, TRIES_MAX);

	for (uint32_t i = 0; i < n && s->work < t->work_end; i++) {
		struct old_path old;
		double fell = replace(t, qps[i], &old);

		if (fell <= LOAD_EPSILON)
			fell = eject(t, qps[i], fell);
		if (fell > LOAD_EPSILON) {
			count_move(t, qps[i]);
			return true;
		}
		put_back(t, qps[i], &old);
	}
	return false;
}

static void run(struct search *t)
{
	struct solver *s = t->s;
	bool again = true;

	/* Passes over all overloaded links in order of id, until none gives way. */
	while (again && s->work < t->work_end) {
		again = false;
		for (uint32_t hop = 0; hop < s->n_hops; hop++)
			while (s->load[hop] > t->limit + LOAD_EPSILON &&
			       pain(t, hop, s->load[hop]) > 0 && s->work < t->work_end) {
				if (!relieve(t, hop))
					break;
				again = true;
			}
	}
}

int solver_search(struct solver *s, double limit, double nic_limit)
{
	size_t n_entries = (size_t)s->n_qps * s->stride;
	struct search t = {
		.s = s,
		.nodes = topo_graph_nodes(s->p->graph),
		.limit = limit,
		.nic_limit = nic_limit,
		.work_end = s->work + WORK_MAX,
	};
	int r = -ENOMEM;

	if (solver_largest(s) <= t.limit + LOAD_EPSILON || n_entries >= NO_ENTRY)
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
