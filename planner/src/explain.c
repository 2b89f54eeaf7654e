/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a QP is where it is, and what crosses a link.
 */
#include <planner/explain.h>
#include "explain_private.h"
#include "plan_private.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <topo/path.h>

#define PPM 1e6
/* Equal-cost paths that are looked at; pairs with more are sampled in order. */
#define PATHS_MAX 100000u
#define SHARERS_MAX 20u

struct alternative {
	double largest;
	uint64_t index;
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	uint32_t n;
};

struct asking {
	const struct planner_problem *p;
	const struct planner_plan *plan;
	uint32_t conn;
	const struct planner_qp *qp;
	const uint32_t *hops; /* of the QP */
	double reference_s;
	double *load;		  /* [hop] of the phase */
	uint32_t *crossing;	  /* [hop] QPs of the phase */
	struct alternative *best; /* best first */
	uint32_t n_best, max;
	uint64_t n_paths;
};

static uint64_t to_ppm(double load)
{
	return (uint64_t)(load * PPM + 0.5);
}

/* What the QP adds to a hop. */
static double share(const struct asking *t, uint32_t hop)
{
	const struct topo_link *l = &topo_graph_links(t->p->graph)[topo_hop_link(hop)];
	double bytes = (double)t->p->conns[t->conn].bytes * t->qp->weight_ppm / PPM;

	return bytes * 8 / ((double)l->rate_bps * t->reference_s);
}

static bool is_on(const struct asking *t, uint32_t hop)
{
	for (uint32_t h = 0; h < t->qp->n_hops; h++)
		if (t->hops[h] == hop)
			return true;
	return false;
}

static int asking_init(struct asking *t)
{
	uint32_t n_hops = 2 * topo_graph_n_links(t->p->graph);
	uint32_t phase = t->p->conns[t->conn].phase;

	t->reference_s = planner_problem_reference_seconds(t->p);
	t->load = base_array_new(n_hops, sizeof(*t->load));
	t->crossing = base_array_new(n_hops, sizeof(*t->crossing));
	t->best = base_array_new((size_t)t->max + 1, sizeof(*t->best));
	if (!t->load || !t->crossing || !t->best || t->reference_s < 0)
		return -ENOMEM;
	plan_phase_loads(t->p, t->plan, t->reference_s, phase, t->load);
	for (uint32_t c = 0; c < t->plan->n_conns; c++) {
		if (t->p->conns[c].phase != phase)
			continue;
		for (uint32_t q = t->plan->conn_first[c]; q < t->plan->conn_first[c + 1];
		     q++)
			for (uint32_t h = 0; h < t->plan->qps[q].n_hops; h++)
				t->crossing[t->plan->hops[t->plan->qps[q].first_hop +
							  h]]++;
	}
	return 0;
}

static void asking_fini(struct asking *t)
{
	free(t->load);
	free(t->crossing);
	free(t->best);
}

/* Keeps the path if it is among the best; ties go to the lower number. */
static void consider(struct asking *t, uint64_t index, const uint32_t *hops, uint32_t n)
{
	struct alternative a = { .index = index, .n = n };
	uint32_t at = t->n_best;

	for (uint32_t h = 0; h < n; h++) {
		double load =
			t->load[hops[h]] + (is_on(t, hops[h]) ? 0 : share(t, hops[h]));

		if (load > a.largest)
			a.largest = load;
	}
	memcpy(a.hops, hops, n * sizeof(*hops));
	while (at > 0 && t->best[at - 1].largest > a.largest + 1e-9)
		at--;
	if (at >= t->max)
		return;
	if (t->n_best < t->max)
		t->n_best++;
	memmove(&t->best[at + 1], &t->best[at], (t->n_best - at - 1) * sizeof(a));
	t->best[at] = a;
}

static int find_alternatives(struct asking *t)
{
	const struct planner_conn *c = &t->p->conns[t->conn];
	uint32_t plane = topo_graph_link_plane(t->p->graph, topo_hop_link(t->hops[0]));
	struct topo_paths *paths = NULL;
	int r = topo_paths_new(t->p->graph, &paths);

	if (r == 0 && topo_paths_aim(paths, c->dst_nic, plane) == 0)
		t->n_paths = topo_paths_count(paths, c->src_nic);
	for (uint64_t i = 0; r == 0 && i < t->n_paths && i < PATHS_MAX; i++) {
		uint32_t hops[TOPO_PATH_HOPS_MAX];
		int n = topo_paths_get(paths, c->src_nic, i, hops);

		if (n <= 0 || ((uint32_t)n == t->qp->n_hops &&
			       memcmp(hops, t->hops, (size_t)n * sizeof(*hops)) == 0))
			continue;
		consider(t, i, hops, (uint32_t)n);
	}
	topo_paths_free(paths);
	return r;
}

static void show_hops(const struct asking *t, struct base_out *out)
{
	base_out_table_begin(out, "hops", "path, hop by hop");
	for (uint32_t h = 0; h < t->qp->n_hops; h++) {
		base_out_object_begin(out, NULL, NULL);
		explain_hop(out, "hop", "hop", t->p->graph, t->hops[h]);
		base_out_number(out, "load_ppm", "load", to_ppm(t->load[t->hops[h]]),
				BASE_OUT_RATIO_PPM);
		base_out_number(out, "own_ppm", "of it this QP",
				to_ppm(share(t, t->hops[h])), BASE_OUT_RATIO_PPM);
		base_out_number(out, "qps", "QPs", t->crossing[t->hops[h]],
				BASE_OUT_COUNT);
		base_out_object_end(out);
	}
	base_out_table_end(out);
}

static void show_alternatives(const struct asking *t, struct base_out *out)
{
	base_out_number(out, "equal_cost_paths", "equal-cost paths", t->n_paths,
			BASE_OUT_COUNT);
	base_out_table_begin(out, "alternatives", "if it moved there");
	for (uint32_t i = 0; i < t->n_best; i++) {
		base_out_object_begin(out, NULL, NULL);
		base_out_number(out, "path", "path", t->best[i].index, BASE_OUT_ID);
		explain_path(out, "hops", "hops", t->p->graph, t->best[i].hops,
			     t->best[i].n);
		base_out_number(out, "largest_load_ppm", "its largest load",
				to_ppm(t->best[i].largest), BASE_OUT_RATIO_PPM);
		base_out_object_end(out);
	}
	base_out_table_end(out);
}

struct sharer {
	uint32_t conn, qp, links;
};

/* Most shared links first; then in order of the plan. */
static int compare_sharers(const void *a, const void *b)
{
	const struct sharer *x = a, *y = b;

	if (x->links != y->links)
		return x->links > y->links ? -1 : 1;
	return x->qp < y->qp ? -1 : x->qp > y->qp;
}

static int show_sharers(const struct asking *t, struct base_out *out)
{
	uint32_t self = (uint32_t)(t->qp - t->plan->qps), n = 0;
	struct sharer *sharers = base_array_new(t->plan->n_qps, sizeof(*sharers));

	if (!sharers)
		return -ENOMEM;
	for (uint32_t c = 0; c < t->plan->n_conns; c++) {
		if (t->p->conns[c].phase != t->p->conns[t->conn].phase)
			continue;
		for (uint32_t q = t->plan->conn_first[c]; q < t->plan->conn_first[c + 1];
		     q++) {
			const struct planner_qp *qp = &t->plan->qps[q];
			struct sharer s = { c, q, 0 };

			for (uint32_t h = 0; q != self && h < qp->n_hops; h++)
				s.links += is_on(t, t->plan->hops[qp->first_hop + h]);
			if (s.links > 0)
				sharers[n++] = s;
		}
	}
	qsort(sharers, n, sizeof(*sharers), compare_sharers);
	base_out_number(out, "sharing_qps", "QPs that share a link with it", n,
			BASE_OUT_COUNT);
	base_out_table_begin(out, "sharing", "shares most links with");
	for (uint32_t i = 0; i < n && i < SHARERS_MAX; i++) {
		base_out_object_begin(out, NULL, NULL);
		base_out_number(out, "connection", "connection", sharers[i].conn,
				BASE_OUT_ID);
		base_out_number(out, "qp", "QP",
				sharers[i].qp - t->plan->conn_first[sharers[i].conn],
				BASE_OUT_ID);
		explain_conn(out, t->p, sharers[i].conn);
		base_out_number(out, "links", "links", sharers[i].links, BASE_OUT_COUNT);
		base_out_object_end(out);
	}
	base_out_table_end(out);
	free(sharers);
	return 0;
}

static void show_why(const struct asking *t, double largest, struct base_out *out)
{
	struct base_str text;
	double elsewhere = t->n_best ? t->best[0].largest : 0;

	base_str_init(&text, 0);
	if (t->qp->n_hops == 2)
		base_str_add(&text,
			     "Both NICs are on one leaf: there is nothing to choose.");
	else if (t->n_best == 0)
		base_str_add(&text, "It is the only equal-cost path.");
	else if (elsewhere < largest - 1e-6)
		base_str_addf(
			&text,
			"Alone it would do better on path %llu (largest load %.3f, here "
			"%.3f): other QPs need what it would take there, or the plan is "
			"not "
			"tight here.",
			(unsigned long long)t->best[0].index, elsewhere, largest);
	else if (elsewhere > largest + 1e-6)
		base_str_addf(&text,
			      "Its busiest link carries %.3f; on every other path the "
			      "busiest would "
			      "carry %.3f or more.",
			      largest, elsewhere);
	else
		base_str_addf(&text,
			      "Its busiest link carries %.3f; no other path does better.",
			      largest);
	base_out_string(out, "why", "why here", base_str_text(&text));
	base_str_fini(&text);
}

static double largest_of(const struct asking *t)
{
	double largest = 0;

	for (uint32_t h = 0; h < t->qp->n_hops; h++)
		if (t->load[t->hops[h]] > largest)
			largest = t->load[t->hops[h]];
	return largest;
}

int planner_explain_qp(const struct planner_problem *p, const struct planner_plan *plan,
		       uint32_t conn, uint32_t qp, uint32_t alternatives_max,
		       struct base_out *out)
{
	struct asking t = { .p = p, .plan = plan, .conn = conn, .max = alternatives_max };
	int r;

	if (conn >= plan->n_conns ||
	    qp >= plan->conn_first[conn + 1] - plan->conn_first[conn])
		return -EINVAL;
	t.qp = &plan->qps[plan->conn_first[conn] + qp];
	t.hops = &plan->hops[t.qp->first_hop];
	r = asking_init(&t);
	if (r == 0)
		r = find_alternatives(&t);
	if (r == 0) {
		base_out_number(out, "connection", "connection", conn, BASE_OUT_ID);
		base_out_number(out, "qp", "QP", qp, BASE_OUT_ID);
		explain_conn(out, p, conn);
		base_out_number(out, "bytes", "bytes per iteration", p->conns[conn].bytes,
				BASE_OUT_BYTES);
		base_out_number(out, "weight_ppm", "weight", t.qp->weight_ppm,
				BASE_OUT_PERCENT_PPM);
		explain_path(out, "path", "path", p->graph, t.hops, t.qp->n_hops);
		show_why(&t, largest_of(&t), out);
		show_hops(&t, out);
		show_alternatives(&t, out);
		r = show_sharers(&t, out);
	}
	asking_fini(&t);
	return r;
}

static void show_loads(const struct planner_problem *p, const uint64_t *loads,
		       struct base_out *out)
{
	base_out_table_begin(out, "loads", "load by phase");
	for (uint32_t phase = 0; phase < p->n_phases; phase++) {
		base_out_object_begin(out, NULL, NULL);
		base_out_number(out, "phase", "phase", phase, BASE_OUT_ID);
		base_out_number(out, "load_ppm", "load", loads[phase],
				BASE_OUT_RATIO_PPM);
		base_out_object_end(out);
	}
	base_out_table_end(out);
}

/* One direction of a link: its load in each phase, and a row for each QP. */
static int show_direction(const struct planner_problem *p,
			  const struct planner_plan *plan, uint32_t hop, const char *key,
			  struct base_out *out)
{
	const struct topo_link *link = &topo_graph_links(p->graph)[topo_hop_link(hop)];
	double reference_s = planner_problem_reference_seconds(p);
	uint64_t *loads = base_array_new(p->n_phases, sizeof(*loads));
	struct base_str name;

	if (!loads)
		return -ENOMEM;
	base_str_init(&name, 0);
	topo_name_hop(p->graph, hop, &name);
	base_out_object_begin(out, key, base_str_text(&name));
	base_out_table_begin(out, "qps", "QPs that cross it");
	for (uint32_t c = 0; c < plan->n_conns; c++)
		for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++) {
			const struct planner_qp *qp = &plan->qps[q];
			double bytes = (double)p->conns[c].bytes * qp->weight_ppm / PPM;
			uint64_t ppm = to_ppm(bytes * 8 /
					      ((double)link->rate_bps * reference_s));
			bool crosses = false;

			for (uint32_t h = 0; h < qp->n_hops; h++)
				crosses |= plan->hops[qp->first_hop + h] == hop;
			if (!crosses)
				continue;
			loads[p->conns[c].phase] += ppm;
			base_out_object_begin(out, NULL, NULL);
			base_out_number(out, "connection", "connection", c, BASE_OUT_ID);
			base_out_number(out, "qp", "QP", q - plan->conn_first[c],
					BASE_OUT_ID);
			explain_conn(out, p, c);
			base_out_number(out, "bytes", "bytes", (uint64_t)bytes,
					BASE_OUT_BYTES);
			base_out_number(out, "load_ppm", "load", ppm, BASE_OUT_RATIO_PPM);
			base_out_object_end(out);
		}
	base_out_table_end(out);
	show_loads(p, loads, out);
	base_out_object_end(out);
	base_str_fini(&name);
	free(loads);
	return 0;
}

int planner_explain_link(const struct planner_problem *p, const struct planner_plan *plan,
			 uint32_t link, struct base_out *out)
{
	struct base_str name;
	int r;

	if (link >= topo_graph_n_links(p->graph))
		return -EINVAL;
	base_str_init(&name, 0);
	topo_name_link(p->graph, link, &name);
	base_out_string(out, "link", "link", base_str_text(&name));
	base_str_fini(&name);
	base_out_number(out, "rate_bps", "rate",
			topo_graph_links(p->graph)[link].rate_bps, BASE_OUT_BPS);
	r = show_direction(p, plan, 2 * link, "forward", out);
	return r < 0 ? r : show_direction(p, plan, 2 * link + 1, "backward", out);
}
