/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of flows for tests of sharing: random ones without any structure, and the paths of
 * a three-tier Clos, planned or drawn.  Out of memory ends the test.
 */
#pragma once
#include <base/rng.h>
#include <planner/evaluate.h>

BASE_BEGIN_DECLS

struct gen_flows {
	struct planner_flows flows; /* borrows the arrays below */
	uint32_t *first, *hops;
	uint64_t *capacity_bps;
	uint32_t n_capacities;
};

/* Each flow crosses 1..@hops_max different links, each link has one of a few rates. */
void gen_flows_random(struct gen_flows *g, struct base_rng *rng, uint32_t n_flows,
		      uint32_t n_links, uint32_t hops_max);

/* Every NIC sends to one of the next pod, with @qps flows. */
struct gen_clos3 {
	uint32_t pods, leaves, nics_per_leaf,
		cores_per_spine; /* as many spines as NICs */
	uint32_t qps;
	uint64_t rate_bps;
};
/* Every link carries the same: what a planner makes. */
void gen_flows_planned(struct gen_flows *g, const struct gen_clos3 *shape);
/* Destinations are a random permutation, spines and cores are drawn: what ECMP makes. */
void gen_flows_ecmp(struct gen_flows *g, const struct gen_clos3 *shape,
		    struct base_rng *rng);

void gen_flows_fini(struct gen_flows *g);

/*
 * Max-min rates the textbook way: find the link with the least share, give its flows that
 * share, take it off the other links, begin again.  In double; independent of the
 * planner.
 */
void gen_naive_maxmin(const struct gen_flows *g, double *rates_bps);

BASE_END_DECLS
