/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding colours onto spines, seen through plans of regular fabrics: each class spreads
 * as evenly as whole flows can, and a class knows where those before it went.
 */
#include "plan_case.h"

struct fold_case {
	const char *name;
	uint32_t nics, spines, qps;
	uint64_t load_ppm;
};

/* All NICs of leaf 0 send to leaf 1. */
static struct fold_case fold_cases[] = {
	{ "as many colours as slots", 4, 4, 1, 1000000 },
	{ "fewer colours than slots", 3, 4, 1, 1000000 },
	{ "twice as many", 8, 4, 1, 2000000 },
	{ "one more than twice as many", 9, 4, 1, 3000000 },
	{ "copies fill what single flows leave", 5, 4, 2, 1500000 },
	{ "four copies of each", 5, 4, 4, 1250000 },
	{ "copies over one slot", 3, 1, 3, 3000000 },
	{ "more copies than slots", 1, 3, 4, 500000 },
};

static void test_one_class(void **state)
{
	const struct fold_case *f = *state;
	struct planner_plan *plan;
	struct plan_case c;

	plan_case_init(&c, 2, f->nics, f->spines, 1);
	for (uint32_t i = 0; i < f->nics; i++) {
		char from[16], to[16];

		snprintf(from, sizeof(from), "h%u", i);
		snprintf(to, sizeof(to), "h%u", f->nics + i);
		plan_case_conn(&c, from, to, CASE_BYTES, 0);
	}
	plan = gen_plans_solve(&c.p, f->qps, true);
	assert_int_equal(plan->certificate.fabric_load_ppm, f->load_ppm);
	assert_int_equal(plan->certificate.gap_ppm, 0);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* Two large flows over four spines, then two of half the size: they fill the other two.
 */
static void test_classes(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 4, 4, 1);
	plan_case_conn(&c, "h0", "h4", CASE_BYTES, 0);
	plan_case_conn(&c, "h2", "h6", CASE_BYTES / 2, 0);
	plan_case_conn(&c, "h1", "h5", CASE_BYTES, 0);
	plan_case_conn(&c, "h3", "h7", CASE_BYTES / 2, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	assert_int_equal(plan->certificate.fabric_load_ppm, 1000000);
	for (uint32_t s = 0; s < 4; s++) {
		char spine[16];

		snprintf(spine, sizeof(spine), "spine%u", s);
		assert_true(plan_case_load(&c, plan, "leaf0", spine) >= 500000);
	}
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_one_class, fold_cases);
	rows_add_test(&rows, "a smaller class fills what a larger one left",
		      test_classes);
	return rows_run(&rows, "planner_fold");
}
