/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead plan evaluate
 */
#include "commands.h"
#include "plan.h"
#include <errno.h>

const struct base_opt cli_plan_evaluate_options[] = {
	CLI_FABRIC_OPTION,
	{ .name = "plan",
	  .kind = BASE_OPT_FILE,
	  .value = "PLAN",
	  .help = "a plan, instead of --job" },
	CLI_JOB_OPTIONS,
	CLI_DOWN_OPTION,
	CLI_SEED_OPTION,
	{ .name = "seeds",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "random draws of each unplanned setting",
	  .min = 1,
	  .max = 1000000,
	  .fallback = "200" },
	{ .name = "qps",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "QPs of each connection for greedy (default: as the plan has, else 1)",
	  .min = 1,
	  .max = PLANNER_QPS_MAX },
	{ 0 },
};

struct evaluation {
	struct cli *cli;
	const struct base_opt_values *v;
	struct cli_fabric fabric;
	struct planner_problem problem;
	struct planner_plan *plan; /* NULL: only jobs were given */
	struct cli_unplanned unplanned;
	struct cli_worth planned, greedy;
};

static int check_options(struct evaluation *e)
{
	bool has_plan = base_opt_is_given(e->v, "plan");
	bool has_job = base_opt_is_given(e->v, "job");

	if (has_plan && has_job)
		return cli_usage(
			e->cli,
			"--plan carries its own jobs: give either --plan or --job");
	if (!has_plan && !has_job)
		return cli_usage(
			e->cli,
			"\"fairlead plan evaluate\" needs --plan PLAN or --job JOB");
	return 0;
}

static int read_inputs(struct evaluation *e)
{
	const char *plan = base_opt_string(e->v, "plan");
	int r = cli_fabric_open(e->cli, base_opt_string(e->v, "fabric"), &e->fabric);

	if (r < 0)
		return r;
	planner_problem_init(&e->problem, e->fabric.graph);
	r = cli_fabric_take_down(e->cli, &e->fabric, e->v);
	if (r < 0)
		return r;
	if (!plan)
		return cli_jobs_read(e->cli, &e->fabric, e->v, &e->problem);
	r = cli_plan_read(e->cli, &e->fabric, plan, &e->problem, &e->plan);
	if (r == 0)
		r = cli_plan_check_alive(e->cli, plan, &e->problem, e->plan);
	return r;
}

static int evaluate(struct evaluation *e)
{
	uint32_t qps = (uint32_t)base_opt_number(e->v, "qps");
	int r = 0;

	if (e->plan)
		r = cli_worth_of(e->cli, &e->problem, e->plan, &e->planned);
	if (qps == 0)
		qps = e->planned.qps > 0 ? e->planned.qps : 1;
	if (r == 0)
		r = cli_worth_of_greedy(e->cli, &e->problem, qps, &e->greedy);
	if (r == 0)
		r = cli_unplanned_run(e->cli, &e->problem, CLI_FULL,
				      (uint32_t)base_opt_number(e->v, "seeds"),
				      base_opt_number(e->v, "seed"), &e->unplanned);
	return r;
}

static int show(struct evaluation *e, struct base_out *o)
{
	bool planes = topo_graph_n_planes(e->fabric.graph) > 1;

	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "schema", NULL, "fairlead.plan-evaluate.v1");
	base_out_bool(o, "fabric_matches", NULL, !e->fabric.has_other_plan);
	base_out_string(o, "fabric", "fabric", e->fabric.file);
	base_out_number(o, "links_taken_down", e->fabric.n_down > 0 ? "links down" : NULL,
			e->fabric.n_down, BASE_OUT_COUNT);
	base_out_number(o, "jobs", "jobs", e->problem.n_jobs, BASE_OUT_COUNT);
	base_out_number(o, "connections", "connections", e->problem.n_conns,
			BASE_OUT_COUNT);
	cli_show_settings(&e->unplanned, "without a plan", planes, o);
	cli_show_ways(&e->unplanned, &e->greedy, e->plan ? &e->planned : NULL, planes, o);
	if (e->plan) {
		cli_show_gains(&e->unplanned, &e->greedy, &e->planned, planes, o);
		cli_tell_gains(&e->unplanned, &e->greedy, &e->planned, o);
	}
	cli_show_assumptions(&e->problem, o);
	base_out_object_end(o);
	return 0;
}

int cli_plan_evaluate(const struct base_opt_values *v, void *context)
{
	struct evaluation e = { .cli = context, .v = v };
	struct base_str text;
	struct base_out *o;
	int r = check_options(&e);

	if (r < 0)
		return r;
	r = read_inputs(&e);
	if (r == 0)
		r = evaluate(&e);
	if (r == 0) {
		o = cli_out_new(e.cli, &text);
		r = o ? cli_out_end(e.cli, o, &text, show(&e, o)) : -ENOMEM;
	}
	planner_plan_free(e.plan);
	planner_problem_fini(&e.problem);
	cli_fabric_fini(&e.fabric);
	return r;
}
