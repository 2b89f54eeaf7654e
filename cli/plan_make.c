/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead plan make
 */
#include "commands.h"
#include "plan.h"
#include <base/mem.h>
#include <base/num.h>
#include <planner/solve.h>
#include <topo/write.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNROUTABLE_SHOWN 10u
/* A tenth of a percent, as they are printed: less than that is no difference. */
#define CEILING_SHOWN_PPM 1000u

enum format { TO_JSON, TO_LIST, TO_NS3 };

static const char *const formats[] = { "json", "list", "ns3", NULL };

const struct base_opt cli_plan_make_options[] = {
	CLI_FABRIC_OPTION,
	CLI_JOB_OPTIONS,
	CLI_DOWN_OPTION,
	{ .name = "qps",
	  .kind = BASE_OPT_STRING,
	  .value = "N",
	  .help = "QPs of each connection; auto: the fewest that reach the bound",
	  .fallback = "auto" },
	CLI_SEED_OPTION,
	{ .name = "replan-from",
	  .kind = BASE_OPT_FILE,
	  .value = "PLAN",
	  .help = "move as little as possible from that plan; without --job, its own "
		  "jobs" },
	{ .name = "moves",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "QPs that --replan-from may move without need (default: all that help)",
	  .max = UINT32_MAX },
	{ .name = "baselines",
	  .kind = BASE_OPT_WORD,
	  .value = "EFFORT",
	  .help = "what to compare with: all settings, a few, none",
	  .fallback = "auto",
	  .words = cli_efforts },
	{ .name = "seeds",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "random draws of each unplanned setting (default: 200, fewer for large "
		  "jobs)",
	  .min = 1,
	  .max = 1000000 },
	{ .name = "to",
	  .kind = BASE_OPT_WORD,
	  .value = "FORMAT",
	  .help = "how --out is written",
	  .fallback = "json",
	  .words = formats },
	{ .name = "out",
	  .short_name = 'o',
	  .kind = BASE_OPT_FILE,
	  .value = "PLAN",
	  .help = "the plan that is written" },
	{ .name = "svg",
	  .kind = BASE_OPT_FILE,
	  .value = "FILE",
	  .help = "a drawing of the fabric, links coloured by load" },
	{ 0 },
};

struct make {
	struct cli *cli;
	const struct base_opt_values *v;
	struct cli_fabric fabric;
	struct planner_problem problem, old_problem;
	struct planner_plan *plan, *old_plan;
	uint32_t qps;
	uint64_t solve_ns;
	struct cli_unplanned unplanned;
	struct cli_worth planned, greedy;
	struct planner_busbw ceiling; /* of the plan's QPs, with no limit but NIC links */
	bool has_greedy;
};

static int parse_qps(struct make *m)
{
	const char *text = base_opt_string(m->v, "qps");

	if (strcmp(text, "auto") == 0)
		return 0;
	if (base_num_u32(text, strlen(text), &m->qps) < 0 || m->qps == 0 ||
	    m->qps > PLANNER_QPS_MAX)
		return cli_usage(
			m->cli, "--qps: \"%s\" is neither auto nor a number from 1 to %u",
			text, PLANNER_QPS_MAX);
	return 0;
}

/* What no table of options can say. */
static int check_options(struct make *m)
{
	const struct base_opt_values *v = m->v;
	bool plan_out = cli_writes_stdout(v, "out"),
	     svg_out = cli_writes_stdout(v, "svg");

	if (!base_opt_is_given(v, "job") && !base_opt_is_given(v, "replan-from"))
		return cli_usage(
			m->cli,
			"\"fairlead plan make\" needs --job JOB (or --replan-from "
			"PLAN, to keep its jobs)");
	if (base_opt_is_given(v, "moves") && !base_opt_is_given(v, "replan-from"))
		return cli_usage(m->cli, "--moves goes with --replan-from PLAN");
	if (base_opt_is_given(v, "to") && !base_opt_is_given(v, "out"))
		return cli_usage(m->cli, "--to says how --out is written: give -o FILE");
	if (plan_out && svg_out)
		return cli_usage(
			m->cli,
			"--out and --svg both want standard output: give one a file");
	if (m->cli->json && (plan_out || svg_out))
		return cli_usage(
			m->cli,
			"--json and --%s both want standard output: give it a file",
			plan_out ? "out" : "svg");
	return parse_qps(m);
}

static int read_inputs(struct make *m)
{
	const char *old = base_opt_string(m->v, "replan-from");
	int r = cli_fabric_open(m->cli, base_opt_string(m->v, "fabric"), &m->fabric);

	if (r < 0)
		return r;
	planner_problem_init(&m->problem, m->fabric.graph);
	planner_problem_init(&m->old_problem, m->fabric.graph);
	r = cli_fabric_take_down(m->cli, &m->fabric, m->v);
	if (r == 0 && old)
		r = cli_plan_read(m->cli, &m->fabric, old, &m->old_problem, &m->old_plan);
	if (r == 0 && base_opt_is_given(m->v, "job"))
		r = cli_jobs_read(m->cli, &m->fabric, m->v, &m->problem);
	else if (r == 0)
		r = cli_problem_copy(m->cli, &m->old_problem, &m->problem);
	return r;
}

static int solve(struct make *m)
{
	struct planner_solve_options options = {
		.qps = m->qps,
		.seed = base_opt_number(m->v, "seed"),
	};
	struct planner_replan_options replan = {
		.moves_max = UINT32_MAX,
		.seed = options.seed,
	};
	uint64_t start_ns;
	int r;

	if (base_opt_is_given(m->v, "moves"))
		replan.moves_max = (uint32_t)base_opt_number(m->v, "moves");
	start_ns = base_clock_now_ns(&m->cli->clock);
	if (m->old_plan)
		r = planner_replan(&m->problem, &m->old_problem, m->old_plan, &replan,
				   &m->plan, &m->cli->err);
	else
		r = planner_solve(&m->problem, &options, &m->plan, &m->cli->err);
	m->solve_ns = base_clock_now_ns(&m->cli->clock) - start_ns;
	return r < 0 ? cli_fail(m->cli, r, "planning") : 0;
}

static int evaluate(struct make *m)
{
	enum cli_effort effort = (enum cli_effort)base_opt_number(m->v, "baselines");
	int r = cli_worth_of(m->cli, &m->problem, m->plan, &m->planned);

	if (r == 0) {
		r = planner_ceiling(&m->problem, m->plan, &m->ceiling);
		if (r < 0)
			return cli_fail(m->cli, r, "evaluating a plan");
	}
	if (r == 0)
		r = cli_unplanned_run(m->cli, &m->problem, effort,
				      (uint32_t)base_opt_number(m->v, "seeds"),
				      base_opt_number(m->v, "seed"), &m->unplanned);
	if (r < 0 || effort == CLI_NONE || m->planned.qps == 0)
		return r;
	r = cli_worth_of_greedy(m->cli, &m->problem, m->planned.qps, &m->greedy);
	m->has_greedy = r == 0;
	return r;
}

static int write_plan(struct make *m)
{
	const char *file = base_opt_string(m->v, "out");
	struct base_str text;

	if (!file)
		return 0;
	base_str_init(&text, 0);
	switch ((enum format)base_opt_number(m->v, "to")) {
	case TO_JSON:
		planner_plan_write_json(&m->problem, m->plan, &text);
		break;
	case TO_LIST:
		planner_plan_write_list(&m->problem, m->plan, &text);
		break;
	case TO_NS3:
		planner_plan_write_ns3(&m->problem, m->plan, &text);
		break;
	}
	return cli_write(m->cli, file, &text);
}

static int write_svg(struct make *m)
{
	const char *file = base_opt_string(m->v, "svg");
	struct topo_svg_options options = { .title = "Planned load of each link" };
	uint64_t *loads;
	struct base_str text;
	int r;

	if (!file)
		return 0;
	loads = base_array_new(2 * (size_t)topo_graph_n_links(m->fabric.graph),
			       sizeof(*loads));
	if (!loads)
		return cli_no_memory(m->cli);
	r = planner_plan_loads(&m->problem, m->plan, TOPO_NONE, loads);
	if (r < 0) {
		free(loads);
		return cli_fail(m->cli, r, "loads");
	}
	options.hop_load_ppm = loads;
	base_str_init(&text, 0);
	topo_write_svg(m->fabric.graph, &options, &text);
	free(loads);
	return cli_write(m->cli, file, &text);
}

static void show_counts(const struct make *m, struct base_out *o)
{
	const struct planner_problem *p = &m->problem;

	base_out_string(o, "fabric", "fabric", m->fabric.file);
	base_out_number(o, "nics", "NICs", topo_graph_count(m->fabric.graph, TOPO_NIC),
			BASE_OUT_COUNT);
	base_out_number(o, "links_taken_down", m->fabric.n_down > 0 ? "links down" : NULL,
			m->fabric.n_down, BASE_OUT_COUNT);
	base_out_number(o, "jobs", "jobs", p->n_jobs, BASE_OUT_COUNT);
	base_out_number(o, "connections", "connections", p->n_conns, BASE_OUT_COUNT);
	base_out_number(o, "qps", "queue pairs", m->plan->n_qps, BASE_OUT_COUNT);
	base_out_number(o, "qps_per_connection", NULL, m->planned.qps, BASE_OUT_COUNT);
	base_out_number(o, "phases", p->n_phases > 1 ? "phases" : NULL, p->n_phases,
			BASE_OUT_COUNT);
	base_out_number(o, "local_connections",
			p->local_conns > 0 ? "inside hosts" : NULL, p->local_conns,
			BASE_OUT_COUNT);
	base_out_number(o, "local_bytes", NULL, p->local_bytes, BASE_OUT_BYTES);
	base_out_number(o, "unroutable", NULL, m->plan->unroutable, BASE_OUT_COUNT);
	base_out_number(o, "moved", m->old_plan ? "queue pairs moved" : NULL,
			m->plan->moved, BASE_OUT_COUNT);
	base_out_number(o, "moved_must", m->old_plan ? "of those, had to" : NULL,
			m->plan->moved_must, BASE_OUT_COUNT);
	base_out_number(o, "solve_ns", "solved in", m->solve_ns, BASE_OUT_NS);
}

/* Keys that are always there: null when it was not evaluated. */
static void show_ppm(struct base_out *o, const char *key, bool is_known, uint64_t ppm)
{
	if (is_known)
		base_out_number(o, key, NULL, ppm, BASE_OUT_ID);
	else
		base_out_null(o, key, NULL);
}

static void show_busbw(const struct make *m, struct base_out *o)
{
	const struct cli_unplanned *u = &m->unplanned;
	const struct planner_distribution *usual = &u->settings[u->usual].busbw;
	bool swept = u->n > 0;

	base_out_object_begin(o, "busbw_ppm", NULL);
	show_ppm(o, "planned", true, m->planned.busbw.mean_ppm);
	show_ppm(o, "planned_worst_job", true, m->planned.busbw.worst_ppm);
	show_ppm(o, "planned_spread", true, m->planned.busbw.spread_ppm);
	show_ppm(o, "ceiling", true, m->ceiling.mean_ppm);
	show_ppm(o, "greedy", m->has_greedy, m->greedy.busbw.mean_ppm);
	show_ppm(o, "ecmp_mean", swept, usual->mean_ppm);
	show_ppm(o, "ecmp_worst", swept, usual->worst_ppm);
	show_ppm(o, "ecmp_worst_job", swept, usual->worst_job_ppm);
	show_ppm(o, "best_unplanned", swept, u->settings[u->best].busbw.mean_ppm);
	base_out_object_end(o);
	show_ppm(o, "seeds", swept, usual->n);
}

/* What NIC links alone allow, where that is less than line rate: no path can help. */
static void tell_ceiling(const struct make *m, struct base_out *o)
{
	char ceiling[BASE_NUM_TEXT_MAX], part[BASE_NUM_TEXT_MAX];
	uint64_t ceiling_ppm = m->ceiling.mean_ppm, mean_ppm = m->planned.busbw.mean_ppm;

	if (ceiling_ppm == 0 || ceiling_ppm + CEILING_SHOWN_PPM > 1000000)
		return;
	base_num_format_ppm(ceiling_ppm * 100, 1, ceiling);
	if (mean_ppm + CEILING_SHOWN_PPM > ceiling_ppm) {
		base_out_text(o,
			      "ceiling: %s %%, with no limit but the NICs, which share "
			      "their links by flow; the plan reaches it\n",
			      ceiling);
		return;
	}
	base_num_format_ppm(base_num_mul_div(mean_ppm, 100000000, ceiling_ppm), 1, part);
	base_out_text(o,
		      "ceiling: %s %%, with no limit but the NICs, which share their "
		      "links by flow; the plan has %s %% of that\n",
		      ceiling, part);
}

/* First of all: what follows holds for the other connections only. */
static void tell_unroutable(const struct make *m, struct base_out *o)
{
	if (m->plan->unroutable == 0)
		return;
	base_out_colour(o, BASE_OUT_BAD);
	base_out_text(o,
		      "%" PRIu32 " of %" PRIu32
		      " connections have no path; their jobs have no bus bandwidth\n",
		      m->plan->unroutable, m->plan->n_conns);
}

/* The first connections without a path. */
static void show_unroutable(const struct make *m, struct base_out *o)
{
	const struct planner_plan *plan = m->plan;
	struct base_str name;
	uint32_t shown = 0;

	base_str_init(&name, 0);
	base_out_table_begin(o, "no_path",
			     plan->unroutable > 0 ? "connections without a path" : NULL);
	for (uint32_t c = 0; c < plan->n_conns && shown < UNROUTABLE_SHOWN; c++) {
		const struct planner_conn *conn = &m->problem.conns[c];

		if (plan->conn_first[c + 1] > plan->conn_first[c])
			continue;
		base_out_object_begin(o, NULL, NULL);
		base_out_number(o, "connection", "connection", c, BASE_OUT_ID);
		topo_name_node(m->fabric.graph, conn->src_nic, &name);
		base_out_string(o, "from", "from", base_str_text(&name));
		base_str_clear(&name);
		topo_name_node(m->fabric.graph, conn->dst_nic, &name);
		base_out_string(o, "to", "to", base_str_text(&name));
		base_str_clear(&name);
		base_out_object_end(o);
		shown++;
	}
	base_out_table_end(o);
	if (plan->unroutable > shown)
		base_out_text(o, "... and %" PRIu32 " more", plan->unroutable - shown);
	base_str_fini(&name);
}

static int show_summary(struct make *m, struct base_out *o)
{
	bool planes = topo_graph_n_planes(m->fabric.graph) > 1;
	int r;

	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "schema", NULL, "fairlead.plan-summary.v1");
	base_out_bool(o, "fabric_matches", NULL, !m->fabric.has_other_plan);
	show_counts(m, o);
	tell_unroutable(m, o);
	cli_show_ways(&m->unplanned, m->has_greedy ? &m->greedy : NULL, &m->planned,
		      planes, o);
	cli_tell_gains(&m->unplanned, m->has_greedy ? &m->greedy : NULL, &m->planned, o);
	tell_ceiling(m, o);
	show_busbw(m, o);
	cli_show_settings(&m->unplanned, NULL, planes, o);
	r = cli_show_certificate(m->fabric.graph, m->plan, o);
	cli_show_assumptions(&m->problem, o);
	show_unroutable(m, o);
	base_out_object_end(o);
	return r < 0 ? cli_fail(m->cli, r, "plan") : 0;
}

static int print_summary(struct make *m)
{
	struct base_str text;
	struct base_out *o;

	if (cli_writes_stdout(m->v, "out") || cli_writes_stdout(m->v, "svg"))
		return 0;
	o = cli_out_new(m->cli, &text);
	if (!o)
		return -ENOMEM;
	return cli_out_end(m->cli, o, &text, show_summary(m, o));
}

/* Runs one step and says with --verbose how long it took. */
static int run_step(struct make *m, const char *what, int (*step)(struct make *m))
{
	uint64_t start_ns = base_clock_now_ns(&m->cli->clock);
	char took[BASE_NUM_TEXT_MAX];
	int r = step(m);

	base_log(
		&m->cli->log, BASE_LOG_DEBUG, "%s: %s", what,
		base_num_format_time(base_clock_now_ns(&m->cli->clock) - start_ns, took));
	return r;
}

int cli_plan_make(const struct base_opt_values *v, void *context)
{
	static const struct {
		const char *what;
		int (*step)(struct make *m);
	} steps[] = {
		{ "reading", read_inputs }, { "planning", solve },
		{ "evaluating", evaluate }, { "writing the plan", write_plan },
		{ "drawing", write_svg },   { "summing up", print_summary },
	};
	struct make m = { .cli = context, .v = v };
	int r = check_options(&m);

	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < BASE_COUNT(steps); i++)
		r = run_step(&m, steps[i].what, steps[i].step);
	if (r == 0 && m.plan->unroutable > 0)
		r = CLI_NO;
	planner_plan_free(m.plan);
	planner_plan_free(m.old_plan);
	planner_problem_fini(&m.problem);
	planner_problem_fini(&m.old_problem);
	cli_fabric_fini(&m.fabric);
	return r;
}
