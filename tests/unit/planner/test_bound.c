/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which cut bounds a plan, and by how much: each kind of cut on the smallest fabric that
 * has it.
 */
#include "plan_case.h"

struct bound_case {
	const char *name;
	uint32_t pods, leaves, nics, spines, cores, planes;
	const char *dead[8];
	struct {
		const char *from, *to;
		uint64_t bytes;
		uint32_t phase;
	} conns[6];
	uint32_t qps;
	enum planner_cut_kind kind;
	const char *cut;
	uint64_t bytes;
	uint32_t phase;
	uint64_t fractional_ppm, integral_ppm;
};

#define B CASE_BYTES

static struct bound_case bound_cases[] = {
	{ .name = "no traffic", 0, 2, 2, 2, 0, 1, .qps = 1, .cut = "no traffic" },
	{ "a NIC that sends twice",
	  0,
	  2,
	  2,
	  2,
	  0,
	  1,
	  { 0 },
	  { { "h0", "h1", B, 0 }, { "h0", "h2", B, 0 } },
	  1,
	  PLANNER_CUT_NIC_OUT,
	  "out of h0.nic0",
	  2 * B,
	  0,
	  1000000,
	  1000000 },
	{ "a NIC that receives twice",
	  0,
	  2,
	  2,
	  4,
	  0,
	  1,
	  { 0 },
	  { { "h1", "h0", B, 0 }, { "h2", "h0", B, 0 } },
	  1,
	  PLANNER_CUT_NIC_IN,
	  "into h0.nic0",
	  2 * B,
	  0,
	  1000000,
	  1000000 },
	{ "a leaf with too few uplinks",
	  0,
	  4,
	  3,
	  2,
	  0,
	  1,
	  { 0 },
	  { { "h0", "h3", B, 0 }, { "h1", "h6", B, 0 }, { "h2", "h9", B, 0 } },
	  1,
	  PLANNER_CUT_LEAF_OUT,
	  "out of leaf0",
	  3 * B,
	  0,
	  1500000,
	  2000000 },
	{ "a leaf that receives too much, later",
	  0,
	  4,
	  3,
	  2,
	  0,
	  1,
	  { 0 },
	  { { "h3", "h0", B, 4 }, { "h6", "h1", B, 4 }, { "h9", "h2", B, 4 } },
	  1,
	  PLANNER_CUT_LEAF_IN,
	  "into leaf0",
	  3 * B,
	  4,
	  1500000,
	  2000000 },
	{ "QPs make the integral bound finer",
	  0,
	  4,
	  3,
	  2,
	  0,
	  1,
	  { 0 },
	  { { "h0", "h3", B, 0 }, { "h1", "h6", B, 0 }, { "h2", "h9", B, 0 } },
	  2,
	  PLANNER_CUT_LEAF_OUT,
	  "out of leaf0",
	  3 * B,
	  0,
	  1500000,
	  1500000 },
	{ "a pod with too few cores",
	  2,
	  2,
	  2,
	  2,
	  1,
	  1,
	  { 0 },
	  { { "h0", "h4", B, 0 },
	    { "h1", "h5", B, 0 },
	    { "h2", "h6", B, 0 },
	    { "h3", "h7", B, 0 } },
	  1,
	  PLANNER_CUT_POD_OUT,
	  "out of pod 0",
	  4 * B,
	  0,
	  2000000,
	  2000000 },
	{ "dead spines at both ends",
	  0,
	  3,
	  2,
	  3,
	  0,
	  1,
	  { "leaf0-spine0", "leaf1-spine1" },
	  { { "h0", "h2", B, 0 }, { "h1", "h3", B, 0 } },
	  1,
	  PLANNER_CUT_LEAF_PAIR,
	  "from leaf0 to leaf1",
	  2 * B,
	  0,
	  2000000,
	  2000000 },
	{ "a pair between two planes",
	  0,
	  2,
	  2,
	  2,
	  0,
	  2,
	  { "leaf0-spine0", "leaf1-spine1" },
	  { { "h0", "h2", B, 0 }, { "h1", "h3", B, 0 } },
	  2,
	  PLANNER_CUT_LEAF_OUT,
	  "out of leaf0",
	  2 * B,
	  0,
	  1333333,
	  2000000 },
};

static struct topo_graph *build(const struct bound_case *b)
{
	struct topo_clos3 three = { .pods = b->pods,
				    .leaves = b->leaves,
				    .nics_per_leaf = b->nics,
				    .spines = b->spines,
				    .cores_per_spine = b->cores,
				    .nic_rate_bps = CASE_RATE_BPS };
	struct topo_clos2 two = { .leaves = b->leaves,
				  .nics_per_leaf = b->nics,
				  .spines = b->spines,
				  .planes = b->planes,
				  .nic_rate_bps = CASE_RATE_BPS };

	return b->pods ? gen_plans_clos3(&three) : gen_plans_clos2(&two);
}

static void test_bound(void **state)
{
	const struct bound_case *b = *state;
	const struct planner_certificate *cert;
	struct planner_plan *plan;
	struct base_str text;
	struct plan_case c;

	plan_case_open(&c, build(b));
	for (size_t i = 0; i < BASE_COUNT(b->dead) && b->dead[i]; i++)
		plan_case_kill(&c, b->dead[i]);
	for (size_t i = 0; i < BASE_COUNT(b->conns) && b->conns[i].from; i++)
		plan_case_conn(&c, b->conns[i].from, b->conns[i].to, b->conns[i].bytes,
			       b->conns[i].phase);
	plan = gen_plans_solve(&c.p, b->qps, true);
	cert = &plan->certificate;
	base_str_init(&text, 0);
	planner_cut_text(c.g, &cert->cut, &text);
	assert_string_equal(base_str_text(&text), b->cut);
	assert_int_equal(cert->cut.kind, b->kind);
	assert_int_equal(cert->cut.bytes, b->bytes);
	assert_int_equal(cert->cut.phase, b->phase);
	assert_int_equal(cert->lower_bound_ppm, b->fractional_ppm);
	assert_int_equal(cert->cut.load_ppm, b->fractional_ppm);
	assert_int_equal(cert->integral_bound_ppm, b->integral_ppm);
	assert_int_equal(cert->gap_ppm, 0);
	base_str_fini(&text);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* What cannot go over a common spine goes around: the cut of the pair is no bound then.
 */
static void test_detour(void **state)
{
	struct planner_plan *plan;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 3, 1, 2, 1);
	plan_case_kill(&c, "leaf0-spine0");
	plan_case_kill(&c, "leaf1-spine1");
	plan_case_conn(&c, "h0", "h1", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	assert_string_equal(
		plan_case_path(&c, plan, 0, 0),
		"h0.nic0 > leaf0 > spine1 > leaf2 > spine0 > leaf1 > h1.nic0");
	assert_int_equal(plan->certificate.lower_bound_ppm, 1000000);
	assert_int_equal(plan->certificate.largest_load_ppm, 1000000);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

/* One of two spines has no core left: a pair of leaves in two pods has half of its
 * uplinks for what goes between them, while the pods have all that they need. */
static void test_pair_over_cores(void **state)
{
	struct planner_plan *plan;
	struct base_str text;
	struct plan_case c;

	(void)state;
	plan_case_init3(&c, 2, 2, 2, 2, 2);
	plan_case_kill(&c, "spine0-core0");
	plan_case_kill(&c, "spine0-core1");
	plan_case_conn(&c, "h0", "h4", CASE_BYTES, 0);
	plan_case_conn(&c, "h1", "h5", CASE_BYTES, 0);
	plan = gen_plans_solve(&c.p, 1, true);
	base_str_init(&text, 0);
	planner_cut_text(c.g, &plan->certificate.cut, &text);
	assert_string_equal(base_str_text(&text), "from leaf0 to leaf2");
	assert_int_equal(plan->certificate.cut.rate_bps, CASE_RATE_BPS);
	assert_int_equal(plan->certificate.lower_bound_ppm, 2000000);
	assert_int_equal(plan->certificate.largest_load_ppm, 2000000);
	base_str_fini(&text);
	planner_plan_free(plan);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_bound, bound_cases);
	rows_add_test(&rows, "a way around the pair", test_detour);
	rows_add_test(&rows, "a pair over few cores", test_pair_over_cores);
	return rows_run(&rows, "planner_bounds");
}
