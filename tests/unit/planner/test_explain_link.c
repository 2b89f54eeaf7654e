/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What crosses a link: every link of a plan, each direction added up again.
 */
#include "answer.h"

static uint64_t expected_bytes(const struct planner_problem *p,
			       const struct planner_plan *plan, uint32_t qp)
{
	uint32_t conn = answer_conn_of(plan, qp);

	return p->conns[conn].bytes * plan->qps[qp].weight_ppm / 1000000;
}

/* The rows are exactly the QPs of the plan that cross @hop, in order; returns how many
 * are of @phase. */
static uint32_t check_qps(const struct plan_case *c, const struct planner_plan *plan,
			  const struct base_json *rows, uint32_t hop, uint32_t phase)
{
	uint32_t n = 0, of_phase = 0;

	for (uint32_t qp = 0; qp < plan->n_qps; qp++) {
		uint32_t conn = answer_conn_of(plan, qp);
		struct base_json row;

		if (!answer_crosses(plan, qp, hop))
			continue;
		row = base_json_at(rows, n++);
		assert_int_equal(answer_number(&row, "connection"), conn);
		assert_int_equal(answer_number(&row, "qp"), qp - plan->conn_first[conn]);
		assert_int_equal(answer_number(&row, "phase"), c->p.conns[conn].phase);
		assert_int_equal(answer_number(&row, "bytes"),
				 expected_bytes(&c->p, plan, qp));
		of_phase += c->p.conns[conn].phase == phase;
	}
	assert_int_equal(base_json_size(rows), n);
	return of_phase;
}

static uint64_t sum_of(const struct base_json *rows, uint32_t phase)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < base_json_size(rows); i++) {
		struct base_json row = base_json_at(rows, i);

		if (answer_number(&row, "phase") == phase)
			sum += answer_number(&row, "load_ppm");
	}
	return sum;
}

static void check_direction(const struct plan_case *c, const struct planner_plan *plan,
			    const struct base_json *root, uint32_t hop,
			    const uint64_t *const loads_ppm[2])
{
	struct base_json way = base_json_get(root, hop % 2 ? "backward" : "forward");
	struct base_json rows = base_json_get(&way, "qps");
	struct base_json loads = base_json_get(&way, "loads");
	size_t seen = 0;

	for (uint32_t phase = 0; phase < 2; phase++) {
		uint32_t n = check_qps(c, plan, &rows, hop, phase);
		struct base_json load;
		uint64_t sum;

		if (n == 0) {
			assert_int_equal(loads_ppm[phase][hop], 0);
			continue;
		}
		load = base_json_at(&loads, seen++);
		assert_int_equal(answer_number(&load, "phase"), phase);
		assert_int_equal(answer_number(&load, "qps"), n);
		assert_int_equal(answer_number(&load, "load_ppm"), loads_ppm[phase][hop]);
		sum = sum_of(&rows, phase); /* each row is rounded */
		assert_true(sum + n >= loads_ppm[phase][hop] &&
			    sum <= loads_ppm[phase][hop] + n);
	}
	assert_int_equal(base_json_size(&loads), seen);
}

static void test_every_link_adds_up(void **state)
{
	uint64_t *loads_ppm[2];
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 3, 2, 2, 2);
	answer_all_to_all(&c);
	plan = gen_plans_solve(&c.p, 2, true);
	for (uint32_t phase = 0; phase < 2; phase++) {
		loads_ppm[phase] =
			calloc((size_t)topo_graph_n_links(c.g) * 2, sizeof(uint64_t));
		assert_non_null(loads_ppm[phase]);
		assert_int_equal(planner_plan_loads(&c.p, plan, phase, loads_ppm[phase]),
				 0);
	}
	for (uint32_t link = 0; link < topo_graph_n_links(c.g); link++) {
		const uint64_t *const loads[] = { loads_ppm[0], loads_ppm[1] };
		struct answer a;

		answer_open(&a, BASE_OUT_JSON);
		assert_int_equal(planner_explain_link(&c.p, plan, link, a.out), 0);
		answer_close(&a);
		assert_int_equal(plan_case_link(&c, answer_text(&a.root, "link")), link);
		assert_int_equal(answer_number(&a.root, "rate_bps"), CASE_RATE_BPS);
		check_direction(&c, plan, &a.root, 2 * link, loads);
		check_direction(&c, plan, &a.root, 2 * link + 1, loads);
		answer_fini(&a);
	}
	free(loads_ppm[0]);
	free(loads_ppm[1]);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_text(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;
	struct answer a;

	(void)state;
	plan_case_init(&c, 2, 1, 1, 1);
	plan_case_conn(&c, "h0", "h1", UINT64_C(2) * CASE_BYTES, 0);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 1);
	plan = gen_plans_solve(&c.p, 1, true);
	answer_open(&a, BASE_OUT_TEXT);
	assert_int_equal(planner_explain_link(&c.p, plan,
					      plan_case_link(&c, "leaf0-spine0"), a.out),
			 0);
	answer_close(&a);
	assert_string_equal(
		base_str_text(&a.text),
		"link:   leaf0-spine0\n"
		"rate:   100 Gbit/s\n"
		"state:  up\n"
		"\n"
		"leaf0>spine0\n"
		"  load by phase\n"
		"    phase   load  QPs\n"
		"        0  1.000    1\n"
		"        1  0.500    1\n"
		"\n"
		"  QPs that cross it\n"
		"    connection  QP  from     to       job  phase  bytes   load\n"
		"             0   0  h0.nic0  h1.nic0  job      0   2 MB  1.000\n"
		"             1   0  h0.nic0  h1.nic0  job      1   1 MB  0.500\n"
		"\n"
		"spine0>leaf0\n"
		"  load by phase\n"
		"    none\n"
		"\n"
		"  QPs that cross it\n"
		"    none\n");
	answer_fini(&a);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_not_there(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;
	struct answer a;

	(void)state;
	plan_case_init(&c, 2, 1, 1, 1);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	answer_open(&a, BASE_OUT_JSON);
	assert_int_equal(planner_explain_link(&c.p, plan, topo_graph_n_links(c.g), a.out),
			 -EINVAL);
	answer_close(&a);
	assert_int_equal(base_json_size(&a.root), 0);
	answer_fini(&a);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "every link adds up", test_every_link_adds_up);
	rows_add_test(&rows, "as text", test_text);
	rows_add_test(&rows, "no such link", test_not_there);
	return rows_run(&rows, "planner_explain_link");
}
