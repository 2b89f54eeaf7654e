/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include "job_case.h"

#define MEMBERS_MAX 16u

struct expansion {
	const char *name;
	enum planner_collective what;
	enum planner_algorithm how;
	uint32_t n;
	uint64_t bytes;
	uint32_t phase;
	uint32_t phases; /* wanted */
	const char *want;
};

static struct expansion expansions[] = {
	{ "a ring all-reduce sends 2(n-1)/n, rounded up once", PLANNER_ALL_REDUCE,
	  PLANNER_RING, 3, 100, 0, 1,
	  "h0.nic0>h1.nic0 134\n" /* 133 and a third */
	  "h1.nic0>h2.nic0 134\n"
	  "h2.nic0>h0.nic0 134\n" },
	{ "auto of all-reduce is a ring", PLANNER_ALL_REDUCE, PLANNER_AUTO, 2, 100, 5, 1,
	  "h0.nic0>h1.nic0 100 phase 5\n"
	  "h1.nic0>h0.nic0 100 phase 5\n" },
	{ "a ring all-gather sends (n-1)/n", PLANNER_ALL_GATHER, PLANNER_AUTO, 4, 100, 0,
	  1,
	  "h0.nic0>h1.nic0 75\n"
	  "h1.nic0>h2.nic0 75\n"
	  "h2.nic0>h3.nic0 75\n"
	  "h3.nic0>h0.nic0 75\n" },
	{ "reduce-scatter as all-gather", PLANNER_REDUCE_SCATTER, PLANNER_RING, 2, 1, 0,
	  1, "h0.nic0>h1.nic0 1\nh1.nic0>h0.nic0 1\n" },
	{ "all-to-all sends a part to each other", PLANNER_ALL_TO_ALL, PLANNER_AUTO, 3,
	  100, 0, 1,
	  "h0.nic0>h1.nic0 34\n"
	  "h0.nic0>h2.nic0 34\n"
	  "h1.nic0>h2.nic0 34\n"
	  "h1.nic0>h0.nic0 34\n"
	  "h2.nic0>h0.nic0 34\n"
	  "h2.nic0>h1.nic0 34\n" },
	{ "all-reduce in pairs sends every part twice", PLANNER_ALL_REDUCE, PLANNER_PAIRS,
	  2, 100, 0, 1, "h0.nic0>h1.nic0 100\nh1.nic0>h0.nic0 100\n" },
	{ "a broadcast goes down the chain", PLANNER_BROADCAST, PLANNER_AUTO, 3, 9, 0, 1,
	  "h0.nic0>h1.nic0 9\nh1.nic0>h2.nic0 9\n" },
	{ "a reduce comes up the chain", PLANNER_REDUCE, PLANNER_AUTO, 3, 9, 0, 1,
	  "h2.nic0>h1.nic0 9\nh1.nic0>h0.nic0 9\n" },
	{ "a broadcast in pairs is a star", PLANNER_BROADCAST, PLANNER_PAIRS, 3, 9, 0, 1,
	  "h0.nic0>h1.nic0 9\nh0.nic0>h2.nic0 9\n" },
	{ "a reduce in pairs is a star", PLANNER_REDUCE, PLANNER_PAIRS, 3, 9, 0, 1,
	  "h1.nic0>h0.nic0 9\nh2.nic0>h0.nic0 9\n" },
	{ "send goes from each member to the next", PLANNER_SEND, PLANNER_AUTO, 3, 9, 0,
	  1, "h0.nic0>h1.nic0 9\nh1.nic0>h2.nic0 9\n" },
	{ "a tree broadcast begins at the first member", PLANNER_BROADCAST, PLANNER_TREE,
	  4, 9, 0, 1,
	  "h2.nic0>h1.nic0 9\n"
	  "h0.nic0>h2.nic0 9\n"
	  "h2.nic0>h3.nic0 9\n" },
	{ "a tree reduce ends at the first member", PLANNER_REDUCE, PLANNER_TREE, 4, 9, 0,
	  1,
	  "h1.nic0>h2.nic0 9\n"
	  "h2.nic0>h0.nic0 9\n"
	  "h3.nic0>h2.nic0 9\n" },
	{ "the second tree mirrors the first", PLANNER_ALL_REDUCE, PLANNER_TREE, 4, 9, 0,
	  1,
	  "h1.nic0>h2.nic0 5\nh2.nic0>h1.nic0 5\n"
	  "h2.nic0>h0.nic0 5\nh0.nic0>h2.nic0 5\n"
	  "h3.nic0>h2.nic0 5\nh2.nic0>h3.nic0 5\n"
	  "h2.nic0>h1.nic0 4\nh1.nic0>h2.nic0 4\n"
	  "h1.nic0>h3.nic0 4\nh3.nic0>h1.nic0 4\n"
	  "h0.nic0>h1.nic0 4\nh1.nic0>h0.nic0 4\n" },
	{ "a byte has no second half", PLANNER_ALL_REDUCE, PLANNER_TREE, 2, 1, 0, 1,
	  "h1.nic0>h0.nic0 1\nh0.nic0>h1.nic0 1\n" },
	{ "halving and doubling, a phase for each step", PLANNER_ALL_REDUCE,
	  PLANNER_HALVING_DOUBLING, 4, 101, 2, 4,
	  "h0.nic0>h1.nic0 51 phase 2\nh1.nic0>h0.nic0 51 phase 2\n"
	  "h2.nic0>h3.nic0 51 phase 2\nh3.nic0>h2.nic0 51 phase 2\n"
	  "h0.nic0>h2.nic0 26 phase 3\nh1.nic0>h3.nic0 26 phase 3\n"
	  "h2.nic0>h0.nic0 26 phase 3\nh3.nic0>h1.nic0 26 phase 3\n"
	  "h0.nic0>h2.nic0 26 phase 4\nh1.nic0>h3.nic0 26 phase 4\n"
	  "h2.nic0>h0.nic0 26 phase 4\nh3.nic0>h1.nic0 26 phase 4\n"
	  "h0.nic0>h1.nic0 51 phase 5\nh1.nic0>h0.nic0 51 phase 5\n"
	  "h2.nic0>h3.nic0 51 phase 5\nh3.nic0>h2.nic0 51 phase 5\n" },
	{ "three members: one folds first and is served last", PLANNER_ALL_REDUCE,
	  PLANNER_HALVING_DOUBLING, 3, 10, 0, 4,
	  "h2.nic0>h0.nic0 10\n"
	  "h0.nic0>h1.nic0 5 phase 1\nh1.nic0>h0.nic0 5 phase 1\n"
	  "h0.nic0>h1.nic0 5 phase 2\nh1.nic0>h0.nic0 5 phase 2\n"
	  "h0.nic0>h2.nic0 10 phase 3\n" },
	{ "doubling alone", PLANNER_ALL_GATHER, PLANNER_HALVING_DOUBLING, 2, 10, 0, 1,
	  "h0.nic0>h1.nic0 5\nh1.nic0>h0.nic0 5\n" },
	{ "one member has nobody to send to", PLANNER_ALL_REDUCE, PLANNER_RING, 1, 10, 0,
	  0, "" },
	{ "nor has none", PLANNER_ALL_TO_ALL, PLANNER_AUTO, 0, 10, 0, 0, "" },
};

static void members(const struct gen_job *j, uint32_t nics[MEMBERS_MAX])
{
	uint32_t n = 0;

	for (uint32_t node = 0; n < MEMBERS_MAX; node++)
		if (topo_graph_nodes(j->graph)[node].kind == TOPO_NIC)
			nics[n++] = node;
}

static void test_expand(void **state)
{
	const struct expansion *c = *state;
	uint32_t nics[MEMBERS_MAX], job, phases = 77;
	struct gen_job j;

	gen_job_init(&j, 4, 4, 1);
	members(&j, nics);
	assert_int_equal(planner_problem_add_job(&j.p, "a", &job), 0);
	assert_int_equal(planner_job_expand(&j.p, job, c->what, c->how, nics, c->n,
					    c->bytes, c->phase, &phases, &j.err),
			 0);
	check_conns(&j, c->want);
	assert_int_equal(phases, c->phases);
	gen_job_fini(&j);
}

struct refused {
	const char *name;
	enum planner_collective what;
	enum planner_algorithm how;
	uint32_t n;
	uint64_t bytes;
	uint32_t phase;
	const char *message;
};

static struct refused refused_cases[] = {
	{ "all-to-all on a ring", PLANNER_ALL_TO_ALL, PLANNER_RING, 4, 1, 0,
	  "\"all-to-all\" cannot run as \"ring\"; it can as pairs" },
	{ "a chain of all-reduce", PLANNER_ALL_REDUCE, PLANNER_CHAIN, 4, 1, 0,
	  "\"all-reduce\" cannot run as \"chain\"; it can as ring, tree, "
	  "halving-doubling, pairs" },
	{ "no bytes", PLANNER_ALL_REDUCE, PLANNER_RING, 4, 0, 0,
	  "a collective has 1 to 1152921504606846976 bytes, not 0" },
	{ "more bytes than a connection may have", PLANNER_ALL_REDUCE, PLANNER_RING, 4,
	  PLANNER_BYTES_MAX, 0,
	  "a connection carries 1 to 1152921504606846976 bytes, not "
	  "1729382256910270464" },
	{ "a phase over the ceiling", PLANNER_SEND, PLANNER_AUTO, 4, 1, 1024,
	  "phase 1024 is over the ceiling: phases are 0 to 1023" },
	{ "steps that run over the ceiling", PLANNER_ALL_REDUCE, PLANNER_HALVING_DOUBLING,
	  4, 1, 1021, "phase 1024 is over the ceiling: phases are 0 to 1023" },
	{ "doubling of three", PLANNER_ALL_GATHER, PLANNER_HALVING_DOUBLING, 3, 1, 0,
	  "\"halving-doubling\" of anything but all-reduce needs a power of two members, "
	  "not 3; use \"ring\"" },
};

static void test_refused(void **state)
{
	const struct refused *c = *state;
	uint32_t nics[MEMBERS_MAX], job, phases = 77;
	struct gen_job j;

	gen_job_init(&j, 4, 4, 1);
	members(&j, nics);
	assert_int_equal(planner_problem_add_job(&j.p, "a", &job), 0);
	assert_int_equal(planner_job_expand(&j.p, job, c->what, c->how, nics, c->n,
					    c->bytes, c->phase, &phases, &j.err),
			 -BASE_E_INVALID);
	assert_string_equal(j.err.message, c->message);
	assert_int_equal(j.p.n_conns, 0);
	assert_int_equal(j.p.n_phases, 0);
	assert_int_equal(phases, 77);
	gen_job_fini(&j);
}

/* Members on one host, and two members on one NIC. */
static void test_local(void **state)
{
	uint32_t nics[MEMBERS_MAX], job;
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	members(&j, nics);
	nics[1] = nics[0];
	nics[2] = nics[3];
	assert_int_equal(planner_problem_add_job(&j.p, "a", &job), 0);
	assert_int_equal(planner_job_expand(&j.p, job, PLANNER_ALL_REDUCE, PLANNER_RING,
					    nics, 4, 100, 0, NULL, &j.err),
			 0);
	check_conns(&j, "h0.nic0>h1.nic1 150\nh1.nic1>h0.nic0 150\n");
	assert_int_equal(j.p.local_conns, 2);
	assert_int_equal(j.p.local_bytes, 300);
	gen_job_fini(&j);
}

static void test_too_many_pairs(void **state)
{
	static uint32_t nics[4001];
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 1);
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	assert_int_equal(planner_job_expand(&j.p, 0, PLANNER_ALL_TO_ALL, PLANNER_AUTO,
					    nics, 4001, 100, 0, NULL, &j.err),
			 -BASE_E_TOO_LARGE);
	assert_string_equal(j.err.message,
			    "4001 members are 16004000 pairs, the ceiling is 16000000");
	gen_job_fini(&j);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_expand, expansions);
	ROWS_ADD(&rows, test_refused, refused_cases);
	rows_add_test(&rows, "what stays in a host is counted", test_local);
	rows_add_test(&rows, "more pairs than can be", test_too_many_pairs);
	return rows_run(&rows, "planner_job_expand");
}
