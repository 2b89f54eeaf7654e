/* SPDX-License-Identifier: Apache-2.0 */
/* Reading jobs: one case for each source, and each way of building. */
#include "oom.h"
#include <gen/jobs.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define OTHER_ERROR 1 /* what no function may return: the sweep reports it */

/* Built before the sweep begins; readings borrow its fabric. */
static struct gen_job base;

/* @text NULL: @name is a short form. */
static int run(const char *name, const char *text)
{
	struct planner_job_options options = { .reverse_ppm = 1000, .gpus = 2 };
	struct base_err err = { 0 };
	struct planner_problem p;
	int r;

	planner_problem_init(&p, base.graph);
	r = planner_job_read(&p, base.names, name, text, text ? strlen(text) : 0,
			     &options, &err);
	if (r < 0 && (p.n_conns || p.n_jobs || p.n_assumptions || err.code != r ||
		      !err.message[0]))
		r = OTHER_ERROR;
	planner_problem_fini(&p);
	return r;
}

static int run_ring(void)
{
	return run("ring:hosts=4,jobs=2", NULL);
}

static int run_tree(void)
{
	return run("tree:placement=spread", NULL);
}

static int run_steps(void)
{
	return run("halving-doubling:hosts=4,jobs=2", NULL);
}

static int run_permutation(void)
{
	return run("permutation", NULL);
}

static int run_mix(void)
{
	return run("mix:bytes=1GB", NULL);
}

static int run_p2p(void)
{
	return run("p2p:from=h0.nic0,to=h1.nic0", NULL);
}

static int run_json(void)
{
	return run("f", "{\"schema\": \"fairlead.job.v1\", \"jobs\": [{}, {"
			"\"ranks\": [\"h0.nic0\", {\"nic\": \"h1.nic0\"}],"
			"\"groups\": [{\"kind\": \"dp\", \"members\": [0, 1]},"
			" {\"kind\": \"dp\", \"members\": [1, 0]}],"
			"\"collectives\": [{\"what\": \"all-reduce\"},"
			" {\"groups\": \"dp\", \"what\": \"send\", \"bytes\": 5}],"
			"\"connections\": [{\"from\": 0, \"to\": \"h2.nic1\"}]}]}");
}

static int run_cm(void)
{
	return run("f", "Nodes 16\nTriggers 1\n"
			"0->1 id 1 msg start 0 size 5 prio 1\n"
			"0->1 id 1 msg start 7 size 5\n"
			"2->3 start 0 size 0 send_done_trigger 1\n"
			"3->4 trigger 1 size 5\ntrigger id 1 oneshot\n");
}

static int run_simai(void)
{
	return run("f", "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 pp: 2 x: 7\n1\n"
			"a -1 1 ALLTOALL_EP 5 1 ALLREDUCE 5 1 ALLREDUCE 5 1\n");
}

static int run_aicb(void)
{
	return run("f", "comm_type,comm_group,msg_size,stage\n"
			"all_reduce,dp_group,5,init\n"
			"all_reduce,dp_group,5,step\nepoch_end,None,0,\n"
			"all_reduce,dp_group,5,step\nepoch_end,None,0,\n");
}

static const struct oom_case cases[] = {
	{ "jobs of rings, placed at random", run_ring },
	{ "a tree, spread", run_tree },
	{ "steps of several jobs, taken as one phase", run_steps },
	{ "a permutation", run_permutation },
	{ "a mix", run_mix },
	{ "one connection", run_p2p },
	{ "a document", run_json },
	{ "a connection matrix with triggers", run_cm },
	{ "a workload", run_simai },
	{ "a log", run_aicb },
};

int main(void)
{
	int r;

	gen_job_init(&base, 4, 4, 2);
	r = oom_main(cases, BASE_COUNT(cases));
	gen_job_fini(&base);
	return r;
}
