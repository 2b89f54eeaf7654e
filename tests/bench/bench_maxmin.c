/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow allocations per second of planner_maxmin(), beside textbook filling in the same
 * run. Exit status 1: under a million a second somewhere.
 */
#include <base/clock.h>
#include <gen/flows.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS 5
#define GOAL_PER_S 1000000.0

struct bench_case {
	const char *name;
	bool planned;
	struct gen_clos3 shape;
};

static const struct bench_case cases[] = {
	{ "planned, 1 QP", true, { 8, 32, 64, 32, 1, 400000000000 } },
	{ "planned, 8 QPs", true, { 8, 32, 64, 32, 8, 400000000000 } },
	{ "ECMP, 1 QP", false, { 8, 32, 64, 32, 1, 400000000000 } },
	{ "ECMP, 8 QPs", false, { 8, 32, 64, 32, 8, 400000000000 } },
};

static double seconds_since(const struct base_clock *clock, uint64_t start_ns)
{
	return (double)(base_clock_now_ns(clock) - start_ns) / 1e9;
}

/* The least of some runs: other work on the machine only ever adds. */
static double time_planner(const struct base_clock *clock, const struct gen_flows *g,
			   uint64_t *rates_bps)
{
	double best_s = INFINITY;

	for (int run = 0; run < RUNS; run++) {
		uint64_t start_ns = base_clock_now_ns(clock);

		if (planner_maxmin(&g->flows, g->capacity_bps, g->n_capacities,
				   rates_bps) < 0)
			abort();
		best_s = fmin(best_s, seconds_since(clock, start_ns));
	}
	return best_s;
}

static bool run_case(const struct base_clock *clock, const struct bench_case *c)
{
	struct gen_flows g;
	struct base_rng rng;
	uint64_t *rates_bps, start_ns;
	double *naive_bps, planner_s, naive_s, off_bps = 0;
	uint32_t n;

	base_rng_seed(&rng, 1);
	if (c->planned)
		gen_flows_planned(&g, &c->shape);
	else
		gen_flows_ecmp(&g, &c->shape, &rng);
	n = g.flows.n;
	rates_bps = calloc(n, sizeof(*rates_bps));
	naive_bps = calloc(n, sizeof(*naive_bps));
	if (!rates_bps || !naive_bps)
		abort();
	planner_s = time_planner(clock, &g, rates_bps);
	start_ns = base_clock_now_ns(clock);
	gen_naive_maxmin(&g, naive_bps);
	naive_s = seconds_since(clock, start_ns);
	for (uint32_t flow = 0; flow < n; flow++)
		off_bps = fmax(off_bps, fabs(naive_bps[flow] - (double)rates_bps[flow]));
	printf("%-15s %8u %10.2f %12.2f %12.1f %12.3f %8.0fx %6.2f\n", c->name, n,
	       planner_s * 1e3, n / planner_s / 1e6, naive_s * 1e3, n / naive_s / 1e6,
	       naive_s / planner_s, off_bps);
	free(rates_bps);
	free(naive_bps);
	gen_flows_fini(&g);
	return n / planner_s >= GOAL_PER_S;
}

int main(void)
{
	struct base_clock clock = base_clock_system();
	bool reached = true;

	printf("%-15s %8s %10s %12s %12s %12s %9s %6s\n", "paths", "flows", "ms",
	       "million/s", "textbook ms", "million/s", "faster", "bit/s");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		reached &= run_case(&clock, &cases[i]);
	puts(reached ? "goal of a million flow allocations a second: reached"
		     : "goal of a million flow allocations a second: missed");
	return reached ? 0 : 1;
}
