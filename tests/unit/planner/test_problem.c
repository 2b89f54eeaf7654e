/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <errno.h>
#include <gen/jobs.h>
#include <planner/job.h>
#include <planner/problem.h>
#include <string.h>

#define BYTES_1G 1000000000u
#define RATE_BPS 400000000000u

static uint32_t nic(const struct gen_job *j, const char *name)
{
	uint32_t node = topo_graph_find(j->graph, name, strlen(name));

	assert_int_not_equal(node, TOPO_NONE);
	return node;
}

static struct planner_conn conn_of(const struct gen_job *j, const char *from,
				   const char *to, uint64_t bytes)
{
	struct planner_conn c = { nic(j, from), nic(j, to), 0, 0, bytes, TOPO_NONE };

	return c;
}

/* Connections that are refused: a good one with one thing wrong. */
struct refused {
	const char *name;
	const char *from, *to;
	struct planner_conn change; /* job, phase, bytes, plane */
	const char *message;
};

static struct refused refused_cases[] = {
	{ "an end that is a switch",
	  "leaf0",
	  "h1.nic0",
	  { 0, 0, 0, 0, 1, TOPO_NONE },
	  NULL },
	{ "an end that is a host", "h0.nic0", "h1", { 0, 0, 0, 0, 1, TOPO_NONE }, NULL },
	{ "from a NIC to itself",
	  "h0.nic0",
	  "h0.nic0",
	  { 0, 0, 0, 0, 1, TOPO_NONE },
	  "a connection from a NIC to itself" },
	{ "a job that is not there",
	  "h0.nic0",
	  "h1.nic0",
	  { 0, 0, 1, 0, 1, TOPO_NONE },
	  "a connection of job 1, and there are 1" },
	{ "a phase over the ceiling",
	  "h0.nic0",
	  "h1.nic0",
	  { 0, 0, 0, PLANNER_PHASES_MAX, 1, TOPO_NONE },
	  "phase 1024 is over the ceiling: phases are 0 to 1023" },
	{ "no bytes",
	  "h0.nic0",
	  "h1.nic0",
	  { 0, 0, 0, 0, 0, TOPO_NONE },
	  "a connection carries 1 to 1152921504606846976 bytes, not 0" },
	{ "too many bytes",
	  "h0.nic0",
	  "h1.nic0",
	  { 0, 0, 0, 0, PLANNER_BYTES_MAX + 1, TOPO_NONE },
	  "a connection carries 1 to 1152921504606846976 bytes, not "
	  "1152921504606846977" },
	{ "a plane that is not there",
	  "h0.nic0",
	  "h1.nic0",
	  { 0, 0, 0, 0, 1, 1 },
	  "plane 1, and the fabric's planes are 0 to 0" },
};

static void test_refused(void **state)
{
	const struct refused *c = *state;
	struct planner_conn conn = c->change;
	struct base_err err = { 0 };
	struct gen_job j;

	gen_job_init(&j, 2, 4, 2);
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	conn.src_nic = nic(&j, c->from);
	conn.dst_nic = nic(&j, c->to);
	assert_int_equal(planner_problem_add_conn(&j.p, &conn, &err), -BASE_E_INVALID);
	if (c->message)
		assert_string_equal(err.message, c->message);
	assert_int_equal(j.p.n_conns, 0);
	assert_int_equal(j.p.n_phases, 0);
	assert_int_equal(j.p.local_conns, 0);
	gen_job_fini(&j);
}

static void test_node_past_the_end(void **state)
{
	struct planner_conn conn = { UINT32_MAX, 0, 0, 0, 1, TOPO_NONE };
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 4, 2);
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	assert_int_equal(planner_problem_add_conn(&j.p, &conn, NULL), -BASE_E_INVALID);
	gen_job_fini(&j);
}

static void test_local(void **state)
{
	struct planner_conn conn;
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 4, 2);
	conn = conn_of(&j, "h0.nic0", "h0.nic1", 7);
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	assert_int_equal(planner_problem_add_conn(&j.p, &conn, NULL), 0);
	assert_int_equal(planner_problem_add_conn(&j.p, &conn, NULL), 0);
	assert_int_equal(j.p.n_conns, 0);
	assert_int_equal(j.p.local_conns, 2);
	assert_int_equal(j.p.local_bytes, 14);
	gen_job_fini(&j);
}

/* As many as are counted, and one more: inside a host, or inside a NIC. */
static void test_too_many_local(void **state)
{
	struct planner_conn conn;
	struct base_err err = { 0 };
	struct gen_job j;
	uint32_t nics[2];

	(void)state;
	gen_job_init(&j, 2, 4, 2);
	conn = conn_of(&j, "h0.nic0", "h0.nic1", 7);
	nics[0] = nics[1] = conn.src_nic;
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	j.p.local_conns = PLANNER_LOCAL_CONNS_MAX - 1;
	assert_int_equal(planner_problem_add_conn(&j.p, &conn, &err), 0);
	assert_int_equal(planner_problem_add_conn(&j.p, &conn, &err), -BASE_E_TOO_LARGE);
	assert_string_equal(err.message, "more than 256000000 connections inside hosts");
	assert_int_equal(planner_job_expand(&j.p, 0, PLANNER_SEND, PLANNER_AUTO, nics, 2,
					    7, 0, NULL, NULL),
			 -BASE_E_TOO_LARGE);
	assert_int_equal(j.p.local_conns, PLANNER_LOCAL_CONNS_MAX);
	assert_int_equal(j.p.local_bytes, 7);
	gen_job_fini(&j);
}

static void add(struct gen_job *j, const char *from, const char *to, uint64_t bytes,
		uint32_t phase)
{
	struct planner_conn conn = conn_of(j, from, to, bytes);

	conn.phase = phase;
	assert_int_equal(planner_problem_add_conn(&j->p, &conn, NULL), 0);
}

static void check_reference(const struct gen_job *j, uint64_t want_bytes,
			    uint64_t want_rate_bps)
{
	uint64_t bytes = 1, rate_bps = 1;

	assert_int_equal(planner_problem_reference(&j->p, &bytes, &rate_bps), 0);
	assert_int_equal(bytes, want_bytes);
	assert_int_equal(rate_bps, want_rate_bps);
}

static void test_reference(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 4, 2);
	check_reference(&j, 0, 1);
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	add(&j, "h0.nic0", "h1.nic0", 3 * BYTES_1G, 0);
	check_reference(&j, 3 * (uint64_t)BYTES_1G, RATE_BPS);
	/* What one NIC receives adds up, what different phases send does not. */
	add(&j, "h2.nic0", "h1.nic0", 2 * BYTES_1G, 0);
	check_reference(&j, 5 * (uint64_t)BYTES_1G, RATE_BPS);
	add(&j, "h0.nic0", "h3.nic0", 4 * (uint64_t)BYTES_1G, 2);
	check_reference(&j, 5 * (uint64_t)BYTES_1G, RATE_BPS);
	add(&j, "h0.nic0", "h2.nic0", 2 * (uint64_t)BYTES_1G, 2);
	check_reference(&j, 6 * (uint64_t)BYTES_1G, RATE_BPS);
	/* Nor do phases that follow each other. */
	add(&j, "h0.nic0", "h1.nic0", 1 * (uint64_t)BYTES_1G, 1);
	check_reference(&j, 6 * (uint64_t)BYTES_1G, RATE_BPS);
	assert_int_equal(j.p.n_phases, 3);
	gen_job_fini(&j);
}

/* Two links of one NIC make it twice as fast. */
static void test_reference_counts_links(void **state)
{
	struct topo_graph *g = topo_graph_new();
	struct topo_link link = { .rate_bps = 100,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE };
	uint32_t hosts[3], nics[3], leaf;
	struct gen_job j;

	(void)state;
	assert_non_null(g);
	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, "s", 1, 1, TOPO_NONE,
					       TOPO_NONE, TOPO_NONE, &leaf, NULL),
			 0);
	for (uint32_t i = 0; i < 3; i++) {
		char name[] = { (char)('a' + i) };

		assert_int_equal(topo_graph_add_host(g, TOPO_NONE, name, 1, TOPO_NONE,
						     &hosts[i], NULL),
				 0);
		assert_int_equal(topo_graph_add_nic(g, hosts[i], "n", 1, TOPO_NONE,
						    &nics[i], NULL),
				 0);
		link.a = nics[i];
		link.b = leaf;
		for (uint32_t k = 0; k < i; k++)
			assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
	}
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	gen_job_init_on(&j, g);
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	/* a.n has no link, so that only what c.n receives counts. */
	add(&j, "a.n", "c.n", 5, 0);
	check_reference(&j, 5, 200);
	add(&j, "c.n", "b.n", 3, 0);
	check_reference(&j, 3, 100);
	gen_job_fini(&j);
}

static void test_reverse(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 4, 2);
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	add(&j, "h0.nic0", "h1.nic1", 1000, 0);
	add(&j, "h1.nic0", "h2.nic0", 1, 3);
	assert_int_equal(planner_problem_add_reverse(&j.p, 1000001, NULL),
			 -BASE_E_INVALID);
	assert_int_equal(planner_problem_add_reverse(&j.p, 0, NULL), 0);
	assert_int_equal(j.p.n_conns, 2);
	assert_int_equal(planner_problem_add_reverse(&j.p, 20000, NULL), 0);
	assert_int_equal(j.p.n_conns, 4);
	assert_int_equal(j.p.conns[2].src_nic, nic(&j, "h1.nic1"));
	assert_int_equal(j.p.conns[2].dst_nic, nic(&j, "h0.nic0"));
	assert_int_equal(j.p.conns[2].bytes, 20);
	assert_int_equal(j.p.conns[3].bytes, 1);
	assert_int_equal(j.p.conns[3].phase, 3);
	gen_job_fini(&j);
}

static void test_assume(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 4, 2);
	assert_int_equal(planner_problem_assume(&j.p, "a", "1", "why"), 0);
	assert_int_equal(planner_problem_assume(&j.p, "a", "1", "other words"), 0);
	assert_int_equal(planner_problem_assume(&j.p, "a", "2", "why"), 0);
	assert_int_equal(j.p.n_assumptions, 2);
	assert_string_equal(j.p.assumptions[0].reason, "why");
	assert_string_equal(j.p.assumptions[1].value, "2");
	gen_job_fini(&j);
}

/* Each change alone changes the fingerprint; doing the same again does not. */
static void test_fingerprint(void **state)
{
	uint64_t seen[6];
	struct gen_job j;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		gen_job_init(&j, 2, 4, 2);
		assert_int_equal(planner_problem_add_job(&j.p, i == 1 ? "b" : "a", NULL),
				 0);
		add(&j, "h0.nic0", i == 2 ? "h1.nic1" : "h1.nic0", i == 3 ? 2 : 1,
		    i == 4);
		seen[i] = planner_problem_fingerprint(&j.p);
		for (size_t k = 0; k < i; k++)
			assert_true((seen[k] == seen[i]) == (i == 5 && k == 0));
		gen_job_fini(&j);
	}
}

static void test_fini_empties(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 4, 2);
	assert_int_equal(planner_problem_add_job(&j.p, "a", NULL), 0);
	add(&j, "h0.nic0", "h1.nic0", 1, 0);
	planner_problem_fini(&j.p);
	assert_true(gen_job_is_empty(&j));
	assert_ptr_equal(j.p.graph, j.graph);
	gen_job_fini(&j);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_refused, refused_cases);
	rows_add_test(&rows, "a node past the end is refused", test_node_past_the_end);
	rows_add_test(&rows, "NICs of one host are local", test_local);
	rows_add_test(&rows, "more local connections than are counted",
		      test_too_many_local);
	rows_add_test(&rows, "the reference is the busiest NIC's", test_reference);
	rows_add_test(&rows, "all links of a NIC count", test_reference_counts_links);
	rows_add_test(&rows, "reverse traffic comes after", test_reverse);
	rows_add_test(&rows, "an assumption is kept once", test_assume);
	rows_add_test(&rows, "the fingerprint sees every part", test_fingerprint);
	rows_add_test(&rows, "fini leaves an empty problem", test_fini_empties);
	return rows_run(&rows, "planner_problem");
}
