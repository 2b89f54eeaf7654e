/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two plans on one fabric, connection by connection.
 */
#include <planner/explain.h>
#include "explain_private.h"
#include "match.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct comparing {
	const struct planner_problem *old_p, *new_p;
	const struct planner_plan *old_plan, *new_plan;
	uint32_t *match;  /* [new connection] old one, or TOPO_NONE */
	uint32_t *back;	  /* [old connection] new one, or TOPO_NONE */
	bool is_counting; /* rows are not written: the numbers stand above them */
	uint32_t rows_max, rows;
	uint32_t added, gone, moved, reweighed;
	struct base_out *out;
};

static uint32_t n_qps(const struct planner_plan *plan, uint32_t c)
{
	return plan->conn_first[c + 1] - plan->conn_first[c];
}

static void row(struct comparing *t, const char *what, const struct planner_problem *p,
		uint32_t conn, uint32_t qp, const uint32_t *hops, uint32_t n_hops)
{
	if (t->rows++ >= t->rows_max || t->is_counting)
		return;
	base_out_object_begin(t->out, NULL, NULL);
	base_out_string(t->out, "what", "what", what);
	base_out_number(t->out, "connection", "connection", conn, BASE_OUT_ID);
	base_out_number(t->out, "qp", "QP", qp, BASE_OUT_ID);
	explain_conn(t->out, p, conn);
	if (n_hops)
		explain_path(t->out, "path", "path", p->graph, hops, n_hops);
	else
		base_out_string(t->out, "path", "path", "");
	base_out_object_end(t->out);
}

static void compare_qps(struct comparing *t, uint32_t now, uint32_t then)
{
	uint32_t n_new = n_qps(t->new_plan, now), n_old = n_qps(t->old_plan, then);

	for (uint32_t i = 0; i < n_new || i < n_old; i++) {
		const struct planner_qp *a =
			&t->old_plan->qps[t->old_plan->conn_first[then] + i];
		const struct planner_qp *b =
			&t->new_plan->qps[t->new_plan->conn_first[now] + i];
		const uint32_t *old_hops, *new_hops;

		if (i >= n_new) {
			t->gone++;
			row(t, "gone", t->old_p, then, i, NULL, 0);
			continue;
		}
		new_hops = &t->new_plan->hops[b->first_hop];
		if (i >= n_old) {
			t->added++;
			row(t, "added", t->new_p, now, i, new_hops, b->n_hops);
			continue;
		}
		old_hops = &t->old_plan->hops[a->first_hop];
		if (a->n_hops != b->n_hops ||
		    memcmp(old_hops, new_hops, a->n_hops * sizeof(*old_hops)) != 0) {
			t->moved++;
			row(t, "moved", t->new_p, now, i, new_hops, b->n_hops);
		} else if (a->weight_ppm != b->weight_ppm) {
			t->reweighed++;
			row(t, "weight changed", t->new_p, now, i, new_hops, b->n_hops);
		}
	}
}

static void compare_conns(struct comparing *t)
{
	t->rows = t->added = t->gone = t->moved = t->reweighed = 0;
	for (uint32_t c = 0; c < t->new_p->n_conns; c++) {
		if (t->match[c] != TOPO_NONE) {
			compare_qps(t, c, t->match[c]);
			continue;
		}
		for (uint32_t i = 0; i < n_qps(t->new_plan, c); i++) {
			const struct planner_qp *qp =
				&t->new_plan->qps[t->new_plan->conn_first[c] + i];

			t->added++;
			row(t, "added", t->new_p, c, i, &t->new_plan->hops[qp->first_hop],
			    qp->n_hops);
		}
	}
	for (uint32_t c = 0; c < t->old_p->n_conns; c++)
		for (uint32_t i = 0; t->back[c] == TOPO_NONE && i < n_qps(t->old_plan, c);
		     i++) {
			t->gone++;
			row(t, "gone", t->old_p, c, i, NULL, 0);
		}
}

static void show_counts(struct comparing *t)
{
	t->is_counting = true;
	compare_conns(t);
	base_out_number(t->out, "added", "QPs added", t->added, BASE_OUT_COUNT);
	base_out_number(t->out, "gone", "QPs gone", t->gone, BASE_OUT_COUNT);
	base_out_number(t->out, "moved", "QPs moved", t->moved, BASE_OUT_COUNT);
	base_out_number(t->out, "reweighed", "weights changed", t->reweighed,
			BASE_OUT_COUNT);
}

static void show_differences(struct comparing *t)
{
	t->is_counting = false;
	base_out_table_begin(t->out, "differences", "differences");
	compare_conns(t);
	base_out_table_end(t->out);
	if (t->rows > t->rows_max)
		base_out_text(t->out, "(%u more)", t->rows - t->rows_max);
}

static int evaluate(const struct comparing *t, struct planner_busbw busbw[2])
{
	int r = planner_evaluate(t->old_p, t->old_plan, PLANNER_BY_WEIGHT, &busbw[0],
				 NULL);

	if (r == 0)
		r = planner_evaluate(t->new_p, t->new_plan, PLANNER_BY_WEIGHT, &busbw[1],
				     NULL);
	return r;
}

static int find_matches(struct comparing *t)
{
	int r = planner_match(t->new_p, t->old_p, &t->match);

	if (r < 0)
		return r;
	t->back = base_array_new(t->old_p->n_conns, sizeof(*t->back));
	if (!t->back)
		return -ENOMEM;
	memset(t->back, 0xff, t->old_p->n_conns * sizeof(*t->back));
	for (uint32_t c = 0; c < t->new_p->n_conns; c++)
		if (t->match[c] != TOPO_NONE)
			t->back[t->match[c]] = c;
	return 0;
}

int planner_compare(const struct planner_problem *old_p,
		    const struct planner_plan *old_plan,
		    const struct planner_problem *new_p,
		    const struct planner_plan *new_plan, uint32_t rows_max,
		    struct base_out *out)
{
	struct comparing t = {
		.old_p = old_p,
		.new_p = new_p,
		.old_plan = old_plan,
		.new_plan = new_plan,
		.rows_max = rows_max,
		.out = out,
	};
	struct planner_busbw busbw[2];
	int r = old_p->graph == new_p->graph ? find_matches(&t) : -EINVAL;

	if (r == 0)
		r = evaluate(&t, busbw);
	if (r == 0) {
		show_counts(&t);
		explain_quality(out, "old", "old plan", &old_plan->certificate,
				&busbw[0]);
		explain_quality(out, "new", "new plan", &new_plan->certificate,
				&busbw[1]);
		show_differences(&t);
		r = (int)(t.rows > INT32_MAX ? INT32_MAX : t.rows);
	}
	free(t.match);
	free(t.back);
	return r;
}
