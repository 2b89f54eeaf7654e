/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a QP is where it is.
 */
#include <planner/explain.h>
#include "explain_private.h"
#include "plan_private.h"
#include "reference.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <topo/path.h>

#define PPM 1e6
/* Equal-cost paths that are looked at; of pairs with more, the first ones. */
#define PATHS_MAX 100000u
#define SHARERS_MAX 20u

/* The largest loads of a path with the QP on it. */
struct path_load {
	uint64_t all_ppm;    /* over all its links */
	uint64_t fabric_ppm; /* over those between switches: what choosing can change */
};

struct alternative {
	struct path_load load;
	uint64_t index;
};

struct asking {
	const struct planner_problem *p;
	const struct planner_plan *plan;
	uint32_t conn;
	const struct planner_qp *qp;
	const uint32_t *hops; /* of the QP */
	double reference_s;
	double *load;	    /* [hop] of the phase */
	uint32_t *crossing; /* [hop] QPs of the phase */
	struct path_load here;
	struct topo_paths *paths; /* to the destination, in the plane of the QP */
	uint64_t n_paths;
	struct alternative *others; /* best first */
	uint32_t n_others, max;	    /* max: how many are shown */
};

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

	t->reference_s = planner_reference_seconds(t->p);
	t->load = base_array_new(n_hops, sizeof(*t->load));
	t->crossing = base_array_new(n_hops, sizeof(*t->crossing));
	if (!t->load || !t->crossing || t->reference_s < 0)
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
	free(t->others);
	topo_paths_free(t->paths);
}

static struct path_load load_of(const struct asking *t, const uint32_t *hops, uint32_t n)
{
	struct path_load most = { 0, 0 };

	for (uint32_t h = 0; h < n; h++) {
		double added = is_on(t, hops[h]) ? 0 : share(t, hops[h]);
		uint64_t ppm = plan_ppm(t->load[hops[h]] + added);

		if (ppm > most.all_ppm)
			most.all_ppm = ppm;
		if (ppm > most.fabric_ppm && h > 0 && h + 1 < n)
			most.fabric_ppm = ppm;
	}
	return most;
}

/* Below 0: @a is better. */
static int compare_loads(const struct path_load *a, const struct path_load *b)
{
	if (a->all_ppm != b->all_ppm)
		return a->all_ppm < b->all_ppm ? -1 : 1;
	if (a->fabric_ppm != b->fabric_ppm)
		return a->fabric_ppm < b->fabric_ppm ? -1 : 1;
	return 0;
}

/* For qsort(): ties go to the lower number. */
static int compare_alternatives(const void *a, const void *b)
{
	const struct alternative *x = a, *y = b;
	int r = compare_loads(&x->load, &y->load);

	return r != 0 ? r : x->index < y->index ? -1 : x->index > y->index;
}

static int find_alternatives(struct asking *t)
{
	const struct planner_conn *c = &t->p->conns[t->conn];
	uint32_t plane = topo_graph_link_plane(t->p->graph, topo_hop_link(t->hops[0]));
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	int r = topo_paths_new(t->p->graph, &t->paths);

	if (r < 0)
		return r;
	r = topo_paths_aim(t->paths, c->dst_nic, plane);
	if (r == 0)
		t->n_paths = topo_paths_count(t->paths, c->src_nic);
	else if (r == -ENOMEM)
		return r;
	t->others = base_array_new(t->n_paths < PATHS_MAX ? t->n_paths : PATHS_MAX,
				   sizeof(*t->others));
	if (!t->others)
		return -ENOMEM;
	for (uint64_t i = 0; i < t->n_paths && i < PATHS_MAX; i++) {
		int n = topo_paths_get(t->paths, c->src_nic, i, hops);

		if (n <= 0 || ((uint32_t)n == t->qp->n_hops &&
			       memcmp(hops, t->hops, (size_t)n * sizeof(*hops)) == 0))
			continue;
		t->others[t->n_others++] =
			(struct alternative){ .load = load_of(t, hops, (uint32_t)n),
					      .index = i };
	}
	qsort(t->others, t->n_others, sizeof(*t->others), compare_alternatives);
	t->here = load_of(t, t->hops, t->qp->n_hops);
	return 0;
}

static void show_hops(const struct asking *t, struct base_out *out)
{
	base_out_table_begin(out, "hops", "path, hop by hop");
	for (uint32_t h = 0; h < t->qp->n_hops; h++) {
		base_out_object_begin(out, NULL, NULL);
		explain_hop(out, "hop", "hop", t->p->graph, t->hops[h]);
		explain_state(out, t->p->graph, topo_hop_link(t->hops[h]));
		base_out_number(out, "load_ppm", "load", plan_ppm(t->load[t->hops[h]]),
				BASE_OUT_RATIO_PPM);
		base_out_number(out, "own_ppm", "of this QP",
				plan_ppm(share(t, t->hops[h])), BASE_OUT_RATIO_PPM);
		base_out_number(out, "qps", "QPs", t->crossing[t->hops[h]],
				BASE_OUT_COUNT);
		base_out_object_end(out);
	}
	base_out_table_end(out);
}

static void show_alternatives(const struct asking *t, struct base_out *out)
{
	uint32_t src = t->p->conns[t->conn].src_nic, hops[TOPO_PATH_HOPS_MAX];

	base_out_number(out, "equal_cost_paths", "equal-cost paths", t->n_paths,
			BASE_OUT_COUNT);
	if (t->n_paths > PATHS_MAX)
		base_out_text(out, "(only the first %u were looked at)", PATHS_MAX);
	base_out_table_begin(out, "alternatives", "if it moved there");
	for (uint32_t i = 0; i < t->n_others && i < t->max; i++) {
		const struct alternative *a = &t->others[i];
		int n = topo_paths_get(t->paths, src, a->index, hops);

		base_out_object_begin(out, NULL, NULL);
		base_out_number(out, "path", "path", a->index, BASE_OUT_ID);
		explain_path(out, "hops", "hops", t->p->graph, hops, (uint32_t)n);
		base_out_number(out, "largest_load_ppm", "its largest load",
				a->load.all_ppm, BASE_OUT_RATIO_PPM);
		base_out_number(out, "fabric_load_ppm", "between switches",
				a->load.fabric_ppm, BASE_OUT_RATIO_PPM);
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
	if (n > SHARERS_MAX)
		base_out_text(out, "(%u more)", n - SHARERS_MAX);
	free(sharers);
	return 0;
}

/* Why it is not on the best of the others. */
static void compare_with_best(const struct asking *t, struct base_str *into)
{
	const struct alternative *best = &t->others[0];
	double here = (double)t->here.all_ppm / PPM;
	double there = (double)best->load.all_ppm / PPM;
	double fabric_here = (double)t->here.fabric_ppm / PPM;
	double fabric_there = (double)best->load.fabric_ppm / PPM;
	unsigned long long path = best->index;

	if (here < there)
		base_str_addf(into,
			      "Its busiest link carries %.3f; on every other path the "
			      "busiest would carry %.3f or more.",
			      here, there);
	else if (here > there)
		base_str_addf(into,
			      "Alone it would do better on path %llu (largest load %.3f, "
			      "here %.3f): other QPs need what it would take there, or "
			      "the plan is not tight here.",
			      path, there, here);
	else if (fabric_here < fabric_there)
		base_str_addf(into,
			      "Its busiest link between switches carries %.3f; on every "
			      "other path that would be %.3f or more.",
			      fabric_here, fabric_there);
	else if (fabric_here > fabric_there)
		base_str_addf(into,
			      "Between switches it would do better on path %llu (%.3f, "
			      "here %.3f); its largest load stays %.3f.",
			      path, fabric_there, fabric_here, here);
	else
		base_str_addf(into,
			      "Its busiest link between switches carries %.3f; no other "
			      "path does better.",
			      fabric_here);
}

static void show_why(const struct asking *t, struct base_out *out)
{
	uint32_t dead = planner_plan_dead_hop(t->p->graph, t->plan, t->qp);
	struct base_str text;

	base_str_init(&text, 0);
	if (dead != TOPO_NONE) {
		base_str_add(&text, "Its path is dead: ");
		topo_name_link(t->p->graph, topo_hop_link(dead), &text);
		base_str_add(&text, " is down; replan with --replan-from.");
	} else if (t->qp->n_hops == 2) {
		base_str_add(&text,
			     "Both NICs are on one leaf: there is nothing to choose.");
	} else if (t->n_others == 0) {
		base_str_add(&text, "It is the only equal-cost path.");
	} else {
		compare_with_best(t, &text);
	}
	base_out_str(out, "why", "why here", &text);
	base_str_fini(&text);
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
		show_why(&t, out);
		show_hops(&t, out);
		show_alternatives(&t, out);
		r = show_sharers(&t, out);
	}
	asking_fini(&t);
	return r;
}
