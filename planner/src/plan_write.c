/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing "fairlead.plan.v1": a connection a line, paths by name, so that a plan can be
 * read, searched and compared by line.
 */
#include <planner/plan.h>
#include <base/mem.h>
#include <base/out.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	const struct planner_problem *p;
	const struct planner_plan *plan;
	struct base_str *into;
	struct base_str name; /* scratch */
	bool first;	      /* of the list that is being written */
};

static void add_text(struct writer *w, const char *text)
{
	base_out_json_escape(w->into, text, strlen(text));
}

/* Adds what was built in the scratch text, as a string. */
static void add_scratch(struct writer *w)
{
	if (base_str_error(&w->name) < 0 && base_str_error(w->into) == 0)
		w->into->error = base_str_error(&w->name);
	base_out_json_escape(w->into, base_str_text(&w->name), w->name.len);
	base_str_clear(&w->name);
}

static void add_node(struct writer *w, uint32_t node)
{
	topo_name_node(w->p->graph, node, &w->name);
	add_scratch(w);
}

/* Numbers over 2^53 are strings of digits, so that every reader of JSON keeps them. */
static void add_number(struct writer *w, const char *key, uint64_t n)
{
	const char *quote = n > (UINT64_C(1) << 53) ? "\"" : "";

	base_str_add(w->into, ", \"");
	base_str_add(w->into, key);
	base_str_add(w->into, "\": ");
	base_str_add(w->into, quote);
	base_str_add_u64(w->into, n);
	base_str_add(w->into, quote);
}

static void begin_list(struct writer *w, const char *key)
{
	base_str_add(w->into, ",\n\"");
	base_str_add(w->into, key);
	base_str_add(w->into, "\": [");
	w->first = true;
}

static void next_row(struct writer *w)
{
	base_str_add(w->into, w->first ? "\n" : ",\n");
	w->first = false;
}

static void end_list(struct writer *w)
{
	base_str_add(w->into, w->first ? "]" : "\n]");
}

static void write_jobs(struct writer *w)
{
	begin_list(w, "jobs");
	for (uint32_t j = 0; j < w->p->n_jobs; j++) {
		next_row(w);
		add_text(w, w->p->job_names[j]);
	}
	end_list(w);
}

static void write_assumptions(struct writer *w)
{
	begin_list(w, "assumptions");
	for (uint32_t i = 0; i < w->p->n_assumptions; i++) {
		const struct planner_assumption *a = &w->p->assumptions[i];

		next_row(w);
		base_str_add(w->into, "{\"name\": ");
		add_text(w, a->name);
		base_str_add(w->into, ", \"value\": ");
		add_text(w, a->value);
		base_str_add(w->into, ", \"reason\": ");
		add_text(w, a->reason);
		base_str_add_char(w->into, '}');
	}
	end_list(w);
}

static void write_certificate(struct writer *w)
{
	const struct planner_certificate *c = &w->plan->certificate;

	base_str_add(w->into, ",\n\"certificate\": {\"largest_load_ppm\": ");
	base_str_add_u64(w->into, c->largest_load_ppm);
	add_number(w, "lower_bound_ppm", c->lower_bound_ppm);
	add_number(w, "integral_bound_ppm", c->integral_bound_ppm);
	add_number(w, "gap_ppm", c->gap_ppm);
	base_str_add(w->into, ", \"binding_link\": ");
	if (c->binding_hop != TOPO_NONE)
		topo_name_hop(w->p->graph, c->binding_hop, &w->name);
	add_scratch(w);
	add_number(w, "binding_phase", c->binding_phase);
	base_str_add(w->into, ", \"binding_cut\": ");
	planner_cut_text(w->p->graph, &c->cut, &w->name);
	add_scratch(w);
	add_number(w, "cut_bytes", c->cut.bytes);
	add_number(w, "cut_rate_bps", c->cut.rate_bps);
	add_number(w, "fabric_load_ppm", c->fabric_load_ppm);
	add_number(w, "fabric_bound_ppm", c->fabric_bound_ppm);
	add_number(w, "fabric_integral_bound_ppm", c->fabric_integral_bound_ppm);
	add_number(w, "qps_above_one", c->qps_above_one);
	base_str_add_char(w->into, '}');
}

static void write_gain(struct writer *w)
{
	const struct planner_gain *g = &w->plan->gain;

	if (!g->is_known)
		return;
	base_str_add(w->into, ",\n\"busbw_ppm\": {\"planned\": ");
	base_str_add_u64(w->into, g->planned_ppm);
	add_number(w, "greedy", g->greedy_ppm);
	add_number(w, "ecmp_mean", g->ecmp_mean_ppm);
	add_number(w, "ecmp_worst", g->ecmp_worst_ppm);
	add_number(w, "best_unplanned", g->best_unplanned_ppm);
	base_str_add_char(w->into, '}');
}

static void write_qps(struct writer *w, uint32_t c)
{
	base_str_add(w->into, ", \"qps\": [");
	for (uint32_t q = w->plan->conn_first[c]; q < w->plan->conn_first[c + 1]; q++) {
		const struct planner_qp *qp = &w->plan->qps[q];

		if (q > w->plan->conn_first[c])
			base_str_add(w->into, ", ");
		base_str_add(w->into, "{\"path\": ");
		topo_name_path(w->p->graph, &w->plan->hops[qp->first_hop], qp->n_hops,
			       &w->name);
		add_scratch(w);
		add_number(w, "weight_ppm", qp->weight_ppm);
		base_str_add_char(w->into, '}');
	}
	base_str_add_char(w->into, ']');
}

static void write_connections(struct writer *w)
{
	begin_list(w, "connections");
	for (uint32_t c = 0; c < w->p->n_conns; c++) {
		const struct planner_conn *conn = &w->p->conns[c];

		next_row(w);
		base_str_add(w->into, "{\"from\": ");
		add_node(w, conn->src_nic);
		base_str_add(w->into, ", \"to\": ");
		add_node(w, conn->dst_nic);
		add_number(w, "job", conn->job);
		if (conn->phase > 0)
			add_number(w, "phase", conn->phase);
		add_number(w, "bytes", conn->bytes);
		if (conn->plane != TOPO_NONE)
			add_number(w, "plane", conn->plane);
		write_qps(w, c);
		base_str_add_char(w->into, '}');
	}
	end_list(w);
}

/* Loads of links between switches: [hop, phase, ppm] a line. */
static void write_loads(struct writer *w)
{
	const struct topo_node *nodes = topo_graph_nodes(w->p->graph);
	const struct topo_link *links = topo_graph_links(w->p->graph);
	uint32_t n_hops = 2 * topo_graph_n_links(w->p->graph);
	uint64_t *loads = base_array_new(n_hops, sizeof(*loads));

	begin_list(w, "loads");
	for (uint32_t phase = 0; phase < w->p->n_phases; phase++) {
		if (!loads || planner_plan_loads(w->p, w->plan, phase, loads) < 0) {
			w->into->error = w->into->error ? w->into->error : -ENOMEM;
			break;
		}
		for (uint32_t h = 0; h < n_hops; h++) {
			if (loads[h] == 0 || nodes[links[h / 2].a].kind != TOPO_SWITCH ||
			    nodes[links[h / 2].b].kind != TOPO_SWITCH)
				continue;
			next_row(w);
			base_str_add_char(w->into, '[');
			topo_name_hop(w->p->graph, h, &w->name);
			add_scratch(w);
			base_str_add(w->into, ", ");
			base_str_add_u64(w->into, phase);
			base_str_add(w->into, ", ");
			base_str_add_u64(w->into, loads[h]);
			base_str_add_char(w->into, ']');
		}
	}
	end_list(w);
	free(loads);
}

void planner_plan_write_json(const struct planner_problem *p,
			     const struct planner_plan *plan, struct base_str *into)
{
	struct writer w = { .p = p, .plan = plan, .into = into };

	base_str_init(&w.name, 0);
	base_str_add(into, "{\"schema\": \"fairlead.plan.v1\"");
	base_str_addf(into, ",\n\"fabric_fingerprint\": \"%016llx\"",
		      (unsigned long long)topo_graph_fingerprint(p->graph));
	base_str_addf(into, ",\n\"job_fingerprint\": \"%016llx\"",
		      (unsigned long long)planner_problem_fingerprint(p));
	base_str_addf(into, ",\n\"unroutable\": %u, \"moved\": %u, \"moved_must\": %u",
		      plan->unroutable, plan->moved, plan->moved_must);
	write_certificate(&w);
	write_gain(&w);
	write_assumptions(&w);
	write_jobs(&w);
	write_connections(&w);
	write_loads(&w);
	base_str_add(into, "}\n");
	base_str_fini(&w.name);
}
