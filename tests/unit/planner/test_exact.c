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
	{ "one that is cut off", 6, 2, { 3, 3, 2, 2, 2, 9 }, "h5.nic0-leaf0" },
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

static uint32_t add_switch(struct topo_graph *g, const char *stem, uint32_t i,
			   uint32_t plane)
{
	uint32_t tier = i < 2 ? i + 1 : 4, node;
	char name[16];
	int len = snprintf(name, sizeof(name), "%s%u", stem, i);

	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, name, (size_t)len, tier,
					       TOPO_NONE, plane, TOPO_NONE, &node, NULL),
			 0);
	return node;
}

static void join(struct topo_graph *g, uint32_t a, uint32_t b, uint64_t rate_bps,
		 uint32_t n)
{
	struct topo_link link = { .a = a,
				  .b = b,
				  .rate_bps = rate_bps,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE,
				  .state = TOPO_UP };
	uint32_t id;

	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(topo_graph_add_link(g, &link, &id, NULL), 0);
}

/* A row of @n switches between two NICs, neighbours joined by @links links; those of the
 * second and third are slow, which no cut knows of. */
static void add_row(struct topo_graph *g, const uint32_t *nics, const char *stem,
		    uint32_t plane, uint32_t n, uint32_t links)
{
	uint32_t last = nics[0];

	for (uint32_t i = 0; i < n; i++) {
		uint32_t sw = add_switch(g, stem, i, plane);

		join(g, last, sw, i == 2 ? CASE_RATE_BPS / 100 : CASE_RATE_BPS,
		     i == 0 ? 1 : links);
		last = sw;
	}
	join(g, last, nics[1], CASE_RATE_BPS, 1);
}

/* One path in a plane and more than 64 bits can count in the other: that is too many. */
static void test_uncountable(void **state)
{
	struct topo_graph *g = topo_graph_new();
	struct planner_plan *plan;
	uint32_t nics[2];
	struct plan_case c;

	(void)state;
	assert_non_null(g);
	for (uint32_t i = 0; i < 2; i++) {
		char name[] = { 'h', (char)('0' + i) };
		uint32_t host;

		assert_int_equal(topo_graph_add_host(g, TOPO_NONE, name, 2, TOPO_NONE,
						     &host, NULL),
				 0);
		assert_int_equal(
			topo_graph_add_nic(g, host, "nic0", 4, TOPO_NONE, &nics[i], NULL),
			0);
	}
	add_row(g, nics, "few", 0, 4, 1);
	add_row(g, nics, "many", 1, 20, 32);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	plan_case_open(&c, g);
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	assert_true(plan->certificate.largest_load_ppm >
		    plan->certificate.integral_bound_ppm);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_exact, exact_cases);
	rows_add_test(&rows, "more paths than can be counted", test_uncountable);
	return rows_run(&rows, "planner_exact");
}
