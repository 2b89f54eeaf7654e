/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <planner/evaluate.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#define FLOWS_MAX 6
#define LINKS_MAX 5

struct maxmin_case {
	const char *name;
	uint32_t n_flows;
	uint32_t first[FLOWS_MAX + 1];
	uint32_t hops[16];
	uint64_t capacity_bps[LINKS_MAX];
	int want;
	uint64_t rates_bps[FLOWS_MAX];
};

static struct maxmin_case maxmin_cases[] = {
	{ "no flow at all", 0, { 0 }, { 0 }, { 0 }, 0, { 0 } },
	{ "one flow gets its slowest link",
	  1,
	  { 0, 3 },
	  { 0, 2, 1 },
	  { 9, 7, 8 },
	  0,
	  { 7 } },
	{ "a third is rounded down",
	  3,
	  { 0, 1, 2, 3 },
	  { 0, 0, 0 },
	  { 100 },
	  0,
	  { 33, 33, 33 } },
	{ "a share that is whole after thirds stays whole",
	  4,
	  { 0, 2, 4, 6, 7 },
	  { 0, 1, 0, 1, 0, 1, 1 },
	  { 100, 200 },
	  0,
	  { 33, 33, 33, 100 } },
	{ "sevenths of two links leave a whole rest to a third",
	  4,
	  { 0, 2, 4, 5, 6 },
	  { 0, 2, 1, 2, 2, 0 },
	  { 10, 20, 50 },
	  0,
	  { 5, 20, 25, 5 } },
	{ "what a bottleneck leaves goes to the others",
	  3,
	  { 0, 2, 3, 4 },
	  { 0, 1, 0, 1 },
	  { 10, 100 },
	  0,
	  { 5, 5, 95 } },
	{ "the parking lot",
	  4,
	  { 0, 3, 4, 5, 6 },
	  { 0, 1, 2, 0, 1, 2 },
	  { 30, 20, 60 },
	  0,
	  { 10, 20, 10, 50 } },
	{ "hops that nobody uses may have no capacity",
	  1,
	  { 0, 2 },
	  { 1, 3 },
	  { 0, 5, 0, 6 },
	  0,
	  { 5 } },
	{ "flows need not begin at the first hop",
	  2,
	  { 2, 3, 4 },
	  { 9, 9, 0, 0 },
	  { 10 },
	  0,
	  { 5, 5 } },
	{ "rates of 400 Gbit/s split seven ways and six ways",
	  3,
	  { 0, 1, 2, 3 },
	  { 0, 0, 0 },
	  { 400000000000 },
	  0,
	  { 133333333333, 133333333333, 133333333333 } },
	{ "the largest capacity there is",
	  2,
	  { 0, 1, 2 },
	  { 0, 0 },
	  { UINT64_MAX },
	  0,
	  { UINT64_MAX / 2, UINT64_MAX / 2 } },
	{ "the largest capacity for one flow",
	  1,
	  { 0, 1 },
	  { 0 },
	  { UINT64_MAX },
	  0,
	  { UINT64_MAX } },
	{ "less than a bit each", 3, { 0, 1, 2, 3 }, { 0, 0, 0 }, { 2 }, 0, { 0, 0, 0 } },
	{ "a flow over no hop", 2, { 0, 0, 1 }, { 0 }, { 5 }, -EINVAL, { 0 } },
	{ "a hop past the end", 1, { 0, 1 }, { LINKS_MAX }, { 5 }, -EINVAL, { 0 } },
	{ "a hop in use without capacity", 1, { 0, 1 }, { 1 }, { 5, 0 }, -EINVAL, { 0 } },
};

static void test_maxmin(void **state)
{
	const struct maxmin_case *c = *state;
	struct planner_flows flows = { c->n_flows, c->first, c->hops };
	uint64_t rates_bps[FLOWS_MAX];

	for (uint32_t i = 0; i < FLOWS_MAX; i++)
		rates_bps[i] = 77;
	assert_int_equal(planner_maxmin(&flows, c->capacity_bps, LINKS_MAX, rates_bps),
			 c->want);
	for (uint32_t i = 0; i < FLOWS_MAX; i++) {
		uint64_t want = c->want == 0 && i < c->n_flows ? c->rates_bps[i] : 77;

		assert_int_equal(rates_bps[i], want);
	}
}

/*
 * Seventeen flows share a link of 100: no unit has seventeenths, so that what they leave
 * of a link of 200 is a little over 100, and what the flow that gets it leaves of a link
 * of 300 a little under 200.
 */
/* Few hops of a large fabric, in no order: they are found, and no others matter. */
static void test_few_of_many(void **state)
{
	static const uint32_t first[] = { 0, 2, 4, 5 };
	static const uint32_t hops[] = { 99999, 3, 70000, 99999, 70000 };
	const struct planner_flows flows = { 3, first, hops };
	uint64_t *capacity_bps = calloc(100000, sizeof(*capacity_bps));
	uint64_t rates_bps[3] = { 0 };

	(void)state;
	assert_non_null(capacity_bps);
	capacity_bps[3] = 100;
	capacity_bps[70000] = 1000;
	capacity_bps[99999] = 500;
	assert_int_equal(planner_maxmin(&flows, capacity_bps, 100000, rates_bps), 0);
	assert_int_equal(rates_bps[0], 100);
	assert_int_equal(rates_bps[1], 400);
	assert_int_equal(rates_bps[2], 600);
	free(capacity_bps);
}

static void test_seventeenths(void **state)
{
	enum { N = 17 };
	static const uint64_t capacity_bps[] = { 100, 200, 300 };
	uint32_t first[N + 3] = { 0 }, hops[2 * N + 3], n = 0;
	uint64_t rates_bps[N + 2];
	struct planner_flows flows = { N + 2, first, hops };

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		hops[n++] = 0;
		hops[n++] = 1;
		first[i + 1] = n;
	}
	hops[n++] = 1;
	hops[n++] = 2;
	first[N + 1] = n;
	hops[n++] = 2;
	first[N + 2] = n;
	assert_int_equal(planner_maxmin(&flows, capacity_bps, 3, rates_bps), 0);
	for (uint32_t i = 0; i < N; i++)
		assert_int_equal(rates_bps[i], 100 / N);
	assert_int_equal(rates_bps[N], 100);
	assert_int_equal(rates_bps[N + 1], 200);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_maxmin, maxmin_cases);
	rows_add_test(&rows, "few hops of a large fabric", test_few_of_many);
	rows_add_test(&rows, "what rounding left over costs no whole bit",
		      test_seventeenths);
	return rows_run(&rows, "planner_maxmin");
}
