/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Colouring with rooms, seen through plans of fabrics with dead cables and unequal rates:
 * no flow on a dead cable, and no more on a link than whole flows demand.
 */
#include "plan_case.h"

struct rooms_case {
	const char *name;
	uint32_t nics, spines;
	const char *dead[3];
	uint32_t qps;
	uint64_t load_ppm;
	uint64_t above_one; /* QPs on links over 1.0 */
};

/* Two leaves; all NICs of leaf 0 send to leaf 1. */
static struct rooms_case rooms_cases[] = {
	{ "a dead cable that nobody needs", 3, 4, { "leaf0-spine1" }, 1, 1000000, 0 },
	{ "a dead cable puts two flows on one link",
	  4,
	  4,
	  { "leaf0-spine1" },
	  1,
	  2000000,
	  2 },
	{ "both ends of one spine",
	  4,
	  4,
	  { "leaf0-spine1", "leaf1-spine1" },
	  1,
	  2000000,
	  2 },
	{ "different spines at both ends",
	  4,
	  4,
	  { "leaf0-spine1", "leaf1-spine2" },
	  1,
	  2000000,
	  4 },
	{ "two QPs share what is left", 3, 3, { "leaf1-spine0" }, 2, 1500000, 6 },
	{ "one cable left", 3, 3, { "leaf1-spine0", "leaf0-spine1" }, 1, 3000000, 3 },
};

static void test_rooms(void **state)
{
	const struct rooms_case *r = *state;
	struct planner_plan *plan;
	struct plan_case c;

	plan_case_init(&c, 2, r->nics, r->spines, 1);
	for (size_t i = 0; i < 3 && r->dead[i]; i++)
		plan_case_kill(&c, r->dead[i]);
	for (uint32_t i = 0; i < r->nics; i++) {
		char from[16], to[16];

		snprintf(from, sizeof(from), "h%u", i);
		snprintf(to, sizeof(to), "h%u", r->nics + i);
		plan_case_conn(&c, from, to, CASE_BYTES, 0);
	}
	plan = gen_plans_solve(&c.p, r->qps, true);
	assert_int_equal(plan->certificate.fabric_load_ppm, r->load_ppm);
	assert_int_equal(plan->certificate.gap_ppm, 0);
	assert_int_equal(plan->certificate.qps_above_one, r->above_one);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_rooms, rooms_cases);
	return rows_run(&rows, "planner_rooms");
}
