/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <planner/evaluate.h>
#include <errno.h>
#include <stddef.h>

#define FLOWS_MAX 4
#define LINKS_MAX 4
#define NEVER UINT64_MAX

struct completion_case {
	const char *name;
	uint32_t n_flows;
	uint32_t first[FLOWS_MAX + 1];
	uint32_t hops[12];
	uint64_t bytes[FLOWS_MAX];
	uint64_t capacity_bps[LINKS_MAX];
	int want;
	uint64_t ends_ns[FLOWS_MAX];
};

/* 8 Gbit/s is a byte a nanosecond. */
#define BYTE_A_NS 8000000000

static struct completion_case completion_cases[] = {
	{ "no flow at all", 0, { 0 }, { 0 }, { 0 }, { 0 }, 0, { 0 } },
	{ "one flow alone", 1, { 0, 1 }, { 0 }, { 1000 }, { BYTE_A_NS }, 0, { 1000 } },
	{ "the longer flow has the link for itself at the end",
	  2,
	  { 0, 1, 2 },
	  { 0, 0 },
	  { 100, 300 },
	  { BYTE_A_NS },
	  0,
	  { 200, 400 } },
	{ "three ends, one after the other",
	  3,
	  { 0, 1, 2, 3 },
	  { 0, 0, 0 },
	  { 100, 200, 300 },
	  { BYTE_A_NS },
	  0,
	  { 300, 500, 600 } },
	{ "two flows that share nothing do not see each other",
	  2,
	  { 0, 1, 2 },
	  { 0, 1 },
	  { 100, 300 },
	  { BYTE_A_NS, BYTE_A_NS },
	  0,
	  { 100, 300 } },
	{ "the joint flow ends, what is left falls into two",
	  3,
	  { 0, 2, 3, 4 },
	  { 0, 1, 0, 1 },
	  { 100, 150, 400 },
	  { BYTE_A_NS, BYTE_A_NS },
	  0,
	  { 200, 250, 500 } },
	{ "two flows speed up when the one between them ends",
	  3,
	  { 0, 2, 4, 5 },
	  { 0, 1, 1, 2, 2 },
	  { 600, 100, 1000 },
	  { BYTE_A_NS, BYTE_A_NS, BYTE_A_NS },
	  0,
	  /* Half each until the second ends at 200; then each of the others is alone. */
	  { 700, 200, 1100 } },
	{ "a rate falls when flows of another link end",
	  4,
	  { 0, 1, 2, 4, 5 },
	  { 0, 0, 0, 1, 1 },
	  { 100, 100, 300, 1000 },
	  { BYTE_A_NS, BYTE_A_NS },
	  0,
	  /* The last has two thirds until 300, a half until 700, then all. */
	  { 300, 300, 700, 1300 } },
	{ "nothing to send ends at once and takes nothing",
	  2,
	  { 0, 1, 2 },
	  { 0, 0 },
	  { 0, 100 },
	  { BYTE_A_NS },
	  0,
	  { 0, 100 } },
	{ "a third of a nanosecond is rounded",
	  1,
	  { 0, 1 },
	  { 0 },
	  { 1 },
	  { 3 * (uint64_t)BYTE_A_NS },
	  0,
	  { 0 } },
	{ "longer than the clock can say",
	  1,
	  { 0, 1 },
	  { 0 },
	  { NEVER },
	  { 1 },
	  0,
	  { NEVER } },
	{ "a flow over no hop", 1, { 0, 0 }, { 0 }, { 1 }, { 1 }, -EINVAL, { 0 } },
	{ "a hop in use without capacity",
	  1,
	  { 0, 1 },
	  { 1 },
	  { 1 },
	  { 1 },
	  -EINVAL,
	  { 0 } },
};

static void test_completion(void **state)
{
	const struct completion_case *c = *state;
	struct planner_flows flows = { c->n_flows, c->first, c->hops };
	uint64_t ends_ns[FLOWS_MAX];

	for (uint32_t i = 0; i < FLOWS_MAX; i++)
		ends_ns[i] = 77;
	assert_int_equal(
		planner_completion(&flows, c->bytes, c->capacity_bps, LINKS_MAX, ends_ns),
		c->want);
	for (uint32_t i = 0; i < FLOWS_MAX; i++) {
		uint64_t want = c->want == 0 && i < c->n_flows ? c->ends_ns[i] : 77;

		assert_int_equal(ends_ns[i], want);
	}
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_completion, completion_cases);
	return rows_run(&rows, "planner_completion");
}
