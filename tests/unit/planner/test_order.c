/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections are planned by phase, largest first, whatever order they come in: seen
 * through what small flows get when large ones came after them.
 */
#include "plan_case.h"

#define HALF (CASE_BYTES / 2)

struct order_case {
	const char *name;
	uint32_t n;
	struct {
		uint64_t bytes;
		uint32_t phase;
	} conns[6];
	uint64_t load_ppm;
};

/* NIC i of leaf 0 to NIC i of leaf 1, over two spines.  Unit: a NIC's one flow of full
 * size. */
static struct order_case order_cases[] = {
	{ "large before small",
	  3,
	  { { CASE_BYTES, 0 }, { HALF, 0 }, { HALF, 0 } },
	  1000000 },
	{ "small before large",
	  3,
	  { { HALF, 0 }, { HALF, 0 }, { CASE_BYTES, 0 } },
	  1000000 },
	{ "small around large",
	  3,
	  { { HALF, 0 }, { CASE_BYTES, 0 }, { HALF, 0 } },
	  1000000 },
	{ "phases do not add up",
	  4,
	  { { CASE_BYTES, 1 }, { CASE_BYTES, 0 }, { CASE_BYTES, 1 }, { CASE_BYTES, 0 } },
	  1000000 },
	{ "a phase that is empty", 2, { { CASE_BYTES, 0 }, { CASE_BYTES, 2 } }, 1000000 },
	{ "one phase with all",
	  4,
	  { { CASE_BYTES, 3 }, { CASE_BYTES, 3 }, { CASE_BYTES, 3 }, { CASE_BYTES, 3 } },
	  2000000 },
};

static void test_order(void **state)
{
	const struct order_case *o = *state;
	struct planner_plan *plan;
	struct plan_case c;

	plan_case_init(&c, 2, 6, 2, 1);
	for (uint32_t i = 0; i < o->n; i++) {
		char from[16], to[16];

		snprintf(from, sizeof(from), "h%u", i);
		snprintf(to, sizeof(to), "h%u", i + 6);
		plan_case_conn(&c, from, to, o->conns[i].bytes, o->conns[i].phase);
	}
	plan = gen_plans_solve(&c.p, 1, true);
	assert_int_equal(plan->certificate.largest_load_ppm, o->load_ppm);
	assert_int_equal(plan->certificate.gap_ppm, 0);
	/* The plan speaks of connections in their own order. */
	for (uint32_t i = 0; i < o->n; i++)
		assert_int_equal(topo_hop_from(topo_graph_links(c.g),
					       plan->hops[plan->qps[i].first_hop]),
				 c.p.conns[i].src_nic);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_order, order_cases);
	return rows_run(&rows, "planner_order");
}
