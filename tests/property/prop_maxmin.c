/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Max-min fair rates on random flows: what defines them, and two other ways to compute
 * them.
 */
#include <gen/flows.h>
#include <gen/prop.h>
#include <planner/evaluate.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *array(size_t n, size_t elem_size)
{
	void *p = calloc(n ? n : 1, elem_size);

	prop_check(p != NULL);
	return p;
}

static uint64_t *rates_of(const struct gen_flows *g)
{
	uint64_t *rates_bps = array(g->flows.n, sizeof(*rates_bps));

	prop_check(planner_maxmin(&g->flows, g->capacity_bps, g->n_capacities,
				  rates_bps) == 0);
	return rates_bps;
}

static void check_naive(const struct gen_flows *g, const uint64_t *rates_bps)
{
	double *naive_bps = array(g->flows.n, sizeof(*naive_bps));

	gen_naive_maxmin(g, naive_bps);
	for (uint32_t flow = 0; flow < g->flows.n; flow++) {
		double off = naive_bps[flow] - (double)rates_bps[flow];

		/* Whole bits: rounded down. */
		prop_check(off > -0.01 && off < 1.01);
	}
	free(naive_bps);
}

/*
 * The definition: no link is overfull, and each flow crosses a link that is full and
 * where no flow has more.  Whole bits: each of n flows may have lost one.
 */
static void check_bottlenecks(const struct gen_flows *g, const uint64_t *rates_bps)
{
	uint64_t *sum_bps = array(g->n_capacities, sizeof(*sum_bps));
	uint64_t *most_bps = array(g->n_capacities, sizeof(*most_bps));
	uint32_t *n = array(g->n_capacities, sizeof(*n));

	for (uint32_t flow = 0; flow < g->flows.n; flow++) {
		for (uint32_t i = g->first[flow]; i < g->first[flow + 1]; i++) {
			uint32_t hop = g->hops[i];

			n[hop]++;
			sum_bps[hop] += rates_bps[flow];
			if (rates_bps[flow] > most_bps[hop])
				most_bps[hop] = rates_bps[flow];
		}
	}
	for (uint32_t flow = 0; flow < g->flows.n; flow++) {
		bool has_bottleneck = false;

		for (uint32_t i = g->first[flow]; i < g->first[flow + 1]; i++) {
			uint32_t hop = g->hops[i];

			prop_check(sum_bps[hop] <= g->capacity_bps[hop]);
			has_bottleneck |= sum_bps[hop] + n[hop] > g->capacity_bps[hop] &&
					  most_bps[hop] <= rates_bps[flow] + 1;
		}
		prop_check(has_bottleneck);
	}
	free(sum_bps);
	free(most_bps);
	free(n);
}

/* The same flows in another order, their hops in reverse: the same rates in that order.
 */
static void check_order(const struct gen_flows *g, const uint64_t *rates_bps,
			struct base_rng *rng)
{
	struct gen_flows other = { .capacity_bps = g->capacity_bps,
				   .n_capacities = g->n_capacities };
	uint32_t *order = array(g->flows.n, sizeof(*order));
	uint64_t *other_bps;

	other.first = array((size_t)g->flows.n + 1, sizeof(*other.first));
	other.hops = array(g->first[g->flows.n], sizeof(*other.hops));
	other.flows = (struct planner_flows){ g->flows.n, other.first, other.hops };
	for (uint32_t i = 0; i < g->flows.n; i++)
		order[i] = i;
	base_rng_shuffle_u32(rng, order, g->flows.n);
	for (uint32_t i = 0; i < g->flows.n; i++) {
		uint32_t flow = order[i], at = other.first[i];

		for (uint32_t j = g->first[flow + 1]; j-- > g->first[flow];)
			other.hops[at++] = g->hops[j];
		other.first[i + 1] = at;
	}
	other_bps = rates_of(&other);
	for (uint32_t i = 0; i < g->flows.n; i++)
		prop_check(other_bps[i] == rates_bps[order[i]]);
	free(other_bps);
	free(other.first);
	free(other.hops);
	free(order);
}

struct fraction {
	__int128 above, below;
};

static struct fraction reduced(__int128 above, __int128 below)
{
	__int128 a = above, b = below, rest;

	while (b != 0) {
		rest = a % b;
		a = b;
		b = rest;
	}
	return (struct fraction){ above / a, below / a };
}

/* Gives every flow of the links with the least share that share; false: none is left. */
static bool fill_exactly(const struct gen_flows *g, struct fraction *left,
			 uint32_t *n_left, struct fraction *rates)
{
	struct fraction least = { 0, 0 };
	uint32_t best = 0;

	for (uint32_t hop = 0; hop < g->n_capacities; hop++) {
		struct fraction share;

		if (n_left[hop] == 0)
			continue;
		share = reduced(left[hop].above, left[hop].below * n_left[hop]);
		if (least.below == 0 ||
		    share.above * least.below < least.above * share.below) {
			least = share;
			best = hop;
		}
	}
	for (uint32_t flow = 0; least.below != 0 && flow < g->flows.n; flow++) {
		bool crosses = false;

		for (uint32_t i = g->first[flow]; i < g->first[flow + 1]; i++)
			crosses |= g->hops[i] == best;
		if (!crosses || rates[flow].below != 0)
			continue;
		rates[flow] = least;
		for (uint32_t i = g->first[flow]; i < g->first[flow + 1]; i++) {
			struct fraction *l = &left[g->hops[i]];

			n_left[g->hops[i]]--;
			*l = reduced(l->above * least.below - least.above * l->below,
				     l->below * least.below);
		}
	}
	return least.below != 0;
}

/* In exact arithmetic: a whole rate is met to the bit, any other is rounded down. */
static void check_exactly(const struct gen_flows *g, const uint64_t *rates_bps)
{
	struct fraction *left = array(g->n_capacities, sizeof(*left));
	struct fraction *rates = array(g->flows.n, sizeof(*rates));
	uint32_t *n_left = array(g->n_capacities, sizeof(*n_left));

	for (uint32_t i = 0; i < g->first[g->flows.n]; i++)
		n_left[g->hops[i]]++;
	for (uint32_t hop = 0; hop < g->n_capacities; hop++)
		left[hop] = (struct fraction){ (__int128)g->capacity_bps[hop], 1 };
	while (fill_exactly(g, left, n_left, rates))
		;
	for (uint32_t flow = 0; flow < g->flows.n; flow++) {
		struct fraction r = rates[flow];
		__int128 rest = r.above % r.below, got = (__int128)rates_bps[flow];
		/* Within a thousandth below a whole number counts as that number. */
		bool nearly = rest * 512 > r.below * 511;

		prop_check(got == r.above / r.below ||
			   (nearly && got == r.above / r.below + 1));
	}
	free(left);
	free(rates);
	free(n_left);
}

static void rates_are_fair(struct base_rng *rng, uint32_t size)
{
	uint32_t n_links = 1 + base_rng_below(rng, size * size * 2);
	uint32_t n_flows = 1 + base_rng_below(rng, size * size * 5);
	struct gen_flows g;
	uint64_t *rates_bps;

	gen_flows_random(&g, rng, n_flows, n_links, 1 + base_rng_below(rng, 6));
	rates_bps = rates_of(&g);
	check_naive(&g, rates_bps);
	check_bottlenecks(&g, rates_bps);
	check_order(&g, rates_bps, rng);
	free(rates_bps);
	gen_flows_fini(&g);
}

static void rates_are_exact(struct base_rng *rng, uint32_t size)
{
	struct gen_flows g;
	uint64_t *rates_bps;

	gen_flows_random(&g, rng, 1 + base_rng_below(rng, size),
			 1 + base_rng_below(rng, 6), 1 + base_rng_below(rng, 4));
	rates_bps = rates_of(&g);
	check_exactly(&g, rates_bps);
	free(rates_bps);
	gen_flows_fini(&g);
}

int main(void)
{
	static const struct prop props[] = {
		{ "max-min rates meet their definition and textbook filling", 2000,
		  rates_are_fair },
		{ "max-min rates are exact, rounded down", 4000, rates_are_exact },
	};

	return prop_main(props, BASE_COUNT(props));
}
