/* SPDX-License-Identifier: Apache-2.0 */
/* On eight hosts of one NIC: node i is h<i>.nic0. */
#include <unit/rows.h>
#include "job_case.h"

struct accepted {
	const char *name;
	const char *text;
	const char *want;
	const char *assumed; /* an assumption that must be there, or NULL */
};

static struct accepted accepted_cases[] = {
	{ "plain", "Nodes 8\nConnections 2\n0->3 start 0 size 7\n3->0 start 0 size 9\n",
	  "h0.nic0>h3.nic0 7\nh3.nic0>h0.nic0 9\n", NULL },
	{ "no final newline", "Nodes 8\n0->3 start 0 size 7", "h0.nic0>h3.nic0 7\n",
	  NULL },
	{ "CR, blanks, comments and empty lines anywhere",
	  "# a\r\nNodes 8\r\n\r\n# b\r\n0->3 start 0 size 7 \t\r\n\n  # c\n",
	  "h0.nic0>h3.nic0 7\n", NULL },
	{ "options in any order, with id and prio",
	  "Nodes 8\n0->3 size 7 prio 2 id 5 start 0\n", "h0.nic0>h3.nic0 7\n",
	  "priorities" },
	{ "the flag of a fork", "Nodes 8\n0->3 start 0 size 7 addon\n",
	  "h0.nic0>h3.nic0 7\n", NULL },
	{ "a start in picoseconds with a fraction",
	  "Nodes 8\n0->3 start 1000000.5 size 7\n", "h0.nic0>h3.nic0 7\n",
	  "start_times" },
	{ "a start of zero with a fraction", "Nodes 8\n0->3 start 0.000000 size 7\n",
	  "h0.nic0>h3.nic0 7\n", NULL },
	{ "sizes over 32 bits", "Nodes 8\n0->3 start 0 size 4000000000\n",
	  "h0.nic0>h3.nic0 4000000000\n", NULL },
	{ "a flow without end", "Nodes 8\n0->3 start 0 size 0\n",
	  "h0.nic0>h3.nic0 1073741824\n", "bytes" },
	{ "a node to itself is local", "Nodes 8\n2->2 start 0 size 7\n", "", NULL },
	{ "messages on one connection add up",
	  "Nodes 8\nConnections 3\n0->1 id 1 msg start 0 size 5\n"
	  "0->1 id 1 msg 7 start 0 size 6\n0->1 id 2 msg start 0 size 8\n",
	  "h0.nic0>h1.nic0 11\nh0.nic0>h1.nic0 8\n", NULL },
	{ "failures are counted",
	  "Nodes 8\nFailures 1\n0->3 start 0 size 7\n"
	  "failure switch_type TOR switch_id 1 link_id 2\n",
	  "h0.nic0>h3.nic0 7\n", "failures" },
	{ "a chain of triggers is a chain of phases",
	  "Nodes 8\nTriggers 2\ntrigger id 9 oneshot\ntrigger id 4 multishot\n"
	  "0->1 start 0 size 7 send_done_trigger 9\n"
	  "1->2 trigger 9 size 7 recv_done_trigger 4\n2->3 trigger 4 size 7\n",
	  "h0.nic0>h1.nic0 7\nh1.nic0>h2.nic0 7 phase 1\nh2.nic0>h3.nic0 7 phase 2\n",
	  NULL },
	{ "a barrier that waits for all",
	  "Nodes 8\n0->1 start 0 size 7 send_done_trigger 1 recv_done_trigger 1\n"
	  "2->3 start 0 size 7 send_done_trigger 1\n4->5 trigger 1 size 7\n"
	  "trigger id 1 barrier count 2\n",
	  "h0.nic0>h1.nic0 7\nh2.nic0>h3.nic0 7\nh4.nic0>h5.nic0 7 phase 1\n", NULL },
	{ "a trigger that waits for one of two orders nothing",
	  "Nodes 8\n0->1 start 0 size 7 send_done_trigger 1\n2->3 start 0 size 7\n"
	  "4->5 trigger 1 size 7\ntrigger id 1 oneshot\n",
	  "h0.nic0>h1.nic0 7\nh2.nic0>h3.nic0 7\nh4.nic0>h5.nic0 7\n", "phases" },
	{ "nor does a barrier that takes one of each depth",
	  "Nodes 8\n0->1 start 0 size 7 send_done_trigger 1 recv_done_trigger 2\n"
	  "2->3 start 0 size 7 send_done_trigger 1\n"
	  "4->5 trigger 1 size 7 send_done_trigger 2\n5->6 trigger 1 size 7\n"
	  "6->7 trigger 2 size 7\n"
	  "trigger id 1 barrier count 2\ntrigger id 2 barrier count 2\n",
	  "h0.nic0>h1.nic0 7\nh2.nic0>h3.nic0 7\nh4.nic0>h5.nic0 7\n"
	  "h5.nic0>h6.nic0 7\nh6.nic0>h7.nic0 7\n",
	  "phases" },
	{ "nor does a barrier over two depths",
	  "Nodes 8\n0->1 start 0 size 7 send_done_trigger 1 recv_done_trigger 2\n"
	  "2->3 start 0 size 7\n4->5 trigger 1 size 7 send_done_trigger 2\n"
	  "6->7 trigger 2 size 7\n"
	  "trigger id 1 oneshot\ntrigger id 2 barrier count 2\n",
	  "h0.nic0>h1.nic0 7\nh2.nic0>h3.nic0 7\nh4.nic0>h5.nic0 7\n"
	  "h6.nic0>h7.nic0 7\n",
	  "phases" },
};

static void test_accepted(void **state)
{
	const struct accepted *c = *state;
	struct gen_job j;

	gen_job_init(&j, 2, 4, 1);
	check_result(&j, gen_job_text(&j, c->text), NULL);
	check_conns(&j, c->want);
	if (c->assumed)
		assert_non_null(gen_job_assumed(&j, c->assumed));
	else
		assert_int_equal(j.p.n_assumptions, 0);
	gen_job_fini(&j);
}

struct refused {
	const char *name;
	const char *text;
	const char *error;
};

#define N "Nodes 8\n"
#define FLOW "0->1 start 0 size 7\n"

static struct refused refused_cases[] = {
	{ "fewer connections than declared", N "Connections 2\n" FLOW,
	  "f:2: \"Connections 2\", and the file has 1: is it cut short?" },
	{ "more connections than declared", N "Connections 1\n" FLOW FLOW,
	  "f:2: \"Connections 1\", and the file has 2: is it cut short?" },
	{ "fewer triggers than declared", N "Triggers 1\n" FLOW,
	  "f:2: \"Triggers 1\", and the file has 0: is it cut short?" },
	{ "more nodes than NICs", "Nodes 9\n" FLOW,
	  "f:1: 9 nodes, and the fabric has 8 NICs with a link" },
	{ "no nodes", "Connections 1\n" FLOW,
	  "f: no line \"Nodes N\" in a connection matrix" },
	{ "nodes twice", N N, "f:2:1: \"Nodes\" twice, first in line 1" },
	{ "nodes of no number", "Nodes many\n", NULL },
	{ "nodes of two numbers", "Nodes 8 9\n",
	  "f:1:9: unexpected \"9\" at the end of the line" },
	{ "a node past the end", N "0->8 start 0 size 7\n",
	  "f:2:4: node 8, and line 1 says \"Nodes 8\"; they count from 0" },
	{ "a node past an end that comes later", "0->8 start 0 size 7\n" N,
	  "f:1: a node that \"Nodes\" does not have" },
	{ "an arrow to nowhere", N "0-> start 0 size 7\n",
	  "f:2:1: a connection has a node on both sides: expected 0->13, not \"0->\"" },
	{ "a node of no number", N "a->1 start 0 size 7\n", NULL },
	{ "no size", N "0->1 start 0\n",
	  "f:2:1: a connection needs its \"size\" in bytes" },
	{ "neither start nor trigger", N "0->1 size 7\n",
	  "f:2:1: a connection has one of \"start\" and \"trigger\", and this has "
	  "neither" },
	{ "both start and trigger", N "0->1 size 7 start 0 trigger 1\n",
	  "f:2:1: a connection has one of \"start\" and \"trigger\", and this has both" },
	{ "a word with a slip", N "0->1 strat 0 size 7\n",
	  "f:2:6: unknown word \"strat\"; did you mean \"start\"?" },
	{ "a word from nowhere", N "0->1 colour 0 size 7\n",
	  "f:2:6: unknown word \"colour\" in a connection: expected start, size, id, "
	  "trigger or prio" },
	{ "a word twice", N "0->1 start 0 start 0 size 7\n",
	  "f:2:14: \"start\" twice in one connection" },
	{ "a word without value", N "0->1 start 0 size\n",
	  "f:2:14: \"size\" needs a value after it" },
	{ "a start that is no time", N "0->1 start now size 7\n",
	  "f:2:12: \"start\" must be a time in picoseconds, not \"now\"" },
	{ "a start of two points", N "0->1 start 1.2.3 size 7\n",
	  "f:2:12: \"start\" must be a time in picoseconds, not \"1.2.3\"" },
	{ "a size that is no number", N "0->1 start 0 size 7k\n", NULL },
	{ "a size beyond the ceiling", N "0->1 start 0 size 1152921504606846977\n",
	  "f:2:19: \"size\" is 1152921504606846977, the ceiling is "
	  "1152921504606846976" },
	{ "messages with other ends",
	  N "0->1 id 1 msg start 0 size 5\n0->2 id 1 msg start 0 size 5\n",
	  "f:3:9: connection 1 of line 2 has other ends" },
	{ "messages with more bytes than can be",
	  N "0->1 id 1 msg start 0 size 1152921504606846976\n0->1 id 1 msg start 0 size "
	    "5\n",
	  "f:3:9: connection 1 has more than 1152921504606846976 bytes in all" },
	{ "a trigger without definition", N "0->1 trigger 3 size 7\n",
	  "f:2: trigger 3 is not defined: expected a line \"trigger id 3 oneshot\"" },
	{ "a trigger defined twice",
	  N FLOW "trigger id 3 oneshot\ntrigger id 3 oneshot\n", NULL },
	{ "a trigger that nobody fires",
	  N "0->1 trigger 3 size 7\ntrigger id 3 oneshot\n",
	  "f:2: this connection never starts: trigger 3 is fired 0 times and needs 1" },
	{ "triggers in a circle",
	  N "0->1 trigger 1 size 7 send_done_trigger 2\n"
	    "1->0 trigger 2 size 7 send_done_trigger 1\n"
	    "trigger id 1 oneshot\ntrigger id 2 oneshot\n",
	  "f:2: this connection never starts: trigger 1 is fired 0 times and needs 1" },
	{ "a barrier that waits for more than come",
	  N "0->1 start 0 size 7 send_done_trigger 1\n2->3 trigger 1 size 7\n"
	    "trigger id 1 barrier count 2\n",
	  "f:3: this connection never starts: trigger 1 is fired 1 times and needs 2" },
	{ "trigger 0", N "0->1 trigger 0 size 7\n",
	  "f:2:1: triggers are numbered from 1" },
	{ "a trigger of no kind", N FLOW "trigger id 1\n",
	  "f:3:1: a trigger has an id above 0 and is one of oneshot, multishot and "
	  "barrier: expected trigger id 1 oneshot" },
	{ "a trigger of two kinds", N FLOW "trigger id 1 oneshot barrier\n", NULL },
	{ "an unknown word in a trigger", N FLOW "trigger id 1 twoshot\n", NULL },
	{ "an unknown word in a failure", N FLOW "failure link 1\n",
	  "f:3:9: unknown word \"link\" in a failure: expected switch_type, switch_id "
	  "or link_id" },
	{ "a line of another format", N "hello\n",
	  "f:2:1: expected Nodes, Connections, Triggers, a connection (0->13 start 0 "
	  "size 2000000) or a trigger, not \"hello\"" },
	{ "no nodes at all", "Nodes 0\n" FLOW,
	  "f:2:1: node 0, and line 1 says \"Nodes 0\"; they count from 0" },
};

static void test_refused(void **state)
{
	const struct refused *c = *state;
	struct gen_job j;
	int r;

	gen_job_init(&j, 2, 4, 1);
	r = gen_job_text(&j, c->text);
	if (c->error) {
		check_result(&j, r, c->error);
	} else {
		assert_true(r < 0);
		assert_int_not_equal(j.err.line, 0);
		assert_true(gen_job_is_empty(&j));
	}
	gen_job_fini(&j);
}

static void test_options(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 4, 1);
	j.options.hosts = 4;
	check_result(&j, gen_job_text(&j, N FLOW),
		     "f: a connection matrix names its NICs itself: hosts and jobs "
		     "cannot be chosen for it");
	gen_job_fini(&j);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_accepted, accepted_cases);
	ROWS_ADD(&rows, test_refused, refused_cases);
	rows_add_test(&rows, "hosts cannot be chosen", test_options);
	return rows_run(&rows, "planner_job_cm");
}
