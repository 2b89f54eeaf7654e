/* SPDX-License-Identifier: Apache-2.0 */
/* On eight hosts of two NICs, four NICs to a leaf; placement is packed. */
#include <unit/rows.h>
#include "job_case.h"

struct accepted {
	const char *name;
	const char *form;
	const char *want;
};

static struct accepted accepted_cases[] = {
	{ "a ring for each NIC", "ring:hosts=2,bytes=10",
	  "h0.nic0>h1.nic0 10\nh1.nic0>h0.nic0 10\n"
	  "h0.nic1>h1.nic1 10\nh1.nic1>h0.nic1 10\n" },
	{ "fewer NICs than there are", "ring:hosts=2,bytes=10,nics=1",
	  "h0.nic0>h1.nic0 10\nh1.nic0>h0.nic0 10\n" },
	{ "sizes with units", "ring:hosts=2,bytes=1KiB,nics=1",
	  "h0.nic0>h1.nic0 1024\nh1.nic0>h0.nic0 1024\n" },
	{ "another collective on the ring",
	  "ring:hosts=2,bytes=10,nics=1,collective=all-gather",
	  "h0.nic0>h1.nic0 5\nh1.nic0>h0.nic0 5\n" },
	{ "several jobs stand side by side", "ring:hosts=2,jobs=2,bytes=10,nics=1",
	  "h0.nic0>h1.nic0 10\nh1.nic0>h0.nic0 10\n"
	  "h2.nic0>h3.nic0 10 job 1\nh3.nic0>h2.nic0 10 job 1\n" },
	{ "one connection", "p2p:from=h0.nic0,to=h7.nic1,bytes=3",
	  "h0.nic0>h7.nic1 3\n" },
	{ "a tree", "tree:hosts=2,bytes=10,nics=1",
	  "h1.nic0>h0.nic0 5\nh0.nic0>h1.nic0 5\n"
	  "h0.nic0>h1.nic0 5\nh1.nic0>h0.nic0 5\n" },
	{ "steps of halving and doubling", "halving-doubling:hosts=2,bytes=10,nics=1",
	  "h0.nic0>h1.nic0 5\nh1.nic0>h0.nic0 5\n"
	  "h0.nic0>h1.nic0 5 phase 1\nh1.nic0>h0.nic0 5 phase 1\n" },
	{ "steps of several jobs may meet",
	  "halving-doubling:hosts=2,bytes=10,nics=1,jobs=2",
	  "h0.nic0>h1.nic0 5\nh1.nic0>h0.nic0 5\n"
	  "h0.nic0>h1.nic0 5\nh1.nic0>h0.nic0 5\n"
	  "h2.nic0>h3.nic0 5 job 1\nh3.nic0>h2.nic0 5 job 1\n"
	  "h2.nic0>h3.nic0 5 job 1\nh3.nic0>h2.nic0 5 job 1\n" },
	{ "all-to-all keeps to its rail", "all-to-all:hosts=2,bytes=10",
	  "h0.nic0>h1.nic0 5\nh1.nic0>h0.nic0 5\n"
	  "h0.nic1>h1.nic1 5\nh1.nic1>h0.nic1 5\n" },
	{ "unless it is told not to", "all-to-all:hosts=2,bytes=8,cross-rail=yes",
	  "h0.nic0>h1.nic0 2\nh0.nic0>h1.nic1 2\n"
	  "h1.nic0>h0.nic1 2\nh1.nic0>h0.nic0 2\n"
	  "h0.nic1>h1.nic1 2\nh0.nic1>h1.nic0 2\n"
	  "h1.nic1>h0.nic0 2\nh1.nic1>h0.nic1 2\n" },
	{ "a mix: rings in stages, stage to stage, experts in pairs",
	  "mix:hosts=4,nics=1,bytes=100,dp=0.5,pp=0.25,ep=20%,ep-size=2,pp-size=2",
	  "h0.nic0>h1.nic0 50\nh1.nic0>h0.nic0 50\n"
	  "h0.nic0>h2.nic0 25\nh1.nic0>h3.nic0 25\n"
	  "h0.nic0>h1.nic0 20\nh1.nic0>h0.nic0 20\n"
	  "h2.nic0>h3.nic0 50\nh3.nic0>h2.nic0 50\n"
	  "h2.nic0>h3.nic0 20\nh3.nic0>h2.nic0 20\n" },
	{ "a mix of one kind alone", "mix:hosts=3,nics=1,bytes=100,dp=1",
	  "h0.nic0>h1.nic0 100\nh1.nic0>h2.nic0 100\nh2.nic0>h0.nic0 100\n" },
	{ "experts share their part among peers", "mix:hosts=4,nics=1,bytes=90,ep=1",
	  "h0.nic0>h1.nic0 30\nh0.nic0>h2.nic0 30\nh0.nic0>h3.nic0 30\n"
	  "h1.nic0>h2.nic0 30\nh1.nic0>h3.nic0 30\nh1.nic0>h0.nic0 30\n"
	  "h2.nic0>h3.nic0 30\nh2.nic0>h0.nic0 30\nh2.nic0>h1.nic0 30\n"
	  "h3.nic0>h0.nic0 30\nh3.nic0>h1.nic0 30\nh3.nic0>h2.nic0 30\n" },
};

static void test_accepted(void **state)
{
	const struct accepted *c = *state;
	struct gen_job j;

	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_form(&j, c->form), NULL);
	check_conns(&j, c->want);
	gen_job_fini(&j);
}

struct refused {
	const char *name;
	const char *form;
	int code;
	const char *message;
};

static struct refused refused_cases[] = {
	{ "a kind with a slip", "rnig:hosts=2", -BASE_E_UNKNOWN,
	  "unknown kind of job \"rnig\" in \"rnig:hosts=2\"; did you mean \"ring\"?" },
	{ "a kind that is nothing near", "hypercube", -BASE_E_UNKNOWN,
	  "unknown kind of job \"hypercube\" in \"hypercube\": expected ring, tree, "
	  "halving-doubling, all-to-all, permutation, p2p or mix" },
	{ "nothing at all", "", -BASE_E_UNKNOWN,
	  "unknown kind of job \"\" in \"\": expected ring, tree, halving-doubling, "
	  "all-to-all, permutation, p2p or mix" },
	{ "a key with a slip", "ring:hostz=64", -BASE_E_UNKNOWN,
	  "unknown key \"hostz\" in \"ring:hostz=64\"; did you mean \"hosts\"?" },
	{ "a key of another kind", "ring:dp=0.5", -BASE_E_INVALID,
	  "\"dp\" does not go with \"ring\", in \"ring:dp=0.5\"" },
	{ "a key twice", "ring:hosts=2,hosts=2", -BASE_E_DUPLICATE,
	  "\"hosts\" twice in \"ring:hosts=2,hosts=2\"" },
	{ "no key after the colon", "ring:", -BASE_E_UNKNOWN,
	  "unknown key \"\" in \"ring:\": expected hosts, jobs, bytes, placement, seed, "
	  "nics or collective" },
	{ "a comma at the end", "ring:hosts=2,", -BASE_E_UNKNOWN,
	  "unknown key \"\" in \"ring:hosts=2,\": expected hosts, jobs, bytes, "
	  "placement, seed, nics or collective" },
	{ "no value", "ring:hosts=", -BASE_E_SYNTAX,
	  "\"hosts\" has no value in \"ring:hosts=\": expected hosts=VALUE" },
	{ "no equals sign", "ring:hosts", -BASE_E_SYNTAX,
	  "\"hosts\" has no value in \"ring:hosts\": expected hosts=VALUE" },
	{ "a number that is none", "ring:hosts=many", -BASE_E_INVALID,
	  "\"hosts\" must be a number from 2 to 4000000, not \"many\", in "
	  "\"ring:hosts=many\"" },
	{ "one host alone", "ring:hosts=1", -BASE_E_INVALID,
	  "\"hosts\" must be a number from 2 to 4000000, not \"1\", in "
	  "\"ring:hosts=1\"" },
	{ "more hosts than there are", "ring:hosts=9", -BASE_E_INFEASIBLE,
	  "\"ring:hosts=9\" needs 9 hosts, and the fabric has 8" },
	{ "more jobs than fit", "ring:hosts=4,jobs=3", -BASE_E_INFEASIBLE,
	  "\"ring:hosts=4,jobs=3\" needs 12 hosts (4 for each of 3 jobs), and the "
	  "fabric has 8" },
	{ "jobs that leave no pair of hosts", "ring:jobs=5", -BASE_E_INFEASIBLE,
	  "each job of \"ring:jobs=5\" needs at least 2 hosts: 5 jobs, and the fabric "
	  "has 8 hosts with a linked NIC" },
	{ "no jobs", "ring:jobs=0", -BASE_E_INVALID,
	  "\"jobs\" must be a number above 0, or \"all\", not \"0\", in "
	  "\"ring:jobs=0\"" },
	{ "more NICs than hosts have", "ring:nics=3", -BASE_E_INFEASIBLE,
	  "\"nics\" is 3 in \"ring:nics=3\", and host \"h0\" has 2 linked NICs" },
	{ "no bytes", "ring:bytes=0", -BASE_E_INVALID,
	  "\"bytes\" must be a size above 0, such as 64MiB or 1GB, not \"0\", in "
	  "\"ring:bytes=0\"" },
	{ "a placement with a slip", "ring:placement=packt", -BASE_E_UNKNOWN,
	  "unknown placement \"packt\" in \"ring:placement=packt\"; did you mean "
	  "\"packed\"?" },
	{ "a seed that is none", "ring:seed=-1", -BASE_E_INVALID,
	  "\"seed\" must be a number of 64 bits, not \"-1\", in \"ring:seed=-1\"" },
	{ "a collective that a ring cannot do", "ring:collective=all-to-all",
	  -BASE_E_INVALID, "\"all-to-all\" cannot run as \"ring\"; it can as pairs" },
	{ "neither yes nor no", "all-to-all:cross-rail=maybe", -BASE_E_UNKNOWN,
	  "unknown cross-rail \"maybe\" in \"all-to-all:cross-rail=maybe\": expected "
	  "no or yes" },
	{ "p2p with one end", "p2p:from=h0.nic0", -BASE_E_INVALID,
	  "\"p2p:from=h0.nic0\" needs both ends: p2p:from=NIC,to=NIC" },
	{ "p2p to nowhere", "p2p:from=h0.nic0,to=h9.nic0", -BASE_E_UNKNOWN,
	  "no NIC \"h9.nic0\" in the fabric; did you mean \"h0.nic0\"?" },
	{ "p2p to itself", "p2p:from=h0.nic0,to=h0.nic0", -BASE_E_INVALID,
	  "\"p2p:from=h0.nic0,to=h0.nic0\" goes from a NIC to itself" },
	{ "shares over 1", "mix:dp=0.9,ep=0.2", -BASE_E_INVALID,
	  "\"dp\", \"pp\" and \"ep\" of \"mix:dp=0.9,ep=0.2\" add up to more than 1" },
	{ "no share", "mix:dp=0", -BASE_E_INVALID,
	  "\"dp\", \"pp\" and \"ep\" of \"mix:dp=0\" are all 0" },
	{ "a share over 1", "mix:dp=2", -BASE_E_INVALID,
	  "\"dp\" must be a share from 0 to 1, such as 0.25 or 25%, not \"2\", in "
	  "\"mix:dp=2\"" },
	{ "stages that do not divide the hosts", "mix:hosts=8,pp-size=3,pp=1",
	  -BASE_E_INVALID,
	  "\"pp-size\" of 3 does not divide 8 hosts, in \"mix:hosts=8,pp-size=3,pp=1\"" },
	{ "experts that do not divide a stage", "mix:hosts=6", -BASE_E_INVALID,
	  "\"ep-size\" of 4 does not divide 3 hosts, in \"mix:hosts=6\"" },
};

static void test_refused(void **state)
{
	const struct refused *c = *state;
	struct gen_job j;

	gen_job_init(&j, 4, 4, 2);
	assert_int_equal(gen_job_form(&j, c->form), c->code);
	check_result(&j, c->code, c->message);
	gen_job_fini(&j);
}

static void test_too_long(void **state)
{
	char form[5000];
	struct gen_job j;

	(void)state;
	memset(form, 'x', sizeof(form) - 1);
	form[sizeof(form) - 1] = '\0';
	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_form(&j, form),
		     "a short form of a job has at most 4096 bytes");
	gen_job_fini(&j);
}

/* Refused before the first of them is made. */
static void test_too_many_pairs(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 8, 512, 1);
	check_result(
		&j, gen_job_form(&j, "all-to-all"),
		"\"all-to-all\" makes 1 groups of 4096 NICs, each 16773120 pairs: more "
		"than 16000000 connections");
	gen_job_fini(&j);
}

static void test_defaults(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_form(&j, "ring"), NULL);
	assert_int_equal(j.p.n_conns, 16); /* all 8 hosts, both NICs */
	assert_string_equal(gen_job_assumed(&j, "bytes"), "1 GiB");
	assert_string_equal(j.p.job_names[0], "ring");
	gen_job_fini(&j);

	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_form(&j, "ring:hosts=3,jobs=all"), NULL);
	assert_int_equal(j.p.n_jobs, 2); /* two hosts are left over */
	assert_string_equal(j.p.job_names[1], "ring1");
	gen_job_fini(&j);

	gen_job_init(&j, 4, 4, 2);
	j.options.hosts = 2;
	check_result(
		&j, gen_job_form(&j, "p2p:from=h0.nic0,to=h1.nic0"),
		"\"p2p\" names its NICs itself: hosts and jobs cannot be chosen for it");
	gen_job_fini(&j);

	/* Options: hosts and jobs decide, bytes fills in. */
	gen_job_init(&j, 4, 4, 2);
	j.options.hosts = 2;
	j.options.jobs = UINT32_MAX; /* a number as any, not "all" */
	check_result(
		&j, gen_job_form(&j, "ring"),
		"\"ring\" needs 8589934590 hosts (2 for each of 4294967295 jobs), and "
		"the fabric has 8");
	j.options.jobs = 3;
	j.options.bytes = 4096;
	check_result(&j, gen_job_form(&j, "ring:hosts=8"), NULL);
	assert_int_equal(j.p.n_jobs, 3);
	assert_int_equal(j.p.n_conns, 12);
	assert_int_equal(j.p.conns[0].bytes, 4096);
	gen_job_fini(&j);
}

/* Every NIC sends once and receives once, and never to its own host. */
static void test_permutation(void **state)
{
	uint32_t sent[64] = { 0 }, received[64] = { 0 };
	const struct topo_node *nodes;
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 4, 4, 2);
	check_result(&j, gen_job_form(&j, "permutation:seed=3"), NULL);
	nodes = topo_graph_nodes(j.graph);
	assert_true(topo_graph_n_nodes(j.graph) < 64);
	assert_int_equal(j.p.n_conns, 16);
	assert_int_equal(j.p.local_conns, 0);
	for (uint32_t i = 0; i < j.p.n_conns; i++) {
		const struct planner_conn *c = &j.p.conns[i];

		assert_int_equal(sent[c->src_nic]++, 0);
		assert_int_equal(received[c->dst_nic]++, 0);
		assert_int_not_equal(nodes[c->src_nic].parent, nodes[c->dst_nic].parent);
	}
	gen_job_fini(&j);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_accepted, accepted_cases);
	ROWS_ADD(&rows, test_refused, refused_cases);
	rows_add_test(&rows, "a form that is too long", test_too_long);
	rows_add_test(&rows, "more pairs than can be", test_too_many_pairs);
	rows_add_test(&rows, "what is not said", test_defaults);
	rows_add_test(&rows, "a permutation has no fixed point", test_permutation);
	return rows_run(&rows, "planner_job_form");
}
