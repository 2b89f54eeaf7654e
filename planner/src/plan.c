/* SPDX-License-Identifier: Apache-2.0 */
#include <planner/plan.h>
#include "bound.h"
#include "plan_private.h"
#include "reference.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <topo/path.h>

#define PPM 1000000u
/*
 * By how much a load may be above equal shares: weights are whole ppm of a connection,
 * which is one part in 1,000,000 / qps of a QP.
 */
static uint64_t rounding_ppm(uint64_t load_ppm, uint32_t qps)
{
	return 2 + load_ppm * qps / PPM;
}

struct planner_plan *planner_plan_new(uint32_t n_conns, uint32_t n_qps, size_t n_hops)
{
	struct planner_plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return NULL;
	plan->n_conns = n_conns;
	plan->n_qps = n_qps;
	plan->n_hops = n_hops;
	plan->conn_first = base_array_new((size_t)n_conns + 1, sizeof(uint32_t));
	plan->qps = base_array_new(n_qps, sizeof(struct planner_qp));
	plan->hops = base_array_new(n_hops, sizeof(uint32_t));
	plan->certificate.binding_hop = plan->certificate.fabric_hop = TOPO_NONE;
	if (!plan->conn_first || !plan->qps || !plan->hops) {
		planner_plan_free(plan);
		return NULL;
	}
	return plan;
}

void planner_plan_free(struct planner_plan *plan)
{
	if (!plan)
		return;
	free(plan->conn_first);
	free(plan->qps);
	free(plan->hops);
	free(plan);
}

uint32_t planner_plan_qps_max(const struct planner_plan *plan)
{
	uint32_t most = 0;

	for (uint32_t c = 0; c < plan->n_conns; c++)
		if (plan->conn_first[c + 1] - plan->conn_first[c] > most)
			most = plan->conn_first[c + 1] - plan->conn_first[c];
	return most;
}

uint32_t planner_plan_dead_hop(const struct topo_graph *g,
			       const struct planner_plan *plan,
			       const struct planner_qp *qp)
{
	const struct topo_link *links = topo_graph_links(g);

	for (uint32_t h = 0; h < qp->n_hops; h++) {
		uint32_t hop = plan->hops[qp->first_hop + h];

		if (links[topo_hop_link(hop)].state != TOPO_UP)
			return hop;
	}
	return TOPO_NONE;
}

void plan_phase_loads(const struct planner_problem *p, const struct planner_plan *plan,
		      double reference_s, uint32_t phase, double *loads)
{
	const struct topo_link *links = topo_graph_links(p->graph);
	uint32_t n_hops = 2 * topo_graph_n_links(p->graph);

	memset(loads, 0, n_hops * sizeof(*loads));
	for (uint32_t c = 0; c < plan->n_conns; c++) {
		double bytes = (double)p->conns[c].bytes;

		if (p->conns[c].phase != phase)
			continue;
		for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++) {
			const struct planner_qp *qp = &plan->qps[q];
			double part = bytes * qp->weight_ppm / PPM;

			for (uint32_t h = 0; h < qp->n_hops; h++)
				loads[plan->hops[qp->first_hop + h]] += part;
		}
	}
	for (uint32_t h = 0; h < n_hops; h++)
		if (loads[h] > 0)
			loads[h] *= 8 / ((double)links[topo_hop_link(h)].rate_bps *
					 reference_s);
}

int planner_plan_loads(const struct planner_problem *p, const struct planner_plan *plan,
		       uint32_t phase, uint64_t *loads_ppm)
{
	uint32_t n_hops = 2 * topo_graph_n_links(p->graph);
	double *loads = base_array_new(n_hops, sizeof(*loads));
	double reference_s = planner_reference_seconds(p);

	if (!loads || reference_s < 0) {
		free(loads);
		return -ENOMEM;
	}
	memset(loads_ppm, 0, n_hops * sizeof(*loads_ppm));
	for (uint32_t ph = 0; p->n_conns > 0 && ph < p->n_phases; ph++) {
		if (phase != TOPO_NONE && phase != ph)
			continue;
		plan_phase_loads(p, plan, reference_s, ph, loads);
		for (uint32_t h = 0; h < n_hops; h++) {
			uint64_t ppm = plan_ppm(loads[h]);

			if (ppm > loads_ppm[h])
				loads_ppm[h] = ppm;
		}
	}
	free(loads);
	return 0;
}

static bool is_between_switches(const struct planner_problem *p, uint32_t hop)
{
	const struct topo_node *nodes = topo_graph_nodes(p->graph);
	const struct topo_link *l = &topo_graph_links(p->graph)[topo_hop_link(hop)];

	return nodes[l->a].kind == TOPO_SWITCH && nodes[l->b].kind == TOPO_SWITCH;
}

static void note_loads(const struct planner_problem *p, const double *loads,
		       uint32_t phase, struct planner_certificate *c)
{
	uint32_t n_hops = 2 * topo_graph_n_links(p->graph);

	for (uint32_t h = 0; h < n_hops; h++) {
		uint64_t ppm = plan_ppm(loads[h]);
		bool is_fabric;

		if (ppm <= c->fabric_load_ppm && ppm <= c->largest_load_ppm)
			continue;
		is_fabric = is_between_switches(p, h);
		if (is_fabric && ppm > c->fabric_load_ppm) {
			c->fabric_load_ppm = ppm;
			c->fabric_hop = h;
			c->fabric_phase = phase;
		}
		/* Of equal loads, one between switches is named: that is where paths
		 * matter. */
		if (ppm > c->largest_load_ppm ||
		    (ppm == c->largest_load_ppm && ppm > 0 && is_fabric &&
		     !is_between_switches(p, c->binding_hop))) {
			c->largest_load_ppm = ppm;
			c->binding_hop = h;
			c->binding_phase = phase;
		}
	}
}

/* QPs of the phase that cross an overloaded link between switches. */
static uint64_t count_above(const struct planner_problem *p,
			    const struct planner_plan *plan, const double *loads,
			    uint32_t phase)
{
	uint64_t limit_ppm = PPM + rounding_ppm(PPM, planner_plan_qps_max(plan));
	uint64_t n = 0;

	for (uint32_t c = 0; c < plan->n_conns; c++) {
		if (p->conns[c].phase != phase)
			continue;
		for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++) {
			const struct planner_qp *qp = &plan->qps[q];
			bool above = false;

			for (uint32_t h = 1; h + 1 < qp->n_hops; h++)
				above |= plan_ppm(loads[plan->hops[qp->first_hop + h]]) >
					 limit_ppm;
			n += above;
		}
	}
	return n;
}

static uint64_t count_dead(const struct planner_problem *p,
			   const struct planner_plan *plan)
{
	uint64_t n = 0;

	for (uint32_t q = 0; q < plan->n_qps; q++)
		n += plan->qps[q].weight_ppm > 0 &&
		     planner_plan_dead_hop(p->graph, plan, &plan->qps[q]) != TOPO_NONE;
	return n;
}

static void take_bounds(const struct planner_bounds *b, uint32_t qps,
			struct planner_certificate *c)
{
	double fractional = 0, integral = 0, fabric = 0, fabric_integral = 0;

	for (uint32_t phase = 0; phase < b->n_phases; phase++) {
		const struct planner_phase_bound *x = &b->phases[phase];

		if (x->fractional > fractional) {
			fractional = x->fractional;
			c->cut = x->cut;
		}
		if (x->fabric_fractional > fabric) {
			fabric = x->fabric_fractional;
			c->fabric_cut = x->fabric_cut;
		}
		integral = fmax(integral, x->integral);
		fabric_integral = fmax(fabric_integral, x->fabric_integral);
	}
	c->lower_bound_ppm = plan_ppm(fractional);
	c->integral_bound_ppm = plan_ppm(integral);
	c->fabric_bound_ppm = plan_ppm(fabric);
	c->fabric_integral_bound_ppm = plan_ppm(fabric_integral);
	if (c->largest_load_ppm >
	    c->integral_bound_ppm + rounding_ppm(c->integral_bound_ppm, qps))
		c->gap_ppm = plan_ppm(
			(double)c->largest_load_ppm / (double)c->integral_bound_ppm - 1);
}

int plan_certify(const struct planner_problem *p, struct planner_plan *plan,
		 double reference_s, const struct planner_bounds *bounds)
{
	struct planner_certificate c = { .binding_hop = TOPO_NONE,
					 .fabric_hop = TOPO_NONE };
	double *loads =
		base_array_new(2 * (size_t)topo_graph_n_links(p->graph), sizeof(*loads));

	if (!loads)
		return -ENOMEM;
	for (uint32_t phase = 0; p->n_conns > 0 && phase < p->n_phases; phase++) {
		plan_phase_loads(p, plan, reference_s, phase, loads);
		note_loads(p, loads, phase, &c);
		c.qps_above_one += count_above(p, plan, loads, phase);
	}
	take_bounds(bounds, planner_plan_qps_max(plan), &c);
	c.qps_on_dead_links = count_dead(p, plan);
	plan->certificate = c;
	free(loads);
	return 0;
}

int planner_plan_certify(const struct planner_problem *p, struct planner_plan *plan)
{
	uint32_t n_planes = topo_graph_n_planes(p->graph);
	uint32_t qps = planner_plan_qps_max(plan);
	struct planner_clos **clos =
		base_array_new(n_planes, sizeof(struct planner_clos *));
	struct planner_bounds *bounds = NULL;
	double reference_s = planner_reference_seconds(p);
	int r = clos && reference_s >= 0 ? 0 : -ENOMEM;

	for (uint32_t plane = 0; r == 0 && plane < n_planes; plane++)
		if (planner_clos_new(p->graph, plane, &clos[plane], NULL) == -ENOMEM)
			r = -ENOMEM;
	if (r == 0)
		r = planner_bounds_new(p, plan, reference_s, qps ? qps : 1, clos,
				       n_planes, &bounds);
	if (r == 0)
		r = plan_certify(p, plan, reference_s, bounds);
	planner_bounds_free(bounds);
	for (uint32_t plane = 0; clos && plane < n_planes; plane++)
		planner_clos_free(clos[plane]);
	free(clos);
	return r;
}

/* Says what is wrong with hop @h of a path that has come to node @at; 0: nothing. */
static int check_hop(const struct planner_problem *p, const struct planner_plan *plan,
		     uint32_t c, uint32_t q, uint32_t h, uint32_t at,
		     struct base_err *err)
{
	const struct topo_link *links = topo_graph_links(p->graph);
	uint32_t hop = plan->hops[plan->qps[q].first_hop + h];
	bool is_known = hop < 2 * topo_graph_n_links(p->graph);
	struct base_str text;

	if (is_known && topo_hop_from(links, hop) == at &&
	    links[topo_hop_link(hop)].state == TOPO_UP)
		return 0;
	base_str_init(&text, 0);
	base_str_addf(&text, "QP %u of connection %u (", q - plan->conn_first[c], c);
	topo_name_node(p->graph, p->conns[c].src_nic, &text);
	base_str_add(&text, " -> ");
	topo_name_node(p->graph, p->conns[c].dst_nic, &text);
	if (!is_known) {
		base_str_addf(&text, "): hop %u is not a link of the fabric", h);
	} else if (topo_hop_from(links, hop) != at) {
		base_str_addf(&text, "): hop %u, ", h);
		topo_name_hop(p->graph, hop, &text);
		base_str_add(&text, ", does not start where the path is, at ");
		topo_name_node(p->graph, at, &text);
	} else {
		base_str_add(&text, "): its link ");
		topo_name_link(p->graph, topo_hop_link(hop), &text);
		base_str_add(&text, " is down");
	}
	base_err_set(err, -BASE_E_INVALID, "%s", base_str_text(&text));
	base_str_fini(&text);
	return -BASE_E_INVALID;
}

static int check_path(const struct planner_problem *p, const struct planner_plan *plan,
		      uint32_t c, uint32_t q, struct base_err *err)
{
	const struct topo_link *links = topo_graph_links(p->graph);
	const struct planner_qp *qp = &plan->qps[q];
	const uint32_t *hops = &plan->hops[qp->first_hop];
	uint32_t at = p->conns[c].src_nic;

	if (qp->n_hops < 2 || qp->n_hops > TOPO_PATH_HOPS_MAX ||
	    (size_t)qp->first_hop + qp->n_hops > plan->n_hops)
		return base_err_set(err, -BASE_E_INVALID,
				    "QP %u of connection %u: no path",
				    q - plan->conn_first[c], c);
	for (uint32_t h = 0; h < qp->n_hops; h++) {
		int r = check_hop(p, plan, c, q, h, at, err);

		if (r < 0)
			return r;
		at = topo_hop_to(links, hops[h]);
		for (uint32_t k = 0; k <= h; k++)
			if (topo_hop_from(links, hops[k]) == at)
				return base_err_set(
					err, -BASE_E_INVALID,
					"QP %u of connection %u: path visits a node "
					"twice",
					q - plan->conn_first[c], c);
	}
	if (at != p->conns[c].dst_nic)
		return base_err_set(err, -BASE_E_INVALID,
				    "QP %u of connection %u: path ends elsewhere",
				    q - plan->conn_first[c], c);
	if (p->conns[c].plane != TOPO_NONE &&
	    topo_graph_link_plane(p->graph, topo_hop_link(hops[0])) != p->conns[c].plane)
		return base_err_set(err, -BASE_E_INVALID,
				    "QP %u of connection %u: path is not in plane %u",
				    q - plan->conn_first[c], c, p->conns[c].plane);
	return 0;
}

int planner_plan_check(const struct planner_problem *p, const struct planner_plan *plan,
		       struct base_err *err)
{
	if (plan->n_conns != p->n_conns || plan->conn_first[plan->n_conns] != plan->n_qps)
		return base_err_set(err, -BASE_E_INVALID,
				    "counts of plan and problem differ");
	for (uint32_t c = 0; c < plan->n_conns; c++) {
		uint64_t weights = 0;

		for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++) {
			int r = check_path(p, plan, c, q, err);

			if (r < 0)
				return r;
			weights += plan->qps[q].weight_ppm;
		}
		if (plan->conn_first[c + 1] > plan->conn_first[c] && weights != PPM)
			return base_err_set(err, -BASE_E_INVALID,
					    "connection %u: weights add up to %llu ppm",
					    c, (unsigned long long)weights);
	}
	return 0;
}

void planner_cut_text(const struct topo_graph *g, const struct planner_cut *cut,
		      struct base_str *into)
{
	static const struct {
		const char *before, *between;
		bool is_pod;
	} forms[] = {
		[PLANNER_CUT_NONE] = { "no traffic", "", false },
		[PLANNER_CUT_NIC_OUT] = { "out of ", "", false },
		[PLANNER_CUT_NIC_IN] = { "into ", "", false },
		[PLANNER_CUT_LEAF_OUT] = { "out of ", "", false },
		[PLANNER_CUT_LEAF_IN] = { "into ", "", false },
		[PLANNER_CUT_POD_OUT] = { "out of pod ", "", true },
		[PLANNER_CUT_POD_IN] = { "into pod ", "", true },
		[PLANNER_CUT_LEAF_PAIR] = { "from ", " to ", false },
		[PLANNER_CUT_POD_PAIR] = { "from pod ", " to pod ", true },
	};
	const uint32_t ends[] = { cut->node, cut->peer };

	base_str_add(into, forms[cut->kind].before);
	for (int i = 0; i < 2 && cut->kind != PLANNER_CUT_NONE; i++) {
		if (ends[i] == TOPO_NONE)
			break;
		if (i == 1)
			base_str_add(into, forms[cut->kind].between);
		if (forms[cut->kind].is_pod)
			base_str_add_u64(into, ends[i]);
		else
			topo_name_node(g, ends[i], into);
	}
}
