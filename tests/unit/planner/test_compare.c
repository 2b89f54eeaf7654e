/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two plans side by side: what differs is what was made to differ, and counts are the
 * rows.
 */
#include "answer.h"

struct pair {
	struct plan_case c;
	struct planner_plan *plans[2];
};

/* The same plan twice: a flow on a spine of its own for each NIC of leaf 0, and one that
 * stays on its leaf. */
static void pair_init(struct pair *x, uint32_t qps)
{
	plan_case_init(&x->c, 2, 3, 4, 1);
	plan_case_conn(&x->c, "h0", "h3", CASE_BYTES, 0);
	plan_case_conn(&x->c, "h1", "h4", CASE_BYTES, 0);
	plan_case_conn(&x->c, "h2", "h1", CASE_BYTES, 1);
	for (size_t i = 0; i < 2; i++)
		x->plans[i] = gen_plans_solve(&x->c.p, qps, true);
}

static void pair_fini(struct pair *x)
{
	planner_plan_free(x->plans[0]);
	planner_plan_free(x->plans[1]);
	plan_case_fini(&x->c);
}

/* Checks that the counts are those of the rows; returns their sum. */
static uint64_t check_counts(const struct answer *a)
{
	static const struct {
		const char *count, *what;
	} kinds[] = { { "added", "added" },
		      { "gone", "gone" },
		      { "moved", "moved" },
		      { "reweighed", "weight changed" } };
	struct base_json rows = base_json_get(&a->root, "differences");
	uint64_t sum = 0;

	for (size_t k = 0; k < BASE_COUNT(kinds); k++) {
		uint64_t n = 0;

		for (size_t i = 0; i < base_json_size(&rows); i++) {
			struct base_json row = base_json_at(&rows, i);

			n += strcmp(answer_text(&row, "what"), kinds[k].what) == 0;
		}
		assert_int_equal(answer_number(&a->root, kinds[k].count), n);
		sum += n;
	}
	assert_int_equal(base_json_size(&rows), sum);
	return sum;
}

/* Compares, checks the counts, and returns the differences. */
static int compare(struct answer *a, const struct planner_problem *old_p,
		   const struct planner_plan *old_plan,
		   const struct planner_problem *new_p,
		   const struct planner_plan *new_plan)
{
	int n;

	answer_open(a, BASE_OUT_JSON);
	n = planner_compare(old_p, old_plan, new_p, new_plan, UINT32_MAX, a->out);
	answer_close(a);
	assert_true(n >= 0);
	assert_int_equal(check_counts(a), n);
	return n;
}

static void test_same(void **state)
{
	struct answer a;
	struct pair x;

	(void)state;
	pair_init(&x, 2);
	assert_int_equal(compare(&a, &x.c.p, x.plans[0], &x.c.p, x.plans[0]), 0);
	answer_fini(&a);
	assert_int_equal(compare(&a, &x.c.p, x.plans[0], &x.c.p, x.plans[1]), 0);
	answer_fini(&a);
	pair_fini(&x);
}

static void check_row(const struct answer *a, size_t i, const char *what, uint64_t conn,
		      uint64_t qp, const char *path)
{
	struct base_json rows = base_json_get(&a->root, "differences");
	struct base_json row = base_json_at(&rows, i);

	assert_string_equal(answer_text(&row, "what"), what);
	assert_int_equal(answer_number(&row, "connection"), conn);
	assert_int_equal(answer_number(&row, "qp"), qp);
	assert_string_equal(answer_text(&row, "path"), path);
}

static void test_moved(void **state)
{
	uint32_t *hops;
	struct answer a;
	struct pair x;

	(void)state;
	pair_init(&x, 1);
	hops = &x.plans[1]->hops[x.plans[1]->qps[x.plans[1]->conn_first[1]].first_hop];
	hops[1] = 2 * plan_case_link(&x.c, "leaf0-spine3");
	hops[2] = 2 * plan_case_link(&x.c, "leaf1-spine3") + 1;
	assert_int_equal(compare(&a, &x.c.p, x.plans[0], &x.c.p, x.plans[1]), 1);
	check_row(&a, 0, "moved", 1, 0, "h1.nic0 > leaf0 > spine3 > leaf1 > h4.nic0");
	answer_fini(&a);
	pair_fini(&x);
}

static void test_reweighed(void **state)
{
	struct answer a;
	struct pair x;

	(void)state;
	pair_init(&x, 2);
	x.plans[1]->qps[0].weight_ppm += 1000;
	x.plans[1]->qps[1].weight_ppm -= 1000;
	assert_int_equal(compare(&a, &x.c.p, x.plans[0], &x.c.p, x.plans[1]), 2);
	assert_int_equal(answer_number(&a.root, "reweighed"), 2);
	answer_fini(&a);
	pair_fini(&x);
}

/* Half as many QPs: one of each connection is gone, the other carries twice as much. */
static void test_fewer_qps(void **state)
{
	struct planner_plan *one;
	struct answer a;
	struct pair x;

	(void)state;
	pair_init(&x, 2);
	one = gen_plans_solve(&x.c.p, 1, true);
	compare(&a, &x.c.p, x.plans[0], &x.c.p, one);
	assert_int_equal(answer_number(&a.root, "gone"), 3);
	assert_int_equal(
		answer_number(&a.root, "moved") + answer_number(&a.root, "reweighed"), 3);
	answer_fini(&a);
	compare(&a, &x.c.p, one, &x.c.p, x.plans[0]);
	assert_int_equal(answer_number(&a.root, "added"), 3);
	answer_fini(&a);
	planner_plan_free(one);
	pair_fini(&x);
}

/* h1 > h4 has ended, h5 > h0 has begun. */
static void test_connections(void **state)
{
	struct planner_problem old_p;
	struct planner_conn conn;
	struct planner_plan *old_plan;
	struct answer a;
	struct pair x;

	(void)state;
	pair_init(&x, 1);
	planner_problem_init(&old_p, x.c.g);
	assert_int_equal(planner_problem_add_job(&old_p, "job", NULL), 0);
	for (uint32_t i = 0; i < 3; i++) {
		conn = i == 1 ? plan_case_ends(&x.c, "h5", "h0", CASE_BYTES)
			      : x.c.p.conns[i];
		assert_int_equal(planner_problem_add_conn(&old_p, &conn, NULL), 0);
	}
	old_plan = gen_plans_solve(&old_p, 1, true);
	compare(&a, &old_p, old_plan, &x.c.p, x.plans[0]);
	assert_int_equal(answer_number(&a.root, "added"), 1);
	assert_int_equal(answer_number(&a.root, "gone"), 1);
	answer_fini(&a);
	planner_plan_free(old_plan);
	planner_problem_fini(&old_p);
	pair_fini(&x);
}

/* Rows are cut, counts are not. */
static void test_limit(void **state)
{
	struct planner_plan *one;
	struct answer a;
	struct pair x;
	int n;

	(void)state;
	pair_init(&x, 2);
	one = gen_plans_solve(&x.c.p, 1, true);
	answer_open(&a, BASE_OUT_TEXT);
	n = planner_compare(&x.c.p, x.plans[0], &x.c.p, one, 2, a.out);
	answer_close(&a);
	assert_int_equal(n, 6);
	assert_true(answer_says(&a, "(4 more)"));
	assert_true(answer_says(&a, "QPs gone:         3\n"));
	answer_fini(&a);
	answer_open(&a, BASE_OUT_TEXT);
	n = planner_compare(&x.c.p, x.plans[0], &x.c.p, one, 6, a.out);
	answer_close(&a);
	assert_int_equal(n, 6);
	assert_false(answer_says(&a, " more)"));
	answer_fini(&a);
	planner_plan_free(one);
	pair_fini(&x);
}

static void test_quality(void **state)
{
	struct base_json part;
	struct answer a;
	struct pair x;

	(void)state;
	pair_init(&x, 1);
	x.plans[0]->certificate.largest_load_ppm = 1234567; /* as it would be read */
	compare(&a, &x.c.p, x.plans[0], &x.c.p, x.plans[1]);
	part = base_json_get(&a.root, "old");
	assert_int_equal(answer_number(&part, "largest_load_ppm"), 1234567);
	part = base_json_get(&a.root, "new");
	assert_int_equal(answer_number(&part, "largest_load_ppm"), 1000000);
	assert_int_equal(answer_number(&part, "busbw_worst_ppm"), 1000000);
	answer_fini(&a);
	pair_fini(&x);
}

static void test_another_fabric(void **state)
{
	struct plan_case other;
	struct planner_plan *plan;
	struct answer a;
	struct pair x;

	(void)state;
	pair_init(&x, 1);
	plan_case_init(&other, 2, 1, 1, 1);
	plan_case_conn(&other, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&other.p, 1, true);
	answer_open(&a, BASE_OUT_JSON);
	assert_int_equal(planner_compare(&x.c.p, x.plans[0], &other.p, plan, 9, a.out),
			 -EINVAL);
	answer_close(&a);
	assert_int_equal(base_json_size(&a.root), 0);
	answer_fini(&a);
	planner_plan_free(plan);
	plan_case_fini(&other);
	pair_fini(&x);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "a plan and itself", test_same);
	rows_add_test(&rows, "one QP has moved", test_moved);
	rows_add_test(&rows, "weights have changed", test_reweighed);
	rows_add_test(&rows, "half as many QPs", test_fewer_qps);
	rows_add_test(&rows, "connections came and went", test_connections);
	rows_add_test(&rows, "no more rows than asked for", test_limit);
	rows_add_test(&rows, "what each plan is worth", test_quality);
	rows_add_test(&rows, "another fabric", test_another_fabric);
	return rows_run(&rows, "planner_compare");
}
