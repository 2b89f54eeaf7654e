/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a problem gets from ECMP and from greedy, and the tables that put that next to a
 * plan.
 */
#include "plan.h"
#include <base/num.h>
#include <inttypes.h>
#include <stdio.h>

/* Of a sweep: up to CONNS_FULL connections all settings with SEEDS_FULL seeds. */
#define CONNS_FULL 2048u
#define SEEDS_FULL 200u
#define SEEDS_QUICK 20u
/* Flows that a quick sweep may evaluate: a few tenths of a second's worth. */
#define FLOWS_QUICK UINT64_C(600000)

const char *const cli_efforts[] = { "auto", "full", "quick", "none", NULL };

static int progress(void *context, uint64_t done, uint64_t total)
{
	struct cli *cli = context;

	base_log_progress(&cli->log, "evaluating without a plan", done, total);
	return 0;
}

uint32_t cli_unplanned_find(const struct cli_unplanned *u, uint32_t qps,
			    enum planner_plane_rule planes)
{
	for (uint32_t i = 0; i < u->n; i++)
		if (u->settings[i].qps == qps && u->settings[i].planes == planes &&
		    u->settings[i].sharing == PLANNER_BY_WEIGHT)
			return i;
	return 0;
}

int cli_unplanned_run(struct cli *cli, const struct planner_problem *p,
		      enum cli_effort effort, uint32_t seeds, uint64_t seed,
		      struct cli_unplanned *ret_u)
{
	static const uint32_t few[] = { 1, 4, 8 };
	struct planner_sweep_options options = {
		.seeds = seeds,
		.seed = seed,
		.loads = true,
		.progress = progress,
		.context = cli,
	};
	int n;

	ret_u->n = 0;
	if (effort == CLI_NONE || p->n_conns == 0)
		return 0;
	if (effort == CLI_QUICK || (effort == CLI_AUTO && p->n_conns > CONNS_FULL)) {
		options.qps = few;
		options.n_qps = BASE_COUNT(few);
		options.seeds = seeds ? seeds : SEEDS_QUICK;
		options.flows_max = seeds ? 0 : FLOWS_QUICK;
	} else if (!seeds) {
		options.seeds = SEEDS_FULL;
	}
	base_log_progress_begin(&cli->log);
	n = planner_sweep(p, &options, ret_u->settings, CLI_SETTINGS_MAX);
	base_log_progress_end(&cli->log);
	if (n < 0)
		return cli_fail(cli, n, "evaluating without a plan");
	ret_u->n = (uint32_t)n;
	ret_u->usual = cli_unplanned_find(ret_u, 1, PLANNER_PLANES_CROSSED);
	ret_u->usual_4 = cli_unplanned_find(ret_u, 4, PLANNER_PLANES_CROSSED);
	ret_u->best = planner_sweep_best(ret_u->settings, ret_u->n);
	return 0;
}

uint32_t cli_qps_max(const struct planner_plan *plan)
{
	uint32_t most = 0;

	for (uint32_t c = 0; c < plan->n_conns; c++)
		if (plan->conn_first[c + 1] - plan->conn_first[c] > most)
			most = plan->conn_first[c + 1] - plan->conn_first[c];
	return most;
}

int cli_worth_of(struct cli *cli, const struct planner_problem *p,
		 const struct planner_plan *plan, struct cli_worth *ret_worth)
{
	struct planner_busbw busbw;
	int r = planner_evaluate(p, plan, PLANNER_BY_WEIGHT, &busbw, NULL);

	if (r < 0)
		return cli_fail(cli, r, "evaluating a plan");
	*ret_worth = (struct cli_worth){
		.busbw = busbw,
		.largest_load_ppm = plan->certificate.largest_load_ppm,
		.fabric_load_ppm = plan->certificate.fabric_load_ppm,
		.qps = cli_qps_max(plan),
	};
	return 0;
}

int cli_worth_of_greedy(struct cli *cli, const struct planner_problem *p, uint32_t qps,
			struct cli_worth *ret_worth)
{
	struct planner_plan *plan;
	int r = planner_greedy(p, qps, &plan);

	if (r < 0)
		return cli_fail(cli, r, "least-loaded greedy");
	r = planner_plan_certify(p, plan);
	if (r < 0)
		cli_fail(cli, r, "least-loaded greedy");
	else
		r = cli_worth_of(cli, p, plan, ret_worth);
	planner_plan_free(plan);
	return r;
}

const char *cli_setting_text(const struct planner_setting *s, bool several_planes,
			     char buf[CLI_SETTING_TEXT_MAX])
{
	const char *planes = "";

	if (several_planes)
		planes = s->planes == PLANNER_PLANES_KEPT ? ", planes kept"
							  : ", planes crossed";
	snprintf(buf, CLI_SETTING_TEXT_MAX, "%" PRIu32 " QP%s%s%s", s->qps,
		 s->qps == 1 ? "" : "s",
		 s->sharing == PLANNER_BY_SPEED ? " by speed" : "", planes);
	return buf;
}

uint64_t cli_gain_ppm(uint64_t value, uint64_t base)
{
	if (base == 0 || value <= base)
		return 0;
	return base_num_mul_div(value - base, 1000000, base);
}

static void show_way(const char *way, const char *detail, uint64_t mean_ppm,
		     uint64_t worst_ppm, uint64_t worst_job_ppm, uint64_t load_ppm,
		     struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "way", "way", way);
	base_out_string(o, "detail", "setting", detail);
	base_out_number(o, "busbw_ppm", "bus bandwidth", mean_ppm, BASE_OUT_PERCENT_PPM);
	base_out_number(o, "worst_ppm", "worst seed", worst_ppm, BASE_OUT_PERCENT_PPM);
	base_out_number(o, "worst_job_ppm", "worst job", worst_job_ppm,
			BASE_OUT_PERCENT_PPM);
	base_out_number(o, "largest_load_ppm", "largest load", load_ppm,
			BASE_OUT_RATIO_PPM);
	base_out_object_end(o);
}

static void show_setting_as(const char *way, const struct planner_setting *s,
			    bool several_planes, struct base_out *o)
{
	char text[CLI_SETTING_TEXT_MAX];

	show_way(way, cli_setting_text(s, several_planes, text), s->busbw.mean_ppm,
		 s->busbw.worst_ppm, s->busbw.worst_job_ppm,
		 s->busbw.largest_load_mean_ppm, o);
}

static void show_worth_as(const char *way, const struct cli_worth *w, struct base_out *o)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu32 " QP%s", w->qps, w->qps == 1 ? "" : "s");
	show_way(way, text, w->busbw.mean_ppm, w->busbw.mean_ppm, w->busbw.worst_ppm,
		 w->largest_load_ppm, o);
}

void cli_show_ways(const struct cli_unplanned *u, const struct cli_worth *greedy,
		   const struct cli_worth *planned, bool several_planes,
		   struct base_out *o)
{
	base_out_table_begin(o, "ways", "");
	if (u->n > 0) {
		show_setting_as("ECMP, usual", &u->settings[u->usual], several_planes, o);
		show_setting_as("ECMP, 4 QPs", &u->settings[u->usual_4], several_planes,
				o);
		show_setting_as("best unplanned", &u->settings[u->best], several_planes,
				o);
	}
	if (greedy)
		show_worth_as("least-loaded greedy", greedy, o);
	if (planned) {
		base_out_colour(o, BASE_OUT_BOLD);
		show_worth_as("planned", planned, o);
	}
	base_out_table_end(o);
}

void cli_show_settings(const struct cli_unplanned *u, const char *label,
		       bool several_planes, struct base_out *o)
{
	base_out_table_begin(o, "settings", u->n > 0 ? label : NULL);
	for (uint32_t i = 0; i < u->n; i++) {
		const struct planner_setting *s = &u->settings[i];
		const struct planner_distribution *d = &s->busbw;

		base_out_object_begin(o, NULL, NULL);
		base_out_number(o, "qps", "QPs", s->qps, BASE_OUT_COUNT);
		base_out_string(o, "sharing", "bytes go",
				s->sharing == PLANNER_BY_SPEED ? "by speed"
							       : "by weight");
		base_out_string(o, "planes", several_planes ? "planes" : NULL,
				s->planes == PLANNER_PLANES_KEPT ? "kept" : "crossed");
		base_out_number(o, "seeds", "seeds", d->n, BASE_OUT_COUNT);
		if (i == u->best)
			base_out_colour(o, BASE_OUT_BOLD);
		base_out_number(o, "mean_ppm", "mean", d->mean_ppm, BASE_OUT_PERCENT_PPM);
		base_out_number(o, "worst_ppm", "worst seed", d->worst_ppm,
				BASE_OUT_PERCENT_PPM);
		base_out_number(o, "best_ppm", "best seed", d->best_ppm,
				BASE_OUT_PERCENT_PPM);
		base_out_number(o, "worst_job_ppm", "worst job", d->worst_job_ppm,
				BASE_OUT_PERCENT_PPM);
		base_out_number(o, "largest_load_mean_ppm", "largest load",
				d->largest_load_mean_ppm, BASE_OUT_RATIO_PPM);
		base_out_object_end(o);
	}
	base_out_table_end(o);
}

static void show_gain(const char *over, const char *detail, uint64_t base_ppm,
		      const struct cli_worth *planned, struct base_out *o)
{
	uint64_t mean_ppm = planned->busbw.mean_ppm;

	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "over", "planned is faster than", over);
	base_out_string(o, "detail", "setting", detail);
	base_out_number(o, "gain_ppm", "by", cli_gain_ppm(mean_ppm, base_ppm),
			BASE_OUT_PERCENT_PPM);
	base_out_number(o, "loss_ppm", mean_ppm < base_ppm ? "slower by" : NULL,
			cli_gain_ppm(base_ppm, mean_ppm), BASE_OUT_PERCENT_PPM);
	base_out_object_end(o);
}

void cli_show_gains(const struct cli_unplanned *u, const struct cli_worth *greedy,
		    const struct cli_worth *planned, bool several_planes,
		    struct base_out *o)
{
	const struct {
		const char *over;
		uint32_t setting;
	} rows[] = { { "ECMP, usual", u->usual },
		     { "ECMP, 4 QPs", u->usual_4 },
		     { "best unplanned", u->best } };
	char text[CLI_SETTING_TEXT_MAX];

	base_out_table_begin(o, "gains", "");
	for (size_t i = 0; u->n > 0 && i < BASE_COUNT(rows); i++) {
		const struct planner_setting *s = &u->settings[rows[i].setting];

		show_gain(rows[i].over, cli_setting_text(s, several_planes, text),
			  s->busbw.mean_ppm, planned, o);
	}
	if (greedy) {
		snprintf(text, sizeof(text), "%" PRIu32 " QP%s", greedy->qps,
			 greedy->qps == 1 ? "" : "s");
		show_gain("least-loaded greedy", text, greedy->busbw.mean_ppm, planned,
			  o);
	}
	base_out_table_end(o);
}
