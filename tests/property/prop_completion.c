/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion times against the plain way: new rates for all flows that are left, whenever
 * one has ended.
 */
#include <gen/flows.h>
#include <gen/prop.h>
#include <planner/evaluate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *array(size_t n, size_t elem_size)
{
	void *p = calloc(n ? n : 1, elem_size);

	prop_check(p != NULL);
	return p;
}

/* Those flows of @all that have bits left, in their order. */
static void keep_running(const struct gen_flows *all, const double *left_bits,
			 struct gen_flows *running, uint32_t *which)
{
	uint32_t n = 0;

	running->first[0] = 0;
	for (uint32_t flow = 0; flow < all->flows.n; flow++) {
		uint32_t n_hops = all->first[flow + 1] - all->first[flow];

		if (left_bits[flow] <= 0)
			continue;
		memcpy(running->hops + running->first[n], all->hops + all->first[flow],
		       n_hops * sizeof(*running->hops));
		which[n] = flow;
		running->first[n + 1] = running->first[n] + n_hops;
		n++;
	}
	running->flows = (struct planner_flows){ n, running->first, running->hops };
}

static void naive_completion(const struct gen_flows *g, const uint64_t *bytes,
			     double *ends_ns)
{
	struct gen_flows running = { .capacity_bps = g->capacity_bps,
				     .n_capacities = g->n_capacities };
	double *left_bits = array(g->flows.n, sizeof(*left_bits));
	double *rates_bps = array(g->flows.n, sizeof(*rates_bps)), now_s = 0;
	uint32_t *which = array(g->flows.n, sizeof(*which));

	running.first = array((size_t)g->flows.n + 1, sizeof(*running.first));
	running.hops = array(g->first[g->flows.n], sizeof(*running.hops));
	for (uint32_t flow = 0; flow < g->flows.n; flow++)
		left_bits[flow] = 8 * (double)bytes[flow];
	for (;;) {
		double step_s = INFINITY;

		keep_running(g, left_bits, &running, which);
		if (running.flows.n == 0)
			break;
		gen_naive_maxmin(&running, rates_bps);
		for (uint32_t i = 0; i < running.flows.n; i++)
			step_s = fmin(step_s, left_bits[which[i]] / rates_bps[i]);
		now_s += step_s;
		for (uint32_t i = 0; i < running.flows.n; i++) {
			left_bits[which[i]] -= rates_bps[i] * step_s;
			/* What a millionth of a nanosecond would send is rounding. */
			if (left_bits[which[i]] > rates_bps[i] * 1e-15 + 1e-3)
				continue;
			left_bits[which[i]] = 0;
			ends_ns[which[i]] = now_s * 1e9;
		}
	}
	free(left_bits);
	free(rates_bps);
	free(which);
	free(running.first);
	free(running.hops);
}

static void ends_are_those_of_the_plain_way(struct base_rng *rng, uint32_t size)
{
	uint32_t n_links = 1 + base_rng_below(rng, size * 4);
	uint32_t n_flows = 1 + base_rng_below(rng, size * 5), n_sizes;
	struct gen_flows g;
	uint64_t *bytes, *ends_ns;
	double *naive_ns;

	gen_flows_random(&g, rng, n_flows, n_links, 1 + base_rng_below(rng, 4));
	bytes = array(n_flows, sizeof(*bytes));
	ends_ns = array(n_flows, sizeof(*ends_ns));
	naive_ns = array(n_flows, sizeof(*naive_ns));
	/* Few sizes make many ends fall together. */
	n_sizes = base_rng_below(rng, 2) ? 3 : 100000;
	for (uint32_t flow = 0; flow < n_flows; flow++)
		bytes[flow] = (uint64_t)base_rng_below(rng, n_sizes) * 12345;
	prop_check(planner_completion(&g.flows, bytes, g.capacity_bps, g.n_capacities,
				      ends_ns) == 0);
	naive_completion(&g, bytes, naive_ns);
	for (uint32_t flow = 0; flow < n_flows; flow++)
		prop_check(fabs((double)ends_ns[flow] - naive_ns[flow]) <=
			   0.51 + 1e-9 * naive_ns[flow]);
	free(bytes);
	free(ends_ns);
	free(naive_ns);
	gen_flows_fini(&g);
}

int main(void)
{
	static const struct prop props[] = {
		{ "ends are those of the plain way", 2000,
		  ends_are_those_of_the_plain_way },
	};

	return prop_main(props, BASE_COUNT(props));
}
