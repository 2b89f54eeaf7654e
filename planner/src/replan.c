/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replanning: every QP whose old path is alive is put back on it; the others are put
 * where they raise the largest load least. Only if that leaves a phase above its integral
 * bound are QPs moved that need not move, and no more of them than allowed.
 */
#include <planner/solve.h>
#include "match.h"
#include "plan_private.h"
#include "solver.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct replanning {
	struct solver s;
	const struct planner_problem *old_p;
	const struct planner_plan *old;
	uint32_t *match; /* [connection] of old_p, or TOPO_NONE */
};

static bool is_alive(const struct solver *s, const uint32_t *hops, uint32_t n)
{
	for (uint32_t h = 0; h < n; h++)
		if (s->links[topo_hop_link(hops[h])].state != TOPO_UP)
			return false;
	return n > 0 && n <= s->stride;
}

/* QP @i of connection @c in the old plan, or NULL. */
static const struct planner_qp *old_qp(const struct replanning *t, uint32_t c, uint32_t i)
{
	uint32_t m = t->match[c];

	if (m == TOPO_NONE || i >= t->old->conn_first[m + 1] - t->old->conn_first[m])
		return NULL;
	return &t->old->qps[t->old->conn_first[m] + i];
}

/* Bytes and old paths of one connection; sets s.must_move of QPs without a live path. */
static void put_back(struct replanning *t, uint32_t c)
{
	struct solver *s = &t->s;
	uint32_t n_old = 0;

	if (t->match[c] != TOPO_NONE)
		n_old = t->old->conn_first[t->match[c] + 1] -
			t->old->conn_first[t->match[c]];
	for (uint32_t i = 0; i < s->qps; i++) {
		const struct planner_qp *qp = old_qp(t, c, i);
		uint32_t q = c * s->qps + i;
		double bytes = (double)s->p->conns[c].bytes;

		s->bytes[q] = n_old ? 0 : bytes / s->qps;
		s->must_move[q] = qp || !n_old;
		if (!qp)
			continue;
		s->bytes[q] = bytes * qp->weight_ppm / 1e6;
		const uint32_t *hops = &t->old->hops[qp->first_hop];
		uint32_t nic_hop = hops[0];

		if (s->n_planes > 1)
			s->plane[q] = (uint16_t)topo_graph_link_plane(
				s->p->graph, topo_hop_link(nic_hop));
		if (!is_alive(s, hops, qp->n_hops) ||
		    (s->p->conns[c].plane != TOPO_NONE &&
		     s->p->conns[c].plane != s->plane[q]))
			continue;
		s->must_move[q] = 0;
		solver_set_path(s, q, hops, qp->n_hops);
	}
}

static int insert(struct solver *s, uint32_t q)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	int n = solver_best_plane(s, q, hops);

	if (n > 0)
		solver_set_path(s, q, hops, (uint32_t)n);
	return n == -ENOMEM ? n : 0;
}

/* Keeps only connections of which a QP had to move: the weights of others stay. */
static void keep_moved(struct solver *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n_conns; i++) {
		bool moved = false;

		for (uint32_t k = 0; k < s->qps; k++)
			moved |= s->must_move[s->conns[i] * s->qps + k];
		if (moved)
			s->conns[n++] = s->conns[i];
	}
	s->n_conns = n;
}

static int replan_phase(void *context)
{
	struct replanning *t = context;
	struct solver *s = &t->s;
	const struct planner_phase_bound *bound = &s->bounds->phases[s->phase];
	int r = 0;

	memset(s->load, 0, s->n_hops * sizeof(*s->load));
	for (uint32_t i = 0; i < s->n_conns; i++)
		put_back(t, s->conns[i]);
	for (uint32_t i = 0; i < s->n_conns; i++)
		for (uint32_t k = 0; r == 0 && k < s->qps; k++) {
			uint32_t q = s->conns[i] * s->qps + k;

			if (s->must_move[q] && s->n_path[q] == 0)
				r = insert(s, q);
		}
	if (r == 0)
		r = solver_search(s, bound->integral, bound->integral);
	if (r < 0)
		return r;
	keep_moved(s);
	return solver_weigh(s);
}

/* Counts the QPs whose path differs from the old plan's. */
static void count_moves(const struct replanning *t, struct planner_plan *plan)
{
	const struct solver *s = &t->s;

	for (uint32_t c = 0; c < s->p->n_conns; c++)
		for (uint32_t i = 0; i < s->qps; i++) {
			const struct planner_qp *qp = old_qp(t, c, i);
			uint32_t q = c * s->qps + i;
			bool same;

			if (s->n_path[q] == 0)
				continue;
			same = qp && qp->n_hops == s->n_path[q] &&
			       memcmp(&t->old->hops[qp->first_hop], solver_path(s, q),
				      qp->n_hops * sizeof(uint32_t)) == 0;
			plan->moved += !same;
			plan->moved_must += !same && s->must_move[q];
		}
}

static int replan(struct replanning *t, struct planner_plan **ret_plan)
{
	struct solver *s = &t->s;
	struct planner_bounds *bounds = NULL;
	struct planner_plan *plan = NULL;
	int r;

	s->must_move = base_array_new(s->n_qps, 1);
	if (!s->must_move)
		return -ENOMEM;
	r = planner_bounds_new(s->p, NULL, s->reference_s, s->qps, s->clos, s->n_planes,
			       &bounds);
	if (r == 0) {
		s->bounds = bounds;
		r = solver_phases(s, replan_phase, t);
	}
	if (r == 0) {
		solver_drop_partial(s);
		r = solver_to_plan(s, &plan);
	}
	if (r == 0 && plan->unroutable > 0) {
		planner_bounds_free(bounds);
		bounds = NULL;
		r = planner_bounds_new(s->p, plan, s->reference_s, s->qps, s->clos,
				       s->n_planes, &bounds);
	}
	if (r == 0) {
		count_moves(t, plan);
		r = plan_certify(s->p, plan, s->reference_s, bounds);
	}
	planner_bounds_free(bounds);
	if (r < 0)
		planner_plan_free(plan);
	else
		*ret_plan = plan;
	return r;
}

int planner_replan(const struct planner_problem *p, const struct planner_problem *old_p,
		   const struct planner_plan *old,
		   const struct planner_replan_options *options,
		   struct planner_plan **ret_plan, struct base_err *err)
{
	struct replanning t = { .old_p = old_p, .old = old };
	uint32_t qps = planner_plan_qps_max(old);
	int r;

	if (p->graph != old_p->graph)
		return base_err_set(err, -BASE_E_INVALID,
				    "the old plan is of another fabric than the new one");
	r = solver_init(&t.s, p, qps ? qps : 1, options->seed);
	if (r == 0)
		r = planner_match(p, old_p, &t.match);
	t.s.moves_left = options->moves_max;
	if (r == 0)
		r = replan(&t, ret_plan);
	free(t.match);
	solver_fini(&t.s);
	return r < 0 ? solver_fail(p, qps, r, err) : 0;
}
