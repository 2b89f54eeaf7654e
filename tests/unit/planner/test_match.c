/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which connections of two problems are the same, seen through what a replan moves: a
 * connection that is matched stays on its path, a new one is counted as moved.
 */
#include "plan_case.h"

struct wanted {
	const char *from, *to;
	uint32_t job, phase;
};

struct match_case {
	const char *name;
	const char *jobs[2];
	struct wanted conns[4];
	uint32_t moved;
};

/* The old problem: jobs "a" and "b"; h0 > h3 twice in a, h1 > h4 in b, all of phase 0. */
static const char *const old_jobs[] = { "a", "b" };
static const struct wanted old_conns[] = { { "h0", "h3", 0, 0 },
					   { "h0", "h3", 0, 0 },
					   { "h1", "h4", 1, 0 } };

static struct match_case match_cases[] = {
	{ "the same again",
	  { "a", "b" },
	  { { "h0", "h3", 0, 0 }, { "h0", "h3", 0, 0 }, { "h1", "h4", 1, 0 } },
	  0 },
	{ "in another order",
	  { "a", "b" },
	  { { "h1", "h4", 1, 0 }, { "h0", "h3", 0, 0 }, { "h0", "h3", 0, 0 } },
	  0 },
	{ "jobs in another order",
	  { "b", "a" },
	  { { "h0", "h3", 1, 0 }, { "h0", "h3", 1, 0 }, { "h1", "h4", 0, 0 } },
	  0 },
	{ "one has ended",
	  { "a", "b" },
	  { { "h0", "h3", 0, 0 }, { "h1", "h4", 1, 0 } },
	  0 },
	{ "a third of the same ends",
	  { "a", "b" },
	  { { "h0", "h3", 0, 0 },
	    { "h0", "h3", 0, 0 },
	    { "h0", "h3", 0, 0 },
	    { "h1", "h4", 1, 0 } },
	  1 },
	{ "a job of another name",
	  { "a", "c" },
	  { { "h0", "h3", 0, 0 }, { "h0", "h3", 0, 0 }, { "h1", "h4", 1, 0 } },
	  1 },
	{ "another phase",
	  { "a", "b" },
	  { { "h0", "h3", 0, 1 }, { "h0", "h3", 0, 0 }, { "h1", "h4", 1, 0 } },
	  1 },
	{ "another end",
	  { "a", "b" },
	  { { "h0", "h3", 0, 0 }, { "h0", "h5", 0, 0 }, { "h1", "h4", 1, 0 } },
	  1 },
};

static void fill(const struct plan_case *c, struct planner_problem *p,
		 const char *const *jobs, const struct wanted *conns, size_t n)
{
	planner_problem_init(p, c->g);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(planner_problem_add_job(p, jobs[i], NULL), 0);
	for (size_t i = 0; i < n && conns[i].from; i++) {
		struct planner_conn conn =
			plan_case_ends(c, conns[i].from, conns[i].to, CASE_BYTES);

		conn.job = conns[i].job;
		conn.phase = conns[i].phase;
		assert_int_equal(planner_problem_add_conn(p, &conn, NULL), 0);
	}
}

static void test_match(void **state)
{
	const struct match_case *m = *state;
	struct planner_replan_options options = { .moves_max = 0 };
	struct planner_plan *plan, *again;
	struct planner_problem old_p, p;
	struct plan_case c;

	plan_case_init(&c, 2, 3, 4, 1);
	fill(&c, &old_p, old_jobs, old_conns, BASE_COUNT(old_conns));
	fill(&c, &p, m->jobs, m->conns, BASE_COUNT(m->conns));
	plan = gen_plans_solve(&old_p, 1, true);
	assert_int_equal(planner_replan(&p, &old_p, plan, &options, &again, NULL), 0);
	assert_int_equal(planner_plan_check(&p, again, NULL), 0);
	assert_int_equal(again->moved, m->moved);
	assert_int_equal(again->moved_must, m->moved);
	planner_plan_free(plan);
	planner_plan_free(again);
	planner_problem_fini(&old_p);
	planner_problem_fini(&p);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_match, match_cases);
	return rows_run(&rows, "planner_match");
}
