/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is written, byte by byte: the document, the list, the flows for ns-3.
 */
#include "plan_case.h"

/* Two hosts of one leaf; one flow within it, in two QPs. */
static struct planner_plan *open_plan(struct plan_case *c)
{
	struct planner_problem *p = &c->p;

	plan_case_init(c, 1, 2, 1, 1);
	assert_int_equal(planner_problem_assume(p, "bytes", "1 MB", "a \"guess\""), 0);
	plan_case_conn(c, "h0", "h1", CASE_BYTES + 1, 0);
	return gen_plans_solve(p, 2, true);
}

static void test_json(void **state)
{
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c);
	struct base_str text;
	const char *rest;

	(void)state;
	base_str_init(&text, 0);
	planner_plan_write_json(&c.p, plan, &text);
	assert_int_equal(base_str_error(&text), 0);
	rest = strstr(text.data, "\"unroutable\"");
	assert_non_null(rest);
	assert_string_equal(
		rest,
		"\"unroutable\": 0, \"moved\": 0, \"moved_must\": 0,\n"
		"\"certificate\": {\"largest_load_ppm\": 1000000, \"lower_bound_ppm\": "
		"1000000, \"integral_bound_ppm\": 1000000, \"gap_ppm\": 0, "
		"\"binding_link\": \"h0.nic0>leaf0\", \"binding_phase\": 0, "
		"\"binding_cut\": \"out of h0.nic0\", \"cut_bytes\": 1000001, "
		"\"cut_rate_bps\": 100000000000, \"fabric_load_ppm\": 0, "
		"\"fabric_bound_ppm\": 0, \"fabric_integral_bound_ppm\": 0, "
		"\"qps_above_one\": 0},\n"
		"\"assumptions\": [\n"
		"{\"name\": \"bytes\", \"value\": \"1 MB\", \"reason\": \"a "
		"\\\"guess\\\"\"}\n"
		"],\n"
		"\"jobs\": [\n"
		"\"job\"\n"
		"],\n"
		"\"connections\": [\n"
		"{\"from\": \"h0.nic0\", \"to\": \"h1.nic0\", \"job\": 0, \"bytes\": "
		"1000001, \"qps\": [{\"path\": \"h0.nic0 > leaf0 > h1.nic0\", "
		"\"weight_ppm\": 500000}, {\"path\": \"h0.nic0 > leaf0 > h1.nic0\", "
		"\"weight_ppm\": 500000}]}\n"
		"],\n"
		"\"loads\": []}\n");
	base_str_fini(&text);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_gain_and_moves(void **state)
{
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c);
	struct base_str text;

	(void)state;
	plan->moved = 3;
	plan->moved_must = 2;
	plan->gain = (struct planner_gain){ true, 5, 4, 3, 2, 1 };
	base_str_init(&text, 0);
	planner_plan_write_json(&c.p, plan, &text);
	assert_non_null(strstr(text.data, "\"moved\": 3, \"moved_must\": 2"));
	assert_non_null(strstr(text.data,
			       "\"busbw_ppm\": {\"planned\": 5, \"greedy\": 4, "
			       "\"ecmp_mean\": 3, \"ecmp_worst\": 2, "
			       "\"best_unplanned\": 1}"));
	base_str_fini(&text);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* What does not go without saying: phase, plane, numbers over 2^53, loads. */
static void test_optional(void **state)
{
	struct planner_conn conn;
	struct planner_plan *plan;
	struct base_str text;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 1, 1, 2);
	conn = plan_case_ends(&c, "h0", "h1", PLANNER_BYTES_MAX);
	conn.phase = 2;
	conn.plane = 1;
	assert_int_equal(planner_problem_add_conn(&c.p, &conn, NULL), 0);
	plan = gen_plans_solve(&c.p, 1, true);
	base_str_init(&text, 0);
	planner_plan_write_json(&c.p, plan, &text);
	assert_non_null(strstr(text.data, "\"phase\": 2, \"bytes\": "
					  "\"1152921504606846976\", \"plane\": 1"));
	assert_non_null(strstr(text.data, "\"cut_bytes\": \"1152921504606846976\""));
	assert_non_null(strstr(text.data, "[\"leaf2>spine1\", 2, 2000000]"));
	base_str_fini(&text);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_list(void **state)
{
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c);
	struct base_str text;

	(void)state;
	c.p.job_names[0][1] = '\t'; /* no column of its own */
	base_str_init(&text, 0);
	planner_plan_write_list(&c.p, plan, &text);
	assert_string_equal(
		base_str_text(&text),
		"source\tdestination\tqp\tpath\tweight_ppm\tconnection\tjob\t"
		"phase\n"
		"h0.nic0\th1.nic0\t0\th0.nic0 > leaf0 > h1.nic0\t500000\t0\tj b\t0\n"
		"h0.nic0\th1.nic0\t1\th0.nic0 > leaf0 > h1.nic0\t500000\t0\tj b\t0\n");
	base_str_fini(&text);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

static void test_ns3(void **state)
{
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c);
	struct base_str text;

	(void)state;
	plan->qps[0].weight_ppm = 250000;
	plan->qps[1].weight_ppm = 750000;
	base_str_init(&text, 0);
	planner_plan_write_ns3(&c.p, plan, &text);
	assert_string_equal(base_str_text(&text), "2\n"
						  "0 1 3 4791 250000 0\n"
						  "0 1 3 4791 750000 0\n");
	base_str_fini(&text);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* A text that is full says so, and is never cut in silence. */
static void test_ceiling(void **state)
{
	struct plan_case c;
	struct planner_plan *plan = open_plan(&c);
	struct base_str text;

	(void)state;
	base_str_init(&text, 100);
	planner_plan_write_json(&c.p, plan, &text);
	assert_int_equal(base_str_error(&text), -BASE_E_TOO_LARGE);
	base_str_fini(&text);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "the whole document", test_json);
	rows_add_test(&rows, "gain and moves", test_gain_and_moves);
	rows_add_test(&rows, "phase, plane, large numbers, loads", test_optional);
	rows_add_test(&rows, "a list with a QP a line", test_list);
	rows_add_test(&rows, "flows for ns-3", test_ns3);
	rows_add_test(&rows, "a ceiling on the text", test_ceiling);
	return rows_run(&rows, "planner_plan_write");
}
