/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small phases exactly: sizes that no order of first fits packs well.
 */
#include "plan_case.h"
#include <gen/brute.h>

struct exact_case {
	const char *name;
	uint32_t n, spines;
	uint64_t bytes[8];
	const char *dead;
};

/* NIC i of leaf 0 to NIC i of leaf 1: the sizes are to be packed on the spines. */
static struct exact_case exact_cases[] = {
	{ "two halves of five sizes", 5, 2, { 3, 3, 2, 2, 2 }, NULL },
	{ "three bins", 7, 3, { 5, 5, 4, 4, 3, 3, 3 }, NULL },
	{ "sizes with one dead link", 6, 3, { 7, 6, 5, 4, 3, 3 }, "leaf1-spine1" },
	{ "a large one and crumbs", 8, 2, { 8, 1, 1, 1, 1, 1, 1, 1 }, NULL },
	{ "nothing to choose", 3, 1, { 3, 2, 1 }, NULL },
};

static void test_exact(void **state)
{
	const struct exact_case *e = *state;
	struct planner_plan *plan;
	struct gen_brute brute;
	struct plan_case c;

	plan_case_init(&c, 2, e->n, e->spines, 1);
	if (e->dead)
		plan_case_kill(&c, e->dead);
	for (uint32_t i = 0; i < e->n; i++) {
		char from[16], to[16];

		snprintf(from, sizeof(from), "h%u", i);
		snprintf(to, sizeof(to), "h%u", i + e->n);
		plan_case_conn(&c, from, to, e->bytes[i] * 1000, 0);
	}
	assert_true(gen_brute_solve(&c.p, 1, &brute));
	plan = gen_plans_solve(&c.p, 1, true);
	assert_int_equal(plan->certificate.largest_load_ppm, brute.largest_ppm);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_exact, exact_cases);
	return rows_run(&rows, "planner_exact");
}
