/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What crosses a link.
 */
#include <planner/explain.h>
#include "explain_private.h"
#include "plan_private.h"
#include "reference.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>

#define PPM 1e6

/* A QP on the link. */
struct crossing {
	uint32_t conn, qp; /* qp: among those of the plan */
	uint32_t hop;	   /* which direction */
};

struct crowd {
	const struct planner_problem *p;
	const struct planner_plan *plan;
	double bits; /* that the link carries in the reference time */
	struct crossing *qps;
	size_t n_qps, cap_qps;
	double *loads;	      /* [phase], of one direction at a time */
	uint32_t *n_crossing; /* [phase] */
};

/* One pass over the plan: a path visits no node twice, so it has the link once at most.
 */
static int find_crossing(struct crowd *t, uint32_t link)
{
	for (uint32_t c = 0; c < t->plan->n_conns; c++)
		for (uint32_t q = t->plan->conn_first[c]; q < t->plan->conn_first[c + 1];
		     q++) {
			const struct planner_qp *qp = &t->plan->qps[q];
			const uint32_t *hops = &t->plan->hops[qp->first_hop];
			struct crossing *qps;
			uint32_t h = 0;

			while (h < qp->n_hops && topo_hop_link(hops[h]) != link)
				h++;
			if (h == qp->n_hops)
				continue;
			qps = base_grow(t->qps, &t->cap_qps, t->n_qps + 1, sizeof(*qps));
			if (!qps)
				return -ENOMEM;
			t->qps = qps;
			qps[t->n_qps++] = (struct crossing){ c, q, hops[h] };
		}
	return 0;
}

static double bytes_of(const struct crowd *t, const struct crossing *x)
{
	return (double)t->p->conns[x->conn].bytes * t->plan->qps[x->qp].weight_ppm / PPM;
}

/* The phases in which something crosses. */
static void show_loads(struct crowd *t, uint32_t hop, struct base_out *out)
{
	for (uint32_t phase = 0; phase < t->p->n_phases; phase++) {
		t->loads[phase] = 0;
		t->n_crossing[phase] = 0;
	}
	for (size_t i = 0; i < t->n_qps; i++) {
		uint32_t phase = t->p->conns[t->qps[i].conn].phase;

		if (t->qps[i].hop != hop)
			continue;
		t->loads[phase] += bytes_of(t, &t->qps[i]) * 8 / t->bits;
		t->n_crossing[phase]++;
	}
	base_out_table_begin(out, "loads", "load by phase");
	for (uint32_t phase = 0; phase < t->p->n_phases; phase++) {
		if (t->n_crossing[phase] == 0)
			continue;
		base_out_object_begin(out, NULL, NULL);
		base_out_number(out, "phase", "phase", phase, BASE_OUT_ID);
		base_out_number(out, "load_ppm", "load", plan_ppm(t->loads[phase]),
				BASE_OUT_RATIO_PPM);
		base_out_number(out, "qps", "QPs", t->n_crossing[phase], BASE_OUT_COUNT);
		base_out_object_end(out);
	}
	base_out_table_end(out);
}

static void show_qps(const struct crowd *t, uint32_t hop, struct base_out *out)
{
	base_out_table_begin(out, "qps", "QPs that cross it");
	for (size_t i = 0; i < t->n_qps; i++) {
		const struct crossing *x = &t->qps[i];

		if (x->hop != hop)
			continue;
		base_out_object_begin(out, NULL, NULL);
		base_out_number(out, "connection", "connection", x->conn, BASE_OUT_ID);
		base_out_number(out, "qp", "QP", x->qp - t->plan->conn_first[x->conn],
				BASE_OUT_ID);
		explain_conn(out, t->p, x->conn);
		base_out_number(out, "bytes", "bytes", (uint64_t)(bytes_of(t, x) + 0.5),
				BASE_OUT_BYTES);
		base_out_number(out, "load_ppm", "load",
				plan_ppm(bytes_of(t, x) * 8 / t->bits),
				BASE_OUT_RATIO_PPM);
		base_out_object_end(out);
	}
	base_out_table_end(out);
}

static void show_direction(struct crowd *t, uint32_t hop, const char *key,
			   struct base_out *out)
{
	struct base_str name;

	base_str_init(&name, 0);
	topo_name_hop(t->p->graph, hop, &name);
	base_out_fail(out, base_str_error(&name));
	base_out_object_begin(out, key, base_str_text(&name));
	show_loads(t, hop, out);
	show_qps(t, hop, out);
	base_out_object_end(out);
	base_str_fini(&name);
}

static int crowd_init(struct crowd *t, uint32_t link)
{
	double reference_s = planner_reference_seconds(t->p);

	t->loads = base_array_new(t->p->n_phases, sizeof(*t->loads));
	t->n_crossing = base_array_new(t->p->n_phases, sizeof(*t->n_crossing));
	if (!t->loads || !t->n_crossing || reference_s < 0)
		return -ENOMEM;
	t->bits = (double)topo_graph_links(t->p->graph)[link].rate_bps * reference_s;
	return find_crossing(t, link);
}

int planner_explain_link(const struct planner_problem *p, const struct planner_plan *plan,
			 uint32_t link, struct base_out *out)
{
	struct crowd t = { .p = p, .plan = plan };
	struct base_str name;
	int r;

	if (link >= topo_graph_n_links(p->graph))
		return -EINVAL;
	r = crowd_init(&t, link);
	if (r == 0) {
		base_str_init(&name, 0);
		topo_name_link(p->graph, link, &name);
		base_out_str(out, "link", "link", &name);
		base_str_fini(&name);
		base_out_number(out, "rate_bps", "rate",
				topo_graph_links(p->graph)[link].rate_bps, BASE_OUT_BPS);
		explain_state(out, p->graph, link);
		show_direction(&t, 2 * link, "forward", out);
		show_direction(&t, 2 * link + 1, "backward", out);
	}
	free(t.loads);
	free(t.n_crossing);
	free(t.qps);
	return r;
}
