/* SPDX-License-Identifier: Apache-2.0 */
#include <planner/baseline.h>
#include "choices.h"
#include <errno.h>

/*
 * Every QP has a stream of random numbers of its own, so that the order of work, and what
 * other connections there are, change nothing in its path.
 */
static void seed_qp(struct base_rng *rng, uint64_t key, uint32_t conn, uint32_t qp)
{
	base_rng_seed(rng, key + (uint64_t)conn * PLANNER_QPS_MAX + qp);
}

/* Which of its connection's choices a QP takes. */
static const struct choice *pick_plane(const struct choices *c, uint32_t conn,
				       uint32_t qp, enum planner_plane_rule rule,
				       struct base_rng *rng)
{
	const struct choice *list = c->list + c->first[conn];
	uint32_t n = c->first[conn + 1] - c->first[conn], n_shortest = 0, nth;
	uint8_t shortest = UINT8_MAX;

	if (n == 1 || rule == PLANNER_PLANES_KEPT)
		return &list[qp % n];
	for (uint32_t i = 0; i < n; i++) {
		if (list[i].n_hops < shortest) {
			shortest = list[i].n_hops;
			n_shortest = 0;
		}
		n_shortest += list[i].n_hops == shortest;
	}
	nth = base_rng_below(rng, n_shortest);
	for (;; list++) {
		if (list->n_hops == shortest && nth-- == 0)
			return list;
	}
}

static int draw_searched(struct choices *c, enum planner_plane_rule rule, uint64_t key,
			 struct planner_plan *plan)
{
	struct base_rng rng;

	for (uint32_t i = 0; i < c->n_searched; i++) {
		uint32_t conn = c->searched_conn[i], first = plan->conn_first[conn];
		const struct choice *choice = &c->list[c->searched[i]];
		int r = topo_paths_aim(c->paths, c->p->conns[conn].dst_nic,
				       choice->plane);

		for (uint32_t q = first; r >= 0 && q < plan->conn_first[conn + 1]; q++) {
			seed_qp(&rng, key, conn, q - first);
			if (pick_plane(c, conn, q - first, rule, &rng) != choice)
				continue;
			r = topo_paths_random(c->paths, c->p->conns[conn].src_nic, &rng,
					      plan->hops + plan->qps[q].first_hop);
			plan->qps[q].n_hops = choice->n_hops;
		}
		if (r < 0)
			return r;
	}
	return 0;
}

int choices_draw_plan(struct choices *c, uint32_t qps, enum planner_plane_rule rule,
		      uint64_t key, struct planner_plan **ret_plan)
{
	struct planner_plan *plan;
	struct base_rng rng;
	int r = choices_open_plan(c, qps, &plan);

	if (r < 0)
		return r;
	for (uint32_t conn = 0; conn < plan->n_conns; conn++) {
		uint32_t first = plan->conn_first[conn];

		for (uint32_t q = first; q < plan->conn_first[conn + 1]; q++) {
			const struct choice *choice;

			seed_qp(&rng, key, conn, q - first);
			choice = pick_plane(c, conn, q - first, rule, &rng);
			if (choice->kind == CHOICE_SEARCH)
				continue;
			choice_draw(c, &c->p->conns[conn], choice, &rng,
				    plan->hops + plan->qps[q].first_hop);
			plan->qps[q].n_hops = choice->n_hops;
		}
	}
	r = draw_searched(c, rule, key, plan);
	if (r < 0)
		planner_plan_free(plan);
	else
		*ret_plan = plan;
	return r;
}

int planner_ecmp(const struct planner_problem *p, uint32_t qps,
		 enum planner_plane_rule rule, struct base_rng *rng, bool certify,
		 struct planner_plan **ret_plan)
{
	struct choices c;
	struct planner_plan *plan = NULL;
	int r = choices_init(&c, p);

	if (r < 0)
		return r;
	r = choices_draw_plan(&c, qps, rule, base_rng_u64(rng), &plan);
	choices_fini(&c);
	if (r == 0 && certify)
		r = planner_plan_certify(p, plan);
	if (r < 0)
		planner_plan_free(plan);
	else
		*ret_plan = plan;
	return r;
}
