/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What moves if a link dies: every link of a plan killed in turn, and nothing of the
 * fabric changed by asking.
 */
#include "answer.h"
#include <planner/evaluate.h>

static void death_init(struct plan_case *c, struct planner_plan **ret_plan)
{
	plan_case_init(c, 3, 2, 3, 1);
	answer_all_to_all(c);
	*ret_plan = gen_plans_solve(&c->p, 2, true);
}

static uint32_t qps_on(const struct planner_plan *plan, uint32_t link)
{
	uint32_t n = 0;

	for (uint32_t qp = 0; qp < plan->n_qps; qp++)
		n += answer_crosses(plan, qp, 2 * link) ||
		     answer_crosses(plan, qp, 2 * link + 1);
	return n;
}

/* Connections of the NIC at the end of @link; 0 for a link between switches. */
static uint32_t conns_of(const struct plan_case *c, uint32_t link)
{
	const struct topo_link *l = &topo_graph_links(c->g)[link];
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->p.n_conns; i++)
		n += c->p.conns[i].src_nic == l->a || c->p.conns[i].src_nic == l->b ||
		     c->p.conns[i].dst_nic == l->a || c->p.conns[i].dst_nic == l->b;
	return n;
}

static void check_quality(const struct plan_case *c, const struct planner_plan *plan,
			  const struct base_json *root, const char *key)
{
	struct base_json part = base_json_get(root, key);
	const struct planner_certificate *want = &plan->certificate;
	struct planner_busbw busbw;

	assert_int_equal(planner_evaluate(&c->p, plan, PLANNER_BY_WEIGHT, &busbw, NULL),
			 0);
	assert_int_equal(answer_number(&part, "largest_load_ppm"),
			 want->largest_load_ppm);
	assert_int_equal(answer_number(&part, "lower_bound_ppm"), want->lower_bound_ppm);
	assert_int_equal(answer_number(&part, "integral_bound_ppm"),
			 want->integral_bound_ppm);
	assert_int_equal(answer_number(&part, "busbw_mean_ppm"), busbw.mean_ppm);
	assert_int_equal(answer_number(&part, "busbw_worst_ppm"), busbw.worst_ppm);
}

/* The rows are the QPs on another path than before, none of them over the dead link. */
static void check_moves(const struct plan_case *c, const struct planner_plan *plan,
			const struct base_json *root, uint32_t link)
{
	struct base_json rows = base_json_get(root, "moves");

	assert_int_equal(base_json_size(&rows),
			 answer_number(root, "moved_must") +
				 answer_number(root, "moved_others"));
	for (size_t i = 0; i < base_json_size(&rows); i++) {
		struct base_json row = base_json_at(&rows, i);
		uint32_t conn = (uint32_t)answer_number(&row, "connection");
		uint32_t qp = (uint32_t)answer_number(&row, "qp"), *hops;
		const char *path = answer_text(&row, "path");
		size_t n;

		assert_string_not_equal(path, plan_case_path(c, plan, conn, qp));
		assert_int_equal(
			topo_names_path(c->names, path, strlen(path), &hops, &n, NULL),
			0);
		for (size_t h = 0; h < n; h++)
			assert_int_not_equal(topo_hop_link(hops[h]), link);
		free(hops);
	}
}

static void ask(struct answer *a, const struct plan_case *c,
		const struct planner_plan *plan, uint32_t link)
{
	answer_open(a, BASE_OUT_JSON);
	assert_int_equal(planner_explain_death(&c->p, plan, c->g, link, a->out), 0);
	answer_close(a);
}

static void test_every_link_dies(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	death_init(&c, &plan);
	for (uint32_t link = 0; link < topo_graph_n_links(c.g); link++) {
		uint64_t before = topo_graph_fingerprint(c.g);
		bool is_fabric = gen_plans_is_fabric(c.g, link);
		struct answer a;

		ask(&a, &c, plan, link);
		assert_int_equal(topo_graph_links(c.g)[link].state, TOPO_UP);
		assert_true(topo_graph_fingerprint(c.g) == before);
		assert_int_equal(plan_case_link(&c, answer_text(&a.root, "link")), link);
		/* Of a dead NIC the QPs have nowhere to go. */
		assert_int_equal(answer_number(&a.root, "moved_must"),
				 is_fabric ? qps_on(plan, link) : 0);
		assert_int_equal(answer_number(&a.root, "unroutable"),
				 is_fabric ? 0 : conns_of(&c, link));
		check_quality(&c, plan, &a.root, "before");
		check_moves(&c, plan, &a.root, link);
		answer_fini(&a);
	}
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* After: what a replan on the fabric without the link says. */
static void test_after(void **state)
{
	const struct planner_replan_options options = { .moves_max = UINT32_MAX };
	struct planner_plan *plan, *after;
	struct plan_case c;
	struct answer a;
	uint32_t link;

	(void)state;
	death_init(&c, &plan);
	link = plan_case_link(&c, "leaf1-spine2");
	ask(&a, &c, plan, link);
	plan_case_kill(&c, "leaf1-spine2");
	assert_int_equal(planner_replan(&c.p, &c.p, plan, &options, &after, NULL), 0);
	check_quality(&c, after, &a.root, "after");
	answer_fini(&a);
	planner_plan_free(after);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* A dead link that is asked about stays dead, and nothing moves. */
static void test_dead_already(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;
	struct answer a;
	uint32_t link;

	(void)state;
	plan_case_init(&c, 2, 2, 2, 1);
	plan_case_kill(&c, "leaf0-spine0");
	plan_case_conn(&c, "h0", "h2", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h3", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	link = plan_case_link(&c, "leaf0-spine0");
	ask(&a, &c, plan, link);
	assert_int_equal(topo_graph_links(c.g)[link].state, TOPO_DOWN);
	assert_int_equal(answer_number(&a.root, "moved_must"), 0);
	assert_int_equal(answer_number(&a.root, "moved_others"), 0);
	answer_fini(&a);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_text(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;
	struct answer a;

	(void)state;
	plan_case_init(&c, 2, 1, 2, 1);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	answer_open(&a, BASE_OUT_TEXT);
	assert_int_equal(planner_explain_death(&c.p, plan, c.g,
					       topo_hop_link(plan->hops[1]), a.out),
			 0);
	answer_close(&a);
	assert_true(answer_says(&a, "QPs that must move:          1\n"
				    "others that would move:      0\n"
				    "connections without a path:  0\n"));
	assert_true(answer_says(&a, "\nbefore\n  largest load:"));
	assert_true(answer_says(&a, "\nafter\n  largest load:"));
	assert_true(answer_says(&a, "\nQPs that would move\n"));
	answer_fini(&a);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_not_there(void **state)
{
	struct planner_plan *plan;
	struct plan_case c, other;
	struct answer a;

	(void)state;
	death_init(&c, &plan);
	plan_case_init(&other, 2, 1, 1, 1);
	answer_open(&a, BASE_OUT_JSON);
	assert_int_equal(
		planner_explain_death(&c.p, plan, c.g, topo_graph_n_links(c.g), a.out),
		-EINVAL);
	assert_int_equal(planner_explain_death(&c.p, plan, other.g, 0, a.out), -EINVAL);
	answer_close(&a);
	assert_int_equal(base_json_size(&a.root), 0);
	answer_fini(&a);
	planner_plan_free(plan);
	plan_case_fini(&other);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "every link dies once", test_every_link_dies);
	rows_add_test(&rows, "what the plan is worth after it", test_after);
	rows_add_test(&rows, "a link that is dead already", test_dead_already);
	rows_add_test(&rows, "as text", test_text);
	rows_add_test(&rows, "no such link, another fabric", test_not_there);
	return rows_run(&rows, "planner_explain_death");
}
