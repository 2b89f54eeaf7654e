/* SPDX-License-Identifier: Apache-2.0 */
/* On eight hosts of two NICs, four NICs to a leaf. */
#include <unit/rows.h>
#include "job_case.h"

#define HEAD "{\"schema\": \"fairlead.job.v1\", \"jobs\": [\n"
#define TAIL "\n]}"
#define FOUR "\"ranks\": [\"h0.nic0\", {\"nic\": \"h1.nic0\"}, \"h2.nic0\", \"h3.nic0\"]"
#define PAIRS                                                                            \
	"\"groups\": [{\"kind\": \"dp\", \"members\": [0, 2]}, "                         \
	"{\"kind\": \"dp\", \"members\": [1, 3]}]"

struct accepted {
	const char *name;
	const char *text;
	const char *want;
};

static struct accepted accepted_cases[] = {
	{ "no job", "{\"schema\": \"fairlead.job.v1\", \"jobs\": []}", "" },
	{ "a job of nothing", HEAD "{}" TAIL, "" },
	{ "plain connections",
	  HEAD "{\"connections\": [{\"from\": \"h0.nic0\", \"to\": \"h1.nic1\", "
	       "\"bytes\": 5}]}" TAIL,
	  "h0.nic0>h1.nic1 5\n" },
	{ "connections with phase, plane and rank numbers",
	  HEAD "{" FOUR ", \"connections\": [{\"from\": 0, \"to\": 3, \"bytes\": 5, "
	       "\"phase\": 2, \"plane\": 0}]}" TAIL,
	  "h0.nic0>h3.nic0 5 phase 2 plane 0\n" },
	{ "a collective among all ranks",
	  HEAD "{" FOUR ", \"collectives\": [{\"what\": \"send\", \"bytes\": 5}]}" TAIL,
	  "h0.nic0>h1.nic0 5\nh1.nic0>h2.nic0 5\nh2.nic0>h3.nic0 5\n" },
	{ "a collective in each group of a kind",
	  HEAD "{" FOUR ", " PAIRS ", \"collectives\": [{\"groups\": \"dp\", "
	       "\"what\": \"all-reduce\", \"bytes\": 6, \"phase\": 1}]}" TAIL,
	  "h0.nic0>h2.nic0 6 phase 1\nh2.nic0>h0.nic0 6 phase 1\n"
	  "h1.nic0>h3.nic0 6 phase 1\nh3.nic0>h1.nic0 6 phase 1\n" },
	{ "a rank in groups of several kinds",
	  HEAD "{" FOUR ", \"groups\": [{\"kind\": \"tp\", \"members\": [0, 1]}, "
	       "{\"kind\": \"dp\", \"members\": [1, 0, 2]}], \"collectives\": "
	       "[{\"groups\": \"dp\", \"what\": \"send\", \"bytes\": 5}, {\"groups\": "
	       "\"tp\", \"what\": \"send\", \"bytes\": 6}]}" TAIL,
	  "h1.nic0>h0.nic0 5\nh0.nic0>h2.nic0 5\nh0.nic0>h1.nic0 6\n" },
	{ "groups of one rank between others, and kinds in any order",
	  HEAD "{" FOUR ", \"groups\": [{\"kind\": \"tp\", \"members\": [3]}, "
	       "{\"kind\": \"tp\", \"members\": [2, 3]}, {\"kind\": \"dp\", "
	       "\"members\": [1]}, {\"kind\": \"tp\", \"members\": []}, {\"kind\": "
	       "\"tp\", \"members\": [0, 1]}], \"collectives\": [{\"groups\": \"tp\", "
	       "\"what\": \"send\", \"bytes\": 5}, {\"groups\": \"dp\", "
	       "\"what\": \"send\"}]}" TAIL,
	  "h2.nic0>h3.nic0 5\nh0.nic0>h1.nic0 5\n" },
	{ "an algorithm of choice",
	  HEAD "{" FOUR ", \"collectives\": [{\"what\": \"broadcast\", "
	       "\"algorithm\": \"tree\", \"bytes\": 5}]}" TAIL,
	  "h2.nic0>h1.nic0 5\nh0.nic0>h2.nic0 5\nh2.nic0>h3.nic0 5\n" },
	{ "bytes that are not said",
	  HEAD "{" FOUR ", " PAIRS
	       ", \"collectives\": [{\"groups\": \"dp\", \"what\": \"send\"}]}" TAIL,
	  "h0.nic0>h2.nic0 1073741824\nh1.nic0>h3.nic0 1073741824\n" },
	{ "phases of several jobs may meet",
	  HEAD "{\"connections\": [{\"from\": \"h0.nic0\", \"to\": \"h1.nic1\", "
	       "\"bytes\": 5, \"phase\": 3}]}, {\"connections\": [{\"from\": "
	       "\"h2.nic0\", \"to\": \"h3.nic1\", \"bytes\": 5}], "
	       "\"period_ns\": 20000000}" TAIL,
	  "h0.nic0>h1.nic1 5\nh2.nic0>h3.nic1 5 job 1\n" },
	{ "unless they are synchronised",
	  HEAD "{\"connections\": [{\"from\": \"h0.nic0\", \"to\": \"h1.nic1\", "
	       "\"bytes\": 5, \"phase\": 3}]}, {\"connections\": [{\"from\": "
	       "\"h2.nic0\", \"to\": \"h3.nic1\", \"bytes\": 5}]}\n],"
	       "\"synchronised\": true}",
	  "h0.nic0>h1.nic1 5 phase 3\nh2.nic0>h3.nic1 5 job 1\n" },
};

static void test_accepted(void **state)
{
	const struct accepted *c = *state;
	struct gen_job j;

	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_text(&j, c->text), NULL);
	check_conns(&j, c->want);
	gen_job_fini(&j);
}

struct refused {
	const char *name;
	const char *text;
	const char *error;
};

static struct refused refused_cases[] = {
	{ "not JSON", "{\"schema\": ", NULL },
	{ "another document", "{\"schema\": \"fairlead.fabric.v1\"}",
	  "f:1:12: schema: expected \"fairlead.job.v1\", not \"fairlead.fabric.v1\"" },
	{ "no jobs", "{\"schema\": \"fairlead.job.v1\"}", NULL },
	{ "an unknown key", "{\"schema\": \"fairlead.job.v1\", \"job\": []}", NULL },
	{ "an unknown key of a job", HEAD "{\"rank\": []}" TAIL, NULL },
	{ "a job that is no object", HEAD "7" TAIL, NULL },
	{ "an empty name", HEAD "{\"name\": \"\"}" TAIL,
	  "f:2:10: jobs[0].name: expected a text of 1 to 255 bytes" },
	{ "a NIC with a slip", HEAD "{\"ranks\": [\"h0.nik0\"]}" TAIL,
	  "f:2:12: jobs[0].ranks[0]: no NIC \"h0.nik0\" in the fabric; did you mean "
	  "\"h0.nic0\"?" },
	{ "a rank that is a switch", HEAD "{\"ranks\": [{\"nic\": \"leaf0\"}]}" TAIL,
	  "f:2:20: jobs[0].ranks[0].nic: \"leaf0\" is a switch, not a NIC" },
	{ "a host of two NICs", HEAD "{\"ranks\": [\"h0\"]}" TAIL, NULL },
	{ "groups without ranks",
	  HEAD "{\"groups\": [{\"kind\": \"dp\", \"members\": [0]}]}" TAIL,
	  "f:2:12: jobs[0].groups: this needs the job's \"ranks\"" },
	{ "a member that is no rank",
	  HEAD "{" FOUR ",\n\"groups\": [{\"kind\": \"dp\", \"members\": [4]}]}" TAIL,
	  NULL },
	{ "a member twice",
	  HEAD "{" FOUR ",\n\"groups\": [{\"kind\": \"dp\", \"members\": [1, 1]}]}" TAIL,
	  "f:3:42: jobs[0].groups[0].members[1]: rank 1 twice in one group" },
	{ "a kind with a slip",
	  HEAD "{" FOUR ",\n" PAIRS
	       ",\n\"collectives\": [{\"groups\": \"dq\", \"what\": \"send\"}]}" TAIL,
	  "f:4:28: jobs[0].collectives[0].groups: no group of kind \"dq\"; did you mean "
	  "\"dp\"?" },
	{ "a kind that is not there",
	  HEAD "{" FOUR
	       ",\n\"collectives\": [{\"groups\": \"expert\", \"what\": \"send\"}]}" TAIL,
	  "f:3:28: jobs[0].collectives[0].groups: no group of kind \"expert\" in this "
	  "job" },
	{ "a collective with a slip",
	  HEAD "{" FOUR ",\n\"collectives\": [{\"what\": \"all-redoce\"}]}" TAIL, NULL },
	{ "a collective that cannot run so",
	  HEAD "{" FOUR ",\n\"collectives\": [{\"what\": \"send\", \"algorithm\": "
	       "\"ring\"}]}" TAIL,
	  "f:3:17: jobs[0].collectives[0]: \"send\" cannot run as \"ring\"; it can as "
	  "chain" },
	{ "a collective that cannot run so, in groups that send nothing",
	  HEAD "{" FOUR ", \"groups\": [{\"kind\": \"dp\", \"members\": [1]}],\n"
	       "\"collectives\": [{\"groups\": \"dp\", \"what\": \"send\", "
	       "\"algorithm\": \"ring\"}]}" TAIL,
	  "f:3:17: jobs[0].collectives[0]: \"send\" cannot run as \"ring\"; it can as "
	  "chain" },
	{ "no bytes at all",
	  HEAD "{" FOUR ",\n\"collectives\": [{\"what\": \"send\", \"bytes\": 0}]}" TAIL,
	  NULL },
	{ "a phase over the ceiling",
	  HEAD "{" FOUR
	       ",\n\"collectives\": [{\"what\": \"send\", \"phase\": 1024}]}" TAIL,
	  NULL },
	{ "a plane that is not there",
	  HEAD "{" FOUR
	       ",\n\"connections\": [{\"from\": 0, \"to\": 1, \"plane\": 1}]}" TAIL,
	  NULL },
	{ "a connection to itself",
	  HEAD "{" FOUR ",\n\"connections\": [{\"from\": 0, \"to\": 0}]}" TAIL,
	  "f:3:17: jobs[0].connections[0]: a connection from a NIC to itself" },
	{ "a rank number without ranks",
	  HEAD "{\"connections\": [{\"from\": 0, \"to\": 1}]}" TAIL,
	  "f:2:27: jobs[0].connections[0].from: this needs the job's \"ranks\"" },
	{ "a period of nothing", HEAD "{\"period_ns\": 0}" TAIL, NULL },
	{ "half a truth", HEAD "]}\n, \"synchronised\": 1}", NULL },
};

static void test_refused(void **state)
{
	const struct refused *c = *state;
	struct gen_job j;
	int r;

	gen_job_init(&j, 4, 4, 2);
	r = gen_job_text(&j, c->text);
	if (c->error) {
		check_result(&j, r, c->error);
	} else {
		/* The reader of JSON says these; the place is what matters here. */
		assert_true(r < 0);
		assert_int_not_equal(j.err.line, 0);
		assert_string_equal(j.err.file, "f");
		assert_true(gen_job_is_empty(&j));
	}
	gen_job_fini(&j);
}

static void test_names(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_text(&j, HEAD "{\"name\": \"llama\"}, {}" TAIL), NULL);
	assert_int_equal(j.p.n_jobs, 2);
	assert_string_equal(j.p.job_names[0], "llama");
	assert_string_equal(j.p.job_names[1], "job1");
	gen_job_fini(&j);
}

static void test_options(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	j.options.jobs = 2;
	check_result(&j, gen_job_text(&j, HEAD "{}" TAIL),
		     "f: a job document names its NICs itself: hosts and jobs cannot be "
		     "chosen for it");
	gen_job_fini(&j);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_accepted, accepted_cases);
	ROWS_ADD(&rows, test_refused, refused_cases);
	rows_add_test(&rows, "names, given and made", test_names);
	rows_add_test(&rows, "hosts cannot be chosen", test_options);
	return rows_run(&rows, "planner_job_json");
}
