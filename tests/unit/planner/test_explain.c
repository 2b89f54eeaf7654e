/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a QP is on its path: every number of the answer against sums over the plan.
 */
#include "answer.h"
#include <topo/path.h>

#define QPS 2u

struct explained {
	struct plan_case c;
	struct planner_plan *plan;
	uint64_t *loads_ppm; /* [hop] of the phase asked about */
	double reference_s;
};

static void explained_init(struct explained *x)
{
	plan_case_init(&x->c, 4, 2, 3, 1);
	answer_all_to_all(&x->c);
	x->plan = gen_plans_solve(&x->c.p, QPS, true);
	x->reference_s = gen_plans_reference_s(&x->c.p);
	x->loads_ppm = calloc((size_t)topo_graph_n_links(x->c.g) * 2, sizeof(uint64_t));
	assert_non_null(x->loads_ppm);
}

static void explained_fini(struct explained *x)
{
	free(x->loads_ppm);
	planner_plan_free(x->plan);
	plan_case_fini(&x->c);
}

static void take_loads(struct explained *x, uint32_t conn)
{
	assert_int_equal(planner_plan_loads(&x->c.p, x->plan, x->c.p.conns[conn].phase,
					    x->loads_ppm),
			 0);
}

static bool is_near(uint64_t a, uint64_t b)
{
	return a > b ? a - b <= 1 : b - a <= 1;
}

/* Loads, own part and count of each hop. */
static void check_hops(const struct explained *x, const struct base_json *root,
		       uint32_t conn, uint32_t qp)
{
	const struct planner_qp *q = &x->plan->qps[qp];
	struct base_json hops = base_json_get(root, "hops");

	assert_int_equal(base_json_size(&hops), q->n_hops);
	for (uint32_t h = 0; h < q->n_hops; h++) {
		struct base_json row = base_json_at(&hops, h);
		uint32_t hop = x->plan->hops[q->first_hop + h], n = 0;
		double rate_bps =
			(double)topo_graph_links(x->c.g)[topo_hop_link(hop)].rate_bps;
		double own = (double)x->c.p.conns[conn].bytes * q->weight_ppm * 8 /
			     (rate_bps * x->reference_s);

		for (uint32_t i = 0; i < x->plan->n_qps; i++)
			n += x->c.p.conns[answer_conn_of(x->plan, i)].phase ==
				     x->c.p.conns[conn].phase &&
			     answer_crosses(x->plan, i, hop);
		answer_same_name(x->c.g, hop, answer_text(&row, "hop"));
		assert_int_equal(answer_number(&row, "load_ppm"), x->loads_ppm[hop]);
		assert_true(is_near(answer_number(&row, "own_ppm"), (uint64_t)own));
		assert_int_equal(answer_number(&row, "qps"), n);
	}
}

/* Moves the QP there and looks at what its path then carries. */
static void check_moved(struct explained *x, const struct base_json *row,
			struct topo_paths *paths, uint32_t conn, uint32_t qp)
{
	const struct planner_qp *q = &x->plan->qps[qp];
	uint32_t own[TOPO_PATH_HOPS_MAX], *hops = &x->plan->hops[q->first_hop];
	uint64_t all = 0, fabric = 0;

	memcpy(own, hops, q->n_hops * sizeof(*own));
	assert_int_equal(topo_paths_get(paths, x->c.p.conns[conn].src_nic,
					answer_number(row, "path"), hops),
			 q->n_hops);
	assert_string_equal(
		answer_text(row, "hops"),
		plan_case_path(&x->c, x->plan, conn, qp - x->plan->conn_first[conn]));
	take_loads(x, conn);
	for (uint32_t h = 0; h < q->n_hops; h++) {
		uint64_t load = x->loads_ppm[hops[h]];

		all = load > all ? load : all;
		if (gen_plans_is_fabric(x->c.g, topo_hop_link(hops[h])) && load > fabric)
			fabric = load;
	}
	assert_true(is_near(answer_number(row, "largest_load_ppm"), all));
	assert_true(is_near(answer_number(row, "fabric_load_ppm"), fabric));
	memcpy(hops, own, q->n_hops * sizeof(*own));
	take_loads(x, conn);
}

static void check_alternatives(struct explained *x, const struct base_json *root,
			       struct topo_paths *paths, uint32_t conn, uint32_t qp)
{
	struct base_json rows = base_json_get(root, "alternatives");
	uint64_t all = 0, fabric = 0, n;

	assert_int_equal(topo_paths_aim(paths, x->c.p.conns[conn].dst_nic, 0), 0);
	n = topo_paths_count(paths, x->c.p.conns[conn].src_nic);
	assert_int_equal(answer_number(root, "equal_cost_paths"), n);
	assert_int_equal(base_json_size(&rows), n - 1);
	for (size_t i = 0; i < base_json_size(&rows); i++) {
		struct base_json row = base_json_at(&rows, i);

		assert_string_not_equal(answer_text(&row, "hops"),
					answer_text(root, "path"));
		check_moved(x, &row, paths, conn, qp);
		assert_true(answer_number(&row, "largest_load_ppm") >= all);
		if (answer_number(&row, "largest_load_ppm") == all)
			assert_true(answer_number(&row, "fabric_load_ppm") >= fabric);
		all = answer_number(&row, "largest_load_ppm");
		fabric = answer_number(&row, "fabric_load_ppm");
	}
}

/* Links that both QPs cross, in the same direction. */
static uint32_t n_shared(const struct planner_plan *plan, uint32_t a, uint32_t b)
{
	uint32_t n = 0;

	for (uint32_t h = 0; h < plan->qps[a].n_hops; h++)
		n += answer_crosses(plan, b, plan->hops[plan->qps[a].first_hop + h]);
	return n;
}

static void check_sharing(const struct explained *x, const struct base_json *root,
			  uint32_t conn, uint32_t qp)
{
	struct base_json rows = base_json_get(root, "sharing");
	uint64_t n = 0, before = UINT64_MAX;

	for (uint32_t i = 0; i < x->plan->n_qps; i++)
		n += i != qp &&
		     x->c.p.conns[answer_conn_of(x->plan, i)].phase ==
			     x->c.p.conns[conn].phase &&
		     n_shared(x->plan, qp, i) > 0;
	assert_int_equal(answer_number(root, "sharing_qps"), n);
	assert_int_equal(base_json_size(&rows), n < 20 ? n : 20);
	for (size_t i = 0; i < base_json_size(&rows); i++) {
		struct base_json row = base_json_at(&rows, i);
		uint32_t c = (uint32_t)answer_number(&row, "connection");
		uint32_t other =
			x->plan->conn_first[c] + (uint32_t)answer_number(&row, "qp");

		assert_int_not_equal(other, qp);
		assert_int_equal(answer_number(&row, "links"),
				 n_shared(x->plan, qp, other));
		assert_true(answer_number(&row, "links") <= before);
		before = answer_number(&row, "links");
	}
}

static void test_every_qp_adds_up(void **state)
{
	struct topo_paths *paths;
	struct explained x;

	(void)state;
	explained_init(&x);
	assert_int_equal(topo_paths_new(x.c.g, &paths), 0);
	for (uint32_t qp = 0; qp < x.plan->n_qps; qp++) {
		uint32_t conn = answer_conn_of(x.plan, qp);
		struct answer a;

		answer_open(&a, BASE_OUT_JSON);
		assert_int_equal(planner_explain_qp(&x.c.p, x.plan, conn,
						    qp - x.plan->conn_first[conn], 1000,
						    a.out),
				 0);
		answer_close(&a);
		take_loads(&x, conn);
		assert_int_equal(answer_number(&a.root, "connection"), conn);
		assert_int_equal(answer_number(&a.root, "bytes"),
				 x.c.p.conns[conn].bytes);
		assert_int_equal(answer_number(&a.root, "weight_ppm"),
				 x.plan->qps[qp].weight_ppm);
		check_hops(&x, &a.root, conn, qp);
		check_alternatives(&x, &a.root, paths, conn, qp);
		check_sharing(&x, &a.root, conn, qp);
		answer_fini(&a);
	}
	topo_paths_free(paths);
	explained_fini(&x);
}

/* Two leaves, h0 and h1 on one and h2 and h3 on the other: four flows over there, on the
 * spines given. */
struct why_case {
	const char *name;
	uint32_t spines;
	uint32_t taken[2]; /* by the flows of h0 and h1 */
	uint64_t bytes[2];
	const char *why;
};

static struct why_case why_cases[] = {
	{ "the only path", 1, { 0, 0 }, { 1, 1 }, "It is the only equal-cost path." },
	{ "elsewhere is another flow",
	  2,
	  { 0, 1 },
	  { 1, 1 },
	  "Its busiest link carries 1.000; on every other path the busiest would carry "
	  "2.000 or more." },
	{ "elsewhere is room",
	  2,
	  { 0, 0 },
	  { 1, 1 },
	  "Alone it would do better on path 1 (largest load 1.000, here 2.000): other "
	  "QPs "
	  "need what it would take there, or the plan is not tight here." },
	{ "elsewhere is as much room",
	  3,
	  { 0, 1 },
	  { 1, 1 },
	  "Its busiest link between switches carries 1.000; no other path does better." },
};

static void check_why(const struct plan_case *c, const struct planner_plan *plan,
		      const char *why)
{
	struct answer a;

	answer_open(&a, BASE_OUT_TEXT);
	assert_int_equal(planner_explain_qp(&c->p, plan, 0, 0, 8, a.out), 0);
	answer_close(&a);
	assert_true(answer_says(&a, why));
	answer_fini(&a);
}

/* Puts the flow of @conn on @spine. */
static void put(const struct plan_case *c, struct planner_plan *plan, uint32_t conn,
		uint32_t spine)
{
	uint32_t *hops = &plan->hops[plan->qps[plan->conn_first[conn]].first_hop];
	char link[40];

	snprintf(link, sizeof(link), "leaf0-spine%u", spine);
	hops[1] = 2 * plan_case_link(c, link);
	snprintf(link, sizeof(link), "leaf1-spine%u", spine);
	hops[2] = 2 * plan_case_link(c, link) + 1;
}

static void test_why(void **state)
{
	const struct why_case *w = *state;
	struct planner_plan *plan;
	struct plan_case c;

	plan_case_init(&c, 2, 2, w->spines, 1);
	plan_case_conn(&c, "h0", "h2", w->bytes[0] * CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h3", w->bytes[1] * CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	put(&c, plan, 0, w->taken[0]);
	put(&c, plan, 1, w->taken[1]);
	assert_int_equal(planner_plan_check(&c.p, plan, NULL), 0);
	check_why(&c, plan, w->why);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* The busiest link is the NIC's either way: what counts is between switches. */
static void test_why_between_switches(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 3, 2, 1);
	plan_case_conn(&c, "h0", "h3", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h4", CASE_BYTES, 0);
	plan_case_conn(&c, "h0", "h2", UINT64_C(3) * CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	put(&c, plan, 0, 0);
	put(&c, plan, 1, 1);
	check_why(&c, plan,
		  "Its busiest link between switches carries 0.250; on every other path "
		  "that would be 0.500 or more.");
	put(&c, plan, 1, 0);
	check_why(
		&c, plan,
		"Between switches it would do better on path 1 (0.250, here 0.500); its "
		"largest load stays 1.000.");
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_one_leaf(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 2, 1);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	check_why(&c, plan, "Both NICs are on one leaf: there is nothing to choose.");
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* Dead comes before all else that could be said of a path, and of one leaf too. */
static void test_dead_path(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 2, 1);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	topo_graph_set_state(c.g, topo_hop_link(plan->hops[1]), TOPO_DOWN);
	check_why(&c, plan,
		  "Its path is dead: h1.nic0-leaf0 is down; replan with --replan-from.");
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_alternatives_are_cut(void **state)
{
	struct answer a;
	struct explained x;
	struct base_json rows;

	(void)state;
	explained_init(&x);
	for (uint32_t max = 0; max <= 2; max++) {
		uint32_t conn = 0;

		while (x.plan->qps[x.plan->conn_first[conn]].n_hops == 2)
			conn++;
		answer_open(&a, BASE_OUT_JSON);
		assert_int_equal(planner_explain_qp(&x.c.p, x.plan, conn, 0, max, a.out),
				 0);
		answer_close(&a);
		rows = base_json_get(&a.root, "alternatives");
		assert_int_equal(base_json_size(&rows), max);
		assert_int_equal(answer_number(&a.root, "equal_cost_paths"), 3);
		answer_fini(&a);
	}
	explained_fini(&x);
}

/* Nothing is said then. */
static void test_not_there(void **state)
{
	struct explained x;
	struct answer a;

	(void)state;
	explained_init(&x);
	answer_open(&a, BASE_OUT_JSON);
	assert_int_equal(planner_explain_qp(&x.c.p, x.plan, x.plan->n_conns, 0, 8, a.out),
			 -EINVAL);
	assert_int_equal(planner_explain_qp(&x.c.p, x.plan, 0, QPS, 8, a.out), -EINVAL);
	answer_close(&a);
	assert_int_equal(base_json_size(&a.root), 0);
	answer_fini(&a);
	explained_fini(&x);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "every QP adds up", test_every_qp_adds_up);
	ROWS_ADD(&rows, test_why, why_cases);
	rows_add_test(&rows, "the busiest link is the NIC's", test_why_between_switches);
	rows_add_test(&rows, "both ends on one leaf", test_one_leaf);
	rows_add_test(&rows, "a path that is dead", test_dead_path);
	rows_add_test(&rows, "no more paths than asked for", test_alternatives_are_cut);
	rows_add_test(&rows, "no such connection or QP", test_not_there);
	return rows_run(&rows, "planner_explain_qp");
}
