/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The situations of the demonstration, and how one is worked out.
 */
#include "demo.h"
#include <base/rng.h>
#include <planner/job.h>
#include <planner/solve.h>
#include <topo/generate.h>
#include <string.h>

#define GBPS UINT64_C(1000000000)

/* 16 hosts with 8 NICs, each NIC a 200 Gbit/s port on either plane, in two segments. */
static int make_dual_plane(uint32_t spines, struct topo_graph **ret_g,
			   struct base_err *err)
{
	const struct topo_dual_plane shape = {
		.segments = 2,
		.hosts_per_segment = 8,
		.nics_per_host = 8,
		.spines = spines,
		.port_rate_bps = 200 * GBPS,
	};

	return topo_generate_dual_plane(&shape, ret_g, err);
}

static int make_full(struct topo_graph **ret_g, struct base_err *err)
{
	return make_dual_plane(8, ret_g, err);
}

static int make_half(struct topo_graph **ret_g, struct base_err *err)
{
	return make_dual_plane(4, ret_g, err);
}

static int make_two_tiers(struct topo_graph **ret_g, struct base_err *err)
{
	const struct topo_clos2 shape = {
		.leaves = 16,
		.nics_per_leaf = 8,
		.spines = 8,
		.nic_rate_bps = 200 * GBPS,
	};

	return topo_generate_clos2(&shape, ret_g, err);
}

static int make_three_tiers(struct topo_graph **ret_g, struct base_err *err)
{
	const struct topo_clos3 shape = {
		.pods = 4,
		.leaves = 8,
		.nics_per_leaf = 8,
		.spines = 8,
		.cores_per_spine = 8,
		.nic_rate_bps = 400 * GBPS,
	};

	return topo_generate_clos3(&shape, ret_g, err);
}

#define DUAL_PLANE(spines)                                                               \
	"topo generate dual-plane --segments 2 --hosts-per-segment 8 --spines " spines   \
	" --rate 200G"

const struct demo_case cli_demo_cases[DEMO_CASES] = {
	{
		.id = "full",
		.name = "All uplinks (1:1)",
		.about = "16 hosts with 8 NICs each, every NIC with a 200 Gbit/s port on "
			 "either of two planes; 8 ring jobs of two hosts, one in each "
			 "segment. Every leaf has as many uplinks as NIC ports, so "
			 "nothing "
			 "but the choice of paths can slow a job down.",
		.finding = "Hashing puts several flows on one uplink while others stay "
			   "idle, and a job is as fast as its slowest flow. With one "
			   "queue pair only one port of a NIC sends, which alone costs "
			   "half: one for each port is the fairer comparison.",
		.generate = DUAL_PLANE("8"),
		.job = "ring:hosts=2,jobs=8,placement=spread",
		.qps = 2,
		.make = make_full,
	},
	{
		.id = "half",
		.name = "Half the uplinks (2:1)",
		.about = "The same hosts and jobs with half the spines: two NIC ports "
			 "share an uplink at best, and the fair share is half of line "
			 "rate.",
		.finding =
			"The plan gives every job exactly its fair share; hashing loses "
			"part of that as well.",
		.generate = DUAL_PLANE("4"),
		.job = "ring:hosts=2,jobs=8,placement=spread",
		.qps = 2,
		.make = make_half,
	},
	{
		.id = "dead",
		.name = "One uplink of eight dead",
		.about = "The first situation again, but the cable between leaf0 and "
			 "spine0 "
			 "is dead: leaf0 has seven uplinks left for eight NIC ports.",
		.finding =
			"Eight flows meet seven uplinks. Placed whole, two of them share "
			"one, and their jobs run at half speed. The plan moves some of "
			"their bytes to the other plane by weight, so that less waits.",
		.generate = DUAL_PLANE("8"),
		.job = "ring:hosts=2,jobs=8,placement=spread",
		.down = "leaf0-spine0",
		.qps = 2,
		.make = make_full,
	},
	{
		.id = "pairs",
		.name = "Two tiers, random pairs",
		.about = "128 hosts on 16 leaves and 8 spines, 1:1; each host sends to "
			 "one "
			 "other and receives from one other, drawn at random, with ONE "
			 "queue "
			 "pair for each.",
		.finding = "Greedy, which places one flow after the other, gets stuck "
			   "with two "
			   "flows on one uplink. Colouring proves that one on each is "
			   "possible "
			   "and finds it.",
		.generate =
			"topo generate clos2 --leaves 16 --nics-per-leaf 8 --spines 8 "
			"--rate 200G",
		.job = "permutation",
		.qps = 1,
		.make = make_two_tiers,
	},
	{
		.id = "pods",
		.name = "Three tiers, random hosts",
		.about = "256 hosts in 4 pods of 8 leaves and 8 spines below 64 cores, "
			 "1:1; 16 "
			 "ring jobs of 16 hosts scattered over all pods, with ONE queue "
			 "pair "
			 "for each connection.",
		.finding =
			"Two choices that depend on each other, spine and core, make it "
			"harder still for hashing and for greedy; two colourings solve "
			"it.",
		.generate = "topo generate clos3 --pods 4 --leaves 8 --nics-per-leaf 8 "
			    "--spines 8 --cores-per-spine 8 --rate 400G",
		.job = "ring:hosts=16,jobs=16,placement=random",
		.qps = 1,
		.make = make_three_tiers,
	},
};

static int prepare(struct cli *cli, struct demo_result *res, uint64_t seed)
{
	const struct demo_case *what = res->what;
	const struct planner_job_options options = { .seed = seed };
	struct topo_graph *g = NULL;
	uint32_t link;
	int r = what->make(&g, &cli->err);

	if (r == 0)
		r = cli_fabric_take(cli, g, &res->fabric);
	if (r < 0)
		return r;
	planner_problem_init(&res->problem, res->fabric.graph);
	res->has_planes = topo_graph_n_planes(res->fabric.graph) > 1;
	if (what->down) {
		r = topo_names_link(res->fabric.names, what->down, strlen(what->down),
				    &link, &cli->err);
		if (r < 0)
			return r;
		topo_graph_set_state(res->fabric.graph, link, TOPO_DOWN);
	}
	return planner_job_read(&res->problem, res->fabric.names, what->job, NULL, 0,
				&options, &cli->err);
}

static int work_out(struct cli *cli, struct demo_result *res, uint32_t seeds,
		    uint64_t seed)
{
	const struct planner_solve_options options = { .qps = res->what->qps,
						       .seed = seed };
	struct base_rng rng;
	int r = planner_solve(&res->problem, &options, &res->plan, &cli->err);

	if (r == 0)
		r = cli_worth_of(cli, &res->problem, res->plan, &res->planned);
	if (r == 0)
		r = cli_worth_of_greedy(cli, &res->problem, res->what->qps, &res->greedy);
	if (r == 0)
		r = cli_unplanned_run(cli, &res->problem, CLI_FULL, seeds, seed,
				      &res->unplanned);
	if (r < 0)
		return r;
	base_rng_seed(&rng, seed);
	return planner_ecmp(&res->problem, 1, PLANNER_PLANES_CROSSED, &rng, true,
			    &res->ecmp);
}

int cli_demo_run_case(struct cli *cli, const struct demo_case *what, uint32_t seeds,
		      uint64_t seed, struct demo_result *ret_result)
{
	int r;

	*ret_result = (struct demo_result){ .what = what };
	r = prepare(cli, ret_result, seed);
	if (r == 0)
		r = work_out(cli, ret_result, seeds, seed);
	return r < 0 ? cli_fail(cli, r, what->name) : 0;
}

void cli_demo_fini(struct demo_result *result)
{
	planner_plan_free(result->plan);
	planner_plan_free(result->ecmp);
	planner_problem_fini(&result->problem);
	cli_fabric_fini(&result->fabric);
}
