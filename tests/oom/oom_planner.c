/* SPDX-License-Identifier: Apache-2.0 */
#include "oom.h"
#include <base/compiler.h>
#include <gen/traffic.h>
#include <planner/baseline.h>
#include <planner/evaluate.h>
#include <topo/generate.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define OTHER_ERROR 1 /* what no function may return: the sweep reports it */
#define RATE 100000000000

/* Built before the sweep begins. */
static struct topo_graph *clos, *mesh;
static struct planner_problem on_clos, on_mesh;
static struct planner_plan *plan;

static const uint32_t first[] = { 0, 2, 3, 4 };
static const uint32_t hops[] = { 0, 1, 0, 1 };
static const uint64_t capacity_bps[] = { RATE, 2 * RATE };
static const struct planner_flows flows = { 3, first, hops };

static int run_maxmin(void)
{
	uint64_t rates_bps[3] = { 7, 7, 7 };
	int r = planner_maxmin(&flows, capacity_bps, 2, rates_bps);

	return r < 0 && rates_bps[0] != 7 ? OTHER_ERROR : r;
}

static int run_completion(void)
{
	static const uint64_t bytes[] = { 1000, 2000, 4000 };
	uint64_t ends_ns[3] = { 7, 7, 7 };
	int r = planner_completion(&flows, bytes, capacity_bps, 2, ends_ns);

	return r < 0 && ends_ns[0] != 7 ? OTHER_ERROR : r;
}

static int run_evaluate(void)
{
	struct planner_busbw busbw = { .mean_ppm = 7 };
	int r = planner_evaluate(&on_clos, plan, PLANNER_BY_SPEED, &busbw, NULL);

	return r < 0 && busbw.mean_ppm != 7 ? OTHER_ERROR : r;
}

/* Hands a plan back, or checks that there is none. */
static int drop(int r, struct planner_plan *made)
{
	if (r < 0)
		return made ? OTHER_ERROR : r;
	planner_plan_free(made);
	return r;
}

static int run_ecmp(const struct planner_problem *p)
{
	struct planner_plan *made = NULL;
	struct base_rng rng;
	int r;

	base_rng_seed(&rng, 1);
	r = planner_ecmp(p, 2, PLANNER_PLANES_CROSSED, &rng, true, &made);
	return drop(r, made);
}

static int run_ecmp_clos(void)
{
	return run_ecmp(&on_clos);
}

static int run_ecmp_mesh(void)
{
	return run_ecmp(&on_mesh);
}

static int run_greedy(const struct planner_problem *p)
{
	struct planner_plan *made = NULL;
	int r = planner_greedy(p, 2, &made);

	return drop(r, made);
}

static int run_greedy_clos(void)
{
	return run_greedy(&on_clos);
}

static int run_greedy_mesh(void)
{
	return run_greedy(&on_mesh);
}

static int run_sweep(void)
{
	static const uint32_t qps[] = { 1, 2 };
	struct planner_sweep_options options = {
		.qps = qps, .n_qps = 2, .seeds = 2, .loads = true
	};
	struct planner_setting settings[8] = { { .qps = 77 } };
	int r = planner_sweep(&on_clos, &options, settings, 8);

	if (r < 0)
		return settings[0].qps != 77 ? OTHER_ERROR : r;
	return r == 8 ? 0 : OTHER_ERROR;
}

static const struct oom_case cases[] = {
	{ "max-min rates", run_maxmin },
	{ "completion times", run_completion },
	{ "evaluating a plan", run_evaluate },
	{ "ECMP on a Clos", run_ecmp_clos },
	{ "ECMP path by path", run_ecmp_mesh },
	{ "greedy on a Clos", run_greedy_clos },
	{ "greedy path by path", run_greedy_mesh },
	{ "a sweep over settings", run_sweep },
};

/* Four leaves in a row, a NIC on each: no Clos, as leaves are joined to leaves. */
static int build_mesh(void)
{
	uint32_t switches[4], host, nic, job, link;

	mesh = topo_graph_new();
	if (!mesh)
		return -ENOMEM;
	for (uint32_t i = 0; i < 4; i++) {
		char name[] = { 's', (char)('0' + i) };
		struct topo_link l = { .rate_bps = RATE,
				       .port_a = TOPO_NONE,
				       .port_b = TOPO_NONE,
				       .address = TOPO_NONE };

		if (topo_graph_add_switch(mesh, TOPO_NONE, name, 2, 1, TOPO_NONE,
					  TOPO_NONE, TOPO_NONE, &switches[i], NULL) < 0)
			return -EINVAL;
		name[0] = 'h';
		if (topo_graph_add_host(mesh, TOPO_NONE, name, 2, TOPO_NONE, &host,
					NULL) < 0 ||
		    topo_graph_add_nic(mesh, host, "n", 1, TOPO_NONE, &nic, NULL) < 0)
			return -EINVAL;
		l.a = nic;
		l.b = switches[i];
		if (topo_graph_add_link(mesh, &l, &link, NULL) < 0)
			return -EINVAL;
		l.a = switches[i ? i - 1 : 0];
		if (i > 0 && topo_graph_add_link(mesh, &l, &link, NULL) < 0)
			return -EINVAL;
	}
	if (topo_graph_seal(mesh, NULL) < 0)
		return -EINVAL;
	planner_problem_init(&on_mesh, mesh);
	job = gen_traffic_job(&on_mesh);
	for (uint32_t i = 0; i < 4; i++)
		gen_traffic_conn(&on_mesh, gen_traffic_nic(mesh, i, 0),
				 gen_traffic_nic(mesh, (i + 1) % 4, 0), job, 0, 1000);
	return 0;
}

static int build(void)
{
	struct topo_clos3 shape = { 2, 2, 2, 2, 2, .planes = 2, .nic_rate_bps = RATE };
	int r = topo_generate_clos3(&shape, &clos, NULL);

	if (r < 0)
		return r;
	planner_problem_init(&on_clos, clos);
	gen_traffic_rings(&on_clos, 4, 1000);
	r = planner_greedy(&on_clos, 2, &plan);
	return r < 0 ? r : build_mesh();
}

int main(void)
{
	int status;

	if (build() < 0) {
		puts("cannot build what the sweep works on");
		return 1;
	}
	status = oom_main(cases, BASE_COUNT(cases));
	planner_plan_free(plan);
	planner_problem_fini(&on_clos);
	planner_problem_fini(&on_mesh);
	topo_graph_free(clos);
	topo_graph_free(mesh);
	return status;
}
