/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What if a link died: the link is taken down for the length of the call, the plan
 * replanned, both evaluated.
 */
#include <planner/explain.h>
#include "explain_private.h"
#include <errno.h>
#include <string.h>

/* QPs that need not move, and would all the same. */
#define MOVES_MAX 64u

static int evaluate(const struct planner_problem *p, const struct planner_plan *plan,
		    struct planner_busbw *ret_busbw)
{
	return planner_evaluate(p, plan, PLANNER_BY_WEIGHT, ret_busbw, NULL);
}

/* Is QP @i of connection @c on the same path in both plans?  Before, it may not have been
 * there. */
static bool is_same(const struct planner_plan *before, const struct planner_plan *after,
		    uint32_t c, uint32_t i)
{
	const struct planner_qp *new = &after->qps[after->conn_first[c] + i], *old;

	if (i >= before->conn_first[c + 1] - before->conn_first[c])
		return false;
	old = &before->qps[before->conn_first[c] + i];
	return old->n_hops ==
	       new->n_hops &&memcmp(&before->hops[old->first_hop],
				    &after->hops[new->first_hop],
				    new->n_hops * sizeof(uint32_t)) == 0;
}

/* Rows for the QPs whose path differs. */
static void show_moves(const struct planner_problem *p, const struct planner_plan *before,
		       const struct planner_plan *after, struct base_out *out)
{
	base_out_table_begin(out, "moves", "QPs that would move");
	for (uint32_t c = 0; c < after->n_conns; c++)
		for (uint32_t i = 0; i < after->conn_first[c + 1] - after->conn_first[c];
		     i++) {
			const struct planner_qp *new =
				&after->qps[after->conn_first[c] + i];

			if (is_same(before, after, c, i))
				continue;
			base_out_object_begin(out, NULL, NULL);
			base_out_number(out, "connection", "connection", c, BASE_OUT_ID);
			base_out_number(out, "qp", "QP", i, BASE_OUT_ID);
			explain_conn(out, p, c);
			explain_path(out, "path", "new path", p->graph,
				     &after->hops[new->first_hop], new->n_hops);
			base_out_object_end(out);
		}
	base_out_table_end(out);
}

static void show(const struct planner_problem *p, const struct planner_plan *before,
		 const struct planner_plan *after, const struct planner_busbw *busbw,
		 struct base_out *out)
{
	base_out_number(out, "moved_must", "QPs that must move", after->moved_must,
			BASE_OUT_COUNT);
	base_out_number(out, "moved_others", "others that would move",
			after->moved - after->moved_must, BASE_OUT_COUNT);
	base_out_number(out, "unroutable", "connections without a path",
			after->unroutable, BASE_OUT_COUNT);
	explain_quality(out, "before", "before", &before->certificate, &busbw[0]);
	explain_quality(out, "after", "after", &after->certificate, &busbw[1]);
	show_moves(p, before, after, out);
}

int planner_explain_death(const struct planner_problem *p,
			  const struct planner_plan *plan, struct topo_graph *graph,
			  uint32_t link, struct base_out *out)
{
	const struct planner_replan_options options = { .moves_max = MOVES_MAX };
	struct planner_plan *after = NULL;
	struct planner_busbw busbw[2];
	enum topo_state state;
	int r;

	if (graph != p->graph || link >= topo_graph_n_links(graph))
		return -EINVAL;
	state = topo_graph_links(graph)[link].state;
	r = evaluate(p, plan, &busbw[0]);
	topo_graph_set_state(graph, link, TOPO_DOWN);
	if (r == 0)
		r = planner_replan(p, p, plan, &options, &after, NULL);
	if (r == 0)
		r = evaluate(p, after, &busbw[1]);
	topo_graph_set_state(graph, link, state);
	if (r == 0) {
		struct base_str name;

		base_str_init(&name, 0);
		topo_name_link(graph, link, &name);
		base_out_str(out, "link", "link", &name);
		base_str_fini(&name);
		show(p, plan, after, busbw, out);
	}
	planner_plan_free(after);
	return r;
}
