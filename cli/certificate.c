/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The certificate of a plan, for programs and for people.
 */
#include "plan.h"
#include <base/num.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Two loads that differ by less are equal: both were rounded. */
#define ROUNDING_PPM 2u

static void add_ratio(struct base_str *s, uint64_t ppm)
{
	char text[BASE_NUM_TEXT_MAX];

	base_str_add(s, base_num_format_ppm(ppm, 3, text));
}

/* "leaf leaf3 out: 8 GiB over 1.6 Tbit/s" */
static void add_cut(const struct topo_graph *g, const struct planner_cut *cut,
		    struct base_str *s)
{
	char bytes[BASE_NUM_TEXT_MAX], rate[BASE_NUM_TEXT_MAX];

	planner_cut_text(g, cut, s);
	base_str_addf(s, ": %s over %s", base_num_format_size(cut->bytes, bytes),
		      base_num_format_rate(cut->rate_bps, rate));
}

bool cli_is_proved(const struct planner_plan *plan)
{
	const struct planner_certificate *c = &plan->certificate;

	return c->largest_load_ppm <= c->lower_bound_ppm + ROUNDING_PPM ||
	       (c->largest_load_ppm <= c->integral_bound_ppm + ROUNDING_PPM &&
		c->largest_load_ppm + ROUNDING_PPM >= c->integral_bound_ppm);
}

/* "1 QP", "2 equal QPs" */
static void add_qps(struct base_str *s, uint32_t qps)
{
	if (qps == 1)
		base_str_add(s, "1 QP");
	else
		base_str_addf(s, "%" PRIu32 " equal QPs", qps);
}

/* What was proved of a load: that it is least, or how near it is. */
static void add_proof(uint64_t load_ppm, uint64_t bound_ppm, uint64_t integral_ppm,
		      uint32_t qps, struct base_str *s)
{
	char text[BASE_NUM_TEXT_MAX];

	if (load_ppm <= bound_ppm + ROUNDING_PPM) {
		base_str_add(s, "proved optimal: no plan can be below ");
		add_ratio(s, bound_ppm);
		base_str_add(s, ", however finely bytes are split");
		return;
	}
	if (load_ppm > integral_ppm + ROUNDING_PPM) {
		base_num_format_ppm(cli_gain_ppm(load_ppm, integral_ppm) * 100, 1, text);
		base_str_addf(s, "not proved optimal: %s %% above the bound for ", text);
		add_qps(s, qps);
		base_str_add(s, ", ");
		add_ratio(s, integral_ppm);
	} else if (load_ppm + ROUNDING_PPM < integral_ppm) {
		base_str_add(s, "weights put it below every plan of ");
		add_qps(s, qps);
		base_str_add(s, ", which cannot be below ");
		add_ratio(s, integral_ppm);
	} else {
		base_str_add(s, "proved optimal: no plan with ");
		add_qps(s, qps);
		base_str_add(s, " for each connection can be below ");
		add_ratio(s, integral_ppm);
	}
	base_str_add(s, " (finely split bytes: ");
	add_ratio(s, bound_ppm);
	base_str_add(s, ")");
}

void cli_certificate_text(const struct topo_graph *g, const struct planner_plan *plan,
			  struct base_str *into)
{
	const struct planner_certificate *c = &plan->certificate;
	uint32_t qps = planner_plan_qps_max(plan);

	if (c->binding_hop == TOPO_NONE) {
		base_str_add(into,
			     "nothing crosses the fabric: there is nothing to prove");
		return;
	}
	base_str_add(into, "largest load ");
	add_ratio(into, c->largest_load_ppm);
	base_str_add(into, ", on ");
	topo_name_hop(g, c->binding_hop, into);
	base_str_addf(into, " in phase %" PRIu32 "\n", c->binding_phase);
	if (plan->unroutable > 0)
		base_str_add(into, "of connections with a path, ");
	add_proof(c->largest_load_ppm, c->lower_bound_ppm, c->integral_bound_ppm, qps,
		  into);
	base_str_add(into, "\nthe bound: ");
	add_cut(g, &c->cut, into);
	if (c->fabric_hop == TOPO_NONE || c->fabric_hop == c->binding_hop)
		return;
	base_str_add(into, "\nbetween switches: largest load ");
	add_ratio(into, c->fabric_load_ppm);
	base_str_add(into, ", on ");
	topo_name_hop(g, c->fabric_hop, into);
	base_str_add(into,
		     plan->unroutable > 0 ? "; of connections with a path, " : "; ");
	add_proof(c->fabric_load_ppm, c->fabric_bound_ppm, c->fabric_integral_bound_ppm,
		  qps, into);
}

/* A text made by one of the functions that add to a base_str; empty: null. */
static void show_text(struct base_out *o, const char *key, struct base_str *s)
{
	base_out_fail(o, base_str_error(s));
	if (s->len > 0)
		base_out_string(o, key, NULL, base_str_text(s));
	else
		base_out_null(o, key, NULL);
	base_str_clear(s);
}

static void show_fabric_part(const struct topo_graph *g,
			     const struct planner_certificate *c, struct base_str *s,
			     struct base_out *o)
{
	base_out_number(o, "fabric_load_ppm", NULL, c->fabric_load_ppm, BASE_OUT_ID);
	base_out_number(o, "fabric_bound_ppm", NULL, c->fabric_bound_ppm, BASE_OUT_ID);
	base_out_number(o, "fabric_integral_bound_ppm", NULL,
			c->fabric_integral_bound_ppm, BASE_OUT_ID);
	if (c->fabric_hop != TOPO_NONE) {
		topo_name_hop(g, c->fabric_hop, s);
		show_text(o, "fabric_hop", s);
		planner_cut_text(g, &c->fabric_cut, s);
		show_text(o, "fabric_cut", s);
	}
	base_out_number(o, "qps_above_one", NULL, c->qps_above_one, BASE_OUT_ID);
}

static void show_numbers(const struct topo_graph *g, const struct planner_certificate *c,
			 struct base_str *s, struct base_out *o)
{
	base_out_number(o, "largest_load_ppm", NULL, c->largest_load_ppm, BASE_OUT_ID);
	base_out_number(o, "lower_bound_ppm", NULL, c->lower_bound_ppm, BASE_OUT_ID);
	base_out_number(o, "integral_bound_ppm", NULL, c->integral_bound_ppm,
			BASE_OUT_ID);
	base_out_number(o, "gap_ppm", NULL, c->gap_ppm, BASE_OUT_ID);
	if (c->binding_hop != TOPO_NONE)
		topo_name_link(g, topo_hop_link(c->binding_hop), s);
	show_text(o, "binding_link", s);
	if (c->binding_hop != TOPO_NONE)
		topo_name_hop(g, c->binding_hop, s);
	show_text(o, "binding_hop", s);
	base_out_number(o, "binding_phase", NULL,
			c->binding_hop == TOPO_NONE ? 0 : c->binding_phase, BASE_OUT_ID);
	planner_cut_text(g, &c->cut, s);
	show_text(o, "binding_cut", s);
	base_out_number(o, "cut_bytes", NULL, c->cut.bytes, BASE_OUT_ID);
	base_out_number(o, "cut_rate_bps", NULL, c->cut.rate_bps, BASE_OUT_ID);
}

/* The second line is the verdict. */
static void tell_lines(const char *text, bool proved, struct base_out *o)
{
	for (unsigned line = 0; *text; line++) {
		size_t len = strcspn(text, "\n");

		if (line == 1)
			base_out_colour(o, proved ? BASE_OUT_GOOD : BASE_OUT_WARN);
		base_out_text(o, "%.*s", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

int cli_show_certificate(const struct topo_graph *g, const struct planner_plan *plan,
			 struct base_out *o)
{
	struct base_str s;
	int r;

	base_str_init(&s, 0);
	base_out_object_begin(o, "certificate", NULL);
	show_numbers(g, &plan->certificate, &s, o);
	show_fabric_part(g, &plan->certificate, &s, o);
	base_out_object_end(o);
	if (base_out_format(o) == BASE_OUT_TEXT) {
		cli_certificate_text(g, plan, &s);
		tell_lines(base_str_text(&s), cli_is_proved(plan), o);
	}
	r = base_str_error(&s);
	base_str_fini(&s);
	return r;
}

static void show_assumption(struct base_out *o, const char *name, const char *value,
			    const char *reason)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "name", "assumed", name);
	base_out_string(o, "value", "value", value);
	base_out_string(o, "reason", "because", reason);
	base_out_object_end(o);
}

void cli_show_assumptions(const struct planner_problem *p, struct base_out *o)
{
	size_t n = topo_graph_n_assumptions(p->graph);

	base_out_table_begin(o, "assumptions", n + p->n_assumptions > 0 ? "" : NULL);
	for (size_t i = 0; i < n; i++) {
		struct topo_assumption a = topo_graph_assumption(p->graph, i);

		show_assumption(o, a.name, a.value, a.reason);
	}
	for (uint32_t i = 0; i < p->n_assumptions; i++)
		show_assumption(o, p->assumptions[i].name, p->assumptions[i].value,
				p->assumptions[i].reason);
	base_out_table_end(o);
}
