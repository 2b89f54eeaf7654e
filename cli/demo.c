/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead demo
 */
#include "commands.h"
#include "demo.h"
#include <errno.h>

const struct base_opt cli_demo_options[] = {
	{ .name = "out",
	  .short_name = 'o',
	  .kind = BASE_OPT_FILE,
	  .value = "PAGE",
	  .help = "the page that is written, HTML",
	  .fallback = "fairlead-demo.html" },
	{ .name = "seeds",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "random draws of each unplanned setting",
	  .min = 1,
	  .max = 100000,
	  .fallback = "200" },
	CLI_SEED_OPTION,
	{ 0 },
};

static void show_case(const struct demo_result *res, struct base_out *o)
{
	const struct cli_unplanned *u = &res->unplanned;
	uint64_t usual_ppm = u->settings[u->usual].busbw.mean_ppm;
	uint64_t best_ppm = u->settings[u->best].busbw.mean_ppm;
	uint64_t planned_ppm = res->planned.busbw.mean_ppm;

	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "id", NULL, res->what->id);
	base_out_string(o, "name", "situation", res->what->name);
	base_out_number(o, "ecmp_usual_ppm", "ECMP, 1 QP", usual_ppm,
			BASE_OUT_PERCENT_PPM);
	base_out_number(o, "ecmp_4_ppm", "ECMP, 4 QPs",
			u->settings[u->usual_4].busbw.mean_ppm, BASE_OUT_PERCENT_PPM);
	base_out_number(o, "best_unplanned_ppm", "best unplanned", best_ppm,
			BASE_OUT_PERCENT_PPM);
	base_out_number(o, "greedy_ppm", "greedy", res->greedy.busbw.mean_ppm,
			BASE_OUT_PERCENT_PPM);
	base_out_colour(o, BASE_OUT_BOLD);
	base_out_number(o, "planned_ppm", "planned", planned_ppm, BASE_OUT_PERCENT_PPM);
	base_out_number(o, "planned_qps", "QPs", res->planned.qps, BASE_OUT_COUNT);
	base_out_number(o, "gain_over_usual_ppm", "over 1 QP",
			cli_gain_ppm(planned_ppm, usual_ppm), BASE_OUT_PERCENT_PPM);
	base_out_number(o, "gain_over_best_ppm", "over best",
			cli_gain_ppm(planned_ppm, best_ppm), BASE_OUT_PERCENT_PPM);
	base_out_number(o, "largest_load_ppm", NULL, res->planned.largest_load_ppm,
			BASE_OUT_RATIO_PPM);
	base_out_number(o, "lower_bound_ppm", NULL,
			res->plan->certificate.lower_bound_ppm, BASE_OUT_RATIO_PPM);
	base_out_number(o, "gap_ppm", NULL, res->plan->certificate.gap_ppm,
			BASE_OUT_RATIO_PPM);
	base_out_object_end(o);
}

static void show(const struct demo_result *results, uint32_t seeds, struct base_out *o)
{
	struct base_str proof;

	base_str_init(&proof, 0);
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "schema", NULL, "fairlead.demo.v1");
	base_out_text(o,
		      "Bus bandwidth as a share of NIC line rate, mean over jobs; "
		      "without a plan: mean of %u seeds.",
		      seeds);
	base_out_number(o, "seeds", NULL, seeds, BASE_OUT_COUNT);
	base_out_table_begin(o, "situations", "");
	for (uint32_t i = 0; i < DEMO_CASES; i++)
		show_case(&results[i], o);
	base_out_table_end(o);
	for (uint32_t i = 0; i < DEMO_CASES; i++) {
		base_str_clear(&proof);
		cli_certificate_text(results[i].fabric.graph, results[i].plan, &proof);
		base_out_colour(o, BASE_OUT_BOLD);
		base_out_text(o, "%s", results[i].what->name);
		base_out_text(o, "%s\n", base_str_text(&proof));
	}
	base_out_object_end(o);
	base_str_fini(&proof);
}

static int print(struct cli *cli, const struct demo_result *results, uint32_t seeds)
{
	struct base_str text;
	struct base_out *o = cli_out_new(cli, &text);

	if (!o)
		return -ENOMEM;
	show(results, seeds, o);
	return cli_out_end(cli, o, &text, 0);
}

static int write_page(struct cli *cli, const struct demo_result *results, uint32_t seeds,
		      const char *file)
{
	struct base_str page;
	int r;

	base_str_init(&page, 0);
	r = cli_demo_page(cli, results, seeds, &page);
	if (r < 0) {
		base_str_fini(&page);
		return r;
	}
	r = cli_write(cli, file, &page);
	if (r == 0)
		base_log(&cli->log, BASE_LOG_INFO, "%s: open it in a browser", file);
	return r;
}

int cli_demo(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	struct demo_result results[DEMO_CASES] = { 0 };
	uint32_t seeds = (uint32_t)base_opt_number(v, "seeds");
	uint32_t n = 0;
	int r = 0;

	if (cli->json && cli_writes_stdout(v, "out"))
		return cli_usage(
			cli, "--json and --out both want standard output: give -o FILE");
	while (n < DEMO_CASES && r == 0) {
		r = cli_demo_run_case(cli, &cli_demo_cases[n], seeds,
				      base_opt_number(v, "seed"), &results[n]);
		n++;
	}
	if (r == 0 && !cli_writes_stdout(v, "out"))
		r = print(cli, results, seeds);
	if (r == 0)
		r = write_page(cli, results, seeds, base_opt_string(v, "out"));
	while (n > 0)
		cli_demo_fini(&results[--n]);
	return r;
}
