/* SPDX-License-Identifier: Apache-2.0 */
/* What is common to all sources: who reads what, phases of several jobs, reverse. */
#include <unit/rows.h>
#include "job_case.h"

#define STEPS "halving-doubling:hosts=2,nics=1,bytes=8"

struct source {
	const char *name;
	const char *text;
	const char *error; /* NULL: accepted */
};

static struct source sources[] = {
	{ "an empty file", "",
	  "f:1:1: not a job: expected a document \"fairlead.job.v1\", a workload of "
	  "SimAI, a log of AICB or a connection matrix of htsim" },
	{ "something else", "hello world\n",
	  "f:1:1: not a job: expected a document \"fairlead.job.v1\", a workload of "
	  "SimAI, a log of AICB or a connection matrix of htsim" },
	{ "JSON goes to JSON", " \n{}",
	  "f:2:1: \"schema\" is missing: expected \"fairlead.job.v1\"" },
	{ "a matrix", "# comment\n\nNodes 2\n0->1 start 0 size 1\n", NULL },
	{ "a matrix that begins with a connection", "0->1 start 0 size 1\n",
	  "f: no line \"Nodes N\" in a connection matrix" },
	{ "a workload", "MICRO\n0\n", NULL },
	{ "a workload of a kind that is not read", "HYBRID_DLRM\n0\n",
	  "f:1:1: policy \"HYBRID_DLRM\" is not known here: expected "
	  "HYBRID_TRANSFORMER_FWD_IN_BCKWD, HYBRID_TRANSFORMER, MICRO, DATA or MODEL" },
	{ "a log",
	  "comm_type,comm_group,msg_size,stage\n"
	  "all_reduce,dp_group,1,step\nepoch_end,None,0,\n",
	  NULL },
};

static void test_source(void **state)
{
	const struct source *c = *state;
	struct gen_job j;

	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_text(&j, c->text), c->error);
	gen_job_fini(&j);
}

static void test_phases_of_one(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_form(&j, STEPS), NULL);
	assert_int_equal(j.p.n_phases, 2);
	assert_null(gen_job_assumed(&j, "phases"));
	/* A second job comes: nobody knows which steps meet. */
	check_result(&j, gen_job_form(&j, "ring:hosts=2,nics=1"), NULL);
	assert_int_equal(j.p.n_phases, 1);
	assert_string_equal(gen_job_assumed(&j, "phases"), "all 2 taken as one");
	for (uint32_t i = 0; i < j.p.n_conns; i++)
		assert_int_equal(j.p.conns[i].phase, 0);
	gen_job_fini(&j);
}

/* Synchronised among themselves, not with what was there before. */
static void test_synchronised(void **state)
{
	static const char document[] =
		"{\"schema\": \"fairlead.job.v1\", \"synchronised\": true, \"jobs\": ["
		"{\"connections\": [{\"from\": \"h0.nic0\", \"to\": \"h1.nic0\"}]},"
		"{\"connections\": [{\"from\": \"h0.nic0\", \"to\": \"h1.nic0\", "
		"\"phase\": 1}]}]}";
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_text(&j, document), NULL);
	assert_int_equal(j.p.n_phases, 2);
	check_result(&j, gen_job_text(&j, document), NULL);
	assert_int_equal(j.p.n_phases, 1);
	gen_job_fini(&j);
}

static void test_failure_changes_nothing(void **state)
{
	uint64_t before;
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_form(&j, STEPS), NULL);
	before = planner_problem_fingerprint(&j.p);
	/* Fails after its first connections. */
	assert_true(gen_job_text(&j, "Nodes 4\nConnections 9\n0->1 start 0 size 1\n") <
		    0);
	assert_true(gen_job_text(&j,
				 "{\"schema\": \"fairlead.job.v1\", \"jobs\": ["
				 "{\"connections\": ["
				 "{\"from\": \"h0.nic0\", \"to\": \"h1.nic0\"},"
				 "{\"from\": \"h0.nic0\", \"to\": \"h9.nic9\"}]}]}") < 0);
	assert_int_equal(planner_problem_fingerprint(&j.p), before);
	assert_int_equal(j.p.n_jobs, 1);
	assert_int_equal(j.p.n_phases, 2);
	assert_int_equal(j.p.n_assumptions, 0);
	gen_job_fini(&j);
}

/* Only what is new gets its reverse. */
static void test_reverse(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	j.options.reverse_ppm = 100000;
	check_result(&j, gen_job_form(&j, "p2p:from=h0.nic0,to=h1.nic0,bytes=100"), NULL);
	check_result(&j, gen_job_form(&j, "p2p:from=h2.nic0,to=h3.nic0,bytes=100"), NULL);
	check_conns(&j, "h0.nic0>h1.nic0 100\nh1.nic0>h0.nic0 10\n"
			"h2.nic0>h3.nic0 100 job 1\nh3.nic0>h2.nic0 10 job 1\n");
	gen_job_fini(&j);
}

/* Help names every kind, and each line begins with a form that is accepted. */
static void test_forms(void **state)
{
	const char *const *forms = planner_job_forms();
	size_t n = 0;

	(void)state;
	for (; forms[n]; n++)
		assert_non_null(strchr(forms[n], ':'));
	assert_int_equal(n, 7);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_source, sources);
	rows_add_test(&rows, "phases stay until a second job comes", test_phases_of_one);
	rows_add_test(&rows, "synchronised phases stay, until other jobs come",
		      test_synchronised);
	rows_add_test(&rows, "a failed reading changes nothing",
		      test_failure_changes_nothing);
	rows_add_test(&rows, "reverse traffic of what is new", test_reverse);
	rows_add_test(&rows, "help has a line for each form", test_forms);
	return rows_run(&rows, "planner_jobs");
}
