/* SPDX-License-Identifier: Apache-2.0 */
/* Seen through short forms: where the hosts of a job end up. */
#include <unit/rows.h>
#include "job_case.h"

#include <topo/generate.h>

/* A chain over all hosts shows their order. */
static void check_order(struct gen_job *j, const char *form, const char *want)
{
	struct base_str text;

	base_str_init(&text, 0);
	check_result(j, gen_job_form(j, form), NULL);
	for (uint32_t i = 0; i < j->p.n_conns; i++) {
		if (i > 0)
			base_str_add_char(&text, ' ');
		topo_name_node(j->graph, j->p.conns[i].src_nic, &text);
	}
	assert_string_equal(base_str_text(&text), want);
	base_str_fini(&text);
}

static void test_packed(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 2, 1);
	check_order(&j, "ring:placement=packed", "h0.nic0 h1.nic0 h2.nic0 h3.nic0");
	gen_job_fini(&j);
}

static void test_spread_over_leaves(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 3, 2, 1);
	check_order(&j, "ring:placement=spread",
		    "h0.nic0 h2.nic0 h4.nic0 h1.nic0 h3.nic0 h5.nic0");
	gen_job_fini(&j);
}

static void test_spread_over_pods(void **state)
{
	struct topo_clos3 shape = {
		.pods = 2,
		.leaves = 2,
		.nics_per_leaf = 2,
		.spines = 1,
		.cores_per_spine = 1,
		.nic_rate_bps = 1000,
	};
	struct topo_graph *g;
	struct gen_job j;

	(void)state;
	assert_int_equal(topo_generate_clos3(&shape, &g, NULL), 0);
	gen_job_init_on(&j, g);
	/* Pods first (h0-h3, h4-h7), then their leaves. */
	check_order(&j, "ring:placement=spread",
		    "h0.nic0 h4.nic0 h2.nic0 h6.nic0 h1.nic0 h5.nic0 h3.nic0 h7.nic0");
	gen_job_fini(&j);
}

/* The seed of the form, or else of the options, and nothing else. */
static void test_random(void **state)
{
	static const char *const forms[] = { "ring:placement=random,seed=5",
					     "ring:placement=random,seed=5",
					     "ring:placement=random,seed=6",
					     "ring:placement=random" };
	uint64_t seen[4];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct gen_job j;

		gen_job_init(&j, 4, 16, 1);
		j.options.seed = 6;
		check_result(&j, gen_job_form(&j, forms[i]), NULL);
		seen[i] = planner_problem_fingerprint(&j.p);
		gen_job_fini(&j);
	}
	assert_true(seen[0] == seen[1]);
	assert_true(seen[1] != seen[2]);
	assert_true(seen[2] == seen[3]);
}

static void add_link(struct topo_graph *g, uint32_t nic, uint32_t leaf)
{
	struct topo_link link = { nic,	     leaf,	1000,	   0,
				  TOPO_NONE, TOPO_NONE, TOPO_NONE, TOPO_UP };

	assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
}

/* NICs go by rail, those without a link and hosts without any are left out. */
static void test_odd_hosts(void **state)
{
	static const char *const hosts[] = { "a", "b", "c" };
	struct topo_graph *g = topo_graph_new();
	uint32_t leaf, host, nic;
	struct gen_job j;

	(void)state;
	assert_non_null(g);
	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, "s", 1, 1, TOPO_NONE,
					       TOPO_NONE, TOPO_NONE, &leaf, NULL),
			 0);
	for (uint32_t h = 0; h < 3; h++) {
		assert_int_equal(topo_graph_add_host(g, TOPO_NONE, hosts[h], 1, TOPO_NONE,
						     &host, NULL),
				 0);
		for (uint32_t i = 0; i < 3; i++) {
			char name[] = { 'n', (char)('0' + i) };

			/* rails 2, 1, 0 */
			assert_int_equal(
				topo_graph_add_nic(g, host, name, 2, 2 - i, &nic, NULL),
				0);
			if (h != 1 && !(h == 2 && i == 2))
				add_link(g, nic, leaf);
		}
	}
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	gen_job_init_on(&j, g);
	check_result(&j, gen_job_form(&j, "ring:bytes=10"), NULL);
	/* a has n2, n1, n0 and c has n1, n0: two rings. */
	check_conns(&j, "a.n2>c.n1 10\nc.n1>a.n2 10\na.n1>c.n0 10\nc.n0>a.n1 10\n");
	assert_string_equal(gen_job_assumed(&j, "nics"), "2");
	gen_job_fini(&j);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "packed is the order of the fabric", test_packed);
	rows_add_test(&rows, "spread takes leaves in turn", test_spread_over_leaves);
	rows_add_test(&rows, "spread takes pods in turn, then leaves",
		      test_spread_over_pods);
	rows_add_test(&rows, "random follows the seed", test_random);
	rows_add_test(&rows, "odd hosts: rails, NICs without links", test_odd_hosts);
	return rows_run(&rows, "planner_job_place");
}
