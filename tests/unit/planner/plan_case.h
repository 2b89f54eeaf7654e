/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small fabric with a problem on it, by names: h0 with h0.nic0, leaf0, spine0, core0.
 */
#pragma once
#include <unit/rows.h>
#include <gen/plans.h>
#include <stdio.h>
#include <string.h>
#include <topo/name.h>

#define CASE_RATE_BPS 100000000000u
#define CASE_BYTES 1000000u

struct plan_case {
	struct topo_graph *g;
	struct topo_names *names;
	struct planner_problem p;
};

/* Takes over @g. */
static inline void plan_case_open(struct plan_case *c, struct topo_graph *g)
{
	c->g = g;
	assert_int_equal(topo_names_new(g, &c->names), 0);
	planner_problem_init(&c->p, g);
	assert_int_equal(planner_problem_add_job(&c->p, "job", NULL), 0);
}

/* @nics on each of @leaves leaves, host by host, in each of @planes planes. */
static inline void plan_case_init(struct plan_case *c, uint32_t leaves, uint32_t nics,
				  uint32_t spines, uint32_t planes)
{
	struct topo_clos2 shape = { .leaves = leaves,
				    .nics_per_leaf = nics,
				    .spines = spines,
				    .planes = planes,
				    .nic_rate_bps = CASE_RATE_BPS };

	plan_case_open(c, gen_plans_clos2(&shape));
}

static inline void plan_case_init3(struct plan_case *c, uint32_t pods, uint32_t leaves,
				   uint32_t nics, uint32_t spines, uint32_t cores)
{
	struct topo_clos3 shape = { .pods = pods,
				    .leaves = leaves,
				    .nics_per_leaf = nics,
				    .spines = spines,
				    .cores_per_spine = cores,
				    .nic_rate_bps = CASE_RATE_BPS };

	plan_case_open(c, gen_plans_clos3(&shape));
}

static inline void plan_case_fini(struct plan_case *c)
{
	planner_problem_fini(&c->p);
	topo_names_free(c->names);
	topo_graph_free(c->g);
}

static inline uint32_t plan_case_node(const struct plan_case *c, const char *name)
{
	uint32_t node;

	assert_int_equal(topo_names_node(c->names, name, strlen(name), &node, NULL), 0);
	return node;
}

/* @from and @to: hosts with one NIC, or NICs. */
static inline struct planner_conn plan_case_ends(const struct plan_case *c,
						 const char *from, const char *to,
						 uint64_t bytes)
{
	struct planner_conn conn = { .bytes = bytes, .plane = TOPO_NONE };

	assert_int_equal(
		topo_names_nic(c->names, from, strlen(from), &conn.src_nic, NULL), 0);
	assert_int_equal(topo_names_nic(c->names, to, strlen(to), &conn.dst_nic, NULL),
			 0);
	return conn;
}

static inline void plan_case_conn(struct plan_case *c, const char *from, const char *to,
				  uint64_t bytes, uint32_t phase)
{
	struct planner_conn conn = plan_case_ends(c, from, to, bytes);

	conn.phase = phase;
	assert_int_equal(planner_problem_add_conn(&c->p, &conn, NULL), 0);
}

static inline uint32_t plan_case_link(const struct plan_case *c, const char *name)
{
	uint32_t link;

	assert_int_equal(topo_names_link(c->names, name, strlen(name), &link, NULL), 0);
	return link;
}

/* "leaf0-spine1" */
static inline void plan_case_kill(struct plan_case *c, const char *link)
{
	topo_graph_set_state(c->g, plan_case_link(c, link), TOPO_DOWN);
}

/* The path of QP @i of connection @conn, as text; borrowed until the next call. */
static inline const char *plan_case_path(const struct plan_case *c,
					 const struct planner_plan *plan, uint32_t conn,
					 uint32_t i)
{
	static char text[1024];
	const struct planner_qp *qp = &plan->qps[plan->conn_first[conn] + i];
	struct base_str s;

	assert_true(plan->conn_first[conn] + i < plan->conn_first[conn + 1]);
	base_str_init(&s, sizeof(text) - 1);
	topo_name_path(c->g, &plan->hops[qp->first_hop], qp->n_hops, &s);
	assert_int_equal(base_str_error(&s), 0);
	memcpy(text, base_str_text(&s), s.len + 1);
	base_str_fini(&s);
	return text;
}

/* Load in ppm of a hop in its phase with most: "leaf0>spine1". */
static inline uint64_t plan_case_load(const struct plan_case *c,
				      const struct planner_plan *plan, const char *from,
				      const char *to)
{
	uint32_t n_hops = 2 * topo_graph_n_links(c->g);
	uint64_t *loads = calloc(n_hops, sizeof(*loads)), load = 0;
	uint32_t a = plan_case_node(c, from), b = plan_case_node(c, to);

	assert_non_null(loads);
	assert_int_equal(planner_plan_loads(&c->p, plan, TOPO_NONE, loads), 0);
	for (uint32_t h = 0; h < n_hops; h++)
		if (topo_hop_from(topo_graph_links(c->g), h) == a &&
		    topo_hop_to(topo_graph_links(c->g), h) == b && loads[h] > load)
			load = loads[h];
	free(loads);
	return load;
}
