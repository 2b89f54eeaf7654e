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
/* A difference below is none: it would be printed as 0.0 %. */
#define GAIN_SHOWN_PPM 500u
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
		.qps = planner_plan_qps_max(plan),
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
	r = cli_worth_of(cli, p, plan, ret_worth);
	planner_plan_free(plan);
	return r;
}

const char *cli_qps_text(uint32_t qps, char buf[CLI_QPS_TEXT_MAX])
{
	snprintf(buf, CLI_QPS_TEXT_MAX, "%" PRIu32 " QP%s", qps, qps == 1 ? "" : "s");
	return buf;
}

const char *cli_setting_text(const struct planner_setting *s, bool several_planes,
			     char buf[CLI_SETTING_TEXT_MAX])
{
	const char *planes = "";
	char qps[CLI_QPS_TEXT_MAX];

	if (several_planes)
		planes = s->planes == PLANNER_PLANES_KEPT ? ", planes kept"
							  : ", planes crossed";
	snprintf(buf, CLI_SETTING_TEXT_MAX, "%s%s%s", cli_qps_text(s->qps, qps),
		 s->sharing == PLANNER_BY_SPEED ? " by speed" : "", planes);
	return buf;
}

uint64_t cli_gain_ppm(uint64_t value, uint64_t base)
{
	if (base == 0 || value <= base)
		return 0;
	return base_num_mul_div(value - base, 1000000, base);
}

uint64_t cli_loss_ppm(uint64_t value, uint64_t base)
{
	return value < base ? base_num_mul_div(base - value, 1000000, base) : 0;
}

/* One way to choose paths, and what it is worth. */
struct way {
	const char *name, *detail;
	uint64_t mean_ppm, worst_ppm, worst_job_ppm, load_ppm;
	enum base_out_colour colour;
};

static void show_share(const struct way *w, const char *key, const char *label,
		       uint64_t ppm, struct base_out *o)
{
	base_out_colour(o, w->colour);
	base_out_number(o, key, label, ppm, BASE_OUT_PERCENT_PPM);
}

static void show_way(const struct way *w, struct base_out *o)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_colour(o, w->colour);
	base_out_string(o, "way", "way", w->name);
	base_out_colour(o, w->colour);
	base_out_string(o, "detail", "setting", w->detail);
	show_share(w, "busbw_ppm", "bus bandwidth", w->mean_ppm, o);
	show_share(w, "worst_ppm", "worst seed", w->worst_ppm, o);
	show_share(w, "worst_job_ppm", "worst job", w->worst_job_ppm, o);
	base_out_colour(o, w->colour);
	base_out_number(o, "largest_load_ppm", "largest load", w->load_ppm,
			BASE_OUT_RATIO_PPM);
	base_out_object_end(o);
}

static void show_setting_as(const char *name, const struct planner_setting *s,
			    bool several_planes, struct base_out *o)
{
	char text[CLI_SETTING_TEXT_MAX];

	show_way(&(struct way){ .name = name,
				.detail = cli_setting_text(s, several_planes, text),
				.mean_ppm = s->busbw.mean_ppm,
				.worst_ppm = s->busbw.worst_ppm,
				.worst_job_ppm = s->busbw.worst_job_ppm,
				.load_ppm = s->busbw.largest_load_mean_ppm },
		 o);
}

static void show_worth_as(const char *name, const struct cli_worth *w,
			  enum base_out_colour colour, struct base_out *o)
{
	char text[CLI_QPS_TEXT_MAX];

	show_way(&(struct way){ .name = name,
				.detail = cli_qps_text(w->qps, text),
				.mean_ppm = w->busbw.mean_ppm,
				.worst_ppm = w->busbw.mean_ppm,
				.worst_job_ppm = w->busbw.worst_ppm,
				.load_ppm = w->largest_load_ppm,
				.colour = colour },
		 o);
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
		show_worth_as("least-loaded greedy", greedy, BASE_OUT_PLAIN, o);
	if (planned)
		show_worth_as("planned", planned, BASE_OUT_GOOD, o);
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

/* "+295.3 %", "-3.1 %", "equal" */
static void add_gain(struct base_str *s, uint64_t value_ppm, uint64_t base_ppm)
{
	uint64_t more_ppm = cli_gain_ppm(value_ppm, base_ppm);
	uint64_t less_ppm = cli_loss_ppm(value_ppm, base_ppm);
	char text[BASE_NUM_TEXT_MAX];

	if (more_ppm < GAIN_SHOWN_PPM && less_ppm < GAIN_SHOWN_PPM)
		base_str_add(s, "equal");
	else
		base_str_addf(s, "%c%s %%", more_ppm > 0 ? '+' : '-',
			      base_num_format_ppm((more_ppm + less_ppm) * 100, 1, text));
}

void cli_tell_gains(const struct cli_unplanned *u, const struct cli_worth *greedy,
		    const struct cli_worth *planned, struct base_out *o)
{
	uint64_t mean_ppm = planned->busbw.mean_ppm;
	struct base_str s;

	if (base_out_format(o) != BASE_OUT_TEXT || (u->n == 0 && !greedy))
		return;
	base_str_init(&s, 0);
	if (u->n > 0) {
		base_str_addf(&s, "without a plan: mean of %" PRIu32 " seed%s\n",
			      u->settings[u->usual].busbw.n,
			      u->settings[u->usual].busbw.n == 1 ? "" : "s");
		base_str_add(&s, "planned against ECMP as usual: ");
		add_gain(&s, mean_ppm, u->settings[u->usual].busbw.mean_ppm);
		base_str_add(&s, "; the best unplanned setting: ");
		add_gain(&s, mean_ppm, u->settings[u->best].busbw.mean_ppm);
	}
	if (greedy) {
		base_str_add(&s, u->n > 0 ? "; greedy: " : "planned against greedy: ");
		add_gain(&s, mean_ppm, greedy->busbw.mean_ppm);
	}
	base_out_text(o, "%s\n", base_str_text(&s));
	base_str_fini(&s);
}

static void show_gain(const char *over, const char *detail, uint64_t base_ppm,
		      const struct cli_worth *planned, struct base_out *o)
{
	uint64_t mean_ppm = planned->busbw.mean_ppm;

	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "over", NULL, over);
	base_out_string(o, "detail", NULL, detail);
	base_out_number(o, "gain_ppm", NULL, cli_gain_ppm(mean_ppm, base_ppm),
			BASE_OUT_PERCENT_PPM);
	base_out_number(o, "loss_ppm", NULL, cli_loss_ppm(mean_ppm, base_ppm),
			BASE_OUT_PERCENT_PPM);
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

	base_out_table_begin(o, "gains", NULL);
	for (size_t i = 0; u->n > 0 && i < BASE_COUNT(rows); i++) {
		const struct planner_setting *s = &u->settings[rows[i].setting];

		show_gain(rows[i].over, cli_setting_text(s, several_planes, text),
			  s->busbw.mean_ppm, planned, o);
	}
	if (greedy) {
		show_gain("least-loaded greedy", cli_qps_text(greedy->qps, text),
			  greedy->busbw.mean_ppm, planned, o);
	}
	base_out_table_end(o);
}
