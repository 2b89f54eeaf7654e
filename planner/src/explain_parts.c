/* SPDX-License-Identifier: Apache-2.0 */
#include "explain_private.h"

void explain_node(struct base_out *out, const char *key, const char *label,
		  const struct topo_graph *g, uint32_t node)
{
	struct base_str name;

	base_str_init(&name, 0);
	topo_name_node(g, node, &name);
	base_out_str(out, key, label, &name);
	base_str_fini(&name);
}

void explain_hop(struct base_out *out, const char *key, const char *label,
		 const struct topo_graph *g, uint32_t hop)
{
	struct base_str name;

	base_str_init(&name, 0);
	topo_name_hop(g, hop, &name);
	base_out_str(out, key, label, &name);
	base_str_fini(&name);
}

void explain_path(struct base_out *out, const char *key, const char *label,
		  const struct topo_graph *g, const uint32_t *hops, uint32_t n)
{
	struct base_str name;

	base_str_init(&name, 0);
	topo_name_path(g, hops, n, &name);
	base_out_str(out, key, label, &name);
	base_str_fini(&name);
}

void explain_conn(struct base_out *out, const struct planner_problem *p, uint32_t conn)
{
	const struct planner_conn *c = &p->conns[conn];

	explain_node(out, "from", "from", p->graph, c->src_nic);
	explain_node(out, "to", "to", p->graph, c->dst_nic);
	base_out_string(out, "job", "job", p->job_names[c->job]);
	base_out_number(out, "phase", "phase", c->phase, BASE_OUT_ID);
}

void explain_state(struct base_out *out, const struct topo_graph *g, uint32_t link)
{
	bool is_up = topo_graph_links(g)[link].state == TOPO_UP;

	base_out_string(out, "state", "state", is_up ? "up" : "down");
}

void explain_quality(struct base_out *out, const char *key, const char *label,
		     const struct planner_certificate *c,
		     const struct planner_busbw *busbw)
{
	base_out_object_begin(out, key, label);
	base_out_number(out, "largest_load_ppm", "largest load", c->largest_load_ppm,
			BASE_OUT_RATIO_PPM);
	base_out_number(out, "lower_bound_ppm", "lower bound", c->lower_bound_ppm,
			BASE_OUT_RATIO_PPM);
	base_out_number(out, "integral_bound_ppm", "bound for whole QPs",
			c->integral_bound_ppm, BASE_OUT_RATIO_PPM);
	base_out_number(out, "qps_above_one", "QPs on links above 1", c->qps_above_one,
			BASE_OUT_COUNT);
	base_out_number(out, "qps_on_dead_links", "QPs on links that are down",
			c->qps_on_dead_links, BASE_OUT_COUNT);
	base_out_number(out, "busbw_mean_ppm", "bus bandwidth, mean of jobs",
			busbw->mean_ppm, BASE_OUT_PERCENT_PPM);
	base_out_number(out, "busbw_worst_ppm", "bus bandwidth, worst job",
			busbw->worst_ppm, BASE_OUT_PERCENT_PPM);
	base_out_object_end(out);
}
